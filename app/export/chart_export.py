"""A chart as a picture, PNG or SVG, and the dialog that asks which chart, how wide and in which colours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QIcon,
    QImage,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.charts.base_charts import Chart
from app.charts.chart_sections import CHARTS, ChartRow, make_chart
from app.widgets.dialogs import app_version
from app.widgets.labels import WrapLabel, scaled, showable
from app.widgets.theme import palette
from core.i18n import tr
from core.storage.files import FileError, write_bytes
from core.types import Report

# A chart as a picture for other programs: PNG at twice its size, or SVG whose words are text.


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


# The dialog that keeps a chart as a picture: which one, PNG or SVG, how wide, in which colours; and how it looks.


_PREVIEW = (460, 300)
_FORMS = {"PNG": ".png", "SVG": ".svg"}


class ChartDialog(QDialog):
    """Offers the charts of a report, or other ``charts``, which may need none.

    ``written``: the name of the file that is there now.
    What goes wrong is told in the dialog, which stays open.
    """

    written = Signal(str)

    def __init__(
        self,
        report: Report | None,
        name: str,
        folder: Path,
        parent: QWidget | None = None,
        *,
        charts: Mapping[str, ChartRow] = CHARTS,
    ) -> None:
        super().__init__(parent)
        self._charts = charts
        self.setWindowTitle(tr("Save a chart as picture"))
        self._report = report
        self._name = name
        self._folder = folder
        self._which = QComboBox()
        for key, row in charts.items():
            self._which.addItem(row.title, key)
        self._form = QComboBox()
        self._form.addItem(tr("PNG, for every program"), "PNG")
        self._form.addItem(tr("SVG, sharp at every size"), "SVG")
        self._width = QSpinBox()
        self._width.setRange(NARROWEST, WIDEST)
        self._width.setSingleStep(80)
        self._width.setValue(USUAL)
        self._width.setSuffix(tr(" pixels"))
        self._width.setToolTip(tr("A PNG has {scale} points for each pixel.").format(scale=SCALE))
        self._colours = QComboBox()
        self._colours.addItem(tr("Light"), False)
        self._colours.addItem(tr("As in the window"), True)
        self._preview = QLabel()
        self._preview.setFixedSize(*_PREVIEW)
        self._preview.setFrameShape(QFrame.Shape.StyledPanel)
        self._preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message = WrapLabel()
        self._message.setVisible(False)
        self._lay_out()
        for box in (self._which, self._form, self._colours):
            box.currentIndexChanged.connect(self._draw)
        self._width.valueChanged.connect(self._draw)
        self._draw()

    def choose(self, name: str) -> None:
        """Have this chart chosen; the first one where there is none of that name."""
        with QSignalBlocker(self._which):
            self._which.setCurrentIndex(max(0, self._which.findData(name)))
        self._draw()

    @property
    def message(self) -> str:
        """What went wrong; empty where nothing did."""
        return self._message.accessibleName() if not self._message.isHidden() else ""

    def save(self) -> None:
        """Ask where, and write the picture."""
        form = str(self._form.currentData())
        ending = _FORMS[form]
        start = self._folder / f"{Path(self._name).stem}-{self._which.currentData()}{ending}"
        title = tr("Save the chart as {form}").format(form=form)
        name, _ = QFileDialog.getSaveFileName(self, title, str(start), f"{form} (*{ending})")
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(name).with_suffix(ending)
        chart, picture = self._chart(), self._picture()
        try:
            write_bytes(path, png(chart, picture) if form == "PNG" else svg(chart, picture))
        except FileError as error:
            self._say(str(error))
            return
        self.written.emit(path.name)
        self.accept()

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setImage(QImage.fromData(png(self._chart(), self._picture())))
        self._say(tr("The picture is on the clipboard."))

    def _chart(self) -> Chart:
        chart = make_chart(str(self._which.currentData()), self._report, charts=self._charts)
        chart.setFont(self.font())
        return chart

    def _picture(self) -> Picture:
        name = str(self._which.currentData())
        chart = make_chart(name, self._report, charts=self._charts)
        foot = f"{showable(self._name)} · Evenhand {app_version()}"
        return Picture(
            title=self._charts[name].title,
            note=self._charts[name].note(chart, self._report),
            foot=foot,
            width=self._width.value(),
            dress=self.palette() if self._colours.currentData() else None,
        )

    def _draw(self) -> None:
        self._say("")
        shown = QPixmap.fromImage(QImage.fromData(png(self._chart(), self._picture())))
        room = self._preview.size() * self.devicePixelRatio()
        shown = shown.scaled(
            room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        shown.setDevicePixelRatio(self.devicePixelRatio())
        self._preview.setPixmap(shown)
        chart = self._chart()
        self._preview.setAccessibleName(f"{self._which.currentText()}. {chart.accessibleDescription()}")

    def _say(self, message: str) -> None:
        self._message.setText(message)
        self._message.setVisible(bool(message))

    def _lay_out(self) -> None:
        form = QFormLayout()
        for name, part in (
            (tr("&Chart"), self._which),
            (tr("&Form"), self._form),
            (tr("&Width"), self._width),
            (tr("Co&lours"), self._colours),
        ):
            form.addRow(name, part)
            part.setAccessibleName(name.replace("&", ""))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        save = buttons.addButton(tr("&Save…"), QDialogButtonBox.ButtonRole.ActionRole)
        copy = buttons.addButton(tr("C&opy"), QDialogButtonBox.ButtonRole.ActionRole)
        for button in buttons.buttons():
            button.setIcon(QIcon())
        save.setDefault(True)
        save.clicked.connect(self.save)
        copy.clicked.connect(self.copy)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(12)
        column.addLayout(form)
        column.addWidget(self._preview)
        column.addWidget(self._message)
        column.addWidget(buttons)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
