"""The edits between the text of a docx or odt and its edited text, so that no edit touches what is locked.

Lines are matched first (`core.text.diff`), then the words in them. Where the same edit can be read in several ways
("aa" out of "aaa"), one is chosen that the file allows; where that fails, the shortest alignment in which no locked
character changes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate

import numpy as np

from core.formats.text_layout import TextLayout
from core.formats.types import LockedSpan
from core.text.diff import TextEdit, common_ends, match_lines

MAX_CELLS = 4_000_000
_NEVER = 1_000_000


def align_texts(
    old: str, new: str, deletable: Sequence[bool], insertable: Sequence[bool], breakable: Sequence[bool]
) -> list[TextEdit] | None:
    r"""The fewest deletions and insertions that make ``new`` of ``old``; None if none are allowed.

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
_TOKEN_PAIRS = 1_000_000
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

    def __init__(self, layout: TextLayout) -> None:
        self._locks = [lock for lock in layout.locked if lock.start < lock.end]
        self._starts = [lock.start for lock in self._locks]
        self._shut = {lock.start: lock for lock in layout.locked if lock.start == lock.end}
        self._breaks = layout.breaks
        self._break_starts = [start for start, _ in layout.breaks]

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

    def allows(self, change: TextEdit) -> bool:
        if self.lock_in(change.start, change.end) is not None:
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
    """Allowed edits that make ``new`` of ``old``, sorted and disjoint; raises BlockedError."""
    found: list[TextEdit] = []
    before, after = old.split("\n"), new.split("\n")
    origins = match_lines(before, after)
    hunks = list(_hunks(origins, len(before)))
    old_ends, new_ends = _ends(before), _ends(after)
    for low, high, first, last in hunks:
        plain = _edits_in_hunk(old, new, (old_ends[low], old_ends[high], new_ends[first], new_ends[last]))
        settled = _move_to_allowed(old, plain, rules, found[-1].end if found else 0)
        if settled is None:
            return _find_by_alignment(old, new, rules, (before, after), hunks)
        found += settled
    return found


def _ends(lines: Sequence[str]) -> list[int]:
    """The start of each line, and of one after the last."""
    return list(accumulate((len(line) + 1 for line in lines), initial=0))


def _hunks(origins: Sequence[int | None], count: int) -> Iterator[tuple[int, int, int, int]]:
    """Runs of unmatched lines: (low, high) of the ``count`` old lines and (first, last) of the new ones."""
    low = first = 0
    for last, high in [*enumerate(origins), (len(origins), count)]:
        if high is None:
            continue
        if low < high or first < last:
            yield low, high, first, last
        low, first = high + 1, last + 1


def _edits_in_hunk(old: str, new: str, hunk: tuple[int, int, int, int]) -> list[TextEdit]:
    """The edits within some whole lines, by words. Each line ends with a break, here the last one too."""
    start, end, first, last = hunk
    ours, theirs = (old + "\n")[start:end], (new + "\n")[first:last]
    if end > len(old):
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


def _by_words(ours: str, theirs: str) -> Iterator[tuple[int, int, int, int]]:
    head, tail = common_ends(ours, theirs)
    old_words = _TOKEN.findall(ours, head, len(ours) - tail)
    new_words = _TOKEN.findall(theirs, head, len(theirs) - tail)
    if len(old_words) * len(new_words) <= _TOKEN_PAIRS:
        old_at, new_at = (list(accumulate(map(len, words), initial=head)) for words in (old_words, new_words))
        matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
        for what, low, high, first, last in matcher.get_opcodes():
            if what != "equal":
                yield old_at[low], old_at[high], new_at[first], new_at[last]
    elif ours.count("\n") == theirs.count("\n"):
        at = new_at_line = 0
        for mine, yours in zip(ours.split("\n"), theirs.split("\n"), strict=True):
            yield at, at + len(mine), new_at_line, new_at_line + len(yours)
            at, new_at_line = at + len(mine) + 1, new_at_line + len(yours) + 1
    else:
        yield head, len(ours) - tail, head, len(theirs) - tail


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
    old: str, changes: Sequence[TextEdit], rules: EditRules, floor: int
) -> list[TextEdit] | None:
    """The edits, moved to where they are allowed; None if one is not."""
    settled: list[TextEdit] = []
    for number, change in enumerate(changes):
        ceiling = changes[number + 1].start if number + 1 < len(changes) else len(old)
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


def _find_by_alignment(
    old: str,
    new: str,
    rules: EditRules,
    lines: tuple[list[str], list[str]],
    hunks: Sequence[tuple[int, int, int, int]],
) -> list[TextEdit]:
    """Edits from an alignment with all rules, in a window of lines around the changes; raises BlockedError."""
    before, after = lines
    old_ends, new_ends = _ends(before), _ends(after)
    low, first = hunks[0][0], hunks[0][2]
    from_end = min(len(before) - hunks[-1][1], len(after) - hunks[-1][3])
    for context in (_CONTEXT, max(len(before), len(after))):
        step = min(context, low, first)
        rest = max(from_end - context, 0)
        start, begin = old_ends[low - step], new_ends[first - step]
        end = min(old_ends[len(before) - rest], len(old))
        stop = min(new_ends[len(after) - rest], len(new))
        if rest:
            end, stop = end - 1, stop - 1
        found = _align_range(old, start, end, new[begin:stop], rules)
        if found is not None:
            return found
    raise _blocking_error(old, new, rules)


def _align_range(old: str, start: int, end: int, text: str, rules: EditRules) -> list[TextEdit] | None:
    """Edits that make ``text`` of a range by alignment; None if that is impossible, or too long to compute."""
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
