"""Export: the report as HTML or PDF, the charts as pictures. Asks where, writes beside the typing, tells the end."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QProgressDialog, QWidget

from app.analysis.analysis_worker import Reading
from app.documents.document_controller import Drafts
from app.editor.editor import TextPane
from app.review.review_controller import Review
from core.i18n import spoken, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from app.background.incremental_tasks import Job, Steps
    from app.charts.chart_sections import ChartRow
    from core.reports.html_report import Entry

_PATIENCE_MS = 600
NOT_READ = tr("There is nothing to report yet: the draft has not been read.")
BEING_READ = tr("The draft is still being read. Try again in a moment.")
BUSY = tr("Another report is being written. Wait for it, or cancel it.")


class Exporting(QObject):
    """``told``: what went wrong, in a sentence; ``said``: a passing message that a file was written."""

    told = Signal(str)
    said = Signal(str)

    def __init__(self, window: QWidget, pane: TextPane, drafts: Drafts, *, review: Review) -> None:
        super().__init__(window)
        self._window = window
        self._pane = pane
        self._drafts = drafts
        self._review = review
        self._job: Job | None = None
        self._progress: QProgressDialog | None = None

    @property
    def busy(self) -> bool:
        """Whether a file is being made."""
        return self._job is not None

    def html(self) -> None:
        """Ask where, and write the report as a page."""
        self._report(tr("Save the report as HTML"), ".html", tr("Web page") + " (*.html)", _html)

    def pdf(self) -> None:
        """Ask where, and write the report as a PDF."""
        self._report(tr("Save the report as PDF"), ".pdf", tr("PDF document") + " (*.pdf)", _pdf)

    def chart(self, name: str = "", more: Mapping[str, ChartRow] = MappingProxyType({})) -> None:
        """Show the dialog that keeps a chart as a picture, with ``name`` chosen of the report's charts and ``more``."""
        reading = self._review.reading
        if reading is None or reading.report is None:
            self.told.emit(NOT_READ)
            return
        from app.charts.chart_sections import CHARTS
        from app.export.chart_export import ChartDialog

        dialog = ChartDialog(
            reading.report,
            self._drafts.session.name,
            self._start("", ""),
            self._window,
            charts={**CHARTS, **more},
        )
        dialog.choose(name)
        dialog.written.connect(self._written)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def close(self) -> None:
        """Stop what is being made; nothing half is left on the disk."""
        if self._job is not None:
            self._job.stop()

    def _report(
        self,
        title: str,
        ending: str,
        form: str,
        make: Callable[[Entry, str], Steps],
    ) -> None:
        reading = self._review.reading
        if self._job is not None:
            self.told.emit(BUSY)
        elif reading is None or reading.report is None:
            self.told.emit(NOT_READ)
        elif reading.snapshot.text != self._pane.text():
            self.told.emit(BEING_READ)
        else:
            name, _ = QFileDialog.getSaveFileName(
                self._window, title, str(self._start(tr("report"), ending)), form
            )
            if name:
                path = Path(name)
                steps = make(self._entry(reading), reading.reader)
                self._run(steps, path if path.suffix else path.with_suffix(ending))

    def _entry(self, reading: Reading) -> Entry:
        from core.reports.html_report import Entry

        return Entry(
            path=self._drafts.session.name,
            report=reading.report,
            source=reading.snapshot.text,
            before=self._drafts.opened_text,
            ignored=len(self._review.ignored),
            include_quotes=reading.snapshot.include_quotes,
        )

    def _start(self, what: str, ending: str) -> Path:
        """Beside the draft, and named after it."""
        session = self._drafts.session
        folder = session.path.parent if session.path else Path.home()
        return folder / f"{Path(session.name).stem}-{what}{ending}" if what else folder

    def _run(self, steps: Steps, path: Path) -> None:
        from app.background.incremental_tasks import Job

        self._job = Job(steps, path, self)
        label = tr("Writing {name} …").format(name=path.name)
        self._progress = QProgressDialog(label, tr("Cancel"), 0, 100, self._window)
        self._progress.setWindowTitle(tr("Export"))
        self._progress.setAccessibleName(label)
        self._progress.setMinimumDuration(_PATIENCE_MS)
        self._progress.setAutoReset(False)
        self._progress.canceled.connect(self._job.stop)
        self._job.moved.connect(self._moved)
        self._job.wrong.connect(self.told)
        self._job.written.connect(self._written)
        self._job.finished.connect(self._end)
        self._job.start()

    def _moved(self, percent: int) -> None:
        if self._progress is not None and not self._progress.wasCanceled():
            self._progress.setValue(percent)

    def _written(self, name: str) -> None:
        self.said.emit(tr("{name} was written.").format(name=name))

    def _end(self) -> None:
        for part in (self._progress, self._job):
            if part is not None:
                part.deleteLater()
        self._progress = self._job = None


def _html(entry: Entry, reader: str) -> Steps:
    parts = []
    for part in _pieces(entry, reader):
        parts.append(part)
        yield 0.0
    return "".join(parts).encode()


def _pdf(entry: Entry, reader: str) -> Steps:
    from app.export.report_pdf import pdf

    title = tr("Evenhand report: {name}").format(name=entry.path)
    return (yield from pdf(_pieces(entry, reader), title=title))


def _pieces(entry: Entry, reader: str) -> Iterator[str]:
    """The page in parts."""
    from app.analysis.explanations import lexicon
    from app.widgets.dialogs import app_version
    from core.reports.html_report import Setting, pieces
    from core.reports.model_notes import note_of_reader

    setting = Setting(
        made=datetime.now().astimezone(),
        version=app_version(),
        models=(note_of_reader(reader),),
        language=spoken(),
    )
    return pieces([entry], setting, lexicon=lexicon())
