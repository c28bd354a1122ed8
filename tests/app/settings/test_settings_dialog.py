"""The settings dialog shows every setting with help, value and reset; it can be searched and used by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from app.settings.controls import (
    CheckBoxControl,
    CheckBoxListControl,
    ChoiceControl,
    Control,
    SliderControl,
    TextControl,
    WordListControl,
)
from app.settings.dictionaries import DictionaryControl
from app.settings.settings import PAGES, SETTINGS, SETTINGS_BY_NAME, Settings
from app.settings.settings_dialog import SettingsDialog
from app.settings.style_packs import PackListControl
from app.widgets.theme import apply_theme
from tests.small_dictionary import write_dictionary

SHOWN = [setting.name for setting in SETTINGS if not setting.is_hidden]


class WordsController:
    """A list of words in memory, which can be made to fail."""

    def __init__(self) -> None:
        self.held = ["crusade", "Niger"]
        self.problem = ""

    def words(self) -> list[str]:
        return sorted(self.held)

    def add(self, word: str) -> None:
        if self.problem:
            raise OSError(self.problem)
        self.held.append(word)

    def remove(self, word: str) -> None:
        self.held.remove(word)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def words() -> WordsController:
    return WordsController()


@pytest.fixture
def dialog(
    settings: Settings,
    words: WordsController,
    qtbot: QtBot,
    qapp: QApplication,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> SettingsDialog:
    monkeypatch.setenv("EVENHAND_DICTIONARIES", str(tmp_path / "dictionaries"))
    write_dictionary(tmp_path / "dictionaries", "en_GB")
    apply_theme(qapp, "light", "on")
    made = SettingsDialog(settings, {"allowed": words})
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def use(control: Control) -> None:
    """Choose something else, as a person would."""
    if isinstance(control, ChoiceControl):
        control.box.setFocus()
        QTest.keyClick(control.box, Qt.Key.Key_Down)
        if control.box.currentIndex() == 0 or control.setting.default == control.box.currentData():
            QTest.keyClick(control.box, Qt.Key.Key_Up)
    elif isinstance(control, CheckBoxControl):
        QTest.keyClick(control.box, Qt.Key.Key_Space)
    elif isinstance(control, SliderControl):
        QTest.keyClick(control.slider, Qt.Key.Key_Right)
    elif isinstance(control, CheckBoxListControl):
        QTest.keyClick(next(iter(control.boxes.values())), Qt.Key.Key_Space)
    elif isinstance(control, DictionaryControl):
        QTest.keyClick(control.box, Qt.Key.Key_Down)
    elif isinstance(control, PackListControl):
        box = control.boxes["gender-neutral"]
        QTest.keyClick(box, Qt.Key.Key_Down)
    elif isinstance(control, TextControl):
        QTest.keyClicks(control.field, "Ann  Example ")
        QTest.keyClick(control.field, Qt.Key.Key_Return)


def page_of(dialog: SettingsDialog, name: str) -> None:
    dialog.pages.setCurrentRow(list(PAGES).index(SETTINGS_BY_NAME[name].page))


def test_every_visible_setting_is_on_its_page(dialog: SettingsDialog) -> None:
    assert list(dialog.setting_rows) == sorted(
        SHOWN, key=lambda name: list(PAGES).index(SETTINGS_BY_NAME[name].page)
    )
    for name, setting in dialog.setting_rows.items():
        page_of(dialog, name)
        assert setting.isVisible(), name
        texts = [label.text() for label in setting.findChildren(QLabel)]
        assert any(SETTINGS_BY_NAME[name].help.split()[0] in text for text in texts), name


@pytest.mark.parametrize("name", [name for name in SHOWN if not SETTINGS_BY_NAME[name].stored_elsewhere])
def test_a_change_applies_at_once_and_can_be_reset(
    dialog: SettingsDialog, settings: Settings, name: str
) -> None:
    page_of(dialog, name)
    setting = dialog.setting_rows[name]
    assert not setting.reset_button.isVisible()
    heard: list[str] = []
    settings.changed.connect(heard.append)
    use(setting.control)
    assert heard == [name]
    assert setting.reset_button.isVisible()
    setting.reset_button.click()
    assert settings.is_default(name)
    assert not setting.reset_button.isVisible()


def test_a_change_from_elsewhere_is_shown(dialog: SettingsDialog, settings: Settings) -> None:
    """A menu and this dialog may stand side by side."""
    settings.set("include_quotes", True)
    control = dialog.setting_rows["include_quotes"].control
    assert isinstance(control, CheckBoxControl)
    assert control.box.isChecked()


def test_the_search_finds_rows_on_all_pages(dialog: SettingsDialog) -> None:
    dialog.search.setText("wikimedia title")
    shown = [name for name, setting in dialog.setting_rows.items() if not setting.isHidden()]
    assert shown == ["wikipedia"]
    assert dialog.setting_rows["wikipedia"].isVisible()
    assert [dialog.pages.item(n).isHidden() for n in range(dialog.pages.count())].count(False) == 1
    dialog.search.setText("qqqq")
    assert not any(setting.isVisible() for setting in dialog.setting_rows.values())
    dialog.search.clear()
    assert not any(setting.isHidden() for setting in dialog.setting_rows.values())
    assert not any(dialog.pages.item(n).isHidden() for n in range(dialog.pages.count()))


def test_a_page_is_reset_without_a_question_and_everything_with_one(
    dialog: SettingsDialog, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.set("theme", "dark")
    settings.set("announce", False)
    page_of(dialog, "theme")
    dialog.reset_page_button.click()
    assert settings.is_default("theme")
    assert not settings.is_default("announce")
    asked: list[str] = []

    def answer(*texts: object) -> QMessageBox.StandardButton:
        asked.append(str(texts[-1]))
        return QMessageBox.StandardButton.No if len(asked) == 1 else QMessageBox.StandardButton.Yes

    monkeypatch.setattr(QMessageBox, "question", answer)
    dialog.reset_all_button.click()
    assert not settings.is_default("announce")
    dialog.reset_all_button.click()
    assert settings.is_default("announce")


def test_words_are_added_and_removed(dialog: SettingsDialog, words: WordsController) -> None:
    page_of(dialog, "allowed")
    control = dialog.setting_rows["allowed"].control
    assert isinstance(control, WordListControl)
    assert not control.add.isEnabled()
    QTest.keyClicks(control.field, "  kung   fu ")
    QTest.keyClick(control.field, Qt.Key.Key_Return)
    assert words.held[-1] == "kung fu"
    assert control.list.currentItem().text() == "kung fu"
    assert dialog.isVisible()
    control.remove.click()
    assert words.held == ["crusade", "Niger"]


def test_a_failed_list_is_reported_and_keeps_the_input(
    dialog: SettingsDialog, words: WordsController
) -> None:
    page_of(dialog, "allowed")
    control = dialog.setting_rows["allowed"].control
    assert isinstance(control, WordListControl)
    words.problem = "The disk is full. Make room and try again."
    QTest.keyClicks(control.field, "word")
    control.add.click()
    assert control.message.isVisible()
    assert control.message.accessibleName() == words.problem
    assert control.field.text() == "word"


def test_a_missing_list_is_reported(settings: Settings, qtbot: QtBot) -> None:
    dialog = SettingsDialog(settings, {})
    qtbot.addWidget(dialog)
    control = dialog.setting_rows["allowed"].control
    assert isinstance(control, WordListControl)
    assert not control.field.isEnabled()
    assert not control.message.isHidden()


def test_the_network_is_off_and_the_sent_data_is_explained(
    dialog: SettingsDialog, settings: Settings
) -> None:
    assert settings.value("wikipedia") is False
    assert "Wikimedia" in SETTINGS_BY_NAME["wikipedia"].help
    assert "rafts are never sent" in SETTINGS_BY_NAME["wikipedia"].help


def test_escape_closes(dialog: SettingsDialog) -> None:
    QTest.keyClick(dialog.pages, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize("width", [380, 480, 700])
def test_a_narrow_dialog_clips_no_control(dialog: SettingsDialog, qtbot: QtBot, width: int) -> None:
    """At twice the usual scale a small screen is 683 points wide: what does not fit scrolls down, not away."""
    dialog.resize(width, 340)
    for name, setting in dialog.setting_rows.items():
        page_of(dialog, name)
        view = setting.parentWidget().parentWidget()
        qtbot.waitUntil(
            lambda setting=setting, view=view: (
                setting.isVisible() and setting.geometry().right() <= view.width()
            )
        )


def test_the_dictionaries_that_are_there_can_be_chosen(dialog: SettingsDialog, settings: Settings) -> None:
    page_of(dialog, "dictionary")
    control = dialog.setting_rows["dictionary"].control
    assert isinstance(control, DictionaryControl)
    assert [control.box.itemText(at) for at in range(control.box.count())] == [
        "Automatic (en_GB)",
        "British English (en_GB)",
    ]
    assert not control.message.isVisible()


def test_without_a_dictionary_one_sentence_says_what_to_install(
    dialog: SettingsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed one is offered when the page is shown again, without a restart."""
    page_of(dialog, "theme")
    monkeypatch.setenv("EVENHAND_DICTIONARIES", str(tmp_path / "none"))
    page_of(dialog, "dictionary")
    control = dialog.setting_rows["dictionary"].control
    assert isinstance(control, DictionaryControl)
    assert control.message.isVisible()
    assert "No English dictionary was found" in control.message.text()
    assert control.box.count() == 1
    page_of(dialog, "theme")
    monkeypatch.setenv("EVENHAND_DICTIONARIES", str(tmp_path / "dictionaries"))
    page_of(dialog, "dictionary")
    assert not control.message.isVisible()
    assert control.box.count() == 2
