"""An audit for other programs: a chart as picture, the table as CSV."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.audit.bars import chart_row
from app.audit.table import as_csv
from app.training.desk import Desk
from core.files import FileError, write_bytes
from core.language import tr
from core.runs.audit import KINDS, Audit


class AuditExporting(QObject):
    """Asks where, and writes; what went well or wrong is told above the page."""

    def __init__(self, desk: Desk, page: QWidget) -> None:
        super().__init__(page)
        self._desk = desk
        self._page = page

    def picture(self, audit: Audit | None, attribute: str) -> None:
        """Show the dialog that keeps a chart as a picture, with those of this attribute first."""
        if audit is None:
            return
        from app.figures.exporting_charts import ChartDialog

        names = sorted((part.attribute for part in audit.parts), key=lambda name: name != attribute)
        charts = {
            f"{kind}-{name}": chart_row(audit, name, kind) for name in dict.fromkeys(names) for kind in KINDS
        }
        dialog = ChartDialog(None, _name(audit), Path.home(), self._page, charts=charts)
        dialog.written.connect(self._written)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def table(self, audit: Audit | None) -> None:
        """Ask where, and write all figures as CSV."""
        if audit is None:
            return
        start = Path.home() / f"{_name(audit)}.csv"
        form = tr("Table") + " (*.csv)"
        chosen, _ = QFileDialog.getSaveFileName(self._page, tr("Save the table as CSV"), str(start), form)
        if not chosen:
            return
        path = Path(chosen) if Path(chosen).suffix else Path(chosen).with_suffix(".csv")
        try:
            write_bytes(path, as_csv(audit).encode())
        except FileError as error:
            self._desk.told.emit(str(error))
        else:
            self._written(path.name)

    def _written(self, name: str) -> None:
        self._desk.told.emit(tr("{name} was written.").format(name=name))


def _name(audit: Audit) -> str:
    """What files of an audit are called at first."""
    return f"{Path(audit.generator).name}-audit"
