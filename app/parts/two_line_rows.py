"""Rows of two lines in a list: how high they are, and the ground of the one that is chosen or pointed at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.parts.labels import scaled


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
