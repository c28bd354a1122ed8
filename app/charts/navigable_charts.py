"""Charts whose parts can be gone to: by the arrow keys, Enter and the pointer, each part told in words."""

from __future__ import annotations

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
from PySide6.QtWidgets import QToolTip, QWidget

from app.charts.base_charts import Chart

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_PAGE = 10


class WalkChart(Chart):
    """A chart of parts, numbered from 0. ``chosen``: the number of the part that Enter or a click went to.

    Subclasses give ``count``, ``told``, ``box`` and ``summary``.
    """

    chosen = Signal(int)
    back, forward = Qt.Key.Key_Left, Qt.Key.Key_Right

    def __init__(self, parent: QWidget | None = None) -> None:
        self._current: int | None = None
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def count(self) -> int:
        """How many parts there are."""
        raise NotImplementedError

    def told(self, number: int) -> str:
        """A part in words."""
        raise NotImplementedError

    def box(self, number: int, width: float) -> QRectF:
        """Where a part takes the pointer, in a chart of that width."""
        raise NotImplementedError

    def summary(self) -> str:
        """The whole chart in words."""
        raise NotImplementedError

    @property
    def current(self) -> int | None:
        """The part that the keyboard is on."""
        return self._current

    def refresh(self, *, keep: int | None) -> None:
        """There are other parts: ``keep`` is the one that the keyboard is on now."""
        self._current = keep if keep is not None and keep < self.count() else None
        self._describe()
        self.redraw()

    def number_at(self, point: QPointF) -> int | None:
        """The part at a point."""
        width = float(self.width())
        return next((at for at in range(self.count()) if self.box(at, width).contains(point)), None)

    def draw_focus(self, width: float, height: float) -> None:
        """Frame the chart and the part that the keyboard is on."""
        if self.pictured or not self.hasFocus():
            return
        accent = QPen(self.colour(QPalette.ColorRole.Accent), 2)
        nothing = QBrush(Qt.BrushStyle.NoBrush)
        self.add_bar(QRectF(1, 1, width - 2, height - 2), nothing, pen=accent)
        if self._current is not None:
            text = QPen(self.colour(QPalette.ColorRole.WindowText), 2)
            self.add_bar(self.box(self._current, width).adjusted(1, 1, -1, -1), nothing, pen=text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk, and go to where the present part stands."""
        last = self.count() - 1
        here = self._current
        ways = {
            self.back: last if here is None else here - 1,
            self.forward: 0 if here is None else here + 1,
            Qt.Key.Key_PageUp: (here or 0) - _PAGE,
            Qt.Key.Key_PageDown: (here or 0) + _PAGE,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        key = Qt.Key(event.key())
        if last >= 0 and key in ways:
            self._go(min(last, max(0, ways[key])))
        elif key in _ENTER and here is not None:
            self.chosen.emit(here)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the part under the pointer."""
        number = self.number_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        if number is not None:
            self._go(number)
            self.chosen.emit(number)

    def event(self, event: QEvent) -> bool:
        """Tooltip: the part under the pointer in words."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number = self.number_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if number is None else self.told(number), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the frame."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the frame away."""
        super().focusOutEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A part may stand elsewhere."""
        super().resizeEvent(event)
        self.update()

    def _go(self, number: int) -> None:
        self._current = number
        self._describe()
        self.update()

    def _describe(self) -> None:
        present = "" if self._current is None else self.told(self._current)
        self.setAccessibleDescription(" ".join(part for part in (present, self.summary()) if part))
