"""A file with locked words, for the tests of the window: ``[words]`` in its text cannot be edited."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.documents.types import Format, NonProseSpan, Span, SuppressedRange
from core.formats.loader import OpenedDocument
from core.formats.types import ContainerError, LockedSpan
from core.text.appearance import Appearance
from core.types import Unread

REASON = "This is a field: your word processor fills it in."


@dataclass(frozen=True, slots=True)
class FakeContainer:
    """Its bytes are its text."""

    text: str
    format: Format = Format.DOCX
    encoding: str = "utf-8"
    editable: bool = True
    suppressed: tuple[SuppressedRange, ...] = ()
    quotes: tuple[Span, ...] = ()
    unread: tuple[Unread, ...] = ()
    non_prose: tuple[NonProseSpan, ...] = ()
    set_apart: tuple[Span, ...] = ()
    appearance: Appearance = field(default_factory=Appearance)
    notes: tuple[str, ...] = ()
    source: None = None

    @property
    def locked(self) -> tuple[LockedSpan, ...]:
        """Every stretch in square brackets."""
        return tuple(LockedSpan(*match.span(), REASON) for match in re.finditer(r"\[[^\]]*\]", self.text))

    @property
    def breaks(self) -> tuple[tuple[int, int], ...]:
        """Every line but those with a bar in them: those are cells of a table."""
        lines = re.finditer(r"[^\n]*", self.text)
        return tuple(match.span() for match in lines if match.group() and "|" not in match.group())

    def source_span(self, start: int, end: int) -> Span:
        """Never called: there is no ``source``."""
        raise NotImplementedError

    def save(self, text: str) -> bytes:
        """The text, if everything locked is still in it."""
        if re.findall(r"\[[^\]]*\]", text) != re.findall(r"\[[^\]]*\]", self.text):
            raise ContainerError("An edit touches a field. Undo it, or save the text as .txt.")
        return text.encode()


def open_fake(data: bytes, *, name: str, format: Format | None = None) -> OpenedDocument:
    """Stands for ``core.formats.loader.open_document``."""
    container = FakeContainer(data.decode())
    return OpenedDocument(container.text, Format.DOCX, "utf-8", True, (), container)
