"""The journal of an open draft.

Every edit is written soon after it was made, by a thread of its own, and is recovered when its window died.
"""

from __future__ import annotations

import contextlib
import os
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from core.documents.types import Format
from core.i18n import tr
from core.paths import data_folder
from core.storage.data_version import JOURNALS, is_newer
from core.storage.file_lock import Lock
from core.storage.files import cause_of, flush, flush_folder, write_all
from core.storage.journal_format import (
    FIRST_LINE,
    JournalError,
    Place,
    change_record,
    digest_of,
    place_record,
    replay,
    text_record,
    units,
)

# The journal of an open draft: every edit goes to the disk soon after it was made, by a thread of its own.
#
# Nothing is written until the first edit. From then on a file in the journals' folder tells the text, whatever happens
# to the program; its lock tells whether the window that writes it still lives.


SUFFIX = ".journal"
BATCH_S = 0.2
_AGAIN_S = 2.0
LARGE = 4_000_000
TIMES = 20
"""A journal of more bytes than this, and than so many times its text, is begun anew."""
_Entry = tuple[int, int, str] | str | Place | Format


def journals_folder() -> Path:
    """Where journals are written. It may not exist yet.

    While the data folder belongs to a newer Evenhand, it lies beside that: what is typed is kept all the same.
    """
    folder = data_folder()
    return (_beside(folder) if is_newer(folder) else folder) / JOURNALS


def journals_folders() -> list[Path]:
    """Where journals of a window that died may lie."""
    folder = data_folder()
    return list(dict.fromkeys([journals_folder(), _beside(folder) / JOURNALS]))


def _beside(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}-meanwhile")


class Journal:
    """Takes edits of one draft from one thread, and writes them in its own.

    ``text`` is the draft as it is now. ``place.digest`` is filled in from it, unless the text is known to be unsaved.
    ``told`` is called in the journal's thread: with a sentence when nothing can be written, with "" when it can again.
    Every edit gets a revision, rising from 1.
    """

    def __init__(
        self, folder: Path, place: Place, *, text: str = "", told: Callable[[str], None] = lambda _: None
    ) -> None:
        self._first = text
        self._mirror = bytearray()
        self._place = place
        self._stem = folder / f"{place.uid}-{uuid.uuid4().hex[:8]}"
        self._told = told
        self._queue: list[_Entry] = []
        self._given = self._written = 0
        self._change = threading.Condition()
        self._hurry = threading.Event()
        self._ending = False
        self._thread: threading.Thread | None = None
        self._lock: Lock | None = None
        self._file = -1
        self._size = 0
        self._failing = False

    @property
    def path(self) -> Path:
        """The file, which is there once something was written."""
        return self._stem.with_name(self._stem.name + SUFFIX)

    @property
    def revision(self) -> int:
        """That of the last edit which was given."""
        return self._given

    @property
    def acknowledged(self) -> int:
        """That of the last edit which lies on the disk."""
        return self._written

    def edit(self, start: int, removed: int, inserted: str) -> int:
        """``removed`` UTF-16 units at ``start`` gave way to ``inserted``. Returns the revision."""
        return self._give((start, removed, inserted))

    def whole(self, text: str) -> int:
        """The draft is now ``text``: written only where the edits tell another one. Returns the revision."""
        return self._give(text)

    def saved(self, place: Place) -> int:
        """The draft as it is now was saved in ``place``, unless its digest is `NOWHERE`. Returns the revision."""
        return self._give(place)

    def read_as(self, format: Format) -> int:
        """The draft is of another format from now on; what counts as saved stays. Returns the revision."""
        return self._give(format)

    def wait(self, revision: int, timeout: float | None = None) -> bool:
        """Have everything up to ``revision`` written now; returns whether it is."""
        self._hurry.set()
        with self._change:
            return self._change.wait_for(lambda: self._written >= revision, timeout)

    def close(self, *, keep: bool = False) -> None:
        """End. The file goes unless ``keep``: then all that was given is written, as far as that can be done."""
        with self._change:
            self._ending = True
            if not keep:
                self._queue.clear()
                self._failing = False
            self._change.notify_all()
        self._hurry.set()
        if self._thread is not None:
            self._thread.join()
        self._shut()
        if not keep and self._lock is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
        if self._lock is not None:
            self._lock.release()

    def _give(self, entry: _Entry) -> int:
        with self._change:
            self._queue.append(entry)
            self._given += 1
            if self._thread is None and not self._ending:
                self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
                self._thread.start()
            self._change.notify_all()
            return self._given

    def _run(self) -> None:
        self._mirror[:] = units(self._first)
        self._first = ""
        if not self._place.digest:
            self._place = replace(self._place, digest=digest_of(self._mirror))
        while True:
            with self._change:
                self._change.wait_for(lambda: self._queue or self._ending or self._failing)
            self._hurry.wait(_AGAIN_S if self._failing else BATCH_S)
            with self._change:
                self._hurry.clear()
                entries, self._queue = self._queue, []
                given, ending = self._given, self._ending
            records = b"".join(self._follow(entry) for entry in entries)
            if records or self._failing:
                self._try(records)
            with self._change:
                if not self._failing:
                    self._written = given
                self._change.notify_all()
                if ending and not self._queue:
                    return

    def _follow(self, entry: _Entry) -> bytes:
        """Do to the mirror what was done to the draft; the record of it, empty where it says nothing new."""
        if isinstance(entry, Place):
            self._place = replace(entry, digest=entry.digest or digest_of(self._mirror))
            return place_record(self._place)
        if isinstance(entry, Format):
            self._place = replace(self._place, format=entry)
            return place_record(self._place)
        if isinstance(entry, str):
            data = units(entry)
            if data == self._mirror:
                return b""
            self._mirror[:] = data
            return text_record(data)
        start, removed, inserted = entry[0], entry[1], units(entry[2])
        self._mirror[2 * start : 2 * (start + removed)] = inserted
        return change_record(start, removed, inserted)

    def _try(self, records: bytes) -> None:
        try:
            large = max(LARGE, TIMES * len(self._mirror)) if self._size else 0
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
                self._told("")

    def _fail(self, error: OSError) -> None:
        """Leave the file sound as far as it goes; the next try writes it anew, with all that came since."""
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._size)
        if not self._failing:
            self._failing = True
            said = tr(
                "What you write is not kept in case of a crash: {cause}. The text is here in the window: save it."
            )
            self._told(said.format(cause=cause_of(error)))

    def _is_there(self) -> bool:
        """Whether the file that is written still is the one under its name."""
        try:
            return self._file >= 0 and os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return False

    def _rewrite(self) -> None:
        """A new file with the whole text in place of the old one, which stays until the new one is whole."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = Lock.take(self._stem.with_name(self._stem.name + ".lock"))
        data = FIRST_LINE + place_record(self._place) + text_record(self._mirror)
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
        self._shut()
        fresh.replace(self.path)
        flush_folder(self.path.parent)
        self._file = os.open(self.path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        self._size = len(data)

    def _shut(self) -> None:
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.close(self._file)
            self._file = -1


# Journals whose window died: found by their free lock, held while they are looked at, and gone only when told to.


DAMAGED = ".damaged"


@dataclass(frozen=True, slots=True)
class Orphan:
    """A draft that was not saved before its window died. ``when``: of the last edit that is known."""

    journal: Path
    lock: Lock
    place: Place
    text: str
    when: datetime
    damaged: bool

    def discard(self) -> None:
        """Remove the journal for good."""
        with contextlib.suppress(FileNotFoundError):
            self.journal.unlink()
        self.lock.release()

    def release(self) -> None:
        """Leave it as it is, for the next start."""
        self.lock.release()


@dataclass(frozen=True, slots=True)
class Found:
    """What the journals' folders held: drafts to offer, newest first, and files that could not be read."""

    orphans: tuple[Orphan, ...] = ()
    unreadable: tuple[Path, ...] = ()


