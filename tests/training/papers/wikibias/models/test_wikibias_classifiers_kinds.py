"""Table 6's systems learn which kind an invented rule gives a sentence; the hierarchy asks twice; gaps are named."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.runs.types import Status
from core.types import KINDS, Kind
from tests.training.papers.wikibias.invented_corpus import make_context, make_corpus, make_lively_base, pairs
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError
from training.papers.wikibias.models import classifiers, sentence_model
from training.papers.wikibias.models.sentence_model import Classifier, new_classifier
from training.papers.wikibias.types import Budget, Corpus, System

F, E, D = KINDS
SYSTEMS = [classifiers.plain, classifiers.finetuned, classifiers.hierarchical]
SMOKE = Budget(auto_epochs=1, manual_epochs=1, continued_epochs=1, batch_size=8)


def small() -> Corpus:
    return make_corpus(manual=12, auto=16, dev=6, test=6)


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_learns_the_kinds(
    system: System, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of three draws must learn: now and then so few steps on so small an encoder end nowhere."""
    monkeypatch.setattr(sentence_model, "RATE", 5e-5)
    base = make_lively_base(tmp_path / "lively", like=tiny_base)
    mostly_biased = [one for at, one in enumerate(pairs(96, seed=1)) if one.biased or at % 6 == 1]
    given = replace(make_corpus(auto=0, dev=16, test=16), manual=mostly_biased)
    gold = [one.kinds or frozenset() for one in given.test]
    budget = Budget(manual_epochs=12, continued_epochs=12, batch_size=8)

    def score(seed: int) -> float:
        predictions = system(given, make_context(base, tmp_path / f"work-{seed}", budget=budget, seed=seed))
        assert predictions.kinds is not None
        assert predictions.biased == [bool(found) for found in predictions.kinds]
        return classifiers.macro_f1(gold, predictions.kinds)

    assert any(score(seed) > 0.5 for seed in (1, 2, 3))


def test_the_hierarchy_gives_kinds_where_there_is_bias_and_at_least_one_there(
    tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = small()
    logits = np.array(
        [
            [2.0, 1.0, -1.0, 0.0, 1.0],  # biased, two kinds
            [2.0, 1.0, -1.0, 1.0, 0.0],  # neutral whatever the second classifier says
            [-3.0, -1.0, -2.0, 0.0, 1.0],  # biased, no kind above a half
            [-3.0, -1.0, -2.0, 1.0, 0.0],
        ]
    )
    monkeypatch.setattr(Classifier, "read", lambda _, rows, **__: np.resize(logits, (len(rows), 5)))
    predictions = classifiers.hierarchical(given, make_context(tiny_base, tmp_path, budget=SMOKE))
    assert predictions.kinds is not None
    assert predictions.kinds[:4] == [{F, E}, set(), {E}, set()]
    assert predictions.biased is not None
    assert predictions.biased[:4] == [True, False, True, False]


@pytest.mark.parametrize("system", [classifiers.plain, classifiers.finetuned])
def test_without_a_hierarchy_every_kind_answers_for_itself(
    system: System, tiny_base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = small()
    logits = np.array([[2.0, 1.0, -1.0], [-2.0, -1.0, -1.0]])
    monkeypatch.setattr(
        Classifier,
        "read",
        lambda made, rows, **__: np.resize(logits, (len(rows), made.model.head.out_features)),
    )
    predictions = system(given, make_context(tiny_base, tmp_path, budget=SMOKE))
    assert predictions.kinds is not None
    assert predictions.kinds[:2] == [{F, E}, set()]


@pytest.mark.parametrize("auto", [True, False])
def test_finetuned_takes_the_encoder_of_the_best_binary_classifier(
    auto: bool, tiny_base: Path, tmp_path: Path
) -> None:
    given = small() if auto else replace(small(), auto=())
    here = make_context(tiny_base, tmp_path, budget=replace(SMOKE, continued_epochs=0))
    predictions = classifiers.finetuned(given, here)
    binary = load_file(tmp_path / f"classifier-{'auto-manual' if auto else 'manual'}.safetensors")
    found = load_file(tmp_path / "kinds-finetuned.safetensors")
    encoder = [name for name in found if name.startswith("encoder.")]
    assert encoder
    assert all(torch.equal(found[name], binary[name]) for name in encoder)
    assert torch.equal(found["head.weight"], new_classifier(here, 3).model.head.weight)
    assert predictions.facts is not None


def test_stopped_at_any_step_it_comes_to_the_same_end(tiny_base: Path, tmp_path: Path) -> None:
    given = make_corpus(manual=8, auto=8, dev=4, test=4)
    here = make_context(tiny_base, tmp_path / "whole", budget=SMOKE)
    whole = classifiers.finetuned(given, here)
    broken, stops = replace(here, folder=tmp_path / "broken"), 0
    for _ in range(30):
        try:
            events = Events("test", stream=io.StringIO(), stop_requested=_stop_after(3))
            again = classifiers.finetuned(given, replace(broken, events=events))
            break
        except StoppedError:
            stops += 1
    assert stops > 2
    assert again == whole


def _stop_after(asked: int) -> Callable[[], Status | None]:
    asks = count()
    return lambda: Status.PAUSED if next(asks) >= asked else None


def test_kinds_that_nobody_learns_are_told(tiny_base: Path, tmp_path: Path) -> None:
    given = small()
    kept = [one for one in given.manual if D not in (one.kinds or ())]
    here = make_context(tiny_base, tmp_path, budget=SMOKE)
    warnings: list[str] = []
    here.events.sinks.append(
        lambda row: warnings.append(row["message"]) if row["event"] == "warning" else None
    )
    predictions = classifiers.plain(replace(given, manual=kept), here)
    assert predictions.facts is not None
    assert predictions.facts["trained_demographic"] == 0.0
    assert predictions.facts["trained_framing"] == sum(F in (one.kinds or ()) for one in kept)
    assert warnings == ["No sentence of the clean part has demographic bias: the classifier cannot learn it."]


@pytest.mark.parametrize("system", SYSTEMS)
def test_unknown_kinds_are_named(system: System, tiny_base: Path, tmp_path: Path) -> None:
    given, here = small(), make_context(tiny_base, tmp_path, budget=SMOKE)
    unknown = pairs(6, seed=9, kinds=False)
    with pytest.raises(
        TrainingError, match=r"invented has no kinds of bias in its clean part.*tag_finegrained"
    ):
        system(replace(given, manual=unknown), here)
    with pytest.raises(TrainingError, match=r"invented has no kinds of bias in its dev part"):
        system(replace(given, dev=unknown), here)
    assert not list(tmp_path.iterdir())


def test_sentences_of_unknown_kinds_are_left_out(tiny_base: Path, tmp_path: Path) -> None:
    given = small()
    mixed = [*given.manual, *(one for one in pairs(6, seed=9, kinds=False) if one.biased)]
    one, other = (
        classifiers.plain(replace(given, manual=part), make_context(tiny_base, tmp_path / name, budget=SMOKE))
        for name, part in (("a", given.manual), ("b", mixed))
    )
    assert one == other


def test_macro_f1_is_the_mean_over_three_kinds() -> None:
    gold = [frozenset({F}), frozenset({F, E}), frozenset[Kind](), frozenset({E})]
    found = [frozenset({F}), frozenset({F}), frozenset({F}), frozenset({E})]
    assert classifiers.macro_f1(gold, found) == pytest.approx((0.8 + 2 / 3 + 0.0) / 3)
