"""What stands in the place of a form where nothing can train: why, and the way to a trainer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel
from app.training.desk import Desk
from app.training.retrain_fields import button
from core.language import tr


class Missing(QWidget):
    """``why`` is a sentence or two for a person. ``closed``: the dialog that sets up training was closed."""

    closed = Signal()

    def __init__(self, desk: Desk, why: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.set_up = button(tr("Set up training…"), self._set_up)
        said = WrapLabel()
        said.setText(why)
        row = QHBoxLayout()
        row.addWidget(self.set_up)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(said)
        column.addLayout(row)
        column.addStretch(1)

    def _set_up(self) -> None:
        from app.training.setup_dialog import SetupDialog

        dialog = SetupDialog(self._desk, self)
        dialog.finished.connect(self.closed)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
