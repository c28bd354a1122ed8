"""Protects what a suggestion shows: every changed word, struck or bold, and never more than is replaced."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from vision import contrast

from app.analysis.suggestions import DiffPart, diff_chunks, relative_to_sentence, word_changes
from app.comparison.diff_text import describe_diff, diff_colours
from core.text.diff import TextEdit
from core.types import Suggestion, Suggestions

SENTENCE = "The infamous bank of the old town in the north slammed an infamous plan, and it clearly failed."


def edit(words: str, new: str, after: int = 0) -> TextEdit:
    start = SENTENCE.index(words, after)
    return TextEdit(start, start + len(words), new)


def marked(edits: list[TextEdit], around: int = 3) -> str:
    signs = {DiffPart.EQUAL: "{}", DiffPart.DELETED: "-{}-", DiffPart.INSERTED: "+{}+"}
    return "".join(
        signs[chunk.part].format(chunk.text) for chunk in diff_chunks(SENTENCE, edits, around=around)
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
    assert word_changes(SENTENCE, [edit("infam", "f")]) == [("infamous", "fous")]


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
    made: list[TextEdit] = []
    for start, length, new in sorted(drawn):
        if not made or start > made[-1].end:
            made.append(TextEdit(start, min(start + length, len(SENTENCE)), new))
    chunks = diff_chunks(SENTENCE, made, around=100)
    old = "".join(chunk.text for chunk in chunks if chunk.part is not DiffPart.INSERTED)
    new, at = "", 0
    for one in made:
        new += SENTENCE[at : one.start] + one.text
        at = one.end
    new += SENTENCE[at:]
    after = "".join(chunk.text for chunk in chunks if chunk.part is not DiffPart.DELETED)
    assert "".join(old.split()) == "".join(SENTENCE.split())
    assert "".join(after.split()) == "".join(new.split())


def test_long_words_are_cut_in_the_middle() -> None:
    shown = marked([TextEdit(0, 3, "word " * 100)])
    assert len(shown) < 200
    assert "word … word" in shown


def test_changes_are_spoken_too() -> None:
    assert describe_diff(diff_chunks(SENTENCE, [edit("infamous ", ""), edit("slammed", "criticized")])) == (
        "“infamous” removed; “slammed” → “criticized”"
    )


@pytest.mark.parametrize("bad", [TextEdit(-1, 3, ""), TextEdit(4, 1000, ""), TextEdit(8, 5, "")])
def test_an_edit_outside_the_sentence_is_dropped(bad: TextEdit) -> None:
    fine = Suggestion((TextEdit(104, 113, ""),), "", 0.9, 0.8, 0.2)
    wild = Suggestion((TextEdit(bad.start + 100, bad.end + 100, ""),), "", 0.9, 0.8, 0.2)
    found = relative_to_sentence(Suggestions((wild, fine)), 100, SENTENCE)
    assert [item.edits for item in found.items] == [(TextEdit(4, 13, ""),)]
    assert relative_to_sentence(Suggestions((wild,)), 100, SENTENCE).note == "No suitable suggestion found."


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("part", [DiffPart.DELETED, DiffPart.INSERTED])
def test_old_and_new_words_can_be_read(part: DiffPart, dark: bool) -> None:
    ink, ground = diff_colours(part, dark=dark)
    base = QColor("#17181a" if dark else "#ffffff")
    assert contrast(ink, ground) >= 4.5
    assert contrast(ink, base) >= 4.5
