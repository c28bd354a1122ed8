"""What the dialogs that fetch something share: leave to use the network, fetches by number, cancelling, problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QThread, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QProgressBar, QWidget

from app.widgets.labels import WrapLabel
from core.i18n import tr
from core.network.https import Call

if TYPE_CHECKING:
    from app.settings.settings import Settings


class Fetch(QThread):
    """Fetches something, until ``call`` is ended. Each signal begins with the number of the fetch.

    After it come what was fetched, or a sentence on what went wrong.
    """

    came = Signal(int, object)
    failed = Signal(int, str)

    def __init__(self, number: int, *, parent: QObject) -> None:
        super().__init__(parent)
        self._number = number
        self.call = Call()


class FetchDialog(QDialog):
    """Asks what to fetch, and for leave to do so. Nothing is sent before a person says so.

    ``permission`` is the setting that allows it. A dialog lays the parts out, says in ``_show_state`` what can be
    pressed, and what it does with what ``_came``.
    """

    def __init__(self, settings: Settings, permission: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._permission = permission
        self._threads: list[Fetch] = []
        self._number = 0
        self.field = QLineEdit()
        self.leave = QCheckBox()
        self.leave.setToolTip(tr("Can be taken back in the settings, under Network."))
        self._sent = WrapLabel(muted=True)
        self._problem = WrapLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self.field.textChanged.connect(self._show_state)
        self.leave.toggled.connect(self._show_state)

    @property
    def problem(self) -> str:
        """What went wrong last, in a sentence, or empty."""
        return self._problem.accessibleName() if not self._problem.isHidden() else ""

    @property
    def fetching(self) -> bool:
        """Whether an answer is waited for."""
        return not self._bar.isHidden()

    def ask_again(self) -> None:
        """Show the dialog, ready to ask for another; a fetch that is under way goes on."""
        if not self.fetching:
            self._begin()
        self.show()
        self._grow()
        self.raise_()
        self.activateWindow()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def reject(self) -> None:
        """Stop what is under way; the dialog goes."""
        self._stop()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing it is cancelling."""
        self._stop()
        super().closeEvent(event)

    def join(self) -> None:
        """Hang up and wait for the threads: the longest wait is for a host that takes no connection at all."""
        self._stop()
        for thread in self._threads:
            thread.wait()
        self._threads = []

    def _begin(self) -> None:
        allowed = bool(self._settings.value(self._permission))
        self.leave.setChecked(allowed)
        self.leave.setVisible(not allowed)
        self._waiting(False)
        self._say("")

    def _show_state(self) -> None:
        """Say what would be sent, and enable what can be used now."""
        raise NotImplementedError

    def _came(self, number: int, what: object) -> None:
        """What was fetched is here; ``_closed_by`` tells whether it is still waited for."""
        raise NotImplementedError

    def _fetch(self, made: Callable[[int], Fetch]) -> None:
        """Start the fetch that is made for the next number."""
        self._say("")
        self._waiting(True)
        self._threads = [thread for thread in self._threads if thread.isRunning()]
        self._number += 1
        thread = made(self._number)
        self._threads.append(thread)
        thread.came.connect(self._came)
        thread.failed.connect(self._failed)
        thread.start()

    def _awaited(self, number: int) -> bool:
        """Whether a person still waits for the fetch of this number."""
        return number == self._number and self.fetching

    def _closed_by(self, number: int) -> bool:
        """Close the dialog if a person still waits for the fetch of this number; whether it was so."""
        awaited = self._awaited(number)
        if awaited:
            self._waiting(False)
            self.accept()
        return awaited

    def _failed(self, number: int, message: str) -> None:
        if self._awaited(number):
            self._waiting(False)
            self._say(message)
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _waiting(self, waiting: bool) -> None:
        self._bar.setRange(0, 0)
        self._bar.setVisible(waiting)
        self.field.setReadOnly(waiting)
        self._show_state()
        self._grow()

    def _say(self, message: str) -> None:
        self._problem.setText(message)
        self._problem.setVisible(bool(message))
        self._grow()

    def _grow(self) -> None:
        """Be high enough for all that is said now; a dialog in view never shrinks under the hands."""
        column = self.layout()
        if column is not None and self.isVisible():
            column.activate()
            self.resize(self.width(), max(self.height(), column.totalHeightForWidth(self.width())))

    def _stop(self) -> None:
        for thread in self._threads:
            thread.call.end()
        self._waiting(False)
