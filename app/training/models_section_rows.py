"""The list of the models of one role: a row of two lines for each, the one in use first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyleOptionViewItem

from app.parts.labels import scaled
from app.parts.two_line_rows import TwoLineRows
from app.training.models_section_words import figures, origin, spoken, state
from core.shelf.model import Installed

_MODEL = Qt.ItemDataRole.UserRole
_MOST_ROWS = 5
_FRAME = 4


class ModelRows(QListWidget):
    """Models, one chosen. It is as high as its rows, up to five; more are scrolled."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setItemDelegate(_Rows(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def chosen(self) -> Installed | None:
        """The chosen model."""
        item = self.currentItem()
        return item.data(_MODEL) if item is not None else None

    def choose(self, model_id: str | None) -> None:
        """Choose the model of this id."""
        for row in range(self.count()):
            if self.item(row).data(_MODEL).id == model_id:
                self.setCurrentRow(row)

    def show_models(self, models: Sequence[Installed]) -> None:
        """Show these; what was chosen stays chosen, else the one in use is."""
        before = self.chosen
        self.blockSignals(True)
        self.clear()
        for model in sorted(models, key=lambda one: not one.active):
            item = QListWidgetItem(model.title)
            item.setData(_MODEL, model)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken(model))
            item.setToolTip("\n".join((origin(model), figures(model), str(model.folder))))
            self.addItem(item)
        self.setCurrentRow(0 if models else -1)
        if before is not None:
            self.choose(before.id)
        self.blockSignals(False)
        self.currentRowChanged.emit(self.currentRow())
        rows = min(_MOST_ROWS, max(1, self.count()))
        self.setFixedHeight(rows * self.sizeHintForRow(0) + _FRAME if self.count() else 0)


class _Rows(TwoLineRows):
    """Name and version with where it comes from, and whether it is in use; its main figures below."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row with the list's font and palette."""
        model: Installed = index.data(_MODEL)
        with self._row(painter, option) as row:
            bold, small = scaled(option.font, 1.0, bold=True), scaled(option.font, 0.92)
            plain, heavy = QFontMetricsF(option.font), QFontMetricsF(bold)
            text = option.palette.color(QPalette.ColorRole.Text)
            quiet = option.palette.color(QPalette.ColorRole.PlaceholderText)
            told = state(model)
            room = row.width() - (heavy.horizontalAdvance(told) + 12 if told else 0)
            base = row.top() + heavy.ascent()
            title = heavy.elidedText(model.title, Qt.TextElideMode.ElideRight, room)
            painter.setPen(text)
            painter.setFont(bold)
            painter.drawText(QPointF(row.left(), base), title)
            if told:
                painter.drawText(QPointF(row.right() - heavy.horizontalAdvance(told), base), told)
            left = row.left() + heavy.horizontalAdvance(title) + 10
            rest = room - heavy.horizontalAdvance(title) - 10
            painter.setPen(quiet)
            painter.setFont(option.font)
            painter.drawText(
                QPointF(left, base),
                plain.elidedText(origin(model), Qt.TextElideMode.ElideRight, max(0.0, rest)),
            )
            painter.setFont(small)
            lower = QFontMetricsF(small)
            painter.drawText(
                QPointF(row.left(), row.bottom() - lower.descent()),
                lower.elidedText(figures(model), Qt.TextElideMode.ElideRight, row.width()),
            )
