"""The audit window: what is told, its pages, and the way out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from app.audit.compass_page import CompassPage
from app.audit.page import AuditPage
from app.audit.runs_page import RunsPage
from app.help.dialogs import fit
from app.parts.message_bar import MessageBar
from app.training.desk import Desk, Outside
from core.language import tr
from core.runs.audit import RECIPE as AUDIT
from core.runs.compass import RECIPE as COMPASS

_SIZE = (1000, 780)
_MARGIN = 18


class AuditWindow(QDialog):
    """Not modal. Closing it leaves an audit that is going on as it is."""

    def __init__(self, outside: Outside, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Audit of language models"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        desk = Desk(outside, self)
        self.page, self.compass = AuditPage(desk), CompassPage(desk)
        self._pages: dict[str, RunsPage] = {AUDIT: self.page, COMPASS: self.compass}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(tr("Pages of the audit"))
        self.tabs.addTab(self.page, tr("&Bias of a generator"))
        self.tabs.addTab(self.compass, tr("&Political compass"))
        self.page.elsewhere.connect(self.go)
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
        column.addWidget(self.tabs, 1)
        column.addLayout(foot)
        fit(self, *_SIZE)

    def go(self, recipe: str) -> None:
        """Show the page of a recipe; of one that has none here, nothing changes."""
        if recipe in self._pages:
            self.tabs.setCurrentWidget(self._pages[recipe])

    def resume(self, run_id: str, recipe: str) -> None:
        """Go on with a run on its page."""
        self.go(recipe)
        self._pages[recipe].resume(run_id)

    def done(self, result: int) -> None:
        """The pages wait for nothing any more."""
        for page in self._pages.values():
            page.close()
        super().done(result)
