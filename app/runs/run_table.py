"""The table of runs: its columns and model, sorting, and the filter bar above it."""

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
    QHeaderView,
    QTableView,
    QToolButton,
    QWidget,
)

from app.history.version_strings import format_time
from app.runs import run_status
from app.runs.run_status import recipe_title, scale_title, status_icon, status_text
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import ComboBox, with_label
from app.widgets.labels import to_single_line
from app.widgets.layouts import make_column
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.runs.comparison import main_metrics
from core.runs.types import Run, Status

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Column:
    """A column: key, title, text of a cell, sort key (None: unknown), and whether it holds numbers."""

    key: str
    title: str
    shown: Callable[[Run], str]
    sort_key: Callable[[Run], str | float | None]
    is_number: bool = False


def _text(key: str, title: str, text_of: Callable[[Run], str]) -> Column:
    return Column(key, title, text_of, lambda run: text_of(run).casefold())


_COLUMNS_BEFORE_METRICS = (
    _text("status", tr("Status"), lambda run: status_text(run.status)),
    _text("recipe", tr("Recipe"), lambda run: recipe_title(run.recipe)),
    Column("when", tr("Started"), lambda run: format_time(run.made_at), lambda run: run.made_at.timestamp()),
)
_COLUMNS_AFTER_METRICS = (
    Column(
        "time", tr("Time"), lambda run: run_status.format_duration(run.seconds), lambda run: run.seconds, True
    ),
    _text("scale", tr("Scale"), lambda run: scale_title(run.scale)),
    _text("base", tr("Base"), lambda run: run_status.base_title(run.base)),
    _text("device", tr("Device"), lambda run: run.device),
)


def make_columns(metrics: Sequence[str]) -> list[Column]:
    """All columns, with these metrics placed so that they are visible in a narrow window."""
    return [
        *_COLUMNS_BEFORE_METRICS,
        *(make_metric_column(name) for name in metrics),
        *_COLUMNS_AFTER_METRICS,
    ]


def make_metric_column(name: str) -> Column:
    """The column of a metric."""
    return Column(
        name,
        run_status.metric_title(name),
        lambda run: run_status.format_metric(run.result.get(name)),
        lambda run: run.result.get(name),
        True,
    )


def filter_runs(runs: Sequence[Run], *, recipe: str, status: str) -> list[Run]:
    """The runs of a recipe and a status; empty strings match all."""
    return [run for run in runs if recipe in ("", run.recipe) and status in ("", run.status.value)]


def sort_runs(runs: Sequence[Run], column: Column, *, descending: bool) -> list[Run]:
    """The runs sorted by a column (stable); unknown values come last in either direction."""
    known = [run for run in runs if column.sort_key(run) is not None]
    unknown = [run for run in runs if column.sort_key(run) is None]
    return [*sorted(known, key=column.sort_key, reverse=descending), *unknown]  # type: ignore[arg-type]


