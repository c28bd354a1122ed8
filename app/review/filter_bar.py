"""The filters on the right of the toolbar: kinds, quotations, and the sensitivity slider."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSlider,
    QToolButton,
    QWidget,
    QWidgetAction,
)

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
        self.setFocusProxy(self.slider)
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


class _Filter:
    """A control of the bar: ``widget`` in ``holder``, or ``entry`` in the menu where the bar has no room for it.

    A widget without an entry of its own moves into the menu itself.
    """

    def __init__(self, widget: QWidget, entry: QAction | None) -> None:
        self.widget = widget
        self.holder = QWidget()
        make_row(widget, parent=self.holder)
        self._in_menu: QWidget | None = None
        if entry is None:
            self._in_menu = QWidget()
            self._in_menu.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self._in_menu.setFocusProxy(widget)
            make_row(parent=self._in_menu, margins=(12, 4, 12, 4))
            entry = QWidgetAction(self.holder)
            entry.setDefaultWidget(self._in_menu)
        self.entry = entry

    @property
    def is_hidden(self) -> bool:
        """Whether the filter has hidden itself."""
        return self.widget.isHidden()

    @property
    def width(self) -> int:
        """The width that it needs in the bar, with the space beside it."""
        return 0 if self.is_hidden else self.widget.sizeHint().width() + _SPACING

    def place(self, *, in_bar: bool) -> None:
        """Show it in the bar, or leave it to the menu."""
        self.holder.setVisible(in_bar)
        place = self.holder if in_bar or self._in_menu is None else self._in_menu
        layout = place.layout()
        if self.widget.parentWidget() is not place and layout is not None:
            hidden = self.is_hidden
            layout.addWidget(self.widget)
            self.widget.setVisible(not hidden)


class FilterBar(QWidget):
    """A button with the menu of kinds, a switch for quotations, and further filters (``add``).

    What has no room is in the menu of a button at the end. The switch mirrors ``quotes``, the action of the menu.
    """

    def __init__(self, kinds: QMenu, quotes: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What is marked"))
        self.kinds = _menu_button(kinds)
        self.kinds.setText(tr("Kinds ▾"))
        self.kinds.setAccessibleName(tr("Kinds of bias that are marked"))
        self.kinds.setToolTip(tr("Which kinds of bias are marked"))
        self.quotes = _button()
        self.quotes.setCheckable(True)
        self.quotes.clicked.connect(quotes.trigger)
        self._quotes = quotes
        quotes.toggled.connect(self._show_quotes)
        quotes.changed.connect(self._show_quotes)
        self.more = _menu_button(QMenu(self))
        self.more.setText("»")
        self.more.setAccessibleName(tr("More controls"))
        self.more.setToolTip(tr("More controls"))
        self.more.hide()
        self._filters: list[_Filter] = []
        self._row = QHBoxLayout(self)
        self._row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_SPACING)
        self._row.addStretch(1)
        self._row.addWidget(self.more)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._show_quotes()
        self.add(self.kinds, kinds.menuAction())
        self.add(self.quotes, quotes)

    def add(self, widget: QWidget, entry: QAction | None = None) -> None:
        """Add a filter on the right. If there is no room for all, the last ones go into the menu first.

        ``entry`` stands for the filter there; without one the widget itself moves.
        """
        one = _Filter(widget, entry)
        self._filters.append(one)
        self._row.insertWidget(self._row.count() - 1, one.holder)
        widget.installEventFilter(self)
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for all filters."""
        heights = [one.widget.sizeHint().height() for one in self._filters]
        return QSize(sum(one.width for one in self._filters), max(heights))

    def minimumSizeHint(self) -> QSize:
        """Room for the button of the menu."""
        return QSize(self._more_width(), self.sizeHint().height())

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

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Fit the filters again when one of them hides or shows itself, in the menu too."""
        if event.type() in (QEvent.Type.HideToParent, QEvent.Type.ShowToParent):
            self.updateGeometry()
            self._fit()
        return False

    def _more_width(self) -> int:
        return self.more.sizeHint().width() + _SPACING

    def _fit(self) -> None:
        filters = [one for one in self._filters if not one.is_hidden]
        room = self.width()
        if sum(one.width for one in filters) > room:
            room -= self._more_width()
        left = []
        for one in filters:
            room -= one.width
            one.place(in_bar=room >= 0)
            left += [one.entry] if room < 0 else []
        menu = self.more.menu()
        if left != menu.actions():
            menu.clear()
            menu.addActions(left)
        self.more.setVisible(bool(left))

    def _show_quotes(self) -> None:
        on = self._quotes.isChecked()
        text = tr("Quotations: marked") if on else tr("Quotations: exempt")
        self.quotes.setChecked(on)
        self.quotes.setText(text)
        self.quotes.setAccessibleName(text)
        self.quotes.setToolTip(self._quotes.toolTip())


def _menu_button(menu: QMenu) -> QToolButton:
    button = _button()
    button.setProperty("popup", "true")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(menu)
    return button


def _button() -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setFocusPolicy(button.focusPolicy().TabFocus)
    return button
