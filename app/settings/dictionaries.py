"""The control of the setting “Dictionary”: one of those on this computer, or what to install."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtGui import QShowEvent

from app.settings.controls import Control
from app.settings.schema import Setting, Value
from app.widgets.form_fields import ComboBox
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from core.i18n import tr
from core.spelling.dictionaries import choose_dictionary, find_dictionaries, what_to_install

AUTOMATIC = ""


class DictionaryControl(Control):
    """A combo box of the dictionaries; without an English one, a message says what to install."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._value = AUTOMATIC
        self.box = ComboBox("")
        self.box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.box.activated.connect(self._choose)
        self._label_control(self.box, setting.label)
        self.message = WrapLabel()
        self.layout_row.addLayout(make_column(make_row(self.box, None), self.message, spacing=6), 1)

    def show_value(self, value: Value) -> None:
        """Search for dictionaries, and show them with the chosen one."""
        self._value = str(value)
        found = find_dictionaries()
        automatic = choose_dictionary(found, AUTOMATIC, QLocale.system().name())
        chosen = tr("Automatic ({name})").format(name=automatic or tr("none"))
        codes = sorted({*found, self._value} - {AUTOMATIC})
        self.box.set_choices([(AUTOMATIC, chosen), *((code, dictionary_name(code)) for code in codes)])
        self.box.setCurrentIndex(max(0, self.box.findData(self._value)))
        missing = not choose_dictionary(found, self._value, QLocale.system().name())
        self.message.setText(what_to_install() if missing else "")
        self.message.setVisible(missing)

    def showEvent(self, event: QShowEvent) -> None:
        """Search again: dictionaries may have been installed in the meantime."""
        super().showEvent(event)
        self.show_value(self._value)

    def _choose(self) -> None:
        self._value = self.box.currentData()
        self.value_chosen.emit(self._value)


def dictionary_name(code: str) -> str:
    """The language of a dictionary in its own words, with its code: ``British English (en_GB)``."""
    locale = QLocale("_".join(code.split("_")[:2]))
    name = locale.nativeLanguageName() if locale.language() != QLocale.Language.C else ""
    return f"{name} ({code})" if name else code
