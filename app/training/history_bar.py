"""Above the history: which runs are shown, and how they are sorted. All of it is reached by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from app.training.flow_row import FlowRow
from app.training.history_rows import Column, columns_of
from app.training.recipes import recipe_title
from app.training.retrain_fields import Choice
from app.training.status_marks import status_word
from core.language import tr
from core.runs.model import Run, Status

_FIRST = "when"


class HistoryBar(FlowRow):
    """``narrowed``: other runs are asked for. ``sorting``: another order is."""

    narrowed = Signal()
    sorting = Signal()

    def __init__(self) -> None:
        super().__init__(spacing=12)
        self.descending = True
        self._recipe, self._status, self._column = Choice(), Choice(), Choice()
        self._order = QToolButton()
        self._order.setProperty("outlined", "true")
        self._order.clicked.connect(self._turn)
        for box in (self._recipe, self._status):
            box.activated.connect(lambda _: self.narrowed.emit())
        self._column.activated.connect(lambda _: self.sorting.emit())
        named = (
            (tr("Rec&ipe"), self._recipe),
            (tr("St&atus"), self._status),
            (tr("S&ort by"), self._column),
        )
        self.add(
            [_field(words, box, *([self._order] if box is self._column else [])) for words, box in named]
        )
        self.offer([])
        self._fill(self._status, [("", tr("all")), *((one.value, status_word(one)) for one in Status)])
        self.offer_columns(columns_of([]))
        self._say_order()

    @property
    def recipe(self) -> str:
        """The recipe that is asked for; empty for all."""
        return str(self._recipe.currentData() or "")

    @property
    def status(self) -> str:
        """The status that is asked for; empty for all."""
        return str(self._status.currentData() or "")

    @property
    def sorted_by(self) -> str:
        """The key of the column that is sorted by."""
        return str(self._column.currentData())

    def offer(self, runs: Sequence[Run]) -> None:
        """Offer the recipes of these runs; what is chosen stays so."""
        names = sorted({run.recipe for run in runs} | ({self.recipe} - {""}))
        self._fill(self._recipe, [("", tr("all")), *((name, recipe_title(name)) for name in names)])

    def offer_columns(self, columns: Sequence[Column]) -> None:
        """Offer these to sort by; where the one in use is gone, the newest run stands first."""
        self._fill(self._column, [(column.key, column.title) for column in columns], otherwise=_FIRST)

    def show_all(self) -> None:
        """Ask for all runs."""
        self._recipe.setCurrentIndex(0)
        self._status.setCurrentIndex(0)

    def sort_by(self, key: str) -> None:
        """Sort by this column: figures from the highest; the other way round where that is so already."""
        if key == self.sorted_by:
            self.descending = not self.descending
        else:
            self._column.setCurrentIndex(self._column.findData(key))
            self.descending = key not in ("status", "recipe", "scale", "base", "device")
        self._say_order()
        self.sorting.emit()

    def choose(self, *, recipe: str | None = None, status: str | None = None) -> None:
        """Ask for a recipe or a status, as a person does in the boxes."""
        for box, wanted in ((self._recipe, recipe), (self._status, status)):
            if wanted is not None:
                box.setCurrentIndex(max(0, box.findData(wanted)))
        self.narrowed.emit()

    def _turn(self) -> None:
        self.descending = not self.descending
        self._say_order()
        self.sorting.emit()

    def _say_order(self) -> None:
        words = tr("highest or newest first") if self.descending else tr("lowest or oldest first")
        self._order.setText("↓" if self.descending else "↑")
        self._order.setAccessibleName(tr("Order: {words}").format(words=words))
        self._order.setToolTip(tr("Order: {words}").format(words=words))

    @staticmethod
    def _fill(box: Choice, rows: Sequence[tuple[str, str]], *, otherwise: str = "") -> None:
        chosen = box.currentData()
        box.blockSignals(True)
        box.clear()
        for data, words in rows:
            box.addItem(words, data)
        at = box.findData(chosen) if chosen is not None else -1
        box.setCurrentIndex(at if at >= 0 else max(0, box.findData(otherwise)))
        box.blockSignals(False)


def _field(words: str, box: Choice, *also: QWidget) -> QWidget:
    made = QWidget()
    label = QLabel(words)
    label.setBuddy(box)
    box.setAccessibleName(words.replace("&", ""))
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    for widget in (label, box, *also):
        row.addWidget(widget)
    return made
