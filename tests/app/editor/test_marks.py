"""Protects marks between two readings: they move with the text, and never stand under other words than their own."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from app.editor.marks import EditStep, Marks
from app.editor.positions import OffsetMap, is_word_character
from core.text.diff import TextEdit
from core.types import Finding, Kind

TEXT = "One shameful plan, two brave men and a so-called deal. shameful again"


def marked(text: str, words: str = r"shameful|brave|so-called|a") -> Marks:
    found = [
        Finding(*match.span(), match.group(), Kind.FRAMING, 0.9, False)
        for match in re.finditer(rf"\b(?:{words})\b", text)
    ]
    return Marks.place(found, OffsetMap(text))


def edited(text: str, marks: Marks, position: int, removed: int, added: str) -> str:
    after = text[:position] + added + text[position + removed :]
    end = position + len(added)
    before = end > 0 and is_word_character(after[end - 1])
    behind = is_word_character(after[position : position + 1] or " ")
    marks.edit(EditStep(position, removed, len(added), word_before=before, word_after=behind))
    return after


EDITS = st.lists(
    st.tuples(
        st.integers(0, 80), st.integers(0, 12), st.sampled_from(["", " ", "x", "new words", "\n", ", "])
    ),
    max_size=8,
)


@given(EDITS)
def test_a_mark_always_stands_under_its_own_words(edits: list[TextEdit]) -> None:
    text, marks = TEXT, marked(TEXT)
    for position, removed, added in edits:
        position = min(position, len(text))
        text = edited(text, marks, position, min(removed, len(text) - position), added)
        for mark in marks:
            assert text[mark.start : mark.end] == mark.finding.text
        assert all(left.end <= right.start for left, right in zip(list(marks), list(marks)[1:], strict=False))


@given(st.integers(0, len(TEXT)), st.integers(0, 12), st.sampled_from(["", " ", "x", "new"]))
def test_only_marks_that_the_edit_touches_vanish(position: int, removed: int, added: str) -> None:
    removed = min(removed, len(TEXT) - position)
    marks = marked(TEXT)
    before = list(marks)
    edited(TEXT, marks, position, removed, added)
    kept = {mark.finding for mark in marks}
    for mark in before:
        if mark.end < position or mark.start > position + removed:
            assert mark.finding in kept


def test_a_letter_at_the_end_changes_the_word_and_a_comma_does_not() -> None:
    end = TEXT.index("shameful") + len("shameful")
    grown, punctuated = marked(TEXT), marked(TEXT)
    edited(TEXT, grown, end, 0, "ly")
    edited(TEXT, punctuated, end, 0, ",")
    assert len(grown) == len(punctuated) - 1
    assert punctuated[0].finding.text == "shameful"


def test_deleting_the_space_before_a_mark_joins_it_to_another_word() -> None:
    marks = marked(TEXT)
    edited(TEXT, marks, TEXT.index(" shameful"), 1, "")
    assert marks[0].finding.text == "brave"


def test_marks_are_found_by_place() -> None:
    marks = marked(TEXT)
    first = marks[0]
    assert marks.at(first.start) == marks.at(first.end) == first
    assert marks.at(first.end + 1) is None
    assert marks.after(first.start) == marks[1]
    assert marks.before(marks[1].start) == first
    assert marks.before(first.start) is None
    assert marks.after(marks[len(marks) - 1].start) is None
    assert marks.between(first.end, marks[1].start) == []
    assert marks.between(first.end - 1, marks[1].start + 1) == [first, marks[1]]
    assert marks.find(first.finding) == first
