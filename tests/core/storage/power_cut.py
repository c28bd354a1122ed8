"""A disk that keeps only what was flushed: the calls of the storage code, and what would be left after a power cut.

A file has the content of its last flush, and a folder the names of its last flush. What SQLite writes is not seen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest


@dataclass(slots=True)
class PowerCut:
    """What of ``root`` would be left. ``faults``: what a power cut at another moment would have destroyed."""

    root: Path
    faults: list[str] = field(default_factory=list)
    flushes: list[Path] = field(default_factory=list)
    """The files and folders that were flushed, in order."""
    before_flush: list[Callable[[], None]] = field(default_factory=list)
    """What is called before every flush."""
    _contents: dict[int, bytes] = field(default_factory=dict)
    _names: dict[int, dict[str, int]] = field(default_factory=dict)
    _held: list[int] = field(default_factory=list)

    def left(self, path: Path) -> bytes | None:
        """The content of a file after a power cut; None if it would be gone."""
        inode = self.root.stat().st_ino
        for name in path.relative_to(self.root).parts:
            if name not in self._names.get(inode, {}):
                return None
            inode = self._names[inode][name]
        return self._contents.get(inode, b"")

    def _keep(self, path: Path) -> None:
        """Take over the present state of a file or folder."""
        opened = os.open(path, os.O_RDONLY)
        # As long as it is open, no new file gets its inode.
        self._held.append(opened)
        inode = os.fstat(opened).st_ino
        if path.is_dir():
            self._names[inode] = {entry.name: entry.inode() for entry in os.scandir(path)}
        else:
            self._contents[inode] = path.read_bytes()

    def _find(self, inode: int) -> Path | None:
        """A path of an inode below the root; None for files elsewhere."""
        paths = (self.root, *self.root.rglob("*"))
        return next((path for path in paths if path.lstat().st_ino == inode), None)

    def _about_to_rename(self, source: Path) -> None:
        if source.is_file() and self._contents.get(source.stat().st_ino) != source.read_bytes():
            self.faults.append(f"{source.name} was renamed before it was flushed")

    def _about_to_write(self, descriptor: int) -> None:
        """Old content may be overwritten only where another file holds it, under a name that is kept."""
        import fcntl

        inode = os.fstat(descriptor).st_ino
        old = self._contents.get(inode)
        if old and not fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_APPEND:
            paths = [path for path in self.root.rglob("*") if path.is_file() and path.stat().st_ino != inode]
            if old not in map(self.left, paths):
                self.faults.append("a file was overwritten without a flushed copy")


@contextmanager
def power_cut(root: Path) -> Iterator[PowerCut]:
    """Watch ``root``. What it holds at the beginning counts as flushed."""
    disk = PowerCut(root)
    for path in (root, *root.rglob("*")):
        disk._keep(path)
    real: dict[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in ("fsync", "replace", "write", "ftruncate")
    }

    def fsync(descriptor: int) -> None:
        for call in disk.before_flush:
            call()
        real["fsync"](descriptor)
        path = disk._find(os.fstat(descriptor).st_ino)
        if path is not None:
            disk.flushes.append(path)
            disk._keep(path)

    def replace(source: Any, target: Any) -> None:
        disk._about_to_rename(Path(source))
        real["replace"](source, target)

    def changing(name: str) -> Callable[..., Any]:
        def call(descriptor: int, value: Any) -> Any:
            disk._about_to_write(descriptor)
            return real[name](descriptor, value)

        return call

    with pytest.MonkeyPatch.context() as patch:
        # Elsewhere other calls flush.
        patch.setattr("sys.platform", "linux")
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "replace", replace)
        patch.setattr(os, "write", changing("write"))
        patch.setattr(os, "ftruncate", changing("ftruncate"))
        try:
            yield disk
        finally:
            for descriptor in disk._held:
                os.close(descriptor)
