"""What the dialogs share."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QPushButton

from core.language import tr


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
