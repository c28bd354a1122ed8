"""File locks that the system frees when their process dies, which tells a live window from a killed one."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
import time
import unicodedata
from pathlib import Path

from core.storage.disk import make_private_folder

_PAUSE_S = 0.05
_HELD = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)


class FileLock:
    """A lock on a small file of its own. `acquire` takes it; `release` frees it and removes the file."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    @classmethod
    def acquire(cls, path: Path) -> FileLock | None:
        """The lock on ``path``, whose folder is created; None while another window or process holds it.

        On file systems without locks it counts as free. Raises OSError if the file cannot be created.
        """
        make_private_folder(path.parent)
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
            if not _lock(descriptor):
                os.close(descriptor)
                return None
            # Its holder may have removed the file meanwhile; a lock on a removed file guards nothing.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), path.stat()):
                    return cls(path, descriptor)
            os.close(descriptor)

    @classmethod
    def acquire_within(cls, path: Path, seconds: float) -> FileLock | None:
        """Like `acquire`, but wait up to ``seconds`` for another holder."""
        end = time.monotonic() + seconds
        while (lock := cls.acquire(path)) is None and time.monotonic() < end:
            time.sleep(_PAUSE_S)
        return lock

    def release(self) -> None:
        """Free the lock; a second call does nothing."""
        if self._descriptor < 0:
            return
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                self._path.unlink()
        os.close(self._descriptor)
        self._descriptor = -1
        if sys.platform == "win32":
            with contextlib.suppress(OSError):
                self._path.unlink()


def draft_lock_path(folder: Path, path: Path) -> Path:
    """The path of the lock for the draft in ``path``: the same for every name of the file."""
    name = os.path.normcase(os.path.realpath(path))
    if sys.platform == "darwin":
        name = unicodedata.normalize("NFC", name).casefold()
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    return folder / f"file-{digest[:32]}.lock"


def _lock(descriptor: int) -> bool:
    """Whether the lock was acquired; True if the system does not support locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in _HELD
    return True
