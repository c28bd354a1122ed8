"""The list of the models that are asked: named one by one, and taken out again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.parts.labels import showable
from app.training.retrain_fields import Place, button
from core.language import tr

_ROWS = 4
_ITSELF = Qt.ItemDataRole.UserRole
"""Under it an item keeps the model as it was named."""


class ModelsList(QWidget):
    """A line for a name or a folder over those that were added. What stands in the line counts as well.

    ``changed``: other models are chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.line = Place(tr("Model"))
        self.list = _Names()
        self.buttons = {
            "add": button(tr("Add"), self._add, tip=tr("Puts the model on the list, for another beside it")),
            "remove": button(tr("Remove"), self._remove, tip=tr("Takes the chosen model off the list")),
        }
        self.setFocusProxy(self.line)
        row = QHBoxLayout()
        row.addWidget(self.line, 1)
        row.addWidget(self.buttons["add"])
        below = QHBoxLayout()
        below.addWidget(self.list, 1)
        below.addWidget(self.buttons["remove"], 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addLayout(below)
        self.line.changed.connect(self._changed)
        self.line.box.lineEdit().returnPressed.connect(self._add)
        self.list.currentRowChanged.connect(lambda _: self._offer())
        self.list.removed.connect(self._remove)
        self._offer()

    @property
    def chosen(self) -> tuple[str, ...]:
        """All models, in the order in which they were named."""
        listed = [str(self.list.item(at).data(_ITSELF)) for at in range(self.list.count())]
        return tuple(dict.fromkeys([*listed, *filter(None, [self.line.text])]))

    def offer(self, texts: Sequence[str]) -> None:
        """Offer these in the line, and choose none."""
        self.line.offer(texts, chosen="")

    def add(self, model: str) -> None:
        """Put a model on the list, unless it is there."""
        if model in [str(self.list.item(at).data(_ITSELF)) for at in range(self.list.count())]:
            return
        item = QListWidgetItem(showable(model))
        item.setData(_ITSELF, model)
        item.setToolTip(showable(model))
        self.list.addItem(item)
        self.list.setCurrentItem(item)
        self._changed()

    def _add(self) -> None:
        model = self.line.text
        if model:
            self.line.box.setEditText("")
            self.add(model)
            self.line.setFocus()

    def _remove(self) -> None:
        self.list.takeItem(self.list.currentRow())
        self._changed()

    def _changed(self) -> None:
        self._offer()
        self.changed.emit()

    def _offer(self) -> None:
        self.list.setVisible(self.list.count() > 0)
        self.buttons["remove"].setVisible(self.list.count() > 0)
        self.buttons["remove"].setEnabled(self.list.currentRow() >= 0)
        self.buttons["add"].setEnabled(bool(self.line.text))


class _Names(QListWidget):
    """``removed``: the Delete key was pressed."""

    removed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Models to be asked"))
        self.setFixedHeight(_ROWS * (self.fontMetrics().height() + 8) + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen one off."""
        if event.matches(QKeySequence.StandardKey.Delete) and self.currentRow() >= 0:
            self.removed.emit()
        else:
            super().keyPressEvent(event)
