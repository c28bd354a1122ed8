"""Page one of the audit window: how a generator leans, before and after calibration."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.audit.audit_view import AuditView
from app.audit.bars import chart_rows
from app.audit.exporting import Exporting
from app.audit.form import AuditForm
from app.audit.runs_page import RunsPage
from app.audit.table import as_csv
from app.training.desk import Desk
from core.runs.audit import RECIPE, Audit


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
