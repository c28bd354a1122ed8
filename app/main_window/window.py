"""The main window: it owns the widgets and the controllers, and passes the state of the draft between them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QChildEvent, QEvent, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QTabBar

from app.analysis.analysis_worker import AnalysisResult
from app.analysis.worker_context import Reader, Rewriter
from app.commands.actions import set_enabled
from app.editor.editor import accept_copy, local_files, release_clipboard
from app.main_window.command_handlers import SAMPLE, command_handlers
from app.main_window.components import Components
from app.main_window.layout import WindowLayout
from app.main_window.menus import ChoiceMenus
from app.main_window.new_window import open_new_window
from app.main_window.panel_loader import DELAY_MS
from app.main_window.status_bar import analysis_facts, document_facts
from app.settings.settings import Settings
from app.widgets.labels import format_percent
from core.documents.types import Format
from core.i18n import ntr, tr
from core.types import Kind

EMPTY = tr("Nothing to analyse yet. Write, paste or open a draft.")
_SLOW_MS = 600
_MESSAGE_MS = 5000
_MAX_NEW_WINDOWS = 5
"""Each has its own models in memory."""


class MainWindow(QMainWindow):
    """One draft with its panels. ``ui`` holds the widgets, ``components`` the controllers, ``menus`` the choices.

    ``load`` and ``load_rewriter`` return the models, by default those in use.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
    ) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.settings = settings or Settings()
        self.ui = WindowLayout(self)
        self._status_message = ""
        # Before the controllers: what they say of an edit stays.
        self.ui.editor.edited.connect(self._end_status_message)
        self.components = Components(self, self.ui, self.settings, load=load, load_rewriter=load_rewriter)
        self.menus = ChoiceMenus(
            self.ui.submenus,
            on_kinds=self._kinds_chosen,
            on_format=self._format_chosen,
            on_theme=lambda theme: self.settings.set("theme", theme),
        )
        self._slow = QTimer(self, singleShot=True, interval=_SLOW_MS)
        for name in ("theme", "include_quotes", "sensitivity", "by_sentence", "spelling", "show_revisions"):
            self._setting_changed(name)
        self._fill_recent()
        self._connect_commands()
        self._connect_controllers()
        self.ui.restore(self.settings)
        self.components.preferences.apply()
        self._document_opened()
        self.ui.editor.setFocus()

    def open_initial(self, paths: list[str]) -> None:
        """Open the files of the command line, or else the last draft; the very first time a copy of the sample."""
        if paths:
            self.open_files([Path(path) for path in paths])
        elif not self.settings.value("tour_seen"):
            self.components.documents.open_copy(SAMPLE)
        elif recent := self.settings.recent:
            self.components.documents.open(recent[0])

    def open_files(self, paths: list[Path]) -> None:
        """Open the first of these files here and each of the next in its own window; a message counts those left."""
        if not self.components.documents.open(paths[0]):
            return
        left = len(paths) - 1 - sum(map(open_new_window, paths[1 : 1 + _MAX_NEW_WINDOWS]))
        if left:
            text = ntr(
                "{n} file was not opened. Open it in a new window.",
                "{n} files were not opened. Open them in new windows.",
                left,
            )
            self.ui.message_bar.show_message(text.format(n=f"{left:,}"))

    # Qt events

    def showEvent(self, event: QShowEvent) -> None:
        """Create the panels and analyse the text once the window is shown for the first time."""
        super().showEvent(event)
        if not self.components.analysis_enabled:
            self.components.analysis_enabled = True
            QTimer.singleShot(0, self.components.panel_loader.load)
            QTimer.singleShot(DELAY_MS, self.components.recovery.search)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, save the settings, and wait for every worker."""
        if not self.components.documents.confirm_close():
            event.ignore()
            return
        self.components.close()
        release_clipboard()
        event.accept()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        if local_files(event.mimeData()):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open files that are dropped beside the text, as those that are dropped on it."""
        if (files := local_files(event.mimeData())) and accept_copy(event):
            self.open_files(files)

    def childEvent(self, event: QChildEvent) -> None:
        """Name the tab bars of docks that share a place; Qt creates them when they are needed."""
        super().childEvent(event)
        tabs = event.child()
        if event.polished() and isinstance(tabs, QTabBar):
            tabs.setAccessibleName(tr("Panels"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.ui.update_icons()

    # Connections

    def _connect_commands(self) -> None:
        for name, handler in command_handlers(self, self.ui, self.components, self.settings).items():
            self.ui.actions[name].triggered.connect(lambda _=False, handler=handler: handler())
        editor = self.ui.editor
        editor.document().undoAvailable.connect(self._enable_commands)
        editor.document().redoAvailable.connect(self._enable_commands)
        editor.document().modificationChanged.connect(self._show_document_facts)
        editor.copyAvailable.connect(self._enable_commands)
        editor.edited.connect(self.components.analysis.text_changed)
        editor.files_dropped.connect(self.open_files)
        self.ui.sensitivity.moved.connect(lambda step: self.settings.set("sensitivity", step))
        self.settings.changed.connect(self._setting_changed)

    def _connect_controllers(self) -> None:
        ui, parts = self.ui, self.components
        parts.documents.opened.connect(self._document_opened)
        parts.documents.saved.connect(self._document_saved)
        parts.documents.recent_changed.connect(self._fill_recent)
        analysis = parts.analysis
        analysis.started.connect(self._slow.start)
        analysis.progress.connect(self._show_progress)
        analysis.finished.connect(self._analysis_finished)
        analysis.stopped.connect(self._analysis_stopped)
        self._slow.timeout.connect(lambda: ui.status_bar.show_analysis(tr("analysing…")))
        parts.store_access.opened.connect(parts.ignore.store_opened)
        parts.store_access.opened.connect(parts.draft_packs.store_opened)
        parts.store_access.opened.connect(parts.spelling.store_opened)
        parts.history.forgotten.connect(self._document_forgotten)
        parts.prefetch.rewriter_missing.connect(lambda: parts.missing_models.report_missing("rewriter"))
        parts.ignore.analysis_needed.connect(parts.analyse_now)
        parts.review.kinds_changed.connect(self._kinds_chosen)
        parts.guided_review.mode_switched.connect(ui.actions["by_sentence"].trigger)
        parts.house_style.rules_changed.connect(parts.analyse_now)
        parts.revisions.resolved.connect(parts.analyse_now)
        parts.answers.left.connect(self._enable_commands)
        parts.selection_counts.changed.connect(self._show_document_facts)
        parts.draft_packs.changed.connect(parts.analyse_now)
        parts.panel_loader.findings_panel_ready.connect(self._findings_panel_ready)
        parts.panel_loader.findings_panel_ready.connect(parts.spelling.start)
        for message in (
            parts.documents.message,
            parts.journal_writer.message,
            parts.recovery.message,
            analysis.message,
            parts.store_access.message,
            parts.history.message,
            parts.exporter.message,
            parts.reviewed_copy.message,
            parts.missing_models.message,
            parts.spelling.message,
            parts.formatted_paste.message,
            parts.background.failed,
        ):
            message.connect(ui.message_bar.show_message)
        for status_message in (
            parts.review.status_message,
            parts.ignore.status_message,
            parts.house_style.status_message,
            parts.spelling.status_message,
            parts.rewrite.status_message,
            parts.tags.status_message,
            parts.guided_review.status_message,
            parts.edit_locks.status_message,
            parts.wikipedia.status_message,
            parts.words.status_message,
            parts.history.status_message,
            parts.exporter.status_message,
            parts.reviewed_copy.status_message,
            parts.revisions.status_message,
            parts.shown_revisions.status_message,
            parts.shown_notes.status_message,
            parts.shown_comments.status_message,
            parts.answers.status_message,
            ui.find_bar.status_message,
            ui.editor.folding.status_message,
        ):
            status_message.connect(self._show_status_message)
        ui.message_bar.message_shown.connect(parts.announcer.announce)

    def _findings_panel_ready(self) -> None:
        for name in ("kinds", "sink_on_word"):
            self._setting_changed(name)
        self.components.analyse_now()

    # The draft

    def _document_opened(self) -> None:
        parts = self.components
        self._end_status_message()
        parts.last_result = None
        parts.selection_counts.set_result(None)
        parts.ignore.open_draft()
        parts.draft_packs.open_draft()
        parts.spelling.open_draft()
        parts.announcer.open_draft()
        parts.history.document_opened()
        parts.guided_review.reset()
        parts.prefetch.clear()
        parts.words.reset()
        parts.review.clear()
        self._show_session()
        parts.analyse_now()

    def _document_saved(self) -> None:
        result = self.components.last_result
        self.components.history.document_saved()
        self._show_session()
        if result and result.snapshot.format != self.components.documents.session.format:
            self.components.spelling.check_now()
            self.components.analyse_now()

    def _document_forgotten(self) -> None:
        """The store has forgotten the draft: so do the journal, what is ignored, packs and corrections."""
        self.components.journal_writer.restart()
        self.components.ignore.forget_draft()
        self.components.draft_packs.forget_draft()
        self.components.spelling.forget_draft()
        self.components.correction_recorder.forget_draft()
        self.components.analyse_now()

    def _show_session(self) -> None:
        session = self.components.documents.session
        self.setWindowTitle(f"{session.name}[*] — Evenhand")
        self.setWindowFilePath(str(session.path or ""))
        self.menus.show_format(session.format)
        self.ui.actions["track_changes"].setChecked(self.components.documents.tracks_changes)
        self.ui.status_bar.show_format(session.format)
        self._enable_commands()
        self._show_document_facts()

    def _show_document_facts(self) -> None:
        documents, result = self.components.documents, self.components.last_result
        session = documents.session
        self.setWindowModified(documents.modified)
        saved = tr("unsaved") if documents.modified else tr("saved") if session.path else tr("not saved yet")
        facts = document_facts(
            words=result.words if result else None,
            sentences=len(result.report.sentences) if result and result.report else None,
            saved=saved if session.editable else tr("read-only"),
            encoding=session.encoding,
            selected=self.components.selection_counts.selected,
        )
        self.ui.status_bar.show_document(facts)

    def _enable_commands(self) -> None:
        editable = self.components.documents.session.editable
        document, selected = self.ui.editor.document(), self.ui.editor.textCursor().hasSelection()
        for name, enabled in {
            "save": editable,
            "save_as": editable,
            "reviewed_copy": self.components.documents.session.can_track,
            "revisions": self.components.revisions.has_rows,
            "show_revisions": self.components.documents.session.has_revisions,
            "track_changes": editable and self.components.documents.session.can_track,
            "undo": document.isUndoAvailable(),
            "redo": document.isRedoAvailable(),
            "cut": editable and selected,
            "copy": selected,
            "paste": editable,
            "paste_plain": editable,
            "paste_formatted": self.components.formatted_paste.is_possible,
            "replace": editable,
            "fold_references": self.ui.editor.folding.has_references,
            **dict.fromkeys(("fold_all", "fold_here", "unfold_all"), self.ui.editor.folding.is_possible),
        }.items():
            set_enabled(self.ui.actions[name], enabled)

    def _fill_recent(self) -> None:
        self.menus.fill_recent(
            self.settings.recent,
            open_file=self.components.documents.open,
            clear=self.ui.actions["forget_recent"],
        )

    def _format_chosen(self, chosen: Format) -> None:
        self.components.documents.set_format(chosen)
        self._show_session()
        self.components.spelling.check_now()
        self.components.analyse_now()

    # The analysis

    def _analysis_finished(self, result: AnalysisResult) -> None:
        self._slow.stop()
        parts = self.components
        if result.report is None:
            if result.missing:
                parts.missing_models.report_missing("reader")
            parts.review.show_message(result.message)
            self.ui.status_bar.show_analysis(tr("not analysed"))
            return
        parts.last_result = result
        parts.selection_counts.set_result(result)
        parts.missing_models.reader_loaded()
        self.ui.sensitivity.set_curve(result.curve)
        if result.snapshot.text.strip():
            parts.review.show(result)
        else:
            parts.review.clear(EMPTY)
        self.ui.status_bar.show_analysis(analysis_facts(result.reader, result.seconds))
        self._show_document_facts()

    def _show_progress(self, share: float) -> None:
        """Show the progress of a long analysis; a short one is over before anyone could read it."""
        if not self._slow.isActive():
            text = tr("analysing… {share}")
            self.ui.status_bar.show_analysis(text.format(share=format_percent(share)))

    def _analysis_stopped(self) -> None:
        self._slow.stop()
        self.ui.status_bar.show_analysis(tr("analysis stopped"))

    def _setting_changed(self, name: str) -> None:
        value = self.settings.value
        match name:
            case "theme":
                self.menus.theme_actions[value(name)].setChecked(True)
            case "history_days":
                self.components.store_access.prune(value(name))
            case "sensitivity":
                self.ui.sensitivity.set_step(value(name))
                self.components.analyse_now()
            case "include_quotes":
                self.ui.actions["quotes"].setChecked(value(name))
                self.components.analyse_now()
            case "by_sentence":
                self.ui.actions[name].setChecked(value(name))
                self.components.guided_review.by_sentence = value(name)
            case "spelling" | "show_revisions":
                self.ui.actions[name].setChecked(value(name))
            case "sink_on_word":
                if (panel := self.components.panel_loader.findings_panel) is not None:
                    panel.term_dependent_last = value(name)
            case "show_leaning":
                if (document_panel := self.components.panel_loader.document_panel) is not None:
                    document_panel.shows_leaning = value(name)
            case "kinds":
                self.components.review.kinds = frozenset(Kind(kind) for kind in value(name))
            case "style_packs" | "style_rules_off":
                self.components.analyse_now()

    def _kinds_chosen(self, kinds: frozenset[Kind]) -> None:
        self.settings.set("kinds", frozenset(kind.value for kind in kinds))
        self.menus.show_kinds(kinds)

    def _show_status_message(self, message: str) -> None:
        self._status_message = message
        self.ui.status_bar.showMessage(message, _MESSAGE_MS)
        self.components.announcer.announce(message)

    def _end_status_message(self) -> None:
        """Hide the last message: it is about the text as it was before. A tip that is shown meanwhile stays."""
        if self._status_message and self.ui.status_bar.currentMessage() == self._status_message:
            self.ui.status_bar.clearMessage()
