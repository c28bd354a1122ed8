r"""The file format of a journal: a first line, then records, each with its length and its checksum.

A record is a location (where the draft is, which also marks its text and comments as saved), a whole text, an edit, or
all comments on the present text that were added or undone and are not saved so. Offsets of edits count UTF-16 units and
texts are UTF-16, as in the editor: nothing is converted while a person types, and replaying on UTF-16 bytes is exact
even with unpaired surrogates.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from core.documents.types import Format
from core.i18n import tr
from core.storage.draft_comments import DraftComment, comments_from_json, comments_to_json
from core.storage.edited_text import EditedText

FIRST_LINE = b"evenhand journal 1\n"
_FIRST_WORDS = b"evenhand journal "
_MARK = b"\xf5eh\xf5"
_HEAD = struct.Struct("<4sII")
_EDIT = struct.Struct("<QQ")
_PLACE, _TEXT, _CHANGE, _COMMENTS = b"P", b"T", b"E", b"C"
_MOST_BYTES = 1 << 29
_MOST_CHECKS = 8
"""How many times its own size is checked of a journal in which damaged bytes look like records."""
NOT_SAVED = "-"
"""The digest of a `DraftLocation` whose text counts as saved nowhere."""


class JournalError(Exception):
    """The bytes are not a readable journal; ``newer``: a later version of Evenhand wrote them."""

    def __init__(self, message: str, *, newer: bool = False) -> None:
        super().__init__(message)
        self.newer = newer


@dataclass(frozen=True, slots=True)
class DraftLocation:
    """Where a draft is saved and what it is. ``path`` is None for a draft without a file.

    ``sha256`` is that of the file's bytes when the draft was last read or written, ``digest`` that of the text that
    counted as saved then. ``stamp`` stands in journals of earlier versions: the file's (modification time in ns, size).
    ``since`` is when it was opened (ISO 8601).
    """

    uid: str
    name: str
    path: Path | None = None
    format: Format = Format.PLAIN
    encoding: str = "utf-8"
    sha256: str = ""
    stamp: tuple[int, int] | None = None
    digest: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class ReplayedJournal:
    """The content of a journal. ``damaged``: parts could not be read, so later edits may be missing.

    ``comments`` were added or undone, and are not saved so; they are on the words of ``commented_text``, the text as it
    was then.
    """

    place: DraftLocation
    text: str
    damaged: bool
    comments: tuple[DraftComment, ...] = ()
    commented_text: str = ""

    @property
    def unsaved(self) -> bool:
        """Whether the text or its comments differ from the saved ones."""
        return bool(self.comments) or text_digest(to_utf16_bytes(self.text)) != self.place.digest


def to_utf16_bytes(text: str) -> bytes:
    """A text as the journal stores it: UTF-16, two bytes a unit."""
    return text.encode("utf-16-le", "surrogatepass")


def from_utf16_bytes(data: bytes | bytearray) -> str:
    """The text of the bytes of `to_utf16_bytes`; two surrogates that have come together are one character."""
    return data.decode("utf-16-le", "surrogatepass")


def text_digest(data: bytes | bytearray) -> str:
    """The SHA-256 of a text in UTF-16."""
    return hashlib.sha256(data).hexdigest()


def change_record(start: int, removed: int, inserted: bytes) -> bytes:
    """The record of an edit: ``removed`` units at ``start`` were replaced by ``inserted``."""
    return _record(_CHANGE + _EDIT.pack(start, removed) + inserted)


def text_record(data: bytes | bytearray) -> bytes:
    """The record of a whole text, compressed."""
    return _record(_TEXT + zlib.compress(data, 1))


def comments_record(comments: Sequence[DraftComment]) -> bytes:
    """The record of all comments that are not saved as they are, on the present text in code points."""
    return _record(_COMMENTS + comments_to_json(comments))


def place_record(place: DraftLocation) -> bytes:
    """The record of a location, where the present text and its comments count as saved."""
    fields = {**asdict(place), "path": None if place.path is None else str(place.path)}
    return _record(_PLACE + json.dumps(fields).encode())


def replay_journal(data: bytes) -> ReplayedJournal:
    """Replay a journal up to its last intact record; a record cut off at the end does not count as damage.

    After damage in the middle, edits are ignored until the next whole text. Raises JournalError if no text can be
    recovered, and nothing else.
    """
    try:
        return _replay(data)
    except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
        raise JournalError(f"what is in it cannot be decoded ({type(error).__name__})") from error


def _replay(data: bytes) -> ReplayedJournal:
    if not data.startswith(FIRST_LINE):
        newer = data.startswith(_FIRST_WORDS)
        raise JournalError("written by a later version" if newer else "not a journal", newer=newer)
    place: DraftLocation | None = None
    text: EditedText | None = None
    comments: list[DraftComment] = []
    commented = ""
    known, damaged, expected = True, False, len(FIRST_LINE)
    for start, end, payload in _records(data):
        kind, body = payload[:1], payload[1:]
        if start != expected:
            known, damaged = False, True
        if kind == _PLACE:
            place = _place(body) or place
            if place is not None and place.digest != NOT_SAVED:
                comments = []
        elif kind == _COMMENTS and text is not None:
            present = from_utf16_bytes(bytes(text))
            if (read := _comments(body, len(present))) is None:
                damaged = True
            else:
                comments, commented = read, present
        elif kind == _TEXT:
            whole = _unpacked(body)
            text, known, damaged = (
                (text, False, True) if whole is None else (EditedText(whole), True, damaged)
            )
        elif kind == _CHANGE and known and (text is None or not _change(text, body)):
            known, damaged = False, True
        expected = end
    if text is None:
        raise JournalError("no text in it is whole")
    if place is None:
        # What was written is worth more than where it belongs.
        place, damaged = DraftLocation(str(uuid4()), tr("Untitled")), True
    return ReplayedJournal(
        place, from_utf16_bytes(bytes(text)), damaged, tuple(comments), commented if comments else ""
    )


def _records(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """(start, end, payload) of every intact record; other bytes are skipped.

    Where far too many of these look like records, an empty record at the end stands for the rest.
    """
    at = len(FIRST_LINE)
    checked = 0
    while (at := data.find(_MARK, at)) >= 0:
        if len(data) - at < _HEAD.size:
            return
        _, length, checksum = _HEAD.unpack_from(data, at)
        begin, end = at + _HEAD.size, at + _HEAD.size + length
        if length and end <= len(data):
            payload = data[begin:end]
            if zlib.crc32(payload) == checksum:
                yield at, end, payload
                at = end
                continue
            checked += length
            if checked > _MOST_CHECKS * len(data):
                yield len(data), len(data), b""
                return
        at += 1


def _record(payload: bytes) -> bytes:
    return _HEAD.pack(_MARK, len(payload), zlib.crc32(payload)) + payload


def _change(text: EditedText, body: bytes) -> bool:
    if len(body) < _EDIT.size or len(body) % 2:
        return False
    start, removed = _EDIT.unpack_from(body)
    if 2 * (start + removed) > text.length:
        return False
    text.replace(2 * start, 2 * (start + removed), body[_EDIT.size :])
    return True


def _comments(body: bytes, length: int) -> list[DraftComment] | None:
    """The comments of a record, on a text of this length; None if they cannot be read."""
    try:
        return comments_from_json(body, length=length)
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        return None


def _unpacked(body: bytes) -> bytes | None:
    """The text of a record in UTF-16; None if it cannot be unpacked."""
    opened = zlib.decompressobj()
    try:
        text = opened.decompress(body, _MOST_BYTES)
    except zlib.error:
        return None
    return text if opened.eof and not len(text) % 2 else None


def _place(body: bytes) -> DraftLocation | None:
    try:
        fields: dict[str, Any] = json.loads(body)
        path, stamp = fields["path"], fields["stamp"]
        return DraftLocation(
            uid=str(fields["uid"]),
            name=str(fields["name"]),
            path=None if path is None or "\0" in path else Path(path),
            format=Format(fields["format"]),
            encoding=str(fields["encoding"]),
            sha256=str(fields["sha256"]),
            stamp=None if stamp is None else (int(stamp[0]), int(stamp[1])),
            digest=str(fields["digest"]),
            since=str(fields["since"]),
        )
    except (ValueError, TypeError, LookupError, OverflowError, RecursionError):
        return None
