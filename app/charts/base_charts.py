"""What every chart shares, and the small ones: a share, bars per kind, the leaning as a gauge. These take no mouse."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.kinds import glyph_path, look
from app.widgets.labels import scaled
from app.widgets.theme import is_dark, is_stark
from core.i18n import ntr, tr
from core.reports.chart_data import lean
from core.reports.descriptions import caution, no_leaning, resemblance
from core.types import KINDS, Kind, Leaning

_Role = QPalette.ColorRole
_ROUNDED = 8.0


class Chart(QWidget):
    """A drawing in pixels, y downwards, in the colours and the font of the widget.

    Subclasses draw in ``draw`` with the ``add_…`` methods, on a widget or, through ``paint_on``, on anything else.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter: QPainter | None = None
        self._dress: QPalette | None = None
        self._dark = self._stark = False
        self.pictured = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(self.wanted_height())

    def wanted_height(self) -> int:
        """Pixels that the chart needs with its font."""
        raise NotImplementedError

    def draw(self, width: float, height: float) -> None:
        """Draw the chart, ``width`` by ``height`` pixels."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw everything anew, and as high as is wanted now."""
        self.setFixedHeight(self.wanted_height())
        self.update()

    def paint_on(self, painter: QPainter, width: float, height: float, *, dress: QPalette) -> None:
        """Draw the chart as a picture: in the colours of ``dress``, and with nothing that only a window has."""
        self.pictured = True
        try:
            self._draw_with(painter, width, height, dress)
        finally:
            self.pictured = False

    def _draw_with(self, painter: QPainter, width: float, height: float, dress: QPalette) -> None:
        self._painter, self._dress = painter, dress
        self._dark, self._stark = is_dark(dress), is_stark(dress)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(width, height)
        finally:
            self._painter, self._dress = None, None

    @property
    def dress(self) -> QPalette:
        """The colours that are drawn in."""
        return self._dress or self.palette()

    def colour(self, role: QPalette.ColorRole) -> QColor:
        """A colour of the palette in use."""
        return QColor(self.dress.color(QPalette.ColorGroup.Active, role))

    def add_shape(self, path: QPainterPath, *, brush: QBrush | QColor, pen: QPen | None = None) -> None:
        """Add a filled shape, given in pixels."""
        assert self._painter is not None
        self._painter.setBrush(brush)
        self._painter.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
        self._painter.drawPath(path)

    def add_bar(self, box: QRectF, brush: QBrush | QColor, *, pen: QPen | None = None) -> None:
        """Add a rectangle with softly rounded corners."""
        assert self._painter is not None
        self._painter.setBrush(brush)
        self._painter.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
        if box.width() < _ROUNDED:
            self._painter.drawRect(box)
        else:
            self._painter.drawRoundedRect(box, 2, 2)

    def add_ground(self, box: QRectF) -> None:
        """Add the ground of a bar: how long the bar could be."""
        if self._stark:
            self.add_bar(box.adjusted(0.5, 0.5, -0.5, -0.5), self.colour(_Role.Base), pen=self.line_pen())
        else:
            self.add_bar(box, self.colour(_Role.Midlight))

    def add_line(self, start: QPointF, end: QPointF, pen: QPen) -> None:
        """Add a straight line."""
        assert self._painter is not None
        self._painter.setPen(pen)
        self._painter.drawLine(start, end)

    def add_kind(self, box: QRectF, kind: Kind) -> None:
        """Add a bar in the colour and the filling of a kind."""
        kind_look = look(kind, dark=self._dark)
        self.add_bar(box, QBrush(kind_look.colour, kind_look.brush), pen=QPen(kind_look.colour, 1))

    def add_glyph(self, box: QRectF, kind: Kind) -> None:
        """Add the glyph of a kind in its colour."""
        self.add_shape(glyph_path(kind, box), brush=look(kind, dark=self._dark).colour)

    def add_text(
        self, text: str, at: QPointF, *, anchor: tuple[float, float], muted: bool = False, bold: bool = False
    ) -> None:
        """Add a line of text; ``anchor`` is the part of it, in [0, 1], that stands at the point."""
        assert self._painter is not None
        font = scaled(self.font(), 1.0, bold=bold)
        metrics = QFontMetricsF(font)
        left = at.x() - anchor[0] * metrics.horizontalAdvance(text)
        top = at.y() - anchor[1] * metrics.height()
        self._painter.setFont(font)
        self._painter.setPen(self.colour(_Role.PlaceholderText if muted else _Role.WindowText))
        self._painter.drawText(QPointF(left, top + metrics.ascent()), text)

    def line_pen(self, width: float = 1.0) -> QPen:
        """A quiet line of the theme, as strong as text in high contrast."""
        return QPen(self.colour(_Role.WindowText if self._stark else _Role.Mid), width)

    def line(self) -> float:
        """Height of a line of text."""
        return QFontMetricsF(self.font()).height()

    def advance(self, text: str) -> float:
        """Width of a text."""
        return QFontMetricsF(self.font()).horizontalAdvance(text)

    def elided(
        self, text: str, width: float, *, where: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> str:
        """As much of a text as fits; names that differ in their ends are cut in the middle."""
        return QFontMetricsF(self.font()).elidedText(text, where, max(0.0, width))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw on the widget."""
        painter = QPainter(self)
        self._draw_with(painter, float(self.width()), float(self.height()), self.palette())
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme and the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.redraw()


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
        told = ntr(
            "{part} of {whole} sentence reads as biased", "{part} of {whole} sentences read as biased", whole
        )
        self.setAccessibleName(told.format(part=f"{part:,}", whole=f"{whole:,}"))
        share = part / whole if whole else 0.0
        if share != self._share:
            self._share = share
            self.redraw()

    def draw(self, width: float, height: float) -> None:
        """The ground, and the share on it."""
        self.add_ground(QRectF(0, 1, width, height - 2))
        if self._share:
            filled = max(4.0, width * min(1.0, self._share))
            self.add_bar(QRectF(0, 1, filled, height - 2), self.colour(_Role.Accent))


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
        told = ", ".join(f"{look(kind, dark=False).label} {count:,}" for kind, count in complete.items())
        self.setAccessibleName(tr("Findings by kind: {counts}").format(counts=told))
        if complete != self._counts:
            self._counts = complete
            self.redraw()

    def draw(self, width: float, _height: float) -> None:
        """Three rows: a line of text, a bar in the kind's colour and filling."""
        most = max(1, *self._counts.values())
        strong = QFontMetricsF(scaled(self.font(), 1.0, bold=True))
        for row, (kind, count) in enumerate(self._counts.items()):
            top = row * self._row()
            text_middle = top + self.line() / 2
            self.add_glyph(QRectF(0, text_middle - 5, 10, 10), kind)
            figure = f"{count:,}"
            room = width - 17 - strong.horizontalAdvance(figure) - 6
            name = self.elided(look(kind, dark=False).label, room)
            self.add_text(name, QPointF(17, text_middle), anchor=(0, 0.5))
            self.add_text(figure, QPointF(width, text_middle), anchor=(1, 0.5), bold=True)
            bar_top = top + self.line() + 4
            self.add_ground(QRectF(0, bar_top, width, self._BAR))
            if count:
                self.add_kind(
                    QRectF(0.5, bar_top + 0.5, max(4.0, width * count / most) - 1, self._BAR - 1), kind
                )

    def _row(self) -> float:
        return self.line() + 4 + self._BAR + self._GAP


class LeaningGauge(Chart):
    """An axis from left to right: a marker at right minus left, a band as wide as the reader is unsure."""

    _AXIS = 16.0  # pixels from the top
    _SIDE = 8.0  # pixels kept free at both ends, so that the marker is never cut

    def __init__(self, parent: QWidget | None = None) -> None:
        self._leaning: Leaning | None = None
        self._span = 0.0
        super().__init__(parent)
        self.setAccessibleDescription(caution())

    def wanted_height(self) -> int:
        """The axis and the names below it."""
        return round(self._AXIS + 12 + self.line())

    def show_leaning(self, leaning: Leaning | None) -> None:
        """Place the marker; an axis without a marker where there is no leaning."""
        if leaning is None:
            self.setAccessibleName(no_leaning())
        else:
            value, low, high = lean(leaning)
            told = tr("{value:+.2f} from left, −1, to right, +1; unsure from {low:+.2f} to {high:+.2f}.")
            place = told.format(value=value, low=low, high=high)
            self.setAccessibleName(f"{resemblance(leaning)} {place}")
        if leaning != self._leaning:
            self._leaning = leaning
            self.redraw()

    def place(self, value: float) -> float:
        """Pixels from the left for a value in [-1, 1]; values outside stand at the ends."""
        inside = min(1.0, max(-1.0, value))
        return self._SIDE + (inside + 1) / 2 * ((self._span or float(self.width())) - 2 * self._SIDE)

    def draw(self, width: float, _height: float) -> None:
        """Band, axis with three ticks, marker, names."""
        self._span = width
        accent = self.colour(_Role.Accent)
        line = QPen(self.colour(_Role.PlaceholderText), 1.5)
        if self._leaning is not None:
            _, low, high = lean(self._leaning)
            left, right = self.place(low), self.place(high)
            band = QColor(accent)
            band.setAlpha(80)
            self.add_bar(QRectF(left, self._AXIS - 9, max(2.0, right - left), 18), band)
        axis = QPainterPath(QPointF(self.place(-1), self._AXIS))
        axis.lineTo(self.place(1), self._AXIS)
        for tick in (-1, 0, 1):
            axis.moveTo(self.place(tick), self._AXIS - 5)
            axis.lineTo(self.place(tick), self._AXIS + 5)
        self.add_shape(axis, brush=QBrush(Qt.BrushStyle.NoBrush), pen=line)
        if self._leaning is not None:
            marker = QPainterPath()
            marker.addEllipse(QPointF(self.place(lean(self._leaning)[0]), self._AXIS), 6.5, 6.5)
            self.add_shape(marker, brush=accent, pen=QPen(self.colour(_Role.Window), 2))
        sides = ((tr("left"), 0.0, 0.0), (tr("center"), width / 2, 0.5), (tr("right"), width, 1.0))
        for name, at, anchor in sides:
            self.add_text(name, QPointF(at, self._AXIS + 11), anchor=(anchor, 0), muted=True)
        self._span = 0.0
