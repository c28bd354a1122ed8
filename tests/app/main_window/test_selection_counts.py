"""Protects the counts of the selection in the status bar: of its prose, and gone with it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.selection_counts import SelectedCounts, count_selected
from app.main_window.window import MainWindow
from core.documents import parse
from core.documents.types import Format

TEXT = "The shameful 👍🏽 record [reveals](https://example.org/a) it. He agreed.\n\nThe chairman left.\n"


def shown(window: MainWindow) -> str:
    return window.ui.status_bar.document_text


def select(window: MainWindow, words: str) -> None:
    start = len(TEXT[: TEXT.index(words)].encode("utf-16-le")) // 2
    window.ui.editor.go_to(start, start + len(words.encode("utf-16-le")) // 2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("reveals](https://example.org/a) it.", SelectedCounts(2, 1)),
        ("agreed.\n\nThe", SelectedCounts(2, 2)),
        ("\n\n", SelectedCounts(0, 0)),
        (" He", SelectedCounts(1, 1)),
        (TEXT, SelectedCounts(11, 3)),
    ],
)
def test_words_and_sentences_of_the_prose_are_counted(words: str, expected: SelectedCounts) -> None:
    """Part of a sentence counts as a sentence; an address is no word."""
    start = TEXT.index(words)
    assert count_selected(parse(TEXT, Format.MARKDOWN), start, start + len(words)) == expected


def test_the_selection_is_counted_while_there_is_one(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    whole = shown(window)
    select(window, "reveals](https://example.org/a) it. He")
    words = whole.split(" words")[0]
    qtbot.waitUntil(lambda: shown(window) == f"3 of {words} words · 2 sentences selected · saved")
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Right)
    assert shown(window) == whole


def test_the_counts_are_made_anew_when_the_analysis_has_come(make: Make, qtbot: QtBot) -> None:
    """Until then nobody knows what is prose: the words are counted as they stand, and no sentences."""
    window = make(TEXT)
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.components.analysis._pause = 100_000
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.ui.editor, "legendary plot")
    QTest.keyClick(
        window.ui.editor,
        Qt.Key.Key_Left,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    qtbot.waitUntil(lambda: "selected" in shown(window))
    assert shown(window).startswith("1 of ")
    assert shown(window).endswith(" words selected · unsaved")
    window.components.analyse_now()
    qtbot.waitUntil(lambda: "1 sentence selected" in shown(window))


def test_typing_counts_nothing(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    with qtbot.assertNotEmitted(window.components.selection_counts.changed):
        QTest.keyClicks(window.ui.editor, "One two. ")
        assert not window.components.selection_counts._timer.isActive()


def test_another_draft_has_no_selection(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.ui.editor.selectAll()
    qtbot.waitUntil(lambda: "selected" in shown(window))
    window.components.documents.new()
    qtbot.waitUntil(lambda: shown(window).startswith("0 words"))
    assert "selected" not in shown(window)
