"""The dialog that asks for the name of a version."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from core.i18n import tr
from core.storage.types import MAX_VERSION_NAME, clean_version_name


class VersionNameDialog(QDialog):
    """Asks for a name of one line, which may stay empty. ``named`` carries it once the person has confirmed."""

    named = Signal(str)

    def __init__(self, title: str, *, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.field = QLineEdit(name)
        self.field.setMaxLength(MAX_VERSION_NAME)
        self.field.setPlaceholderText(tr("optional"))
        self.field.selectAll()
        form = QFormLayout()
        form.addRow(tr("&Name"), self.field)
        text = tr(
            "The name is shown with the version in the history of this draft. A version with a name is not "
            "deleted with the old ones."
        )
        note = WrapLabel(text, muted=True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        make_column(form, note, None, buttons, parent=self, spacing=10, margins=None)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 50)

    def accept(self) -> None:
        """Emit the name, and close."""
        super().accept()
        self.named.emit(clean_version_name(self.field.text()))
