"""What a person is told when the store's file cannot be read or written: one sentence why, and what to do."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from core.language import tr
from core.store.model import StoreError

DATABASE_ERRORS = (DBAPIError, sqlite3.Error, OSError)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)
_ERRNO_FULL = (errno.ENOSPC, errno.EDQUOT)


def is_damage(error: Exception) -> bool:
    """Whether the file is no database any more, or not a whole one."""
    return _code(error) in _DAMAGED


def is_busy(error: Exception) -> bool:
    """Whether another process was at the file for longer than one waits."""
    return _code(error) in _BUSY


def told(error: Exception, path: Path) -> StoreError:
    """The error for a person. What SQLite says is left out: it can hold what was to be written."""
    code = _code(error)
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_FULL or number in _ERRNO_FULL:
        why = tr("the disk is full. Free some space; your text itself is safe")
    elif code in _BUSY:
        why = tr("another window of Evenhand is using it. Try again in a moment")
    elif code in _DAMAGED:
        why = tr("it is damaged. Start Evenhand again: it keeps the damaged file and begins a new one")
    elif code in _FORBIDDEN or number in (errno.EACCES, errno.EPERM, errno.EROFS):
        why = tr("it cannot be written. Change the permissions of the file and of its folder")
    elif code == sqlite3.SQLITE_IOERR or number == errno.EIO:
        why = tr("the disk reports an error. Check the disk; your text itself is safe")
    else:
        why = tr("it cannot be used ({error}). Start Evenhand again").format(error=_name(error))
    return StoreError(tr("The history of your drafts ({path}): {why}.").format(path=path, why=why))


def _code(error: Exception) -> int:
    """The primary result code of SQLite, or -1. What Python itself refuses has no code."""
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlite_errorcode", -1) & 0xFF if isinstance(original, sqlite3.Error) else -1


def _name(error: Exception) -> str:
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlite_errorname", None) or type(original).__name__
