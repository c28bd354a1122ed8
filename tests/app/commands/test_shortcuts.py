"""Keys that a person chooses: stored only where they differ, never two commands on one, never a key that writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from app.commands import shortcuts
from app.commands.actions import COMMANDS, make_actions
from app.commands.shortcuts_dialog import ShortcutsDialog
from app.settings.settings import Settings

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


def test_no_two_commands_have_one_key_by_themselves() -> None:
    """Qt gives an ambiguous key to neither command: both would be dead."""
    keys = [key for name in COMMANDS for key in shortcuts.default_keys(name)]
    assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)


def test_every_own_key_may_be_chosen_again() -> None:
    for name in COMMANDS:
        assert [
            shortcuts.rejection_reason(name, key)
            for key in shortcuts.default_keys(name)
            if shortcuts.rejection_reason(name, key)
        ] == []


@pytest.mark.parametrize(
    "key",
    [
        *("A", "Shift+A", "5", "Space", "Return", "Backspace", "Left", "Shift+Down", "PgUp"),
        *(
            "Ctrl+Z",
            "Ctrl+C",
            "Ctrl+V",
            "Ctrl+A",
            "Ctrl+Left",
            "Ctrl+Shift+Right",
            "Ctrl+Backspace",
            "Ctrl+Home",
        ),
        *("Esc", "Tab", "Shift+Tab", "Alt+F", "Ctrl+Alt+E", "Ctrl+K, Ctrl+B", "", "no key at all"),
    ],
)
def test_keys_of_writing_and_moving_are_refused_with_a_reason(settings: Settings, key: str) -> None:
    """A command on a letter would swallow the letter; one on Ctrl+Z would take undo away."""
    reason = shortcuts.rejection_reason("compare", key)
    assert reason.endswith(".")
    with pytest.raises(ValueError, match=r"\."):
        shortcuts.assign_key(settings, "compare", key)
    assert settings.shortcuts == {}


@pytest.mark.parametrize("key", ["Ctrl+E", "Alt+9", "F2", "Shift+F9", "Ctrl+Shift+K", "Ctrl+,"])
def test_other_keys_may_be_chosen(key: str) -> None:
    assert shortcuts.rejection_reason("compare", key) == ""


def test_a_key_is_taken_from_the_command_that_had_it(settings: Settings) -> None:
    before = shortcuts.resolve_bindings(settings.shortcuts)
    assert shortcuts.command_with_key("Ctrl+G", before, but="compare") == "find_next"
    shortcuts.assign_key(settings, "compare", "Ctrl+G")
    present = shortcuts.resolve_bindings(settings.shortcuts)
    assert present["compare"] == ("Ctrl+G",)
    assert present["find_next"] == ("F3",)
    assert settings.shortcuts.keys() == {"compare", "find_next"}


def test_only_what_differs_is_stored(settings: Settings) -> None:
    shortcuts.assign_key(settings, "review_all", "Ctrl+E")
    shortcuts.assign_key(settings, "review_all", "Ctrl+Shift+R")
    assert settings.shortcuts == {}


def test_a_reset_takes_the_own_keys_back_from_who_has_them(settings: Settings) -> None:
    shortcuts.assign_key(settings, "compare", "Ctrl+G")
    shortcuts.reset(settings, "find_next")
    present = shortcuts.resolve_bindings(settings.shortcuts)
    assert present["find_next"] == shortcuts.default_keys("find_next")
    assert present["compare"] == ()
    shortcuts.remove(settings, "open")
    shortcuts.reset_all(settings)
    assert settings.shortcuts == {}
    assert shortcuts.resolve_bindings({})["open"] == shortcuts.default_keys("open")


@pytest.mark.parametrize(
    "stored",
    [
        {"no_such_command": ("Ctrl+E",)},
        {"compare": ("A",)},
        {"compare": ("Nonsense+Q",)},
        {"compare": ("Ctrl+E",), "analyse": ("Ctrl+E",)},
        {"compare": ("Ctrl+S",)},
        {"compare": ("Ctrl+Z", "Ctrl+E")},
    ],
)
def test_a_damaged_store_never_gives_one_key_twice_or_a_letter(stored: dict[str, tuple[str, ...]]) -> None:
    present = shortcuts.resolve_bindings(stored)
    assert present.keys() == COMMANDS.keys()
    keys = [key for held in present.values() for key in held]
    assert len(keys) == len(set(keys))
    assert all(not shortcuts.rejection_reason(name, key) for name, held in present.items() for key in held)


def test_actions_and_their_tips_follow(settings: Settings, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    actions = make_actions(window)
    shortcuts.assign_key(settings, "compare", "Ctrl+E")
    shortcuts.remove(settings, "analyse")
    shortcuts.apply(actions, settings)
    assert actions["compare"].shortcuts() == [QKeySequence("Ctrl+E")]
    assert actions["compare"].toolTip().endswith("(Ctrl+E)")
    assert actions["analyse"].shortcuts() == []
    assert actions["analyse"].toolTip() == COMMANDS["analyse"].tip


@pytest.fixture
def dialog(settings: Settings, qtbot: QtBot) -> ShortcutsDialog:
    made = ShortcutsDialog(settings)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def choose_row(dialog: ShortcutsDialog, name: str) -> None:
    dialog.table.selectRow(list(COMMANDS).index(name))


def test_keys_are_recorded_and_a_conflict_is_told(
    dialog: ShortcutsDialog, settings: Settings, qtbot: QtBot
) -> None:
    """The whole way by keyboard: record, be told who has the keys, take them, put them back."""
    choose_row(dialog, "compare")
    dialog.recorder.setFocus()
    QTest.keyClick(dialog.recorder, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert "Find next" in dialog.message.text()
    assert dialog.assign_button.isEnabled()
    dialog.assign_button.click()
    assert shortcuts.resolve_bindings(settings.shortcuts)["compare"] == ("Ctrl+G",)
    row = list(COMMANDS).index("compare")
    assert dialog.table.item(row, 1).text() == "Ctrl+G"
    assert dialog.table.item(row, 2).text() == "changed"
    dialog.reset_button.click()
    assert "compare" not in settings.shortcuts
    dialog.reset_all_button.click()
    assert settings.shortcuts == {}
    assert not dialog.reset_all_button.isEnabled()


def test_a_refused_key_is_told_and_cannot_be_used(dialog: ShortcutsDialog, settings: Settings) -> None:
    choose_row(dialog, "compare")
    dialog.recorder.setFocus()
    QTest.keyClick(dialog.recorder, Qt.Key.Key_A)
    assert "types" in dialog.message.text()
    assert not dialog.assign_button.isEnabled()
    assert settings.shortcuts == {}


@pytest.mark.parametrize("leave", [Qt.Key.Key_Tab, Qt.Key.Key_Escape])
def test_the_recorder_is_no_trap(dialog: ShortcutsDialog, leave: Qt.Key) -> None:
    """Who is in the recorder by keyboard gets out by keyboard (WCAG 2.2, 2.1.2)."""
    dialog.recorder.setFocus()
    QTest.keyClick(dialog.recorder, leave)
    assert dialog.recorder.keySequence().isEmpty()
    assert not dialog.isVisible() or dialog.focusWidget() is not dialog.recorder


def test_the_search_finds_commands_and_keys(dialog: ShortcutsDialog) -> None:
    dialog.search.setText("f8")
    shown = [row for row in range(dialog.table.rowCount()) if not dialog.table.isRowHidden(row)]
    assert [list(COMMANDS)[row] for row in shown] == ["next", "previous"]
    assert dialog.name == "next"
