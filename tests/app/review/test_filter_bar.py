"""The filters at the right of the toolbar: one with the menu, and never cut in half where there is little room."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QMenu
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


def test_what_has_no_room_is_hidden_whole_from_the_right(qtbot: QtBot) -> None:
    bar, _, _ = made(qtbot)
    more = QLabel("a filter of some width")
    bar.add(more)
    parts = (bar.kinds, bar.quotes, more)
    full = bar.sizeHint().width()
    assert bar.minimumSizeHint().width() == 0
    seen = []
    for width in (full, full - 10, bar.kinds.sizeHint().width() + 10, 5):
        bar.resize(width, 40)
        qtbot.waitUntil(lambda width=width: bar.width() == width)
        seen.append([part.isVisible() for part in parts])
    assert seen == [[True] * 3, [True, True, False], [True, False, False], [False] * 3]


def test_a_filter_that_hides_itself_takes_no_room(qtbot: QtBot) -> None:
    """The slider of sensitivity is there only for a reader that was measured."""
    bar, _, _ = made(qtbot)
    before = bar.sizeHint().width()
    more = QLabel("a filter of some width")
    more.hide()
    bar.add(more)
    assert bar.sizeHint().width() - before < more.sizeHint().width()
