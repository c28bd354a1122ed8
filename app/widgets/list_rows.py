"""Lists with rows of two lines: view, model and delegate, and a bar from 0 to 1."""

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

from app.widgets.labels import scaled_font
from app.widgets.plain_text import plain_text
from app.widgets.theme import is_high_contrast
from core.i18n import tr


class TwoLineDelegate(QStyledItemDelegate):
    """Base of delegates that paint two lines in a row."""

    _PAD_X, _PAD_Y, _LEADING = 10, 8, 4

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Two lines of the list's font with padding."""
        lines = QFontMetricsF(option.font).height() + QFontMetricsF(scaled_font(option.font, 0.92)).height()
        return QSize(80, round(lines + self._LEADING + 2 * self._PAD_Y))

    @contextmanager
    def row_painting(self, painter: QPainter, option: QStyleOptionViewItem) -> Iterator[QRectF]:
        """Paint the background, clip to the row, yield the rectangle for the lines, and restore the painter."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(option.rect)
        try:
            self._paint_background(painter, option)
            yield QRectF(option.rect).adjusted(self._PAD_X, self._PAD_Y, -self._PAD_X, -self._PAD_Y)
        finally:
            painter.restore()

    def _paint_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
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


class WholeRowsView(QListView):
    """A list of rows of equal height, painted by a `TwoLineDelegate`, that never shows a part of the last one.

    At the least it is one row high. What is left below the last whole row is empty.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setUniformItemSizes(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)

    def minimumSizeHint(self) -> QSize:
        """One row; the rest scrolls."""
        return QSize(80, self._row_height() + 2 * self.frameWidth())

    def updateGeometries(self) -> None:
        """Leave the room below the last whole row empty."""
        row, room = self._row_height(), self.height() - 2 * self.frameWidth()
        rest = room % row if room >= row else 0
        if self.viewportMargins().bottom() != rest:
            self.setViewportMargins(0, 0, 0, rest)
        super().updateGeometries()

    def _row_height(self) -> int:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        return max(1, self.itemDelegate().sizeHint(option, QModelIndex()).height())


class RowListView(WholeRowsView):
    """A list of rows of equal height with keyboard activation and a context menu for each row."""

    enter_pressed = Signal(int)
    menu_requested = Signal(int, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("issues")
        self.setAccessibleName(tr("Findings"))
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter activates the row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.enter_pressed.emit(self.currentIndex().row())
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the row under the pointer, or of the current row for the menu key."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.visualRect(index).center() if by_key else event.pos()
            self.menu_requested.emit(index.row(), self.viewport().mapToGlobal(place))
            event.accept()

    def top_row(self) -> tuple[int, int]:
        """The first visible row, and how many pixels of it are scrolled out."""
        return divmod(self.verticalScrollBar().value(), max(1, self.sizeHintForRow(0)))

    def set_top_row(self, row: int, shift: int) -> None:
        """Scroll so that ``row`` is the first visible one with ``shift`` pixels of it scrolled out."""
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(row * self.sizeHintForRow(0) + shift)


Index = QModelIndex | QPersistentModelIndex


class RowListModel(QStringListModel):
    """Rows with a display text and an accessible text, computed by ``shown`` and ``spoken``.

    It derives from QStringListModel because a view asks for the row count once for every row, which is slow in Python.
    """

    def __init__(
        self, parent: QObject | None, *, shown: Callable[[Any], str], spoken: Callable[[Any], str]
    ) -> None:
        super().__init__(parent)
        self._rows: Sequence[Any] = ()
        self._shown, self._spoken = shown, spoken

    def _set_rows(self, rows: Sequence[Any], keys: list[str]) -> None:
        """Replace the rows; with unchanged keys the selection stays."""
        self._rows = rows
        if keys != self.stringList():
            self.setStringList(keys)
        elif rows:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def _row_at(self, row: int) -> Any:
        """The data of a row, or None."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def flags(self, _index: Index) -> Qt.ItemFlag:
        """Rows can only be selected."""
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The display text, or the accessible text (also the tooltip)."""
        row = self._row_at(index.row()) if index.isValid() else None
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self._shown(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_text(self._spoken(row))
        return None


class CopyableListView(RowListView):
    """A row list whose Copy shortcut emits ``copy_requested``."""

    copy_requested = Signal()

    def __init__(self, name: str, description: str) -> None:
        super().__init__()
        self.setObjectName("")
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy requests a copy of the current row."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            event.accept()
        else:
            super().keyPressEvent(event)


def paint_bar(
    painter: QPainter, box: QRectF, share: float, *, colours: QPalette, hatched: bool = False
) -> None:
    """Paint a bar over its track, filled up to ``share``, in [0, 1]; ``hatched`` marks a hypothetical value."""
    accent = colours.color(QPalette.ColorRole.Accent)
    high_contrast = is_high_contrast(colours)
    edge = colours.color(QPalette.ColorRole.WindowText)
    painter.setPen(QPen(edge, 1) if high_contrast else QPen(Qt.PenStyle.NoPen))
    painter.setBrush(colours.color(QPalette.ColorRole.Base if high_contrast else QPalette.ColorRole.Midlight))
    painter.drawRect(box)
    filled = QRectF(box.left(), box.top(), max(2.0, box.width() * min(1.0, share)), box.height())
    painter.setPen(QPen(accent, 1))
    painter.setBrush(QBrush(accent, Qt.BrushStyle.BDiagPattern if hatched else Qt.BrushStyle.SolidPattern))
    painter.drawRect(filled)
