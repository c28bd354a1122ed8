"""Edits and diffs of texts.

Edits found and applied, lines matched in linear time, lines paired in order, and two versions side by side with their
words aligned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from core.text.word_runs import Run, differing_runs, longest_increasing_run

_EDIT_TOKEN = re.compile(r"\w+|[^\w]")
_MAX_EDIT_TOKENS = 4_000


# Edits, and the smallest ones that make one text another.


class TextEdit(NamedTuple):
    """``text`` takes the place of another text's ``[start:end]``; offsets are code points unless said otherwise."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[TextEdit], *, offset: int = 0) -> str:
    """``text`` after sorted, disjoint edits, whose offsets count from ``offset`` before its start."""
    parts: list[str] = []
    at = 0
    for start, end, new in edits:
        parts += (text[at : start - offset], new)
        at = end - offset
    return "".join([*parts, text[at:]])


def common_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts have in common at their starts, and then at their ends."""
    most = min(len(old), len(new))
    head = _common_start(old[:most], new[:most])
    most -= head
    tail = _common_start(old[len(old) - most :][::-1], new[len(new) - most :][::-1]) if most else 0
    return head, tail


def _common_start(old: str, new: str) -> int:
    """The length of the common start of two texts of one length, by bisection: comparing slices is fast."""
    low, high = 0, len(old)
    while low < high:
        middle = (low + high + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def find_edits(old: str, new: str) -> list[TextEdit]:
    """The edits that make ``new`` of ``old``, sorted and disjoint: lines are matched first, then words."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    found: list[TextEdit] = []
    starts = list(accumulate(map(len, before), initial=0))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=True).get_opcodes():
        if tag != "equal":
            found += _word_edits("".join(before[i1:i2]), "".join(after[j1:j2]), starts[i1])
    return found


def _word_edits(old: str, new: str, offset: int) -> Iterator[TextEdit]:
    before, after = _EDIT_TOKEN.findall(old), _EDIT_TOKEN.findall(new)
    if max(len(before), len(after)) > _MAX_EDIT_TOKENS:
        head, tail = common_ends(old, new)
        yield TextEdit(offset + head, offset + len(old) - tail, new[head : len(new) - tail])
        return
    starts = list(accumulate(map(len, before), initial=offset))
    for i1, i2, j1, j2 in differing_runs(before, after):
        yield TextEdit(starts[i1], starts[i2], "".join(after[j1:j2]))


# Lines matched in linear time.

_MAX_GAP = 64


def match_lines(before: Sequence[str], after: Sequence[str]) -> list[int | None]:
    """For each line of ``after``, the index of the same line of ``before``, or None. Indices are increasing.

    Lines that occur once on both sides are anchors (their longest increasing run, as in patience diff). Between two
    anchors lines match from both ends inwards; the rest of a short gap matches by its longest common runs.
    """
    matched: list[int | None] = [None] * len(after)
    start, end = _match_ends(before, after, matched, (0, len(before), 0, len(after)))
    anchors = _find_anchors(before, after, start, end)
    previous = start
    for anchor in [*anchors, end]:
        _match_gap(before, after, matched, (previous[0], anchor[0], previous[1], anchor[1]))
        if anchor is not end:
            matched[anchor[1]] = anchor[0]
            previous = (anchor[0] + 1, anchor[1] + 1)
    return matched


