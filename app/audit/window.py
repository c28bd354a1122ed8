"""The audit window: what is told, the page, and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout

from app.audit.page import AuditPage
from app.help.dialogs import fit
from app.parts.message_bar import MessageBar
from app.training.desk import Desk
from core.language import tr

if TYPE_CHECKING:
    from app.window import MainWindow

_SIZE = (1000, 780)
_MARGIN = 18


class AuditWindow(QDialog):
    """Not modal. Closing it leaves an audit that is going on as it is."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Audit of a generator"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        desk = Desk(window, self)
        self.page = AuditPage(desk)
        self.bar = MessageBar()
        desk.told.connect(self.bar.show_message)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.setContentsMargins(_MARGIN, 6, _MARGIN, 10)
        foot.addWidget(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.page, 1)
        column.addLayout(foot)
        fit(self, *_SIZE)

    def done(self, result: int) -> None:
        """The page waits for nothing any more."""
        self.page.close()
        super().done(result)
