"""Protects the figures beside a model's name: those of its card, in its words, and none that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.models.descriptions import MOST, main_figures
from core.models.types import Figure

CARD = """# a reader

| dev figure | value |
|---|---|
| GBNC, spans, exact F1 (int8) | 0.2667 |
| WNC, spans, overlap F1 (checkpoint) | 0.5119 |
| WNC, spans, overlap F1 (int8) | 0.4967 |
| BABE, sentence, macro-F1 (checkpoint) | 0.8128 |
| BABE, sentence, macro-F1 (int8) | 0.8194 |

| words count from | precision | recall |
|---|---|---|
| 0.797 | 0.8145 | 0.2730 |
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "README.md"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_main_figures_are_those_of_the_model_as_it_runs(tmp_path: Path) -> None:
    assert main_figures(written(tmp_path, CARD), "reader") == (
        Figure("BABE, sentence, macro-F1", 0.8194),
        Figure("WNC, spans, overlap F1", 0.4967),
    )


def test_a_card_that_says_other_things_gives_its_first_ones(tmp_path: Path) -> None:
    rows = "".join(f"| figure {number} | 0.{number} |\n" for number in range(1, 9))
    found = main_figures(written(tmp_path, f"| what | score |\n|---|---|\n{rows}"), "rewriter")
    assert found == tuple(Figure(f"figure {number}", number / 10) for number in range(1, MOST + 1))


@pytest.mark.parametrize("text", ["", "No table.", "| a | b |\n|---|---|\n| c | many |\n", "| | 0.5 |\n"])
def test_a_card_without_figures_has_none(tmp_path: Path, text: str) -> None:
    assert main_figures(written(tmp_path, text), "reader") == ()
    assert main_figures(None, "reader") == ()
    assert main_figures(tmp_path / "gone.md", "reader") == ()


def test_the_bundled_models_have_figures() -> None:
    from resources import ROOT

    for role in ("reader", "rewriter"):
        assert len(main_figures(ROOT / "models" / role / "README.md", role)) == MOST
