"""Which lines of an edited text each line of the original has become, where lines can be split and none can go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_MOST_CELLS = 250_000


def pair_lines(old: Sequence[str], new: Sequence[str], splits: Sequence[bool]) -> list[Sequence[str]] | None:
    """For each old line the new lines in its place: one, or more where ``splits`` allows; None if that cannot be.

    Equal lines at both ends keep to themselves; between them the new lines go where their words were.
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
            middle = _fit(old[first:end], new[first:new_end], splits[first:end])
            before = [[line] for line in new[:first]]
            after = [[line] for line in new[new_end:]]
            return [*before, *middle, *after]
    return None


def _fit(old: Sequence[str], new: Sequence[str], splits: Sequence[bool]) -> list[Sequence[str]]:
    """The cheapest way to give each old line its new ones; at least one of the old can be split."""
    spare = len(new) - len(old)
    if len(old) * (spare + 1) > _MOST_CELLS:
        return _rough(old, new, splits)
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


def _rough(old: Sequence[str], new: Sequence[str], splits: Sequence[bool]) -> list[Sequence[str]]:
    at = splits.index(True)
    spare = len(new) - len(old)
    return [
        *([line] for line in new[:at]),
        new[at : at + spare + 1],
        *([line] for line in new[at + spare + 1 :]),
    ]
