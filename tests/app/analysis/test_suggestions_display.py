"""Protects what a suggestion shows: every changed word, struck or bold, and never more than is replaced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from vision import contrast

from app.analysis.suggestions import Part, changes, difference, in_sentence
from app.comparison.diff_text import colour_of, spoken
from core.types import Edit, Suggestion, Suggestions

SENTENCE = "The infamous bank of the old town in the north slammed an infamous plan, and it clearly failed."


def edit(words: str, new: str, after: int = 0) -> Edit:
    start = SENTENCE.index(words, after)
    return Edit(start, start + len(words), new)


def marked(edits: list[Edit], around: int = 3) -> str:
    signs = {Part.KEPT: "{}", Part.OUT: "-{}-", Part.IN: "+{}+"}
    return "".join(
        signs[piece.part].format(piece.text) for piece in difference(SENTENCE, edits, around=around)
    )


def test_a_deletion_is_shown_with_a_few_words_around_it() -> None:
    assert marked([edit("infamous ", "")]) == "The -infamous- bank of the …"
    assert marked([edit("infamous ", "")], around=0) == "… -infamous- …"


def test_several_edits_are_all_shown_and_what_lies_between_is_cut() -> None:
    shown = marked([edit("infamous ", ""), edit("an infamous", "a"), edit("clearly ", "")])
    assert (
        shown
        == "The -infamous- bank of the … the north slammed -an infamous- +a+ plan, and it -clearly- failed."
    )


def test_a_cut_word_is_shown_whole() -> None:
    assert marked([edit("ly failed", " failed")], around=1) == "… it -clearly failed- +clear failed+."
    assert changes(SENTENCE, [edit("infam", "f")]) == [("infamous", "fous")]


edits = st.lists(
    st.tuples(
        st.integers(0, len(SENTENCE)), st.integers(0, 12), st.sampled_from(["", "new", " new ", "n", ", "])
    ),
    min_size=1,
    max_size=4,
)


@given(edits)
def test_whatever_the_edits_the_shown_words_are_those_of_both_versions(
    drawn: list[tuple[int, int, str]],
) -> None:
    made: list[Edit] = []
    for start, length, new in sorted(drawn):
        if not made or start > made[-1].end:
            made.append(Edit(start, min(start + length, len(SENTENCE)), new))
    pieces = difference(SENTENCE, made, around=100)
    old = "".join(piece.text for piece in pieces if piece.part is not Part.IN)
    new, at = "", 0
    for one in made:
        new += SENTENCE[at : one.start] + one.replacement
        at = one.end
    new += SENTENCE[at:]
    after = "".join(piece.text for piece in pieces if piece.part is not Part.OUT)
    assert "".join(old.split()) == "".join(SENTENCE.split())
    assert "".join(after.split()) == "".join(new.split())


def test_long_words_are_cut_in_the_middle() -> None:
    shown = marked([Edit(0, 3, "word " * 100)])
    assert len(shown) < 200
    assert "word … word" in shown


def test_changes_are_spoken_too() -> None:
    assert spoken(difference(SENTENCE, [edit("infamous ", ""), edit("slammed", "criticized")])) == (
        "“infamous” removed; “slammed” → “criticized”"
    )


@pytest.mark.parametrize("bad", [Edit(-1, 3, ""), Edit(4, 1000, ""), Edit(8, 5, "")])
def test_an_edit_outside_the_sentence_is_dropped(bad: Edit) -> None:
    fine = Suggestion((Edit(104, 113, ""),), "", 0.9, 0.8, 0.2)
    wild = Suggestion((Edit(bad.start + 100, bad.end + 100, ""),), "", 0.9, 0.8, 0.2)
    found = in_sentence(Suggestions((wild, fine)), 100, SENTENCE)
    assert [item.edits for item in found.items] == [(Edit(4, 13, ""),)]
    assert in_sentence(Suggestions((wild,)), 100, SENTENCE).note == "No better wording found."


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("part", [Part.OUT, Part.IN])
def test_old_and_new_words_can_be_read(part: Part, dark: bool) -> None:
    ink, ground = colour_of(part, dark=dark)
    base = QColor("#17181a" if dark else "#ffffff")
    assert contrast(ink, ground) >= 4.5
    assert contrast(ink, base) >= 4.5
