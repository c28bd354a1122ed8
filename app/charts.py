"""The charts of the document panel: a share, bars per kind, the leaning as a gauge. None takes the mouse."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainterPath, QPalette, QPen, QTransform
from PySide6.QtWidgets import QGraphicsPathItem, QSizePolicy, QWidget

from app.kinds import glyph_path, look
from app.labels import scaled
from app.theme import is_dark
from core.findings import KINDS, Kind
from core.report import Leaning


class Chart(pg.PlotWidget):
    """A plot in pixels, y downwards, redrawn when its size, its values or the theme change.

    Subclasses draw in ``draw``, in a view as large as the widget, so that shapes and text keep their size.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        self._ready = False
        super().__init__(parent=parent, background=None, enableMenu=False)
        self.setAntialiasing(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.viewport().setAutoFillBackground(False)
        plot = self.getPlotItem()
        plot.hideButtons()
        plot.hideAxis("left")
        plot.hideAxis("bottom")
        plot.setContentsMargins(0, 0, 0, 0)
        plot.layout.setContentsMargins(0, 0, 0, 0)
        plot.setMouseEnabled(x=False, y=False)
        view = plot.getViewBox()
        view.setDefaultPadding(0)
        view.invertY(True)
        view.disableAutoRange()
        self.setFixedHeight(self.wanted_height())
        self._ready = True

    def wanted_height(self) -> int:
        """Pixels that the chart needs with its font."""
        raise NotImplementedError

    def draw(self, width: float, height: float) -> None:
        """Add the items of the chart to a view of ``width`` by ``height`` pixels."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw everything anew in the colours of the palette."""
        width, height = max(1, self.width()), max(1, self.height())
        self.clear()
        self.setRange(QRectF(0, 0, width, height), padding=0, disableAutoRange=True)
        self.draw(float(width), float(height))

    def colour(self, role: QPalette.ColorRole) -> QColor:
        """A colour of the palette in use."""
        return QColor(self.palette().color(QPalette.ColorGroup.Active, role))

    def add_shape(self, path: QPainterPath, *, brush: QBrush | QColor, pen: QPen | None = None) -> None:
        """Add a filled shape, given in pixels."""
        shape = QGraphicsPathItem(path)
        shape.setBrush(QBrush(brush))
        shape.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
        self.addItem(shape, ignoreBounds=True)

    def add_bar(self, box: QRectF, brush: QBrush | QColor, *, pen: QPen | None = None) -> None:
        """Add a rectangle with softly rounded corners."""
        path = QPainterPath()
        path.addRoundedRect(box, 2, 2)
        self.add_shape(path, brush=brush, pen=pen)

    def add_text(
        self, text: str, at: QPointF, *, anchor: tuple[float, float], muted: bool = False, bold: bool = False
    ) -> None:
        """Add a line of text; ``anchor`` is the part of it, in [0, 1], that stands at the point."""
        role = QPalette.ColorRole.PlaceholderText if muted else QPalette.ColorRole.WindowText
        item = pg.TextItem(text, color=self.colour(role), anchor=anchor)
        item.setFont(scaled(self.font(), 1.0, bold=bold))
        item.textItem.document().setDocumentMargin(0)
        item.setPos(at)
        item.updateTextPos()
        self.addItem(item, ignoreBounds=True)

    def resizeEvent(self, event: QEvent) -> None:
        """Keep pixels as units."""
        super().resizeEvent(event)
        if self._ready:
            self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and self._ready:
            self.setFixedHeight(self.wanted_height())
            self.redraw()

    def line(self) -> float:
        """Height of a line of text."""
        return QFontMetricsF(self.font()).height()


class ShareBar(Chart):
    """A bar that is filled as far as a share of one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._share = 0.0
        super().__init__(parent)

    def wanted_height(self) -> int:
        """A bar's height."""
        return 12

    def show_share(self, part: int, whole: int) -> None:
        """Fill the bar to ``part`` of ``whole``; empty where ``whole`` is 0."""
        self.setAccessibleName(f"{part:,} of {whole:,} sentences read as biased")
        share = part / whole if whole else 0.0
        if share != self._share:
            self._share = share
            self.redraw()

    def draw(self, width: float, height: float) -> None:
        """The ground, and the share on it."""
        self.add_bar(QRectF(0, 1, width, height - 2), self.colour(QPalette.ColorRole.Mid))
        if self._share:
            filled = max(4.0, width * min(1.0, self._share))
            self.add_bar(QRectF(0, 1, filled, height - 2), self.colour(QPalette.ColorRole.Accent))


class KindBars(Chart):
    """One bar a kind, on the scale of the most frequent one, with glyph, name and count above it."""

    _BAR, _GAP = 12, 11

    def __init__(self, parent: QWidget | None = None) -> None:
        self._counts = dict.fromkeys(KINDS, 0)
        super().__init__(parent)

    def wanted_height(self) -> int:
        """Three rows."""
        return round(self._row() * len(KINDS))

    def show_counts(self, counts: dict[Kind, int]) -> None:
        """Show the findings per kind; a kind that is not named has none."""
        complete = {kind: counts.get(kind, 0) for kind in KINDS}
        self.setAccessibleName(", ".join(f"{kind.value} {count:,}" for kind, count in complete.items()))
        if complete != self._counts:
            self._counts = complete
            self.redraw()

    def draw(self, width: float, _height: float) -> None:
        """Three rows: a line of text, a bar in the kind's colour and filling."""
        most = max(1, *self._counts.values())
        dark = is_dark(self.palette())
        plain, strong = QFontMetricsF(self.font()), QFontMetricsF(scaled(self.font(), 1.0, bold=True))
        for row, (kind, count) in enumerate(self._counts.items()):
            kind_look = look(kind, dark=dark)
            top = row * self._row()
            text_middle = top + self.line() / 2
            self.add_shape(glyph_path(kind, QRectF(0, text_middle - 5, 10, 10)), brush=kind_look.colour)
            figure = f"{count:,}"
            room = width - 17 - strong.horizontalAdvance(figure) - 6
            name = plain.elidedText(kind_look.label, Qt.TextElideMode.ElideRight, room)
            self.add_text(name, QPointF(17, text_middle), anchor=(0, 0.5))
            self.add_text(figure, QPointF(width, text_middle), anchor=(1, 0.5), bold=True)
            bar_top = top + self.line() + 4
            self.add_bar(QRectF(0, bar_top, width, self._BAR), self.colour(QPalette.ColorRole.Midlight))
            if count:
                box = QRectF(0.5, bar_top + 0.5, max(4.0, width * count / most) - 1, self._BAR - 1)
                self.add_bar(box, self._filling(kind), pen=QPen(kind_look.colour, 1))

    def _row(self) -> float:
        return self.line() + 4 + self._BAR + self._GAP

    def _filling(self, kind: Kind) -> QBrush:
        kind_look = look(kind, dark=is_dark(self.palette()))
        brush = QBrush(kind_look.colour, kind_look.brush)
        brush.setTransform(QTransform())
        return brush


class LeaningGauge(Chart):
    """An axis from left to right: a marker at right minus left, a band as wide as the windows disagree."""

    _AXIS = 16.0  # pixels from the top
    _SIDE = 8.0  # pixels kept free at both ends, so that the marker is never cut

    def __init__(self, parent: QWidget | None = None) -> None:
        self._leaning: Leaning | None = None
        super().__init__(parent)

    def wanted_height(self) -> int:
        """The axis and the names below it."""
        return round(self._AXIS + 12 + self.line())

    def show_leaning(self, leaning: Leaning | None) -> None:
        """Place the marker; an axis without a marker where there is no leaning."""
        if leaning is None:
            self.setAccessibleName("No leaning")
        else:
            told = f"Leaning {leaning.right - leaning.left:+.2f} from left, minus 1, to right, plus 1"
            self.setAccessibleName(f"{told}; uncertainty {leaning.spread:.2f}")
        if leaning != self._leaning:
            self._leaning = leaning
            self.redraw()

    def place(self, value: float) -> float:
        """Pixels from the left for a value in [-1, 1]; values outside stand at the ends."""
        inside = min(1.0, max(-1.0, value))
        return self._SIDE + (inside + 1) / 2 * (float(self.width()) - 2 * self._SIDE)

    def draw(self, width: float, _height: float) -> None:
        """Band, axis with three ticks, marker, names."""
        accent = self.colour(QPalette.ColorRole.Accent)
        line = QPen(self.colour(QPalette.ColorRole.PlaceholderText), 1.5)
        value = None if self._leaning is None else self._leaning.right - self._leaning.left
        if self._leaning is not None and value is not None and self._leaning.spread > 0:
            left, right = self.place(value - self._leaning.spread), self.place(value + self._leaning.spread)
            band = QColor(accent)
            band.setAlpha(80)
            self.add_bar(QRectF(left, self._AXIS - 9, max(2.0, right - left), 18), band)
        axis = QPainterPath(QPointF(self.place(-1), self._AXIS))
        axis.lineTo(self.place(1), self._AXIS)
        for tick in (-1, 0, 1):
            axis.moveTo(self.place(tick), self._AXIS - 5)
            axis.lineTo(self.place(tick), self._AXIS + 5)
        self.add_shape(axis, brush=QBrush(Qt.BrushStyle.NoBrush), pen=line)
        if value is not None:
            marker = QPainterPath()
            marker.addEllipse(QPointF(self.place(value), self._AXIS), 6.5, 6.5)
            self.add_shape(marker, brush=accent, pen=QPen(self.colour(QPalette.ColorRole.Window), 2))
        for name, at, anchor in (("left", 0.0, 0.0), ("center", width / 2, 0.5), ("right", width, 1.0)):
            self.add_text(name, QPointF(at, self._AXIS + 11), anchor=(anchor, 0), muted=True)
