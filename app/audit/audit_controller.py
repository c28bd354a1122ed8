"""The way from the window to the audit window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from app.widgets.dialogs import Opened
from core.runs.types import Run

if TYPE_CHECKING:
    from app.audit.audit_window import AuditWindow
    from app.models.app_context import Outside


class Audits(QObject):
    """Holds the audit window while it is open. Nothing of it is imported or asked before it is seen."""

    def __init__(self, window: QWidget, outside: Callable[[], Outside]) -> None:
        super().__init__(window)
        self._window, self._outside = window, outside
        self._open = Opened()
        self._dialog: AuditWindow | None = None

    def open(self) -> None:
        """Show the audit window beside the window."""
        self._open.show("audit", self._made)

    def resume(self, run: Run) -> None:
        """Show the audit window, and go on with a run of one of its recipes there."""
        self.open()
        if self._dialog is not None:
            self._dialog.resume(run.id, run.recipe)

    def close(self) -> None:
        """Close the audit window; an audit goes on."""
        self._open.close()

    def _made(self) -> QDialog:
        from app.audit.audit_window import AuditWindow

        self._dialog = AuditWindow(self._outside(), self._window)
        return self._dialog
