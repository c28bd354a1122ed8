"""The panels beside the text, made one after the other once the window can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from app.parts.panel_dock import PanelDock
    from app.window import MainWindow

PAUSE_MS = 60
"""Between two panels: the first keys come before them."""


class Panels(QObject):
    """Fills the docks of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window

    def fill(self) -> None:
        """Make the list of findings now, and the others soon."""
        from app.review.issues_panel import IssuesPanel

        window, panel = self._window, IssuesPanel()
        window.issues_dock.setWidget(panel)
        window.review.set_issues(panel)
        for name in ("kinds", "sink_on_word"):
            window.setting_changed(name)
        panel.sinking_changed.connect(lambda on: window.settings.set("sink_on_word", on))
        panel.passed_over.connect(window.ignoring.pass_over)
        window.read_at_once()
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
        from app.figures.document_panel import DocumentPanel

        window, panel = self._window, DocumentPanel()
        window.document_dock.setWidget(panel)
        window.dashboards.set_panel(panel)
        window.review.set_document(panel)
        self._fill_words()
        self._fill_versions()

    def _fill_words(self) -> None:
        from app.words.words_panel import WordsPanel

        window, panel = self._window, WordsPanel()
        window.words_dock.setWidget(panel)
        window.words.set_panel(panel, window.words_dock)

    def _fill_versions(self) -> None:
        from app.versions.versions_panel import VersionsPanel

        window, panel = self._window, VersionsPanel()
        window.versions_dock.setWidget(panel)
        window.versioning.set_view(panel)
        window.storing.open(days=window.settings.value("history_days"), settings=window.settings.as_text())
