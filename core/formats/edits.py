"""The edits between the text of a container and its edited text, so that no edit touches what is locked.

Lines are matched first (`core.text.diff`), then the words in them. Where the same edit can be read in several ways
("aa" out of "aaa"), one is chosen that the file allows; where that fails, the shortest alignment in which no locked
character changes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from core.documents.types import Span
from core.formats.types import LockedSpan
from core.text.diff import TextEdit, common_ends, match_lines, pair_lines
from core.text.word_runs import differing_runs

MAX_CELLS = 4_000_000
_NEVER = 1_000_000


def align_texts(
    old: str, new: str, deletable: Sequence[bool], insertable: Sequence[bool], breakable: Sequence[bool]
) -> list[TextEdit] | None:
    r"""The fewest deletions and insertions that turn ``old`` into ``new``; None if none are allowed.

    ``deletable[i]`` is for character i; ``insertable[i]`` and ``breakable[i]`` (for ``\n``) are for the place before
    it, with one more place at the end. The product of the lengths should not exceed `MAX_CELLS`.
    """
    rows, columns = len(old) + 1, len(new) + 1
    letters = np.array([ord(character) for character in new], dtype=np.int64)
    is_break = letters == ord("\n")
    costs = np.empty((rows, columns), dtype=np.int64)
    for row in range(rows):
        base = np.full(columns, _NEVER * columns, dtype=np.int64)
        if row == 0:
            base[0] = 0
        else:
            base = costs[row - 1] + (1 if deletable[row - 1] else _NEVER)
            same = letters == ord(old[row - 1])
            base[1:] = np.where(same, np.minimum(base[1:], costs[row - 1][:-1]), base[1:])
        steps = _insertion_costs(insertable[row], breakable[row], is_break)
        travelled = np.concatenate(([0], np.cumsum(steps)))
        costs[row] = np.minimum.accumulate(base - travelled) + travelled
    if costs[-1, -1] >= _NEVER:
        return None
    return _trace_back(old, new, costs, deletable)


def _insertion_costs(insertable: bool, breakable: bool, is_break: np.ndarray) -> np.ndarray:
    """The costs of inserting each character of the new text at one place."""
    if not insertable:
        return np.full(len(is_break), _NEVER, dtype=np.int64)
    if breakable:
        return np.ones(len(is_break), dtype=np.int64)
    return np.where(is_break, _NEVER, 1).astype(np.int64)


def _trace_back(old: str, new: str, costs: np.ndarray, deletable: Sequence[bool]) -> list[TextEdit]:
    found: list[TextEdit] = []
    row, column = len(old), len(new)
    while row or column:
        here = costs[row, column]
        if row and column and old[row - 1] == new[column - 1] and here == costs[row - 1, column - 1]:
            row, column = row - 1, column - 1
        elif row and deletable[row - 1] and here == costs[row - 1, column] + 1:
            row -= 1
            if found and found[-1][0] == row + 1 and not found[-1][2]:
                found[-1] = TextEdit(row, found[-1][1], "")
            else:
                found.append(TextEdit(row, row + 1, ""))
        else:
            column -= 1
            if found and found[-1][:2] == (row, row):
                found[-1] = TextEdit(row, row, new[column] + found[-1][2])
            else:
                found.append(TextEdit(row, row, new[column]))
    return found[::-1]


_TOKEN = re.compile(r"\n|[^\S\n]*\w+|[^\S\n]*[^\w\s]|[^\S\n]+")
_SLIDES = 2_000
_CONTEXT = 3


class BlockedError(Exception):
    """An edit is not allowed because of ``lock``, or of a line break if that is None."""

    def __init__(self, lock: LockedSpan | None, place: int) -> None:
        super().__init__(place)
        self.lock = lock
        self.place = place


class EditRules:
    """Which edits a file allows."""

    def __init__(self, locked: Sequence[LockedSpan], breaks: Sequence[Span]) -> None:
        """``locked`` and ``breaks`` are those of a `core.formats.types.Container`."""
        self._locks = [lock for lock in locked if lock.start < lock.end]
        self._starts = [lock.start for lock in self._locks]
        self._shut = {lock.start: lock for lock in locked if lock.start == lock.end}
        self._breaks = breaks
        self._break_starts = [start for start, _ in breaks]

    def lock_in(self, start: int, end: int) -> LockedSpan | None:
        """The first lock that an edit of ``[start, end)`` would touch, or the lock against inserting there."""
        if start == end and start in self._shut:
            return self._shut[start]
        number = bisect_right(self._starts, start) - 1
        for lock in self._locks[max(number, 0) : number + 2]:
            if lock.start < end and start < lock.end:
                return lock
        return None

    def may_break(self, place: int) -> bool:
        number = bisect_right(self._break_starts, place) - 1
        return number >= 0 and place <= self._breaks[number][1]

    def may_split(self, start: int, end: int) -> bool:
        """Whether there is a place in a range, its ends included, where a line break can be inserted."""
        return self.may_break(end) or bisect_left(self._break_starts, start) < bisect_right(
            self._break_starts, end
        )

    def allows(self, change: TextEdit) -> bool:
        if self.lock_in(change.start, change.end) is not None or (change.text and change.start in self._shut):
            return False
        return "\n" not in change.text or self.may_break(change.start)

    def deletable(self, start: int, end: int) -> list[bool]:
        """For each character of a range, whether it can be deleted."""
        free = [True] * (end - start)
        for lock in self._locks[
            max(bisect_right(self._starts, start) - 1, 0) : bisect_left(self._starts, end)
        ]:
            low, high = max(lock.start, start) - start, min(lock.end, end) - start
            if low < high:
                free[low:high] = [False] * (high - low)
        return free


def find_allowed_edits(old: str, new: str, rules: EditRules) -> list[TextEdit]:
    """Allowed edits that turn ``old`` into ``new``, sorted and disjoint; raises BlockedError."""
    lines = _Lines(old, new)
    hunks = lines.unmatched()
    settled: list[list[TextEdit] | None] = []
    floor = 0
    for number, hunk in enumerate(hunks):
        ceiling = lines.old_starts[hunks[number + 1].low] - 1 if number + 1 < len(hunks) else len(old)
        found = _move_to_allowed(old, lines.edits(hunk), rules, floor, ceiling)
        floor = found[-1].end if found else floor
        settled.append(found)
    if None not in settled:
        return _join_insertions(edit for found in settled if found for edit in found)
    for context in (0, _CONTEXT, len(lines.before) + len(lines.after)):
        aligned = _align_hunks(lines, rules, hunks, settled, context)
        if aligned is not None:
            return _join_insertions(aligned)
    paired = _pair_lines(lines, rules)
    if paired is None:
        raise _blocking_error(old, new, rules)
    return _join_insertions(paired)


def _join_insertions(edits: Iterable[TextEdit]) -> list[TextEdit]:
    """The same edits; insertions at one place become one, as a file could take them into elements in another order."""
    found: list[TextEdit] = []
    for edit in edits:
        if found and edit.start == edit.end and found[-1][:2] == (edit.start, edit.end):
            found[-1] = TextEdit(edit.start, edit.end, found[-1].text + edit.text)
        else:
            found.append(edit)
    return found


class _Hunk(NamedTuple):
    """The old lines ``low`` to ``high`` became the new lines ``first`` to ``last``, ends excluded."""

    low: int
    high: int
    first: int
    last: int


class _Lines:
    """Two texts by lines; ``old_starts`` and ``new_starts`` also have the start of a line after the last."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new
        self.before, self.after = old.split("\n"), new.split("\n")
        self.old_starts, self.new_starts = (
            list(accumulate((len(line) + 1 for line in lines), initial=0))
            for lines in (self.before, self.after)
        )

    def unmatched(self) -> list[_Hunk]:
        """The runs of lines that are not the same in both texts."""
        found = []
        low = first = 0
        for last, high in [
            *enumerate(match_lines(self.before, self.after)),
            (len(self.after), len(self.before)),
        ]:
            if high is None:
                continue
            if low < high or first < last:
                found.append(_Hunk(low, high, first, last))
            low, first = high + 1, last + 1
        return found

    def edits(self, hunk: _Hunk) -> list[TextEdit]:
        """The edits within some whole lines, by words. Each line ends with a break, here the last one too."""
        start, end = self.old_starts[hunk.low], self.old_starts[hunk.high]
        first, last = self.new_starts[hunk.first], self.new_starts[hunk.last]
        ours, theirs = (self.old + "\n")[start:end], (self.new + "\n")[first:last]
        if end > len(self.old):
            if ours and theirs:
                ours, theirs = ours[:-1], theirs[:-1]
            else:
                start -= 1
                ours, theirs = ("\n" + ours)[:-1], ("\n" + theirs)[:-1]
        if not ours or not theirs:
            return [TextEdit(start, start + len(ours), theirs)]
        found: list[TextEdit] = []
        for low, high, low_new, high_new in _by_words(ours, theirs):
            found += _trimmed(start + low, ours[low:high], theirs[low_new:high_new])
        return found

    def aligned(self, hunk: _Hunk, rules: EditRules) -> list[TextEdit] | None:
        """The edits within some whole lines by alignment; None if that is impossible, or too long to compute."""
        if hunk.low == hunk.high or hunk.first == hunk.last:
            return None
        return _align_range(
            self.old,
            self.old_starts[hunk.low],
            self.old_starts[hunk.high] - 1,
            self.new[self.new_starts[hunk.first] : self.new_starts[hunk.last] - 1],
            rules,
        )


