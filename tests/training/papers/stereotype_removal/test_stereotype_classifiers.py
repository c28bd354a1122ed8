"""Every classifier of hate speech learns an invented rule; the CNN reads a text the same however it is padded."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
import torch

from core.runs.types import Status
from core.stereotypes.metrics import roc_auc
from tests.training.papers.stereotype_removal.invented_hate import BATCH_SIZE, rows, space
from training.corpora.hate_speech import LabelledText
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError
from training.papers.stereotype_removal.classifiers import (
    TITLES,
    Classifier,
    ClassifierBudget,
    TrainingContext,
    make_classifier,
)
from training.papers.stereotype_removal.cnn import EncodedText, Network, Sizes, batch

TRAIN, DEV, TEST = rows(320, seed=1), rows(40, seed=2), rows(80, seed=3)


def make_context(
    folder: Path, *, epochs: int = 8, stop_requested: Callable[[], Status | None] = lambda: None
) -> TrainingContext:
    events = Events("r", stream=io.StringIO(), stop_requested=stop_requested)
    return TrainingContext(
        space(), folder, 7, ClassifierBudget(epochs, learning_rate=1e-3), torch.device("cpu"), events
    )


def learnt(name: str, given: TrainingContext, train: Sequence[LabelledText] = TRAIN) -> Classifier:
    made = make_classifier(name, given)
    made.fit(train, DEV, vectors={})
    return made


def auc(made: Classifier) -> float:
    return roc_auc([row.hateful for row in TEST], made.hate_probabilities([row.tokens for row in TEST]))


@pytest.mark.parametrize("name", TITLES)
def test_it_learns_the_rule_and_answers_any_row(name: str, tmp_path: Path) -> None:
    made = learnt(name, make_context(tmp_path, epochs=150 if name == "mlp" else 20))
    assert auc(made) > (0.9 if name == "mlp" else 0.95)
    odd = made.hate_probabilities([(), ("never", "seen"), ("vile",) * 400, ("<noun>",)])
    assert odd.shape == (4,)
    assert np.isfinite(odd).all()
    assert 0 <= odd.min() <= odd.max() <= 1
    assert made.hate_probabilities([]).shape == (0,)


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("kept", [True, False])
def test_one_class_is_one_clear_line(name: str, kept: bool, tmp_path: Path) -> None:
    lacking = "neutral" if kept else "hateful"
    with pytest.raises(TrainingError, match=f"no {lacking} text"):
        learnt(name, make_context(tmp_path), [row for row in TRAIN if row.hateful is kept])
    with pytest.raises(TrainingError, match="neither"):
        learnt(name, make_context(tmp_path), [])


@pytest.mark.parametrize("name", ["cnn", "mlp"])
def test_a_tag_is_read_by_the_vector_that_came_with_it(name: str, tmp_path: Path) -> None:
    known = space()
    made = make_classifier(name, make_context(tmp_path))
    vectors = {
        "<vile>": known.table[known.words.index("vile")],
        "<kind>": known.table[known.words.index("great")],
    }
    made.fit(TRAIN, DEV, vectors=vectors)
    same = made.hate_probabilities(
        [("<vile>", "baker"), ("vile", "baker"), ("<kind>", "baker"), ("great", "baker")]
    )
    assert same[0] == pytest.approx(same[1])
    assert same[2] == pytest.approx(same[3])
    assert same[0] != pytest.approx(same[2])


def test_a_finished_cnn_is_taken_from_its_folder(tmp_path: Path) -> None:
    first = learnt("cnn", make_context(tmp_path, epochs=2))
    again = learnt("cnn", make_context(tmp_path, epochs=2))
    texts = [row.tokens for row in TEST]
    assert np.array_equal(first.hate_probabilities(texts), again.hate_probabilities(texts))


def test_a_stopped_cnn_goes_on_to_the_same_answers(tmp_path: Path) -> None:
    whole = learnt("cnn", make_context(tmp_path / "whole", epochs=3))
    asked = iter([None] * 5)
    stopped = make_context(tmp_path / "stopped", epochs=3, stop_requested=lambda: next(asked, Status.PAUSED))
    with pytest.raises(StoppedError):
        learnt("cnn", stopped)
    assert (tmp_path / "stopped" / "cnn.pt").is_file()
    resumed = learnt("cnn", make_context(tmp_path / "stopped", epochs=3))
    texts = [row.tokens for row in TEST]
    assert np.array_equal(whole.hate_probabilities(texts), resumed.hate_probabilities(texts))


@pytest.mark.parametrize("length", [1, 4, 5, 24, 26, 131, 250])
def test_padding_has_no_say(length: int) -> None:
    torch.manual_seed(1)
    network = Network(BATCH_SIZE, Sizes(filters=8, hidden=8)).eval()
    table = np.random.default_rng(2).normal(size=(50, BATCH_SIZE)).astype(np.float32)
    table[0] = 0
    draw = np.random.default_rng(3)
    short, long = EncodedText(draw.integers(1, 50, length)), EncodedText(draw.integers(1, 50, 250))
    with torch.inference_mode():
        alone = network(*batch([short], table, torch.device("cpu")))
        beside = network(*batch([short, long], table, torch.device("cpu")))
    assert torch.allclose(alone[0], beside[0], atol=1e-5)
