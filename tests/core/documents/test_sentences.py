"""Protects the splitter: borders in tricky English, tokenised and CJK text, with exact offsets and linear time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.documents.sentences import split
from tests.benchmarks.sentence_splitters import PASSAGES, main, passage_and_borders


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in split(text)]


@pytest.mark.parametrize("passage", PASSAGES)
def test_a_tricky_passage_is_split_as_a_person_would(passage: str) -> None:
    text, borders = passage_and_borders(passage)
    assert pieces(text) == [text[start:end] for start, end in borders]
    assert split(text) == borders


def test_there_are_at_least_forty_passages() -> None:
    assert len(set(PASSAGES)) >= 40


def test_white_space_and_stray_marks_are_never_sentences() -> None:
    assert split("") == split(" \n\t ") == split("... !!! —") == []
    assert pieces("  One.  ...  Two!  \n") == ["One.  ...", "Two!"]


def test_closing_marks_stay_with_their_sentence() -> None:
    assert pieces("(It was late.) We left. [So did he.] End") == [
        "(It was late.)",
        "We left.",
        "[So did he.]",
        "End",
    ]
    assert pieces('he left . " then she did .') == ["he left .", '" then she did .']
    assert pieces('" he left . " then she did .') == ['" he left . "', "then she did ."]


def test_capital_letters_decide_only_where_there_are_any() -> None:
    assert pieces("It rose to 45. the rest fell.") == ["It rose to 45. the rest fell."]
    assert pieces("it rose to 45. the rest fell.") == ["it rose to 45.", "the rest fell."]


def test_states_are_abbreviations_only_with_a_capital() -> None:
    assert pieces("He went to Mass. Father Brown spoke.") == ["He went to Mass. Father Brown spoke."]
    assert pieces("He went to mass. Father Brown spoke.") == ["He went to mass.", "Father Brown spoke."]


@pytest.mark.parametrize(
    "text", ["." * 400_000, ". " * 200_000, "a" * 400_000, '"' * 400_000, "! " * 200_000, "。" * 400_000]
)
def test_monotonous_text_takes_linear_time(text: str) -> None:
    """Quadratic work would take minutes here and be noticed; no clock is read."""
    assert len(split(text)) <= 1


def test_the_comparison_prints_a_row_for_every_splitter(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "page.wikitext").write_text(
        "'''Foo''' is a [[bar]]. It was [[built|made]].\n\n== End ==\nDone.", "utf-8"
    )
    assert main([str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("own rules", "pysbd", "blingfire", "nupunkt", "syntok"))
    assert "3 blocks of pages" in printed
    assert main([str(tmp_path / "nowhere")]) == 2


def test_a_library_that_is_not_installed_is_said_to_be_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pysbd", None)
    assert main([]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("pysbd"))
    assert "not installed" in row
