"""Protects the walk over findings: every one is reached once a round, from wherever the caret stands."""

from __future__ import annotations

import fakes
import pytest

from app.editor.marks import Marks
from app.editor.positions import OffsetMap
from app.review.review_controller import NO_FINDINGS, WRAPPED_TO_FIRST, WRAPPED_TO_LAST, find_step

REPORT = fakes.report()
MARKS = Marks.place(REPORT.findings, OffsetMap(fakes.DRAFT))


def test_a_round_visits_every_finding_in_order() -> None:
    position, visited, seen, messages = 0, None, [], []
    for _ in range(len(MARKS) + 1):
        mark, message = find_step(MARKS, position, visited, forward=True)
        assert mark is not None
        position, visited = mark.start, mark.finding
        seen.append(mark.finding.text)
        messages.append(message)
    assert seen == [mark.finding.text for mark in MARKS] + [MARKS[0].finding.text]
    assert messages == [""] * len(MARKS) + [WRAPPED_TO_FIRST]


def test_back_goes_the_same_way_and_wraps() -> None:
    mark, message = find_step(MARKS, MARKS[1].start, MARKS[1].finding, forward=False)
    assert mark is not None
    assert (mark.finding, message) == (MARKS[0].finding, "")
    mark, message = find_step(MARKS, MARKS[0].start, MARKS[0].finding, forward=False)
    assert mark is not None
    assert (mark.finding, message) == (MARKS[len(MARKS) - 1].finding, WRAPPED_TO_LAST)


def test_a_finding_under_the_caret_that_was_not_visited_comes_first() -> None:
    marks = Marks.place([fakes.finding("shameful plan", "shameful")], OffsetMap("shameful plan"))
    assert find_step(marks, 0, None, forward=True) == (marks[0], "")


@pytest.mark.parametrize("forward", [True, False])
def test_without_findings_that_is_said(forward: bool) -> None:
    assert find_step(Marks(), 3, None, forward=forward) == (None, NO_FINDINGS)
