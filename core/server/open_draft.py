"""A text that is open in an editor: its versions, and the findings of the latest one that was checked."""

from __future__ import annotations

import threading
from asyncio import Task
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from core.documents.types import Format, Span
from core.server.positions import Encoding, TextPositions
from core.server.served_text import ServedText, TextReader, format_of_language
from core.storage.types import Ignore
from core.types import Finding


@dataclass(frozen=True, slots=True)
class CheckedVersion:
    """One version as it was checked: its document, its findings and where each stands in the text of the editor."""

    version: int
    served: ServedText
    positions: TextPositions
    findings: tuple[Finding, ...]
    spans: tuple[Span, ...]

    def range(self, start: int, end: int) -> types.Range:
        """The range of two offsets in the text of the editor."""
        first, last = self.positions.position(start), self.positions.position(end)
        return types.Range(types.Position(*first), types.Position(*last))

    def findings_at(self, where: types.Range) -> list[int]:
        """The numbers of the findings that a range touches."""
        start = self.positions.offset(where.start.line, where.start.character)
        end = self.positions.offset(where.end.line, where.end.character)
        return [number for number, span in enumerate(self.spans) if span[0] <= end and start <= span[1]]


@dataclass(slots=True)
class OpenDraft:
    """An open text. ``ignored`` is what was ignored in it, for a text that is kept in no file."""

    uri: str
    language_id: str
    version: int
    text: str
    encoding: Encoding
    reader: TextReader = field(default_factory=TextReader)
    checked: CheckedVersion | None = None
    ignored: list[Ignore] = field(default_factory=list)
    task: Task[None] | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def path(self) -> Path | None:
        """The file that holds the text; None for one that was never saved."""
        path = to_fs_path(self.uri) if self.uri.startswith("file:") else None
        return Path(path) if path else None

    @property
    def format(self) -> Format | None:
        """The format of the text; None where it is not read."""
        return format_of_language(self.language_id, self.uri)

    def change(self, changes: list[types.TextDocumentContentChangeEvent], version: int) -> None:
        """Apply the changes of an editor, in order."""
        for change in changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                positions = TextPositions(self.text, self.encoding)
                start = positions.offset(change.range.start.line, change.range.start.character)
                end = positions.offset(change.range.end.line, change.range.end.character)
                self.text = self.text[:start] + change.text + self.text[max(start, end) :]
            else:
                self.text = change.text
        self.version = version

    def cancel(self) -> None:
        """Stop the check that is under way."""
        self.stop.set()
        if self.task is not None:
            self.task.cancel()
        self.stop, self.task = threading.Event(), None
