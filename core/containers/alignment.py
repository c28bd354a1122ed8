"""The shortest way from one text to another when some characters must stay and some places take nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MAX_CELLS = 4_000_000
_NEVER = 1_000_000


def align(
    old: str, new: str, deletable: Sequence[bool], insertable: Sequence[bool], breakable: Sequence[bool]
) -> list[tuple[int, int, str]] | None:
    r"""Deletions and insertions (start, end, text) in ``old`` that make ``new``; None where no way is allowed.

    ``deletable[i]`` is of the character i; ``insertable[i]`` and ``breakable[i]`` (for ``\n``) are of the place before
    it, with one more place at the end. The lengths of the texts should not multiply to more than `MAX_CELLS`.
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
        steps = _steps(insertable[row], breakable[row], is_break)
        travelled = np.concatenate(([0], np.cumsum(steps)))
        costs[row] = np.minimum.accumulate(base - travelled) + travelled
    if costs[-1, -1] >= _NEVER:
        return None
    return _way(old, new, costs, deletable)


def _steps(insertable: bool, breakable: bool, is_break: np.ndarray) -> np.ndarray:
    """What it costs to put in each character of the new text at one place."""
    if not insertable:
        return np.full(len(is_break), _NEVER, dtype=np.int64)
    if breakable:
        return np.ones(len(is_break), dtype=np.int64)
    return np.where(is_break, _NEVER, 1).astype(np.int64)


def _way(old: str, new: str, costs: np.ndarray, deletable: Sequence[bool]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    row, column = len(old), len(new)
    while row or column:
        here = costs[row, column]
        if row and column and old[row - 1] == new[column - 1] and here == costs[row - 1, column - 1]:
            row, column = row - 1, column - 1
        elif row and deletable[row - 1] and here == costs[row - 1, column] + 1:
            row -= 1
            if found and found[-1][0] == row + 1 and not found[-1][2]:
                found[-1] = (row, found[-1][1], "")
            else:
                found.append((row, row + 1, ""))
        else:
            column -= 1
            if found and found[-1][:2] == (row, row):
                found[-1] = (row, row, new[column] + found[-1][2])
            else:
                found.append((row, row, new[column]))
    return found[::-1]
