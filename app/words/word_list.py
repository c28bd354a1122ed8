"""The list of words: its model, and a delegate that paints two lines per row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyleOptionViewItem

from app.widgets.kinds import glyph_path, kind_style
from app.widgets.labels import scaled_font, to_single_line
from app.widgets.list_rows import Index, RowListModel, TwoLineDelegate, paint_bar
from app.widgets.theme import is_dark
from app.words.word_rows import accessible_text, describe_kind, key_of, most_likely_kind

if TYPE_CHECKING:
    from core.stereotypes.word_effects import WordEffect

_WIDE_ROW, _BAR_SHARE, _NARROW_BAR_SHARE = 240, 0.3, 0.18
"""A width in pixels, and the share of the bar in wider and in narrower rows."""


class WordsModel(RowListModel):
    """Words in display order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, shown=lambda row: to_single_line(row.word), spoken=accessible_text)

    def show(self, rows: Sequence[WordEffect]) -> None:
        """Replace the rows; with the same words in the same order the selection stays."""
        self._set_rows(rows, [key_of(row) for row in rows])

    def word(self, row: int) -> WordEffect | None:
        """The word in a row, or None."""
        word: WordEffect | None = self._row_at(row)
        return word

    def find_row(self, key: str) -> int | None:
        """The row of the word with this key, or None."""
        return next((number for number, row in enumerate(self._rows) if key_of(row) == key), None)


class WordsDelegate(TwoLineDelegate):
    """Paints the word, its count and its score as bar and number; below, the most likely kind."""

    _PAD_X, _PAD_Y, _LEADING = 10, 6, 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the list's font and palette."""
        model = index.model()
        assert isinstance(model, WordsModel)
        word = model.word(index.row())
        if word is None:
            return
        with self.row_painting(painter, option) as row:
            self._paint_first_line(painter, option, row, word)
            self._paint_second_line(painter, option, row, word)

    def _paint_first_line(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, word: WordEffect
    ) -> None:
        bold = scaled_font(option.font, 1.0, bold=True)
        metrics, bold_metrics = QFontMetricsF(option.font), QFontMetricsF(bold)
        score_text = f"{word.score.bias:.2f}"
        bar_width = row.width() * (_BAR_SHARE if row.width() > _WIDE_ROW else _NARROW_BAR_SHARE)
        bar_left = row.right() - bold_metrics.horizontalAdvance(score_text) - 8 - bar_width
        middle = row.top() + metrics.height() / 2
        paint_bar(
            painter, QRectF(bar_left, middle - 4, bar_width, 8), word.score.bias, colours=option.palette
        )
        count = f" × {word.count:,}" if word.count > 1 else ""
        available = bar_left - row.left() - 8 - metrics.horizontalAdvance(count)
        shown = bold_metrics.elidedText(
            to_single_line(word.word), Qt.TextElideMode.ElideRight, max(0.0, available)
        )
        first = QRectF(row.left(), row.top(), row.width(), metrics.height())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.setFont(bold)
        painter.drawText(first, left, shown)
        painter.drawText(first, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, score_text)
        painter.setFont(option.font)
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(first.adjusted(bold_metrics.horizontalAdvance(shown), 0, 0, 0), left, count)

    def _paint_second_line(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, word: WordEffect
    ) -> None:
        small = scaled_font(option.font, 0.92)
        metrics = QFontMetricsF(small)
        top = row.bottom() - metrics.height()
        kind, _ = most_likely_kind(word)
        side = metrics.ascent() * 0.75
        box = QRectF(row.left(), top + (metrics.height() - side) / 2, side, side)
        painter.fillPath(glyph_path(kind, box), kind_style(kind, dark=is_dark(option.palette)).colour)
        painter.setFont(small)
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        second = QRectF(row.left() + side + 6, top, row.width() - side - 6, metrics.height())
        facts = metrics.elidedText(describe_kind(word), Qt.TextElideMode.ElideRight, second.width())
        painter.drawText(second, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, facts)
