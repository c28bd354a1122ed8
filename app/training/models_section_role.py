"""The models of one role: a list, and what can be done to the one that is chosen."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.parts.flow_layout import FlowLayout
from app.parts.labels import WrapLabel, scaled
from app.training.models_section_deeds import Models
from app.training.models_section_rows import ModelRows
from app.training.models_section_words import ROLES
from core.language import tr
from core.shelf.model import Installed


class RoleBox(QWidget):
    """One role. The signals carry the chosen model, ``back_asked`` the role."""

    use_asked = Signal(object)
    card_asked = Signal(object)
    remove_asked = Signal(object)
    back_asked = Signal(str)

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self._before: Installed | None = None
        self._free = True
        name, does = ROLES[role]
        head = QLabel(name)
        head.setFont(scaled(self.font(), 1.0, bold=True))
        told = WrapLabel(muted=True)
        told.setText(does)
        self.rows = ModelRows(name)
        self.rows.currentRowChanged.connect(lambda _: self._enable())
        self.rows.itemActivated.connect(lambda _: self._emit(self.card_asked))
        self.use = self._button(tr("Use this model"), lambda: self._emit(self.use_asked))
        self.card = self._button(tr("Show card"), lambda: self._emit(self.card_asked))
        self.back = self._button(tr("Go back"), lambda: self.back_asked.emit(role))
        self.remove = self._button(tr("Remove"), lambda: self._emit(self.remove_asked))
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(head)
        line.addWidget(told, 1)
        buttons = FlowLayout(spacing=6)
        for button in (self.use, self.card, self.back, self.remove):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(self.rows)
        column.addLayout(buttons)
        size = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        size.setHeightForWidth(True)
        self.setSizePolicy(size)
        self._enable()

    def show_models(self, models: Models) -> None:
        """Show these models."""
        self._before = models.before
        self.rows.show_models(models.installed)
        self._enable()

    def set_free(self, free: bool) -> None:
        """Whether something may be done now."""
        self._free = free
        self._enable()

    def _enable(self) -> None:
        model = self.rows.chosen
        self.use.setEnabled(self._free and model is not None and not model.active)
        self.card.setEnabled(model is not None and model.card is not None)
        self.remove.setEnabled(self._free and model is not None and not model.active and model.id is not None)
        self.back.setEnabled(self._free and self._before is not None)
        self.back.setToolTip(
            tr("Use {title} again").format(title=self._before.title)
            if self._before is not None
            else tr("There is no other model to go back to")
        )

    def _emit(self, signal: SignalInstance) -> None:
        if (model := self.rows.chosen) is not None:
            signal.emit(model)

    def _button(self, words: str, does: object) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        button.setAccessibleName(f"{words}: {ROLES[self._role][0]}")
        button.clicked.connect(does)
        return button
