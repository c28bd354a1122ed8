"""The table of commands is whole, and what was chosen takes effect in the real window at once."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QVariantAnimation
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.commands import shortcuts
from app.commands.actions import COMMANDS, EXPORTS, MENUS, TOOLBAR, strip_mnemonic
from app.widgets.theme import is_dark, is_high_contrast
from core.types import Kind

PLACED = {name for _, names in MENUS for name in names} | set(EXPORTS)


def test_menus_and_toolbar_name_commands() -> None:
    """A slip in a name would leave a hole in a menu."""
    named = {name for name in PLACED | set(TOOLBAR) if name != "-" and not name.startswith("[")}
    assert named <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name: str) -> None:
    """A tip is what the palette searches and the status line shows; a sentence of its own, not the name again."""
    command = COMMANDS[name]
    assert strip_mnemonic(command.text).strip()
    assert command.tip != strip_mnemonic(command.text)
    assert not command.disabled_reason or command.disabled_reason.endswith(".")


def test_settings_take_effect_in_the_window(make: Make, qtbot: QtBot) -> None:
    """No setting of looks or of kinds waits for another start."""
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    settings = window.settings
    settings.set("theme", "dark")
    assert is_dark(window.palette())
    assert window.menus.theme_actions["dark"].isChecked()
    settings.set("high_contrast", "on")
    assert is_high_contrast(window.ui.editor.palette())
    settings.set("text_size", 6)
    assert window.ui.editor.zoom == 6
    settings.set("include_quotes", True)
    read(window, qtbot, ["shameful", "reveals", "disgraceful", "chairman"])
    assert window.ui.actions["quotes"].isChecked()
    assert window.ui.filter_bar.quotes.isChecked()
    shortcuts.assign_key(settings, "compare", "Ctrl+E")
    assert window.ui.actions["compare"].shortcut() == QKeySequence("Ctrl+E")
    settings.set("kinds", ("demographic",))
    assert [mark.finding.text for mark in window.ui.editor.marks] == ["chairman"]
    assert [kind.value for kind, action in window.menus.kind_actions.items() if action.isChecked()] == [
        "demographic"
    ]
    settings.reset_all()
    assert not is_high_contrast(window.ui.editor.palette())
    assert window.ui.editor.zoom == 0


def test_the_menu_and_the_keys_move_the_settings(make: Make) -> None:
    window = make()
    window.ui.actions["zoom_in"].trigger()
    assert window.settings.value("text_size") == 1
    for _ in range(30):
        window.ui.actions["zoom_out"].trigger()
    assert window.settings.value("text_size") == -4
    window.menus.kind_actions[Kind.FRAMING].trigger()
    assert window.settings.value("kinds") == ("epistemological", "demographic", "style")
    window.menus.theme_actions["light"].trigger()
    assert window.settings.value("theme") == "light"
    window.ui.actions["quotes"].trigger()
    assert window.settings.value("include_quotes") is True


def test_reduced_motion_shows_marks_at_once(make: Make, qtbot: QtBot) -> None:
    """Who is made ill by movement sees the marks stand there; everybody else sees them fade in."""
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    (fade,) = (one for one in window.ui.editor.findChildren(QVariantAnimation) if one.duration() > 100)
    marks = window.ui.editor.marks
    running = QVariantAnimation.State.Running

    def shown_anew() -> bool:
        window.ui.editor.set_marks(type(marks)())
        window.ui.editor.set_marks(marks)
        return fade.state() == running

    assert shown_anew()
    window.settings.set("reduced_motion", True)
    assert not shown_anew()
    assert not window.isAnimated()


def test_a_dialog_is_open_once(make: Make) -> None:
    """The same command brings the dialog to the front instead of opening a second one."""
    window = make()
    for name in ("settings", "shortcuts"):
        window.ui.actions[name].trigger()
        window.ui.actions[name].trigger()
    open_now = [top for top in QApplication.topLevelWidgets() if top.isVisible() and top is not window]
    assert len(open_now) == 2
    window.close()
    assert not any(top.isVisible() for top in open_now)


def test_kinds_come_back_after_a_restart(make: Make, qtbot: QtBot) -> None:
    """Who works on one kind for weeks does not choose it anew each morning."""
    first = make()
    first.settings.set("kinds", ("epistemological",))
    first.close()
    again = make()
    read(again, qtbot, ["reveals"])
