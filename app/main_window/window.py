"""The main window: one draft, what the reader says of it, and the commands that a person gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent

from app.analysis.analysis_worker import Reading
from app.analysis.worker_context import Reader, Rewriter
from app.commands.actions import fill_menus
from app.editor import editor
from app.main_window import menus
from app.main_window.command_handlers import SAMPLE, deeds
from app.main_window.components import Rooms
from app.main_window.docks import PAUSE_MS
from app.main_window.status_bar import draft_facts, reading_facts
from app.review.filter_bar import FilterBar, SensitivitySlider
from app.settings.settings import Settings
from app.widgets.labels import percent
from core.documents.types import Format
from core.i18n import ntr, tr
from core.types import Kind

EMPTY = tr("Nothing to read yet. Write, paste or open a draft.")
_SLOW_MS = 600
_TOLD_MS = 5000


class MainWindow(Rooms):
    """One draft, its panels and its worker. ``load`` and ``load_rewriter`` give the models, by default those in use."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
    ) -> None:
        super().__init__(settings or Settings(), load=load, load_rewriter=load_rewriter)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(_SLOW_MS)
        self._fill_menus()
        self._connect()
        self.restore()
        self._opened()
        self.pane.setFocus()

    def open_first(self, paths: list[str]) -> None:
        """Open what the command line names, or a copy of the sample draft if it names nothing."""
        if paths:
            self.open_one([Path(path) for path in paths])
        else:
            self.drafts.open_copy(SAMPLE)

    def open_one(self, paths: list[Path]) -> None:
        """Open the first of these files, and say so if there are more."""
        if self.drafts.open(paths[0]) and len(paths) > 1:
            said = ntr(
                "One draft at a time: “{name}” is open, {n} other file was not opened.",
                "One draft at a time: “{name}” is open, {n} other files were not opened.",
                len(paths) - 1,
            )
            self.bar.show_message(said.format(name=paths[0].name, n=f"{len(paths) - 1:,}"))

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for unsaved changes, remember the window, and join every worker."""
        if not self.drafts.may_leave():
            event.ignore()
            return
        self.close_parts()
        editor.leave()
        event.accept()

    # Building

    def _fill_menus(self) -> None:
        submenus = fill_menus(self, self.commands)
        docks = [self.issues_dock, self.document_dock, self.words_dock, self.versions_dock]
        menus.fill_panels(submenus["panels"], docks, self.toolbar)
        self.kind_actions = menus.fill_kinds(submenus["kinds"], self._kinds_chosen)
        self.filters = FilterBar(submenus["kinds"], self.commands["quotes"])
        self.sensitivity = SensitivitySlider()
        self.filters.add(self.sensitivity)
        self.place_filters(self.filters)
        self.theme_actions = menus.fill_themes(submenus["theme"], self.set_theme)
        self.setting_changed("theme")
        self.format_actions = menus.fill_formats(submenus["format"], self._format_chosen)
        self.status.set_format_menu(submenus["format"])
        self._recent_menu = submenus["recent"]
        self._recent_changed()
        self.setting_changed("include_quotes")
        self.setting_changed("sensitivity")

    def _connect(self) -> None:
        for name, does in deeds(self).items():
            self.commands[name].triggered.connect(lambda _=False, does=does: does())
        document = self.pane.document()
        document.undoAvailable.connect(self._enable)
        document.redoAvailable.connect(self._enable)
        document.modificationChanged.connect(self._draft_changed)
        self.pane.copyAvailable.connect(self._enable)
        self.pane.edited.connect(self.analyst.changed)
        self.pane.files_dropped.connect(self.open_one)
        self.files_dropped.connect(self.open_one)
        self.find_bar.wrapped.connect(self._tell)
        self.settings.changed.connect(self.setting_changed)
        self.drafts.opened.connect(self._opened)
        self.drafts.saved.connect(self._saved)
        for words in (self.drafts.told, self.journalling.told, self.recovery.told):
            words.connect(self.bar.show_message)
        self.drafts.recent_changed.connect(self._recent_changed)
        self.analyst.started.connect(self._slow.start)
        self.analyst.finished.connect(self._read)
        self.storing.opened.connect(self._store_opened)
        for words in (self.storing.told, self.background.failed, self.versioning.warned):
            words.connect(self.bar.show_message)
        self.versioning.told.connect(self._tell)
        self.versioning.forgotten.connect(self._forgotten)
        self.exporting.told.connect(self.bar.show_message)
        self.incoming.told.connect(self.bar.show_message)
        self.suggesting.lacking.connect(lambda: self.incoming.lacking("rewriter"))
        self.exporting.said.connect(self._tell)
        self.bar.said.connect(self.announcing.say)
        self._slow.timeout.connect(lambda: self.status.show_reading(tr("analysing…")))
        self.analyst.came_on.connect(self._came_on)
        self.analyst.stopped.connect(self._stopped)
        self.analyst.noted.connect(self.bar.show_message)
        self.ignoring.again.connect(self.read_at_once)
        self.sensitivity.moved.connect(lambda step: self.settings.set("sensitivity", step))
        parts = (self.review, self.ignoring, self.rewording, self.reviewing, self.locks, self.articles)
        for part in (*parts, self.words):
            part.told.connect(self._tell)
        self.review.kinds_changed.connect(self._kinds_changed)
        self.panels.listing.connect(self._listing)
        self.first_shown.connect(lambda: QTimer.singleShot(0, self.panels.fill))
        self.first_shown.connect(lambda: QTimer.singleShot(PAUSE_MS, self.recovery.look))

    def _listing(self) -> None:
        for name in ("kinds", "sink_on_word"):
            self.setting_changed(name)
        self.read_at_once()

    def _store_opened(self) -> None:
        self.ignoring.store_opened()

    def _forgotten(self) -> None:
        """The store has forgotten the draft: so do the journal and what was ignored."""
        self.journalling.begin_anew()
        self.ignoring.forget_draft()
        self.keeping.forget_draft()
        self.read_at_once()

    # The draft

    def _opened(self) -> None:
        self.last = None
        self.ignoring.open_draft()
        self.announcing.open_draft()
        self.versioning.opened()
        self.reviewing.forget()
        self.suggesting.clear()
        self.words.forget()
        self.review.clear()
        self._session_changed()
        self.read_at_once()

    def _saved(self) -> None:
        self.versioning.saved()
        self._session_changed()
        if self.last and self.last.snapshot.format != self.drafts.session.format:
            self.read_at_once()

    def _session_changed(self) -> None:
        session = self.drafts.session
        self.setWindowTitle(f"{session.name}[*] — Evenhand")
        self.setWindowFilePath(str(session.path or ""))
        menus.show_format(self.format_actions, session.format)
        self.status.show_format(session.format)
        self._enable()
        self._draft_changed()

    def _draft_changed(self) -> None:
        session, modified = self.drafts.session, self.drafts.modified
        self.setWindowModified(modified)
        saved = tr("unsaved") if modified else tr("saved") if session.path else tr("not saved yet")
        report = self.last.report if self.last else None
        facts = draft_facts(
            words=self.last.words if self.last else len(self.pane.text().split()),
            sentences=len(report.sentences) if report else None,
            saved=saved if session.editable else tr("read only"),
            encoding=session.encoding,
        )
        self.status.show_draft(facts)

    def _enable(self) -> None:
        editable = self.drafts.session.editable
        document, chosen = self.pane.document(), self.pane.textCursor().hasSelection()
        can = {
            "save": editable,
            "save_as": editable,
            "undo": editable and document.isUndoAvailable(),
            "redo": editable and document.isRedoAvailable(),
            "cut": editable and chosen,
            "copy": chosen,
            "paste": editable,
        }
        for name, enabled in can.items():
            self.commands[name].setEnabled(enabled)

    def _recent_changed(self) -> None:
        menus.fill_recent(
            self._recent_menu,
            self.settings.recent,
            then=self.drafts.open,
            clear=self.commands["forget_recent"],
        )

    def _format_chosen(self, chosen: Format) -> None:
        self.drafts.set_format(chosen)
        self._session_changed()
        self.read_at_once()

    # The reading

    def _read(self, reading: Reading) -> None:
        self._slow.stop()
        if reading.report is None:
            if reading.missing:
                self.incoming.lacking("reader")
            self.review.say(reading.message)
            self.status.show_reading(tr("not analysed"))
            return
        self.last = reading
        self.incoming.works()
        self.sensitivity.set_curve(reading.curve)
        if reading.words:
            self.review.show(reading)
        else:
            self.review.clear(EMPTY)
        self.status.show_reading(reading_facts(reading.reader, reading.seconds))
        self._draft_changed()

    def _came_on(self, share: float) -> None:
        """Say how far a long reading is; a short one is over before anyone could read that."""
        if not self._slow.isActive():
            self.status.show_reading(tr("analysing… {share}").format(share=percent(share)))

    def _stopped(self) -> None:
        self._slow.stop()
        self.status.show_reading(tr("analysis stopped"))

    def setting_changed(self, name: str) -> None:
        """Put what was chosen into effect."""
        match name:
            case "theme":
                self.theme_actions[self.settings.value(name)].setChecked(True)
            case "history_days":
                self.storing.prune(self.settings.value(name))
            case "sensitivity":
                self.sensitivity.set_step(self.settings.value(name))
                self.read_at_once()
            case "include_quotes":
                self.commands["quotes"].setChecked(self.settings.value(name))
                self.read_at_once()
            case "sink_on_word":
                if (panel := self.issues_dock.widget()) is not None:
                    panel.sinking = self.settings.value(name)
            case "kinds":
                self.review.kinds = frozenset(Kind(kind) for kind in self.settings.value(name))

    def _kinds_chosen(self, kinds: frozenset[Kind]) -> None:
        self.settings.set("kinds", frozenset(kind.value for kind in kinds))

    def _kinds_changed(self, kinds: frozenset[Kind]) -> None:
        self._kinds_chosen(kinds)
        for kind, action in self.kind_actions.items():
            action.setChecked(kind in kinds)

    def _tell(self, message: str) -> None:
        self.status.showMessage(message, _TOLD_MS)
        self.announcing.say(message)
