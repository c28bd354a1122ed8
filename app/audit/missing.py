"""What stands in the place of the form where nothing can audit: why, and the way to a trainer."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel
from app.training.desk import Desk
from app.training.retrain_fields import button
from core.language import tr


class Missing(QWidget):
    """``closed``: the dialog that sets up training was closed."""

    closed = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.set_up = button(tr("Set up training…"), self._set_up)
        said = WrapLabel()
        said.setText(
            tr(
                "Nothing on this computer can run a language model yet: PyTorch is not there. Set it up once, and "
                "models can be audited here. All else of Evenhand works without it, and earlier audits can be "
                "looked at."
            )
        )
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
