"""The edits that make one text another, small enough that what stands between them stays what it is."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import accumulate

from app.text.positions import TextMap

_WORD = re.compile(r"\w+|[^\w]")
_MOST = 4_000


def edits_between(old: str, new: str) -> list[tuple[int, int, str]]:
    """(start, end, new text), sorted and disjoint, in UTF-16 units of ``old``, which make ``new`` of it.

    Lines are matched first, then the words of lines that were changed.
    """
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    found: list[tuple[int, int, str]] = []
    starts = list(accumulate(map(len, before), initial=0))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=True).get_opcodes():
        if tag == "equal":
            continue
        one, other = "".join(before[i1:i2]), "".join(after[j1:j2])
        found += [(starts[i1] + start, starts[i1] + end, text) for start, end, text in _words(one, other)]
    units = TextMap(old)
    return [(units.to_utf16(start), units.to_utf16(end), text) for start, end, text in found]


def _words(old: str, new: str) -> list[tuple[int, int, str]]:
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > _MOST:
        return [_whole(old, new)]
    starts = list(accumulate(map(len, before), initial=0))
    return [
        (starts[i1], starts[i2], "".join(after[j1:j2]))
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if tag != "equal"
    ]


def _whole(old: str, new: str) -> tuple[int, int, str]:
    """One edit, from the first difference to the last."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return head, len(old) - tail, new[head : len(new) - tail]
