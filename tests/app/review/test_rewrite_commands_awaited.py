"""Protects a wording that is chosen before it is found: it is put in when it comes, or called off, and that is told."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import pytest
from fake_rewriter import FakeRewriter
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from test_rewrite_commands import known
from windows import TEXT, Make, read

from app.analysis.suggestions import SOON
from app.main_window.window import MainWindow
from app.review.card import FindingCard
from app.review.rewrite_commands import OFF

WORDS = ["shameful", "reveals", "chairman"]


def waiting(make: Make, qtbot: QtBot, number: int, text: str = TEXT) -> tuple[MainWindow, Event]:
    """A window where the wording of that number is awaited at the first finding, and what lets the rewriter go on."""
    gate = Event()
    window = make(text, load_rewriter=lambda _: FakeRewriter(gate=gate))
    qtbot.waitUntil(lambda: len(window.pane.marks) > 0)
    window.activateWindow()
    window.review.go_to(window.pane.marks[0].finding)
    window.commands[f"use_{number}"].trigger()
    return window, gate


def card_note(window: MainWindow) -> str:
    card = window.middle.findChild(FindingCard)
    assert card is not None
    return card.wordings.note


def test_a_key_pressed_too_early_is_kept_and_told_until_the_wording_comes(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 2)
    assert window.status.currentMessage() == SOON.format(number=2)
    assert SOON.format(number=2) in card_note(window)
    assert window.pane.text() == TEXT
    gate.set()
    changed = TEXT.replace("shameful", "criticised")
    qtbot.waitUntil(lambda: window.pane.text() == changed)
    assert "“shameful” → “criticised”" in window.status.currentMessage()
    read(window, qtbot, ["reveals", "chairman"])
    assert window.pane.text() == changed, "it is put in once"
    window.commands["undo"].trigger()
    assert window.pane.text() == TEXT


def test_the_last_key_counts(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 1)
    window.commands["use_2"].trigger()
    assert SOON.format(number=2) in card_note(window)
    gate.set()
    qtbot.waitUntil(lambda: window.pane.text() == TEXT.replace("shameful", "criticised"))


def test_the_wording_comes_to_a_card_that_is_away_too(make: Make, qtbot: QtBot) -> None:
    """The mouse may have gone, or another window have come."""
    window, gate = waiting(make, qtbot, 2)
    window.cards.hide()
    gate.set()
    qtbot.waitUntil(lambda: window.pane.text() == TEXT.replace("shameful", "criticised"))


def _type(window: MainWindow) -> None:
    QTest.keyClicks(window.pane, "x")


def _type_elsewhere(window: MainWindow) -> None:
    QTextCursor(window.pane.document()).insertText("So: ")


def _escape(window: MainWindow) -> None:
    QTest.keyClick(window.pane, Qt.Key.Key_Escape)


def _escape_without_card(window: MainWindow) -> None:
    window.cards.hide()
    QTest.keyClick(window.pane, Qt.Key.Key_Escape)


def _go_on(window: MainWindow) -> None:
    window.commands["next"].trigger()


def _caret_on_another(window: MainWindow) -> None:
    window.pane.go_to(window.pane.marks[2].start)


def _end_the_review(window: MainWindow) -> None:
    window.commands["review_all"].trigger()
    window.commands["use_2"].trigger()
    QTest.keyClick(window.pane, Qt.Key.Key_Escape)


@pytest.mark.parametrize(
    "deed",
    [_type, _type_elsewhere, _escape, _escape_without_card, _go_on, _caret_on_another, _end_the_review],
)
def test_what_is_awaited_is_forgotten(make: Make, qtbot: QtBot, deed: Callable[[MainWindow], None]) -> None:
    window, gate = waiting(make, qtbot, 2)
    spoken: list[str] = []
    window.rewording.told.connect(spoken.append)
    deed(window)
    assert spoken[-1] == OFF
    before = window.pane.text()
    assert "criticised" not in before
    gate.set()
    known(window, qtbot)
    known(window, qtbot, 1)
    qtbot.wait(20)
    assert window.pane.text() == before
    assert spoken[-1] == OFF
    window.review.go_to(window.pane.marks[0].finding)
    assert card_note(window) == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Escape])
def test_a_row_of_the_list_that_is_left_is_not_reworded_later(make: Make, qtbot: QtBot, key: Qt.Key) -> None:
    gate = Event()
    window = make(load_rewriter=lambda _: FakeRewriter(gate=gate))
    read(window, qtbot, WORDS)
    window.activateWindow()
    listed = window.issues_dock.findChild(QListView)
    assert listed is not None
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(1, 0))
    window.commands["use_1"].trigger()
    assert window.status.currentMessage() == SOON.format(number=1)
    QTest.keyClick(listed, key)
    gate.set()
    qtbot.waitUntil(lambda: window.status.currentMessage() == OFF)
    known(window, qtbot, 1)
    known(window, qtbot, 2)
    assert window.pane.text() == TEXT


def test_a_reading_in_between_loses_nothing(make: Make, qtbot: QtBot) -> None:
    """The finding of the new reading is another one, with the same words in the same sentence."""
    window, gate = waiting(make, qtbot, 2)
    QTextCursor(window.pane.document()).insertText("👍 So. ")
    assert window.status.currentMessage() == OFF
    old = window.pane.marks[0].finding
    window.pane.go_to(window.pane.marks[0].start)
    window.commands["use_2"].trigger()
    assert window.status.currentMessage() == SOON.format(number=2)
    qtbot.waitUntil(lambda: window.suggesting._fresh and window.pane.marks[0].finding != old)
    assert SOON.format(number=2) in card_note(window)
    gate.set()
    qtbot.waitUntil(lambda: window.pane.text() == "👍 So. " + TEXT.replace("shameful", "criticised"))


def test_an_awaited_wording_that_does_not_come_is_told(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 1, text="A plot.")
    gate.set()
    qtbot.waitUntil(lambda: window.status.currentMessage() == "No better wording found.")
    assert card_note(window) == "No better wording found."
    assert window.pane.text() == "A plot."


def test_a_number_that_does_not_come_is_told(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 3)
    gate.set()
    qtbot.waitUntil(lambda: window.status.currentMessage() == "There is no wording 3.")
    assert window.pane.text() == TEXT


def test_an_awaited_wording_leads_the_review_on(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    window = make(load_rewriter=lambda _: FakeRewriter(gate=gate))
    read(window, qtbot, WORDS)
    window.commands["review_all"].trigger()
    window.commands["use_2"].trigger()
    gate.set()
    qtbot.waitUntil(lambda: window.review_bar.text.endswith("1 changed"))
    assert window.cards.shown is not None
    assert window.cards.shown.text == "reveals"
