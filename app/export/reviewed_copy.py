"""*Save a reviewed copy*: the docx or odt with each open finding as a comment, written by the analysis thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QWidget

from app.analysis.analysis_worker import AnalysisController, AnalysisResult, Snapshot
from app.analysis.suggestion_collector import SuggestionCollector
from app.analysis.suggestions import describe_change, word_changes
from app.documents.document_controller import DocumentController
from app.documents.session import Session, Tracking, container_bytes
from app.editor.editor import TextEditor
from app.export.report_export import NOT_READ, STILL_READING
from app.review.review_controller import ReviewController
from app.widgets.plain_text import plain_text
from core.documents.format_specs import FORMATS
from core.formats.loader import open_document
from core.i18n import ntr, tr
from core.paths import start_folder
from core.storage.draft_comments import DraftComment
from core.storage.files import FileError, write_bytes
from core.types import Finding, Suggestions

if TYPE_CHECKING:
    from app.analysis.worker_context import WorkerContext
    from core.revisions.types import Note, Stamp

_DIALOG_DELAY_MS = 600
_OFFICE_ONLY = tr("Comments can only be written to Word and OpenDocument files (.docx, .odt).")
_BUSY = tr("A reviewed copy is being written. Wait for it to finish, or cancel it.")
_OWN_FILE = tr("That is the file of the draft itself. Choose another name for the reviewed copy.")


@dataclass(frozen=True, slots=True)
class _Copied:
    """The result of writing a reviewed copy; ``problem`` says why it could not be written, or is empty."""

    path: Path
    comments: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _CopyTask:
    """Writes the copy."""

    snapshot: Snapshot
    findings: tuple[Finding, ...]
    suggestions: Mapping[Finding, Suggestions]
    session: Session
    stamp: Stamp
    tracking: Tracking | None
    comments: tuple[DraftComment, ...]
    path: Path

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> _Copied:
        from core.engine.reader import Cancelled
        from core.revisions.annotate import annotate

        text = self.snapshot.text
        try:
            notes = self._notes(context)
            data = container_bytes(self.session, text, self.tracking, self.comments)
            container = open_document(data, name=self.path.name, format=self.session.format).container
            assert container is not None
            copy = annotate(container, notes, self.stamp)
            if cancelled():
                raise Cancelled
            write_bytes(self.path, copy)
        except FileError as error:
            return _Copied(self.path, problem=str(error))
        return _Copied(self.path, len(notes))

    def failed(self, error: Exception, message: str) -> _Copied:
        text = tr("{name} could not be written ({kind}). The draft itself is safe.")
        return _Copied(
            self.path, problem=message or text.format(name=self.path.name, kind=type(error).__name__)
        )

    def _notes(self, context: WorkerContext) -> list[Note]:
        from core.answers.answers import sign
        from core.reports.finding_comments import comment_on
        from core.revisions.types import Note

        lexicon = context.reader.lexicon
        return [
            Note(
                finding.start,
                finding.end,
                sign(comment_on(finding, lexicon, self._changes(finding)), finding),
            )
            for finding in self.findings
        ]

    def _changes(self, finding: Finding) -> list[str]:
        """What each suggestion changes, in words."""
        text, found = self.snapshot.text, self.suggestions.get(finding, Suggestions())
        return [
            ", ".join(describe_change(old, new) for old, new in word_changes(text, item.edits))
            for item in found.items
        ]


class ReviewedCopyWriter(QObject):
    """``message`` carries an error in one sentence; ``status_message`` says what was written."""

    message = Signal(str)
    status_message = Signal(str)

    def __init__(
        self,
        window: QWidget,
        editor: TextEditor,
        documents: DocumentController,
        *,
        review: ReviewController,
        analysis: AnalysisController,
        collector: SuggestionCollector,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._editor = editor
        self._documents = documents
        self._review = review
        self._analysis = analysis
        self._collector = collector
        self._task: _CopyTask | None = None
        self._cancel: Event | None = None
        self._progress: QProgressDialog | None = None
        analysis.task_done.connect(self._task_done)
        collector.progressed.connect(self._show_looking)
        collector.collected.connect(self._collected)

    def save(self) -> None:
        """Ask for a file name and write the copy."""
        reading, session = self._review.result, self._documents.session
        if self._task is not None:
            self.message.emit(_BUSY)
        elif not session.can_track:
            self.message.emit(_OFFICE_ONLY)
        elif reading is None or reading.report is None:
            self.message.emit(NOT_READ)
        elif reading.snapshot.text != self._editor.text():
            self.message.emit(STILL_READING)
        elif (path := self._ask_path(session)) is not None:
            task = _CopyTask(
                reading.snapshot,
                tuple(reading.report.findings),
                {},
                session,
                self._documents.stamp(),
                self._documents.tracking(),
                tuple(self._documents.comments.placed(reading.snapshot.text)),
                path,
            )
            self._start(task, reading)

    def close(self) -> None:
        """Stop writing; no partial file is left behind."""
        self._collector.stop()
        if self._cancel is not None:
            self._cancel.set()
        if self._task is not None:
            self._finish()

    def _ask_path(self, session: Session) -> Path | None:
        folder = session.path.parent if session.path else start_folder()
        spec = FORMATS[session.format]
        suffix = spec.suffixes[0]
        ending = tr("reviewed")
        suggested = folder / f"{Path(session.name).stem}-{ending}{suffix}"
        name, _ = QFileDialog.getSaveFileName(
            self._window, tr("Save a reviewed copy"), str(suggested), f"{spec.name} (*{suffix})"
        )
        if not name:
            return None
        path = Path(name).absolute()
        path = path if path.suffix.lower() == suffix else path.with_name(f"{path.name}{suffix}")
        if session.path is not None and path == session.path:
            self.message.emit(_OWN_FILE)
            return None
        return path

    def _start(self, task: _CopyTask, reading: AnalysisResult) -> None:
        """Look for the suggestions that are not known, then write the copy of the text as it is now."""
        self._task = task
        label = tr("Writing {name} …").format(name=task.path.name)
        self._progress = QProgressDialog(plain_text(label), tr("Cancel"), 0, 100, self._window)
        self._progress.setWindowTitle(tr("Save a reviewed copy"))
        self._progress.setAccessibleName(label)
        self._progress.setMinimumDuration(_DIALOG_DELAY_MS)
        self._progress.setAutoReset(False)
        self._progress.canceled.connect(self.close)
        self._collector.start(reading)

    def _show_looking(self, done: int, count: int) -> None:
        if self._progress is not None and not self._progress.wasCanceled():
            self._progress.setValue(100 * done // count)

    def _collected(self, found: Mapping[Finding, Suggestions]) -> None:
        if self._task is not None:
            self._cancel = self._analysis.submit(replace(self._task, suggestions=found))

    def _task_done(self, result: object) -> None:
        if not isinstance(result, _Copied) or self._cancel is None:
            return
        self._finish()
        if result.problem:
            self.message.emit(result.problem)
            return
        said = ntr(
            "{name} was written, with {count} comment.",
            "{name} was written, with {count} comments.",
            result.comments,
        )
        self.status_message.emit(said.format(name=result.path.name, count=result.comments))

    def _finish(self) -> None:
        self._task = self._cancel = None
        if self._progress is not None:
            self._progress.deleteLater()
            self._progress.hide()
            self._progress = None
