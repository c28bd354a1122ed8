"""Protects a suggestion that is chosen before it is found: it is put in when it comes, or called off, and told."""

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

from app.analysis.suggestions import WILL_APPLY
from app.main_window.window import MainWindow
from app.review.card import FindingCard
from app.review.rewrite_commands import CANCELLED

WORDS = ["shameful", "reveals", "chairman"]


def waiting(make: Make, qtbot: QtBot, number: int, text: str = TEXT) -> tuple[MainWindow, Event]:
    """A window where the suggestion of that number is awaited at the first finding, and what lets the rewriter on."""
    gate = Event()
    window = make(text, load_rewriter=lambda _: FakeRewriter(gate=gate))
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) > 0)
    window.activateWindow()
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    window.ui.actions[f"use_{number}"].trigger()
    return window, gate


def card_note(window: MainWindow) -> str:
    card = window.ui.central.findChild(FindingCard)
    assert card is not None
    return card.suggestions.note


def test_a_key_pressed_too_early_is_kept_and_told_until_the_suggestion_comes(
    make: Make, qtbot: QtBot
) -> None:
    window, gate = waiting(make, qtbot, 2)
    assert window.ui.status_bar.currentMessage() == WILL_APPLY.format(number=2)
    assert WILL_APPLY.format(number=2) in card_note(window)
    assert window.ui.editor.text() == TEXT
    gate.set()
    changed = TEXT.replace("shameful", "criticised")
    qtbot.waitUntil(lambda: window.ui.editor.text() == changed)
    assert "“shameful” → “criticised”" in window.ui.status_bar.currentMessage()
    read(window, qtbot, ["reveals", "chairman"])
    assert window.ui.editor.text() == changed, "it is put in once"
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == TEXT


def test_the_last_key_counts(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 1)
    window.ui.actions["use_2"].trigger()
    assert WILL_APPLY.format(number=2) in card_note(window)
    gate.set()
    qtbot.waitUntil(lambda: window.ui.editor.text() == TEXT.replace("shameful", "criticised"))


def test_the_suggestion_comes_to_a_card_that_is_away_too(make: Make, qtbot: QtBot) -> None:
    """The mouse may have gone, or another window have come."""
    window, gate = waiting(make, qtbot, 2)
    window.components.card.hide()
    gate.set()
    qtbot.waitUntil(lambda: window.ui.editor.text() == TEXT.replace("shameful", "criticised"))


def _type(window: MainWindow) -> None:
    QTest.keyClicks(window.ui.editor, "x")


def _type_elsewhere(window: MainWindow) -> None:
    QTextCursor(window.ui.editor.document()).insertText("So: ")


def _escape(window: MainWindow) -> None:
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Escape)


def _escape_without_card(window: MainWindow) -> None:
    window.components.card.hide()
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Escape)


def _go_on(window: MainWindow) -> None:
    window.ui.actions["next"].trigger()


def _caret_on_another(window: MainWindow) -> None:
    window.ui.editor.go_to(window.ui.editor.marks[2].start)


def _end_the_review(window: MainWindow) -> None:
    window.ui.actions["review_all"].trigger()
    window.ui.actions["use_2"].trigger()
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Escape)


@pytest.mark.parametrize(
    "deed",
    [_type, _type_elsewhere, _escape, _escape_without_card, _go_on, _caret_on_another, _end_the_review],
)
def test_what_is_awaited_is_forgotten(make: Make, qtbot: QtBot, deed: Callable[[MainWindow], None]) -> None:
    window, gate = waiting(make, qtbot, 2)
    spoken: list[str] = []
    window.components.rewrite.status_message.connect(spoken.append)
    deed(window)
    assert spoken[-1] == CANCELLED
    before = window.ui.editor.text()
    assert "criticised" not in before
    gate.set()
    known(window, qtbot)
    known(window, qtbot, 1)
    qtbot.wait(20)
    assert window.ui.editor.text() == before
    assert spoken[-1] == CANCELLED
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    assert card_note(window) == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Down, Qt.Key.Key_Escape])
def test_a_row_of_the_list_that_is_left_is_not_reworded_later(make: Make, qtbot: QtBot, key: Qt.Key) -> None:
    gate = Event()
    window = make(load_rewriter=lambda _: FakeRewriter(gate=gate))
    read(window, qtbot, WORDS)
    window.activateWindow()
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(1, 0))
    window.ui.actions["use_1"].trigger()
    assert window.ui.status_bar.currentMessage() == WILL_APPLY.format(number=1)
    QTest.keyClick(listed, key)
    gate.set()
    qtbot.waitUntil(lambda: window.ui.status_bar.currentMessage() == CANCELLED)
    known(window, qtbot, 1)
    known(window, qtbot, 2)
    assert window.ui.editor.text() == TEXT


def test_a_reading_in_between_loses_nothing(make: Make, qtbot: QtBot) -> None:
    """The finding of the new reading is another one, with the same words in the same sentence."""
    window, gate = waiting(make, qtbot, 2)
    QTextCursor(window.ui.editor.document()).insertText("👍 So. ")
    assert window.ui.status_bar.currentMessage() == CANCELLED
    old = window.ui.editor.marks[0].finding
    window.ui.editor.go_to(window.ui.editor.marks[0].start)
    window.ui.actions["use_2"].trigger()
    assert window.ui.status_bar.currentMessage() == WILL_APPLY.format(number=2)
    qtbot.waitUntil(
        lambda: window.components.prefetch._is_current and window.ui.editor.marks[0].finding != old
    )
    assert WILL_APPLY.format(number=2) in card_note(window)
    gate.set()
    qtbot.waitUntil(lambda: window.ui.editor.text() == "👍 So. " + TEXT.replace("shameful", "criticised"))


def test_an_awaited_suggestion_that_does_not_come_is_told(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 1, text="A plot.")
    gate.set()
    qtbot.waitUntil(lambda: window.ui.status_bar.currentMessage() == "No suitable suggestion found.")
    assert card_note(window) == "No suitable suggestion found."
    assert window.ui.editor.text() == "A plot."


def test_a_number_that_does_not_come_is_told(make: Make, qtbot: QtBot) -> None:
    window, gate = waiting(make, qtbot, 3)
    gate.set()
    qtbot.waitUntil(lambda: window.ui.status_bar.currentMessage() == "There is no suggestion 3.")
    assert window.ui.editor.text() == TEXT


def test_an_awaited_suggestion_leads_the_review_on(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    window = make(load_rewriter=lambda _: FakeRewriter(gate=gate))
    read(window, qtbot, WORDS)
    window.ui.actions["review_all"].trigger()
    window.ui.actions["use_2"].trigger()
    gate.set()
    qtbot.waitUntil(lambda: window.ui.review_bar.text.endswith("1 changed"))
    assert window.components.card.shown_finding is not None
    assert window.components.card.shown_finding.text == "reveals"
