"""Detects that a file is open in two windows: each window locks its file until it closes or crashes."""

from __future__ import annotations

import contextlib
from enum import Enum
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.storage.file_lock import FileLock, draft_lock_path
from core.storage.journal import journals_folder


class OpenChoice(Enum):
    """What to do with a file that another window has open."""

    READ_ONLY = "read only"
    ANYWAY = "anyway"
    CANCEL = "cancel"


class OpenFileClaim:
    """The lock of the file that a window has open. If it cannot be locked, it counts as free."""

    def __init__(self) -> None:
        self._place: Path | None = None
        self._lock: FileLock | None = None

    def is_open_elsewhere(self, path: Path) -> bool:
        """Whether another window has this file open now."""
        place = draft_lock_path(journals_folder(), path)
        if place == self._place:
            return False
        with contextlib.suppress(OSError):
            lock = FileLock.acquire(place)
            if lock is None:
                return True
            lock.release()
        return False

    def take(self, path: Path | None) -> None:
        """Lock this file instead of the previous one; None locks nothing."""
        place = None if path is None else draft_lock_path(journals_folder(), path)
        if place == self._place and self._lock is not None:
            return
        self.release()
        with contextlib.suppress(OSError):
            self._lock = FileLock.acquire(place) if place else None
        self._place = place

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.release()
        self._place, self._lock = None, None


def ask(window: QWidget, name: str) -> OpenChoice:
    """Ask what to do with a file that another window has open."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Open in another window"))
    box.setText(plain_text(tr("“{name}” is open in another window of Evenhand.").format(name=name)))
    box.setInformativeText(
        tr(
            "If both windows change the file, each shows a message when the other saves, and "
            "both versions are kept. If you open the file read-only, you cannot change it here."
        )
    )
    roles = QMessageBox.ButtonRole
    buttons = {
        box.addButton(tr("Open &read-only"), roles.AcceptRole): OpenChoice.READ_ONLY,
        box.addButton(tr("Open &anyway"), roles.DestructiveRole): OpenChoice.ANYWAY,
        box.addButton(QMessageBox.StandardButton.Cancel): OpenChoice.CANCEL,
    }
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)
    box.exec()
    return next(
        (choice for button, choice in buttons.items() if button is box.clickedButton()), OpenChoice.CANCEL
    )
