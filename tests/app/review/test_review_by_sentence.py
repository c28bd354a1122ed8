"""Protects the review by sentence: every sentence is met once with all its findings, accepted as one step, skipped, or
gone through finding by finding; sentences are counted, all of it by keyboard, and the choice lasts.
"""

from __future__ import annotations

import pytest
from fake_rewriter import FakeRewriter
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.window import MainWindow
from app.review.ignore_commands import WHOLE_SENTENCE

DRAFT = "The shameful 👍🏽 record reveals it. A legendary plan.\n\nThe chairman claims it. A plot.\n"
REWORDED = DRAFT.replace("The shameful 👍🏽 record reveals it.", "The 👍🏽 record says it.")
WORDS = ["shameful", "reveals", "legendary", "chairman", "claims", "plot"]


def walking(make: Make, qtbot: QtBot, text: str = DRAFT) -> MainWindow:
    """A window whose review by sentence has begun, at the first sentence with its suggestion known."""
    window = make(text)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["by_sentence"].trigger()
    window.ui.actions["review_all"].trigger()
    settled(window, qtbot)
    return window


def settled(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the text is analysed and the suggestions of the card are known."""
    parts = window.components
    qtbot.waitUntil(
        lambda: (
            parts.prefetch._is_current
            and (parts.card.shown_finding is None or not parts.prefetch.get(parts.card.shown_finding).pending)
        )
    )


def card_text(window: MainWindow) -> str:
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert card is not None
    return "\n".join(label.text() for label in card.findChildren(QLabel) if label.isVisible())


def diff(window: MainWindow) -> str:
    """What the first row of the card shows."""
    row = window.ui.central.findChild(QWidget, "suggestion_1")
    assert row is not None
    assert row.isVisible()
    return row.shown  # type: ignore[attr-defined, no-any-return]


def progress(window: MainWindow) -> str:
    return window.ui.review_bar.text


def at(window: MainWindow) -> str:
    """The words of the finding on the card; empty at a whole sentence."""
    card = window.components.card
    return "" if card.shows_sentence or card.shown_finding is None else card.shown_finding.text


def test_each_stop_is_a_sentence_with_all_its_findings_and_one_diff(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    assert progress(window) == "Sentence 1 of 4"
    assert card_text(window).startswith("Sentence with 2 findings")
    assert "“shameful”: Framing" in card_text(window)
    assert "“reveals”: Epistemological" in card_text(window)
    assert diff(window) == "The shameful 👍🏽 record reveals says it."
    for number, count in ((2, "1 finding"), (3, "2 findings"), (4, "1 finding")):
        window.ui.actions["next"].trigger()
        settled(window, qtbot)
        assert progress(window) == f"Sentence {number} of 4"
        assert card_text(window).startswith(f"Sentence with {count}")
    assert "No suitable suggestion found." in card_text(window)
    window.ui.actions["previous"].trigger()
    assert progress(window) == "Sentence 3 of 4"
    window.ui.actions["next"].trigger()
    window.ui.actions["next"].trigger()
    assert progress(window) == "Review by sentence: 0 changed, 0 ignored, 4 left."
    assert not window.components.guided_review.active
    assert window.ui.editor.text() == DRAFT


def test_a_sentence_is_accepted_in_one_step_and_counted_until_undone(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.actions["use_1"].trigger()
    assert window.ui.editor.text() == REWORDED
    assert progress(window) == "Sentence 2 of 4 · 1 changed"
    read(window, qtbot, WORDS[2:])
    settled(window, qtbot)
    assert progress(window) == "Sentence 2 of 4 · 1 changed"
    assert window.components.card.shows_sentence, "the new analysis leaves the stop as it is"
    window.ui.actions["next"].trigger()
    settled(window, qtbot)
    window.ui.actions["use_1"].trigger()
    window.ui.actions["next"].trigger()
    assert progress(window) == "Review by sentence: 2 changed, 0 ignored, 2 left."
    for text in (REWORDED, DRAFT):
        window.ui.actions["undo"].trigger()
        assert window.ui.editor.text() == text
    read(window, qtbot, WORDS)
    assert progress(window) == "Review by sentence: 0 changed, 0 ignored, 4 left."


def test_the_findings_of_a_sentence_one_by_one_and_then_the_next_sentence(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.actions["reword"].trigger()
    settled(window, qtbot)
    assert at(window) == "shameful"
    assert progress(window) == "Sentence 1 of 4, finding 1 of 2"
    assert window.ui.review_bar.buttons["once"].isVisible()
    window.ui.actions["use_2"].trigger()
    assert at(window) == "reveals"
    read(window, qtbot, WORDS[1:])
    settled(window, qtbot)
    assert progress(window) == "Sentence 1 of 4, finding 1 of 1 · 1 changed"
    window.ui.actions["next"].trigger()
    assert window.components.card.shows_sentence
    assert progress(window) == "Sentence 2 of 4 · 1 changed"
    window.ui.actions["previous"].trigger()
    assert window.components.card.shows_sentence, "going back, it is a sentence again"
    settled(window, qtbot)
    assert diff(window) == "The criticised 👍🏽 record reveals says it."


def test_the_same_key_and_the_button_of_the_card_lead_back_to_the_sentence(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.actions["reword"].trigger()
    window.ui.actions["next"].trigger()
    assert at(window) == "reveals"
    window.ui.actions["reword"].trigger()
    settled(window, qtbot)
    assert diff(window) == "The shameful 👍🏽 record reveals says it."
    button = window.ui.central.findChild(QToolButton, "reword_sentence")
    assert button is not None
    assert button.text().startswith("Findings one by one")
    button.click()
    assert at(window) == "shameful"
    button.click()
    assert window.components.card.shows_sentence


def test_a_sentence_is_not_ignored_but_its_findings_are_and_keep_their_words(
    make: Make, qtbot: QtBot
) -> None:
    window = walking(make, qtbot)
    assert not window.ui.review_bar.buttons["once"].isVisible()
    window.ui.actions["ignore"].trigger()
    assert window.ui.status_bar.currentMessage() == WHOLE_SENTENCE
    assert [mark.finding.text for mark in window.ui.editor.marks] == WORDS
    window.ui.actions["reword"].trigger()
    window.ui.actions["ignore"].trigger()
    assert at(window) == "reveals"
    window.ui.actions["reword"].trigger()
    settled(window, qtbot)
    window.ui.actions["use_1"].trigger()
    assert window.ui.editor.text() == DRAFT.replace("reveals", "says")
    assert progress(window) == "Sentence 2 of 4 · 1 changed"


def test_the_choice_is_remembered_and_can_change_on_the_way(make: Make, qtbot: QtBot) -> None:
    first = walking(make, qtbot)
    first.close()
    window = make(DRAFT)
    assert window.ui.actions["by_sentence"].isChecked()
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["review_all"].trigger()
    window.ui.actions["next"].trigger()
    assert progress(window) == "Sentence 2 of 4"
    window.ui.review_bar.by_sentence.trigger()
    assert not window.ui.actions["by_sentence"].isChecked()
    assert at(window) == "legendary"
    assert progress(window) == "3 of 6"
    window.ui.actions["next"].trigger()
    window.ui.actions["next"].trigger()
    assert at(window) == "claims"
    window.ui.review_bar.by_sentence.trigger()
    assert progress(window) == "Sentence 3 of 4"
    assert window.components.card.shows_sentence
    assert window.settings.value("by_sentence")


def test_the_keyboard_alone_does_it(make: Make, qtbot: QtBot) -> None:
    window = make(DRAFT)
    window.activateWindow()
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    alt, none = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
    for key, modifiers, expected in (
        (Qt.Key.Key_E, both, ""),
        (Qt.Key.Key_R, both, "Sentence 1 of 4"),
        (Qt.Key.Key_1, alt, "Sentence 2 of 4 · 1 changed"),
        (Qt.Key.Key_F8, none, "Sentence 3 of 4 · 1 changed"),
        (Qt.Key.Key_7, alt, "Sentence 3 of 4, finding 1 of 2 · 1 changed"),
        (Qt.Key.Key_0, alt, "Sentence 3 of 4, finding 1 of 1 · 1 changed, 1 ignored"),
        (Qt.Key.Key_F8, none, "Sentence 4 of 4 · 1 changed, 1 ignored"),
        (Qt.Key.Key_Escape, none, ""),
    ):
        QTest.keyClick(window.ui.editor, key, modifiers)
        settled(window, qtbot)
        assert progress(window) == expected
    assert window.ui.status_bar.currentMessage() == "Review by sentence: 1 changed, 1 ignored, 3 left."
    assert window.ui.editor.text() == REWORDED


def test_a_sentence_without_a_marked_word_is_a_stop_that_can_be_ignored(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot, "The slanted end. A legendary plan.\n")
    assert progress(window) == "Sentence 1 of 2"
    assert at(window) == "The slanted end."
    window.ui.review_bar.buttons["once"].click()
    assert progress(window) == "Sentence 2 of 2 · 1 ignored"


def test_typing_before_and_in_a_sentence_keeps_the_count(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(window.ui.editor, "A disgraceful start. ")
    read(window, qtbot, ["disgraceful", *WORDS])
    window.ui.actions["next"].trigger()
    assert progress(window) == "Sentence 2 of 5"
    settled(window, qtbot)
    assert diff(window) == "The shameful 👍🏽 record reveals says it."


@pytest.mark.parametrize("away", ["next", "close"])
def test_a_sentence_that_was_left_no_longer_rewords_the_finding_as_a_whole(
    make: Make, qtbot: QtBot, away: str
) -> None:
    """Outside of the review a finding has its own suggestions again."""
    window = walking(make, qtbot)
    finding = window.ui.editor.marks[0].finding
    assert window.components.prefetch.is_whole_sentence(finding)
    window.ui.review_bar.buttons[away].click()
    assert not window.components.prefetch.is_whole_sentence(finding)


def test_a_suggestion_that_is_awaited_at_a_sentence_is_that_of_the_sentence(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter()
    window = make(DRAFT, load_rewriter=lambda _: rewriter)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["by_sentence"].trigger()
    window.ui.actions["review_all"].trigger()
    window.ui.actions["use_1"].trigger()
    qtbot.waitUntil(lambda: window.ui.editor.text() != DRAFT)
    assert window.ui.editor.text() == REWORDED
