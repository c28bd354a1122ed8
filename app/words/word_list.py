"""The list of words: a model over the scored words, and a delegate that paints two lines a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyleOptionViewItem

from app.widgets.kinds import glyph_path, look
from app.widgets.labels import scaled, showable
from app.widgets.list_rows import Index, RowsModel, TwoLineRows, paint_bar
from app.widgets.theme import is_dark
from app.words.word_rows import facts_of, key_of, likeliest, spoken

if TYPE_CHECKING:
    from core.stereotypes.word_effects import WordEffect

_WIDE, _BAR, _NARROW_BAR = 240, 0.3, 0.18
"""The share of a row's width that its bar has, in rows of more pixels than the first and of fewer."""


class WordsModel(RowsModel):
    """Words in the order that they are given in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, shown=lambda row: showable(row.word), spoken=spoken)

    def show(self, rows: Sequence[WordEffect]) -> None:
        """Replace the rows; the same words in the same order stay the same rows."""
        self._put(rows, [key_of(row) for row in rows])

    def word(self, row: int) -> WordEffect | None:
        """The word in a row; None where there is no such row."""
        return self._at(row)

    def row_of(self, key: str) -> int | None:
        """The row of the word with this key; None where it is not shown."""
        return next((number for number, row in enumerate(self._rows) if key_of(row) == key), None)


class WordsDelegate(TwoLineRows):
    """Paints a row: the word, how often, its score as bar and number; below, the likeliest kind."""

    _PAD_X, _PAD_Y, _LEADING = 10, 6, 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the list's font and palette."""
        model = index.model()
        assert isinstance(model, WordsModel)
        word = model.word(index.row())
        if word is None:
            return
        with self._row(painter, option) as row:
            self._first_line(painter, option, row, word)
            self._second_line(painter, option, row, word)

    def _first_line(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, word: WordEffect
    ) -> None:
        bold = scaled(option.font, 1.0, bold=True)
        plain, strong = QFontMetricsF(option.font), QFontMetricsF(bold)
        figure = f"{word.score.bias:.2f}"
        bar_width = row.width() * (_BAR if row.width() > _WIDE else _NARROW_BAR)
        bar_left = row.right() - strong.horizontalAdvance(figure) - 8 - bar_width
        middle = row.top() + plain.height() / 2
        paint_bar(
            painter, QRectF(bar_left, middle - 4, bar_width, 8), word.score.bias, colours=option.palette
        )
        count = f" × {word.count:,}" if word.count > 1 else ""
        room = bar_left - row.left() - 8 - plain.horizontalAdvance(count)
        shown = strong.elidedText(showable(word.word), Qt.TextElideMode.ElideRight, max(0.0, room))
        first = QRectF(row.left(), row.top(), row.width(), plain.height())
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.setFont(bold)
        painter.drawText(first, left, shown)
        painter.drawText(first, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure)
        painter.setFont(option.font)
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(first.adjusted(strong.horizontalAdvance(shown), 0, 0, 0), left, count)

    def _second_line(
        self, painter: QPainter, option: QStyleOptionViewItem, row: QRectF, word: WordEffect
    ) -> None:
        small = scaled(option.font, 0.92)
        metrics = QFontMetricsF(small)
        top = row.bottom() - metrics.height()
        kind, _ = likeliest(word)
        side = metrics.ascent() * 0.75
        box = QRectF(row.left(), top + (metrics.height() - side) / 2, side, side)
        painter.fillPath(glyph_path(kind, box), look(kind, dark=is_dark(option.palette)).colour)
        painter.setFont(small)
        painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
        second = QRectF(row.left() + side + 6, top, row.width() - side - 6, metrics.height())
        facts = metrics.elidedText(facts_of(word), Qt.TextElideMode.ElideRight, second.width())
        painter.drawText(second, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, facts)
