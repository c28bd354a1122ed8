"""The audit window and its two pages, bias of a generator and political compass, with the export of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QTabWidget,
    QWidget,
)

from app.audit.bias_chart import chart_specs
from app.audit.bias_form import BiasForm
from app.audit.bias_results import BiasView
from app.audit.compass_chart import chart_spec
from app.audit.compass_form import CompassForm
from app.audit.compass_results import CompassView
from app.audit.detector_results import detector_chart_specs, detectors_csv
from app.audit.runs_page import RunsPage
from app.audit.tables import answers_csv, bias_csv, positions_csv
from app.charts.chart_sections import ChartSpec
from app.models.app_context import AppContext, AppServices
from app.widgets.dialogs import button_row, fit_to_screen
from app.widgets.layouts import make_column
from app.widgets.message_bars import MessageBar
from core.i18n import tr
from core.paths import start_folder
from core.runs.generator_audit import RECIPE as AUDIT
from core.runs.generator_audit import Audit
from core.runs.political_compass import RECIPE as COMPASS
from core.runs.political_compass import CompassReport
from core.storage.files import FileError, write_bytes


class ResultExporter(QObject):
    """Exports charts and tables; the outcome is a message above the page."""

    def __init__(self, context: AppContext, page: QWidget) -> None:
        super().__init__(page)
        self._context = context
        self._page = page

    def export_chart(self, charts: Mapping[str, ChartSpec], name: str) -> None:
        """Show the export dialog for these charts; ``name`` is the suggested file name."""
        from app.export.chart_export import ChartExportDialog

        dialog = ChartExportDialog(None, name, start_folder(), self._page, charts=charts)
        dialog.saved.connect(self._written)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def export_table(self, text: str, name: str) -> None:
        """Ask for a file name and write a CSV table; ``name`` is the suggested name."""
        start = start_folder() / f"{name}.csv"
        form = tr("Table") + " (*.csv)"
        chosen, _ = QFileDialog.getSaveFileName(self._page, tr("Save the table as CSV"), str(start), form)
        if not chosen:
            return
        path = Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(".csv")
        try:
            write_bytes(path, text.encode())
        except FileError as error:
            self._context.message.emit(str(error))
        else:
            self._written(path.name)

    def _written(self, name: str) -> None:
        self._context.message.emit(tr("{name} was written.").format(name=name))


class BiasPage(RunsPage):
    """The page of bias audits of generators."""

    form: BiasForm
    view: BiasView

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, AUDIT, BiasForm(context.services.settings), BiasView(context), parent)
        self._exporter = ResultExporter(context, self)
        self.view.results.picture_requested.connect(self._picture)
        self.view.results.table_requested.connect(self._table)

    def _picture(self) -> None:
        results = self.view.results
        if results.audit is not None:
            self._exporter.export_chart(
                chart_specs(results.audit, first=results.shown), _file_stem(results.audit)
            )

    def _table(self) -> None:
        audit = self.view.results.audit
        if audit is not None:
            self._exporter.export_table(bias_csv(audit), _file_stem(audit))


def _file_stem(audit: Audit) -> str:
    """The suggested file name of an audit."""
    return f"{Path(audit.generator).name}-audit"


class CompassPage(RunsPage):
    """The page of the political compass."""

    form: CompassForm
    view: CompassView

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        form = CompassForm(context.services.settings)
        super().__init__(context, COMPASS, form, CompassView(context), parent)
        self._exporter = ResultExporter(context, self)
        results = self.view.results
        results.picture_requested.connect(self._picture)
        for signal, make_csv, name in (
            (results.positions_requested, positions_csv, "compass-positions"),
            (results.answers_requested, answers_csv, "compass-answers"),
            (results.detectors.table_requested, detectors_csv, "compass-detectors"),
        ):
            signal.connect(partial(self._export_table, make_csv, name))
        results.detectors.picture_requested.connect(self._export_detector_chart)

    def _picture(self) -> None:
        results = self.view.results
        if results.compass is not None:
            self._exporter.export_chart({"chart": chart_spec(results.compass, results.arrows)}, "compass")

    def _export_table(self, make_csv: Callable[[CompassReport], str], name: str) -> None:
        if self.view.results.compass is not None:
            self._exporter.export_table(make_csv(self.view.results.compass), name)

    def _export_detector_chart(self) -> None:
        results = self.view.results
        if results.compass is not None:
            task, score = results.detectors.shown
            rows = detector_chart_specs(results.compass, task=task, score=score)
            self._exporter.export_chart(rows, "compass-detectors")


_SIZE = (1000, 780)
_MARGIN = 18


class AuditWindow(QDialog):
    """Not modal. A running audit goes on when the window is closed."""

    def __init__(self, services: AppServices, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Audit of language models"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        context = AppContext(services, self)
        self.page, self.compass = BiasPage(context), CompassPage(context)
        self._pages: dict[str, RunsPage] = {AUDIT: self.page, COMPASS: self.compass}
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(tr("Pages of the audit"))
        self.tabs.addTab(self.page, tr("&Bias of a generator"))
        self.tabs.addTab(self.compass, tr("&Political compass"))
        self.page.other_recipe_running.connect(self.show_recipe)
        self.bar = MessageBar()
        context.message.connect(self.bar.show_message)
        footer = button_row(self)
        footer.setContentsMargins(_MARGIN, 6, _MARGIN, 10)
        make_column(self.bar, (self.tabs, 1), footer, parent=self, spacing=0)
        fit_to_screen(self, *_SIZE)

    def show_recipe(self, recipe: str) -> None:
        """Show the page of a recipe, if there is one."""
        if recipe in self._pages:
            self.tabs.setCurrentWidget(self._pages[recipe])

    def resume(self, run_id: str, recipe: str) -> None:
        """Resume a run on its page."""
        self.show_recipe(recipe)
        self._pages[recipe].resume(run_id)

    def done(self, result: int) -> None:
        """Close the pages."""
        for page in self._pages.values():
            page.close()
        super().done(result)
