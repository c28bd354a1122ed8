"""What opening a container gives: its text, what of it can be edited, and its bytes with the edits in place.

A container is a file that is more than its text: docx, odt, html. Offsets are code points of the extracted text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.documents.types import Format, NonProseSpan, Span, SuppressedRange
from core.storage.files import FileError
from core.text.appearance import Appearance
from core.types import Unread


class ContainerError(FileError):
    """A file cannot be opened, or an edit cannot be saved in it; its text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class LockedSpan:
    """``text[start:end]`` is shown and analysed but cannot be edited; ``reason`` is a sentence for a person."""

    start: int
    end: int
    reason: str


class Container(Protocol):
    r"""An opened file. Immutable: after a save the new bytes are opened again.

    ``text`` has one line for each paragraph, separated by ``\n`` and without ``\r``; notes, headers and footers of a
    docx or odt come after its main text. ``locked`` are sorted and disjoint; every edit that overlaps none of them can
    be saved. Text can be inserted at both ends of a lock, except at an empty one. In a file that cannot be edited one
    lock covers all its text. ``breaks`` are the sorted, disjoint ranges of
    ``text`` in which a line break may be typed, at both ends too.
    ``suppressed`` are ranges that the author excluded from checking, ``quotes`` those that the markup sets apart as
    quotations, ``unread`` what is kept in the file but not shown, or in another language. ``non_prose`` are passages
    that are not read (struck out, or marks of footnotes), ``set_apart`` those in italics or with a link. ``notes`` are
    sentences for a person. ``appearance`` is how the text looks in its own program. ``source`` is the file as text
    where a finding has a place in it (html), else None.
    """

    @property
    def format(self) -> Format: ...

    @property
    def text(self) -> str: ...

    @property
    def encoding(self) -> str: ...

    @property
    def editable(self) -> bool: ...

    @property
    def locked(self) -> tuple[LockedSpan, ...]: ...

    @property
    def breaks(self) -> tuple[Span, ...]: ...

    @property
    def suppressed(self) -> tuple[SuppressedRange, ...]: ...

    @property
    def quotes(self) -> tuple[Span, ...]: ...

    @property
    def unread(self) -> tuple[Unread, ...]: ...

    @property
    def non_prose(self) -> tuple[NonProseSpan, ...]: ...

    @property
    def set_apart(self) -> tuple[Span, ...]: ...

    @property
    def appearance(self) -> Appearance: ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def source(self) -> str | None: ...

    def source_span(self, start: int, end: int) -> Span:
        """Where the words ``text[start:end]`` of one line begin and end in ``source``, if there is one."""

    def save(self, text: str) -> bytes:
        """The file with ``text`` in place of its own: nothing but the edited runs differs from the original.

        With the text unchanged, the bytes it was opened from. Raises ContainerError where an edit touches what is
        locked.
        """
