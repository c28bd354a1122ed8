"""The audit window and its two pages, bias of a generator and political compass, with the export of results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.audit.bias_chart import chart_rows
from app.audit.bias_form import AuditForm
from app.audit.bias_results import AuditView
from app.audit.compass_chart import chart_row
from app.audit.compass_form import CompassForm
from app.audit.compass_results import CompassView
from app.audit.detector_results import detector_rows, detectors_csv
from app.audit.runs_page import RunsPage
from app.audit.tables import answers_csv, as_csv, positions_csv
from app.charts.chart_sections import ChartRow
from app.models.app_context import Desk, Outside
from app.widgets.dialogs import fit
from app.widgets.message_bars import MessageBar
from core.i18n import tr
from core.runs.generator_audit import RECIPE, Audit
from core.runs.generator_audit import RECIPE as AUDIT
from core.runs.political_compass import RECIPE as COMPASS
from core.runs.political_compass import RECIPE as RECIPE_political_compass
from core.storage.files import FileError, write_bytes

# What was found for other programs: a chart as picture, a table as CSV.


class Exporting(QObject):
    """Asks where, and writes; what went well or wrong is told above the page."""

    def __init__(self, desk: Desk, page: QWidget) -> None:
        super().__init__(page)
        self._desk = desk
        self._page = page

    def picture(self, charts: Mapping[str, ChartRow], name: str) -> None:
        """Show the dialog that keeps one of these charts as a picture, at first called ``name``."""
        from app.export.chart_export import ChartDialog

        dialog = ChartDialog(None, name, Path.home(), self._page, charts=charts)
        dialog.written.connect(self._written)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def table(self, text: str, name: str) -> None:
        """Ask where, and write a table that is CSV, at first called ``name``."""
        start = Path.home() / f"{name}.csv"
        form = tr("Table") + " (*.csv)"
        chosen, _ = QFileDialog.getSaveFileName(self._page, tr("Save the table as CSV"), str(start), form)
        if not chosen:
            return
        path = Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(".csv")
        try:
            write_bytes(path, text.encode())
        except FileError as error:
            self._desk.told.emit(str(error))
        else:
            self._written(path.name)

    def _written(self, name: str) -> None:
        self._desk.told.emit(tr("{name} was written.").format(name=name))


# Page one of the audit window: how a generator leans, before and after calibration.


class AuditPage(RunsPage):
    """The audits of generators."""

    form: AuditForm
    view: AuditView

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, RECIPE, AuditForm(desk.outside.settings), AuditView(desk), parent)
        self._exporting = Exporting(desk, self)
        self.view.results.picture_wanted.connect(self._picture)
        self.view.results.table_wanted.connect(self._table)

    def _picture(self) -> None:
        results = self.view.results
        if results.audit is not None:
            self._exporting.picture(chart_rows(results.audit, first=results.shown), _file(results.audit))

    def _table(self) -> None:
        audit = self.view.results.audit
        if audit is not None:
            self._exporting.table(as_csv(audit), _file(audit))


def _file(audit: Audit) -> str:
    """What files of an audit are called at first."""
    return f"{Path(audit.generator).name}-audit"


# Page two of the audit window: where language models stand on the political compass.


class CompassPage(RunsPage):
    """The runs of the compass."""

    form: CompassForm
    view: CompassView

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(
            desk, RECIPE_political_compass, CompassForm(desk.outside.settings), CompassView(desk), parent
        )
        self._exporting = Exporting(desk, self)
        results = self.view.results
        results.picture_wanted.connect(self._picture)
        results.positions_wanted.connect(self._positions)
        results.answers_wanted.connect(self._answers)
        results.detectors.picture_wanted.connect(self._bars)
        results.detectors.table_wanted.connect(self._scores)

    def _picture(self) -> None:
        results = self.view.results
        if results.compass is not None:
            self._exporting.picture({"chart": chart_row(results.compass, results.arrows)}, "compass")

    def _positions(self) -> None:
        if self.view.results.compass is not None:
            self._exporting.table(positions_csv(self.view.results.compass), "compass-positions")

    def _answers(self) -> None:
        if self.view.results.compass is not None:
            self._exporting.table(answers_csv(self.view.results.compass), "compass-answers")

    def _bars(self) -> None:
        results = self.view.results
        if results.compass is not None:
            task, score = results.detectors.shown
            rows = detector_rows(results.compass, task=task, score=score)
            self._exporting.picture(rows, "compass-detectors")

    def _scores(self) -> None:
        if self.view.results.compass is not None:
            self._exporting.table(detectors_csv(self.view.results.compass), "compass-detectors")


# The audit window: what is told, its pages, and the way out.


_SIZE = (1000, 780)
_MARGIN = 18


class AuditWindow(QDialog):
    """Not modal. Closing it leaves an audit that is going on as it is."""

    def __init__(self, outside: Outside, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Audit of language models"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        desk = Desk(outside, self)
        self.page, self.compass = AuditPage(desk), CompassPage(desk)
        self._pages: dict[str, RunsPage] = {AUDIT: self.page, COMPASS: self.compass}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(tr("Pages of the audit"))
        self.tabs.addTab(self.page, tr("&Bias of a generator"))
        self.tabs.addTab(self.compass, tr("&Political compass"))
        self.page.elsewhere.connect(self.go)
        self.bar = MessageBar()
        desk.told.connect(self.bar.show_message)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.setContentsMargins(_MARGIN, 6, _MARGIN, 10)
        foot.addWidget(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.tabs, 1)
        column.addLayout(foot)
        fit(self, *_SIZE)

    def go(self, recipe: str) -> None:
        """Show the page of a recipe; of one that has none here, nothing changes."""
        if recipe in self._pages:
            self.tabs.setCurrentWidget(self._pages[recipe])

    def resume(self, run_id: str, recipe: str) -> None:
        """Go on with a run on its page."""
        self.go(recipe)
        self._pages[recipe].resume(run_id)

    def done(self, result: int) -> None:
        """The pages wait for nothing any more."""
        for page in self._pages.values():
            page.close()
        super().done(result)
