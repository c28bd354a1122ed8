"""The SQLite file of the store: opened, checked, migrated, and set aside if it is damaged; errors as messages."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import sqlite3
import time
from datetime import datetime
from itertools import chain
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from core.i18n import tr
from core.storage.disk import make_private_folder, sync_folder
from core.storage.migrations import APPLICATION_ID, STEPS
from core.storage.types import StoreError

DATABASE_ERRORS = (DBAPIError, sqlite3.Error, OSError, UnicodeDecodeError)
"""What an operation on the store may raise; the driver decodes names of a damaged schema itself, and fails."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)
_ERRNO_FULL = (errno.ENOSPC, errno.EDQUOT)


def is_damage(error: Exception) -> bool:
    """Whether the database is damaged."""
    return _code(error) in _DAMAGED


def is_busy(error: Exception) -> bool:
    """Whether another process kept the file locked longer than the timeout."""
    return _code(error) in _BUSY


def store_error(error: Exception, path: Path) -> StoreError:
    """The error with a message for a person. SQLite's message is left out: it can contain the text being written."""
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
    """The primary result code of SQLite, or -1. What Python itself refuses has no code, or is damage."""
    if isinstance(error, UnicodeDecodeError):
        return sqlite3.SQLITE_CORRUPT
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlite_errorcode", -1) & 0xFF if isinstance(original, sqlite3.Error) else -1


def _name(error: Exception) -> str:
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlite_errorname", None) or type(original).__name__


BUSY_S = 5.0
"""How long one process waits for another's lock."""
BACKUPS = 2
_TRIES = 3
_PAUSE_S = 0.2
_MOST_PROBLEMS = 10_000
# A value that its column does not allow spoils one row, and the rows are read one by one.
_ABOUT_A_VALUE = re.compile(r"(NULL|TEXT|NUMERIC) value in |CHECK constraint failed in ")
_SIDE_FILES = ("-wal", "-shm", "-journal")


class _DamagedError(Exception):
    """The file is not an intact store."""


def open_database(path: Path) -> tuple[Engine, tuple[str, ...]]:
    """An engine for the store at ``path``, created if it does not exist, and notes for a person about problems.

    The engine has one connection, so threads must take turns. Raises ``StoreError``.
    """
    notes: tuple[str, ...] = ()
    for attempt in range(_TRIES):
        last = attempt == _TRIES - 1
        before = None
        try:
            _make_private(path)
            before = _identity(path)
            engine = make_engine(path)
            try:
                _prepare(engine, path)
            except BaseException:
                engine.dispose()
                raise
        except (_DamagedError, *DATABASE_ERRORS) as error:
            if isinstance(error, _DamagedError) or is_damage(error):
                notes += _put_aside(path, before)
            elif last or not is_busy(error):
                raise store_error(error, path) from error
            else:
                time.sleep(_PAUSE_S)
        else:
            return engine, notes
    raise StoreError(tr("The history of your drafts ({path}) cannot be created.").format(path=path))


def make_engine(path: Path) -> Engine:
    """An engine with one connection. With the option ``writes`` a transaction takes the write lock at its start."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": BUSY_S, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def connected(raw: sqlite3.Connection, _record: object) -> None:
        for pragma in ("foreign_keys = ON", "synchronous = FULL", "secure_delete = ON"):
            raw.execute(f"PRAGMA {pragma}")
        # A damaged text is readable apart from its damage, and the rows beside it entirely.
        raw.text_factory = lambda data: data.decode("utf-8", "replace")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        how = "IMMEDIATE" if connection.get_execution_options().get("writes") else "DEFERRED"
        connection.exec_driver_sql(f"BEGIN {how}")

    return engine


def driver_connection(engine: Engine) -> sqlite3.Connection:
    """The connection of SQLite itself, for statements outside a transaction."""
    raw = engine.raw_connection()
    try:
        connection = raw.driver_connection
    finally:
        raw.close()
    assert isinstance(connection, sqlite3.Connection)
    return connection


def sibling_files(path: Path, part: str) -> list[Path]:
    """The files next to ``path`` with ``part`` (``backup``, ``damaged``) in their name, oldest first."""
    start = f"{path.stem}.{part}-"
    with contextlib.suppress(OSError):
        return sorted(file for file in path.parent.iterdir() if file.name.startswith(start))
    return []


def _prepare(engine: Engine, path: Path) -> None:
    raw = driver_connection(engine)
    version = _pragma(raw, "user_version")
    known = _pragma(raw, "application_id") == APPLICATION_ID
    if not known and (version or raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]):
        raise StoreError(
            tr(
                "{path} is not an Evenhand database. Move it to another place and start Evenhand again."
            ).format(path=path)
        )
    if version > len(STEPS):
        raise StoreError(
            tr(
                "The history of your drafts was written by a newer version of Evenhand and was not changed. "
                "Update Evenhand to use it."
            )
        )
    found = [str(line) for (line,) in raw.execute(f"PRAGMA quick_check({_MOST_PROBLEMS})")]
    if not all(line == "ok" or _ABOUT_A_VALUE.match(line) for line in found):
        raise _DamagedError
    _check_schema(raw)
    if 0 < version < len(STEPS) and _is_alone(raw):
        _back_up(raw, path, version)
    raw.execute("PRAGMA journal_mode = WAL")
    _migrate(raw)
    _check_schema(raw)


def _check_schema(raw: sqlite3.Connection) -> None:
    """Compare the schema with the one of its version, which SQLite's own checks do not. Raises _DamagedError."""
    raw.execute("BEGIN")
    try:
        # Another process may migrate it meanwhile: version and schema are read at one moment.
        version = _pragma(raw, "user_version")
        found = _schema(raw)
    finally:
        raw.rollback()
    if version > len(STEPS):
        return
    expected, latest = _schema_of(version), _schema_of(len(STEPS))
    if {name: text for name, text in found.items() if name in latest} != expected:
        raise _DamagedError


