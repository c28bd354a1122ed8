"""The panels beside the text, made one after the other once the window can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.store import Storing
from app.history.version_controller import Versioning
from app.main_window.dashboard_controller import DashboardHost
from app.main_window.layout import Shell
from app.review.ignore_commands import Ignoring
from app.review.review_controller import Review
from app.words.words_controller import Words

if TYPE_CHECKING:
    from app.main_window.layout import PanelDock

PAUSE_MS = 60
"""Between two panels: the first keys come before them."""


class Panels(QObject):
    """Fills the docks of one window. ``listing``: the list of findings is there, the others come soon."""

    listing = Signal()

    def __init__(
        self,
        window: Shell,
        *,
        review: Review,
        ignoring: Ignoring,
        dashboards: DashboardHost,
        words: Words,
        versioning: Versioning,
        storing: Storing,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._review, self._ignoring, self._dashboards = review, ignoring, dashboards
        self._words, self._versioning, self._storing = words, versioning, storing

    def fill(self) -> None:
        """Make the list of findings now, and the others soon."""
        from app.review.findings_panel import IssuesPanel

        panel = IssuesPanel()
        self._window.issues_dock.setWidget(panel)
        self._review.set_issues(panel)
        panel.sinking_changed.connect(lambda on: self._window.settings.set("sink_on_word", on))
        panel.passed_over.connect(self._ignoring.pass_over)
        self.listing.emit()
        QTimer.singleShot(PAUSE_MS, self._fill_document)

    def show_versions(self) -> None:
        """Bring the versions to the front and the keys to them."""
        self._to_front(self._window.versions_dock)

    def show_words(self) -> None:
        """Bring the words to the front and the keys to them."""
        self._to_front(self._window.words_dock)

    def _to_front(self, dock: PanelDock) -> None:
        dock.show()
        dock.raise_()
        if (panel := dock.widget()) is not None:
            panel.setFocus()

    def _fill_document(self) -> None:
        from app.charts.document_panel import DocumentPanel

        panel = DocumentPanel()
        self._window.document_dock.setWidget(panel)
        self._dashboards.set_panel(panel)
        self._review.set_document(panel)
        self._fill_words()
        self._fill_versions()

    def _fill_words(self) -> None:
        from app.words.words_panel import WordsPanel

        panel = WordsPanel()
        self._window.words_dock.setWidget(panel)
        self._words.set_panel(panel, self._window.words_dock)

    def _fill_versions(self) -> None:
        from app.history.versions_panel import VersionsPanel

        settings, panel = self._window.settings, VersionsPanel()
        self._window.versions_dock.setWidget(panel)
        self._versioning.set_view(panel)
        self._storing.open(days=settings.value("history_days"), settings=settings.as_text())
