"""The interface language: the setting, else the system's, else English; set before any text is looked up."""

from __future__ import annotations

import gettext
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from PySide6.QtCore import QDate, QLocale, QSettings
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.annotations.shown_comments import describe_comment
from app.settings import interface_language
from core import i18n
from core.answers.comments import Comment


@pytest.fixture
def store(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture(autouse=True)
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A German and a Portuguese catalogue of one word, and no others; English again afterwards."""
    for name in ("de", "pt_BR"):
        catalogue = Catalog(locale=name)
        catalogue.add("Settings", f"Settings in {name}")
        folder = tmp_path / "translations" / name / "LC_MESSAGES"
        folder.mkdir(parents=True)
        with (folder / f"{i18n.DOMAIN}.mo").open("wb") as file:
            write_mo(file, catalogue)
    monkeypatch.setattr(i18n, "FOLDER", tmp_path / "translations")
    monkeypatch.setattr(i18n, "_catalogue", gettext.NullTranslations())


def system(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    class System:
        def uiLanguages(self) -> list[str]:
            return list(names)

    monkeypatch.setattr(QLocale, "system", staticmethod(System))


@pytest.mark.parametrize(
    ("wanted", "by_system", "spoken_then"),
    [
        ("", ["de-AT", "de", "en"], "de"),
        ("system", ["pt-BR"], "pt_BR"),
        ("system", ["en-US", "de"], "en"),
        ("system", ["fr-FR", "it"], "en"),
        ("system", [], "en"),
        ("de", ["en-US"], "de"),
        ("en", ["de-DE"], "en"),
        ("xx", ["de-DE"], "de"),
        ("../../etc", ["en"], "en"),
    ],
)
def test_the_language_is_chosen_in_order_of_precedence(
    store: QSettings, monkeypatch: pytest.MonkeyPatch, wanted: str, by_system: list[str], spoken_then: str
) -> None:
    system(monkeypatch, *by_system)
    if wanted:
        store.setValue(interface_language.KEY, wanted)
    assert interface_language.set_interface_language(store) == spoken_then
    expected = "Settings" if spoken_then == "en" else f"Settings in {spoken_then}"
    assert i18n.tr("Settings") == expected


def test_the_language_setting_is_read() -> None:
    """The dialog and the start read and write one place."""
    from app.settings.settings import SETTINGS_BY_NAME

    assert SETTINGS_BY_NAME["language"].key == interface_language.KEY
    assert SETTINGS_BY_NAME["language"].needs_restart


def test_the_language_is_set_before_texts_are_looked_up() -> None:
    """A module that looks its words up when it is imported would stay English for ever."""
    check = (
        "import sys, app.settings.interface_language; print([m for m in sys.modules if m.startswith('app.')])"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    without_texts = ["app.settings", "app.settings.private_store", "app.settings.interface_language"]
    assert done.stdout.strip() == str(without_texts)
    entry = (Path(interface_language.__file__).parents[1] / "entry.py").read_text(encoding="utf-8")
    assert entry.index("set_interface_language()") < entry.index("from app.start import run")


@pytest.mark.parametrize(
    ("language", "by_system", "shown"),
    [
        ("en", "en_GB", "28/11/2026"),
        ("en", "en_US", "11/28/26"),
        ("de", "de_AT", "28.11.26"),
        ("de", "en_US", "28.11.26"),
        ("en", "de_DE", "11/28/26"),
        ("en", "C", "11/28/26"),
    ],
)
def test_dates_are_as_the_system_has_them_in_the_language_of_the_interface(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, language: str, by_system: str, shown: str
) -> None:
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale(by_system)))
    interface_language.set_default_locale(language)
    said = describe_comment(Comment("1", "Who?", "Ann", datetime(2026, 11, 28, 19, 38), None))
    assert said.startswith(f"Comment by Ann, {shown}")
    assert QLocale().toString(QDate(2026, 11, 28), QLocale.FormatType.ShortFormat) == shown


def test_standard_buttons_are_translated(qapp: QApplication, qtbot: QtBot) -> None:
    before = QLocale()
    translator = interface_language.install_qt_translator(qapp, "de")
    assert translator is not None
    try:
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        qtbot.addWidget(box)
        assert box.button(QDialogButtonBox.StandardButton.Cancel).text() == "Abbrechen"
    finally:
        qapp.removeTranslator(translator)
        QLocale.setDefault(before)
    assert interface_language.install_qt_translator(qapp, "xx") is None
