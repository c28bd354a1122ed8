"""The table of runs with its filters: sorted and narrowed as a person asks, and steady when the runs are read anew."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QVBoxLayout, QWidget

from app.training.history_bar import HistoryBar
from app.training.history_rows import RunsModel, columns_of, narrowed, ordered
from core.language import tr
from core.runs.compare import main_metrics
from core.runs.model import Run

_WIDEST, _PAD, _MARK = 26, 8, 16
_Flag = QItemSelectionModel.SelectionFlag


class RunsTable(QWidget):
    """``choice_changed``: other runs are chosen, or one that is chosen has changed. ``delete_asked``: by the key."""

    choice_changed = Signal()
    delete_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Run] = []
        self._last: list[Run] = []
        self.bar = HistoryBar()
        self._model = RunsModel(self)
        self.view = _View()
        self.view.setModel(self._model)
        self.view.setAccessibleName(tr("Training runs"))
        self.view.delete_pressed.connect(self.delete_asked)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._told())
        self.view.horizontalHeader().sectionClicked.connect(self._header_clicked)
        self.bar.narrowed.connect(self._fill)
        self.bar.sorting.connect(self._fill)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.bar)
        column.addWidget(self.view, 1)
        self._fill()

    @property
    def shown(self) -> list[Run]:
        """The runs in the table, from the first row to the last."""
        return list(self._model.runs)

    @property
    def chosen(self) -> list[Run]:
        """The runs that are chosen, as they stand in the table."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [self._model.runs[row] for row in rows]

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show these; what is chosen, sorted and filtered stays so."""
        self._runs = list(runs)
        self.bar.offer(runs)
        self._fill()

    def choose(self, ids: set[str]) -> None:
        """Choose these runs, as far as they are shown, and bring the first of them into view."""
        self._select(ids, here="")
        rows = [index.row() for index in self.view.selectionModel().selectedRows()]
        if rows:
            first = self._model.index(min(rows), 0)
            self.view.selectionModel().setCurrentIndex(first, _Flag.NoUpdate)
            self.view.scrollTo(first)
        self._told()

    def _fill(self) -> None:
        """Show the runs that are asked for, in the order that is; what is chosen and still there stays chosen."""
        ids = {run.id for run in self.chosen}
        current = self.view.currentIndex()
        here = self._model.runs[current.row()].id if current.isValid() else ""
        runs = narrowed(self._runs, recipe=self.bar.recipe, status=self.bar.status)
        metrics = main_metrics(runs)
        columns = columns_of(metrics)
        self.bar.offer_columns(columns)
        at = next(at for at, column in enumerate(columns) if column.key == self.bar.sorted_by)
        down = self.bar.descending
        before = (bool(self._model.runs), self._model.metrics)
        self._model.show(ordered(runs, columns[at], descending=down), metrics)
        order = Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder
        self.view.horizontalHeader().setSortIndicator(at, order)
        if before != (bool(runs), metrics):
            self._widen()
        self._select(ids, here)
        self._told()

    def _select(self, ids: set[str], here: str) -> None:
        selection = self.view.selectionModel()
        was = selection.blockSignals(True)
        selection.clearSelection()
        for row, run in enumerate(self.shown):
            index = self._model.index(row, 0)
            if run.id == here:
                selection.setCurrentIndex(index, _Flag.NoUpdate)
            if run.id in ids:
                selection.select(index, _Flag.Select | _Flag.Rows)
        selection.blockSignals(was)
        self.view.viewport().update()

    def _told(self) -> None:
        chosen = self.chosen
        if chosen != self._last:
            self._last = chosen
            self.choice_changed.emit()

    def _header_clicked(self, section: int) -> None:
        self.bar.sort_by(self._model.columns[section].key)

    def _widen(self) -> None:
        metrics = self.view.fontMetrics()
        most = _WIDEST * metrics.averageCharWidth()
        for at, column in enumerate(self._model.columns):
            texts = {column.shown(run) for run in self._model.runs} | {column.title + "  ▾"}
            mark = self.view.iconSize().width() + _PAD if column.key == "status" else 0
            wide = max(map(metrics.horizontalAdvance, texts)) + mark + 2 * _PAD
            self.view.setColumnWidth(at, min(wide, most))


class _View(QTableView):
    """Whole rows. ``delete_pressed``: the key was."""

    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setAlternatingRowColors(True)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setMinimumHeight(140)
        self.setIconSize(QSize(_MARK, _MARK))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        head = self.horizontalHeader()
        head.setSortIndicatorShown(True)
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete asks; all else is the table's own."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)
