"""The language that the window speaks. It is chosen first: modules with tables of words look them up when imported."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QSettings, QTranslator

from core import i18n

KEY = "settings/language"
"""Where the chosen language lies in the settings; ``system`` or nothing is the system's."""


def chosen(store: QSettings | None = None) -> str:
    """The language to speak: the chosen one if there is a catalogue for it, else the system's, else English."""
    known = i18n.languages()
    store = store if store is not None else QSettings("Evenhand", "Evenhand")
    wanted = [str(store.value(KEY, "")), *QLocale.system().uiLanguages()]
    for one in wanted:
        code = one.replace("-", "_")
        for name in (code, code.partition("_")[0]):
            if name in known:
                return name
    return "en"


def speak(store: QSettings | None = None) -> str:
    """Say everything in the chosen language from now on; returns it."""
    name = chosen(store)
    i18n.use(name)
    return name


def speak_in_qt(app: QCoreApplication, name: str) -> QTranslator | None:
    """Have Qt's own words (of standard buttons and file dialogs) in this language too; None if Qt has them not."""
    translator = QTranslator(app)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if not translator.load(f"qtbase_{name}", folder):
        return None
    app.installTranslator(translator)
    QLocale.setDefault(QLocale(name))
    return translator
