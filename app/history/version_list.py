"""The list of versions: its model, the newest first, and the delegate that paints two lines per row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyleOptionViewItem

from app.history import version_strings
from app.widgets.kinds import glyph_path, kind_style
from app.widgets.labels import scaled_font
from app.widgets.list_rows import TwoLineDelegate
from app.widgets.plain_text import plain_text
from app.widgets.theme import is_dark
from core.storage.types import Scores, Version
from core.types import KINDS

Index = QModelIndex | QPersistentModelIndex


class VersionsModel(QAbstractListModel):
    """Versions, the newest in the first row. A new version changes no other row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._versions: list[Version] = []

    def show(self, versions: Sequence[Version]) -> None:
        """Replace the rows by ``versions``, given from the oldest to the newest."""
        new = list(reversed(versions))
        old, ids = self._versions, [version.id for version in new]
        added = len(new) - len(old)
        if old and added >= 0 and ids[added:] == [version.id for version in old]:
            if added:
                self.beginInsertRows(QModelIndex(), 0, added - 1)
            self._versions = new
            if added:
                self.endInsertRows()
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))
            return
        self.beginResetModel()
        self._versions = new
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """The number of versions; rows have no children."""
        return 0 if parent is not None and parent.isValid() else len(self._versions)

    def version(self, row: int) -> Version:
        """The version in a row."""
        return self._versions[row]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Time, and name or reason, to display; everything for a screen reader."""
        if not index.isValid() or index.row() >= len(self._versions):
            return None
        version = self._versions[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return version_strings.version_name(version)
            case Qt.ItemDataRole.AccessibleTextRole:
                return version_strings.accessible_text(version)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_text(version_strings.accessible_text(version))
        return None


class VersionsDelegate(TwoLineDelegate):
    """Paints a row: time, name, reason and bias; below them words, biased sentences and findings per kind."""

    _PAD_X, _PAD_Y, _LEADING = 10, 7, 3

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the font and palette of the list."""
        model = index.model()
        assert isinstance(model, VersionsModel)
        version = model.version(index.row())
        with self.row_painting(painter, option) as row:
            self._first_line(painter, option, row, version)
            self._second_line(painter, option, row, version)

    def _first_line(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, version: Version
    ) -> None:
        metrics, bold = QFontMetricsF(option.font), scaled_font(option.font, 1.0, bold=True)
        figure = version_strings.format_bias(version.scores)
        room = row.width() - QFontMetricsF(bold).horizontalAdvance(figure) - 10
        base, x = row.top() + metrics.ascent(), row.left()
        painter.setFont(option.font)
        for text, role in (
            (version_strings.format_time(version.made_at), QPalette.ColorRole.Text),
            (f"  {version.name}" if version.name else "", QPalette.ColorRole.Text),
            (f"  {version_strings.reason_text(version)}", QPalette.ColorRole.PlaceholderText),
        ):
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, row.left() + room - x))
            painter.setPen(option.palette.color(role))
            painter.drawText(QPointF(x, base), shown)
            x += metrics.horizontalAdvance(shown)
        painter.setFont(bold)
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(
            QRectF(row.left(), row.top(), row.width(), metrics.height()), Qt.AlignmentFlag.AlignRight, figure
        )

    def _second_line(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, version: Version
    ) -> None:
        small = scaled_font(option.font, 0.92)
        metrics = QFontMetricsF(small)
        top = row.top() + QFontMetricsF(option.font).height() + self._LEADING
        painter.setFont(small)
        right = row.right()
        if version.scores is not None:
            right = self._kinds(painter, option, QPointF(row.right(), top), version.scores) - 10
        length = version_strings.format_word_count(version)
        text = f"{length} · {version_strings.format_biased_sentences(version.scores)}"
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, right - row.left()))
        painter.drawText(QPointF(row.left(), top + metrics.ascent()), shown)

    def _kinds(
        self, painter: QPainter, option: QStyleOptionViewItem, corner: QPointF, scores: Scores
    ) -> float:
        """Draw glyph and count of each kind, right-aligned at the corner; returns their left edge."""
        metrics, dark = QFontMetricsF(painter.font()), is_dark(option.palette)
        side, x = metrics.ascent() * 0.75, corner.x()
        for kind in reversed(KINDS):
            count = f"{scores.kinds.get(kind, 0):,}"
            x -= metrics.horizontalAdvance(count)
            painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(QPointF(x, corner.y() + metrics.ascent()), count)
            x -= side + 3
            box = QRectF(x, corner.y() + (metrics.height() - side) / 2, side, side)
            painter.fillPath(glyph_path(kind, box), kind_style(kind, dark=dark).colour)
            x -= 7
        return x + 7
