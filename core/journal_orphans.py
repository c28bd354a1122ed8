"""Journals whose window died: found by their free lock, held while they are looked at, and gone only when told to."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.journal import SUFFIX
from core.journal_format import JournalError, Place, replay
from core.journal_lock import Lock

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
