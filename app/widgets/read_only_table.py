"""A table to read: no cell can be changed, every cell can be reached by keyboard, and the rows can be copied."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from app.widgets.labels import showable

_MOST_ROWS = 14
_PAD = 8
_WIDEST = 34  # characters of a column that is not the last


class PlainTable(QTableWidget):
    """As high as its rows, up to a height from which it scrolls."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def show_rows(
        self, head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = ()
    ) -> None:
        """Show these rows in the place of those before; the columns in ``right`` hold figures."""
        self.clear()
        self.setRowCount(len(rows))
        self.setColumnCount(len(head))
        self.setHorizontalHeaderLabels([showable(name) for name in head])
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                self.setItem(at, column, _item(text, head[column], right=column in right))
        for column in range(len(head)):
            named = self.horizontalHeaderItem(column)
            named.setTextAlignment(_side(right=column in right))
            named.setToolTip(named.text())
        self.horizontalHeader().setStretchLastSection(len(head) - 1 not in right)
        self.fit()

    def fit(self) -> None:
        """Columns as wide as what they hold, rows as high as the font."""
        self.resizeColumnsToContents()
        most = _WIDEST * self.fontMetrics().averageCharWidth()
        for column in range(self.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column) + _PAD, most))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _PAD)
        self.setFixedHeight(self._wanted_height())

    def sizeHint(self) -> QSize:
        """All columns and rows."""
        return QSize(self._width() + 2 * self.frameWidth(), self._wanted_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave room for the scroll bar where there is one."""
        super().resizeEvent(event)
        self.setFixedHeight(self._wanted_height())

    def minimumSizeHint(self) -> QSize:
        """It scrolls sideways where there is little width."""
        return QSize(80, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy puts the chosen rows on the clipboard."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.chosen_text())
        else:
            super().keyPressEvent(event)

    def chosen_text(self) -> str:
        """The chosen cells as lines with tabs between."""
        rows: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes(), key=lambda index: (index.row(), index.column())):
            rows.setdefault(index.row(), []).append(str(index.data()))
        return "\n".join("\t".join(cells) for cells in rows.values())

    def texts(self) -> list[list[str]]:
        """What is shown, row by row."""
        return [
            [item.text() if (item := self.item(row, column)) else "" for column in range(self.columnCount())]
            for row in range(self.rowCount())
        ]

    def _width(self) -> int:
        return sum(self.columnWidth(column) for column in range(self.columnCount()))

    def _wanted_height(self) -> int:
        rows = min(max(1, self.rowCount()), _MOST_ROWS) * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height() if self._width() > self.width() else 0
        return self.horizontalHeader().sizeHint().height() + rows + bar + 2 * self.frameWidth()


def _item(text: str, column: str, *, right: bool) -> QTableWidgetItem:
    shown = showable(text)
    made = QTableWidgetItem(shown)
    made.setTextAlignment(_side(right=right))
    made.setToolTip(shown)
    if shown:
        made.setData(Qt.ItemDataRole.AccessibleTextRole, f"{showable(column)}: {shown}" if column else shown)
    return made


def _side(*, right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
