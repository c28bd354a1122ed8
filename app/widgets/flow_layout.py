"""A layout that wraps widgets like words on lines, and a row of controls that uses it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget

# A layout that sets widgets side by side and goes on below where a line is full.


class FlowLayout(QLayout):
    """Lines of items from the leading edge on, each as large as it wants to be, never wider than the layout."""

    def __init__(self, *, spacing: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        """Take one more item."""
        self._items.append(item)

    def count(self) -> int:
        """How many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """An item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # type: ignore[override]
        """Give an item away, or None."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It asks for no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines."""
        return self._set(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """All on one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + self.spacing() * max(0, len(sizes) - 1)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """No width of its own: what is too wide is cut."""
        return QSize(0, self.sizeHint().height())

    def setGeometry(self, box: QRect) -> None:
        """Set the items into ``box``."""
        super().setGeometry(box)
        self._set(box, move=True)

    def _set(self, box: QRect, *, move: bool) -> int:
        """Go through the lines; returns how high they are."""
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = y = high = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(1, box.width()), item.sizeHint().height()))
            if x and x + size.width() > box.width():
                x, y, high = 0, y + high + self.spacing(), 0
            if move:
                left = box.width() - x - size.width() if mirrored else x
                item.setGeometry(QRect(box.topLeft() + QPoint(left, y), size))
            x += size.width() + self.spacing()
            high = max(high, size.height())
        return y + high


# Controls side by side, on as many lines as the width asks for.


class FlowRow(QWidget):
    """As high as its lines, also where what it stands in asks for no height by width (a splitter, a scroll area)."""

    def __init__(self, *, spacing: int = 6) -> None:
        super().__init__()
        self._row = FlowLayout(spacing=spacing)
        self.setLayout(self._row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def add(self, widgets: Sequence[QWidget]) -> None:
        """Put these behind those that are there."""
        for widget in widgets:
            self._row.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The narrower, the higher."""
        super().resizeEvent(event)
        self.setFixedHeight(self._row.heightForWidth(self.width()))
