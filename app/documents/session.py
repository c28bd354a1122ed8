"""The open document and its file: reading, and saving with nothing changed but the edits; unsaved drafts."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from app.documents.draft_comments import move_comments
from app.editor.positions import editor_text
from core.conversion.convert import can_convert, read_content, write_content
from core.conversion.types import Content
from core.documents.format_specs import detect_format, extracts_text, format_of_suffix
from core.documents.types import Format
from core.formats.loader import open_document
from core.formats.types import Container
from core.i18n import tr
from core.revisions.rewords import Reword
from core.revisions.types import Stamp
from core.storage.draft_comments import DraftComment
from core.storage.files import FileError, encode_text, read_bytes, restore_line_ends, write_bytes
from core.storage.journal import OrphanedJournal

if TYPE_CHECKING:
    from core.answers.comments import Comment
    from core.formats.office_document import OfficeDocument
    from core.revisions.types import AnsweredComment, Revision
    from core.storage.store import Store

# From this line length on, typing is slow: Qt lays out the whole line at every key.
LONG_LINE = 200_000


@dataclass(frozen=True, slots=True)
class Tracking:
    """How edits become tracked changes: who makes them, and which sentences were reworded, and why."""

    stamp: Stamp
    rewords: tuple[Reword, ...] = ()


class ChangedOnDiskError(Exception):
    """The file was changed by another program since it was opened or saved here."""


@dataclass(frozen=True, slots=True)
class Session:
    """One document. ``source`` is the text on the disk, with its own line ends; ``path`` is None if untitled.

    ``sha256`` is that of the file's bytes when it was last read or written here, empty if there is no file.
    ``container``: the parsed docx, odt or html file, as it was opened or last saved without tracked changes.
    ``tracked`` are the bytes of the file with the changes since then as tracked ones, empty where there are none.
    ``commented`` are the bytes of the file with the comments that were added here since it was opened, which neither
    ``container`` nor ``tracked`` have; empty where there are none.
    ``has_revisions``: the docx or odt, as it is on the disk, holds tracked changes.
    """

    name: str = "Untitled"
    path: Path | None = None
    source: str = ""
    encoding: str = "utf-8"
    editable: bool = True
    notes: tuple[str, ...] = ()
    format: Format = Format.PLAIN
    container: Container | None = None
    tracked: bytes = b""
    commented: bytes = b""
    has_revisions: bool = False
    sha256: str = ""
    uid: str = field(default_factory=lambda: str(uuid4()))

    @property
    def text(self) -> str:
        """The source as the editor shows it, with ``\\n`` for every line end."""
        return editor_text(self.source)

    @property
    def can_track(self) -> bool:
        """Whether edits can be saved as tracked changes."""
        return self.container is not None and self.format in (Format.DOCX, Format.ODT)

    @property
    def is_tracking(self) -> bool:
        """Whether the word processor tracks changes in this file, so that edits are tracked here, too."""
        if not self.can_track:
            return False
        from core.revisions.tracking import is_tracking

        return is_tracking(self.container)


def open_session(path: Path) -> Session:
    """Read a file. Raises ``core.storage.files.FileError`` with one clear sentence if that cannot be done."""
    data = read_bytes(path)
    opened = open_document(data, name=path.name)
    notes = (*opened.notes, *_warnings(path, opened.text, editable=opened.editable))
    return Session(
        name=path.name,
        path=path,
        source=opened.text,
        encoding=opened.encoding,
        editable=opened.editable,
        notes=notes,
        format=opened.format,
        container=opened.container,
        has_revisions=_has_revisions(opened.container),
        sha256=hashlib.sha256(data).hexdigest(),
    )


def _has_revisions(container: Container | None) -> bool:
    """Whether a docx or odt holds tracked changes; False where a part of it cannot be read."""
    from core.formats.office_document import OfficeDocument
    from core.revisions.resolve import has_revisions

    if not isinstance(container, OfficeDocument):
        return False
    try:
        return has_revisions(container)
    except FileError:
        return False


def _warnings(path: Path, text: str, *, editable: bool) -> tuple[str, ...]:
    notes: tuple[str, ...] = ()
    longest = max(map(len, text.splitlines()), default=0)
    if longest >= LONG_LINE:
        note = tr("A line of this file has {number} characters. Typing in it is slow; nothing is lost.")
        notes += (note.format(number=f"{longest:,}"),)
    if editable and not os.access(path, os.W_OK):
        notes += (tr("This file is read-only: save your changes in another file."),)
    elif editable and not os.access(Path(os.path.realpath(path)).parent, os.W_OK):
        notes += (tr("The folder of this file is read-only: save your changes in another folder."),)
    return notes


def untitled_copy(path: Path) -> Session:
    """The text of a file as a new, untitled document. Raises ``core.storage.files.FileError``."""
    opened = open_session(path)
    read_as = Format.PLAIN if extracts_text(opened.format) else opened.format
    return Session(name=tr("Untitled"), source=opened.text, format=read_as)


def save_session(
    session: Session,
    text: str,
    path: Path,
    *,
    overwrite: bool = False,
    tracking: Tracking | None = None,
    comments: Sequence[DraftComment] = (),
) -> Session:
    """Write the editor's ``text`` to ``path`` atomically; returns the new session.

    Each line keeps its line end. A docx, odt or html file is written with the edits in place, or as plain text under
    the name of a text file. With ``tracking``, all edits of a docx or odt since it was opened are tracked changes.
    ``comments`` are all that were added to the text since then; a text file has no place for them.
    Raises ``core.storage.files.FileError`` if it cannot be written, and ``ChangedOnDiskError`` if another program has
    changed the session's file and ``overwrite`` is False.
    """
    same = session.path is not None and path == session.path
    if same and not overwrite and changed_outside(session):
        raise ChangedOnDiskError(path.name)
    wanted = session.format if same else detect_format(str(path), text)
    container = session.container
    if container is not None and container.format == wanted:
        plain = _plain_bytes(session, text, tracking)
        data = _commented_bytes(session, plain, text, comments)
        write_bytes(path, data)
        if tracking is not None and session.can_track:
            # Later edits are compared with the same file as these, so that each stays one change.
            written = open_document(plain, name=path.name, format=wanted).container
            after = replace(session, source=text, tracked=plain, has_revisions=_has_revisions(written))
        else:
            # The new bytes are parsed again: the locked ranges may have changed.
            after = _with_bytes(session, plain, path.name)
        after = replace(after, commented=data if comments else b"")
    elif extracts_text(wanted):
        raise FileError(
            tr(
                "{name} was not saved: this draft cannot be converted to a {format} file here. "
                "Save it as .txt or .md first."
            ).format(name=path.name, format=wanted.value)
        )
    else:
        source = text if container else restore_line_ends(session.source, text)
        encoding = "utf-8" if container else session.encoding
        data = encode_text(path, source, encoding=encoding)
        write_bytes(path, data)
        after = replace(
            session,
            source=source,
            container=None,
            tracked=b"",
            commented=b"",
            has_revisions=False,
            encoding=encoding,
        )
    return replace(
        after,
        name=path.name,
        path=path,
        notes=(),
        format=wanted,
        sha256=hashlib.sha256(data).hexdigest(),
    )


def conversion_target(session: Session, path: Path) -> Format | None:
    """The format that the name of a new file asks for, if the draft has to be converted into it and can be."""
    wanted = format_of_suffix(path.name)
    return wanted if wanted is not None and can_convert(session.format, wanted) else None


def read_for_conversion(session: Session, text: str, comments: Sequence[DraftComment] = ()) -> Content:
    """The content of a draft with the editor's ``text`` and the ``comments`` that were added to it.

    Raises ``core.storage.files.FileError``.
    """
    document = None
    if session.container is not None:
        data = container_bytes(session, text, None, comments)
        document = office_document(_with_bytes(session, data, session.name))
    return read_content(text, session.format, document)


def save_converted(session: Session, content: Content, path: Path, target: Format) -> Session:
    """Write the content of a draft to a file in another format, atomically; returns the session of that file.

    The file of ``session`` stays as it is. The bytes must open before they are written. Raises
    ``core.storage.files.FileError``.
    """
    data = write_content(content, target, name=path.name)
    opened = open_document(data, name=path.name, format=target)
    write_bytes(path, data)
    return Session(
        name=path.name,
        path=path,
        source=opened.text,
        encoding=opened.encoding,
        editable=opened.editable,
        notes=opened.notes,
        format=opened.format,
        container=opened.container,
        sha256=hashlib.sha256(data).hexdigest(),
        uid=session.uid,
    )


def _with_bytes(session: Session, data: bytes, name: str) -> Session:
    """The session after its docx, odt or html file got other bytes. Raises FileError if they cannot be opened."""
    opened = open_document(data, name=name, format=session.format)
    return replace(
        session,
        source=opened.text,
        container=opened.container,
        tracked=b"",
        commented=b"",
        has_revisions=_has_revisions(opened.container),
    )


def office_document(session: Session) -> OfficeDocument | None:
    """The docx or odt of a session as it is on the disk; None for other files. Raises FileError."""
    return _opened_office(session, session.commented or session.tracked)


def _document_as_found(session: Session) -> OfficeDocument | None:
    """As `office_document`, but without the comments that were added here since it was opened."""
    return _opened_office(session, session.tracked)


def _opened_office(session: Session, data: bytes) -> OfficeDocument | None:
    from core.formats.office_document import OfficeDocument

    container = session.container
    if data:
        container = open_document(data, name=session.name, format=session.format).container
    return container if isinstance(container, OfficeDocument) else None


def read_revisions_of(session: Session) -> list[Revision] | str:
    """The revisions of the file of a session, or a sentence that says why they cannot be read."""
    from core.revisions.resolve import read_revisions

    try:
        document = office_document(session)
        return [] if document is None else read_revisions(document)
    except FileError as error:
        return str(error)


def read_answers_of(session: Session) -> list[AnsweredComment] | str:
    """The answers to a reviewed copy in the file of a session, or a sentence that says why they cannot be read."""
    from core.answers.answers import read_answers

    try:
        document = _document_as_found(session)
        return [] if document is None else read_answers(document)
    except FileError as error:
        return str(error)


def read_comments_of(session: Session) -> list[Comment]:
    """The comments that were in the file of a session when it was opened; none if they cannot be read."""
    from core.answers.answers import read_people_comments

    try:
        document = _document_as_found(session)
        return [] if document is None else read_people_comments(document)
    except FileError:
        return []


def held_by_file(session: Session, comments: Sequence[DraftComment], text: str) -> list[DraftComment]:
    """Those of the comments on ``text`` that the file of a session held when it was opened, on the text of the file.

    Empty if they cannot be read.
    """
    from core.answers.added_comments import held_comments

    if session.container is None or not comments:
        return []
    moved = {one.identity: one for one in move_comments(comments, text, session.text)}
    try:
        return held_comments(session.container, [moved.get(one.identity, one) for one in comments])
    except FileError:
        return []


def without_comments(session: Session, comments: Sequence[DraftComment]) -> Session:
    """The session whose next save takes these comments of `held_by_file` out of the file. Raises FileError."""
    from core.answers import added_comments

    assert session.container is not None
    data = added_comments.without_comments(session.container, comments)
    return _with_bytes(session, data, session.name)


def rewrite_session(session: Session, data: bytes) -> Session:
    """Write other bytes of its docx or odt to the file of a session, atomically; returns the new session.

    Raises ``core.storage.files.FileError`` if they cannot be opened or written, and ``ChangedOnDiskError`` if
    another program has changed the file.
    """
    assert session.path is not None
    if changed_outside(session):
        raise ChangedOnDiskError(session.path.name)
    after = _with_bytes(session, data, session.path.name)
    write_bytes(session.path, data)
    return replace(after, notes=(), sha256=hashlib.sha256(data).hexdigest())


def container_bytes(
    session: Session, text: str, tracking: Tracking | None, comments: Sequence[DraftComment] = ()
) -> bytes:
    """The docx, odt or html file of a session with ``text``, its edits tracked with ``tracking`` if it can track them.

    ``comments`` are all that were added to the text here. Raises ``core.storage.files.FileError``.
    """
    return _commented_bytes(session, _plain_bytes(session, text, tracking), text, comments)


def _commented_bytes(session: Session, data: bytes, text: str, comments: Sequence[DraftComment]) -> bytes:
    """The bytes of a docx, odt or html file with the comments on ``text``, from which its own may differ in spaces."""
    if not comments:
        return data
    from core.revisions.annotate import add_comments

    container = open_document(data, name=session.name, format=session.format).container
    assert container is not None
    moved = move_comments(comments, text, container.text)
    return add_comments(container, moved) if moved else data


def _plain_bytes(session: Session, text: str, tracking: Tracking | None) -> bytes:
    """The file as in `container_bytes`, without comments that were added to the text here."""
    container = session.container
    assert container is not None
    if tracking is not None and session.can_track:
        from core.revisions.rewords import notes_for
        from core.revisions.tracking import save_tracked

        notes = notes_for(tracking.rewords, container.text, text)
        return save_tracked(container, text, tracking.stamp, notes)
    if session.tracked:
        # What was saved as tracked changes stays so.
        container = open_document(session.tracked, name=session.name, format=session.format).container
        assert container is not None
    return container.save(text)


def changed_outside(session: Session) -> bool:
    """Whether the file exists with other bytes than when this session last read or wrote it."""
    if session.path is None or not session.sha256:
        return False
    try:
        return hash_of(session.path) not in (session.sha256, None)
    except FileError:
        return True


def can_encode(text: str, encoding: str) -> bool:
    """Whether ``text`` can be encoded in ``encoding``."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def hash_of(path: Path) -> str | None:
    """The SHA-256 of a file's bytes; None if there is no file. Raises FileError."""
    try:
        path.stat()
    except OSError:
        return None
    return hashlib.sha256(read_bytes(path)).hexdigest()


class FileState(Enum):
    """The state of the file of an unsaved draft."""

    UNTITLED = "untitled"
    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class UnsavedDraft:
    """An unsaved draft to offer. ``saved`` is the present text of its file, empty if there is none."""

    orphan: OrphanedJournal
    state: FileState
    session: Session
    saved: str


def uid_to_read(store: Store, session: Session) -> str:
    """The uid to look up in the store what belongs to the draft; unlike `stored_uid`, it adds no untitled draft."""
    return session.uid if session.path is None else stored_uid(store, session)


def stored_uid(store: Store, session: Session) -> str:
    """The uid of the draft in the store, which may know its file by an older one; a new draft is added."""
    return store.open_draft(session.uid, name=session.name, path=session.path).uid
