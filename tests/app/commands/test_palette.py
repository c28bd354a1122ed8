"""The command palette: a few letters find every command, the keyboard does all, and the focus comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow
from pytestqt.qtbot import QtBot

from app.commands.actions import COMMANDS, fill_menus, make_actions, strip_mnemonic
from app.commands.palette import Palette, list_entries, rank
from app.main_window.menus import ChoiceMenus
from app.settings.settings import Settings

Key = Qt.Key


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("", "Find next"),
        ("fi", "Find next"),
        ("FIND NEXT", "Find next"),
        ("fn", "Find next"),
        ("fi ne", "Find next"),
        ("finex", "Find next"),
        ("ne", "Find next"),
        ("dark", "Theme: Dark"),
        ("td", "Theme: Dark"),
        ("ext", "Find next"),
        ("ka", "Go to Kapitel ändern"),
    ],
)
def test_letters_that_mean_a_command(letters: str, name: str) -> None:
    assert rank(letters, name) is not None


@pytest.mark.parametrize("letters", ["xq", "nf", "finds", "fxe"])
def test_letters_that_do_not(letters: str) -> None:
    assert rank(letters, "Find next") is None


def test_the_nearer_meaning_comes_first() -> None:
    """The start of the name, then the beginnings of words, then any place, then the tip."""
    found = [
        rank("re", "Redo"),
        rank("re", "Use reader"),
        rank("re", "Compare"),
        rank("re", "Zoom in", "More of the draft"),
    ]
    assert all(place is not None for place in found)
    assert found == sorted(found, key=lambda place: place or 0)
    assert len(set(found)) == len(found)


@given(st.text(max_size=12), st.text(max_size=24))
@examples(max_examples=60)
def test_any_letters_against_any_name(letters: str, name: str) -> None:
    """Nothing that can be typed is an error, and a name always means itself."""
    assert rank(letters, name) is None or rank(letters, name, "more") is not None
    assert rank(name, name) is not None


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    made = QMainWindow()
    made.commands = make_actions(made)  # type: ignore[attr-defined]
    submenus = fill_menus(made, made.commands)  # type: ignore[attr-defined]
    ChoiceMenus(submenus, on_kinds=lambda _: None, on_format=lambda _: None, on_theme=lambda _: None)
    made.setCentralWidget(QLineEdit())
    made.resize(800, 600)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitActive(made)
    made.centralWidget().setFocus()
    return made


@pytest.fixture
def palette(window: QMainWindow, settings: Settings, qtbot: QtBot) -> Palette:
    made = Palette(window, settings)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def names(palette: Palette) -> list[str]:
    return [entry.name for entry in palette.shown]


def test_every_command_is_there_once(window: QMainWindow) -> None:
    """A command that no menu holds can be given here; a choice bears the name of its menu."""
    found = list_entries(window)
    assert {entry.key for entry in found} >= set(COMMANDS) - {"palette"}
    assert len({entry.key for entry in found}) == len(found)
    assert "Theme: Dark" in [entry.name for entry in found]


def test_letters_narrow_the_list_and_enter_gives_the_first(
    palette: Palette, window: QMainWindow, settings: Settings, qtbot: QtBot
) -> None:
    QTest.keyClicks(palette.field, "fin")
    assert names(palette)[:3] == ["Find", "Find next", "Find previous"]
    assert palette.field.accessibleDescription().endswith("the first: Find, Ctrl+F")
    with qtbot.waitSignal(window.commands["find"].triggered):
        QTest.keyClick(palette.field, Key.Key_Return)
    assert not palette.isVisible()
    assert settings.value("recent_commands") == ("find",)


def test_what_was_used_last_comes_first(window: QMainWindow, settings: Settings, qtbot: QtBot) -> None:
    settings.set("recent_commands", ("compare", "Theme: Dark", "gone"))
    palette = Palette(window, settings)
    qtbot.addWidget(palette)
    assert names(palette)[:2] == ["Compare", "Theme: Dark"]


def test_arrows_go_into_the_list_and_back(palette: Palette, qtbot: QtBot) -> None:
    """A list that has the focus is what a screen reader follows row by row."""
    QTest.keyClick(palette.field, Key.Key_Down)
    assert palette.list.hasFocus()
    assert palette.list.currentIndex().row() == 1
    QTest.keyClick(palette.list, Key.Key_Up)
    QTest.keyClick(palette.list, Key.Key_Up)
    assert palette.field.hasFocus()
    QTest.keyClick(palette.field, Key.Key_Down)
    QTest.keyClick(palette.list, Key.Key_Q)
    assert palette.field.hasFocus()
    assert palette.field.text() == "q"


def test_what_is_off_says_why_and_is_not_given(
    palette: Palette, window: QMainWindow, settings: Settings
) -> None:
    window.commands["undo"].setEnabled(False)
    again = Palette(window, settings)
    again.show()
    QTest.keyClicks(again.field, "undo")
    assert "There is nothing to undo." in again.shown[0].accessible_text
    assert again.message.accessibleName() == "There is nothing to undo."
    QTest.keyClick(again.field, Key.Key_Return)
    assert again.isVisible()
    assert settings.value("recent_commands") == ()
    again.close()
    again.deleteLater()


def test_nothing_found_is_told(palette: Palette) -> None:
    QTest.keyClicks(palette.field, "qqqq")
    assert palette.shown == []
    assert palette.message.accessibleName() == "No command matches."
    assert palette.field.accessibleDescription() == "No command matches."
    QTest.keyClick(palette.field, Key.Key_Return)
    assert palette.isVisible()


def test_escape_gives_the_focus_back(palette: Palette, window: QMainWindow, qtbot: QtBot) -> None:
    QTest.keyClick(palette.field, Key.Key_Escape)
    assert not palette.isVisible()
    assert window.focusWidget() is window.centralWidget()


def test_a_row_speaks_its_name_and_its_keys(palette: Palette) -> None:
    model = palette.list.model()
    said = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert "Save, Ctrl+S" in said
    assert strip_mnemonic(COMMANDS["forget_recent"].text) in said
