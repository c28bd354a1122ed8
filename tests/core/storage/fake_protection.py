"""Owners, groups and extended attributes of files as a test wants them, on every file system and for every user."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ME = (1000, 1000)


@dataclass(slots=True)
class FakeProtection:
    """What the system says of files, by inode. ``refused``: attributes that cannot be set, and perhaps ``owner``."""

    owners: dict[int, tuple[int, int]] = field(default_factory=dict)
    attributes: dict[int, dict[str, bytes]] = field(default_factory=dict)
    inherited: dict[str, bytes] = field(default_factory=dict)
    refused: frozenset[str] = frozenset()
    exposed: list[str] = field(default_factory=list)
    """Changes that gave others access to a file before it had its owner."""

    def of(self, path: Path) -> tuple[tuple[int, int], dict[str, bytes]]:
        """The owner and group of a file, and its attributes."""
        inode = path.stat().st_ino
        return self.owners.get(inode, ME), self.attributes.get(inode, {})

    def give(self, path: Path, owner: tuple[int, int], attributes: dict[str, bytes]) -> None:
        """Protect a file."""
        inode = path.stat().st_ino
        self.owners[inode], self.attributes[inode] = owner, dict(attributes)


@contextmanager
def faking(protection: FakeProtection, target: Path) -> Iterator[None]:
    """Let the system say what ``protection`` says; ``target`` is the file that will be saved."""
    real = {name: getattr(os, name) for name in ("stat", "open", "chmod")}
    wanted = protection.of(target)[0]

    def status(path: Any, **more: Any) -> Any:
        found = real["stat"](path, **more)
        uid, gid = protection.owners.get(found.st_ino, ME)
        names = [name for name in dir(found) if name.startswith("st_")]
        return SimpleNamespace(
            **{name: getattr(found, name) for name in names} | {"st_uid": uid, "st_gid": gid}
        )

    def opened(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        new = bool(flags & os.O_CREAT) and not os.path.lexists(path)
        if new and mode & 0o077:
            protection.exposed.append(f"made with {mode:o}")
        descriptor: int = real["open"](path, flags, mode, **more)
        if new:
            inode = os.fstat(descriptor).st_ino
            protection.owners[inode], protection.attributes[inode] = ME, dict(protection.inherited)
        return descriptor

    def change_owner(path: Any, uid: int, gid: int) -> None:
        inode = real["stat"](path).st_ino
        if "owner" in protection.refused and (uid, gid) != protection.owners.get(inode, ME):
            raise PermissionError(errno.EPERM, "refused")
        protection.owners[inode] = (uid, gid)

    def change_mode(path: Any, mode: int, **more: Any) -> None:
        if mode & 0o077 and protection.owners.get(real["stat"](path).st_ino, ME) != wanted:
            protection.exposed.append(f"changed to {mode:o}")
        real["chmod"](path, mode, **more)

    def held(path: Any) -> dict[str, bytes]:
        return protection.attributes.setdefault(real["stat"](path).st_ino, {})

    def set_attribute(path: Any, name: str, value: bytes) -> None:
        if name in protection.refused:
            raise PermissionError(errno.EPERM, "refused")
        held(path)[name] = value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.platform", "linux")
        patch.setattr(os, "stat", status)
        patch.setattr(os, "open", opened)
        patch.setattr(os, "chown", change_owner, raising=False)
        patch.setattr(os, "chmod", change_mode)
        patch.setattr(os, "listxattr", lambda path: list(held(path)), raising=False)
        patch.setattr(os, "getxattr", lambda path, name: held(path)[name], raising=False)
        patch.setattr(os, "setxattr", set_attribute, raising=False)
        patch.setattr(os, "removexattr", lambda path, name: held(path).pop(name), raising=False)
        yield
