"""The strip beside the text: how biased each sentence reads, and which part of the text is in sight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.theme import is_dark
from core.report import SentenceReading

_WIDTH = 16
_MARGIN = 2
# One hue whose contrast to the ground only grows with the bias: barely there at 0, near 10:1 at 1.
_SCALE_LIGHT = ((226, 229, 227), (118, 178, 172), (4, 66, 66))
_SCALE_DARK = ((44, 47, 50), (46, 126, 121), (178, 245, 236))


def shade(bias: float, *, dark: bool) -> QColor:
    """The colour of a bias in [0, 1]: lightness falls (light theme) or rises (dark) steadily with it."""
    low, middle, high = _SCALE_DARK if dark else _SCALE_LIGHT
    at = 2 * min(1.0, max(0.0, bias))
    start, end, part = (low, middle, at) if at <= 1 else (middle, high, at - 1)
    red, green, blue = (round(a + (b - a) * part) for a, b in zip(start, end, strict=True))
    return QColor(red, green, blue)


class BiasStrip(QWidget):
    """A map of the text from top to bottom; offsets are Unicode code points.

    A click, a drag, or the keys ask for a place with ``position_clicked``; the strip itself moves nothing.
    Up and Down go from one biased sentence to the next, Home and End to the first and the last of them.
    """

    position_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sentences: Sequence[SentenceReading] = ()
        self._starts: list[int] = []
        self._length = 0
        self._view = (0, 0)
        self._at: int | None = None
        self._map: QPixmap | None = None
        self.setObjectName("bias_strip")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName("Bias over the text")
        self._describe()

    def sizeHint(self) -> QSize:
        """Narrow, and as high as there is room."""
        return QSize(_WIDTH, 120)

    def minimumSizeHint(self) -> QSize:
        """Narrow."""
        return QSize(_WIDTH, 40)

    def set_sentences(self, sentences: Sequence[SentenceReading], length: int) -> None:
        """Map the sentences of a text of ``length`` code points."""
        self._sentences, self._length = sentences, length
        self._starts = [sentence.start for sentence in sentences]
        self._at = None
        self._map = None
        self._describe()
        self.update()

    def set_view(self, start: int, end: int) -> None:
        """Frame the part of the text that is in sight, from ``start`` to ``end``."""
        if (start, end) != self._view:
            self._view = (start, end)
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the map, kept between paints, and the frame of the view over it."""
        painter = QPainter(self)
        if self._map is None:
            self._map = self._drawn_map()
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
        """The map depends on the height."""
        super().resizeEvent(event)
        self._map = None

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._map = None
            self.update()

    def event(self, event: QEvent) -> bool:
        """Tooltip: the sentence under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.told_at(event.pos().y()), self)
            return True
        return super().event(event)

    def told_at(self, y: int) -> str:
        """The sentence at height ``y`` in words, empty where there is none."""
        row = self._row_at(self._offset(y))
        if row is None:
            return ""
        sentence = self._sentences[row]
        parts = [f"Sentence {row + 1:,} of {len(self._sentences):,}", f"bias {sentence.bias:.2f}"]
        if sentence.biased:
            parts.append("reads as biased")
        if sentence.quoted:
            parts.append("in a quotation")
        return " · ".join(parts)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go there."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._ask(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go along."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._ask(event.position().toPoint())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk over the biased sentences."""
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
        """Walking starts from what is in sight."""
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
        told = f"{biased:,} of {len(self._sentences):,} sentences read as biased"
        if self._at is not None:
            told = f"Sentence {bisect_right(self._starts, self._at):,}. {told}"
        self.setAccessibleDescription(told if self._sentences else "Nothing has been read yet")

    def _drawn_map(self) -> QPixmap:
        """One colour per row of pixels: the quadratic mean of its sentences, so that a few still show."""
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(self.size() * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        if not self._length:
            return pixmap
        rows: list[list[SentenceReading]] = [[] for _ in range(max(1, self.height()))]
        for sentence in self._sentences:
            top = min(len(rows) - 1, self._y(sentence.start))
            for row in range(top, max(top + 1, min(len(rows), self._y(sentence.end)))):
                rows[row].append(sentence)
        dark = is_dark(self.palette())
        hatch = QBrush(self.palette().color(QPalette.ColorRole.Window), Qt.BrushStyle.BDiagPattern)
        painter = QPainter(pixmap)
        for row, readings in enumerate(rows):
            if not readings:
                continue
            line = QRect(_MARGIN, row, self.width() - 2 * _MARGIN, 1)
            mean = (sum(reading.bias**2 for reading in readings) / len(readings)) ** 0.5
            painter.fillRect(line, shade(mean, dark=dark))
            if all(reading.quoted for reading in readings):
                painter.fillRect(line, hatch)
        painter.end()
        return pixmap
