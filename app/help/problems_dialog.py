"""The problems of this session as a report that a person can read, copy and send."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from app.help.problems import Problems, report
from app.parts.labels import WrapLabel
from core.language import tr


class ProblemsDialog(QDialog):
    """Shows the report as it would be copied. ``models`` and ``draft`` are asked for when they are needed."""

    def __init__(
        self,
        problems: Problems,
        *,
        models: Callable[[], list[str]],
        draft: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Problems"))
        self._problems, self._models, self._draft = problems, models, draft
        said = WrapLabel(muted=True)
        said.setText(
            tr(
                "This is all that the report holds: versions, the models, and where in the program something went "
                "wrong. It leaves this computer only if you copy and send it."
            )
        )
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(tr("Report"))
        self.with_draft = QCheckBox(tr("&Add the text of the draft"))
        self.with_draft.setToolTip(tr("Only if whoever gets the report may read the draft."))
        self.with_draft.toggled.connect(self._fill)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget in (said, self.text, self.with_draft, buttons):
            column.addWidget(widget)
        problems.added.connect(self._fill)
        self.resize(680, 460)
        self._fill()

    def _fill(self) -> None:
        draft = self._draft() if self.with_draft.isChecked() else None
        self.text.setPlainText(report(self._problems.kept, models=self._models(), draft=draft))
