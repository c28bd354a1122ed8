"""The base class of charts, and small static charts: a share, bars per kind, a gauge of the political leaning."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.kinds import glyph_path, kind_style
from app.widgets.labels import scaled_font
from app.widgets.theme import is_dark, is_high_contrast
from core.i18n import ntr, tr
from core.reports.chart_data import leaning_interval
from core.reports.descriptions import describe_leaning, explain_missing_leaning, leaning_caveat
from core.types import KINDS, Kind, Leaning, NoLeaning

_Role = QPalette.ColorRole
_MIN_ROUNDED_WIDTH = 8.0


class Chart(QWidget):
    """A drawing in pixels, y downwards, in the colours and the font of the widget.

    Subclasses implement ``draw`` with the ``add_…`` methods. It paints the widget or, through ``paint_on``, anything
    else.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._painter: QPainter | None = None
        self._drawing_palette: QPalette | None = None
        self._dark = self._high_contrast = False
        self.for_export = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(self.preferred_height())

    def preferred_height(self) -> int:
        """Height in pixels that the chart needs with its font."""
        raise NotImplementedError

    def draw(self, width: float, height: float) -> None:
        """Draw the chart in ``width`` by ``height`` pixels."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Repaint, with an updated height."""
        self.setFixedHeight(self.preferred_height())
        self.update()

    def paint_on(self, painter: QPainter, width: float, height: float, *, palette: QPalette) -> None:
        """Draw the chart for an export: in the colours of ``palette``, without a focus frame."""
        self.for_export = True
        try:
            self._draw_with(painter, width, height, palette)
        finally:
            self.for_export = False

    def _draw_with(self, painter: QPainter, width: float, height: float, palette: QPalette) -> None:
        self._painter, self._drawing_palette = painter, palette
        self._dark, self._high_contrast = is_dark(palette), is_high_contrast(palette)
        try:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.draw(width, height)
        finally:
            self._painter, self._drawing_palette = None, None

    @property
    def palette_in_use(self) -> QPalette:
        """The palette of the export, or of the widget."""
        return self._drawing_palette or self.palette()

    def colour(self, role: QPalette.ColorRole) -> QColor:
        """A colour of the palette in use."""
        return QColor(self.palette_in_use.color(QPalette.ColorGroup.Active, role))

    def add_shape(self, path: QPainterPath, *, brush: QBrush | QColor, pen: QPen | None = None) -> None:
        """Add a filled path, in pixels."""
        assert self._painter is not None
        self._painter.setBrush(brush)
        self._painter.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
        self._painter.drawPath(path)

    def add_bar(self, box: QRectF, brush: QBrush | QColor, *, pen: QPen | None = None) -> None:
        """Add a rectangle with slightly rounded corners."""
        assert self._painter is not None
        self._painter.setBrush(brush)
        self._painter.setPen(pen if pen is not None else QPen(Qt.PenStyle.NoPen))
        if box.width() < _MIN_ROUNDED_WIDTH:
            self._painter.drawRect(box)
        else:
            self._painter.drawRoundedRect(box, 2, 2)

    def add_track(self, box: QRectF) -> None:
        """Add the track of a bar: its maximum length."""
        if self._high_contrast:
            self.add_bar(box.adjusted(0.5, 0.5, -0.5, -0.5), self.colour(_Role.Base), pen=self.line_pen())
        else:
            self.add_bar(box, self.colour(_Role.Midlight))

    def add_line(self, start: QPointF, end: QPointF, pen: QPen) -> None:
        """Add a straight line."""
        assert self._painter is not None
        self._painter.setPen(pen)
        self._painter.drawLine(start, end)

    def add_kind(self, box: QRectF, kind: Kind) -> None:
        """Add a bar in the colour and pattern of a kind."""
        kind_look = kind_style(kind, dark=self._dark)
        self.add_bar(box, QBrush(kind_look.colour, kind_look.brush), pen=QPen(kind_look.colour, 1))

    def add_glyph(self, box: QRectF, kind: Kind) -> None:
        """Add the glyph of a kind in its colour."""
        self.add_shape(glyph_path(kind, box), brush=kind_style(kind, dark=self._dark).colour)

    def add_text(
        self, text: str, at: QPointF, *, anchor: tuple[float, float], muted: bool = False, bold: bool = False
    ) -> None:
        """Add a line of text; ``anchor``, in [0, 1], is the point of its box that is placed at ``at``."""
        assert self._painter is not None
        font = scaled_font(self.font(), 1.0, bold=bold)
        metrics = QFontMetricsF(font)
        left = at.x() - anchor[0] * metrics.horizontalAdvance(text)
        top = at.y() - anchor[1] * metrics.height()
        self._painter.setFont(font)
        self._painter.setPen(self.colour(_Role.PlaceholderText if muted else _Role.WindowText))
        self._painter.drawText(QPointF(left, top + metrics.ascent()), text)

    def line_pen(self, width: float = 1.0) -> QPen:
        """A thin line of the theme, as strong as text in high contrast."""
        return QPen(self.colour(_Role.WindowText if self._high_contrast else _Role.Mid), width)

    def line_height(self) -> float:
        """Height of a line of text in pixels."""
        return QFontMetricsF(self.font()).height()

    def text_width(self, text: str) -> float:
        """Width of a text in pixels."""
        return QFontMetricsF(self.font()).horizontalAdvance(text)

    def elide(self, text: str, width: float, *, where: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> str:
        """The text, elided to fit ``width`` pixels."""
        return QFontMetricsF(self.font()).elidedText(text, where, max(0.0, width))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw on the widget."""
        painter = QPainter(self)
        self._draw_with(painter, float(self.width()), float(self.height()), self.palette())
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        """Follow changes of theme and font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.redraw()


class ShareBar(Chart):
    """A bar filled up to a share."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._share = 0.0
        super().__init__(parent)

    def preferred_height(self) -> int:
        """Height of a bar."""
        return 12

    def show_share(self, part: int, whole: int) -> None:
        """Fill the bar to ``part`` of ``whole``; empty if ``whole`` is 0."""
        text = ntr(
            "{part} of {whole} sentence reads as biased", "{part} of {whole} sentences read as biased", whole
        )
        self.setAccessibleName(text.format(part=f"{part:,}", whole=f"{whole:,}"))
        share = part / whole if whole else 0.0
        if share != self._share:
            self._share = share
            self.redraw()

    def draw(self, width: float, height: float) -> None:
        """Draw the track and the share on it."""
        self.add_track(QRectF(0, 1, width, height - 2))
        if self._share:
            filled = max(4.0, width * min(1.0, self._share))
            self.add_bar(QRectF(0, 1, filled, height - 2), self.colour(_Role.Accent))


class KindBars(Chart):
    """A bar per kind, scaled to the most frequent one, with glyph, name and count above it."""

    _BAR, _GAP = 12, 11

    def __init__(self, parent: QWidget | None = None) -> None:
        self._counts = dict.fromkeys(KINDS, 0)
        super().__init__(parent)

    def preferred_height(self) -> int:
        """Three rows."""
        return round(self._row() * len(KINDS))

    def show_counts(self, counts: dict[Kind, int]) -> None:
        """Show the findings per kind; missing kinds count 0."""
        complete = {kind: counts.get(kind, 0) for kind in KINDS}
        text = ", ".join(
            f"{kind_style(kind, dark=False).label} {count:,}" for kind, count in complete.items()
        )
        self.setAccessibleName(tr("Findings by kind: {counts}").format(counts=text))
        if complete != self._counts:
            self._counts = complete
            self.redraw()

    def draw(self, width: float, _height: float) -> None:
        """Draw three rows: a line of text, and a bar in the colour and pattern of the kind."""
        most = max(1, *self._counts.values())
        bold_metrics = QFontMetricsF(scaled_font(self.font(), 1.0, bold=True))
        for row, (kind, count) in enumerate(self._counts.items()):
            top = row * self._row()
            text_middle = top + self.line_height() / 2
            self.add_glyph(QRectF(0, text_middle - 5, 10, 10), kind)
            count_text = f"{count:,}"
            available = width - 17 - bold_metrics.horizontalAdvance(count_text) - 6
            name = self.elide(kind_style(kind, dark=False).label, available)
            self.add_text(name, QPointF(17, text_middle), anchor=(0, 0.5))
            self.add_text(count_text, QPointF(width, text_middle), anchor=(1, 0.5), bold=True)
            bar_top = top + self.line_height() + 4
            self.add_track(QRectF(0, bar_top, width, self._BAR))
            if count:
                self.add_kind(
                    QRectF(0.5, bar_top + 0.5, max(4.0, width * count / most) - 1, self._BAR - 1), kind
                )

    def _row(self) -> float:
        return self.line_height() + 4 + self._BAR + self._GAP


class LeaningGauge(Chart):
    """An axis from left to right: a marker at right minus left, and a band for the uncertainty."""

    _AXIS = 16.0  # pixels from the top
    _SIDE = 8.0  # margin in pixels at both ends, so that the marker is not cut off

    def __init__(self, parent: QWidget | None = None) -> None:
        self._leaning: Leaning | None = None
        self._span = 0.0
        super().__init__(parent)
        self.setAccessibleDescription(leaning_caveat())

    def preferred_height(self) -> int:
        """The axis and the labels below it."""
        return round(self._AXIS + 12 + self.line_height())

    def show_leaning(self, leaning: Leaning | None, reason: NoLeaning | None = None) -> None:
        """Place the marker; without a leaning, for a ``reason``, only the axis is drawn."""
        if leaning is None:
            self.setAccessibleName(explain_missing_leaning(reason))
        else:
            value, low, high = leaning_interval(leaning)
            text = tr(
                "{value:+.2f} on a scale from −1 (left) to +1 (right), interval {low:+.2f} to {high:+.2f}."
            )
            place = text.format(value=value, low=low, high=high)
            self.setAccessibleName(f"{describe_leaning(leaning)} {place}")
        if leaning != self._leaning:
            self._leaning = leaning
            self.redraw()

    def place(self, value: float) -> float:
        """x in pixels for a value in [-1, 1]; other values are clipped."""
        inside = min(1.0, max(-1.0, value))
        return self._SIDE + (inside + 1) / 2 * ((self._span or float(self.width())) - 2 * self._SIDE)

    def draw(self, width: float, _height: float) -> None:
        """Draw band, axis with three ticks, marker and labels."""
        self._span = width
        accent = self.colour(_Role.Accent)
        line_height = QPen(self.colour(_Role.PlaceholderText), 1.5)
        if self._leaning is not None:
            _, low, high = leaning_interval(self._leaning)
            left, right = self.place(low), self.place(high)
            band = QColor(accent)
            band.setAlpha(80)
            self.add_bar(QRectF(left, self._AXIS - 9, max(2.0, right - left), 18), band)
        axis = QPainterPath(QPointF(self.place(-1), self._AXIS))
        axis.lineTo(self.place(1), self._AXIS)
        for tick in (-1, 0, 1):
            axis.moveTo(self.place(tick), self._AXIS - 5)
            axis.lineTo(self.place(tick), self._AXIS + 5)
        self.add_shape(axis, brush=QBrush(Qt.BrushStyle.NoBrush), pen=line_height)
        if self._leaning is not None:
            marker = QPainterPath()
            marker.addEllipse(QPointF(self.place(leaning_interval(self._leaning)[0]), self._AXIS), 6.5, 6.5)
            self.add_shape(marker, brush=accent, pen=QPen(self.colour(_Role.Window), 2))
        sides = ((tr("left"), 0.0, 0.0), (tr("center"), width / 2, 0.5), (tr("right"), width, 1.0))
        for name, at, anchor in sides:
            self.add_text(name, QPointF(at, self._AXIS + 11), anchor=(anchor, 0), muted=True)
        self._span = 0.0
