"""The open draft: where it lies, what it is, and how it goes back to disk with nothing changed but the edits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from app.positions import editor_text
from core.documents import detect
from core.documents.model import Format
from core.files import read_text, with_line_ends, write_text

# The line length from which typing in it is felt: Qt lays a line out whole at every key.
LONG_LINE = 200_000


class ChangedOnDiskError(Exception):
    """The file was changed by someone else since it was opened or saved here."""


@dataclass(frozen=True, slots=True)
class Session:
    """One draft. ``source`` is the text as it lies on disk, with its own line ends; ``path`` is None if untitled.

    ``stamp`` is (modification time in ns, size in bytes) when this session last read or wrote the file.
    """

    name: str = "Untitled"
    path: Path | None = None
    source: str = ""
    encoding: str = "utf-8"
    editable: bool = True
    notes: tuple[str, ...] = ()
    format: Format = Format.PLAIN
    stamp: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """The source as the editor shows it: every line end is ``\\n``."""
        return editor_text(self.source)


def open_session(path: Path) -> Session:
    """Read a file. Raises ``core.files.FileError`` with one clear sentence if that cannot be done."""
    file = read_text(path)
    notes: tuple[str, ...] = (file.note,) if file.note else ()
    longest = max(map(len, file.text.splitlines()), default=0)
    if longest >= LONG_LINE:
        notes += (f"A line of this file has {longest:,} characters. Typing in it is slow; nothing is lost.",)
    return Session(
        name=path.name,
        path=path,
        source=file.text,
        encoding=file.encoding,
        editable=file.editable,
        notes=notes,
        format=detect(str(path), file.text),
        stamp=_stamp(path),
    )


def untitled_copy(path: Path) -> Session:
    """The text of a file as a new draft without a place on disk. Raises ``core.files.FileError``."""
    opened = open_session(path)
    return Session(name="Untitled", source=opened.text, format=opened.format)


def save_session(session: Session, text: str, path: Path, *, overwrite: bool = False) -> Session:
    """Write the editor's ``text`` to ``path``, atomically; returns the session that goes on from there.

    Each line keeps the line end that it had. Raises ``core.files.FileError`` if it cannot be written, and
    ``ChangedOnDiskError`` if another program has changed the session's file and ``overwrite`` is False.
    """
    same = session.path is not None and path == session.path
    if same and not overwrite and session.stamp is not None and _stamp(path) not in (session.stamp, None):
        raise ChangedOnDiskError(path.name)
    source = with_line_ends(session.source, text)
    write_text(path, source, encoding=session.encoding)
    return replace(
        session,
        name=path.name,
        path=path,
        source=source,
        notes=(),
        format=session.format if same else detect(str(path), source),
        stamp=_stamp(path),
    )


def fits(text: str, encoding: str) -> bool:
    """Whether every character of ``text`` can be written in ``encoding``."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
