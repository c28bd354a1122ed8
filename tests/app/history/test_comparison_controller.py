"""Protects the comparison of a draft with what it was: marked words, how both read, an honest line to copy."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QPushButton, QTextBrowser
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.analysis.worker_context import Reader
from app.comparison.compare_window import COMPARING, NOTHING, CompareWindow, is_more_neutral, summarize
from app.main_window.window import MainWindow
from core.bundles.manifest import BundleError
from core.text.diff import compare_texts
from core.types import Kind, Summary

WORDS = ["shameful", "reveals", "chairman"]


def compared(window: MainWindow, qtbot: QtBot) -> CompareWindow:
    window.ui.actions["compare"].trigger()
    shown = window.components.comparison._window
    assert shown is not None
    qtbot.waitUntil(lambda: shown.message != COMPARING)
    return shown


def replaced(window: MainWindow, old: str, new: str) -> None:
    cursor = window.ui.editor.document().find(old)
    cursor.insertText(new)


def test_changed_words_stand_side_by_side_with_what_both_read_like(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    replaced(window, "shameful ", "")
    replaced(window, "reveals", "says")
    shown = compared(window, qtbot)
    browser = shown.findChild(QTextBrowser)
    assert browser is not None
    html = browser.toHtml()
    assert "line-through" in html
    assert "shameful" in html
    told = [label.accessibleName() for label in shown._summaries]
    assert told[0].startswith("2 of 2 sentences biased · mean bias 0.")
    assert told[1].startswith("1 of 2 sentences biased")
    assert shown.summary_line == ("Neutral wording (NPOV): “shameful” removed; “reveals” → “says”; 2 changes")


def test_the_line_is_copied(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    replaced(window, "shameful ", "")
    shown = compared(window, qtbot)
    buttons = shown.findChild(QDialogButtonBox)
    assert buttons is not None
    copy = next(b for b in buttons.findChildren(QPushButton) if "Copy" in b.text())
    copy.click()
    assert QGuiApplication.clipboard().text() == shown.summary_line
    assert "copied" in shown.message


def test_nothing_changed_is_said_and_nothing_can_be_copied(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    shown = compared(window, qtbot)
    assert shown.message == NOTHING
    assert not shown._copy.isEnabled()


def test_saving_does_not_hide_what_was_changed_since_the_draft_was_opened(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    replaced(window, "shameful ", "")
    assert window.components.documents.save()
    shown = compared(window, qtbot)
    assert "“shameful” removed" in shown.summary_line
    shown._version.setCurrentIndex(1)
    qtbot.waitUntil(lambda: shown.message == NOTHING)


def test_typing_goes_on_beside_it_and_asking_again_shows_the_present_text(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    compared(window, qtbot)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.ui.editor, "A legendary end.")
    read(window, qtbot, [*WORDS, "legendary"])
    shown = compared(window, qtbot)
    assert shown.summary_line == "Wording: “A legendary end.” added; 1 change"


def test_without_a_reader_the_words_are_compared_all_the_same(make: Make, qtbot: QtBot) -> None:
    def load() -> Reader:
        raise BundleError("The reader is damaged. Reinstall Evenhand.")

    window = make(load=load)
    replaced(window, "shameful ", "")
    shown = compared(window, qtbot)
    assert shown.message == "The reader is damaged. Reinstall Evenhand."
    assert shown.summary_line == "Wording: “shameful” removed; 1 change"


def test_closing_the_draft_closes_it(make: Make, qtbot: QtBot) -> None:
    window = make()
    window.ui.actions["compare"].trigger()
    window.close()
    assert window.components.comparison._window is None


def test_markup_in_the_draft_is_shown_not_read(qtbot: QtBot) -> None:
    shown = CompareWindow()
    qtbot.addWidget(shown)
    text = "<b>bold</b> & <img src='x'> \0 \ud800 end"
    shown.show_difference(compare_texts(text, text + " changed"), before=None, after=None)
    browser = shown.findChild(QTextBrowser)
    assert browser is not None
    assert "<b>bold</b> & <img src='x'> \ufffd \ufffd end changed" in browser.toPlainText()


def test_very_many_paragraphs_are_cut_and_that_is_said(qtbot: QtBot) -> None:
    shown = CompareWindow()
    qtbot.addWidget(shown)
    before = "\n".join(f"Old words {number} here." for number in range(1000))
    shown.show_difference(compare_texts(before, before.replace("Old", "New")), before=None, after=None)
    assert "first 800 paragraphs" in shown.message


@pytest.mark.parametrize(("bias", "findings", "better"), [(0.2, 3, True), (0.2, 6, False), (0.5, 3, False)])
def test_better_means_less_biased_and_no_more_findings(bias: float, findings: int, better: bool) -> None:
    before = Summary(9, 4, 0.4, None, {Kind.FRAMING: 5})
    after = Summary(9, 2, bias, None, {Kind.FRAMING: findings})
    assert is_more_neutral(before, after) is better
    assert not is_more_neutral(None, after)
    assert summarize(before) == "4 of 9 sentences biased · mean bias 0.40 · 5 findings"


def test_the_text_is_left_alone(make: Make, qtbot: QtBot) -> None:
    window = make()
    compared(window, qtbot)
    assert window.ui.editor.text() == TEXT
    assert not window.components.documents.modified


def test_both_sides_are_read_at_the_readers_own_threshold(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    replaced(window, "shameful ", "")
    at_default = [label.accessibleName() for label in compared(window, qtbot)._summaries]
    window.components.comparison.close()
    window.settings.set("sensitivity", -12)
    read(window, qtbot, [])
    assert [label.accessibleName() for label in compared(window, qtbot)._summaries] == at_default
