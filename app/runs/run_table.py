"""The table of runs: its model with the main metrics, sorting, and the filter bar above it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.history.version_strings import when
from app.runs import run_status
from app.runs.recipes import recipe_title, scale_title
from app.runs.run_status import status_icon, status_word
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import Choice
from app.widgets.labels import showable
from core.i18n import tr
from core.runs.comparison import main_metrics
from core.runs.types import Run, Status

# The rows of the history: runs with their main metrics, sorted by what they are and not by how they are written.


Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what it shows of a run, what it is sorted by (None: not known). ``number``: set to the
    right.
    """

    key: str
    title: str
    shown: Callable[[Run], str]
    sorted_by: Callable[[Run], str | float | None]
    number: bool = False


def _text(key: str, title: str, told: Callable[[Run], str]) -> Column:
    return Column(key, title, told, lambda run: told(run).casefold())


_BEFORE = (
    _text("status", tr("Status"), lambda run: status_word(run.status)),
    _text("recipe", tr("Recipe"), lambda run: recipe_title(run.recipe)),
    Column("when", tr("When"), lambda run: when(run.made_at), lambda run: run.made_at.timestamp()),
)
_AFTER = (
    Column("time", tr("Time"), lambda run: run_status.lasted(run.seconds), lambda run: run.seconds, True),
    _text("scale", tr("Scale"), lambda run: scale_title(run.scale)),
    _text("base", tr("Base"), lambda run: run_status.base_title(run.base)),
    _text("device", tr("Device"), lambda run: run.device),
)


def columns_of(metrics: Sequence[str]) -> list[Column]:
    """The columns with these metrics, which stand where they are seen in a narrow window too."""
    return [*_BEFORE, *(metric_column(name) for name in metrics), *_AFTER]


def metric_column(name: str) -> Column:
    """The column of a metric."""
    return Column(
        name,
        run_status.metric_title(name),
        lambda run: run_status.figure(run.result.get(name)),
        lambda run: run.result.get(name),
        True,
    )


def narrowed(runs: Sequence[Run], *, recipe: str, status: str) -> list[Run]:
    """The runs of a recipe and a status; an empty one is any."""
    return [run for run in runs if recipe in ("", run.recipe) and status in ("", run.status.value)]


def ordered(runs: Sequence[Run], column: Column, *, descending: bool) -> list[Run]:
    """The runs sorted by a column; equal ones stay as they are, and what is not known stands last either way."""
    known = [run for run in runs if column.sorted_by(run) is not None]
    unknown = [run for run in runs if column.sorted_by(run) is None]
    return [*sorted(known, key=column.sorted_by, reverse=descending), *unknown]  # type: ignore[arg-type]


class RunsModel(QAbstractTableModel):
    """Runs in rows, in the order given. The same runs again change their cells and nothing else."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: list[Run] = []
        self.metrics: list[str] = []
        self.columns = columns_of([])

    def show(self, runs: Sequence[Run], metrics: Sequence[str]) -> None:
        """Replace the rows by these, with columns for these metrics."""
        new, metrics = list(runs), list(metrics)
        if metrics == self.metrics and [run.id for run in new] == [run.id for run in self.runs]:
            self.runs = new
            if new:
                self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.runs, self.metrics = new, metrics
        self.columns = columns_of(metrics)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Runs shown; a row has no rows of its own."""
        return 0 if parent is not None and parent.isValid() else len(self.runs)

    def columnCount(self, parent: Index | None = None) -> int:
        """What is told of each run, and the metrics."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell for the eye, for sorting, and for a screen reader."""
        run, column = self.runs[index.row()], self.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return showable(column.shown(run))
            case Qt.ItemDataRole.DecorationRole if column.key == "status":
                return status_icon(run.status)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _side(right=column.number)
            case Qt.ItemDataRole.ToolTipRole:
                return showable(run.base) if column.key == "base" else run_status.explained(run)
            case Qt.ItemDataRole.AccessibleTextRole if column.key == "status":
                return run_status.spoken(run, self.metrics)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The names of the columns."""
        if orientation == Qt.Orientation.Horizontal and section < len(self.columns):
            if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                return self.columns[section].title
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _side(right=self.columns[section].number)
        return None


def _side(*, right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


# Above the history: which runs are shown, and how they are sorted. All of it is reached by keyboard.


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


# The table of runs with its filters: sorted and narrowed as a person asks, and steady when the runs are read anew.


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
