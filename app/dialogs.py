"""The two small dialogs of the Help menu."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMessageBox,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

ABOUT = """<h3>Evenhand {version}</h3>
<p>Marks wording that is not neutral and says why.<br>Every word stays on this computer.</p>
<p>Reader: {reader}</p>
<p>Licence: Apache 2.0. A mark is a hint for your judgement, not a verdict: the model can be wrong.</p>"""


def app_version() -> str:
    """The version of the installed package, or ``from source``."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("evenhand")
    except PackageNotFoundError:
        return "from source"


def about(parent: QWidget, reader: str) -> None:
    """Say what this is and which reader is at work."""
    QMessageBox.about(
        parent, "About Evenhand", ABOUT.format(version=app_version(), reader=reader or "not loaded")
    )


def shortcuts(parent: QWidget, rows: list[tuple[str, str]]) -> QDialog:
    """A dialog with every command and its keys; the caller shows it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle("Keyboard shortcuts")
    table = QTableWidget(len(rows), 2, dialog)
    table.setAccessibleName("Keyboard shortcuts")
    table.setHorizontalHeaderLabels(["Command", "Keys"])
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    for number, cells in enumerate(rows):
        for place, text in enumerate(cells):
            table.setItem(number, place, QTableWidgetItem(text))
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
    buttons.rejected.connect(dialog.reject)
    column = QVBoxLayout(dialog)
    column.addWidget(table)
    column.addWidget(buttons)
    dialog.resize(460, 560)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return dialog
