"""The journal of an open draft: a separate thread writes every edit soon after it is made, for recovery after a crash.

Nothing is written before the first edit. Then a file in the journals' folder holds the text, and its lock shows whether
the window that writes it is still alive.
"""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from core.documents.types import Format
from core.i18n import tr
from core.paths import data_folder
from core.storage.data_version import JOURNALS, is_newer_data
from core.storage.disk import (
    NotAFileError,
    flush,
    make_private_folder,
    open_regular,
    sync_folder,
    write_all,
)
from core.storage.draft_comments import DraftComment
from core.storage.file_lock import FileLock
from core.storage.files import describe_os_error
from core.storage.journal_format import (
    FIRST_LINE,
    NOT_SAVED,
    DraftLocation,
    JournalError,
    change_record,
    comments_record,
    place_record,
    replay_journal,
    text_digest,
    text_record,
    to_utf16_bytes,
)

SUFFIX = ".journal"
WRITE_INTERVAL_S = 0.2
_AGAIN_S = 2.0
CLOSE_WAIT_S = 10.0
LARGE_JOURNAL = 4_000_000
MAX_GROWTH = 20
"""A journal with more bytes than the first, and than so many times its text, is rewritten."""
_Entry = tuple[int, int, str] | str | DraftLocation | Format | list[DraftComment]


def journals_folder() -> Path:
    """Where journals are written. It may not exist yet.

    If the data folder belongs to a newer Evenhand, it is next to that folder, so that edits are still recoverable.
    """
    folder = data_folder()
    return (_beside(folder) if is_newer_data(folder) else folder) / JOURNALS


def journal_folders() -> list[Path]:
    """The folders in which journals of crashed windows may be."""
    folder = data_folder()
    return list(dict.fromkeys([journals_folder(), _beside(folder) / JOURNALS]))


