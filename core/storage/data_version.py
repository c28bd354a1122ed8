"""The version of the data folder: upgrades with a backup, and folders of a newer Evenhand, which stay untouched.

One small file holds the version, which covers everything in the folder: store, journals, models, runs. A folder without
it has version 1 or is new. The store migrates in one transaction, and the version is written after it: if the program
is killed, the next start continues from there.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from core.i18n import tr
from core.paths import NoHomeError, data_folder, default_data_folder
from core.storage.disk import NotAFileError, flush, make_private_folder, open_regular, sync_folder
from core.storage.file_lock import FileLock
from core.storage.files import FileError, describe_os_error, write_bytes
from core.storage.types import FILE, StoreError

DATA_VERSION = 6
"""Increase it with every migration of the store and with any other change of the folder's layout.

1: all folders without a version file, with either schema of the store; 2: the second schema, with the file;
3: the third schema; 4: the fourth; 5: the fifth; 6: the sixth.
"""

VERSION_FILE = "format.json"
JOURNALS = "journals"
LOCK_TIMEOUT_S = 10.0
"""How long one process waits for another that upgrades the folder."""

_LOCK = "update.lock"
_BACKUP = "backup-of-format-"
_UNFINISHED = ".unfinished-"
_JOURNAL_FILES = ("*.journal", "*.damaged")
_SETTINGS = "settings.json"


class NewerDataError(StoreError):
    """The folder was last used by a newer Evenhand. The message says what to do."""


def read_data_version(folder: Path) -> int:
    """The version of a data folder; 1 if it has none that can be read."""
    try:
        with open_regular(folder / VERSION_FILE) as file:
            number = json.loads(file.read())["format"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 1
    return number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else 1


def is_newer_data(folder: Path | None = None) -> bool:
    """Whether a data folder (by default the person's own) belongs to a newer Evenhand and must not be touched."""
    try:
        return read_data_version(folder or data_folder()) > DATA_VERSION
    except NoHomeError:
        return False


def refuse_newer_data(folder: Path | None = None) -> None:
    """Raise NewerDataError where `is_newer_data`."""
    if is_newer_data(folder):
        said = tr(
            "Your data in {folder} was last used by a newer version of Evenhand and was not changed. Update "
            "Evenhand to use it."
        )
        raise NewerDataError(said.format(folder=folder or data_folder()))


@contextmanager
def upgrade_data(folder: Path, *, settings: str = "") -> Iterator[None]:
    """A context in which the store is opened and migrates itself: makes a backup before, and writes the version after.

    ``settings`` are those of the window as text, for the backup. Raises NewerDataError, before anything is touched,
    and StoreError.
    """
    refuse_newer_data(folder)
    older = read_data_version(folder) < DATA_VERSION
    with _exclusive_access(folder) if older and (folder / FILE).exists() else nullcontext():
        # Another process may have upgraded the folder while this one waited.
        number = read_data_version(folder)
        if number < DATA_VERSION and (folder / FILE).exists():
            try:
                _back_up(folder, number, settings)
            except (OSError, FileError) as error:
                raise _upgrade_error(folder, error) from error
        yield
        if number < DATA_VERSION:
            # If the disk is full, the next start writes it.
            with suppress(OSError, FileError):
                _write(folder / VERSION_FILE, json.dumps({"format": DATA_VERSION}))


@contextmanager
def _exclusive_access(folder: Path) -> Iterator[None]:
    """One process at a time upgrades a folder; the others wait. Raises StoreError."""
    try:
        lock = FileLock.acquire_within(folder / _LOCK, LOCK_TIMEOUT_S)
    except OSError as error:
        raise _upgrade_error(folder, error) from error
    if lock is None:
        raise StoreError(tr("Another window of Evenhand is upgrading your data. Try again in a moment."))
    try:
        yield
    finally:
        lock.release()


def _upgrade_error(folder: Path, error: Exception) -> StoreError:
    cause = str(error).rstrip(".") if isinstance(error, FileError) else describe_os_error(error)
    said = tr("Your data in {folder} cannot be upgraded to this version of Evenhand: {cause}.")
    return StoreError(said.format(folder=folder, cause=cause))


def note_data_elsewhere(folder: Path) -> tuple[str, ...]:
    """A note for a person whose data is in the default folder while another one, ``folder``, is new."""
    try:
        own = default_data_folder()
    except NoHomeError:
        return ()
    if folder == own or (folder / FILE).exists() or not (own / FILE).exists():
        return ()
    said = tr(
        "The history of your drafts is in {own}, but EVENHAND_HOME is set to {folder}, so a new history begins "
        "there. To keep the old history, close Evenhand and copy the whole of {own} to {folder}."
    )
    return (said.format(own=own, folder=folder),)


def backups(folder: Path) -> list[Path]:
    """The backups of ``folder`` from upgrades (the store keeps its own copies next to its file)."""
    return sorted(folder.glob(f"{_BACKUP}*"))


def remove_backups(folder: Path) -> None:
    """Remove them, because they may hold words of a deleted draft. Raises OSError."""
    for backup in backups(folder):
        shutil.rmtree(backup)


def _back_up(folder: Path, number: int, settings: str) -> None:
    """Copy the journals and the settings; a backup that is already there is complete."""
    final = folder / f"{_BACKUP}{number}"
    if final.exists():
        return
    unfinished = folder / f"{_UNFINISHED}{final.name}"
    if unfinished.exists():
        shutil.rmtree(unfinished)
    make_private_folder(unfinished / JOURNALS)
    for pattern in _JOURNAL_FILES:
        for journal in (folder / JOURNALS).glob(pattern):
            # A journal that disappears meanwhile belongs to a draft that was saved; a pipe or a device is none.
            with suppress(FileNotFoundError, NotAFileError, IsADirectoryError):
                _copy(journal, unfinished / JOURNALS / journal.name)
    if settings:
        _write(unfinished / _SETTINGS, settings)
    sync_folder(unfinished / JOURNALS)
    unfinished.replace(final)
    sync_folder(folder)


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    write_bytes(path, text.encode())


def _copy(source: Path, target: Path) -> None:
    with open_regular(source) as original:
        target.touch(mode=0o600)
        with target.open("wb") as copy:
            shutil.copyfileobj(original, copy)
            copy.flush()
            flush(copy.fileno())
