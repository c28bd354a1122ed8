"""The licences of all parts: a list, and the text of the one that is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QListWidget, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from app.help.dialogs import button_row, fit
from app.parts.labels import WrapLabel
from core.language import tr
from core.licences import Part


class LicencesDialog(QDialog):
    """Shows ``parts`` in their order, the first one first."""

    def __init__(self, parts: Sequence[Part], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Licences"))
        self._parts = parts
        said = WrapLabel(muted=True)
        said.setText(
            tr("Evenhand is under the Apache licence 2.0. Its parts are given on the terms of their owners:")
        )
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Parts"))
        self.list.addItems([part.name for part in parts])
        self.terms = WrapLabel()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Text of the licence"))
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.terms)
        column.addWidget(self.text, 1)
        both = QSplitter()
        both.setChildrenCollapsible(False)
        both.addWidget(self.list)
        both.addWidget(right)
        both.setStretchFactor(1, 1)
        both.setSizes([200, 560])
        whole = QVBoxLayout(self)
        whole.addWidget(said)
        whole.addWidget(both, 1)
        whole.addLayout(button_row(self))
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(0)
        fit(self, 820, 600)

    def _show(self, row: int) -> None:
        part = self._parts[row]
        self.terms.setText(" · ".join(said for said in (f"{part.name} {part.version}", part.licence) if said))
        self.text.setPlainText(part.text or tr("This part came without a text of its licence."))
