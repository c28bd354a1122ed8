"""Protects the place of the card in the window: over the text, beside its words, never over a bar."""

from __future__ import annotations

import pytest
from fake_reader import FakeReader
from PySide6.QtCore import QPoint, QRect
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.review.card import FindingCard
from core.types import Kind

LINES = "Some words come first. " * 3
DRAFT = "".join(f"{LINES}\n\nThe shameful plan number {number} was a plot.\n\n" for number in range(6))


def card_of(window: MainWindow) -> FindingCard:
    card = window.ui.central.findChild(FindingCard)
    assert card is not None
    return card


def words_of(window: MainWindow) -> list[QRect]:
    """The rectangles of the words of the shown finding, in the window's middle."""
    editor, finding = window.ui.editor, window.components.card.shown_finding
    mark = editor.marks.find(finding) if finding is not None else None
    assert mark is not None
    boxes = [box.toAlignedRect() for box in editor.rects_of(mark)]
    assert boxes
    return [QRect(editor.viewport().mapTo(window.ui.central, box.topLeft()), box.size()) for box in boxes]


def covered(window: MainWindow) -> list[str]:
    """What the card stands over: bars, and its own words."""
    card, ui = card_of(window).geometry(), window.ui
    bars: dict[str, QWidget] = {"review": ui.review_bar, "message": ui.message_bar, "find": ui.find_bar}
    found = [name for name, bar in bars.items() if bar.isVisible() and card.intersects(bar.geometry())]
    return found + ["words" for box in words_of(window) if card.intersects(box)]


@pytest.mark.parametrize("size", [(1180, 780), (700, 517), (683, 384), (683, 330)])
def test_a_review_never_covers_its_bar_or_the_words(make: Make, qtbot: QtBot, size: tuple[int, int]) -> None:
    """At 200% a common laptop has 683 by 384 points, some of them taken by the system: the card becomes lower and
    scrolls.
    """
    window = make(DRAFT)
    window.ui.findings_dock.hide()
    window.ui.document_dock.hide()
    window.resize(*size)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["review_all"].trigger()
    seen = 0
    while window.components.card.shown_finding is not None:
        assert covered(window) == []
        assert window.ui.central.rect().contains(card_of(window).geometry())
        seen += 1
        window.ui.actions["next"].trigger()
    assert seen == 12


def test_a_bar_that_comes_while_it_is_open_is_not_covered(make: Make, qtbot: QtBot) -> None:
    """A message moves the text down, and the card with it, also where all of the text stays in sight."""
    window = make("The shameful plan.\n")
    window.resize(780, 640)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.components.card.show_now(window.ui.editor.marks[0].finding)
    below = card_of(window).y() - words_of(window)[0].y()
    window.ui.message_bar.show_message("\n".join(["One line."] * 6))
    qtbot.waitUntil(lambda: window.ui.editor.y() > 60)
    qtbot.waitUntil(lambda: covered(window) == [])
    assert card_of(window).y() - words_of(window)[0].y() == below
    window.ui.message_bar.clear()
    qtbot.waitUntil(lambda: window.ui.editor.y() == 0)
    qtbot.waitUntil(lambda: card_of(window).y() - words_of(window)[0].y() == below)


def test_words_on_two_lines_are_not_covered(make: Make, qtbot: QtBot) -> None:
    """The card stands below the last line of its words, not over it."""
    long = "x" * 150
    reader = FakeReader({long: (Kind.FRAMING, 0.9, None)})
    window = make(f"The plan is {long}.\n", load=lambda: reader)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.components.card.show_now(window.ui.editor.marks[0].finding)
    assert len(words_of(window)) > 1
    assert covered(window) == []


def rest_on_words(window: MainWindow, qtbot: QtBot) -> None:
    """Rest with the mouse on the first finding until its card is there.

    The mouse comes from elsewhere: Qt sends no move to where the mouse already is, as after another test.
    """
    mark = window.ui.editor.marks[0]
    QTest.mouseMove(window.ui.status_bar, QPoint(20, 5))
    QTest.mouseMove(window.ui.editor.viewport(), window.ui.editor.rects_of(mark)[0].center().toPoint())
    qtbot.waitUntil(lambda: window.components.card.shown_finding == mark.finding)


def timers_end(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the card would have been hidden."""
    timer = window.components.card._hide_timer
    qtbot.waitUntil(lambda: not timer.isActive())


def test_a_mouse_that_leaves_the_text_over_its_edge_closes_the_card(make: Make, qtbot: QtBot) -> None:
    """As one that moves to other words does."""
    window = make(DRAFT)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    rest_on_words(window, qtbot)
    QTest.mouseMove(window.ui.status_bar, QPoint(20, 5))
    qtbot.waitUntil(lambda: window.components.card.shown_finding is None)
    rest_on_words(window, qtbot)


def test_a_mouse_that_leaves_the_text_for_the_card_keeps_it(make: Make, qtbot: QtBot) -> None:
    window = make(DRAFT)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    rest_on_words(window, qtbot)
    card = card_of(window)
    QTest.mouseMove(card, card.rect().center())
    timers_end(window, qtbot)
    assert window.components.card.shown_finding is not None
    QTest.mouseMove(window.ui.status_bar, QPoint(20, 5))
    qtbot.waitUntil(lambda: window.components.card.shown_finding is None)


def test_a_mouse_that_leaves_the_text_keeps_a_card_that_the_keyboard_opened(make: Make, qtbot: QtBot) -> None:
    window = make(DRAFT)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["next"].trigger()
    shown = window.components.card.shown_finding
    assert shown is not None
    QTest.mouseMove(window.ui.status_bar, QPoint(40, 5))
    QTest.mouseMove(
        window.ui.editor.viewport(),
        window.ui.editor.rects_of(window.ui.editor.marks[0])[0].center().toPoint(),
    )
    QTest.mouseMove(window.ui.status_bar, QPoint(20, 5))
    timers_end(window, qtbot)
    assert window.components.card.shown_finding == shown
