"""A long text that takes many edits: an edit moves the bytes of one block, not those of the whole text."""

from __future__ import annotations

from math import isqrt

_LEAST_BLOCK = 4096


class EditedText:
    """Bytes in blocks. An edit is found from the last one, or from an end: edits that are near each other are fast."""

    def __init__(self, data: bytes) -> None:
        self.length = len(data)
        self._size = max(_LEAST_BLOCK, 16 * isqrt(len(data)))
        self._blocks = self._cut(data) or [bytearray()]
        self._index = self._start = 0

    def replace(self, start: int, end: int, inserted: bytes) -> None:
        """Replace the bytes from ``start`` to ``end``, which lie inside the text."""
        self._go_to(start)
        block = self._blocks[self._index]
        at, removed = start - self._start, end - start
        rest = at + removed - len(block)
        block[at : at + removed] = inserted
        if rest > 0:
            self._remove_after(rest)
        self.length += len(inserted) - removed
        if len(block) > 2 * self._size:
            self._blocks[self._index : self._index + 1] = self._cut(block)

    def __bytes__(self) -> bytes:
        return b"".join(self._blocks)

    def _go_to(self, position: int) -> None:
        """Find the block that holds a position, or ends there."""
        if position < self._start // 2:
            self._index = self._start = 0
        elif position - self._start > self.length - position:
            self._index = len(self._blocks) - 1
            self._start = self.length - len(self._blocks[-1])
        while position < self._start:
            self._index -= 1
            self._start -= len(self._blocks[self._index])
        while position > self._start + len(self._blocks[self._index]):
            self._start += len(self._blocks[self._index])
            self._index += 1

    def _remove_after(self, count: int) -> None:
        """Remove bytes behind the present block."""
        last = self._index + 1
        while count and count >= len(self._blocks[last]):
            count -= len(self._blocks[last])
            last += 1
        if count:
            del self._blocks[last][:count]
        del self._blocks[self._index + 1 : last]

    def _cut(self, data: bytes | bytearray) -> list[bytearray]:
        return [bytearray(data[at : at + self._size]) for at in range(0, len(data), self._size)]
