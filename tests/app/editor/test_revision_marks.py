"""Protects the places of tracked changes under edits: a mark stays on the words of its revision, and on no others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.editor.marks import EditStep
from app.editor.revision_marks import RevisionMark, RevisionMarks
from core.revisions.types import Revision, RevisionKind, Story

PLACES = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 6)), max_size=10).map(
    lambda pairs: [(start, start + length) for start, length in pairs]
)
STEPS = st.builds(EditStep, st.integers(0, 45), st.integers(0, 8), st.integers(0, 8))


def revision(number: int) -> Revision:
    return Revision(
        kind=RevisionKind.INSERTED,
        text="",
        author=str(number),
        time=None,
        story=Story.BODY,
        place=None,
        part="",
        marks=frozenset(),
    )


def marks_at(*places: tuple[int, int]) -> RevisionMarks:
    return RevisionMarks(
        RevisionMark(start, end, revision(number), number) for number, (start, end) in enumerate(places)
    )


def places_of(marks: RevisionMarks) -> list[tuple[int, int]]:
    return [(mark.start, mark.end) for mark in marks]


def after(place: tuple[int, int], position: int, removed: int, added: int) -> list[tuple[int, int]]:
    marks = marks_at(place)
    marks.edit(EditStep(position, removed, added))
    return places_of(marks)


def test_words_keep_their_mark_when_they_are_edited_and_their_neighbours_have_none() -> None:
    assert after((4, 8), 0, 2, 5) == [(7, 11)], "an edit before"
    assert after((4, 8), 9, 2, 5) == [(4, 8)], "an edit behind"
    assert after((4, 8), 4, 0, 3) == [(7, 11)], "words typed before it"
    assert after((4, 8), 8, 0, 3) == [(4, 8)], "words typed after it"
    assert after((4, 8), 6, 0, 3) == [(4, 11)], "words typed in it"
    assert after((4, 8), 4, 4, 2) == [(4, 6)], "other words in its place"
    assert after((4, 8), 4, 4, 0) == [], "its words are gone"
    assert after((4, 8), 2, 9, 3) == [], "and with them those around"
    assert after((4, 8), 2, 4, 1) == [(3, 5)], "its first half is gone"
    assert after((4, 8), 6, 4, 1) == [(4, 6)], "its second half is gone"


def test_the_place_of_deleted_words_stays_between_the_words_around_it() -> None:
    assert after((4, 4), 4, 0, 3) == [(4, 4)], "words typed there come after it"
    assert after((4, 4), 1, 1, 0) == [(3, 3)]
    assert after((4, 4), 2, 4, 1) == [(3, 3)], "the words around it are others"
    assert after((4, 4), 4, 4, 0) == [(4, 4)]


@given(PLACES, st.lists(STEPS, max_size=4))
def test_many_marks_move_as_each_would_alone(places: list[tuple[int, int]], steps: list[EditStep]) -> None:
    together = marks_at(*places)
    alone = [marks_at(place) for place in places]
    for step in steps:
        together.edit(step)
        for one in alone:
            one.edit(step)
    wanted = sorted((start, end, number) for number, one in enumerate(alone) for start, end in places_of(one))
    assert sorted((mark.start, mark.end, mark.author) for mark in together) == wanted
    assert [mark.start for mark in together] == [start for start, _, _ in wanted]
    assert len(together) == len(wanted)


@given(PLACES, st.integers(0, 50), st.integers(0, 50))
def test_lookups_agree_with_a_search_through_all(places: list[tuple[int, int]], one: int, other: int) -> None:
    marks = marks_at(*places)
    assert {mark.author for mark in marks.at(one)} == {
        number for number, (start, end) in enumerate(places) if start <= one <= end
    }
    low, high = sorted((one, other))
    if low < high:
        assert {mark.author for mark in marks.between(low, high)} == {
            number
            for number, (start, end) in enumerate(places)
            if (start < high and end > low and start < end) or (start == end and low <= start <= high)
        }
