"""Opens the audit window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QWidget

from app.widgets.dialogs import OpenDialogs
from core.runs.types import Run

if TYPE_CHECKING:
    from app.audit.audit_window import AuditWindow
    from app.models.app_context import AppServices


class AuditController(QObject):
    """Owns the audit window while it is open. Nothing of it is imported before it is shown."""

    def __init__(self, window: QWidget, services: Callable[[], AppServices]) -> None:
        super().__init__(window)
        self._window, self._services = window, services
        self._dialogs = OpenDialogs()
        self._audit_window: AuditWindow | None = None

    def open(self) -> None:
        """Show the audit window."""
        self._dialogs.show("audit", self._create)

    def resume(self, run: Run) -> None:
        """Show the audit window and resume a run there."""
        self.open()
        if self._audit_window is not None:
            self._audit_window.resume(run.id, run.recipe)

    def close(self) -> None:
        """Close the audit window; a running audit goes on."""
        self._dialogs.close()

    def _create(self) -> QDialog:
        from app.audit.audit_window import AuditWindow

        self._audit_window = AuditWindow(self._services(), self._window)
        return self._audit_window
