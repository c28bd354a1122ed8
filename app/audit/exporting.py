"""What was found for other programs: a chart as picture, a table as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.figures.dashboard_sections import ChartRow
from app.training.desk import Desk
from core.files import FileError, write_bytes
from core.language import tr


class Exporting(QObject):
    """Asks where, and writes; what went well or wrong is told above the page."""

    def __init__(self, desk: Desk, page: QWidget) -> None:
        super().__init__(page)
        self._desk = desk
        self._page = page

    def picture(self, charts: Mapping[str, ChartRow], name: str) -> None:
        """Show the dialog that keeps one of these charts as a picture, at first called ``name``."""
        from app.figures.exporting_charts import ChartDialog

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
