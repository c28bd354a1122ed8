"""What is on the disk and stays there: files replaced completely or not at all, flushed, with the same protection."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import takewhile
from pathlib import Path

from core.i18n import tr
from core.storage.file_protection import copy_protection, keep_owner, replace_by_system

_BINARY = getattr(os, "O_BINARY", 0)
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY
_OVERWRITE = os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | _BINARY
_OWNER_ONLY = 0o600
_CHUNK_BYTES = 1 << 20


class PartialWriteError(OSError):
    """A file was overwritten in part, and could not be restored; ``copy`` holds what was in it."""

    def __init__(self, error: OSError, copy: Path) -> None:
        super().__init__(error.errno, error.strerror)
        self.copy = copy


class NotAFileError(OSError):
    """A path leads to a device, a pipe or a socket: reading or replacing it could block, or do harm."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, tr("it is a device, a pipe or a socket. Give the name of a file"))


def open_regular(path: Path) -> BufferedReader:
    """Open a file to read it, never one whose reading could wait without end. Raises OSError and ValueError."""
    # Checked by name first: merely opening a device can have effects.
    _require_regular(path.stat())
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    try:
        _require_regular(os.fstat(file.fileno()))
    except OSError:
        file.close()
        raise
    return file


def _require_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise NotAFileError


def replace_file(target: Path, data: bytes, *, mode: int | None = None) -> None:
    """Replace a file by one that holds ``data``, as `replacing` does. Raises OSError and ValueError."""
    with replacing(target, mode=mode) as descriptor:
        write_all(descriptor, data)


@contextmanager
def replacing(target: Path, *, mode: int | None = None) -> Iterator[int]:
    """The descriptor of a new file that replaces ``target`` once the block has written it.

    On any failure ``target`` stays as it was, completely. It keeps its owner, group, permissions, access list and
    extended attributes. It is overwritten in place where a new file cannot have them, and where it has several names,
    so that all of them have the new content. With ``mode`` it gets these permissions, and keeps only owner and group.
    Raises OSError and ValueError.
    """
    before = _check_replaceable(target)
    fresh = target.with_name(f".{secrets.token_hex(8)}.evenhand-save")
    new_mode = 0o666 if mode is None else mode
    try:
        descriptor = os.open(fresh, _NEW_FILE, new_mode if before is None else _OWNER_ONLY)
        try:
            yield descriptor
            flush(descriptor)
        finally:
            os.close(descriptor)
        if before is None:
            fresh.replace(target)
        elif mode is not None:
            keep_owner(fresh, before)
            fresh.chmod(mode)
            fresh.replace(target)
        elif (
            before.st_nlink > 1 or not copy_protection(target, fresh) or not replace_by_system(fresh, target)
        ):
            _overwrite(target, fresh)
        sync_folder(target.parent)
    finally:
        _remove(fresh)


def _check_replaceable(target: Path) -> os.stat_result | None:
    """The status of a file that is going to be replaced; None if there is none. Raises OSError and ValueError."""
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not target.exists():
        return None
    before = target.stat()
    _require_regular(before)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return before


def _overwrite(target: Path, fresh: Path) -> None:
    """Copy ``fresh`` into ``target``. Meanwhile a copy of the old content lies beside it, under a name that is seen.

    Raises OSError; that is PartialWriteError if the old content could not be restored.
    """
    name = f"{target.stem[:24]}~recovery-{secrets.token_hex(4)}{target.suffix[:8]}"
    recovery = target.with_name(name)
    try:
        _copy(target, os.open(recovery, _NEW_FILE, _OWNER_ONLY))
        sync_folder(target.parent)
    except BaseException:
        _remove(recovery)
        raise
    try:
        _copy(fresh, os.open(target, _OVERWRITE))
    except BaseException as error:
        if _restore(target, recovery):
            _remove(recovery)
        elif isinstance(error, OSError):
            raise PartialWriteError(error, recovery) from error
        raise
    _remove(recovery)


def _restore(target: Path, recovery: Path) -> bool:
    """Write the old content again, if it is not there any more; returns whether it is there."""
    try:
        if target.read_bytes() != recovery.read_bytes():
            _copy(recovery, os.open(target, _OVERWRITE))
    except OSError:
        return False
    return True


def _copy(source: Path, descriptor: int) -> None:
    """Write the content of ``source`` over that of an open file; flush and close it. Raises OSError.

    It is shortened last: what is overwritten needs no more room on the disk.
    """
    size = 0
    try:
        with source.open("rb") as original:
            while chunk := original.read(_CHUNK_BYTES):
                write_all(descriptor, chunk)
                size += len(chunk)
        os.ftruncate(descriptor, size)
        flush(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes, in several calls if needed. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def flush(descriptor: int) -> None:
    """Flush a file to the disk itself. Raises OSError."""
    if sys.platform == "darwin":
        import fcntl

        # fsync stops at the disk's own cache here; not every file system supports F_FULLFSYNC.
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, where the system supports it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_private_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, readable by their owner only. Raises OSError.

    A folder that is there stays as it is. New ones survive a power cut.
    """
    missing = [*takewhile(lambda one: not one.is_dir(), (folder, *folder.parents))]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
        sync_folder(one.parent)
