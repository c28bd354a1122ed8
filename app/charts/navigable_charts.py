"""Charts whose items can be reached and activated by keyboard and pointer, each with a text for screen readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from app.charts.base_charts import Chart
from app.widgets.plain_text import show_tooltip

_ACTIVATE_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_PAGE = 10


Item = TypeVar("Item")


class NavigableChart(Chart, Generic[Item]):
    """A chart of ``items``, numbered from 0. ``activated`` carries the number of one that was clicked or entered.

    Subclasses implement ``describe``, ``item_rect`` and ``summary``.
    """

    activated = Signal(int)
    previous_key, next_key = Qt.Key.Key_Left, Qt.Key.Key_Right

    def __init__(self, parent: QWidget | None = None) -> None:
        self.items: tuple[Item, ...] = ()
        self._current: int | None = None
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def count(self) -> int:
        """Number of items."""
        return len(self.items)

    def describe(self, number: int) -> str:
        """The text of an item."""
        raise NotImplementedError

    def item_rect(self, number: int, width: float) -> QRectF:
        """The rectangle of an item in a chart of this width."""
        raise NotImplementedError

    def summary(self) -> str:
        """The text of the whole chart."""
        raise NotImplementedError

    @property
    def current(self) -> int | None:
        """The item with the keyboard focus, or None."""
        return self._current

    def show_items(self, items: Iterable[Item], *, key: Callable[[Item], object]) -> None:
        """Draw other items. The keyboard focus stays on the item with the same key."""
        focused = None if self._current is None else key(self.items[self._current])
        self.items = tuple(items)
        same = (number for number, item in enumerate(self.items) if key(item) == focused)
        self.refresh(keep=None if focused is None else next(same, None))

    def refresh(self, *, keep: int | None) -> None:
        """The items changed; ``keep`` is the one that has the keyboard focus now."""
        self._current = keep if keep is not None and keep < self.count() else None
        self._describe()
        self.redraw()

    def item_at(self, point: QPointF) -> int | None:
        """The item at a point, or None."""
        width = float(self.width())
        return next((at for at in range(self.count()) if self.item_rect(at, width).contains(point)), None)

    def draw_focus_frame(self, width: float, height: float) -> None:
        """Draw a frame around the chart and the current item while the chart has the focus."""
        if self.for_export or not self.hasFocus():
            return
        accent = QPen(self.colour(QPalette.ColorRole.Accent), 2)
        nothing = QBrush(Qt.BrushStyle.NoBrush)
        self.add_bar(QRectF(1, 1, width - 2, height - 2), nothing, pen=accent)
        if self._current is not None:
            text = QPen(self.colour(QPalette.ColorRole.WindowText), 2)
            self.add_bar(self.item_rect(self._current, width).adjusted(1, 1, -1, -1), nothing, pen=text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the current item, or activate it."""
        last = self.count() - 1
        current = self._current
        targets = {
            self.previous_key: last if current is None else current - 1,
            self.next_key: 0 if current is None else current + 1,
            Qt.Key.Key_PageUp: (current or 0) - _PAGE,
            Qt.Key.Key_PageDown: (current or 0) + _PAGE,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if last >= 0 and key in targets:
            self._set_current(min(last, max(0, targets[key])))
        elif key in _ACTIVATE_KEYS and current is not None:
            self.activated.emit(current)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Activate the item under the pointer."""
        number = self.item_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        if number is not None:
            self._set_current(number)
            self.activated.emit(number)

    def event(self, event: QEvent) -> bool:
        """Show the text of the item under the pointer as a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.item_at(QPointF(event.pos()))
            show_tooltip(event.globalPos(), "" if number is None else self.describe(number), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus frame."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus frame."""
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Items may move."""
        super().resizeEvent(event)
        self.update()

    def _set_current(self, number: int) -> None:
        self._current = number
        self._describe()
        self.update()

    def _describe(self) -> None:
        item = "" if self._current is None else self.describe(self._current)
        self.setAccessibleDescription(" ".join(part for part in (item, self.summary()) if part))
