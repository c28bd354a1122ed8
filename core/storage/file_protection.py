"""What protects a file: its owner, group, permissions, access list and extended attributes, given to another file."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path

_ABSENT = (errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)


def copy_protection(original: Path, copy: Path) -> bool:
    """Give ``copy`` what protects ``original``; returns whether it has all of that, and nothing else.

    Until its owner and group are right, ``copy`` must be readable by its owner only.
    """
    before = original.stat()
    try:
        if hasattr(os, "chown"):
            os.chown(copy, before.st_uid, before.st_gid)
        if sys.platform == "darwin":
            if not _copy_by_system(original, copy):
                return False
        elif sys.platform != "win32":
            _copy_attributes(original, copy)
        copy.chmod(stat.S_IMODE(before.st_mode))
        after = copy.stat()
        same = (before.st_uid, before.st_gid, before.st_mode) == (after.st_uid, after.st_gid, after.st_mode)
        return same and _attributes(original) == _attributes(copy)
    except OSError:
        return False


def keep_owner(path: Path, before: os.stat_result) -> None:
    """Give ``path`` the owner and group of an earlier file, where that is permitted."""
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(path, before.st_uid, before.st_gid)


def _attributes(path: Path) -> dict[str, bytes]:
    """The extended attributes of a file; on Linux its access list is one of them. Raises OSError."""
    if sys.platform != "linux":
        return {}
    try:
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}
    except OSError as error:
        if error.errno in _ABSENT:
            return {}
        raise


def _copy_attributes(original: Path, copy: Path) -> None:
    """Make the extended attributes equal; a new file can have inherited some from its folder. Raises OSError."""
    if sys.platform != "linux":
        return
    wanted, there = _attributes(original), _attributes(copy)
    for name in there.keys() - wanted.keys():
        os.removexattr(copy, name)
    for name, value in wanted.items():
        if there.get(name) != value:
            os.setxattr(copy, name, value)


def _copy_by_system(original: Path, copy: Path) -> bool:
    """Let macOS copy the access list and the extended attributes; returns whether it did."""
    import ctypes

    access_list, attributes = 1 << 0, 1 << 2
    system = ctypes.CDLL(None)
    flags = ctypes.c_uint32(access_list | attributes)
    return bool(system.copyfile(os.fsencode(original), os.fsencode(copy), None, flags) == 0)


def replace_by_system(fresh: Path, target: Path) -> bool:
    """Rename ``fresh`` to ``target``, which exists; on Windows it gets what protected ``target``. Raises OSError.

    Returns False where Windows cannot do that, and ``target`` is unchanged.
    """
    if sys.platform == "win32":
        import ctypes

        if ctypes.windll.kernel32.ReplaceFileW(str(target), str(fresh), None, 0, None, None):
            return True
        if target.exists():
            return False
    fresh.replace(target)
    return True
