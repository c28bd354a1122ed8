"""The results of the political compass: chart, positions, answers, stability, detectors."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.audit.compass_chart import CompassChart
from app.audit.compass_strings import CAUTION, PROGRESS_STRINGS, READING, describe_missing, describe_unplaced
from app.audit.detector_results import DetectorResults
from app.audit.run_view import AuditRunView
from app.audit.tables import (
    ANSWERS_NOTE,
    POSITIONS_HEADER,
    POSITIONS_NOTE,
    STABILITY_HEADER,
    STABILITY_NOTE,
    STATEMENT_FILTERS,
    answer_rows,
    position_rows,
    stability_rows,
)
from app.models.app_context import AppContext
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import ComboBox, make_button, make_heading, make_hint_label, with_label
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from app.widgets.read_only_table import ReadOnlyTable
from core.i18n import tr
from core.runs.political_compass import COMPASS_FILE, CompassReport, read_compass

_MIN_CHARACTERS, _STATEMENT_CHARACTERS = 28, 60


class CompassResults(QWidget):
    """``picture_requested``, ``positions_requested`` and ``answers_requested``: exports."""

    picture_requested = Signal()
    positions_requested = Signal()
    answers_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compass: CompassReport | None = None
        self.chart = CompassChart()
        self.arrow_start, self.arrow_end = ComboBox(tr("Arrow from")), ComboBox(tr("Arrow to"))
        self.statement_filter = ComboBox(tr("Statements"), STATEMENT_FILTERS.items())
        self.positions = ReadOnlyTable(tr("Positions"))
        self.answers = ReadOnlyTable(tr("Answers"))
        self.answers.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.stability = ReadOnlyTable(tr("Stability"))
        self.detectors = DetectorResults()
        self._missing_label, self._unplaced_label = WrapLabel(), WrapLabel()
        self.buttons = {
            "picture": make_button(tr("Save the chart as a picture…"), self.picture_requested.emit),
            "positions": make_button(tr("Save positions as CSV…"), self.positions_requested.emit),
            "answers": make_button(tr("Save answers as CSV…"), self.answers_requested.emit),
        }
        for box in (self.arrow_start, self.arrow_end, self.statement_filter):
            box.setMinimumContentsLength(_MIN_CHARACTERS)
        self.statement_filter.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self._lay_out()
        self.arrow_start.currentIndexChanged.connect(self._update_chart)
        self.arrow_end.currentIndexChanged.connect(self._update_chart)
        self.statement_filter.currentIndexChanged.connect(self._update_answers)
        self.chart.activated.connect(self._show_answers_of)

    @property
    def compass(self) -> CompassReport | None:
        """The report that is shown."""
        return self._compass

    @property
    def notes(self) -> str:
        """The notes on missing results and unclear answers, as shown."""
        labels = (self._missing_label, self._unplaced_label)
        return "\n".join(label.accessibleName() for label in labels if not label.isHidden())

    @property
    def arrows(self) -> list[tuple[int, int]]:
        """Pairs of model numbers, from and to."""
        if self._compass is None or not self.arrow_start.currentData():
            return []
        names = [position.model for position in self._compass.positions]
        start, end = (str(box.currentData() or "") for box in (self.arrow_start, self.arrow_end))
        return [
            (names.index(start), at)
            for at, name in enumerate(names)
            if start in names and name != start and end in ("", name)
        ]

    def show_compass(self, compass: CompassReport) -> None:
        """Show a report; the choices stay."""
        self._compass = compass
        names = [position.model for position in compass.positions]
        for box, none_text in ((self.arrow_start, tr("None")), (self.arrow_end, tr("All others"))):
            box.set_choices([("", none_text), *zip(names, names, strict=True)])
        self._arrows_row.setVisible(len(names) > 1)
        self._missing_label.show_text(describe_missing(compass))
        self._unplaced_label.show_text(describe_unplaced(compass))
        self.positions.show_rows(
            POSITIONS_HEADER, position_rows(compass.positions), right=range(3, len(POSITIONS_HEADER))
        )
        self.stability.show_rows(
            STABILITY_HEADER, stability_rows(compass.positions), right=range(2, len(STABILITY_HEADER))
        )
        self._body.setVisible(bool(names))
        self.detectors.show_compass(compass)
        self._update_chart()
        self._update_answers()

    def _lay_out(self) -> None:
        head = FlowRow(*self.buttons.values(), spacing=10)
        choosers = (with_label(tr("Arrow from"), self.arrow_start), with_label(tr("to"), self.arrow_end))
        self._arrows_row = FlowRow(*choosers, spacing=14)
        statement_filter = FlowRow(with_label(tr("Statements"), self.statement_filter))
        caution = WrapLabel(CAUTION)
        self._body = QWidget()
        body_column = make_column(
            head,
            self._unplaced_label,
            self._arrows_row,
            self.chart,
            make_hint_label(READING),
            parent=self._body,
            spacing=10,
        )
        for title, widgets in (
            (tr("Limitations of the compass"), (caution,)),
            (tr("Positions"), (self.positions, make_hint_label(POSITIONS_NOTE))),
            (
                tr("Answers to the first prompt"),
                (statement_filter, self.answers, make_hint_label(ANSWERS_NOTE)),
            ),
            (tr("Stability"), (self.stability, make_hint_label(STABILITY_NOTE))),
        ):
            body_column.addSpacing(8)
            body_column.addWidget(make_heading(title))
            for part in widgets:
                body_column.addWidget(part)
        make_column(self._missing_label, self._body, self.detectors, parent=self, spacing=10)

    def _update_chart(self) -> None:
        if self._compass is not None:
            self.chart.show_positions(self._compass.positions, self.arrows)

    def _update_answers(self) -> None:
        if self._compass is not None:
            head = [tr("Statement"), *(position.model for position in self._compass.positions)]
            self.answers.show_rows(head, answer_rows(self._compass, str(self.statement_filter.currentData())))
            self.answers.setColumnWidth(0, _STATEMENT_CHARACTERS * self.fontMetrics().averageCharWidth())

    def _show_answers_of(self, number: int) -> None:
        """Move the focus to the answers of a model."""
        if self.answers.rowCount():
            self.answers.setCurrentCell(max(0, self.answers.currentRow()), number + 1)
            self.answers.setFocus()


class CompassView(AuditRunView[CompassReport]):
    """One run of the political compass; a model is shown as soon as it has answered once."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        self.results = CompassResults()
        super().__init__(
            context,
            PROGRESS_STRINGS,
            self.results,
            file_name=COMPASS_FILE,
            read=read_compass,
            has_results=lambda report: bool(report.positions or report.problems or report.downstream),
            show_results=self.results.show_compass,
            parent=parent,
        )
