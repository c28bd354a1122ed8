"""Protects what is shown of a model: the scores in its bundle, checked, and nothing where the bundle has none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_bundles import Bundled

from core.bundles.manifest import LEANING_MACRO_F1, BundleError, Evaluation
from core.bundles.reader import load_reader_bundle
from core.models.descriptions import MAX_MAIN_METRICS, bundled_model, inspect_model
from core.models.types import InstalledModel
from resources import ROOT

SCORES: list[dict[str, Any]] = [
    {"name": "sentence, macro-F1", "value": 0.8194, "lower": 0.79, "upper": 0.84, "split": "dev", "n": 300},
    {"name": "spans, overlap F1", "value": 0.4967},
    {"name": LEANING_MACRO_F1, "value": 0.5424, "split": "dev", "n": 959},
    {"name": "kappa", "value": -0.1},
]


def inspected(folder: Path) -> InstalledModel:
    return inspect_model(InstalledModel("id", "reader", "", "", folder=folder, source="import", active=False))


def test_the_first_scores_of_the_bundle_are_the_main_ones(bundle: Bundled) -> None:
    folder = bundle(evaluation=SCORES)
    main = inspected(folder).main_metrics
    assert main[0] == Evaluation("sentence, macro-F1", 0.8194, 0.79, 0.84, "dev", 300)
    assert [one.name for one in main] == [one["name"] for one in SCORES[:MAX_MAIN_METRICS]]
    loaded = load_reader_bundle(folder)
    assert [one.as_json() for one in loaded.evaluation] == SCORES
    assert loaded.score(LEANING_MACRO_F1) == 0.5424


def test_a_bundle_without_scores_opens_and_shows_none(bundle: Bundled) -> None:
    folder = bundle()
    assert inspected(folder).main_metrics == ()
    loaded = load_reader_bundle(folder)
    assert (loaded.evaluation, loaded.limitations) == ((), ())
    assert loaded.score(LEANING_MACRO_F1) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "x" * 121),
        ("name", "two\nlines"),
        ("name", "\u202eturned"),
        ("value", "0.9"),
        ("value", float("nan")),
        ("value", float("inf")),
        ("lower", 0.1),
        ("split", "x" * 61),
        ("n", -1),
    ],
)
def test_a_score_that_cannot_be_shown_is_refused(bundle: Bundled, field: str, value: object) -> None:
    folder = bundle(evaluation=[{"name": "accuracy", "value": 0.9} | {field: value}])
    with pytest.raises(BundleError, match=r"evaluation\[0\]"):
        load_reader_bundle(folder)
    assert "evaluation[0]" in inspected(folder).problem


@pytest.mark.parametrize(
    "changes",
    [
        {"evaluation": [{"name": "a", "value": 0.5}] * 65},
        {"evaluation": {"name": "a", "value": 0.5}},
        {"evaluation": [{"name": "a", "value": 0.5, "lower": 0.6, "upper": 0.4}]},
        {"limits": ["x"] * 17},
        {"limits": ["x" * 401]},
        {"limits": ["two\nlines"]},
        {"limits": "one text"},
    ],
)
def test_lists_that_cannot_be_shown_are_refused(bundle: Bundled, changes: dict[str, Any]) -> None:
    with pytest.raises(BundleError, match=r"evaluation|limits"):
        load_reader_bundle(bundle(**changes))


def test_the_limitations_of_a_model_come_from_its_bundle(bundle: Bundled) -> None:
    sentences = ["It knows English only.", "A finding is a question."]
    assert load_reader_bundle(bundle(limits=sentences)).limitations == tuple(sentences)


def test_the_models_that_come_with_the_program_have_scores_and_limitations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every figure and sentence stands in the model's card, too."""
    for role in ("reader", "rewriter"):
        folder = ROOT / "models" / role
        monkeypatch.setattr("core.models.descriptions.bundled_folder", lambda _role, folder=folder: folder)
        model = bundled_model(role, active=True)
        assert not model.problem
        assert len(model.main_metrics) == MAX_MAIN_METRICS
        card = (folder / "README.md").read_text(encoding="utf-8")
        for metric in model.main_metrics:
            assert f"| {metric.value:.4f} |" in card
