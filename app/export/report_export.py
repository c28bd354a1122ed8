"""Export of the report as HTML or PDF and of charts as pictures: asks for a file name and writes in the background.

A report lists the suggestions on the card of each finding; those that are not known yet are looked for first.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QWidget

from app.analysis.analysis_worker import AnalysisResult
from app.analysis.suggestion_collector import SuggestionCollector
from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.review.review_controller import ReviewController
from app.widgets.plain_text import plain_text
from core.i18n import current_language, tr
from core.paths import start_folder
from core.types import Finding, Suggestions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from app.background.incremental_tasks import IncrementalFileWriter, Steps
    from app.charts.chart_sections import ChartSpec
    from core.reports.html_tables import ReportEntry

_DIALOG_DELAY_MS = 600
_LOOKING_PERCENT = 90
"""The share of the progress for looking for suggestions, if any are missing; writing takes the rest."""
NOT_READ = tr("There is nothing to report yet: the draft has not been analysed.")
STILL_READING = tr("The draft is still being analysed. Try again in a moment.")
BUSY = tr("Another report is being written. Wait for it to finish, or cancel it.")


class ReportExporter(QObject):
    """``message`` carries an error in one sentence; ``status_message`` the name of a written file.

    Reports and charts are of the default sensitivity, as all counts are. They have no political leaning unless
    ``shows_leaning()``.
    """

    message = Signal(str)
    status_message = Signal(str)

    def __init__(
        self,
        window: QWidget,
        editor: TextEditor,
        documents: DocumentController,
        *,
        review: ReviewController,
        collector: SuggestionCollector,
        shows_leaning: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._editor = editor
        self._documents = documents
        self._review = review
        self._collector = collector
        self._shows_leaning = shows_leaning
        self._write: Callable[[Mapping[Finding, Suggestions]], None] | None = None
        self._job: IncrementalFileWriter | None = None
        self._progress: QProgressDialog | None = None
        self._looked_percent = 0
        collector.progressed.connect(self._show_looking)
        collector.collected.connect(self._collected)

    @property
    def is_busy(self) -> bool:
        """Whether a report is being made."""
        return self._job is not None or self._write is not None

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
        from app.charts.chart_sections import CHARTS, LEANING_CHARTS
        from app.export.chart_export import ChartExportDialog

        hidden = () if self._shows_leaning() else LEANING_CHARTS
        charts = {key: chart for key, chart in CHARTS.items() if key not in hidden}
        dialog = ChartExportDialog(
            reading.default_report or reading.report,
            self._documents.session.name,
            self._folder(),
            self._window,
            charts={**charts, **extra_charts},
        )
        dialog.choose(name)
        dialog.saved.connect(self._written)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def close(self) -> None:
        """Stop; no partial file is left behind."""
        self._collector.stop()
        if self._job is not None:
            self._job.stop()
        elif self._write is not None:
            self._finish()

    def _report(
        self,
        title: str,
        suffix: str,
        file_filter: str,
        render: Callable[[ReportEntry, str], Steps],
    ) -> None:
        reading = self._review.result
        if self.is_busy:
            self.message.emit(BUSY)
        elif reading is None or reading.report is None:
            self.message.emit(NOT_READ)
        elif reading.snapshot.text != self._editor.text():
            self.message.emit(STILL_READING)
        else:
            name, _ = QFileDialog.getSaveFileName(
                self._window, title, str(self._suggested_path(suffix)), file_filter
            )
            if name:
                path = Path(name)
                reading = replace(reading, report=reading.default_report or reading.report)
                self._start(reading, path if path.suffix else path.with_suffix(suffix), render)

    def _entry(self, reading: AnalysisResult) -> ReportEntry:
        from core.reports.html_tables import ReportEntry

        return ReportEntry(
            path=self._documents.session.name,
            report=reading.report,
            source=reading.snapshot.text,
            words=reading.words,
            before=self._documents.opened_text,
            ignored=len(self._review.ignored),
            include_quotes=reading.snapshot.include_quotes,
            leaning=self._shows_leaning(),
        )

    def _folder(self) -> Path:
        """The folder of the draft, else the usual one."""
        path = self._documents.session.path
        return path.parent if path else start_folder()

    def _suggested_path(self, suffix: str) -> Path:
        """A path for the report in the folder of the draft, named after it."""
        ending = tr("report")
        return self._folder() / f"{Path(self._documents.session.name).stem}-{ending}{suffix}"

    def _start(
        self, reading: AnalysisResult, path: Path, render: Callable[[ReportEntry, str], Steps]
    ) -> None:
        """Look for the suggestions that are not known, then write the report of the text as it is now."""
        entry = self._entry(reading)
        self._write = lambda found: self._run(render(replace(entry, suggestions=found), reading.reader), path)
        self._looked_percent = 0
        self._progress = QProgressDialog("", tr("Cancel"), 0, 100, self._window)
        self._progress.setWindowTitle(tr("Export"))
        self._progress.setMinimumDuration(_DIALOG_DELAY_MS)
        self._progress.setAutoReset(False)
        self._progress.canceled.connect(self.close)
        self._collector.start(reading)

    def _show_looking(self, done: int, count: int) -> None:
        self._looked_percent = _LOOKING_PERCENT
        text = tr("Looking for suggestions: finding {number:,} of {count:,} …")
        self._show_label(text.format(number=done + 1, count=count))
        if self._progress is not None and not self._progress.wasCanceled():
            self._progress.setValue(_LOOKING_PERCENT * done // count)

    def _show_label(self, label: str) -> None:
        if self._progress is not None:
            self._progress.setLabelText(plain_text(label))
            self._progress.setAccessibleName(label)

    def _collected(self, found: Mapping[Finding, Suggestions]) -> None:
        write, self._write = self._write, None
        if write is not None:
            write(found)

    def _run(self, steps: Steps, path: Path) -> None:
        from app.background.incremental_tasks import IncrementalFileWriter

        self._job = IncrementalFileWriter(steps, path, self)
        self._show_label(tr("Writing {name} …").format(name=path.name))
        self._job.progressed.connect(self._show_progress)
        self._job.failed.connect(self.message)
        self._job.written.connect(self._written)
        self._job.finished.connect(self._finish)
        self._job.start()

    def _show_progress(self, percent: int) -> None:
        if self._progress is not None and not self._progress.wasCanceled():
            rest = 100 - self._looked_percent
            self._progress.setValue(self._looked_percent + rest * percent // 100)

    def _written(self, name: str) -> None:
        self.status_message.emit(tr("{name} was written.").format(name=name))

    def _finish(self) -> None:
        for part in (self._progress, self._job):
            if part is not None:
                part.deleteLater()
        self._progress = self._job = self._write = None


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
    from core.bundles.manifest import BundleError
    from core.models.active import active_bundle
    from core.reports.html_report import ReportContext, render_parts
    from core.reports.model_notes import summarise_active_reader, summarise_model

    models = [summarise_active_reader(reader)]
    if entry.suggestions:
        with suppress(BundleError):
            models.append(summarise_model(active_bundle("rewriter")))
    setting = ReportContext(
        created_at=datetime.now().astimezone(),
        version=app_version(),
        models=tuple(models),
        language=current_language(),
    )
    return render_parts([entry], setting, lexicon=lexicon())
