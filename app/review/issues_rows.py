"""The rows of the issues panel: a list that is walked by key, and a menu for each row."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QListView

from core.language import tr


class IssuesRows(QListView):
    """A list of rows of one height that knows which row is on top."""

    entered_by_key = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("issues")
        self.setAccessibleName(tr("Findings"))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter activates the row; the arrows are the list's own."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.entered_by_key.emit(self.currentIndex().row())
            event.accept()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of a row: that under the mouse, or by key that of the present one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.visualRect(index).center() if by_key else event.pos()
            self.menu_wanted.emit(index.row(), self.viewport().mapToGlobal(place))
            event.accept()

    def top_row(self) -> tuple[int, int]:
        """The first row in sight, and how many pixels of it are scrolled away."""
        return divmod(self.verticalScrollBar().value(), max(1, self.sizeHintForRow(0)))

    def set_top_row(self, row: int, shift: int) -> None:
        """Scroll so that ``row`` is the first in sight, ``shift`` pixels of it away."""
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(row * self.sizeHintForRow(0) + shift)
