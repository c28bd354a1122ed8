"""Protects who works by ear: findings are told where the caret arrives, with their kind in words (A2.20)."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.main_window.window import MainWindow
from app.review import announcements

WORDS = ["shameful", "reveals", "chairman"]
SHAMEFUL = "Framing: shameful, confidence 93 percent, contentious label, MOS:LABEL"


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(announcements, "announce", lambda _widget, words: said.append(words))
    return said


def ready(make: Make, qtbot: QtBot) -> MainWindow:
    window = make(TEXT)
    read(window, qtbot, WORDS)
    window.activateWindow()
    window.ui.editor.setFocus()
    qtbot.waitUntil(window.ui.editor.hasFocus)
    return window


def put(window: MainWindow, words: str, shift: int = 0) -> None:
    cursor = window.ui.editor.textCursor()
    cursor.setPosition(window.ui.editor.document().find(words).selectionStart() + shift)
    window.ui.editor.setTextCursor(cursor)


def test_a_draft_says_once_how_many_findings_it_has(make: Make, qtbot: QtBot, heard: list[str]) -> None:
    window = ready(make, qtbot)
    assert heard[-1] == "3 findings in this draft"
    QTextCursor(window.ui.editor.document()).insertText("A legendary start. ")
    read(window, qtbot, ["legendary", *WORDS])
    assert sum("in this draft" in words for words in heard) <= 2, (
        "the empty draft of a new window, and this one"
    )


def test_the_finding_under_the_caret_is_told_once(make: Make, qtbot: QtBot, heard: list[str]) -> None:
    window = ready(make, qtbot)
    heard.clear()
    put(window, "shameful", 2)
    put(window, "shameful", 4)
    assert heard == [SHAMEFUL]
    put(window, "record")
    window.ui.actions["next"].trigger()
    assert heard == [SHAMEFUL, "Epistemological: reveals, confidence 78 percent, factive verb, MOS:SAID"]


def test_a_word_that_is_being_typed_is_not_told(make: Make, qtbot: QtBot, heard: list[str]) -> None:
    window = ready(make, qtbot)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    heard.clear()
    QTest.keyClicks(window.ui.editor, "legendary")
    qtbot.waitUntil(
        lambda: len(window.ui.editor.marks) >= len(WORDS) and window.components.prefetch._is_current
    )
    assert heard == []


def test_it_is_silent_where_the_person_wants_silence(make: Make, qtbot: QtBot, heard: list[str]) -> None:
    window = ready(make, qtbot)
    window.settings.set("announce", False)
    heard.clear()
    put(window, "shameful", 2)
    assert heard == []


def test_it_is_silent_while_the_keyboard_is_elsewhere(make: Make, qtbot: QtBot, heard: list[str]) -> None:
    window = ready(make, qtbot)
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    listed.setFocus()
    heard.clear()
    put(window, "shameful", 2)
    assert heard == []


def test_it_is_told_to_qt_as_an_announcement(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[tuple[QAccessible.Event, str]] = []

    class Ear:
        AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

        @staticmethod
        def updateAccessibility(event: object) -> None:
            events.append((event.type(), event.message()))  # type: ignore[attr-defined]

    monkeypatch.setattr(announcements, "QAccessible", Ear)
    window = ready(make, qtbot)
    events.clear()
    put(window, "shameful", 2)
    assert events == [(QAccessible.Event.Announcement, SHAMEFUL)]


def test_every_row_of_the_list_says_its_kind_in_words(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    view = QAccessible.queryAccessibleInterface(listed)
    rows = [view.child(row).text(QAccessible.Text.Name) for row in range(view.childCount())]
    kinds = [mark.finding.kind.value for mark in window.ui.editor.marks]
    assert len(rows) == len(kinds)
    for said, kind, words in zip(rows, kinds, WORDS, strict=True):
        assert said.lower().startswith(f"{kind}: {words}, confidence ")
