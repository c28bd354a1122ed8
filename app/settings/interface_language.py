"""The language of the interface. It is chosen first, because other modules translate their tables on import."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from app.settings.private_store import open_private_settings
from core import i18n

KEY = "settings/language"
"""Key of the language in the store; ``system`` or no value is the language of the system."""


def choose_language(store: QSettings | None = None) -> str:
    """The language of the settings if there is a catalogue for it, else that of the system, else English."""
    available = i18n.languages()
    store = store if store is not None else open_private_settings()
    candidates = [str(store.value(KEY, "")), *QLocale.system().uiLanguages()]
    for tag in candidates:
        code = tag.replace("-", "_")
        for name in (code, code.partition("_")[0]):
            if name in available:
                return name
    return "en"


def set_interface_language(store: QSettings | None = None) -> str:
    """Translate everything into the chosen language from now on, and return it."""
    name = choose_language(store)
    i18n.set_language(name)
    return name


def install_qt_translator(app: QCoreApplication, name: str) -> QTranslator | None:
    """Translate the texts of Qt (standard buttons, file dialogs) too; None if Qt has no translation."""
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if not translator.load(f"qtbase_{name}", folder):
        return None
    app.installTranslator(translator)
    return translator


def set_default_locale(name: str) -> None:
    """Show dates and numbers as the system does if its language is that of the interface, else as is usual in that."""
    own, system = QLocale(name), QLocale.system()
    QLocale.setDefault(system if system.language() == own.language() else own)
