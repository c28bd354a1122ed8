"""The strip beside the text: the bias of every sentence, and the visible part of the text."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.plain_text import show_tooltip
from app.widgets.theme import is_dark
from core.i18n import tr
from core.types import SentenceReading

_WIDTH = 16
_MARGIN = 2
_STEPS = 1000
_SENTENCES_PER_STEP = 1000
# One hue whose contrast to the background grows with the bias: barely visible at 0, near 10:1 at 1.
_SCALE_LIGHT = ((226, 229, 227), (118, 178, 172), (4, 66, 66))
_SCALE_DARK = ((44, 47, 50), (46, 126, 121), (178, 245, 236))


def bias_colour(bias: float, *, dark: bool) -> QColor:
    """The colour of a bias in [0, 1]: its lightness falls (light theme) or rises (dark) steadily."""
    low, middle, high = _SCALE_DARK if dark else _SCALE_LIGHT
    at = 2 * min(1.0, max(0.0, bias))
    start, end, part = (low, middle, at) if at <= 1 else (middle, high, at - 1)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(start, end, strict=True))
    return QColor(red, green, blue)


@cache
def _ramp(dark: bool) -> tuple[int, ...]:
    """The colours of the biases 0, 1 / _STEPS, …, 1, as RGB numbers."""
    return tuple(bias_colour(step / _STEPS, dark=dark).rgb() for step in range(_STEPS + 1))


class _Rows:
    """For each of ``height`` rows of pixels: sum of squared biases, number of sentences, number of quoted ones."""

    def __init__(self, height: int, length: int) -> None:
        self.height = height
        self._length = length
        self.squares, self.counts, self.quoted = [0.0] * height, [0] * height, [0] * height

    def add(self, sentences: Sequence[SentenceReading]) -> None:
        """Add these sentences."""
        height, length = self.height, self._length
        for sentence in sentences if height > 0 and length > 0 else ():
            top = min(height - 1, (2 * sentence.start * height + length) // (2 * length))
            bottom = min(height, (2 * sentence.end * height + length) // (2 * length))
            square = sentence.bias * sentence.bias
            for row in range(top, bottom) if bottom > top + 1 else (top,):
                self.squares[row] += square
                self.counts[row] += 1
                self.quoted[row] += sentence.quoted


class BiasStrip(QWidget):
    """A map of the text from top to bottom; offsets are Unicode code points.

    A click, a drag or a key emits ``position_clicked``; the strip itself does not scroll the text. Up and Down go to
    the previous or next biased sentence, Home and End to the first or last one.
    """

    position_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentences: Sequence[SentenceReading] = ()
        self._starts: list[int] = []
        self._length = 0
        self._view = (0, 0)
        self._at: int | None = None
        self._rows = _Rows(0, 0)
        self._map: QPixmap | None = None
        self.setObjectName("bias_strip")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("Bias over the text"))
        self._describe()

    def sizeHint(self) -> QSize:
        """Narrow, and as high as possible."""
        return QSize(_WIDTH, 120)

    def minimumSizeHint(self) -> QSize:
        """Narrow."""
        return QSize(_WIDTH, 40)

    def set_sentences(self, sentences: Sequence[SentenceReading], length: int) -> None:
        """Show the sentences of a text of ``length`` code points."""
        for _ in self.steps(sentences, length):
            pass

    def steps(self, sentences: Sequence[SentenceReading], length: int) -> Iterator[None]:
        """As ``set_sentences``, step by step; the strip changes after the last step."""
        rows = _Rows(self.height(), length)
        for at in range(0, len(sentences), _SENTENCES_PER_STEP):
            rows.add(sentences[at : at + _SENTENCES_PER_STEP])
            yield
        self._rows = rows
        self._sentences, self._length = sentences, length
        self._starts = [sentence.start for sentence in sentences]
        self._at = None
        self._map = None
        self._describe()
        self.update()

    def set_visible_range(self, start: int, end: int) -> None:
        """Frame the visible part of the text, from ``start`` to ``end``."""
        if (start, end) != self._view:
            self._view = (start, end)
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the cached map, and the frame of the visible part over it."""
        painter = QPainter(self)
        if self._map is None:
            self._map = self._draw_map()
        painter.drawPixmap(0, 0, self._map)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        text = self.palette().color(QPalette.ColorRole.WindowText)
        if self._length and self._view[1] > self._view[0]:
            top, bottom = self._y(self._view[0]), self._y(self._view[1])
            height = max(6, bottom - top)
            top = max(0, min(top, self.height() - height))
            wash = QColor(text)
            wash.setAlpha(22)
            painter.setBrush(wash)
            painter.setPen(QPen(text, 1))
            painter.drawRoundedRect(
                QRect(0, top, self.width(), height).toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 3, 3
            )
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the map again: it depends on the height."""
        super().resizeEvent(event)
        self._map = None

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._map = None
            self.update()

    def event(self, event: QEvent) -> bool:
        """Show a tooltip for the sentence under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tooltip(event.globalPos(), self.describe_at(event.pos().y()), self)
            return True
        return super().event(event)

    def describe_at(self, y: int) -> str:
        """A description of the sentence at height ``y``; empty if there is none."""
        row = self._row_at(self._offset(y))
        if row is None:
            return ""
        sentence = self._sentences[row]
        parts = [
            tr("Sentence {number} of {all}").format(number=f"{row + 1:,}", all=f"{len(self._sentences):,}"),
            tr("bias {bias}").format(bias=f"{sentence.bias:.2f}"),
        ]
        if sentence.biased:
            parts.append(tr("reads as biased"))
        if sentence.quoted:
            parts.append(tr("in a quotation"))
        return " · ".join(parts)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to this place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._ask(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the drag."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event.position().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to another biased sentence."""
        biased = [sentence.start for sentence in self._sentences if sentence.biased]
        here = self._view[0] if self._at is None else self._at
        ways = {
            Qt.Key.Key_Up: [start for start in biased if start < here][-1:],
            Qt.Key.Key_Down: [
                start for start in biased if start > here or (self._at is None and start == here)
            ][:1],
            Qt.Key.Key_Home: biased[:1],
            Qt.Key.Key_End: biased[-1:],
        }
        if event.key() not in ways:
            super().keyPressEvent(event)
            return
        for start in ways[Qt.Key(event.key())]:
            self._at = start
            self._describe()
            self.position_clicked.emit(start)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Keys start from the visible part."""
        super().focusInEvent(event)
        self._at = None

    def _ask(self, point: QPoint) -> None:
        if self._length:
            self.position_clicked.emit(self._offset(point.y()))

    def _offset(self, y: int) -> int:
        share = min(1.0, max(0.0, y / max(1, self.height() - 1)))
        return round(share * self._length)

    def _y(self, offset: int) -> int:
        return round(min(1.0, max(0.0, offset / self._length)) * self.height())

    def _row_at(self, offset: int) -> int | None:
        row = bisect_right(self._starts, offset) - 1
        if row < 0:
            return 0 if self._sentences else None
        return row

    def _describe(self) -> None:
        biased = sum(sentence.biased for sentence in self._sentences)
        text = tr("{biased} of {all} sentences read as biased").format(
            biased=f"{biased:,}", all=f"{len(self._sentences):,}"
        )
        if self._at is not None:
            at = tr("Sentence {number}.").format(number=f"{bisect_right(self._starts, self._at):,}")
            text = f"{at} {text}"
        self.setAccessibleDescription(text if self._sentences else tr("Nothing has been analysed yet"))

    def _draw_map(self) -> QPixmap:
        """One colour per row of pixels: the quadratic mean of its sentences, so that a few biased ones stay visible."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        if not self._length or self.height() < 1:
            return pixmap
        rows = self._rows
        if rows.height != self.height():
            rows = self._rows = _Rows(self.height(), self._length)
            rows.add(self._sentences)
        ramp = _ramp(is_dark(self.palette()))
        colours = [
            ramp[round(_STEPS * (total / count) ** 0.5)] if count else 0
            for total, count in zip(rows.squares, rows.counts, strict=True)
        ]
        pixels = array("I", colours).tobytes()
        column = QImage(pixels, 1, len(colours), 4, QImage.Format.Format_ARGB32)
        area = QRect(_MARGIN, 0, self.width() - 2 * _MARGIN, self.height())
        painter = QPainter(pixmap)
        painter.drawImage(area, column)
        hatch = QBrush(self.palette().color(QPalette.ColorRole.Window), Qt.BrushStyle.BDiagPattern)
        for row, quoted in enumerate(rows.quoted):
            if quoted and quoted == rows.counts[row]:
                painter.fillRect(QRect(area.left(), row, area.width(), 1), hatch)
        painter.end()
        return pixmap
