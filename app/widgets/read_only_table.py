"""A read-only table: every cell is reachable by keyboard, and rows can be copied."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from app.widgets.labels import to_single_line
from app.widgets.plain_text import plain_text

_MAX_ROWS = 14
_PAD = 8
_MAX_CHARACTERS = 34  # of any column but the last


class ReadOnlyTable(QTableWidget):
    """As high as its rows, up to a maximum; further rows scroll."""

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
        """Replace the rows; the columns in ``right`` are aligned to the right."""
        self.clear()
        self.setRowCount(len(rows))
        self.setColumnCount(len(head))
        self.setHorizontalHeaderLabels([to_single_line(name) for name in head])
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                self.setItem(at, column, _make_item(text, head[column], right=column in right))
        for column in range(len(head)):
            header = self.horizontalHeaderItem(column)
            if header is not None:
                header.setTextAlignment(cell_alignment(right=column in right))
                header.setToolTip(plain_text(header.text()))
        self.horizontalHeader().setStretchLastSection(len(head) - 1 not in right)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Fit the column widths to the content, and the row height to the font."""
        self.resizeColumnsToContents()
        most = _MAX_CHARACTERS * self.fontMetrics().averageCharWidth()
        for column in range(self.columnCount()):
            self.setColumnWidth(column, min(self.columnWidth(column) + _PAD, most))
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _PAD)
        self.setFixedHeight(self._wanted_height())

    def sizeHint(self) -> QSize:
        """The size of all columns and rows."""
        return QSize(self._width() + 2 * self.frameWidth(), self._wanted_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reserve room for the scroll bar if it is needed."""
        super().resizeEvent(event)
        self.setFixedHeight(self._wanted_height())

    def minimumSizeHint(self) -> QSize:
        """A small minimum width: it scrolls horizontally."""
        return QSize(80, super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy puts the selected cells on the clipboard."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        else:
            super().keyPressEvent(event)

    def selected_text(self) -> str:
        """The selected cells as lines separated by tabs."""
        rows: dict[int, list[str]] = {}
        for index in sorted(self.selectedIndexes(), key=lambda index: (index.row(), index.column())):
            rows.setdefault(index.row(), []).append(str(index.data()))
        return "\n".join("\t".join(cells) for cells in rows.values())

    def texts(self) -> list[list[str]]:
        """The texts of all cells, row by row."""
        return [
            [item.text() if (item := self.item(row, column)) else "" for column in range(self.columnCount())]
            for row in range(self.rowCount())
        ]

    def _width(self) -> int:
        return sum(self.columnWidth(column) for column in range(self.columnCount()))

    def _wanted_height(self) -> int:
        rows = min(max(1, self.rowCount()), _MAX_ROWS) * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height() if self._width() > self.width() else 0
        return self.horizontalHeader().sizeHint().height() + rows + bar + 2 * self.frameWidth()


def _make_item(text: str, column: str, *, right: bool) -> QTableWidgetItem:
    shown = to_single_line(text)
    item = QTableWidgetItem(shown)
    item.setTextAlignment(cell_alignment(right=right))
    item.setToolTip(plain_text(shown))
    if shown:
        item.setData(
            Qt.ItemDataRole.AccessibleTextRole, f"{to_single_line(column)}: {shown}" if column else shown
        )
    return item


def cell_alignment(*, right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
