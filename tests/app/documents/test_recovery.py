"""Protects what was not saved when a window died: the next start offers exactly it, and gives nothing up by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from windows import Button, Make, answer

from app.documents.journal_writer import journal_place
from app.documents.recovery import compare_with_file
from app.documents.recovery_dialog import RecoveryDialog, describe_state
from app.documents.session import FileState, Session, open_session
from app.main_window.window import MainWindow
from core.documents.types import Format
from core.storage.journal import Journal, find_orphans, journals_folder
from core.storage.journal_format import replay_journal

BEFORE = "Before 👍🏽.\r\nSecond line.\r\n"
AFTER = "Before 👍🏽, and after.\nSecond line.\n"


def died(session: Session, text: str) -> Path:
    """A window that had this text, and was killed."""
    journal = Journal(journals_folder(), journal_place(session), text=session.text)
    journal.whole(text)
    journal.close(keep=True)
    return journal.path


def draft(folder: Path, data: bytes = BEFORE.encode(), name: str = "story.md") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def offered(window: MainWindow, qtbot: QtBot) -> RecoveryDialog:
    window.ui.actions["recover"].trigger()
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    dialog = window.components.recovery.dialog
    assert dialog is not None
    return dialog


def test_the_next_start_offers_what_was_not_saved(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    path = draft(tmp_path)
    session = open_session(path)
    died(session, AFTER)
    window = make(None)
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    dialog = window.components.recovery.dialog
    assert dialog is not None
    assert "story.md" in dialog.list.item(0).text()
    assert "6 words" in dialog.list.item(0).text()
    assert "Its file is unchanged" in dialog.state.accessibleName()
    qtbot.waitUntil(lambda: "and after" in dialog.view.toPlainText())
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert window.ui.editor.text() == AFTER
    assert window.components.documents.modified
    assert not window.ui.editor.document().isUndoAvailable()
    assert window.components.documents.session.uid == session.uid
    assert "not saved when Evenhand closed" in window.ui.message_bar.text
    journal = window.components.journal_writer.journal
    assert journal is not None
    assert replay_journal(journal.path.read_bytes()).text == AFTER, (
        "it is journalled before its old journal goes"
    )
    assert find_orphans(journals_folder()).orphans == ()
    window.ui.actions["save"].trigger()
    assert path.read_bytes() == AFTER.replace("\n", "\r\n").encode(), "line ends are those of the file"


def test_closing_the_dialog_gives_nothing_up(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    died(open_session(draft(tmp_path)), AFTER)
    window = make(None)
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    assert window.components.recovery.dialog is not None
    QTest.keyClick(window.components.recovery.dialog, Qt.Key.Key_Escape)
    assert window.components.recovery.dialog is None
    assert offered(window, qtbot).list.count() == 1


def test_several_are_offered_and_those_that_wait_are_told(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    died(Session(name="Untitled"), "Never saved anywhere.")
    died(open_session(draft(tmp_path)), AFTER)
    window = make(None)
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    dialog = window.components.recovery.dialog
    assert dialog is not None
    rows = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert len(rows) == 2
    dialog.list.setCurrentRow(next(row for row, text in enumerate(rows) if "Untitled" in text))
    assert "never been saved to a file" in dialog.state.accessibleName()
    dialog.buttons["restore"].click()
    assert window.ui.editor.text() == "Never saved anywhere."
    assert "are under File" in window.ui.message_bar.text
    asked = answer(monkeypatch, Button.Cancel)
    again = offered(window, qtbot)
    again.buttons["restore"].click()
    assert asked == ["Unsaved changes"], "one recovered draft does not push out the other"
    assert window.ui.editor.text() == "Never saved anywhere."
    asked = answer(monkeypatch, Button.Discard)
    again.buttons["discard"].click()
    assert asked == ["Discard the unsaved text?"]
    assert window.components.recovery.dialog is None
    window.ui.actions["recover"].trigger()
    qtbot.waitUntil(lambda: "no unsaved draft" in window.ui.message_bar.text)


def test_a_copy_can_be_saved_and_the_draft_is_still_offered(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    died(Session(name="Untitled"), "Never saved 👍.\n")
    dialog = offered(make(None), qtbot)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "copy.txt"), ""))
    dialog.buttons["copy"].click()
    assert (tmp_path / "copy.txt").read_text(encoding="utf-8") == "Never saved 👍.\n"
    assert dialog.list.count() == 1
    warned: list[str] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *words: warned.append(words[2]))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "copy.txt"), ""))
    dialog.buttons["copy"].click()
    assert "not saved" in warned[0]


@pytest.mark.parametrize("fate", ["same", "changed", "gone", "equal", "unreadable"])
def test_a_draft_is_weighed_against_its_file_as_it_is_now(tmp_path: Path, fate: str) -> None:
    path = draft(tmp_path)
    died(open_session(path), AFTER)
    if fate == "changed":
        path.write_text("Someone else's words.\n", encoding="utf-8")
    elif fate == "gone":
        path.unlink()
    elif fate == "unreadable":
        path.write_bytes(b"\0\1\2\3")
    [orphan] = find_orphans(journals_folder()).orphans
    unsaved = compare_with_file(orphan)
    states = {"changed": FileState.CHANGED, "gone": FileState.GONE, "unreadable": FileState.GONE}
    assert unsaved.state is states.get(fate, FileState.SAME)
    assert describe_state(unsaved)
    assert unsaved.session.uid == orphan.place.uid
    assert (unsaved.session.path == path) is True
    assert unsaved.session.text == {"changed": "Someone else's words.\n", "gone": "", "unreadable": ""}.get(
        fate, "Before 👍🏽.\nSecond line.\n"
    )
    orphan.release()


def test_a_page_is_opened_again_or_recovered_as_text_where_it_is_gone(tmp_path: Path) -> None:
    page = b"<!DOCTYPE html><p>The shameful record.</p>"
    path = draft(tmp_path, page, "page.html")
    died(open_session(path), "The long record.")
    [orphan] = find_orphans(journals_folder()).orphans
    assert compare_with_file(orphan).session.container is not None
    path.unlink()
    gone = compare_with_file(orphan)
    assert (gone.session.format, gone.session.path, gone.session.container) == (Format.PLAIN, None, None)
    orphan.release()


def test_a_draft_whose_file_holds_its_text_is_done_with(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    path = draft(tmp_path)
    journal = died(open_session(path), AFTER)
    path.write_text(AFTER, encoding="utf-8", newline="\n")
    window = make(None)
    qtbot.waitUntil(lambda: not journal.exists())
    assert window.components.recovery.dialog is None


def test_a_damaged_journal_says_so_and_one_that_tells_nothing_is_kept(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    path = died(Session(name="Untitled"), "One whole text.")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    window = make(None)
    qtbot.waitUntil(lambda: "damaged" in window.ui.message_bar.text)
    assert path.with_suffix(".damaged").read_bytes() == bytes(data)


def test_a_live_windows_draft_is_not_offered_to_another(make: Make, qtbot: QtBot) -> None:
    first = make()
    QTest.keyClicks(first.ui.editor, "x")
    qtbot.waitUntil(lambda: first.components.journal_writer.is_written)
    second = make(None)
    second.ui.actions["recover"].trigger()
    qtbot.waitUntil(lambda: "no unsaved draft" in second.ui.message_bar.text)
