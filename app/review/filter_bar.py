"""The filters on the right of the toolbar: kinds, quotations, and the sensitivity slider."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QSlider, QToolButton, QWidget

from app.widgets.labels import format_percent
from app.widgets.layouts import make_row
from app.widgets.plain_text import PlainLabel, plain_text, show_tooltip
from core.bundles.reader import OperatingPoint, SensitivityCurve, out_of_ten
from core.i18n import tr

_SLIDER_WIDTH = 84
_SPACING = 4


def step_name(curve: SensitivityCurve, step: int) -> str:
    """The name of a step."""
    if curve.at(step) == curve.at(0):
        return tr("default")
    if curve.at(step) == curve.points[0]:
        return tr("only the most certain findings")
    if curve.at(step) == curve.points[-1]:
        return tr("all possible findings")
    return tr("fewer, more certain findings") if step < 0 else tr("more findings")


def point_summary(point: OperatingPoint) -> str:
    """The precision of an operating point, as briefly as possible."""
    return tr("≈ {right} of 10 right").format(right=out_of_ten(point.precision))


def point_details(point: OperatingPoint) -> str:
    """The measured quality of an operating point, in sentences, with its source."""
    text = tr(
        "About {right} of 10 findings are words that editors removed; about {found} of 10 such "
        "words are found. About {marks} findings per 1,000 words. The minimum confidence is "
        "{least}."
    ).format(
        right=out_of_ten(point.precision),
        found=out_of_ten(point.recall),
        marks=round(point.marks_per_1000_words),
        least=format_percent(point.threshold),
    )
    source = tr(
        "Measured on Wikipedia sentences that editors changed for neutrality, many of them only "
        "for style. In other texts, fewer findings are right."
    )
    return f"{text}\n{source}"


class SensitivitySlider(QWidget):
    """Hidden until the reader's curve is known. ``moved``: the chosen step, counted from the tuned threshold."""

    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curve: SensitivityCurve | None = None
        self._step = 0
        self._name = PlainLabel(tr("Sensitivity"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setObjectName("sensitivity")
        self.slider.setAccessibleName(tr("Sensitivity"))
        self.slider.setFixedWidth(_SLIDER_WIDTH)
        self.slider.setPageStep(1)
        self.slider.setTickInterval(1)
        self.slider.setTickPosition(QSlider.TickPosition.NoTicks)
        self.slider.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.slider.valueChanged.connect(self._moved)
        self._name.setBuddy(self.slider)
        self._figure = PlainLabel()
        self._figure.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        make_row(self._name, self.slider, self._figure, parent=self, spacing=6, margins=(4, 0, 4, 0))
        self.setVisible(False)

    @property
    def text(self) -> str:
        """The shown precision; empty if it is not known."""
        return self._figure.text() if self._curve is not None else ""

    def set_curve(self, curve: SensitivityCurve | None) -> None:
        """Show the steps of this reader; hide the slider if they were not measured."""
        if curve != self._curve:
            self._curve = curve
            self._show()
        self.setVisible(curve is not None)

    def set_step(self, step: int) -> None:
        """Set the step without emitting ``moved``."""
        self._step = step
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Reserve space for the longest text in every font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._show()

    def _moved(self, step: int) -> None:
        self._step = step
        self._show()
        if self.slider.isSliderDown() and self._curve is not None:
            place = self.slider.mapToGlobal(self.slider.rect().bottomLeft())
            show_tooltip(place, step_name(self._curve, step), self.slider)
        self.moved.emit(step)

    def _show(self) -> None:
        if self._curve is None:
            return
        with QSignalBlocker(self.slider):
            self.slider.setRange(self._curve.lowest, self._curve.highest)
            self.slider.setValue(self._step)
        point = self._curve.at(self._step)
        widths = (self.fontMetrics().horizontalAdvance(point_summary(one)) for one in self._curve.points)
        self._figure.setMinimumWidth(max(widths))
        self._figure.setText(point_summary(point))
        description = f"{step_name(self._curve, self._step).capitalize()}\n{point_details(point)}"
        for part in (self._name, self.slider, self._figure):
            part.setToolTip(plain_text(description))
        self.slider.setAccessibleDescription(description)


class FilterBar(QWidget):
    """A button with the menu of kinds, a switch for quotations, and further filters (``add``).

    The switch mirrors ``quotes``, the action of the menu.
    """

    def __init__(self, kinds: QMenu, quotes: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What is marked"))
        self.kinds = _button()
        self.kinds.setText(tr("Kinds ▾"))
        self.kinds.setAccessibleName(tr("Kinds of bias that are marked"))
        self.kinds.setToolTip(tr("Which kinds of bias are marked"))
        self.kinds.setProperty("popup", "true")
        self.kinds.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.kinds.setMenu(kinds)
        self.quotes = _button()
        self.quotes.setCheckable(True)
        self.quotes.clicked.connect(quotes.trigger)
        self._quotes = quotes
        quotes.toggled.connect(self._show_quotes)
        quotes.changed.connect(self._show_quotes)
        self._parts: list[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_SPACING)
        self._row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._show_quotes()
        self.add(self.kinds)
        self.add(self.quotes)

    def add(self, widget: QWidget) -> None:
        """Add a filter on the right. If there is no room for all, the last ones are hidden first."""
        # A filter may hide itself too, so its holder is hidden if there is no room.
        holder = QWidget()
        make_row(widget, parent=holder)
        self._parts.append(holder)
        self._row.addWidget(holder)
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for all filters."""
        return QSize(sum(self._widths()), max(part.sizeHint().height() for part in self._parts))

    def minimumSizeHint(self) -> QSize:
        """No width: every filter is in a menu or in the settings too."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what fits."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """Fit the filters again when one of them changes its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return super().event(event)

    def _widths(self) -> list[int]:
        return [part.sizeHint().width() + _SPACING for part in self._parts]

    def _fit(self) -> None:
        used = 0
        for part, width in zip(self._parts, self._widths(), strict=True):
            used += width
            part.setVisible(used <= self.width())

    def _show_quotes(self) -> None:
        on = self._quotes.isChecked()
        text = tr("Quotations: marked") if on else tr("Quotations: exempt")
        self.quotes.setChecked(on)
        self.quotes.setText(text)
        self.quotes.setAccessibleName(text)
        self.quotes.setToolTip(self._quotes.toolTip())


def _button() -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setFocusPolicy(button.focusPolicy().TabFocus)
    return button
