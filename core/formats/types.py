"""What a file that is more than its text gives: the text, what of it can be edited, and its bytes with edits in place.

docx, odt and html. The text is what the reader reads and the editor shows; offsets are code points in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.documents.types import Format
from core.storage.files import FileError


class ContainerError(FileError):
    """A file cannot be opened, or an edit cannot be put into it; its text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Locked:
    """``text[start:end]`` is shown and read but cannot be edited; ``reason`` is a sentence for a person."""

    start: int
    end: int
    reason: str


class Container(Protocol):
    r"""An opened file. Immutable: after a save the new bytes are opened anew.

    ``text`` has one line for each paragraph, with ``\n`` between two of them and never ``\r``. ``locked`` are sorted
    and disjoint; every edit that overlaps none of them can be saved. Text can be put in at both ends of a lock, except
    where one of no width stands: there nothing can. A file of which nothing can be edited has one lock over all its
    text. ``breaks`` are the sorted, disjoint stretches (start, end) of ``text`` in which a line break may be typed, at
    both ends too. ``off`` are stretches whose author asked not to be checked. ``notes`` are plain sentences on what is
    kept but not shown.
    """

    @property
    def format(self) -> Format: ...

    @property
    def text(self) -> str: ...

    @property
    def locked(self) -> tuple[Locked, ...]: ...

    @property
    def breaks(self) -> tuple[tuple[int, int], ...]: ...

    @property
    def off(self) -> tuple[tuple[int, int], ...]: ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    def save(self, text: str) -> bytes:
        """The file with ``text`` in place of its own: nothing but the edited runs differs from the original.

        With the text unchanged, the bytes it was opened from. Raises ContainerError where an edit touches what is
        locked.
        """