def _beside(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-meanwhile")


class Journal:
    """Receives edits of one draft from one thread, and writes them in its own thread.

    ``text`` is the draft as it is now. ``place.digest`` is computed from it, unless the text is known to be unsaved.
    ``on_error`` is called in the journal's thread: with a sentence when writing fails, with "" when it works again.
    Every edit gets a revision, counted from 1.
    """

    def __init__(
        self,
        folder: Path,
        place: DraftLocation,
        *,
        text: str = "",
        on_error: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._first = text
        self._text_utf16 = bytearray()
        self._comments: list[DraftComment] = []
        self._commented_utf16 = b""
        self._place = place
        self._stem = folder / f"{place.uid}-{uuid.uuid4().hex[:8]}"
        self._on_error = on_error
        self._queue: list[_Entry] = []
        self._given_revision = self._written = 0
        self._change = threading.Condition()
        self._write_now = threading.Event()
        self._ending = False
        self._thread: threading.Thread | None = None
        self._lock: FileLock | None = None
        self._file = -1
        self._size = 0
        self._failing = False

    @property
    def path(self) -> Path:
        """The file; it exists once something was written."""
        return self._stem.with_name(self._stem.name + SUFFIX)

    @property
    def revision(self) -> int:
        """The revision of the last edit received."""
        return self._given_revision

    @property
    def written_revision(self) -> int:
        """The revision of the last edit on the disk."""
        return self._written

    def edit(self, start: int, removed: int, inserted: str) -> int:
        """``removed`` UTF-16 units at ``start`` were replaced by ``inserted``. Returns the revision."""
        return self._enqueue((start, removed, inserted))

    def whole(self, text: str) -> int:
        """The draft is now ``text``; written only if the edits result in another text. Returns the revision."""
        return self._enqueue(text)

    def saved(self, place: DraftLocation) -> int:
        """The draft as it is now was saved in ``place``, unless its digest is `NOT_SAVED`. Returns the revision."""
        return self._enqueue(place)

    def comments(self, comments: Sequence[DraftComment]) -> int:
        """These are all comments on the draft as it is now that are not saved as they are. Returns the revision."""
        return self._enqueue(list(comments))

    def read_as(self, format: Format) -> int:
        """The draft has another format from now on; what counts as saved stays. Returns the revision."""
        return self._enqueue(format)

    def wait(self, revision: int, timeout: float | None = None) -> bool:
        """Write everything up to ``revision`` now; returns whether it was written in time."""
        self._write_now.set()
        with self._change:
            return self._change.wait_for(lambda: self._written >= revision, timeout)

    def close(self, *, keep: bool = False) -> None:
        """Stop, and remove the file; with ``keep``, write everything received so far instead, as far as possible."""
        with self._change:
            self._ending = True
            if not keep:
                self._queue.clear()
                self._failing = False
            self._change.notify_all()
        self._write_now.set()
        if self._thread is not None:
            self._thread.join(CLOSE_WAIT_S)
            if self._thread.is_alive():
                # The disk does not answer: the thread ends with the program, and the next start finds the journal.
                return
        self._close_file()
        if not keep and self._lock is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
        if self._lock is not None:
            self._lock.release()

    def _enqueue(self, entry: _Entry) -> int:
        with self._change:
            self._queue.append(entry)
            self._given_revision += 1
            if self._thread is None and not self._ending:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()
            self._change.notify_all()
            return self._given_revision

    def _run(self) -> None:
        self._text_utf16[:] = to_utf16_bytes(self._first)
        self._first = ""
        if not self._place.digest:
            self._place = replace(self._place, digest=text_digest(self._text_utf16))
        while True:
            with self._change:
                self._change.wait_for(lambda: self._queue or self._ending or self._failing)
            self._write_now.wait(_AGAIN_S if self._failing else WRITE_INTERVAL_S)
            with self._change:
                self._write_now.clear()
                entries, self._queue = self._queue, []
                given, ending = self._given_revision, self._ending
            records = b"".join(self._apply(entry) for entry in entries)
            if records or self._failing:
                self._write_records(records)
            with self._change:
                if not self._failing:
                    self._written = given
                self._change.notify_all()
                if ending and not self._queue:
                    return

    def _apply(self, entry: _Entry) -> bytes:
        """Apply an entry to the journal's own text; returns its record, empty if nothing changed."""
        if isinstance(entry, DraftLocation):
            self._place = replace(entry, digest=entry.digest or text_digest(self._text_utf16))
            if self._place.digest != NOT_SAVED:
                self._comments = []
            return place_record(self._place)
        if isinstance(entry, Format):
            self._place = replace(self._place, format=entry)
            return place_record(self._place)
        if isinstance(entry, list):
            if entry == self._comments == []:
                return b""
            self._comments, self._commented_utf16 = entry, bytes(self._text_utf16)
            return comments_record(entry)
        if isinstance(entry, str):
            data = to_utf16_bytes(entry)
            if data == self._text_utf16:
                return b""
            self._text_utf16[:] = data
            return text_record(data)
        start, removed, inserted = entry[0], entry[1], to_utf16_bytes(entry[2])
        self._text_utf16[2 * start : 2 * (start + removed)] = inserted
        return change_record(start, removed, inserted)

    def _write_records(self, records: bytes) -> None:
        try:
            large = max(LARGE_JOURNAL, MAX_GROWTH * len(self._text_utf16)) if self._size else 0
            if self._failing or self._size + len(records) > large or not self._is_there():
                self._rewrite()
            else:
                write_all(self._file, records)
                flush(self._file)
                self._size += len(records)
        except OSError as error:
            self._fail(error)
        else:
            if self._failing:
                self._failing = False
                self._on_error("")

    def _fail(self, error: OSError) -> None:
        """Cut the file back to its last intact record; the next try rewrites it with everything since."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
        if not self._failing:
            self._failing = True
            said = tr(
                "What you write is not protected against a crash: {cause}. The text is only in this window: save it."
            )
            self._on_error(said.format(cause=describe_os_error(error)))

    def _is_there(self) -> bool:
        """Whether the open file is still the one under its name."""
        try:
            return self._file >= 0 and os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return False

    def _rewrite(self) -> None:
        """Replace the file atomically with a new one that holds the whole text."""
        make_private_folder(self.path.parent)
        if self._lock is None:
            self._lock = FileLock.acquire(self._stem.with_name(self._stem.name + ".lock"))
        data = FIRST_LINE + place_record(self._place)
        if self._comments:
            data += text_record(self._commented_utf16) + comments_record(self._comments)
        data += text_record(self._text_utf16)
        fresh = self._stem.with_name(self._stem.name + ".new")
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        file = os.open(fresh, flags, 0o600)
        try:
            write_all(file, data)
            flush(file)
        except OSError:
            os.close(file)
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise
        os.close(file)
        self._close_file()
        fresh.replace(self.path)
        sync_folder(self.path.parent)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        self._size = len(data)

    def _close_file(self) -> None:
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = -1


DAMAGED = ".damaged"


@dataclass(frozen=True, slots=True)
class OrphanedJournal:
    """The journal of a draft that was not saved before its window crashed. ``when``: time of the last known edit.

    ``comments`` and ``commented_text`` are as in `core.storage.journal_format.ReplayedJournal`.
    """

    journal: Path
    lock: FileLock
    place: DraftLocation
    text: str
    when: datetime
    damaged: bool
    comments: tuple[DraftComment, ...] = ()
    commented_text: str = ""

    def discard(self) -> None:
        """Delete the journal."""
        with contextlib.suppress(FileNotFoundError):
            self.journal.unlink()
        self.lock.release()

    def release(self) -> None:
        """Leave the journal for the next start."""
        self.lock.release()


@dataclass(frozen=True, slots=True)
class FoundJournals:
    """The journals found: drafts to recover, newest first, and files that could not be read, where they are now."""

    orphans: tuple[OrphanedJournal, ...] = ()
    unreadable: tuple[Path, ...] = ()


def find_orphans(*folders: Path) -> FoundJournals:
    """Lock every journal without a live window. Those with nothing unsaved are deleted, damaged ones set aside.

    Journals of a later version stay untouched. Never raises: each journal is read by itself, and a folder that cannot
    be read counts as empty.
    """
    orphans, unreadable = [], []
    for folder in folders:
        with contextlib.suppress(OSError):
            for path in sorted(folder.glob(f"*{SUFFIX}")):
                try:
                    found = _take_orphan(path)
                except (OSError, MemoryError):
                    found = path
                if isinstance(found, OrphanedJournal):
                    orphans.append(found)
                elif found is not None:
                    unreadable.append(found)
            _remove_unfinished(folder)
    orphans.sort(key=lambda orphan: orphan.when, reverse=True)
    return FoundJournals(tuple(orphans), tuple(unreadable))


def _take_orphan(path: Path) -> OrphanedJournal | Path | None:
    """The orphan, where the damaged journal was put, or None if there is nothing to offer. Raises OSError."""
    lock = FileLock.acquire(path.with_suffix(".lock"))
    if lock is None:
        return None
    kept = False
    try:
        found = _read_orphan(path, lock)
        kept = isinstance(found, OrphanedJournal)
        return found
    except FileNotFoundError:
        return None
    finally:
        if not kept:
            lock.release()


def _read_orphan(path: Path, lock: FileLock) -> OrphanedJournal | Path | None:
    try:
        with open_regular(path) as file:
            when = _moment(os.fstat(file.fileno()).st_mtime)
            replayed = replay_journal(file.read())
    except (JournalError, NotAFileError, IsADirectoryError) as error:
        newer = isinstance(error, JournalError) and error.newer
        return None if newer else path.rename(path.with_suffix(DAMAGED))
    if replayed.unsaved or replayed.damaged:
        return OrphanedJournal(
            path,
            lock,
            replayed.place,
            replayed.text,
            when,
            replayed.damaged,
            replayed.comments,
            replayed.commented_text,
        )
    path.unlink()
    return None


def _moment(seconds: float) -> datetime:
    """The time of a file; 1970 if the file system holds one that no calendar has."""
    try:
        return datetime.fromtimestamp(seconds)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0)


def _remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of crashed windows; their journals hold the same text."""
    for path in folder.glob("*.new"):
        lock = FileLock.acquire(path.with_suffix(".lock"))
        if lock is not None:
            with contextlib.suppress(OSError):
                path.unlink()
            lock.release()
