"""A chart as a picture for other programs: PNG at twice its size, or SVG whose words are text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPalette
from PySide6.QtSvg import QSvgGenerator

from app.figures.charts import Chart
from app.parts.labels import scaled
from app.parts.theme import palette

SCALE = 2
NARROWEST, USUAL, WIDEST = 320, 960, 4000
_MARGIN = 24
_ENTITY = re.compile(r"<!DOCTYPE[^>]*>")
_MILLIMETRES = re.compile(r'<svg width="[^"]*" height="[^"]*"')
# A font that is not there is seldom replaced by one of its sort.
_FAMILY = re.compile(r'(<[a-z]+ [^<>]*font-family="[^"]*)"')
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Picture:
    """What a picture shows around its chart, and how. ``width`` is in pixels before the scale."""

    title: str
    note: str = ""
    foot: str = ""
    width: int = USUAL
    dress: QPalette | None = None

    @property
    def colours(self) -> QPalette:
        """The palette that it is drawn in: light unless another one is given."""
        return self.dress or palette(dark=False)


def png(chart: Chart, picture: Picture) -> bytes:
    """The chart as a PNG of ``SCALE`` times the width of the picture."""
    size = _size(chart, picture)
    image = QImage(size * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.setText("Title", _clean(picture.title))
    image.setText("Software", _clean(picture.foot))
    painter = QPainter(image)
    _paint(painter, chart, picture, size)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def svg(chart: Chart, picture: Picture) -> bytes:
    """The chart as an SVG that refers to nothing outside it, in UTF-8."""
    size = _size(chart, picture)
    buffer = QBuffer()
    made = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    made.setOutputDevice(buffer)
    made.setSize(size)
    made.setViewBox(QRectF(0, 0, size.width(), size.height()))
    made.setResolution(96)
    made.setTitle(_clean(picture.title))
    made.setDescription(_clean(f"{chart.accessibleName()}. {chart.accessibleDescription()} {picture.foot}"))
    painter = QPainter(made)
    _paint(painter, chart, picture, size)
    painter.end()
    text = bytes(buffer.data().data()).decode("utf-8")
    text = _MILLIMETRES.sub(f'<svg width="{size.width()}" height="{size.height()}"', text, count=1)
    text = _FAMILY.sub(r'\1, sans-serif"', text)
    return _CONTROL.sub("\ufffd", _ENTITY.sub("", text)).encode()


def _paint(painter: QPainter, chart: Chart, picture: Picture, size: QSize) -> None:
    colours = picture.colours
    group = QPalette.ColorGroup.Active
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(
        QRectF(0, 0, size.width(), size.height()), colours.color(group, QPalette.ColorRole.Window)
    )
    inside = size.width() - 2 * _MARGIN
    ink, muted = (
        colours.color(group, role)
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.PlaceholderText)
    )
    at = float(_MARGIN)
    at = _lines(painter, picture.title, _title_font(chart), ink, at=at, width=inside) + 10
    painter.save()
    painter.translate(_MARGIN, at)
    chart.paint_on(painter, float(inside), float(chart.wanted_height()), dress=colours)
    painter.restore()
    at += chart.wanted_height() + 10
    for text in (picture.note, picture.foot):
        at = _lines(painter, text, _small(chart), muted, at=at, width=inside) + 4


def _lines(painter: QPainter, text: str, font: QFont, colour: QColor, *, at: float, width: float) -> float:
    """Draw a text in lines and return where the next one may begin."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(colour)
    for line in _broken(text, metrics, width):
        painter.drawText(QPointF(_MARGIN, at + metrics.ascent()), line)
        at += metrics.lineSpacing()
    return at


def _broken(text: str, metrics: QFontMetricsF, width: float) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in _clean(text).split():
        longer = f"{line} {word}".strip()
        if line and metrics.horizontalAdvance(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    kept = [*lines, line] if line else lines
    return [metrics.elidedText(one, Qt.TextElideMode.ElideRight, width) for one in kept]


def _size(chart: Chart, picture: Picture) -> QSize:
    width = min(WIDEST, max(NARROWEST, picture.width))
    inside = width - 2 * _MARGIN
    title, small = QFontMetricsF(_title_font(chart)), QFontMetricsF(_small(chart))
    height = 2 * _MARGIN + 20 + chart.wanted_height() + 8
    height += len(_broken(picture.title, title, inside)) * title.lineSpacing()
    height += (
        sum(len(_broken(text, small, inside)) for text in (picture.note, picture.foot)) * small.lineSpacing()
    )
    return QSize(width, round(height))


def _title_font(chart: Chart) -> QFont:
    return scaled(chart.font(), 1.25, bold=True)


def _small(chart: Chart) -> QFont:
    return scaled(chart.font(), 0.9)


def _clean(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)
