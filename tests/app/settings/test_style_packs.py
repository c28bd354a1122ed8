"""House style in the settings: a choice for every pack, imported packs, and rules that are switched on again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.settings.settings import SETTINGS_BY_NAME, Settings
from app.settings.style_packs import (
    RULES_OFF,
    SETTING,
    PackListControl,
    RulesOff,
    read_choices,
    write_choices,
)
from core.style.library import own_folder, pack_paths

PACK = 'name = "Our desk"\n[[rule]]\nid = "r"\nmessage = "m"\nterms = ["very"]\n'


@pytest.fixture
def control(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PackListControl:
    """The list of packs, which chooses for itself what is shown next, as the dialog does."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    made = PackListControl(SETTINGS_BY_NAME[SETTING])
    made.value_chosen.connect(made.show_value)
    qtbot.addWidget(made)
    made.show_value(())
    made.show()
    return made


def choose(control: PackListControl, name: str, data: str) -> None:
    box = control.boxes[name]
    box.setFocus()
    while box.currentData() != data:
        QTest.keyClick(box, Qt.Key.Key_Down)


def texts(control: PackListControl) -> str:
    return "\n".join(label.text() for label in control.findChildren(QLabel) if label.isVisible())


def test_every_bundled_pack_has_a_choice_and_is_described(control: PackListControl) -> None:
    assert list(control.boxes) == list(pack_paths())
    assert [box.currentData() for box in control.boxes.values()] == ["default"] * len(control.boxes)
    assert control.boxes["words-to-watch"].currentText() == "On in Wikitext"
    assert "Words to watch" in texts(control)
    assert not control.remove_buttons


def test_a_choice_is_told_and_the_keyboard_stays(control: PackListControl, qtbot: QtBot) -> None:
    chosen: list[object] = []
    control.value_chosen.connect(chosen.append)
    box = control.boxes["words-to-watch"]
    choose(control, "words-to-watch", "off")
    choose(control, "immigration", "on")
    assert chosen[-1] == ("immigration=on", "words-to-watch=off")
    assert control.boxes["words-to-watch"] is box


def test_choices_survive_their_text() -> None:
    choices = {"a": True, "b": False}
    assert read_choices(write_choices(choices)) == choices
    assert read_choices(("nonsense",)) == {}


def test_an_imported_pack_is_on_and_can_be_removed(control: PackListControl, tmp_path: Path) -> None:
    chosen: list[object] = []
    control.value_chosen.connect(chosen.append)
    source = tmp_path / "our-desk.toml"
    source.write_text(PACK + "colour = 1\n", encoding="utf-8")
    control.import_path(source)
    assert chosen == [("our-desk=on",)]
    assert control.boxes["our-desk"].currentData() == "on"
    assert "Our desk: 1 rule imported." in control.message.text()
    assert "“colour” is not a key" in control.message.text()
    control.remove_buttons["our-desk"].click()
    assert chosen[-1] == ()
    assert "our-desk" not in control.boxes
    assert not list(own_folder().iterdir())


def test_what_cannot_be_imported_is_said_with_its_line(control: PackListControl, tmp_path: Path) -> None:
    source = tmp_path / "bad.toml"
    source.write_text("name = ", encoding="utf-8")
    control.import_path(source)
    assert control.message.text().replace("\u200b", "").startswith(f"{source}, line 1: this is not TOML")
    assert "bad" not in control.boxes


def test_rules_that_are_off_are_listed_and_switched_on_again(tmp_path: Path) -> None:
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    rules = RulesOff(settings)
    rules.add("desk/b")
    rules.add("desk/a")
    assert rules.words() == ["desk/a", "desk/b"]
    rules.remove("desk/b")
    assert settings.value(RULES_OFF) == ("desk/a",)
