"""Base of the dialogs that fetch from the network: permission, numbered fetches, cancelling, error messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QThread, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QProgressBar, QWidget

from app.background.reading import end_thread
from app.widgets.labels import WrapLabel
from core.i18n import tr
from core.network.https import NetworkCall

if TYPE_CHECKING:
    from app.settings.settings import Settings


class FetchThread(QThread):
    """Fetches something unless ``call`` is ended. ``succeeded``: the number of the fetch and what was fetched.

    ``failed``: the number of the fetch and one sentence on what went wrong.
    """

    succeeded = Signal(int, object)
    failed = Signal(int, str)

    def __init__(self, number: int, *, parent: QObject) -> None:
        super().__init__(parent)
        self._number = number
        self.call = NetworkCall()


class FetchDialog(QDialog):
    """Asks what to fetch, and for permission. Nothing is sent before the person confirms.

    ``permission`` is the name of the setting that allows it. A subclass lays the widgets out, enables them in
    ``_show_state``, and handles the result in ``_on_fetched``.
    """

    def __init__(self, settings: Settings, permission: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._permission = permission
        self._threads: list[FetchThread] = []
        self._number = 0
        self.field = QLineEdit()
        self.permission_box = QCheckBox()
        self.permission_box.setToolTip(tr("You can revoke this in the settings, under Network."))
        self._sent = WrapLabel(muted=True)
        self._problem = WrapLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self.field.textChanged.connect(self._show_state)
        self.permission_box.toggled.connect(self._show_state)

    @property
    def problem(self) -> str:
        """One sentence on what went wrong last, or empty."""
        return self._problem.accessibleName() if not self._problem.isHidden() else ""

    @property
    def fetching(self) -> bool:
        """Whether a fetch is under way."""
        return not self._bar.isHidden()

    def reopen(self) -> None:
        """Show the dialog, ready for another fetch; one that is under way continues."""
        if not self.fetching:
            self._begin()
        self.show()
        self._fit_height()
        self.raise_()
        self.activateWindow()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def reject(self) -> None:
        """Cancel the fetch and close the dialog."""
        self._stop()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel the fetch."""
        self._stop()
        super().closeEvent(event)

    def wait_for_threads(self) -> None:
        """Cancel, and wait for the threads; longest where a host accepts no connection."""
        self._stop()
        for thread in self._threads:
            end_thread(thread)
        self._threads = []

    def _begin(self) -> None:
        allowed = bool(self._settings.value(self._permission))
        self.permission_box.setChecked(allowed)
        self.permission_box.setVisible(not allowed)
        self._set_busy(False)
        self._show_problem("")

    def _show_state(self) -> None:
        """Show what would be sent, and enable what can be used now."""
        raise NotImplementedError

    def _on_fetched(self, number: int, what: object) -> None:
        """Handle a result; ``_accept_if_current`` returns whether it is still wanted."""
        raise NotImplementedError

    def _fetch(self, create_fetch: Callable[[int], FetchThread]) -> None:
        """Start the fetch that ``create_fetch`` returns for the next number."""
        self._show_problem("")
        self._set_busy(True)
        self._threads = [thread for thread in self._threads if thread.isRunning()]
        self._number += 1
        thread = create_fetch(self._number)
        self._threads.append(thread)
        thread.succeeded.connect(self._on_fetched)
        thread.failed.connect(self._failed)
        thread.start()

    def _is_current(self, number: int) -> bool:
        """Whether the fetch of this number is the latest and not cancelled."""
        return number == self._number and self.fetching

    def _accept_if_current(self, number: int) -> bool:
        """Close the dialog if this fetch is still wanted; returns whether it is."""
        current = self._is_current(number)
        if current:
            self._set_busy(False)
            self.accept()
        return current

    def _failed(self, number: int, message: str) -> None:
        if self._is_current(number):
            self._set_busy(False)
            self._show_problem(message)
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_busy(self, busy: bool) -> None:
        self._bar.setRange(0, 0)
        self._bar.setVisible(busy)
        self.field.setReadOnly(busy)
        self._show_state()
        self._fit_height()

    def _show_problem(self, message: str) -> None:
        self._problem.show_text(message)
        self._fit_height()

    def _fit_height(self) -> None:
        """Grow to fit the messages; a visible dialog never shrinks."""
        column = self.layout()
        if column is not None and self.isVisible():
            column.activate()
            self.resize(self.width(), max(self.height(), column.totalHeightForWidth(self.width())))

    def _stop(self) -> None:
        for thread in self._threads:
            thread.call.cancel()
        self._set_busy(False)
