"""Protects the window on small screens: it fits the screen, and everything in it can be reached."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.commands.actions import TOOLBAR
from app.main_window.window import MainWindow
from app.settings.settings_dialog import SettingsDialog

WORDS = ["shameful", "reveals", "chairman"]


def on_screen(monkeypatch: pytest.MonkeyPatch, width: int, height: int) -> None:
    screen = SimpleNamespace(availableGeometry=lambda: QRect(0, 0, width, height))
    monkeypatch.setattr(MainWindow, "screen", lambda _: screen)


def shrink(window: MainWindow, width: int = 1, height: int = 1) -> None:
    window.resize(width, height)
    QApplication.processEvents()
    window.resize(width, height)
    QApplication.processEvents()


@pytest.mark.parametrize("size", [(1280, 1000), (1024, 728), (683, 360)])
def test_a_window_fits_its_screen_at_the_first_and_at_a_later_start(
    make: Make, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    on_screen(monkeypatch, *size)
    first = make()
    assert first.width() <= size[0]
    assert first.height() < size[1], "the title bar has room too"
    monkeypatch.undo()
    first.resize(790, 790)
    first.close()
    on_screen(monkeypatch, *size)
    later = make()
    assert later.width() <= size[0]
    assert later.height() < size[1]


def test_on_a_low_screen_the_panels_share_one_place(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where they stood above each other on the screen before."""
    high = make()
    assert high.ui.document_dock not in high.tabifiedDockWidgets(high.ui.findings_dock)
    high.close()
    on_screen(monkeypatch, 683, 360)
    low = make()
    beside = low.tabifiedDockWidgets(low.ui.findings_dock)
    assert set(beside) == {low.ui.document_dock, low.ui.words_dock, low.ui.versions_dock}


def test_at_twice_the_scale_a_window_with_a_review_fits_a_laptop(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen of 1366 by 768 pixels then has 683 by 384 points, a part of them taken by the system."""
    on_screen(monkeypatch, 683, 350)
    window = make()
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["review_all"].trigger()
    for dock in window.ui.docks:
        window.ui.show_panel(dock)
        QApplication.processEvents()
        shrink(window)
        assert window.width() < 683
        assert window.height() < 350
    for button in window.ui.review_bar.buttons.values():
        assert button.isVisible()
        assert window.ui.review_bar.rect().contains(button.geometry())
    window.ui.actions["replace"].trigger()
    shrink(window)
    assert window.width() < 683
    assert window.height() < 350
    bar = window.ui.find_bar
    for part in (*bar.findChildren(QToolButton), *bar.findChildren(QLineEdit)):
        if not isinstance(part.parentWidget(), QLineEdit):
            assert part.isVisible()
            assert bar.rect().contains(QRect(part.mapTo(bar, QPoint(0, 0)), part.size()))


@pytest.mark.parametrize("size", [None, (683, 350)])
def test_the_settings_keep_their_size_on_every_page(make: Make, size: tuple[int, int] | None) -> None:
    window = make()
    window.ui.actions["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    if size is not None:
        dialog.resize(*size)
    QApplication.processEvents()
    was = dialog.size()
    for page in range(dialog.pages.count()):
        dialog.pages.setCurrentRow(page)
        QApplication.processEvents()
        assert dialog.size() == was
    dialog.close()


def test_in_a_narrow_window_every_control_of_the_toolbar_can_be_reached(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    ui = window.ui
    shrink(window, 700, 500)
    for name in TOOLBAR:
        if name != "-":
            button = ui.toolbar.widgetForAction(ui.actions[name])
            assert button.isVisible(), name
            assert ui.toolbar.rect().contains(button.geometry()), name
    more, slider = ui.filter_bar.more, ui.sensitivity.slider
    assert more.isVisible()
    assert ui.toolbar.rect().contains(more.rect().translated(more.mapTo(ui.toolbar, more.rect().topLeft())))
    assert not slider.isVisible()
    menu = more.menu()
    menu.popup(more.mapToGlobal(more.rect().bottomLeft()))
    assert slider.isVisible()
    for _ in menu.actions():
        QTest.keyClick(menu, Qt.Key.Key_Down)
        if slider.hasFocus():
            break
    assert slider.hasFocus()
    QTest.keyClick(slider, Qt.Key.Key_Left)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    assert not menu.isVisible()
    read(window, qtbot, ["shameful"])
    shrink(window, 1180, 500)
    assert slider.isVisible()
    assert slider.value() == -2
    assert not more.isVisible()
