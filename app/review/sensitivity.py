"""The slider of sensitivity: how much is marked, and in words what share of the marks to expect to be right."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSlider, QToolTip, QWidget

from app.parts.labels import percent
from core.language import tr
from core.sensitivity import Curve, Stop, in_ten

_WIDTH = 84


def name_of(curve: Curve, step: int) -> str:
    """What a stop is called."""
    if curve.at(step) == curve.at(0):
        return tr("as tuned")
    if curve.at(step) == curve.stops[0]:
        return tr("only the surest")
    if curve.at(step) == curve.stops[-1]:
        return tr("all that might be")
    return tr("surer marks") if step < 0 else tr("more marks")


def figure_of(stop: Stop) -> str:
    """What a stop is worth, in a line as short as can be."""
    return tr("≈ {right} of 10 right").format(right=in_ten(stop.precision))


def told_of(stop: Stop) -> str:
    """What a stop is worth, in sentences, with where the figures come from."""
    said = tr(
        "About {right} of 10 marks are words that editors took out; about {found} of 10 such words are found. "
        "About {marks} marks for 1,000 words. Words count from a confidence of {least}."
    ).format(
        right=in_ten(stop.precision),
        found=in_ten(stop.recall),
        marks=round(stop.marks_per_1000_words),
        least=percent(stop.threshold),
    )
    source = tr(
        "Measured on Wikipedia sentences that editors changed for neutrality, much of it for style: in other texts "
        "fewer marks are right."
    )
    return f"{said}\n{source}"


class SensitivitySlider(QWidget):
    """Hidden until it knows a reader's curve. ``moved``: the stop that a person chose, counted from the tuned one."""

    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curve: Curve | None = None
        self._step = 0
        self._name = QLabel(tr("Sensitivity"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setObjectName("sensitivity")
        self.slider.setAccessibleName(tr("Sensitivity"))
        self.slider.setFixedWidth(_WIDTH)
        self.slider.setPageStep(1)
        self.slider.setTickInterval(1)
        self.slider.setTickPosition(QSlider.TickPosition.NoTicks)
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.valueChanged.connect(self._moved)
        self._name.setBuddy(self.slider)
        self._figure = QLabel()
        self._figure.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(6)
        for part in (self._name, self.slider, self._figure):
            row.addWidget(part)
        self.setVisible(False)

    @property
    def text(self) -> str:
        """The figure that is shown; empty while nothing is known."""
        return self._figure.text() if self._curve is not None else ""

    def set_curve(self, curve: Curve | None) -> None:
        """Show the stops of this reader; hide where nobody measured them."""
        if curve != self._curve:
            self._curve = curve
            self._show()
        self.setVisible(curve is not None)

    def set_step(self, step: int) -> None:
        """Stand at this stop, silently."""
        self._step = step
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Keep room for the longest figure in every font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show()

    def _moved(self, step: int) -> None:
        self._step = step
        self._show()
        if self.slider.isSliderDown() and self._curve is not None:
            place = self.slider.mapToGlobal(self.slider.rect().bottomLeft())
            QToolTip.showText(place, name_of(self._curve, step), self.slider)
        self.moved.emit(step)

    def _show(self) -> None:
        if self._curve is None:
            return
        was = self.slider.blockSignals(True)
        self.slider.setRange(self._curve.lowest, self._curve.highest)
        self.slider.setValue(self._step)
        self.slider.blockSignals(was)
        stop = self._curve.at(self._step)
        widths = (self.fontMetrics().horizontalAdvance(figure_of(one)) for one in self._curve.stops)
        self._figure.setMinimumWidth(max(widths))
        self._figure.setText(figure_of(stop))
        told = f"{name_of(self._curve, self._step).capitalize()}\n{told_of(stop)}"
        for part in (self._name, self.slider, self._figure):
            part.setToolTip(told)
        self.slider.setAccessibleDescription(told)
