"""The sentences of a word: each with its bias as it stands and with the word replaced, as numbers and bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QStyleOptionViewItem

from app.parts.labels import scaled, showable
from app.parts.two_line_rows import TwoLineRows
from app.review.issues_list import Context, draw_context
from app.words.row_parts import Index, RowsModel, paint_bar
from app.words.word_rows import change_of, effect_spoken

if TYPE_CHECKING:
    from core.stereotypes.draft import SentenceEffect

_AROUND = 160  # characters of a sentence kept on either side of the word: more is never seen


class SentencesModel(RowsModel):
    """The sentences of one word, in the order of the text that they were read in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, shown=lambda row: showable(row.before), spoken=effect_spoken)
        self._source = ""

    def show(self, rows: Sequence[SentenceEffect], source: str) -> None:
        """Replace the rows, which are of ``source``."""
        self._source = source
        self._put(rows, [row.before for row in rows])

    def effect(self, row: int) -> SentenceEffect | None:
        """The sentence in a row; None where there is no such row."""
        return self._at(row)

    def context(self, row: int) -> Context:
        """The word of a row in its sentence."""
        one = self._rows[row]
        before = self._source[max(one.start, one.at - _AROUND) : one.at]
        after = self._source[one.to : min(one.end, one.to + _AROUND)]
        words = showable(self._source[one.at : one.to])
        return Context(showable(f"{before}|")[:-1], words, showable(f"|{after}")[1:])


class SentencesDelegate(TwoLineRows):
    """Paints a row: the word in its sentence; below, both numbers and a bar for each, that of now above."""

    _PAD_X, _PAD_Y, _LEADING = 10, 6, 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the list's font and palette."""
        model = index.model()
        assert isinstance(model, SentencesModel)
        effect = model.effect(index.row())
        if effect is None:
            return
        with self._row(painter, option) as row:
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            draw_context(painter, option.font, row.topLeft(), row.width(), model.context(index.row()))
            small = scaled(option.font, 0.92)
            metrics = QFontMetricsF(small)
            top = row.bottom() - metrics.height()
            painter.setFont(small)
            painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
            figures = change_of(effect)
            painter.drawText(QPointF(row.left(), top + metrics.ascent()), figures)
            left = row.left() + metrics.horizontalAdvance("0.00 → 0.00") + 10
            if left < row.right() - 20:
                width, high = row.right() - left, max(4.0, (metrics.height() - 3) / 2)
                bars = ((effect.bias_before, top, False), (effect.bias_after, top + high + 2, True))
                for share, at, hatched in bars:
                    box = QRectF(left, at, width, high - 1)
                    paint_bar(painter, box, share, colours=option.palette, hatched=hatched)
