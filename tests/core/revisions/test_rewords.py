"""Protects the reason of a tracked change: it stands on the sentence that was reworded, and on no other."""

from __future__ import annotations

from core.revisions.rewords import Reword, add_reword, notes_for
from core.revisions.types import Note

BEFORE = "First one. The shameful record. Last one."


def test_a_reword_is_a_note_on_its_old_sentence() -> None:
    rewords = add_reword((), Reword("The shameful record.", "The record.", "Why"))
    assert notes_for(rewords, BEFORE, "First one. The record. Last one.") == [Note(11, 31, "Why")]


def test_a_reword_that_was_undone_or_changed_again_has_no_note() -> None:
    rewords = [Reword("The shameful record.", "The record.", "Why")]
    assert notes_for(rewords, BEFORE, BEFORE) == []
    assert notes_for(rewords, BEFORE, "First one. My record. Last one.") == []


def test_a_sentence_that_is_reworded_twice_has_one_note_with_both_reasons() -> None:
    rewords = add_reword((), Reword("The shameful record.", "The poor record.", "Why"))
    rewords = add_reword(rewords, Reword("The poor record.", "The record.", "And why"))
    assert notes_for(rewords, BEFORE, "First one. The record. Last one.") == [Note(11, 31, "Why\nAnd why")]


def test_notes_are_disjoint_and_in_order() -> None:
    rewords = [
        Reword("Last one.", "Last.", "b"),
        Reword("one. The", "One.", "x"),
        Reword("First one.", "First.", "a"),
    ]
    notes = notes_for(rewords, BEFORE, "First. One. Last.")
    assert [note.comment for note in notes] == ["a", "b"]
