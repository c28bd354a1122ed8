"""Positions as clients count them: lines, and code units of UTF-8, UTF-16 or UTF-32."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal

import numpy as np

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\r|\n")


class TextPositions:
    r"""Converts offsets in ``text`` (code points) into the positions of a client, and back.

    Lines end with ``\n``, ``\r\n`` or ``\r``, as the Language Server Protocol has it.
    """

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self._length = len(text)
        self._starts = [0]
        self._ends: list[int] = []
        for match in _LINE_END.finditer(text):
            self._ends.append(match.start())
            self._starts.append(match.end())
        self._ends.append(len(text))
        plain = encoding == "utf-32" or text.isascii()
        self._units = None if plain else _units_before(text, encoding)

    def units(self, offset: int) -> int:
        """The number of code units before ``offset``."""
        return offset if self._units is None else int(self._units[offset])

    def offset_at(self, units: int) -> int:
        """The offset after so many code units; inside a character its start, and the end of the text beyond it."""
        if self._units is None:
            return max(0, min(units, self._length))
        return max(0, int(np.searchsorted(self._units, units, side="right")) - 1)

    def position(self, offset: int) -> tuple[int, int]:
        """The line, from 0, and the code units before ``offset`` in it."""
        line = bisect_right(self._starts, offset) - 1
        return line, self.units(offset) - self.units(self._starts[line])

    def offset(self, line: int, character: int) -> int:
        """The offset of a position; beyond the end of a line its end, beyond the last line the end of the text."""
        if line < 0:
            return 0
        if line >= len(self._starts):
            return self._length
        start = self._starts[line]
        return min(self.offset_at(self.units(start) + max(0, character)), self._ends[line])


def _units_before(text: str, encoding: Encoding) -> np.ndarray:
    """The number of code units before each offset, the end of the text included."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    widths = 1 + (points > 0xFFFF).astype(np.int64)
    if encoding == "utf-8":
        widths += (points > 0x7F).astype(np.int64) + (points > 0x7FF)
    return np.concatenate(([0], np.cumsum(widths)))
