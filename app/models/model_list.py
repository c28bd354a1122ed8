"""The list of installed models of one role, two lines a row: origin, date, main metrics, the active one first."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QDate, QLocale, QModelIndex, QPersistentModelIndex, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyleOptionViewItem

from app.widgets.labels import scaled_font
from app.widgets.list_rows import TwoLineDelegate
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.models.types import InstalledModel

ROLES = {
    "reader": (tr("Reader"), tr("Finds biased wording")),
    "rewriter": (tr("Rewriter"), tr("Suggests neutral words")),
}
"""Title and description of each role, in display order."""

_ORIGINS = {
    "bundled": tr("came with Evenhand"),
    "run": tr("trained here"),
    "import": tr("imported"),
}


def status_text(model: InstalledModel) -> str:
    """Whether the model is in use or damaged; empty for others."""
    if model.problem:
        return tr("in use, but damaged") if model.active else tr("damaged")
    return tr("in use") if model.active else ""


def origin_text(model: InstalledModel) -> str:
    """Origin, date, and the first digits of the run."""
    parts = [_ORIGINS[model.source]]
    if model.added_at is not None:
        day = model.added_at.astimezone().date()
        parts.append(QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.ShortFormat))
    if model.run:
        parts.append(tr("run {id}").format(id=model.run[:8]))
    return " · ".join(parts)


def metrics_text(model: InstalledModel) -> str:
    """The main metrics of the model with their names, or its problem."""
    if model.problem:
        return model.problem
    text = " · ".join(
        f"{metric.name} {QLocale().toString(metric.value, 'f', 3)}" for metric in model.main_metrics
    )
    return text or tr("no metrics known")


def accessible_text(model: InstalledModel) -> str:
    """The text of a model for screen readers."""
    return ", ".join(
        part for part in (model.title, status_text(model), origin_text(model), metrics_text(model)) if part
    )


_MODEL_ROLE = Qt.ItemDataRole.UserRole
_MAX_ROWS = 5
_FRAME = 4


class ModelListWidget(QListWidget):
    """A list of models, one selected. It shows up to five rows; more scroll."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setItemDelegate(_ModelDelegate(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def selected_model(self) -> InstalledModel | None:
        """The selected model."""
        item = self.currentItem()
        model: InstalledModel | None = item.data(_MODEL_ROLE) if item is not None else None
        return model

    def select(self, model_id: str | None) -> None:
        """Select the model with this id."""
        for row in range(self.count()):
            if self.item(row).data(_MODEL_ROLE).id == model_id:
                self.setCurrentRow(row)

    def show_models(self, models: Sequence[InstalledModel]) -> None:
        """Show these models; the selection stays, else the active one is selected."""
        previous = self.selected_model
        self.blockSignals(True)
        self.clear()
        for model in sorted(models, key=lambda metric: not metric.active):
            item = QListWidgetItem(model.title)
            item.setData(_MODEL_ROLE, model)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, accessible_text(model))
            item.setToolTip(
                plain_text("\n".join((origin_text(model), metrics_text(model), str(model.folder))))
            )
            self.addItem(item)
        self.setCurrentRow(0 if models else -1)
        if previous is not None:
            self.select(previous.id)
        self.blockSignals(False)
        self.currentRowChanged.emit(self.currentRow())
        rows = min(_MAX_ROWS, max(1, self.count()))
        self.setFixedHeight(rows * self.sizeHintForRow(0) + _FRAME if self.count() else 0)


class _ModelDelegate(TwoLineDelegate):
    """Paints title, origin and status; below, the main metrics."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row with the list's font and palette."""
        model: InstalledModel = index.data(_MODEL_ROLE)
        with self.row_painting(painter, option) as row:
            bold, small = scaled_font(option.font, 1.0, bold=True), scaled_font(option.font, 0.92)
            metrics, bold_metrics = QFontMetricsF(option.font), QFontMetricsF(bold)
            text = option.palette.color(QPalette.ColorRole.Text)
            muted = option.palette.color(QPalette.ColorRole.PlaceholderText)
            status = status_text(model)
            available = row.width() - (bold_metrics.horizontalAdvance(status) + 12 if status else 0)
            baseline = row.top() + bold_metrics.ascent()
            title = bold_metrics.elidedText(model.title, Qt.TextElideMode.ElideRight, available)
            painter.setPen(text)
            painter.setFont(bold)
            painter.drawText(QPointF(row.left(), baseline), title)
            if status:
                painter.drawText(
                    QPointF(row.right() - bold_metrics.horizontalAdvance(status), baseline), status
                )
            left = row.left() + bold_metrics.horizontalAdvance(title) + 10
            remaining = available - bold_metrics.horizontalAdvance(title) - 10
            painter.setPen(muted)
            painter.setFont(option.font)
            painter.drawText(
                QPointF(left, baseline),
                metrics.elidedText(origin_text(model), Qt.TextElideMode.ElideRight, max(0.0, remaining)),
            )
            painter.setFont(small)
            small_metrics = QFontMetricsF(small)
            painter.drawText(
                QPointF(row.left(), row.bottom() - small_metrics.descent()),
                small_metrics.elidedText(metrics_text(model), Qt.TextElideMode.ElideRight, row.width()),
            )
