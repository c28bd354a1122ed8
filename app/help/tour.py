"""A tour of five bubbles beside the parts of the window that they describe. It changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel
from core.i18n import tr

_MAX_WIDTH = 320
_GAP = 10


@dataclass(frozen=True, slots=True)
class TourStep:
    """One bubble: title, text and the widget that it points to; stops with a hidden widget are skipped."""

    title: str
    text: str
    target: Callable[[], QWidget | None]


class Tour(QObject):
    """Steps through the stops. ``ended`` is emitted however the tour ends."""

    ended = Signal()

    def __init__(self, window: QWidget, stops: Callable[[], Sequence[TourStep]]) -> None:
        super().__init__(window)
        self._window = window
        self._make_stops = stops
        self._stops: Sequence[TourStep] = ()
        self._index = 0
        self._bubble: Bubble | None = None
        window.installEventFilter(self)

    @property
    def bubble(self) -> Bubble | None:
        """The visible bubble, or None."""
        return self._bubble

    def start(self) -> None:
        """Show the first stop, also if the tour is already running."""
        self._stops = [stop for stop in self._make_stops() if _is_visible(stop.target())]
        self._index = 0
        if self._stops:
            self._show()

    def next(self) -> None:
        """Go to the next stop, or end after the last."""
        if self._index + 1 < len(self._stops):
            self._index += 1
            self._show()
        else:
            self.end()

    def back(self) -> None:
        """Go to the previous stop."""
        if self._index:
            self._index -= 1
            self._show()

    def end(self) -> None:
        """End the tour."""
        if self._bubble is not None:
            self._bubble.hide()
            self._bubble.deleteLater()
            self._bubble = None
            self.ended.emit()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Move the bubble when the window is resized."""
        if event.type() == QEvent.Type.Resize and self._bubble is not None:
            self._move_bubble()
        return False

    def _show(self) -> None:
        if self._bubble is None:
            self._bubble = Bubble(self._window)
            self._bubble.next.clicked.connect(self.next)
            self._bubble.back.clicked.connect(self.back)
            self._bubble.end_requested.connect(self.end)
        self._bubble.show_step(self._stops[self._index], number=self._index + 1, total=len(self._stops))
        self._move_bubble()
        self._bubble.show()
        self._bubble.raise_()
        self._bubble.next.setFocus(Qt.FocusReason.OtherFocusReason)

    def _move_bubble(self) -> None:
        target = self._stops[self._index].target()
        if self._bubble is None or target is None:
            return
        size = self._bubble.size_for(self._window.width())
        target_rect = QRect(target.mapTo(self._window, QPoint()), target.size())
        self._bubble.setGeometry(QRect(_bubble_position(target_rect, size, self._window.rect()), size.size()))


class Bubble(QFrame):
    """The bubble of a stop with its buttons. ``end_requested``: a button or Escape was pressed."""

    end_requested = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("tour_bubble")
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setStyleSheet(
            "#tour_bubble { background: palette(base); border: 2px solid palette(highlight); border-radius: 6px; }"
        )
        self._title = PlainLabel()
        self._title.setFont(scaled_font(self.font(), 1.1, bold=True))
        self._text = WrapLabel()
        self._position_label = PlainLabel()
        self.next = QPushButton()
        self.back = QPushButton(tr("&Back"))
        self._end_button = QPushButton(tr("&End tour"))
        self._end_button.clicked.connect(self.end_requested)
        self.next.setDefault(True)
        row = make_row((self._position_label, 1), self._end_button, self.back, self.next)
        self._layout = make_column(
            self._title, self._text, row, parent=self, spacing=8, margins=(14, 12, 14, 10)
        )

    @property
    def text(self) -> str:
        """The text of the bubble."""
        return self._text.accessibleName()

    def show_step(self, stop: TourStep, *, number: int, total: int) -> None:
        """Show a stop."""
        self._title.setText(stop.title)
        self._text.setText(stop.text)
        self._position_label.setText(tr("{number} of {all}").format(number=number, all=total))
        self.next.setText(tr("&Done") if number == total else tr("&Next"))
        self.back.setEnabled(number > 1)
        self.setAccessibleName(stop.title)
        self.setAccessibleDescription(stop.text)
        self.next.setAccessibleDescription(f"{stop.title}. {stop.text}")

    def size_for(self, available: int) -> QRect:
        """The size that the text needs, at most the width of the window."""
        width = max(min(_MAX_WIDTH, available - 2 * _GAP), self.minimumSizeHint().width())
        height = self._layout.totalHeightForWidth(width)
        return QRect(0, 0, width, max(height, self.minimumSizeHint().height()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the tour."""
        if event.key() == Qt.Key.Key_Escape:
            self.end_requested.emit()
        else:
            super().keyPressEvent(event)


def _is_visible(widget: QWidget | None) -> bool:
    return widget is not None and widget.isVisible()


def _bubble_position(target_rect: QRect, size: QRect, available: QRect) -> QPoint:
    """The position of a bubble of ``size``: beside the target if possible, else inside it; always in the window."""
    width, height = size.width(), size.height()
    middle = target_rect.center().y() - height // 2
    candidates = (
        QPoint(target_rect.right() + _GAP, middle),
        QPoint(target_rect.left() - _GAP - width, middle),
        QPoint(target_rect.left(), target_rect.bottom() + _GAP),
        QPoint(target_rect.left(), target_rect.top() - _GAP - height),
    )
    inner = available.adjusted(_GAP, _GAP, -_GAP, -_GAP)
    for spot in candidates:
        x = spot.x()
        y = max(inner.top(), min(spot.y(), inner.bottom() - height))
        if (
            inner.left() <= x
            and x + width <= inner.right()
            and not QRect(x, y, width, height).intersects(target_rect)
        ):
            return QPoint(x, y)
    fallback = QPoint(target_rect.right() - width - _GAP, target_rect.bottom() - height - _GAP)
    return QPoint(
        max(inner.left(), min(fallback.x(), inner.right() - width)),
        max(inner.top(), min(fallback.y(), inner.bottom() - height)),
    )
