"""Protects the walk through all findings: each is met once, all that was done is counted, typing is no hindrance."""

from __future__ import annotations

from collections.abc import Callable

from fake_rewriter import FakeRewriter
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.window import MainWindow
from app.review.guided_review import NOTHING

DRAFT = "The shameful 👍🏽 record reveals it. A legendary plan.\n\nThe chairman claims it. A plot.\n"
WORDS = ["shameful", "reveals", "legendary", "chairman", "claims", "plot"]


def walking(make: Make, qtbot: QtBot, text: str = DRAFT) -> MainWindow:
    """A window whose review has begun, at the first finding with its suggestions known."""
    window = make(text)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["review_all"].trigger()
    return window


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: (
            window.components.prefetch._is_current
            and (
                window.components.card.shown_finding is None
                or not window.components.prefetch.get(window.components.card.shown_finding).pending
            )
        )
    )


def at(window: MainWindow) -> str:
    return window.components.card.shown_finding.text if window.components.card.shown_finding else ""


def test_every_finding_is_met_in_order_with_its_card(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    for number, word in enumerate(WORDS, start=1):
        assert at(window) == word
        assert window.ui.review_bar.text == f"{number} of 6"
        window.ui.actions["next"].trigger()
    assert window.ui.review_bar.text == "Review: 0 changed, 0 ignored, 6 left."
    assert not window.components.guided_review.active


def test_keys_change_and_ignore_and_go_on_and_all_is_counted(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    for deed, word in zip(("use_2", "ignore", "use_3", "next", "use_1", "ignore"), WORDS, strict=True):
        qtbot.waitUntil(lambda word=word: at(window) == word)
        settled(window, qtbot)
        assert window.ui.review_bar.text.startswith(f"{WORDS.index(word) + 1} of 6")
        window.ui.actions[deed].trigger()
    assert window.ui.review_bar.text == "Review: 3 changed, 2 ignored, 1 left."
    expected = DRAFT.replace("shameful", "criticised").replace("legendary", "long-serving")
    assert window.ui.editor.text() == expected.replace("claims", "says")
    read(window, qtbot, ["chairman"])
    for left in ("3 changed, 1 ignored, 2", "2 changed, 1 ignored, 3", "1 changed, 1 ignored, 4"):
        window.ui.actions["undo"].trigger()
        qtbot.waitUntil(lambda left=left: window.ui.review_bar.text == f"Review: {left} left.")
    window.ui.actions["redo"].trigger()
    qtbot.waitUntil(lambda: window.ui.review_bar.text == "Review: 2 changed, 1 ignored, 3 left.")
    for _ in range(3):
        window.ui.actions["undo"].trigger()
    read(window, qtbot, WORDS)
    assert window.ui.editor.text() == DRAFT
    assert window.ui.review_bar.text == "Review: 0 changed, 0 ignored, 6 left."
    assert not window.components.documents.modified


def test_back_and_forth_counts_from_the_top(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.actions["next"].trigger()
    window.ui.actions["next"].trigger()
    settled(window, qtbot)
    window.ui.actions["use_1"].trigger()
    assert window.ui.review_bar.text == "4 of 6 · 1 changed"
    window.ui.actions["previous"].trigger()
    assert at(window) == "reveals"
    assert window.ui.review_bar.text == "2 of 6 · 1 changed"
    window.ui.actions["previous"].trigger()
    window.ui.actions["previous"].trigger()
    assert at(window) == "shameful"


def test_a_draft_without_findings_says_so(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot, "Plain words.")
    assert window.ui.status_bar.currentMessage() == NOTHING
    assert window.ui.review_bar.text == ""
    window.ui.actions["next"].trigger()


def test_typing_in_between_does_not_lose_the_way(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(window.ui.editor, "A disgraceful start. ")
    assert window.components.guided_review.active
    read(window, qtbot, ["disgraceful", *WORDS])
    window.ui.actions["next"].trigger()
    assert at(window) == "shameful"
    assert window.ui.review_bar.text == "2 of 7"


def test_escape_ends_it_from_the_text_and_from_the_card(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.activateWindow()
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Escape)
    assert not window.components.guided_review.active
    assert window.ui.review_bar.isHidden()
    assert at(window) == ""
    assert window.ui.status_bar.currentMessage() == "Review: 0 changed, 0 ignored, 6 left."
    window.ui.actions["review_all"].trigger()
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert card is not None
    QTest.keyClick(card, Qt.Key.Key_Escape)
    assert window.ui.review_bar.isHidden()


def test_the_buttons_do_what_the_keys_do(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    press: Callable[[str], None] = lambda name: window.ui.review_bar.buttons[name].click()  # noqa: E731
    settled(window, qtbot)
    assert isinstance(window.ui.review_bar.buttons["3"], QToolButton)
    assert not window.ui.review_bar.buttons["3"].isEnabled(), "there are two suggestions"
    press("2")
    assert "criticised" in window.ui.editor.text()
    assert at(window) == "reveals"
    press("once")
    press("next")
    press("previous")
    assert at(window) == "legendary"
    press("close")
    assert window.ui.review_bar.isHidden()
    assert window.ui.editor.hasFocus()


def test_another_draft_ends_the_review(make: Make, qtbot: QtBot) -> None:
    window = walking(make, qtbot)
    window.ui.actions["new"].trigger()
    assert not window.components.guided_review.active
    assert window.ui.review_bar.text == ""


def test_an_edit_beside_the_words_does_not_hold_the_review_there(make: Make, qtbot: QtBot) -> None:
    window = make(DRAFT, load_rewriter=lambda _: FakeRewriter(also=(("record", "file"),)))
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.actions["review_all"].trigger()
    settled(window, qtbot)
    window.ui.actions["use_1"].trigger()
    assert at(window) == "reveals"
    settled(window, qtbot)
    assert window.ui.editor.text().startswith("The 👍🏽 file reveals it.")