def _align_hunks(
    lines: _Lines,
    rules: EditRules,
    hunks: Sequence[_Hunk],
    settled: Sequence[list[TextEdit] | None],
    context: int,
) -> list[TextEdit] | None:
    """Edits of all hunks; unsettled ones are aligned with ``context`` lines around them. None if one fails."""
    found: list[TextEdit] = []
    number = 0
    while number < len(hunks):
        edits = settled[number]
        last = number
        while last + 1 < len(hunks) and hunks[last + 1].low - hunks[last].high <= context:
            last += 1
        if None in settled[number : last + 1]:
            low, high, first, end = hunks[number].low, hunks[last].high, hunks[number].first, hunks[last].last
            step = min(context, low, first)
            rest = min(context, len(lines.before) - high, len(lines.after) - end)
            edits = lines.aligned(_Hunk(low - step, high + rest, first - step, end + rest), rules)
            number = last
        if edits is None or (found and edits and edits[0].start < found[-1].end):
            return None
        found += edits
        number += 1
    return found


def _pair_lines(lines: _Lines, rules: EditRules) -> list[TextEdit] | None:
    """Edits that keep every line end, where lines are paired by their words; None if one is not allowed."""
    starts = lines.old_starts
    splits = [
        rules.may_split(start, start + len(line)) for start, line in zip(starts, lines.before, strict=False)
    ]
    pairs = pair_lines(lines.before, lines.after, splits)
    if pairs is None:
        return None
    found: list[TextEdit] = []
    first = 0
    for number, new in enumerate(pairs):
        hunk = _Hunk(number, number + 1, first, first + len(new))
        first = hunk.last
        if list(new) == [lines.before[number]]:
            continue
        start, end = starts[number], starts[number + 1] - 1
        edits = _move_to_allowed(lines.old, lines.edits(hunk), rules, start, end)
        edits = lines.aligned(hunk, rules) if edits is None else edits
        if edits is None:
            return None
        found += edits
    return found


