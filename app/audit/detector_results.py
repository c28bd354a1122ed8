"""What detectors on the models of a compass find: bars by group, on how many texts they differ, and how to read it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.detector_bars import DetectorBars
from app.audit.detector_words import CAUTION, NOTE, SCORES, differing, missing, task_title
from app.audit.result_parts import heading, labelled, note
from app.parts.labels import WrapLabel
from app.training.flow_row import FlowRow
from app.training.retrain_fields import Choice, button
from core.language import tr
from core.runs.compass import Compass
from core.runs.compass_detectors import Downstream

_WIDE = 24  # characters


class DetectorResults(QWidget):
    """Hidden where no detectors were asked for. ``picture_wanted`` and ``table_wanted``: exports."""

    picture_wanted = Signal()
    table_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compass: Compass | None = None
        self.task, self.score = Choice(), Choice()
        self.chart = DetectorBars()
        self._missing, self._differing, self._caution = WrapLabel(), WrapLabel(), WrapLabel()
        self._caution.setText(CAUTION)
        self.buttons = {
            "picture": button(tr("Save the bars as picture…"), self.picture_wanted.emit),
            "table": button(tr("Save scores as CSV…"), self.table_wanted.emit),
        }
        for box, name in ((self.task, tr("Detectors of")), (self.score, tr("Score"))):
            box.setAccessibleName(name)
            box.setMinimumContentsLength(_WIDE)
        for name, words in SCORES.items():
            self.score.addItem(words, name)
        self._lay_out()
        self.task.currentIndexChanged.connect(self._draw)
        self.score.currentIndexChanged.connect(self._draw)

    @property
    def shown(self) -> tuple[str, str]:
        """The task and the score that are shown."""
        return str(self.task.currentData() or ""), str(self.score.currentData())

    @property
    def notes(self) -> str:
        """What is said of what is missing and of where detectors differ, as shown."""
        labels = (self._missing, self._differing)
        return "\n".join(label.accessibleName() for label in labels if not label.isHidden())

    def show_compass(self, compass: Compass) -> None:
        """Show what there is; what is chosen stays so."""
        self._compass = compass
        self.setVisible(bool(compass.tasks))
        trained = [one.task for one in compass.downstream if one.detectors]
        if [self.task.itemData(at) for at in range(self.task.count())] != trained:
            chosen = self.task.currentData()
            self.task.blockSignals(True)
            self.task.clear()
            for task in trained:
                self.task.addItem(task_title(task), task)
            self.task.setCurrentIndex(max(0, self.task.findData(chosen)))
            self.task.blockSignals(False)
        said = missing(compass)
        self._missing.setText(said)
        self._missing.setVisible(bool(said))
        for widget in (self._choosers, self._buttons, self._told, self._caution):
            widget.setVisible(bool(trained))
        self._draw()

    def _lay_out(self) -> None:
        self._choosers, self._buttons = FlowRow(spacing=14), FlowRow(spacing=10)
        self._choosers.add([labelled(tr("Detectors of"), self.task), labelled(tr("Score"), self.score)])
        self._buttons.add(list(self.buttons.values()))
        self._told = note(NOTE)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(10)
        for widget in (
            heading(tr("Detectors trained on these models")),
            self._missing,
            self._choosers,
            self.chart,
            self._differing,
            self._told,
            self._caution,
            self._buttons,
        ):
            column.addWidget(widget)

    def _draw(self) -> None:
        if self._compass is None:
            return
        task, score = self.shown
        found: Downstream | None = next((one for one in self._compass.downstream if one.task == task), None)
        self.chart.show_scores(self._compass, found, score)
        said = "" if found is None else differing(found)
        self._differing.setText(said)
        self._differing.setVisible(bool(said))
