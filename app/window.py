"""The main window: one draft, what the reader says of it, and the commands that a person gives."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication

import resources
from app import dialogs, menus
from app.actions import fill_menus, shortcut_rows
from app.card_host import CardHost
from app.comparing import Comparing
from app.desk import Reader, Rewriter
from app.drafts import Drafts
from app.review import Review
from app.reviewing import Reviewing
from app.rewording import Rewording
from app.settings import Settings
from app.shell import Shell
from app.status_line import counted, draft_facts, reading_facts
from app.suggesting import Suggesting
from app.worker import Analyst, Reading, Snapshot
from core.documents.model import Format
from core.findings import Kind

SAMPLE = resources.ROOT / "samples" / "sample.md"
EMPTY = "Nothing to read yet. Write, paste or open a draft."
_SLOW_MS = 600
_TOLD_MS = 5000
# The charts take longer to load than all the rest: the first keys come before them.
_CHARTS_MS = 60


class MainWindow(Shell):
    """One draft, its panels and its worker. ``load`` and ``load_rewriter`` give the models, by default the bundled."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
    ) -> None:
        super().__init__(settings or Settings())
        self.drafts = Drafts(self, self.pane, self.settings)
        self.analyst = Analyst(self._snapshot, load=load, load_rewriter=load_rewriter, parent=self)
        self.suggesting = Suggesting(self.analyst, self.pane)
        self.cards = CardHost(self.pane, self.middle, self.suggesting)
        self.review = Review(self.pane, self.strip, self.cards, self.suggesting)
        self.rewording = Rewording(
            self.pane, self.analyst, cards=self.cards, review=self.review, suggesting=self.suggesting
        )
        self.reviewing = Reviewing(
            self.pane,
            self.review_bar,
            cards=self.cards,
            review=self.review,
            rewording=self.rewording,
            suggesting=self.suggesting,
        )
        self.comparing = Comparing(self.pane, self.drafts, self.analyst, self._snapshot)
        self._last: Reading | None = None
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
            left = counted(len(paths) - 1, "other file was", "other files were")
            self.bar.show_message(f"One draft at a time: “{paths[0].name}” is open, {left} not opened.")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for unsaved changes, remember the window, and join the worker."""
        if not self.drafts.may_leave():
            event.ignore()
            return
        self.cards.hide()
        self.comparing.close()
        self.remember()
        self.analyst.close()
        event.accept()

    # Building

    def _fill_menus(self) -> None:
        submenus = fill_menus(self, self.commands)
        menus.fill_panels(submenus["panels"], [self.issues_dock, self.document_dock], self.toolbar)
        self.kind_actions = menus.fill_kinds(submenus["kinds"], self._kinds_chosen)
        self.theme_actions = menus.fill_themes(submenus["theme"], self.set_theme)
        self.theme_actions[self.settings.theme].setChecked(True)
        self.format_actions = menus.fill_formats(submenus["format"], self._format_chosen)
        self.status.set_format_menu(submenus["format"])
        self._recent_menu = submenus["recent"]
        self._recent_changed()
        self.commands["quotes"].setChecked(self.settings.include_quotes)

    def _connect(self) -> None:
        for name, does in self._deeds().items():
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
        self.drafts.opened.connect(self._opened)
        self.drafts.saved.connect(self._saved)
        self.drafts.told.connect(self.bar.show_message)
        self.drafts.recent_changed.connect(self._recent_changed)
        self.analyst.started.connect(self._slow.start)
        self.analyst.finished.connect(self._read)
        self._slow.timeout.connect(lambda: self.status.show_reading("analysing…"))
        for part in (self.review, self.rewording, self.reviewing):
            part.told.connect(self._tell)
        self.review.kinds_changed.connect(self._kinds_changed)
        self.first_shown.connect(lambda: QTimer.singleShot(0, self._fill_issues))

    def _deeds(self) -> dict[str, Callable[[], object]]:
        pane, drafts, find, review = self.pane, self.drafts, self.find_bar, self.review
        return {
            "new": drafts.new,
            "open": drafts.open_dialog,
            "save": drafts.save,
            "save_as": drafts.save_as,
            "forget_recent": self._forget_recent,
            "quit": self.close,
            "undo": pane.undo,
            "redo": pane.redo,
            "cut": pane.cut,
            "copy": pane.copy,
            "paste": pane.paste,
            "select_all": pane.selectAll,
            "find": find.open,
            "find_next": find.find_next,
            "find_previous": find.find_previous,
            "next": lambda: (self.reviewing if self.reviewing.active else review).next(),
            "previous": lambda: (self.reviewing if self.reviewing.active else review).previous(),
            "review_all": self.reviewing.start,
            "use_1": lambda: self.rewording.apply_here(1),
            "use_2": lambda: self.rewording.apply_here(2),
            "use_3": lambda: self.rewording.apply_here(3),
            "ignore": self.rewording.ignore_here,
            "unignore": self._mark_ignored_again,
            "compare": self.comparing.open,
            "analyse": self._analyse,
            "quotes": self._quotes_chosen,
            "zoom_in": lambda: pane.set_zoom(pane.zoom + 1),
            "zoom_out": lambda: pane.set_zoom(pane.zoom - 1),
            "zoom_reset": lambda: pane.set_zoom(0),
            "next_area": self.next_area,
            "sample": lambda: drafts.open_copy(SAMPLE),
            "shortcuts": lambda: dialogs.shortcuts(self, shortcut_rows(self.commands)).show(),
            "about": lambda: dialogs.about(self, self._last.reader if self._last else ""),
        }

    def _fill_issues(self) -> None:
        """Make the panels only when the window can be seen."""
        from app.issues_panel import IssuesPanel

        panel = IssuesPanel()
        self.issues_dock.setWidget(panel)
        self.review.set_issues(panel)
        self._read_at_once()
        QTimer.singleShot(_CHARTS_MS, self._fill_document)

    def _fill_document(self) -> None:
        from app.document_panel import DocumentPanel

        panel = DocumentPanel()
        self.document_dock.setWidget(panel)
        self.review.set_document(panel)

    # The draft

    def _opened(self) -> None:
        self._last = None
        self.review.ignored.clear()
        self.reviewing.forget()
        self.suggesting.clear()
        self.review.clear()
        self._session_changed()
        self._read_at_once()

    def _saved(self) -> None:
        self._session_changed()
        if self._last and self._last.snapshot.format != self.drafts.session.format:
            self._read_at_once()

    def _session_changed(self) -> None:
        session = self.drafts.session
        self.setWindowTitle(f"{session.name}[*] — Evenhand")
        self.setWindowFilePath(str(session.path or ""))
        self.format_actions[session.format].setChecked(True)
        self.status.show_format(session.format)
        self._enable()
        self._draft_changed()

    def _draft_changed(self) -> None:
        session, modified = self.drafts.session, self.drafts.modified
        self.setWindowModified(modified)
        saved = "unsaved" if modified else "saved" if session.path else "not saved yet"
        report = self._last.report if self._last else None
        facts = draft_facts(
            words=self._last.words if self._last else len(self.pane.text().split()),
            sentences=len(report.sentences) if report else None,
            saved=saved if session.editable else "read only",
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

    def _forget_recent(self) -> None:
        self.settings.clear_recent()
        self._recent_changed()

    def _format_chosen(self, chosen: Format) -> None:
        self.drafts.set_format(chosen)
        self._session_changed()
        self._read_at_once()

    # The reading

    def _snapshot(self, revision: int) -> Snapshot:
        session = self.drafts.session
        return Snapshot(
            revision,
            self.pane.text(),
            session.format,
            str(session.path or "-"),
            include_quotes=self.commands["quotes"].isChecked(),
        )

    def _read_at_once(self) -> None:
        """Have the text read now; before the window is seen there is nobody to read for."""
        if self.seen:
            self.analyst.changed(at_once=True)

    def _analyse(self) -> None:
        """Read everything again, also what was known; a rewriter that was missing may be there now."""
        self.suggesting.clear()
        self._read_at_once()

    def _mark_ignored_again(self) -> None:
        self.review.ignored.clear()
        self._read_at_once()

    def _read(self, reading: Reading) -> None:
        self._slow.stop()
        if reading.report is None:
            self.review.say(reading.message)
            self.status.show_reading("not analysed")
            return
        self._last = reading
        if reading.words:
            self.review.show(reading)
        else:
            self.review.clear(EMPTY)
        self.status.show_reading(reading_facts(reading.reader, reading.seconds))
        self._draft_changed()

    def _quotes_chosen(self) -> None:
        self.settings.include_quotes = self.commands["quotes"].isChecked()
        self._read_at_once()

    def _kinds_chosen(self, kinds: frozenset[Kind]) -> None:
        self.review.kinds = kinds

    def _kinds_changed(self, kinds: frozenset[Kind]) -> None:
        for kind, action in self.kind_actions.items():
            action.setChecked(kind in kinds)

    def _tell(self, message: str) -> None:
        self.status.showMessage(message, _TOLD_MS)


def run(paths: list[str]) -> int:
    """Show the window with the first of ``paths``, or the sample draft; returns the exit code when it is closed."""
    # A thread that computes lets the one that paints go on after half a millisecond instead of five.
    sys.setswitchinterval(0.0005)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Evenhand")
    app.setDesktopFileName("evenhand")
    window = MainWindow()
    sys.excepthook = told_in(window)
    signal.signal(signal.SIGINT, lambda *_: window.close())
    window.show()
    window.open_first(paths)
    return app.exec()


def told_in(
    window: MainWindow,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """A hook for what no one caught: a line above the text instead of a traceback, and no word of the draft."""

    def tell(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = f" in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}" if trace else ""
        window.bar.show_message(
            f"Something went wrong ({kind.__name__}{place}). The text is still here: save it now."
        )

    return tell
