"""The commands of house style: flag words with a rule of one's own, and switch a rule off."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from app.editor.editor import TextEditor
from app.review.card_controller import CardController
from app.review.ignore_commands import shorten
from app.settings.settings import Settings
from app.settings.style_packs import RULES_OFF, SETTING, RulesOff, read_choices, write_choices
from app.widgets.dialogs import OpenDialogs
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from core.i18n import tr
from core.storage.files import FileError
from core.style.own_packs import OWN_WORDS, add_own_rule
from core.style.toml_source import StyleError
from core.types import Finding

MAX_WORDS = 120
"""Characters of the longest wording that a rule of one's own can flag."""


class HouseStyle(QObject):
    """Changes the rules that are used.

    ``rules_changed``: the drafts have to be checked with other rules; ``status_message``: a text for the status bar.
    """

    rules_changed = Signal()
    status_message = Signal(str)

    def __init__(
        self, window: QWidget, editor: TextEditor, settings: Settings, *, card: CardController
    ) -> None:
        super().__init__(window)
        self._window, self._editor, self._settings = window, editor, settings
        self._dialogs = OpenDialogs()
        card.rule_off_requested.connect(self.switch_off)

    def switch_off(self, finding: Finding) -> None:
        """Never use the rule that flags a finding, until it is switched on again in the settings."""
        if finding.style is not None and finding.style.rule not in self._settings.value(RULES_OFF):
            RulesOff(self._settings).add(finding.style.rule)
            text = tr(
                "The rule “{rule}” is off. You can switch it on again in the settings, under House style."
            )
            self.status_message.emit(text.format(rule=finding.style.rule))

    def flag_words(self) -> None:
        """Ask what to flag, beginning with the selected words, and add a rule for it to the person's own words."""
        words = " ".join(self._editor.textCursor().selection().toPlainText().split())
        self._dialogs.show("flag", lambda: self._dialog(words if len(words) <= MAX_WORDS else ""))

    def close(self) -> None:
        """Close the dialog."""
        self._dialogs.close()

    def _dialog(self, words: str) -> FlagWordsDialog:
        dialog = FlagWordsDialog(words, self._window)
        dialog.added.connect(self._added)
        return dialog

    def _added(self, words: str) -> None:
        choices = read_choices(self._settings.value(SETTING))
        self._settings.set(SETTING, write_choices({**choices, OWN_WORDS: True}))
        self.rules_changed.emit()
        self.status_message.emit(tr("“{words}” is flagged from now on.").format(words=shorten(words)))


class FlagWordsDialog(QDialog):
    """Asks for the words to flag, what to write instead, and why. ``added`` carries the words of the new rule."""

    added = Signal(str)

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Flag these words"))
        self.words = QLineEdit(words)
        self.words.setMaxLength(MAX_WORDS)
        self.instead = QLineEdit()
        self.instead.setPlaceholderText(tr("optional"))
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(tr("optional"))
        form = QFormLayout()
        form.addRow(tr("&Words"), self.words)
        form.addRow(tr("Write &instead"), self.instead)
        form.addRow(tr("&Reason"), self.reason)
        note = WrapLabel(
            tr(
                "The words are flagged in all your drafts, as a rule of the pack “My words”. You can remove that pack "
                "in the settings under House style."
            ),
            muted=True,
        )
        self.message = WrapLabel()
        self.message.hide()
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        make_column(form, note, self.message, buttons, parent=self, spacing=10, margins=None)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 60)

    def accept(self) -> None:
        """Add the rule; where that is not possible, say why and stay open."""
        words = " ".join(self.words.text().split())
        try:
            add_own_rule(words, instead=self.instead.text(), reason=self.reason.text())
        except (StyleError, FileError) as error:
            self.message.setText(str(error))
            self.message.show()
            self.words.setFocus()
            return
        self.added.emit(words)
        super().accept()