def _match_ends(
    before: Sequence[str], after: Sequence[str], matched: list[int | None], gap: tuple[int, int, int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Match equal lines at both ends of a gap; returns the starts and the ends of the rest."""
    low, high, first, last = gap
    while low < high and first < last and before[low] == after[first]:
        matched[first] = low
        low, first = low + 1, first + 1
    while low < high and first < last and before[high - 1] == after[last - 1]:
        high, last = high - 1, last - 1
        matched[last] = high
    return (low, first), (high, last)


def _find_anchors(
    before: Sequence[str], after: Sequence[str], start: tuple[int, int], end: tuple[int, int]
) -> list[tuple[int, int]]:
    old, new = before[start[0] : end[0]], after[start[1] : end[1]]
    counts, new_counts = Counter(old), Counter(new)
    places = {line: index for index, line in enumerate(old, start[0]) if counts[line] == 1}
    pairs = [
        (places[line], index)
        for index, line in enumerate(new, start[1])
        if new_counts[line] == 1 and line in places
    ]
    return longest_increasing_run(pairs)


def _match_gap(
    before: Sequence[str], after: Sequence[str], matched: list[int | None], gap: tuple[int, int, int, int]
) -> None:
    (low, first), (high, last) = _match_ends(before, after, matched, gap)
    if not (0 < high - low <= _MAX_GAP and 0 < last - first <= _MAX_GAP):
        return
    matcher = SequenceMatcher(None, before[low:high], after[first:last], autojunk=False)
    for origin, place, size in matcher.get_matching_blocks():
        for step in range(size):
            matched[first + place + step] = low + origin + step


# Lines paired in order, where a line can be split and none can be removed.

_MAX_CELLS = 250_000


def pair_lines(old: Sequence[str], new: Sequence[str], splits: Sequence[bool]) -> list[Sequence[str]] | None:
    """For each old line the new lines in its place: one, or more where ``splits`` allows it; None if impossible.

    Equal lines at both ends are paired; between them the new lines go to the old lines that share most words.
    """
    if len(old) == len(new):
        return [[line] for line in new]
    if len(new) < len(old):
        return None
    low, high = 0, 0
    while low < len(old) and old[low] == new[low]:
        low += 1
    while high < len(old) - low and old[-1 - high] == new[-1 - high]:
        high += 1
    for back, forth in ((0, 0), (1, 0), (0, 1), (1, 1), (low, high)):
        first, last = max(low - back, 0), max(high - forth, 0)
        end, new_end = len(old) - last, len(new) - last
        if any(splits[first:end]):
            middle = _assign_lines(old[first:end], new[first:new_end], splits[first:end])
            before = [[line] for line in new[:first]]
            after = [[line] for line in new[new_end:]]
            return [*before, *middle, *after]
    return None


def _assign_lines(old: Sequence[str], new: Sequence[str], splits: Sequence[bool]) -> list[Sequence[str]]:
    """The assignment of new lines to old ones with the fewest different words; at least one old line can be split."""
    spare = len(new) - len(old)
    if len(old) * (spare + 1) > _MAX_CELLS:
        return _assign_roughly(old, new, splits)
    had = [Counter(line.split()) for line in old]
    has = [Counter(line.split()) for line in new]
    # costs[i][k]: the cheapest way to give the first i old lines i + k new ones; cuts say how many the last one got.
    costs = [[0.0] + [float("inf")] * spare]
    cuts: list[list[int]] = []
    for number, words in enumerate(had):
        row, cut = [float("inf")] * (spare + 1), [1] * (spare + 1)
        for used in range(spare + 1):
            if costs[-1][used] == float("inf"):
                continue
            given: Counter[str] = Counter()
            for extra in range(spare - used + 1 if splits[number] else 1):
                given.update(has[number + used + extra])
                cost = costs[-1][used] + ((words - given).total() + (given - words).total())
                if cost < row[used + extra]:
                    row[used + extra], cut[used + extra] = cost, extra + 1
        costs.append(row)
        cuts.append(cut)
    taken: list[Sequence[str]] = []
    used, end = spare, len(new)
    for cut in reversed(cuts):
        count = cut[used]
        taken.append(new[end - count : end])
        end -= count
        used -= count - 1
    return taken[::-1]


def _assign_roughly(old: Sequence[str], new: Sequence[str], splits: Sequence[bool]) -> list[Sequence[str]]:
    at = splits.index(True)
    spare = len(new) - len(old)
    return [
        *([line] for line in new[:at]),
        new[at : at + spare + 1],
        *([line] for line in new[at + spare + 1 :]),
    ]


# Two versions of a text side by side, aligned by paragraphs and then by words.

_WORD = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
# Above these limits the comparison becomes coarser instead of slow: it runs while the person types.
MAX_WORDS = 1_500
MAX_PARAGRAPHS = 40
_MIN_SIMILARITY = 0.3


class DiffCancelled(Exception):  # noqa: N818
    """The comparison was cancelled."""


@dataclass(frozen=True, slots=True)
class DiffSegment:
    """Part of one version; ``changed``: the other version has other words, or none, in its place."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A paragraph of both versions; one side is empty if only the other has it. ``skipped``: equal ones left out."""

    before: tuple[DiffSegment, ...] = ()
    after: tuple[DiffSegment, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class Replacement:
    """Old words and the new words in their place. One may be empty, and both are if only the spacing differs."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class TextDiff:
    """Rows from top to bottom, and the changes in order; without changes, both texts are equal."""

    rows: tuple[DiffRow, ...]
    changes: tuple[Replacement, ...]


def compare_texts(
    before: str, after: str, *, context: int = 2, stopped: Callable[[], bool] = lambda: False
) -> TextDiff:
    """The difference of two texts with ``\\n`` line ends; long runs of equal paragraphs are skipped.

    ``context`` equal paragraphs stay on each side of a change. Raises ``DiffCancelled`` once ``stopped()`` is true.
    """
    old, new = before.split("\n"), after.split("\n")
    rows: list[DiffRow] = []
    changes: list[Replacement] = []
    for tag, i1, i2, j1, j2 in _opcodes(old, new, junk=True):
        if stopped():
            raise DiffCancelled
        if tag == "equal":
            rows += _unchanged_rows(old[i1:i2], context, first=not i1, last=i2 == len(old))
            continue
        for one, other in _pair_paragraphs(old[i1:i2], new[j1:j2]):
            row, found = _compare_words(one, other)
            rows.append(row)
            changes += found
    return TextDiff(tuple(rows), tuple(changes))


def _unchanged_rows(paragraphs: Sequence[str], context: int, *, first: bool, last: bool) -> list[DiffRow]:
    head = 0 if first else context
    tail = 0 if last else context
    between = len(paragraphs) - head - tail
    kept = [DiffRow((DiffSegment(text, False),), (DiffSegment(text, False),)) for text in paragraphs]
    if between <= 2 * context + 1:
        return kept
    return [*kept[:head], DiffRow(skipped=between), *kept[len(kept) - tail :]]


def _pair_paragraphs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    """Similar paragraphs in pairs, in order; a paragraph without a similar one is paired with None."""
    i = j = 0
    for one, other in _match_paragraphs(old, new):
        yield from ((text, None) for text in old[i:one])
        yield from ((None, text) for text in new[j:other])
        yield old[one], new[other]
        i, j = one + 1, other + 1
    yield from ((text, None) for text in old[i:])
    yield from ((None, text) for text in new[j:])


def _match_paragraphs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs, increasing on both sides, whose similarities have the largest sum."""
    if len(old) == len(new) == 1 or max(len(old), len(new)) > MAX_PARAGRAPHS:
        return [(at, at) for at in range(min(len(old), len(new)))]
    bags = [[Counter(_WORD.findall(text.casefold())) for text in side] for side in (old, new)]

    @cache
    def similarity(i: int, j: int) -> float:
        size = bags[0][i].total() + bags[1][j].total()
        return 2 * (bags[0][i] & bags[1][j]).total() / size if size else 0.0

    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            paired = best[i + 1][j + 1] + similarity(i, j) if similarity(i, j) >= _MIN_SIMILARITY else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs = []
    i = j = 0
    while i < len(old) and j < len(new) and best[i][j]:
        if similarity(i, j) >= _MIN_SIMILARITY and best[i][j] == best[i + 1][j + 1] + similarity(i, j):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _compare_words(old: str | None, new: str | None) -> tuple[DiffRow, list[Replacement]]:
    if old is None or new is None:
        text = old if old is not None else new or ""
        lone = (DiffSegment(text, True),) if text else ()
        joined = " ".join(text.split())
        change = [Replacement(joined, "") if old is not None else Replacement("", joined)]
        return (DiffRow(before=lone) if old is not None else DiffRow(after=lone)), change
    spans = [[match.span() for match in _WORD.finditer(text)] for text in (old, new)]
    words = [[text[a:b] for a, b in span] for text, span in zip((old, new), spans, strict=True)]
    sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    changes = []
    for tag, i1, i2, j1, j2 in _opcodes(*words):
        if tag == "equal":
            continue
        marked = (_span(spans[0], i1, i2), _span(spans[1], j1, j2))
        for side, span in zip(sides, marked, strict=True):
            if span[0] < span[1]:
                side.append(span)
        changes.append(Replacement(_to_line(old, marked[0]), _to_line(new, marked[1])))
    if not changes:
        changes = [Replacement("", "")]
        sides = ([(0, len(old))], [(0, len(new))])
    return DiffRow(_segments(old, sides[0]), _segments(new, sides[1])), changes


def _opcodes(
    old: Sequence[str], new: Sequence[str], *, junk: bool = False
) -> list[tuple[str, int, int, int, int]]:
    """The opcodes of difflib, equal ends cut off first; sequences too long to compare count as replaced."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    one, other = old[head : len(old) - tail], new[head : len(new) - tail]
    codes: list[tuple[str, int, int, int, int]] = []
    if head:
        codes.append(("equal", 0, head, 0, head))
    if not junk and max(len(one), len(other)) > MAX_WORDS:
        codes.append(("replace", head, head + len(one), head, head + len(other)))
    elif one or other:
        found: Iterable[tuple[str, int, int, int, int]] = (
            SequenceMatcher(None, one, other, autojunk=True).get_opcodes()
            if junk
            else _as_opcodes(differing_runs(one, other), len(one), len(other))
        )
        codes += [(tag, *(place + head for place in places)) for tag, *places in found]  # type: ignore[misc]
    if tail:
        codes.append(("equal", len(old) - tail, len(old), len(new) - tail, len(new)))
    return codes


def _as_opcodes(
    runs: Iterable[Run], length: int, new_length: int
) -> Iterator[tuple[str, int, int, int, int]]:
    """The runs that differ and those between them, named as difflib does."""
    low = first = 0
    for i1, i2, j1, j2 in [*runs, (length, length, new_length, new_length)]:
        if low < i1:
            yield "equal", low, i1, first, j1
        if i1 < i2 or j1 < j2:
            yield ("replace" if i1 < i2 and j1 < j2 else "delete" if i1 < i2 else "insert"), i1, i2, j1, j2
        low, first = i2, j2


def _span(spans: Sequence[tuple[int, int]], first: int, last: int) -> tuple[int, int]:
    return (spans[first][0], spans[last - 1][1]) if first < last else (0, 0)


def _to_line(text: str, span: tuple[int, int]) -> str:
    return " ".join(text[span[0] : span[1]].split())


def _segments(text: str, marked: Sequence[tuple[int, int]]) -> tuple[DiffSegment, ...]:
    found: list[DiffSegment] = []
    at = 0
    for start, end in marked:
        found += (DiffSegment(text[at:start], False), DiffSegment(text[start:end], True))
        at = end
    return tuple(part for part in (*found, DiffSegment(text[at:], False)) if part.text)
