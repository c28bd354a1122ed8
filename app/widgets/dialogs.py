"""Helpers for dialogs, the open dialogs of a window, and a blocking wait for work in a thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QProgressDialog, QPushButton, QWidget

from app.widgets.layouts import make_row
from app.widgets.plain_text import plain_text
from core.i18n import tr


def app_version() -> str:
    """The version of the installed package, or ``from source``."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("evenhand")
    except PackageNotFoundError:
        return tr("from source")


def close_box(dialog: QDialog) -> QDialogButtonBox:
    """A box whose Close button closes a dialog."""
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    box.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
    box.rejected.connect(dialog.reject)
    return box


def button_row(dialog: QDialog, *left: QPushButton) -> QHBoxLayout:
    """The lowest row of a dialog: its own buttons on the left, Close on the right."""
    buttons = close_box(dialog)
    buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
    return make_row(*left, None, buttons)


def fit_to_screen(dialog: QDialog, width: int, height: int) -> None:
    """Resize a dialog to this size, or to the available size of the screen where that is smaller."""
    available = dialog.screen().availableSize()
    dialog.resize(min(width, available.width() - 24), min(height, available.height() - 48))


class OpenDialogs:
    """The open dialogs of a window, at most one per name."""

    def __init__(self) -> None:
        self._open: dict[str, QDialog] = {}

    def show(self, name: str, create: Callable[[], QDialog]) -> None:
        """Bring the dialog of this name to the front; ``create`` makes it if it is not open."""
        dialog = self._open.get(name)
        if dialog is None:
            dialog = self._open[name] = create()
            dialog.finished.connect(lambda _=0: self._open.pop(name, None))
        show_dialog(dialog)

    def close(self) -> None:
        """Close all of them."""
        for dialog in [*self._open.values()]:
            dialog.close()


def show_dialog(dialog: QDialog) -> None:
    """Show a dialog and bring it to the front; it is deleted when it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


DIALOG_DELAY_S = 1.0
_POLL_MS = 50
_Result = TypeVar("_Result")


class WaitCancelledError(Exception):
    """The person cancelled the wait."""


def run_in_thread_and_wait(
    work: Callable[[], _Result], window: QWidget, *, message: str, cancel_text: str
) -> _Result:
    """Run ``work`` in a thread and return its result; what it raises is raised here. It must not touch a widget.

    After a second a dialog shows ``message`` with a button to cancel. Raises WaitCancelledError when it is cancelled;
    the result of the work is then dropped.
    """
    results: list[_Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="opening", daemon=True)
    thread.start()
    thread.join(DIALOG_DELAY_S)
    if thread.is_alive():
        _wait(thread, window, message, cancel_text)
    if errors:
        raise errors[0]
    return results[0]


def _wait(thread: threading.Thread, window: QWidget, message: str, cancel_text: str) -> None:
    dialog = QProgressDialog(plain_text(message), cancel_text, 0, 0, window)
    dialog.setWindowTitle(window.windowTitle().replace("[*]", ""))
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setMinimumDuration(0)
    dialog.setAccessibleName(message)
    dialog.show()
    loop = QEventLoop()
    poll = QTimer(dialog)
    poll.timeout.connect(lambda: None if thread.is_alive() and not dialog.wasCanceled() else loop.quit())
    poll.start(_POLL_MS)
    loop.exec()
    cancelled = dialog.wasCanceled()
    poll.stop()
    dialog.hide()
    dialog.deleteLater()
    if cancelled and thread.is_alive():
        raise WaitCancelledError
    thread.join()
