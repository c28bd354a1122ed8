"""Charts as pictures: PNG at twice the size or SVG with real text, and the export dialog."""

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
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.charts.base_charts import Chart
from app.charts.chart_sections import CHARTS, ChartSpec, make_chart
from app.widgets.dialogs import app_version
from app.widgets.labels import WrapLabel, scaled_font, to_single_line
from app.widgets.layouts import make_column
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import palette
from core.i18n import tr
from core.storage.files import FileError, write_bytes
from core.types import Report

SCALE = 2
MIN_WIDTH, DEFAULT_WIDTH, MAX_WIDTH = 320, 960, 4000
_MARGIN = 24
_DOCTYPE = re.compile(r"<!DOCTYPE[^>]*>")
_SIZE_IN_MILLIMETRES = re.compile(r'<svg width="[^"]*" height="[^"]*"')
# Viewers rarely replace a missing font by a similar one.
_FAMILY = re.compile(r'(<[a-z]+ [^<>]*font-family="[^"]*)"')
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Picture:
    """Title, note, footer, width in pixels before scaling, and palette of an exported picture."""

    title: str
    note: str = ""
    foot: str = ""
    width: int = DEFAULT_WIDTH
    chosen_palette: QPalette | None = None

    @property
    def colours(self) -> QPalette:
        """The palette of the picture: light unless another one was chosen."""
        return self.chosen_palette or palette(dark=False)


