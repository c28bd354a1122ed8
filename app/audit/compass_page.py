"""Page two of the audit window: where language models stand on the political compass."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.audit.compass_chart import chart_row
from app.audit.compass_form import CompassForm
from app.audit.compass_table import answers_csv, positions_csv
from app.audit.compass_view import CompassView
from app.audit.detector_bars import detector_rows, detectors_csv
from app.audit.exporting import Exporting
from app.audit.runs_page import RunsPage
from app.training.desk import Desk
from core.runs.compass import RECIPE


class CompassPage(RunsPage):
    """The runs of the compass."""

    form: CompassForm
    view: CompassView

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, RECIPE, CompassForm(desk.outside.settings), CompassView(desk), parent)
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
