"""Export of the report as HTML or PDF and of charts as pictures: asks for a file name and writes in the background."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QWidget

from app.analysis.analysis_worker import AnalysisResult
from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.review.review_controller import ReviewController
from app.widgets.plain_text import plain_text
from core.i18n import current_language, tr
from core.paths import start_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from app.background.incremental_tasks import IncrementalFileWriter, Steps
    from app.charts.chart_sections import ChartSpec
    from core.reports.html_tables import ReportEntry

_DIALOG_DELAY_MS = 600
NOT_READ = tr("There is nothing to report yet: the draft has not been analysed.")
STILL_READING = tr("The draft is still being analysed. Try again in a moment.")
BUSY = tr("Another report is being written. Wait for it to finish, or cancel it.")


class ReportExporter(QObject):
    """``message`` carries an error in one sentence; ``status_message`` the name of a written file."""

    message = Signal(str)
    status_message = Signal(str)

    def __init__(
        self, window: QWidget, editor: TextEditor, documents: DocumentController, *, review: ReviewController
    ) -> None:
        super().__init__(window)
        self._window = window
        self._editor = editor
        self._documents = documents
        self._review = review
        self._job: IncrementalFileWriter | None = None
        self._progress: QProgressDialog | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a file is being written."""
        return self._job is not None

    def export_html(self) -> None:
        """Ask for a file name and write the report as a web page."""
        self._report(tr("Save the report as HTML"), ".html", tr("Web page") + " (*.html)", _render_html)

    def export_pdf(self) -> None:
        """Ask for a file name and write the report as a PDF."""
        self._report(tr("Save the report as PDF"), ".pdf", tr("PDF document") + " (*.pdf)", _render_pdf)

    def export_chart(
        self, name: str = "", extra_charts: Mapping[str, ChartSpec] = MappingProxyType({})
    ) -> None:
        """Show the export dialog with the charts of the report and ``extra_charts``; ``name`` is selected."""
        reading = self._review.result
        if reading is None or reading.report is None:
            self.message.emit(NOT_READ)
            return
        from app.charts.chart_sections import CHARTS
        from app.export.chart_export import ChartExportDialog

        dialog = ChartExportDialog(
            reading.report,
            self._documents.session.name,
            self._suggested_path("", ""),
            self._window,
            charts={**CHARTS, **extra_charts},
        )
        dialog.choose(name)
        dialog.saved.connect(self._written)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def close(self) -> None:
        """Stop writing; no partial file is left behind."""
        if self._job is not None:
            self._job.stop()

    def _report(
        self,
        title: str,
        suffix: str,
        file_filter: str,
        render: Callable[[ReportEntry, str], Steps],
    ) -> None:
        reading = self._review.result
        if self._job is not None:
            self.message.emit(BUSY)
        elif reading is None or reading.report is None:
            self.message.emit(NOT_READ)
        elif reading.snapshot.text != self._editor.text():
            self.message.emit(STILL_READING)
        else:
            name, _ = QFileDialog.getSaveFileName(
                self._window, title, str(self._suggested_path(tr("report"), suffix)), file_filter
            )
            if name:
                path = Path(name)
                steps = render(self._entry(reading), reading.reader)
                self._run(steps, path if path.suffix else path.with_suffix(suffix))

    def _entry(self, reading: AnalysisResult) -> ReportEntry:
        from core.reports.html_tables import ReportEntry

        return ReportEntry(
            path=self._documents.session.name,
            report=reading.report,
            source=reading.snapshot.text,
            before=self._documents.opened_text,
            ignored=len(self._review.ignored),
            include_quotes=reading.snapshot.include_quotes,
        )

    def _suggested_path(self, what: str, suffix: str) -> Path:
        """A path in the folder of the draft, named after it."""
        session = self._documents.session
        folder = session.path.parent if session.path else start_folder()
        return folder / f"{Path(session.name).stem}-{what}{suffix}" if what else folder

    def _run(self, steps: Steps, path: Path) -> None:
        from app.background.incremental_tasks import IncrementalFileWriter

        self._job = IncrementalFileWriter(steps, path, self)
        label = tr("Writing {name} …").format(name=path.name)
        self._progress = QProgressDialog(plain_text(label), tr("Cancel"), 0, 100, self._window)
        self._progress.setWindowTitle(tr("Export"))
        self._progress.setAccessibleName(label)
        self._progress.setMinimumDuration(_DIALOG_DELAY_MS)
        self._progress.setAutoReset(False)
        self._progress.canceled.connect(self._job.stop)
        self._job.progressed.connect(self._show_progress)
        self._job.failed.connect(self.message)
        self._job.written.connect(self._written)
        self._job.finished.connect(self._finish)
        self._job.start()

    def _show_progress(self, percent: int) -> None:
        if self._progress is not None and not self._progress.wasCanceled():
            self._progress.setValue(percent)

    def _written(self, name: str) -> None:
        self.status_message.emit(tr("{name} was written.").format(name=name))

    def _finish(self) -> None:
        for part in (self._progress, self._job):
            if part is not None:
                part.deleteLater()
        self._progress = self._job = None


def _render_html(entry: ReportEntry, reader: str) -> Steps:
    parts = []
    for part in _html_chunks(entry, reader):
        parts.append(part)
        yield 0.0
    return "".join(parts).encode()


def _render_pdf(entry: ReportEntry, reader: str) -> Steps:
    from app.export.report_pdf import render_pdf

    title = tr("Evenhand report: {name}").format(name=entry.path)
    return (yield from render_pdf(_html_chunks(entry, reader), title=title))


def _html_chunks(entry: ReportEntry, reader: str) -> Iterator[str]:
    """The HTML page in chunks."""
    from app.analysis.explanations import lexicon
    from app.widgets.dialogs import app_version
    from core.reports.html_report import ReportContext, render_parts
    from core.reports.model_notes import summarise_active_reader

    setting = ReportContext(
        made=datetime.now().astimezone(),
        version=app_version(),
        models=(summarise_active_reader(reader),),
        language=current_language(),
    )
    return render_parts([entry], setting, lexicon=lexicon())