def _by_words(ours: str, theirs: str) -> Iterator[tuple[int, int, int, int]]:
    """The ranges (start, end) of both texts whose words differ; as many words as before are compared one by one."""
    old_words, new_words = _TOKEN.findall(ours), _TOKEN.findall(theirs)
    head, tail = _equal_ends(old_words, new_words)
    start = sum(map(len, old_words[:head]))
    old_words, new_words = old_words[head : len(old_words) - tail], new_words[head : len(new_words) - tail]
    old_at, new_at = (list(accumulate(map(len, words), initial=start)) for words in (old_words, new_words))
    for low, high, first, last in differing_runs(old_words, new_words):
        if high - low == last - first:
            for old, new in zip(range(low, high), range(first, last), strict=True):
                yield old_at[old], old_at[old + 1], new_at[new], new_at[new + 1]
        else:
            yield old_at[low], old_at[high], new_at[first], new_at[last]


def _equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many words two texts have in common at their starts, and then at their ends."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return head, tail


def _trimmed(start: int, ours: str, theirs: str) -> Iterator[TextEdit]:
    """One edit without its equal ends, cut at line breaks until at most one of the texts has one."""
    head, tail = common_ends(ours, theirs)
    start, ours, theirs = start + head, ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    while "\n" in ours and "\n" in theirs:
        mine, _, ours = ours.partition("\n")
        yours, _, theirs = theirs.partition("\n")
        if mine != yours:
            yield TextEdit(start, start + len(mine), yours)
        start += len(mine) + 1
    if ours != theirs:
        yield TextEdit(start, start + len(ours), theirs)