def render_png(chart: Chart, picture: Picture) -> bytes:
    """The chart as a PNG with ``SCALE`` times the width of the picture."""
    size = _picture_size(chart, picture)
    image = QImage(size * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    image.setText("Title", _replace_control_characters(picture.title))
    image.setText("Software", _replace_control_characters(picture.foot))
    painter = QPainter(image)
    _paint_picture(painter, chart, picture, size)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def render_svg(chart: Chart, picture: Picture) -> bytes:
    """The chart as a self-contained SVG in UTF-8."""
    size = _picture_size(chart, picture)
    buffer = QBuffer()
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setResolution(96)
    generator.setTitle(_replace_control_characters(picture.title))
    generator.setDescription(
        _replace_control_characters(
            f"{chart.accessibleName()}. {chart.accessibleDescription()} {picture.foot}"
        )
    )
    painter = QPainter(generator)
    _paint_picture(painter, chart, picture, size)
    painter.end()
    text = bytes(buffer.data().data()).decode("utf-8")
    text = _SIZE_IN_MILLIMETRES.sub(f'<svg width="{size.width()}" height="{size.height()}"', text, count=1)
    text = _FAMILY.sub(r'\1, sans-serif"', text)
    return _CONTROL.sub("\ufffd", _DOCTYPE.sub("", text)).encode()


def _paint_picture(painter: QPainter, chart: Chart, picture: Picture, size: QSize) -> None:
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
    at = _draw_lines(painter, picture.title, _title_font(chart), ink, at=at, width=inside) + 10
    painter.save()
    painter.translate(_MARGIN, at)
    chart.paint_on(painter, float(inside), float(chart.preferred_height()), palette=colours)
    painter.restore()
    at += chart.preferred_height() + 10
    for text in (picture.note, picture.foot):
        at = _draw_lines(painter, text, _small_font(chart), muted, at=at, width=inside) + 4


def _draw_lines(
    painter: QPainter, text: str, font: QFont, colour: QColor, *, at: float, width: float
) -> float:
    """Draw a wrapped text and return the y coordinate below it."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    painter.setPen(colour)
    for line in _wrap(text, metrics, width):
        painter.drawText(QPointF(_MARGIN, at + metrics.ascent()), line)
        at += metrics.lineSpacing()
    return at


def _wrap(text: str, metrics: QFontMetricsF, width: float) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in _replace_control_characters(text).split():
        longer = f"{line} {word}".strip()
        if line and metrics.horizontalAdvance(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    wrapped = [*lines, line] if line else lines
    return [metrics.elidedText(one, Qt.TextElideMode.ElideRight, width) for one in wrapped]


def _picture_size(chart: Chart, picture: Picture) -> QSize:
    width = min(MAX_WIDTH, max(MIN_WIDTH, picture.width))
    inside = width - 2 * _MARGIN
    title, small = QFontMetricsF(_title_font(chart)), QFontMetricsF(_small_font(chart))
    height = 2.0 * _MARGIN + 20 + chart.preferred_height() + 8
    height += len(_wrap(picture.title, title, inside)) * title.lineSpacing()
    height += (
        sum(len(_wrap(text, small, inside)) for text in (picture.note, picture.foot)) * small.lineSpacing()
    )
    return QSize(width, round(height))


def _title_font(chart: Chart) -> QFont:
    return scaled_font(chart.font(), 1.25, bold=True)


def _small_font(chart: Chart) -> QFont:
    return scaled_font(chart.font(), 0.9)


def _replace_control_characters(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)


_PREVIEW = (460, 300)
_SUFFIXES = {"PNG": ".png", "SVG": ".svg"}


class ChartExportDialog(QDialog):
    """Exports one of ``charts``: by default those of a report.

    ``saved`` carries the name of the written file. Errors are shown in the dialog, which stays open.
    """

    saved = Signal(str)

    def __init__(
        self,
        report: Report | None,
        name: str,
        folder: Path,
        parent: QWidget | None = None,
        *,
        charts: Mapping[str, ChartSpec] = CHARTS,
    ) -> None:
        super().__init__(parent)
        self._charts = charts
        self.setWindowTitle(tr("Save a chart as a picture"))
        self._report = report
        self._name = name
        self._folder = folder
        self._chart_choice = QComboBox()
        for key, spec in charts.items():
            self._chart_choice.addItem(spec.title, key)
        self._format_choice = QComboBox()
        self._format_choice.addItem(tr("PNG, opens in any program"), "PNG")
        self._format_choice.addItem(tr("SVG, sharp at any size"), "SVG")
        self._width = QSpinBox()
        self._width.setRange(MIN_WIDTH, MAX_WIDTH)
        self._width.setSingleStep(80)
        self._width.setValue(DEFAULT_WIDTH)
        self._width.setSuffix(tr(" pixels"))
        self._width.setToolTip(
            plain_text(tr("A PNG has {scale} times as many pixels in each direction.").format(scale=SCALE))
        )
        self._colours = QComboBox()
        self._colours.addItem(tr("Light"), False)
        self._colours.addItem(tr("Theme of the window"), True)
        self._preview = PlainLabel()
        self._preview.setFixedSize(*_PREVIEW)
        self._preview.setFrameShape(QFrame.Shape.StyledPanel)
        self._preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message = WrapLabel()
        self._message.setVisible(False)
        self._lay_out()
        for box in (self._chart_choice, self._format_choice, self._colours):
            box.currentIndexChanged.connect(self._update_preview)
        self._width.valueChanged.connect(self._update_preview)
        self._update_preview()

    def choose(self, name: str) -> None:
        """Select this chart, or the first one if there is none of that name."""
        with QSignalBlocker(self._chart_choice):
            self._chart_choice.setCurrentIndex(max(0, self._chart_choice.findData(name)))
        self._update_preview()

    @property
    def message(self) -> str:
        """The message; empty if there is none."""
        return self._message.accessibleName() if not self._message.isHidden() else ""

    def save(self) -> None:
        """Ask for a file name and write the picture."""
        image_format = str(self._format_choice.currentData())
        suffix = _SUFFIXES[image_format]
        start = self._folder / f"{Path(self._name).stem}-{self._chart_choice.currentData()}{suffix}"
        title = tr("Save the chart as {format}").format(format=image_format)
        name, _ = QFileDialog.getSaveFileName(self, title, str(start), f"{image_format} (*{suffix})")
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(name).with_suffix(suffix)
        chart, picture = self._chart(), self._picture()
        try:
            write_bytes(
                path, render_png(chart, picture) if image_format == "PNG" else render_svg(chart, picture)
            )
        except FileError as error:
            self._message.show_text(str(error))
            return
        self.saved.emit(path.name)
        self.accept()

    def copy(self) -> None:
        """Copy the picture to the clipboard."""
        QGuiApplication.clipboard().setImage(QImage.fromData(render_png(self._chart(), self._picture())))
        self._message.show_text(tr("The picture is on the clipboard."))

    def _chart(self) -> Chart:
        chart = make_chart(str(self._chart_choice.currentData()), self._report, charts=self._charts)
        chart.setFont(self.font())
        return chart

    def _picture(self) -> Picture:
        name = str(self._chart_choice.currentData())
        chart = make_chart(name, self._report, charts=self._charts)
        foot = f"{to_single_line(self._name)} · Evenhand {app_version()}"
        return Picture(
            title=self._charts[name].title,
            note=self._charts[name].note(chart, self._report),
            foot=foot,
            width=self._width.value(),
            chosen_palette=self.palette() if self._colours.currentData() else None,
        )

    def _update_preview(self) -> None:
        self._message.show_text("")
        shown = QPixmap.fromImage(QImage.fromData(render_png(self._chart(), self._picture())))
        available = self._preview.size() * self.devicePixelRatio()
        shown = shown.scaled(
            available, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        shown.setDevicePixelRatio(self.devicePixelRatio())
        self._preview.setPixmap(shown)
        chart = self._chart()
        self._preview.setAccessibleName(
            f"{self._chart_choice.currentText()}. {chart.accessibleDescription()}"
        )

    def _lay_out(self) -> None:
        form = QFormLayout()
        for name, part in (
            (tr("&Chart"), self._chart_choice),
            (tr("&Format"), self._format_choice),
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
        column = make_column(
            form, self._preview, self._message, buttons, parent=self, spacing=12, margins=None
        )
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
