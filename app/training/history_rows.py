"""The rows of the history: runs with their main metrics, sorted by what they are and not by how they are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from app.parts.labels import showable
from app.training import history_words
from app.training.recipes import recipe_title, scale_title
from app.training.status_marks import status_icon, status_word
from app.versions.version_words import when
from core.language import tr
from core.runs.model import Run

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
    Column("time", tr("Time"), lambda run: history_words.lasted(run.seconds), lambda run: run.seconds, True),
    _text("scale", tr("Scale"), lambda run: scale_title(run.scale)),
    _text("base", tr("Base"), lambda run: history_words.base_title(run.base)),
    _text("device", tr("Device"), lambda run: run.device),
)


def columns_of(metrics: Sequence[str]) -> list[Column]:
    """The columns with these metrics, which stand where they are seen in a narrow window too."""
    return [*_BEFORE, *(metric_column(name) for name in metrics), *_AFTER]


def metric_column(name: str) -> Column:
    """The column of a metric."""
    return Column(
        name,
        history_words.metric_title(name),
        lambda run: history_words.figure(run.result.get(name)),
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
                return showable(run.base) if column.key == "base" else history_words.explained(run)
            case Qt.ItemDataRole.AccessibleTextRole if column.key == "status":
                return history_words.spoken(run, self.metrics)
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
