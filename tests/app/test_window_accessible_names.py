"""Every control of the window and of its dialogs has a name and a role for a screen reader, and a way by keyboard.

A new dialog is added in one place: ``DIALOGS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.commands.actions import COMMANDS
from app.commands.palette import list_entries
from app.commands.shortcuts import default_keys
from app.main_window.window import MainWindow
from app.settings.settings import PAGES

Role = QAccessible.Role
# The first class that fits says which roles are right.
ROLES: tuple[tuple[type[QWidget], set[QAccessible.Role]], ...] = (
    (QCheckBox, {Role.CheckBox}),
    (QPushButton, {Role.Button, Role.ButtonMenu, Role.CheckBox}),
    (QAbstractButton, {Role.Button, Role.ButtonMenu, Role.ButtonDropDown, Role.CheckBox, Role.RadioButton}),
    (QComboBox, {Role.ComboBox}),
    (QSlider, {Role.Slider}),
    (QLineEdit, {Role.EditableText}),
    (QPlainTextEdit, {Role.EditableText, Role.StaticText}),
    (QListView, {Role.List}),
    (QTableView, {Role.Table}),
)
MOST_TABS = 80


def by_command(name: str) -> Callable[[MainWindow], QWidget]:
    """The dialog that a command opens."""

    def opened(window: MainWindow) -> QWidget:
        before = set(tops())
        window.ui.actions[name].trigger()
        (dialog,) = (top for top in tops() if top not in before)
        return dialog

    return opened


def settings_page(name: str) -> Callable[[MainWindow], QWidget]:
    """The settings, open at a page, every row changed so that its way back is there."""

    def opened(window: MainWindow) -> QWidget:
        from app.settings.settings_dialog import SettingsDialog

        dialog = by_command("settings")(window)
        assert isinstance(dialog, SettingsDialog)
        dialog.pages.setCurrentRow(list(PAGES).index(name))
        return dialog

    return opened


def training_section(number: int) -> Callable[[MainWindow], QWidget]:
    """The settings, open at a section of the training room."""

    def opened(window: MainWindow) -> QWidget:
        from app.training.training_page import TrainingPage

        dialog = settings_page("models")(window)
        room = dialog.findChild(TrainingPage)
        assert room is not None
        room.tabs.setCurrentIndex(number)
        return dialog

    return opened


def about(window: MainWindow) -> QWidget:
    from app.help.dialogs import about_dialog, load_cards

    dialog = about_dialog(window, version="1", reader="reader test 1.0", cards=load_cards())
    dialog.show()
    return dialog


def wikipedia(window: MainWindow) -> QWidget:
    from app.documents.wikipedia_dialog import WikipediaDialog

    window.settings.set("wikipedia", True)
    dialog = WikipediaDialog(window.settings, window)
    dialog.show()
    return dialog


def get_models(window: MainWindow) -> QWidget:
    from app.models.download_dialog import DownloadDialog

    window.components.missing_models.open_download_dialog()
    dialog = window.findChild(DownloadDialog)
    assert dialog is not None
    return dialog


DIALOGS: dict[str, Callable[[MainWindow], QWidget]] = {
    "settings, general": settings_page("general"),
    "settings, checking": settings_page("checking"),
    "settings, house style": settings_page("style"),
    "settings, models": settings_page("models"),
    "training, retrain": training_section(1),
    "training, runs": training_section(2),
    "training, corrections": training_section(3),
    "settings, network": settings_page("network"),
    "settings, accessibility": settings_page("accessibility"),
    "palette": by_command("palette"),
    "shortcuts": by_command("shortcuts"),
    "compare": by_command("compare"),
    "dashboard": by_command("dashboard"),
    "ignored": by_command("ignored"),
    "audit": by_command("audit"),
    "chart as a picture": by_command("export_chart"),
    "about": about,
    "wikipedia": wikipedia,
    "get the models": get_models,
    "news": by_command("news"),
}


def nothing(_window: MainWindow) -> None:
    """The window as it stands."""


STATES: dict[str, Callable[[MainWindow], object]] = {
    "window": nothing,
    "card": lambda window: window.ui.actions["next"].trigger(),
    "find bar": lambda window: window.ui.actions["find"].trigger(),
    "review bar": lambda window: window.ui.actions["review_all"].trigger(),
    "message": lambda window: window.ui.message_bar.show_message("Something to know."),
    "no models": lambda window: window.components.missing_models.report_missing("reader"),
}


def tops() -> list[QWidget]:
    return [top for top in QApplication.topLevelWidgets() if top.isVisible() and top.isWindow()]


def controls(surface: QWidget) -> Iterator[QWidget]:
    """Everything in view that can have the focus, without the inner parts of Qt's own widgets."""
    for widget in surface.findChildren(QWidget):
        if isinstance(widget, QLabel) and not widget.text():
            continue
        inner = isinstance(widget.parentWidget(), QAbstractScrollArea) or widget.objectName().startswith(
            "qt_"
        )
        if (
            widget.focusPolicy() != Qt.FocusPolicy.NoFocus
            and widget.focusProxy() is None
            and widget.isVisible()
            and widget.window() is surface.window()
            and not inner
        ):
            yield widget


