"""A layout that wraps widgets like words on lines, and a row of controls that uses it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget


class FlowLayout(QLayout):
    """Items in rows from the leading edge, each at its preferred size, wrapped at the width of the layout."""

    def __init__(self, *, spacing: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    def addItem(self, item: QLayoutItem) -> None:
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at an index, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove and return the item at an index, or None."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """It does not expand."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all rows at this width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """All items in one row."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + self.spacing() * max(0, len(sizes) - 1)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSize(self) -> QSize:
        """No minimum width: wider items are cut off."""
        return QSize(0, self.sizeHint().height())

    def setGeometry(self, box: QRect) -> None:
        """Place the items in ``box``."""
        super().setGeometry(box)
        self._arrange(box, move=True)

    def _arrange(self, box: QRect, *, move: bool) -> int:
        """Place the items (only if ``move``) and return the height of all rows."""
        parent = self.parentWidget()
        mirrored = parent is not None and parent.layoutDirection() == Qt.LayoutDirection.RightToLeft
        x = y = line_height = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(max(1, box.width()), item.sizeHint().height()))
            if x and x + size.width() > box.width():
                x, y, line_height = 0, y + line_height + self.spacing(), 0
            if move:
                left = box.width() - x - size.width() if mirrored else x
                item.setGeometry(QRect(box.topLeft() + QPoint(left, y), size))
            x += size.width() + self.spacing()
            line_height = max(line_height, size.height())
        return y + line_height


def remove_widgets(layout: QLayout, *, start: int = 0) -> None:
    """Remove the widgets from index ``start`` on from a layout, and delete them."""
    while (item := layout.takeAt(start)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class FlowRow(QWidget):
    """A row of controls that wraps, with the right height even inside a splitter or a scroll area."""

    def __init__(self, *widgets: QWidget, spacing: int = 6) -> None:
        super().__init__()
        self._row = FlowLayout(spacing=spacing)
        self.setLayout(self._row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for widget in widgets:
            self._row.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the width."""
        super().resizeEvent(event)
        self.setFixedHeight(self._row.heightForWidth(self.width()))
