"""Protects what is typed: the journal follows every edit of the pane exactly, and its troubles never reach the text.

Answers KDE/ghostwriter#473 and manuskript#1167: a new file that was never saved is lost.
"""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot
from windows import TEXT, Button, Make, answer, saving_to

from app.main_window.window import MainWindow
from core.storage.journal import Journal, journals_folder
from core.storage.journal_format import ReplayedJournal, from_utf16_bytes, replay_journal, to_utf16_bytes
from core.text.diff import TextEdit


def journal_of(window: MainWindow) -> Journal:
    journal = window.components.journal_writer.journal
    assert journal is not None
    return journal


def written(window: MainWindow) -> ReplayedJournal:
    """What the journal tells once everything so far is on the disk."""
    journal = journal_of(window)
    assert journal.wait(journal.revision, 10)
    return replay_journal(journal.path.read_bytes())


def exact(window: MainWindow) -> bytes:
    """The text of the pane with the lone halves of pairs, which ``text()`` leaves out."""
    document = window.ui.editor.document()
    characters = [document.characterAt(place) for place in range(document.characterCount() - 1)]
    return to_utf16_bytes("".join(characters).replace("\u2029", "\n"))


def test_nothing_is_written_before_the_first_edit_and_nothing_is_left_after_a_save(make: Make) -> None:
    window = make()
    assert not list(journals_folder().glob("*.journal"))
    QTest.keyClicks(window.ui.editor, "x")
    said = written(window)
    assert (said.text, said.unsaved, said.place.uid) == (
        "x" + TEXT,
        True,
        window.components.documents.session.uid,
    )
    window.ui.actions["save"].trigger()
    assert not written(window).unsaved
    assert window.close()
    assert list(journals_folder().iterdir()) == []


def test_an_untitled_draft_is_journalled_from_its_first_key(make: Make, qtbot: QtBot) -> None:
    window = make(None)
    QTest.keyClicks(window.ui.editor, "Never saved.")
    journal = journal_of(window)
    qtbot.waitUntil(lambda: window.components.journal_writer.is_written)
    assert replay_journal(journal.path.read_bytes()).text == "Never saved."


def test_every_way_to_edit_is_followed_exactly(make: Make) -> None:
    window = make("One 👍🏽 two\n\nthree no\u00a0break\n")
    editor, chance = window.ui.editor, random.Random(5)
    data = QMimeData()
    data.setText("pasted\r\nlines 👍\n")
    ways = (
        lambda: (QTest.keyClicks(editor, "ab"), QTest.keyClick(editor, Qt.Key.Key_Return)),
        lambda: editor.insertFromMimeData(data),
        editor.undo,
        editor.undo,
        editor.redo,
        lambda: editor.textCursor().deletePreviousChar(),
        lambda: editor.textCursor().insertText("é👍"),
        lambda: editor.replace([TextEdit(0, 1, "Z"), TextEdit(2, 3, "")]),
        lambda: editor.textCursor().insertHtml("<b>bold</b>"),
        lambda: (editor.selectAll(), editor.textCursor().insertText("all new\nwords here")),
        lambda: (editor.selectAll(), QTest.keyClicks(editor, "q")),
        lambda: QPlainTextEdit.setPlainText(editor, "set\nplain text 👍"),
    )
    for number in range(60):
        place = editor.textCursor()
        last = editor.document().characterCount() - 1
        place.setPosition(chance.randint(0, last))
        if chance.random() < 0.4:
            place.setPosition(chance.randint(0, last), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(place)
        ways[chance.randrange(len(ways)) if number >= len(ways) else number]()
        if number % 5 == 0:
            assert to_utf16_bytes(written(window).text) == exact(window), number
    assert to_utf16_bytes(written(window).text) == exact(window)


def test_an_emoji_that_comes_half_by_half_is_whole_in_the_journal(make: Make) -> None:
    window = make("ab")
    cursor = window.ui.editor.textCursor()
    cursor.insertText("\ud83d")
    assert to_utf16_bytes(written(window).text) == to_utf16_bytes("\ud83dab")
    cursor.insertText("\udc4d")
    cursor.insertText("!")
    assert written(window).text == "👍!ab"
    assert from_utf16_bytes(to_utf16_bytes("👍")) == "👍"


def test_a_discarded_draft_leaves_no_journal(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make()
    QTest.keyClicks(window.ui.editor, "x")
    first = journal_of(window)
    assert first.wait(first.revision, 10)
    answer(monkeypatch, Button.Discard)
    window.ui.actions["new"].trigger()
    assert not first.path.exists()
    assert journal_of(window) is not first


def test_save_as_and_a_chosen_format_are_in_the_journal(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(None)
    QTest.keyClicks(window.ui.editor, "'''Bold''' words.")
    window.menus.format_actions[next(iter(window.menus.format_actions))].trigger()
    saving_to(monkeypatch, tmp_path / "mine.wiki")
    window.ui.actions["save"].trigger()
    place = written(window).place
    assert (place.name, place.path, place.format.value) == ("mine.wiki", tmp_path / "mine.wiki", "wikitext")


def test_a_full_disk_is_told_in_the_bar_and_the_text_stays(
    make: Make, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    window = make()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        QTest.keyClicks(window.ui.editor, "x")
        qtbot.waitUntil(lambda: "disk is full" in window.ui.message_bar.text)
        assert window.ui.editor.text() == "x" + TEXT
        assert not window.components.journal_writer.is_written
    assert written(window).text == "x" + TEXT
    qtbot.waitUntil(lambda: "protected against a crash again" in window.ui.message_bar.text)