class RunsModel(QAbstractTableModel):
    """The runs in rows. Updating the same runs changes only their cells."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runs: list[Run] = []
        self.metrics: list[str] = []
        self.columns = make_columns([])

    def show(self, runs: Sequence[Run], metrics: Sequence[str]) -> None:
        """Replace the rows and the metric columns."""
        new, metrics = list(runs), list(metrics)
        if metrics == self.metrics and [run.id for run in new] == [run.id for run in self.runs]:
            self.runs = new
            if new:
                self.dataChanged.emit(self.index(0, 0), self.index(len(new) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.runs, self.metrics = new, metrics
        self.columns = make_columns(metrics)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of runs."""
        return 0 if parent is not None and parent.isValid() else len(self.runs)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Display text, icon, alignment, tooltip and accessible text of a cell."""
        run, column = self.runs[index.row()], self.columns[index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return to_single_line(column.shown(run))
            case Qt.ItemDataRole.DecorationRole if column.key == "status":
                return status_icon(run.status)
            case Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(right=column.is_number)
            case Qt.ItemDataRole.ToolTipRole:
                tip = to_single_line(run.base) if column.key == "base" else run_status.explain_status(run)
                return plain_text(tip)
            case Qt.ItemDataRole.AccessibleTextRole if column.key == "status":
                return run_status.run_accessible_text(run, self.metrics)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and section < len(self.columns):
            if role == Qt.ItemDataRole.DisplayRole:
                return self.columns[section].title
            if role == Qt.ItemDataRole.ToolTipRole:
                return plain_text(self.columns[section].title)
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _alignment(right=self.columns[section].is_number)
        return None


def _alignment(*, right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


_DEFAULT_COLUMN = "when"


class RunFilterBar(FlowRow):
    """Filters and order of the table. ``filter_changed`` and ``sort_changed`` report a change."""

    filter_changed = Signal()
    sort_changed = Signal()

    def __init__(self) -> None:
        self._recipe, self._status, self._column = ComboBox(), ComboBox(), ComboBox()
        self._order_button = QToolButton()
        super().__init__(
            with_label(tr("Rec&ipe"), self._recipe),
            with_label(tr("St&atus"), self._status),
            with_label(tr("S&ort by"), self._column, self._order_button),
            spacing=12,
        )
        self.descending = True
        self._order_button.setProperty("outlined", "true")
        self._order_button.clicked.connect(self._reverse_order)
        for box in (self._recipe, self._status):
            box.activated.connect(lambda _: self.filter_changed.emit())
        self._column.activated.connect(lambda _: self.sort_changed.emit())
        self.set_runs([])
        self._status.set_choices([("", tr("all")), *((one.value, status_text(one)) for one in Status)])
        self.set_columns(make_columns([]))
        self._update_order_button()

    @property
    def recipe(self) -> str:
        """The recipe to show; empty for all."""
        return str(self._recipe.currentData() or "")

    @property
    def status(self) -> str:
        """The status to show; empty for all."""
        return str(self._status.currentData() or "")

    @property
    def sort_key(self) -> str:
        """The key of the sort column."""
        return str(self._column.currentData())

    def set_runs(self, runs: Sequence[Run]) -> None:
        """Offer the recipes of these runs; the choice stays."""
        names = sorted({run.recipe for run in runs} | ({self.recipe} - {""}))
        self._recipe.set_choices([("", tr("all")), *((name, recipe_title(name)) for name in names)])

    def set_columns(self, columns: Sequence[Column]) -> None:
        """Offer these columns for sorting; if the current one is gone, sort by start."""
        default = [column.key for column in columns].index(_DEFAULT_COLUMN)
        self._column.set_choices(((column.key, column.title) for column in columns), fallback=default)

    def clear_filters(self) -> None:
        """Show all runs."""
        self._recipe.setCurrentIndex(0)
        self._status.setCurrentIndex(0)

    def sort_by(self, key: str) -> None:
        """Sort by this column, numbers in descending order; sorting again reverses it."""
        if key == self.sort_key:
            self.descending = not self.descending
        else:
            self._column.setCurrentIndex(self._column.findData(key))
            self.descending = key not in ("status", "recipe", "scale", "base", "device")
        self._update_order_button()
        self.sort_changed.emit()

    def select(self, *, recipe: str | None = None, status: str | None = None) -> None:
        """Choose a recipe or a status."""
        for box, value in ((self._recipe, recipe), (self._status, status)):
            if value is not None:
                box.setCurrentIndex(max(0, box.findData(value)))
        self.filter_changed.emit()

    def _reverse_order(self) -> None:
        self.descending = not self.descending
        self._update_order_button()
        self.sort_changed.emit()

    def _update_order_button(self) -> None:
        label_text = tr("highest or newest first") if self.descending else tr("lowest or oldest first")
        self._order_button.setText("↓" if self.descending else "↑")
        self._order_button.setAccessibleName(tr("Order: {words}").format(words=label_text))
        self._order_button.setToolTip(plain_text(tr("Order: {words}").format(words=label_text)))


_MAX_CHARACTERS, _PAD, _ICON_SIZE = 26, 8, 16
_Flag = QItemSelectionModel.SelectionFlag


class RunsTable(QWidget):
    """``selection_changed``: the selection, or a selected run, changed. ``deletion_requested``: Delete was pressed."""

    selection_changed = Signal()
    deletion_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Run] = []
        self._last_selected: list[Run] = []
        self.filter_bar = RunFilterBar()
        self._model = RunsModel(self)
        self.view = _RunTableView()
        self.view.setModel(self._model)
        self.view.setAccessibleName(tr("Training runs"))
        self.view.delete_pressed.connect(self.deletion_requested)
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._emit_selection_change())
        self.view.horizontalHeader().sectionClicked.connect(self._header_clicked)
        self.filter_bar.filter_changed.connect(self._update_rows)
        self.filter_bar.sort_changed.connect(self._update_rows)
        make_column(self.filter_bar, (self.view, 1), parent=self)
        self._update_rows()

    @property
    def shown(self) -> list[Run]:
        """The runs in the table in display order."""
        return list(self._model.runs)

    @property
    def selected(self) -> list[Run]:
        """The selected runs in display order."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [self._model.runs[row] for row in rows]

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show these runs; selection, order and filters stay."""
        self._runs = list(runs)
        self.filter_bar.set_runs(runs)
        self._update_rows()

    def select(self, ids: set[str]) -> None:
        """Select these runs, if they are shown, and scroll to the first."""
        self._restore_selection(ids, current_id="")
        rows = [index.row() for index in self.view.selectionModel().selectedRows()]
        if rows:
            first = self._model.index(min(rows), 0)
            self.view.selectionModel().setCurrentIndex(first, _Flag.NoUpdate)
            self.view.scrollTo(first)
        self._emit_selection_change()

    def _update_rows(self) -> None:
        """Apply filters and order; the selection stays."""
        ids = {run.id for run in self.selected}
        current = self.view.currentIndex()
        current_id = self._model.runs[current.row()].id if current.isValid() else ""
        runs = filter_runs(self._runs, recipe=self.filter_bar.recipe, status=self.filter_bar.status)
        metrics = main_metrics(runs)
        columns = make_columns(metrics)
        self.filter_bar.set_columns(columns)
        at = next(at for at, column in enumerate(columns) if column.key == self.filter_bar.sort_key)
        descending = self.filter_bar.descending
        before = (bool(self._model.runs), self._model.metrics)
        self._model.show(sort_runs(runs, columns[at], descending=descending), metrics)
        order = Qt.SortOrder.DescendingOrder if descending else Qt.SortOrder.AscendingOrder
        self.view.horizontalHeader().setSortIndicator(at, order)
        if before != (bool(runs), metrics):
            self._fit_columns()
        self._restore_selection(ids, current_id)
        self._emit_selection_change()

    def _restore_selection(self, ids: set[str], current_id: str) -> None:
        selection = self.view.selectionModel()
        was = selection.blockSignals(True)
        selection.clearSelection()
        for row, run in enumerate(self.shown):
            index = self._model.index(row, 0)
            if run.id == current_id:
                selection.setCurrentIndex(index, _Flag.NoUpdate)
            if run.id in ids:
                selection.select(index, _Flag.Select | _Flag.Rows)
        selection.blockSignals(was)
        self.view.viewport().update()

    def _emit_selection_change(self) -> None:
        selected = self.selected
        if selected != self._last_selected:
            self._last_selected = selected
            self.selection_changed.emit()

    def _header_clicked(self, section: int) -> None:
        self.filter_bar.sort_by(self._model.columns[section].key)

    def _fit_columns(self) -> None:
        metrics = self.view.fontMetrics()
        max_width = _MAX_CHARACTERS * metrics.averageCharWidth()
        for at, column in enumerate(self._model.columns):
            texts = {column.shown(run) for run in self._model.runs} | {column.title + "  ▾"}
            mark = self.view.iconSize().width() + _PAD if column.key == "status" else 0
            width = max(map(metrics.horizontalAdvance, texts)) + mark + 2 * _PAD
            self.view.setColumnWidth(at, min(width, max_width))


class _RunTableView(QTableView):
    """Selects whole rows. ``delete_pressed``: the Delete key was pressed."""

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
        self.setIconSize(QSize(_ICON_SIZE, _ICON_SIZE))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        head = self.horizontalHeader()
        head.setSortIndicatorShown(True)
        head.setSectionsClickable(True)
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete emits ``delete_pressed``."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
        else:
            super().keyPressEvent(event)
