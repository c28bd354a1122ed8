"""Lists of two-line rows: the list view, its model and delegate, rows to copy, and a bar from 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.widgets.labels import scaled
from app.widgets.theme import is_stark
from core.i18n import tr

# Rows of two lines in a list: how high they are, and the ground of the one that is chosen or pointed at.


class TwoLineRows(QStyledItemDelegate):
    """What the delegates of such lists share; each paints its own two lines."""

    _PAD_X, _PAD_Y, _LEADING = 10, 8, 4

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Two lines of the list's font, with air."""
        lines = QFontMetricsF(option.font).height() + QFontMetricsF(scaled(option.font, 0.92)).height()
        return QSize(80, round(lines + self._LEADING + 2 * self._PAD_Y))

    @contextmanager
    def _row(self, painter: QPainter, option: QStyleOptionViewItem) -> Iterator[QRectF]:
        """Where a row's lines go, on its ground; what is drawn beyond the row is cut off, and the painter put back."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(option.rect)
        try:
            self._ground(painter, option)
            yield QRectF(option.rect).adjusted(self._PAD_X, self._PAD_Y, -self._PAD_X, -self._PAD_Y)
        finally:
            painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        accent = option.palette.color(QPalette.ColorRole.Accent)
        wash = QColor(accent)
        if option.state & QStyle.StateFlag.State_Selected:
            wash.setAlpha(46)
            painter.fillRect(option.rect, wash)
            painter.fillRect(option.rect.adjusted(0, 0, 3 - option.rect.width(), 0), accent)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            wash.setAlpha(18)
            painter.fillRect(option.rect, wash)
        painter.setPen(option.palette.color(QPalette.ColorRole.Midlight))
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight())


# The rows of the issues panel: a list that is walked by key, and a menu for each row.


class IssuesRows(QListView):
    """A list of rows of one height that knows which row is on top."""

    entered_by_key = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("issues")
        self.setAccessibleName(tr("Findings"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter activates the row; the arrows are the list's own."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.entered_by_key.emit(self.currentIndex().row())
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of a row: that under the mouse, or by key that of the present one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.visualRect(index).center() if by_key else event.pos()
            self.menu_wanted.emit(index.row(), self.viewport().mapToGlobal(place))
            event.accept()

    def top_row(self) -> tuple[int, int]:
        """The first row in sight, and how many pixels of it are scrolled away."""
        return divmod(self.verticalScrollBar().value(), max(1, self.sizeHintForRow(0)))

    def set_top_row(self, row: int, shift: int) -> None:
        """Scroll so that ``row`` is the first in sight, ``shift`` pixels of it away."""
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(row * self.sizeHintForRow(0) + shift)


# What both lists of the words panel share: a model, rows to walk and to copy, and a bar from 0 to 1.


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