def _move_to_allowed(
    old: str, changes: Sequence[TextEdit], rules: EditRules, floor: int, end: int
) -> list[TextEdit] | None:
    """The edits, moved between ``floor`` and ``end`` to where they are allowed; None if one is not."""
    settled: list[TextEdit] = []
    for number, change in enumerate(changes):
        ceiling = changes[number + 1].start if number + 1 < len(changes) else end
        if not change.start < change.end and change.text.endswith("\n"):
            change = _after_line(old, change, rules, floor)
        if not rules.allows(change):
            moved = next(
                ([other] for other in _equivalent_edits(old, change, floor, ceiling) if rules.allows(other)),
                None,
            )
            moved = moved or _align_range(old, change.start, change.end, change.text, rules)
            if moved is None:
                return None
            settled += moved
        else:
            settled.append(change)
        floor = settled[-1].end if settled else floor
    return settled


def _after_line(old: str, change: TextEdit, rules: EditRules, floor: int) -> TextEdit:
    """Lines inserted before a line as lines inserted after the previous one, whose formatting they then take."""
    place = change.start - 1
    if place < floor or old[place] != "\n":
        return change
    other = TextEdit(place, place, "\n" + change.text[:-1])
    return other if rules.allows(other) else change


def _equivalent_edits(old: str, change: TextEdit, floor: int, ceiling: int) -> Iterator[TextEdit]:
    """The same edit at other places, the nearest first ("aa" inserted in "aaa" can be anywhere)."""
    if change.text and change.start < change.end:
        return
    inserting = bool(change.text)
    left = right = change
    for _ in range(_SLIDES):
        going = False
        if left.start > floor:
            character = old[left.start - 1]
            if character == (left.text[-1] if inserting else old[left.end - 1]):
                left = TextEdit(left.start - 1, left.end - 1, character + left.text[:-1] if inserting else "")
                going = True
                yield left
            else:
                floor = left.start
        if right.end < ceiling:
            character = old[right.end]
            if character == (right.text[0] if inserting else old[right.start]):
                right = TextEdit(
                    right.start + 1, right.end + 1, right.text[1:] + character if inserting else ""
                )
                going = True
                yield right
            else:
                ceiling = right.end
        if not going:
            return


def _align_range(old: str, start: int, end: int, text: str, rules: EditRules) -> list[TextEdit] | None:
    """Edits that turn a range into ``text``, by alignment; None if that is impossible, or takes too long."""
    if (end - start + 1) * (len(text) + 1) > MAX_CELLS:
        return None
    operations = align_texts(
        old[start:end],
        text,
        rules.deletable(start, end),
        [rules.lock_in(place, place) is None for place in range(start, end + 1)],
        [rules.may_break(place) for place in range(start, end + 1)],
    )
    if operations is None:
        return None
    return [TextEdit(start + at, start + to, put) for at, to, put in operations]


def _blocking_error(old: str, new: str, rules: EditRules) -> BlockedError:
    head, tail = common_ends(old, new)
    start, end = head, len(old) - tail
    lock = rules.lock_in(start, end) or rules.lock_in(start, start) or rules.lock_in(end, end)
    return BlockedError(lock, start)
