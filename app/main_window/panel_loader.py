"""Creates the panels beside the text, one after another, once the window can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.store import StoreAccess
from app.history.version_controller import VersionController
from app.main_window.dashboard_controller import DashboardController
from app.main_window.layout import WindowLayout
from app.review.ignore_commands import IgnoreCommands
from app.review.review_controller import ReviewController
from app.settings.settings import Settings
from app.words.words_controller import WordsController

if TYPE_CHECKING:
    from app.charts.document_panel import DocumentPanel
    from app.review.findings_panel import FindingsPanel

DELAY_MS = 60
"""Between two panels, so that the first keys are handled before them."""


class PanelLoader(QObject):
    """Fills the docks of ``ui``. ``findings_panel_ready``: the list of findings is there; the others follow soon."""

    findings_panel_ready = Signal()

    def __init__(
        self,
        parent: QObject,
        ui: WindowLayout,
        settings: Settings,
        *,
        review: ReviewController,
        ignore: IgnoreCommands,
        dashboard: DashboardController,
        words: WordsController,
        history: VersionController,
        store_access: StoreAccess,
    ) -> None:
        super().__init__(parent)
        self._ui, self._settings = ui, settings
        self._review, self._ignore, self._dashboard = review, ignore, dashboard
        self._words, self._history, self._store_access = words, history, store_access
        self.findings_panel: FindingsPanel | None = None
        self.document_panel: DocumentPanel | None = None

    def load(self) -> None:
        """Create the list of findings now, and the other panels soon."""
        from app.review.findings_panel import FindingsPanel

        panel = self.findings_panel = FindingsPanel()
        self._ui.findings_dock.set_panel(panel)
        self._review.set_findings_panel(panel)
        panel.term_dependent_last_changed.connect(lambda on: self._settings.set("sink_on_word", on))
        panel.ignore_requested.connect(self._ignore.ignore_finding)
        self.findings_panel_ready.emit()
        QTimer.singleShot(DELAY_MS, self._load_others)

    def _load_others(self) -> None:
        from app.charts.document_panel import DocumentPanel
        from app.history.versions_panel import VersionsPanel
        from app.words.words_panel import WordsPanel

        document_panel = self.document_panel = DocumentPanel()
        document_panel.shows_leaning = self._settings.value("show_leaning")
        self._ui.document_dock.set_panel(document_panel)
        self._dashboard.set_panel(document_panel)
        self._review.set_document_panel(document_panel)
        words_panel = WordsPanel()
        self._ui.words_dock.set_panel(words_panel)
        self._words.set_panel(words_panel, self._ui.words_dock)
        versions_panel = VersionsPanel()
        self._ui.versions_dock.set_panel(versions_panel)
        self._history.set_panel(versions_panel)
        self._store_access.open(days=self._settings.value("history_days"), settings=self._settings.to_json())
