"""The bias classifier: what it may see, and that it learns to tell biased sentences from neutral ones and is found
again.
"""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np

from tests.training.tiny_corpora import sentence
from training.corpora.wikipedia import load_pairs
from training.evaluation.bias_classifier import BiasClassifierSettings, examples, load_bias_classifier
from training.loop.events import Events
from training.text.near_duplicates import NearDuplicateIndex


def test_it_sees_neither_dev_pairs_nor_featured_statements(corpora: Path) -> None:
    found = examples(corpora)
    scored = NearDuplicateIndex(
        side for pair in load_pairs(corpora, "dev") for side in (pair.source, pair.target)
    )
    featured = (corpora / "cw_hard_npov" / "statements_neutral_featured").read_text(encoding="utf-8")
    assert {example.corpus for example in found} == {"wnc", "cw_hard"}
    assert not any(scored.has_near_duplicate(example.text) for example in found)
    assert not {example.text for example in found} & set(featured.splitlines())


def test_it_learns_and_is_found_again(corpora: Path, tiny_base: Path, tmp_path: Path) -> None:
    settings = BiasClassifierSettings(str(tiny_base), steps=200, learning_rate=2e-3, eval_every=20)
    events = Events("t", io.StringIO())
    classifier = load_bias_classifier(corpora, settings, tmp_path, events=events)
    draw = random.Random(9)
    biased = classifier.read([sentence(draw, adjective=True) for _ in range(20)])
    neutral = classifier.read([sentence(draw, adjective=False) for _ in range(20)])
    assert (biased >= 0.5).mean() > 0.7
    assert (neutral < 0.5).mean() > 0.7
    again = load_bias_classifier(corpora, settings, tmp_path, events=events)
    texts = ["The shameful council closed.", "The council closed."]
    np.testing.assert_allclose(again.read(texts), classifier.read(texts), atol=1e-6)
