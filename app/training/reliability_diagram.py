"""The reliability diagram: how often a confidence was right, beside how sure it was."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainterPath, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.figures.charts import Chart
from app.parts.labels import percent, showable
from core.language import ntr, tr
from core.runs.figures import Bin, Reliability

_Role = QPalette.ColorRole
_SIDE = 190.0
_DOT = 4.0


class ReliabilityDiagram(Chart):
    """A bar for each bin, as high as the share that was right; on the dashed line both would be the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._diagram = Reliability("", (), 0.0)
        super().__init__(parent)

    def wanted_height(self) -> int:
        """A square with a line above and two below it."""
        return round(_SIDE + 3.4 * self.line() + 8)

    def show_diagram(self, diagram: Reliability) -> None:
        """Show this one in the place of the one before."""
        self._diagram = diagram
        self.setAccessibleName(tr("Reliability: {name}").format(name=showable(diagram.name)))
        self.setAccessibleDescription(told(diagram))
        self.setToolTip(told(diagram))
        self.redraw()

    def draw(self, width: float, _height: float) -> None:
        """Frame, bars, the line of perfect calibration, and the error."""
        left, top = self.advance("100%") + 8, self.line() * 1.2
        side = max(60.0, min(_SIDE, width - left - 8))
        error = tr("calibration error {error:.3f}").format(error=self._diagram.error)
        self.add_text(self.elided(error, width - left), QPointF(left, 0), anchor=(0, 0), muted=True)
        frame = QRectF(left, top, side, side)
        for one in self._diagram.bins:
            if one.count:
                self._draw_bin(frame, one)
        self._draw_frame(frame)

    def _draw_bin(self, frame: QRectF, one: Bin) -> None:
        x, wide = frame.left() + frame.width() * one.low, frame.width() * (one.high - one.low)
        high = frame.height() * one.share
        bar = QRectF(x + 1, frame.bottom() - high, max(2.0, wide - 2), high)
        accent = self.colour(_Role.Accent)
        filled = self.colour(_Role.Accent)
        filled.setAlpha(110)
        self.add_bar(bar, filled, pen=QPen(accent, 1))
        dot = QPainterPath()
        dot.addEllipse(QPointF(frame.left() + frame.width() * one.confidence, bar.top()), _DOT, _DOT)
        self.add_shape(dot, brush=accent, pen=QPen(self.colour(_Role.Base), 1))

    def _draw_frame(self, frame: QRectF) -> None:
        ideal = QPen(self.colour(_Role.WindowText), 1.2, Qt.PenStyle.DashLine)
        self.add_line(frame.bottomLeft(), frame.topRight(), ideal)
        edge = QPainterPath()
        edge.addRect(frame)
        self.add_shape(edge, brush=QBrush(Qt.BrushStyle.NoBrush), pen=self.line_pen())
        for share in (0.0, 0.5, 1.0):
            y = frame.bottom() - frame.height() * share
            self.add_text(percent(share), QPointF(frame.left() - 6, y), anchor=(1, 0.5), muted=True)
            x = frame.left() + frame.width() * share
            self.add_text(percent(share), QPointF(x, frame.bottom() + 3), anchor=(share, 0), muted=True)
        below = QPointF(frame.center().x(), frame.bottom() + 3 + self.line())
        self.add_text(tr("confidence; bars: right"), below, anchor=(0.5, 0), muted=True)


def told(diagram: Reliability) -> str:
    """The diagram in words: the error, and each bin that holds something."""
    said = [tr("Calibration error {error:.3f}.").format(error=diagram.error)]
    for one in diagram.bins:
        if one.count:
            words = ntr(
                "{n} answer with a confidence of {low} to {high}: mean {mean}, right {share}.",
                "{n} answers with a confidence of {low} to {high}: mean {mean}, right {share}.",
                one.count,
            )
            said.append(
                words.format(
                    n=f"{one.count:,}",
                    low=percent(one.low),
                    high=percent(one.high),
                    mean=percent(one.confidence),
                    share=percent(one.share),
                )
            )
    return "\n".join(said)