def told(widget: QWidget) -> str:
    parent = widget.parentWidget()
    return f"{type(widget).__name__} {widget.objectName()!r} in {type(parent).__name__}"


def nameless(surface: QWidget) -> list[str]:
    """The controls of which a screen reader would say nothing, or something wrong."""
    found = []
    for widget in controls(surface):
        face = QAccessible.queryAccessibleInterface(widget)
        if not face.text(QAccessible.Text.Name).strip():
            found.append(f"no name: {told(widget)}")
        right = next((roles for kind, roles in ROLES if isinstance(widget, kind)), None)
        role = face.role()
        if role == Role.NoRole or (right is not None and role not in right):
            found.append(f"role {role.name}: {told(widget)}")
    return found


def by_tab(surface: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> set[QWidget]:
    """What Tab reaches from the present focus, until it comes round or stands in a text that takes tabs."""
    seen: set[QWidget] = set()
    for _ in range(MOST_TABS):
        focus = surface.focusWidget()
        if focus is None or focus in seen:
            break
        seen.add(focus)
        if isinstance(focus, QPlainTextEdit) and not focus.isReadOnly() and not focus.tabChangesFocus():
            break
        QTest.keyClick(focus, key)
    return seen


def unreached(surface: QWidget, seen: set[QWidget]) -> list[str]:
    wanted = [
        widget
        for widget in controls(surface)
        if widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
    ]
    return [told(widget) for widget in wanted if widget not in seen]


@pytest.fixture
def window(make: Make, qtbot: QtBot) -> MainWindow:
    made: MainWindow = make()
    read(made, qtbot, ["shameful", "reveals", "chairman"])
    made.activateWindow()
    qtbot.waitActive(made)
    return made


@pytest.mark.parametrize("state", STATES)
def test_every_control_of_the_window_speaks_and_is_reached(
    window: MainWindow, qtbot: QtBot, state: str
) -> None:
    """F6 goes from area to area, Tab and Shift+Tab through each: nothing in view is for the mouse alone (A2.20)."""
    STATES[state](window)
    QApplication.processEvents()
    mute = nameless(window)
    assert not mute, "\n".join(mute)
    starts = [window.focusWidget()]
    window.ui.editor.setFocus()
    for _ in range(8):
        window.ui.actions["next_area"].trigger()
        starts.append(window.focusWidget())
    seen: set[QWidget] = set()
    for start in starts:
        for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            if start is not None and start.isVisible():
                start.setFocus()
                seen |= by_tab(window, key)
    left = unreached(window, seen)
    assert not left, "\n".join(left)


@pytest.mark.parametrize("name", DIALOGS)
def test_every_control_of_a_dialog_speaks_and_is_reached(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, name: str
) -> None:
    """A dialog that cannot be read or left by keyboard shuts out who has no mouse (WCAG 2.2, 2.1.1 and 4.1.2)."""
    dialog = DIALOGS[name](window)
    qtbot.waitUntil(dialog.isVisible)
    QApplication.processEvents()
    assert dialog.windowTitle()
    mute = nameless(dialog)
    assert not mute, "\n".join(mute)
    first = dialog.focusWidget() or next(iter(controls(dialog)))
    first.setFocus()
    left = unreached(dialog, by_tab(dialog))
    assert not left, "\n".join(left)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: dialog not in tops())


def test_every_command_is_given_by_keyboard(window: MainWindow) -> None:
    """The palette holds all commands and every choice of the menus, and has keys itself."""
    assert default_keys("palette")
    assert {entry.key for entry in list_entries(window)} >= set(COMMANDS) - {"palette"}
    assert all(entry.name.strip() for entry in list_entries(window))
