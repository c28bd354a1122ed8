"""What dialogs share, and a blocking dialog for work that a person waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QProgressDialog, QPushButton, QWidget

from core.i18n import tr

# What the dialogs share.


def app_version() -> str:
    """The version of the installed package, or ``from source``."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("evenhand")
    except PackageNotFoundError:
        return tr("from source")


def button_row(dialog: QDialog, *left: QPushButton) -> QHBoxLayout:
    """The lowest row of a dialog: its own buttons on the left, Close on the right."""
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    close = buttons.button(QDialogButtonBox.StandardButton.Close)
    close.setIcon(QIcon())
    close.setAutoDefault(False)
    buttons.rejected.connect(dialog.reject)
    row = QHBoxLayout()
    for button in left:
        row.addWidget(button)
    row.addStretch(1)
    row.addWidget(buttons)
    return row


def fit(dialog: QDialog, width: int, height: int) -> None:
    """Give a dialog this size, or what of it the screen has room for, also at twice the usual scale."""
    room = dialog.screen().availableSize()
    dialog.resize(min(width, room.width() - 24), min(height, room.height() - 48))


class Opened:
    """The dialogs of a window that are open, one of each name."""

    def __init__(self) -> None:
        self._open: dict[str, QDialog] = {}

    def show(self, name: str, make: Callable[[], QDialog]) -> None:
        """Bring this dialog to the front; it is made where it is not open."""
        dialog = self._open.get(name)
        if dialog is None:
            dialog = self._open[name] = make()
            dialog.finished.connect(lambda _=0: self._open.pop(name, None))
        show(dialog)

    def close(self) -> None:
        """Close what is open."""
        for dialog in [*self._open.values()]:
            dialog.close()


def show(dialog: QDialog) -> None:
    """Show a dialog and bring it to the front; it is gone when it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()


# Work that a person waits for: in a thread of its own, with a word and a way out once it takes over a second.


PATIENCE_S = 1.0
_LOOK_MS = 50
_Result = TypeVar("_Result")


class GivenUpError(Exception):
    """The person does not want to wait any longer."""


def waited_for(work: Callable[[], _Result], window: QWidget, *, saying: str, way_out: str) -> _Result:
    """The result of ``work``, which touches no widget; what it raises is raised here.

    After a second a dialog says what is waited for. Raises GivenUpError when the person closes it: the work then ends
    unheard.
    """
    results: list[_Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="opening")
    thread.start()
    thread.join(PATIENCE_S)
    if thread.is_alive():
        _wait(thread, window, saying, way_out)
    if errors:
        raise errors[0]
    return results[0]


def _wait(thread: threading.Thread, window: QWidget, saying: str, way_out: str) -> None:
    dialog = QProgressDialog(saying, way_out, 0, 0, window)
    dialog.setWindowTitle(window.windowTitle().replace("[*]", ""))
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setMinimumDuration(0)
    dialog.setAccessibleName(saying)
    dialog.show()
    loop = QEventLoop()
    look = QTimer(dialog)
    look.timeout.connect(lambda: None if thread.is_alive() and not dialog.wasCanceled() else loop.quit())
    look.start(_LOOK_MS)
    loop.exec()
    given_up = dialog.wasCanceled()
    look.stop()
    dialog.hide()
    dialog.deleteLater()
    if given_up and thread.is_alive():
        raise GivenUpError
    thread.join()
