"""The file of the settings, readable by its owner only: it holds the names of recent files."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from PySide6.QtCore import QSettings

from core.storage.disk import make_private_folder


def open_private_settings() -> QSettings:
    """The settings of this user. If Qt keeps them in a file, that file and its folder are protected first.

    Qt itself would create both readable by everybody, and keeps the permissions of a file that is there.
    """
    store = QSettings("Evenhand", "Evenhand")
    if sys.platform not in ("win32", "darwin"):
        # If that is not permitted, the settings are used as Qt finds them.
        with contextlib.suppress(OSError):
            _protect(Path(store.fileName()))
    return store


def _protect(file: Path) -> None:
    """Create the file if it is missing, and let only its owner read it and its folder. Raises OSError.

    A symbolic link belongs to the person, and so do the permissions of what it leads to.
    """
    make_private_folder(file.parent)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for path, mode in ((file.parent, 0o700), (file, 0o600)):
        if not path.is_symlink() and path.stat().st_mode & 0o077:
            path.chmod(mode)