def find_orphans(*folders: Path) -> Found:
    """Take every journal that nobody holds. Those with nothing unsaved are removed, unreadable ones set aside.

    Journals of a later version stay untouched. Never raises: a folder that cannot be read holds nothing.
    """
    orphans, unreadable = [], []
    for folder in folders:
        with contextlib.suppress(OSError):
            for path in sorted(folder.glob(f"*{SUFFIX}")):
                with contextlib.suppress(OSError):
                    found = _look(path)
                    if isinstance(found, Orphan):
                        orphans.append(found)
                    elif found is not None:
                        unreadable.append(found)
            _sweep(folder)
    orphans.sort(key=lambda orphan: orphan.when, reverse=True)
    return Found(tuple(orphans), tuple(unreadable))


def _look(path: Path) -> Orphan | Path | None:
    lock = Lock.take(path.with_suffix(".lock"))
    if lock is None:
        return None
    try:
        when = datetime.fromtimestamp(path.stat().st_mtime)
        said = replay(path.read_bytes())
    except FileNotFoundError:
        lock.release()
        return None
    except JournalError as error:
        aside = None if error.newer else path.rename(path.with_suffix(DAMAGED))
        lock.release()
        return aside
    except OSError:
        lock.release()
        raise
    if said.unsaved or said.damaged:
        return Orphan(path, lock, said.place, said.text, when, said.damaged)
    path.unlink()
    lock.release()
    return None


def _sweep(folder: Path) -> None:
    """Remove what was half written when a window died: its journal tells the same."""
    for path in folder.glob("*.new"):
        lock = Lock.take(path.with_suffix(".lock"))
        if lock is not None:
            with contextlib.suppress(OSError):
                path.unlink()
            lock.release()
