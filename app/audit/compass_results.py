"""The results of the compass while a run goes on and after: chart, positions, answers, stability, detectors."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.compass_chart import CompassChart
from app.audit.compass_strings import CAUTION, READING, TELLING, missing, silent
from app.audit.detector_results import DetectorResults
from app.audit.run_view import RunView
from app.audit.tables import (
    ANSWERS_NOTE,
    POSITIONS,
    POSITIONS_NOTE,
    SHOWN,
    STABILITY,
    STABILITY_NOTE,
    answers,
    positions,
    stability,
)
from app.models.app_context import Desk
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import Choice, button, heading, labelled, note
from app.widgets.labels import WrapLabel, showable
from app.widgets.read_only_table import PlainTable
from core.i18n import tr
from core.runs.political_compass import COMPASS, Compass, read_compass

# What the compass found: the chart, positions, answers one by one, stability, detectors, and how to read them.


_WIDE, _STATEMENT = 28, 60  # characters


class CompassResults(QWidget):
    """``picture_wanted``, ``positions_wanted`` and ``answers_wanted``: exports."""

    picture_wanted = Signal()
    positions_wanted = Signal()
    answers_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compass: Compass | None = None
        self.chart = CompassChart()
        self.before, self.after, self.which = Choice(), Choice(), Choice()
        self.positions = PlainTable(tr("Positions"))
        self.answers = PlainTable(tr("Answers"))
        self.answers.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.stability = PlainTable(tr("Stability"))
        self.detectors = DetectorResults()
        self._missing, self._silent = WrapLabel(), WrapLabel()
        self.buttons = {
            "picture": button(tr("Save the chart as picture…"), self.picture_wanted.emit),
            "positions": button(tr("Save positions as CSV…"), self.positions_wanted.emit),
            "answers": button(tr("Save answers as CSV…"), self.answers_wanted.emit),
        }
        for box, name in (
            (self.before, tr("Arrow from")),
            (self.after, tr("Arrow to")),
            (self.which, tr("Statements")),
        ):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(_WIDE)
        for name, words in SHOWN.items():
            self.which.addItem(words, name)
        self.which.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
        self._lay_out()
        self.before.currentIndexChanged.connect(self._draw)
        self.after.currentIndexChanged.connect(self._draw)
        self.which.currentIndexChanged.connect(self._list)
        self.chart.chosen.connect(self._go_to_answers)

    @property
    def compass(self) -> Compass | None:
        """What is shown."""
        return self._compass

    @property
    def notes(self) -> str:
        """What is said of what is missing or means nothing, as shown."""
        labels = (self._missing, self._silent)
        return "\n".join(label.accessibleName() for label in labels if not label.isHidden())

    @property
    def arrows(self) -> list[tuple[int, int]]:
        """From which model to which, by their numbers."""
        if self._compass is None or not self.before.currentData():
            return []
        names = [stand.model for stand in self._compass.stands]
        start, end = (str(box.currentData() or "") for box in (self.before, self.after))
        return [
            (names.index(start), at)
            for at, name in enumerate(names)
            if start in names and name != start and end in ("", name)
        ]

    def show_compass(self, compass: Compass) -> None:
        """Show what there is; what is chosen stays so."""
        self._compass = compass
        names = [stand.model for stand in compass.stands]
        _offer(self.before, tr("None"), names)
        _offer(self.after, tr("All others"), names)
        self._arrows_row.setVisible(len(names) > 1)
        for label, text in ((self._missing, missing(compass)), (self._silent, silent(compass))):
            label.setText(text)
            label.setVisible(bool(text))
        self.positions.show_rows(POSITIONS, positions(compass.stands), right=range(3, len(POSITIONS)))
        self.stability.show_rows(STABILITY, stability(compass.stands), right=range(2, len(STABILITY)))
        self._body.setVisible(bool(names))
        self.detectors.show_compass(compass)
        self._draw()
        self._list()

    def _lay_out(self) -> None:
        head = FlowRow(spacing=10)
        head.add(list(self.buttons.values()))
        self._arrows_row = FlowRow(spacing=14)
        choosers = [labelled(tr("Arrow from"), self.before), labelled(tr("to"), self.after)]
        self._arrows_row.add(choosers)
        which = FlowRow()
        which.add([labelled(tr("Statements"), self.which)])
        caution = WrapLabel()
        caution.setText(CAUTION)
        self._body = QWidget()
        inside = QVBoxLayout(self._body)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(10)
        for widget in (head, self._silent, self._arrows_row, self.chart, note(READING)):
            inside.addWidget(widget)
        for title, widgets in (
            (tr("What the compass cannot tell"), (caution,)),
            (tr("Positions"), (self.positions, note(POSITIONS_NOTE))),
            (tr("Answers to the first prompt"), (which, self.answers, note(ANSWERS_NOTE))),
            (tr("Stability"), (self.stability, note(STABILITY_NOTE))),
        ):
            inside.addSpacing(8)
            inside.addWidget(heading(title))
            for widget in widgets:
                inside.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self._missing)
        column.addWidget(self._body)
        column.addWidget(self.detectors)

    def _draw(self) -> None:
        if self._compass is not None:
            self.chart.show_stands(self._compass.stands, self.arrows)

    def _list(self) -> None:
        if self._compass is not None:
            head = [tr("Statement"), *(stand.model for stand in self._compass.stands)]
            self.answers.show_rows(head, answers(self._compass, str(self.which.currentData())))
            self.answers.setColumnWidth(0, _STATEMENT * self.fontMetrics().averageCharWidth())

    def _go_to_answers(self, number: int) -> None:
        """From a mark to what that model answered."""
        if self.answers.rowCount():
            self.answers.setCurrentCell(max(0, self.answers.currentRow()), number + 1)
            self.answers.setFocus()


def _offer(box: Choice, nothing: str, names: list[str]) -> None:
    """Offer these behind ``nothing``; what was chosen stays so where it is there."""
    chosen = box.currentData()
    box.blockSignals(True)
    box.clear()
    box.addItem(nothing, "")
    for name in names:
        box.addItem(showable(name), name)
    box.setCurrentIndex(max(0, box.findData(chosen)))
    box.blockSignals(False)


# One run of the compass: how it goes, and where the models stand so far.


class CompassView(RunView[Compass]):
    """Shows a model as soon as it has answered once."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        self.results = CompassResults()
        super().__init__(desk, TELLING, self.results, file=COMPASS, read=read_compass, parent=parent)

    def is_something(self, found: Compass) -> bool:
        """Whether a model has answered, or why it cannot is known."""
        return bool(found.stands or found.problems or found.downstream)

    def show_found(self, found: Compass) -> None:
        """Show where the models stand."""
        self.results.show_compass(found)
