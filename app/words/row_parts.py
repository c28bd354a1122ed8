"""What both lists of the words panel share: a model, rows to walk and to copy, and a bar from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QKeyEvent, QKeySequence, QPainter, QPalette, QPen

from app.parts.theme import is_stark
from app.review.issues_rows import IssuesRows

Index = QModelIndex | QPersistentModelIndex


class RowsModel(QStringListModel):
    """Rows, of which ``shown`` gives the eye's words and ``spoken`` a screen reader's.

    The base class counts the rows: a view asks for their number once for every row, and asking Python is slow.
    """

    def __init__(
        self, parent: QObject | None, *, shown: Callable[[Any], str], spoken: Callable[[Any], str]
    ) -> None:
        super().__init__(parent)
        self._rows: Sequence[Any] = ()
        self._shown, self._spoken = shown, spoken

    def _put(self, rows: Sequence[Any], keys: list[str]) -> None:
        """Replace the rows; those of the same keys in the same order stay the same rows."""
        self._rows = rows
        if keys != self.stringList():
            self.setStringList(keys)
        elif rows:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def _at(self, row: int) -> Any:
        """What is in a row; None where there is no such row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def flags(self, _index: Index) -> Qt.ItemFlag:
        """Rows can be chosen and nothing else."""
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The words of a row for the eye, all of it for a screen reader."""
        row = self._at(index.row()) if index.isValid() else None
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(row)
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                return self._spoken(row)
        return None


class CopyRows(IssuesRows):
    """A list that is walked by key like that of the findings. ``copy_wanted``: the present row is to be copied."""

    copy_wanted = Signal()

    def __init__(self, name: str, told: str) -> None:
        super().__init__()
        self.setObjectName("")
        self.setAccessibleName(name)
        self.setAccessibleDescription(told)

    def minimumSizeHint(self) -> QSize:
        """One row: the rest is scrolled."""
        return QSize(80, max(40, self.sizeHintForRow(0)) + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy copies the row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


def paint_bar(
    painter: QPainter, box: QRectF, share: float, *, colours: QPalette, hatched: bool = False
) -> None:
    """A bar over its ground, filled as far as ``share``, in [0, 1]; a hatched one is what would be."""
    accent = colours.color(QPalette.ColorRole.Accent)
    stark = is_stark(colours)
    edge = colours.color(QPalette.ColorRole.WindowText)
    painter.setPen(QPen(edge, 1) if stark else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(colours.color(QPalette.ColorRole.Base if stark else QPalette.ColorRole.Midlight))
    painter.drawRect(box)
    filled = QRectF(box.left(), box.top(), max(2.0, box.width() * min(1.0, share)), box.height())
    painter.setPen(QPen(accent, 1))
    painter.setBrush(QBrush(accent, Qt.BrushStyle.BDiagPattern if hatched else Qt.BrushStyle.SolidPattern))
    painter.drawRect(filled)
