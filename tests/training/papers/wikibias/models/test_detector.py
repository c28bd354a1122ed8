"""DETECTOR: what it learns from, that it learns, and that it tags one word of each sentence."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from tests.training.papers.wikibias.invented_corpus import make_context, make_corpus, tagged
from training.loop.events import Events
from training.loop.training_loop import TrainingError
from training.metrics.tags import spans
from training.papers.wikibias.models.detector import detector, single_word_edits
from training.papers.wikibias.types import Budget
from training.types import BEGIN, INSIDE, OUTSIDE, TaggedSentence


def test_it_learns_from_single_words_alone() -> None:
    one = tagged("the shameful senator spoke")
    words = ("a", "shameful", "ruthless", "senator")
    two_words = TaggedSentence(words, (OUTSIDE, BEGIN, INSIDE, OUTSIDE), True, True)
    two_spans = TaggedSentence(words, (OUTSIDE, BEGIN, BEGIN, OUTSIDE), True, True)
    sentences = [one, two_words, two_spans, tagged("the senator spoke"), replace(one, original=False)]
    assert single_word_edits(sentences) == [one]


def test_it_finds_the_one_word_and_tags_neutral_sentences_too(tiny_base: Path, tmp_path: Path) -> None:
    corpus = make_corpus(auto=64, dev=12, test=12)
    said = io.StringIO()
    job = replace(make_context(tiny_base, tmp_path, budget=Budget(auto_epochs=4)), events=Events("t", said))
    predictions = detector(corpus, job)
    assert predictions.tags is not None
    assert predictions.facts is not None
    assert all(len(spans(tags)) == 1 for tags in predictions.tags)
    pairs = zip(corpus.test, predictions.tags, strict=True)
    right = [spans(one.tags) == spans(tags) for one, tags in pairs if one.biased]
    assert sum(right) >= 0.9 * len(right)
    assert predictions.facts["single"] == 64
    assert predictions.facts["dev_exact"] >= 0.9
    assert "already trained" not in said.getvalue()
    assert detector(corpus, job) == predictions
    assert "already trained" in said.getvalue()


def test_a_corpus_without_single_words_is_told(tiny_base: Path, tmp_path: Path) -> None:
    corpus = make_corpus(manual=4, auto=4, dev=4, test=4)
    with pytest.raises(TrainingError, match="whose only edit is one word"):
        detector(replace(corpus, auto=corpus.auto[1::2]), make_context(tiny_base, tmp_path))
    with pytest.raises(TrainingError, match="no dev part"):
        detector(replace(corpus, dev=[]), make_context(tiny_base, tmp_path))
