"""The filters at the right of the toolbar: one with the menu, never cut in half, and all there where there is little
room.
"""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget, QWidgetAction
from pytestqt.qtbot import QtBot

from app.review.filter_bar import FilterBar


def made(qtbot: QtBot) -> tuple[FilterBar, QAction, QMenu]:
    menu = QMenu()
    qtbot.addWidget(menu)
    quotes = QAction("Include quotations")
    quotes.setCheckable(True)
    bar = FilterBar(menu, quotes)
    qtbot.addWidget(bar)
    bar.show()
    return bar, quotes, menu


def test_switch_and_command_are_one(qtbot: QtBot) -> None:
    bar, quotes, _ = made(qtbot)
    assert bar.quotes.text() == "Quotations: exempt"
    quotes.trigger()
    assert bar.quotes.text() == bar.quotes.accessibleName() == "Quotations: marked"
    assert bar.quotes.isChecked()
    bar.quotes.click()
    assert not quotes.isChecked()
    assert bar.quotes.text() == "Quotations: exempt"


def test_the_button_has_the_menu_of_kinds(qtbot: QtBot) -> None:
    bar, _, menu = made(qtbot)
    assert bar.kinds.menu() is menu


def widgets_of(menu: QMenu) -> list[QWidget]:
    return [one.defaultWidget() for one in menu.actions() if isinstance(one, QWidgetAction)]


def test_what_has_no_room_is_in_the_menu_from_the_right(qtbot: QtBot) -> None:
    bar, quotes, kinds = made(qtbot)
    label = QLabel("a filter of some width")
    bar.add(label)
    menu = bar.more.menu()
    parts = (bar.kinds, bar.quotes, label)
    full, end = bar.sizeHint().width(), bar.minimumSizeHint().width()
    assert end >= bar.more.sizeHint().width()
    assert bar.more.accessibleName() == "More controls"
    seen, left = [], []
    for width in (full, full - 1, bar.kinds.sizeHint().width() + end + 8, end):
        bar.resize(width, 40)
        QApplication.processEvents()
        assert bar.width() == width
        seen.append([part.isVisible() for part in parts])
        left.append(menu.actions()[:2])
        assert bar.more.isVisible() == bool(menu.actions())
        assert bar.more.geometry().right() < width
        assert any(one.isAncestorOf(label) for one in widgets_of(menu)) == bool(menu.actions())
    assert seen == [[True] * 3, [True, True, False], [True, False, False], [False] * 3]
    assert left[2][0] is quotes
    assert left[3] == [kinds.menuAction(), quotes]
    menu.popup(bar.mapToGlobal(bar.rect().bottomLeft()))
    assert label.isVisible()
    menu.close()
    bar.resize(full, 40)
    QApplication.processEvents()
    assert [part.isVisible() for part in parts] == [True] * 3
    assert menu.actions() == []


def test_the_menu_is_there_for_no_filter_that_has_hidden_itself(qtbot: QtBot) -> None:
    bar, _, _ = made(qtbot)
    full = bar.sizeHint().width()
    bar.resize(full, 40)
    label = QLabel("a filter of some width")
    bar.add(label)
    assert not label.isVisible()
    assert bar.more.isVisible()
    label.hide()
    assert not bar.more.isVisible()
    label.show()
    assert bar.more.isVisible()
    assert not label.isVisible()


def test_a_filter_that_hides_itself_takes_no_room(qtbot: QtBot) -> None:
    """The slider of sensitivity is there only for a reader that was measured."""
    bar, _, _ = made(qtbot)
    before = bar.sizeHint().width()
    more = QLabel("a filter of some width")
    more.hide()
    bar.add(more)
    assert bar.sizeHint().width() - before < more.sizeHint().width()
