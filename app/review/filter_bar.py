"""What is marked at all, at the right of the toolbar: kinds, quotations, and the sensitivity slider."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QSlider, QToolButton, QToolTip, QWidget

from app.widgets.labels import percent
from core.bundles.reader import Curve, Stop, in_ten
from core.i18n import tr

# The slider of sensitivity: how much is marked, and in words what share of the marks to expect to be right.


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


# What is marked at all, in view at the right of the toolbar: kinds, quotations, and how sure a mark must be.


_SPACE = 4


class FilterBar(QWidget):
    """A button with the menu of kinds, a switch for quotations, and room for more (``add``).

    The switch and ``quotes``, the command of the menu, are one: either moves the other.
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
        self._row.setSpacing(_SPACE)
        self._row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._show_quotes()
        self.add(self.kinds)
        self.add(self.quotes)

    def add(self, widget: QWidget) -> None:
        """Put another filter at the right end. Where there is no room for all, the last ones are hidden first."""
        # A filter may hide itself too: what hides it for want of room is what holds it.
        holder = QWidget()
        inside = QHBoxLayout(holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(widget)
        self._parts.append(holder)
        self._row.addWidget(holder)
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for all parts."""
        return QSize(sum(self._widths()), max(part.sizeHint().height() for part in self._parts))

    def minimumSizeHint(self) -> QSize:
        """None: every filter is in a menu or in the settings too."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what fits."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """A filter that wants more or less room than before may need another to go."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return super().event(event)

    def _widths(self) -> list[int]:
        return [part.sizeHint().width() + _SPACE for part in self._parts]

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