def _schema_of(version: int) -> dict[tuple[str, str], str]:
    """The schema that the first migrations make in an empty store."""
    with contextlib.closing(sqlite3.connect(":memory:")) as raw:
        for statement in chain.from_iterable(STEPS[:version]):
            raw.execute(statement)
        return _schema(raw)


def _schema(raw: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """The statement that made each table and index, by its type and name; white space does not count."""
    rows = raw.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {(str(kind), str(name)): " ".join(str(text).split()) for kind, name, text in rows}


def _is_alone(raw: sqlite3.Connection) -> bool:
    """Whether the schema can be changed: no other process has the file open. Raises StoreError if an older version has.

    Only a single process can leave the write-ahead log mode, and SQLite does not wait for that itself. False if another
    process has migrated the schema meanwhile.
    """
    end = time.monotonic() + BUSY_S
    while True:
        try:
            raw.execute("PRAGMA journal_mode = DELETE")
            return True
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            if _pragma(raw, "user_version") == len(STEPS):
                return False
            if time.monotonic() > end:
                raise StoreError(
                    tr(
                        "Evenhand was updated, but an earlier version is still running, in another window or as "
                        "a training run. Close it, then start Evenhand again."
                    )
                ) from error
        time.sleep(_PAUSE_S)


def _migrate(raw: sqlite3.Connection) -> None:
    if _pragma(raw, "user_version") == len(STEPS):
        return
    raw.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have done it while this one waited.
        for step in STEPS[_pragma(raw, "user_version") :]:
            for statement in step:
                raw.execute(statement)
        raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        raw.execute(f"PRAGMA user_version = {len(STEPS)}")
        raw.execute("COMMIT")
    finally:
        raw.rollback()


def _pragma(raw: sqlite3.Connection, name: str) -> int:
    return int(raw.execute(f"PRAGMA {name}").fetchone()[0])


def _back_up(raw: sqlite3.Connection, path: Path, version: int) -> None:
    """Keep a whole copy from before a change of the schema, and only the last ones."""
    final = path.with_name(f"{path.stem}.backup-{_stamp()}-v{version}{path.suffix}")
    unfinished = path.with_name(f".{final.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    try:
        raw.execute("VACUUM INTO ?", (str(unfinished),))
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        unfinished.replace(final)
        sync_folder(path.parent)
    finally:
        unfinished.unlink(missing_ok=True)
    for old in sibling_files(path, "backup")[:-BACKUPS]:
        old.unlink(missing_ok=True)


def _put_aside(path: Path, before: tuple[int, int] | None) -> tuple[str, ...]:
    """Rename a damaged store and its side files; nothing where another process has done so meanwhile."""
    if _identity(path) != before:
        return ()
    aside = path.with_name(f"{path.stem}.damaged-{_stamp()}{path.suffix}")
    try:
        path.replace(aside)
        for ending in _SIDE_FILES:
            with contextlib.suppress(FileNotFoundError):
                Path(f"{path}{ending}").replace(Path(f"{aside}{ending}"))
    except OSError as error:
        raise store_error(error, path) from error
    note = tr(
        "The history of your drafts was damaged, and a new one has begun. The damaged file is kept as {path}."
    )
    return (note.format(path=aside),)


def _make_private(path: Path) -> None:
    """A folder and a file that nobody else can read. What SQLite puts beside the file gets its permissions."""
    make_private_folder(path.parent)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        sync_folder(path.parent)
    # Not by a descriptor: closing one would release the locks that this process holds on the file. The target of a
    # symbolic link keeps the permissions that its owner chose.
    if not path.is_symlink() and path.stat().st_mode & 0o077:
        path.chmod(0o600)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _stamp() -> str:
    return datetime.now().strftime("%Y%m%d-%H%M%S-%f")
