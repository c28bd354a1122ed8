"""The list of installed models of one role, two lines a row: origin, date, main metrics, the active one first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QModelIndex, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyleOptionViewItem

from app.widgets.labels import scaled
from app.widgets.list_rows import TwoLineRows
from core.i18n import tr
from core.models.types import Installed

# What is said of a model in a line: in use or not, where from, when, and its main figures.


ROLES = {
    "reader": (tr("Reader"), tr("Finds wording that is not neutral")),
    "rewriter": (tr("Rewriter"), tr("Offers other wordings")),
}
"""The roles in the order in which they are shown: what a model of each is called, and what it does."""

_FROM = {
    "bundled": tr("came with Evenhand"),
    "run": tr("trained here"),
    "import": tr("imported"),
}


def state(model: Installed) -> str:
    """Whether it is in use, or why it cannot be; empty for any other."""
    if model.problem:
        return tr("in use, but damaged") if model.active else tr("damaged")
    return tr("in use") if model.active else ""


def origin(model: Installed) -> str:
    """Where it comes from, when, and the first digits of its run."""
    parts = [_FROM[model.source]]
    if model.added_at is not None:
        day = model.added_at.astimezone().date()
        parts.append(QLocale().toString(day, QLocale.FormatType.ShortFormat))
    if model.run:
        parts.append(tr("run {id}").format(id=model.run[:8]))
    return " · ".join(parts)


def figures(model: Installed) -> str:
    """The main figures of its card, each with its name, or the problem."""
    if model.problem:
        return model.problem
    said = " · ".join(f"{one.name} {QLocale().toString(one.value, 'f', 3)}" for one in model.figures)
    return said or tr("no figures in its card")


def spoken(model: Installed) -> str:
    """All of it for a screen reader."""
    return ", ".join(part for part in (model.title, state(model), origin(model), figures(model)) if part)


# The list of the models of one role: a row of two lines for each, the one in use first.


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
