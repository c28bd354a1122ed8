"""The dialog that keeps a chart as a picture: which one, PNG or SVG, how wide, in which colours; and how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QPixmap
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

from app.figures.charts import Chart
from app.figures.charts_export import NARROWEST, SCALE, USUAL, WIDEST, Picture, png, svg
from app.figures.dashboard_sections import CHARTS, ChartRow, make_chart
from app.help.dialogs import app_version
from app.parts.labels import WrapLabel, showable
from core.files import FileError, write_bytes
from core.language import tr
from core.report import Report

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
