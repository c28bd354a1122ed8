"""A short first tour: five bubbles beside what they speak of, on a draft that is open; it changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.widgets.labels import WrapLabel, scaled
from core.i18n import tr

_WIDTH = 320
_GAP = 10


@dataclass(frozen=True, slots=True)
class Stop:
    """One bubble: its words, and the widget that it stands beside; a hidden widget is skipped."""

    title: str
    text: str
    beside: Callable[[], QWidget | None]


class Tour(QObject):
    """Walks the stops. ``ended`` when it is over, however it ended."""

    ended = Signal()

    def __init__(self, window: QWidget, stops: Callable[[], Sequence[Stop]]) -> None:
        super().__init__(window)
        self._window = window
        self._make = stops
        self._stops: Sequence[Stop] = ()
        self._at = 0
        self._bubble: Bubble | None = None
        window.installEventFilter(self)

    @property
    def bubble(self) -> Bubble | None:
        """The bubble that is shown, or None."""
        return self._bubble

    def start(self) -> None:
        """Begin at the first stop; once more if it is under way."""
        self._stops = [stop for stop in self._make() if _shown(stop.beside())]
        self._at = 0
        if self._stops:
            self._show()

    def next(self) -> None:
        """Go on; after the last stop the tour is over."""
        if self._at + 1 < len(self._stops):
            self._at += 1
            self._show()
        else:
            self.end()

    def back(self) -> None:
        """Go back one stop."""
        if self._at:
            self._at -= 1
            self._show()

    def end(self) -> None:
        """Leave the tour."""
        if self._bubble is not None:
            self._bubble.hide()
            self._bubble.deleteLater()
            self._bubble = None
            self.ended.emit()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Stay beside the widget when the window changes its size."""
        if event.type() == QEvent.Type.Resize and self._bubble is not None:
            self._place()
        return False

    def _show(self) -> None:
        if self._bubble is None:
            self._bubble = Bubble(self._window)
            self._bubble.next.clicked.connect(self.next)
            self._bubble.back.clicked.connect(self.back)
            self._bubble.left.connect(self.end)
        self._bubble.say(self._stops[self._at], number=self._at + 1, of=len(self._stops))
        self._place()
        self._bubble.show()
        self._bubble.raise_()
        self._bubble.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place(self) -> None:
        beside = self._stops[self._at].beside()
        if self._bubble is None or beside is None:
            return
        size = self._bubble.fitting(self._window.width())
        area = QRect(beside.mapTo(self._window, QPoint()), beside.size())
        self._bubble.setGeometry(QRect(_spot(area, size, self._window.rect()), size.size()))


class Bubble(QFrame):
    """One stop's words and the ways on. ``left``: the person has had enough."""

    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tour_bubble")
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setStyleSheet(
            "#tour_bubble { background: palette(base); border: 2px solid palette(highlight); border-radius: 6px; }"
        )
        self._title = QLabel()
        self._title.setFont(scaled(self.font(), 1.1, bold=True))
        self._text = WrapLabel()
        self._place = QLabel()
        self.next = QPushButton()
        self.back = QPushButton(tr("&Back"))
        self._leave = QPushButton(tr("&End tour"))
        self._leave.clicked.connect(self.left)
        self.next.setDefault(True)
        row = QHBoxLayout()
        row.addWidget(self._place, 1)
        for button in (self._leave, self.back, self.next):
            row.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 10)
        column.setSpacing(8)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addLayout(row)

    @property
    def text(self) -> str:
        """What the bubble says."""
        return self._text.accessibleName()

    def say(self, stop: Stop, *, number: int, of: int) -> None:
        """Show a stop."""
        self._title.setText(stop.title)
        self._text.setText(stop.text)
        self._place.setText(tr("{number} of {all}").format(number=number, all=of))
        self.next.setText(tr("&Done") if number == of else tr("&Next"))
        self.back.setEnabled(number > 1)
        self.setAccessibleName(stop.title)
        self.setAccessibleDescription(stop.text)
        self.next.setAccessibleDescription(f"{stop.title}. {stop.text}")

    def fitting(self, room: int) -> QRect:
        """As much room as the words need, never wider than the window."""
        width = max(min(_WIDTH, room - 2 * _GAP), self.minimumSizeHint().width())
        height = self.layout().totalHeightForWidth(width)
        return QRect(0, 0, width, max(height, self.minimumSizeHint().height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves the tour."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


def _shown(widget: QWidget | None) -> bool:
    return widget is not None and widget.isVisible()


def _spot(area: QRect, size: QRect, room: QRect) -> QPoint:
    """Where a bubble of ``size`` goes: beside ``area`` if there is room, else within it; always inside ``room``."""
    width, height = size.width(), size.height()
    middle = area.center().y() - height // 2
    choices = (
        QPoint(area.right() + _GAP, middle),
        QPoint(area.left() - _GAP - width, middle),
        QPoint(area.left(), area.bottom() + _GAP),
        QPoint(area.left(), area.top() - _GAP - height),
    )
    inner = room.adjusted(_GAP, _GAP, -_GAP, -_GAP)
    for spot in choices:
        x = spot.x()
        y = max(inner.top(), min(spot.y(), inner.bottom() - height))
        if (
            inner.left() <= x
            and x + width <= inner.right()
            and not QRect(x, y, width, height).intersects(area)
        ):
            return QPoint(x, y)
    inside = QPoint(area.right() - width - _GAP, area.bottom() - height - _GAP)
    return QPoint(
        max(inner.left(), min(inside.x(), inner.right() - width)),
        max(inner.top(), min(inside.y(), inner.bottom() - height)),
    )
