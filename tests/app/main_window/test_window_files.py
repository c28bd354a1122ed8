"""Protects the person's files: opening, saving, refusing and asking lose nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot
from windows import TEXT, Button, Make, answer, saving_to

from app.main_window.command_handlers import SAMPLE
from core.text.diff import TextEdit


def test_the_next_start_opens_the_last_file_and_not_the_sample_again(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "mine.md"
    path.write_text("My own draft.", encoding="utf-8")
    window = make(None)
    window.settings.set("tour_seen", True)
    window.settings.add_recent(path)
    window.open_initial([])
    assert window.ui.editor.text() == "My own draft."
    assert window.components.documents.session.path == path


def test_a_start_without_a_last_file_is_an_empty_draft(make: Make) -> None:
    window = make(None)
    window.settings.set("tour_seen", True)
    window.open_initial([])
    assert window.ui.editor.text() == ""


def test_a_last_file_that_is_gone_is_said_and_the_draft_is_empty(make: Make, tmp_path: Path) -> None:
    window = make(None)
    window.settings.set("tour_seen", True)
    window.settings.add_recent(tmp_path / "gone.md")
    window.open_initial([])
    assert window.ui.editor.text() == ""
    assert "gone.md" in window.ui.message_bar.text
    assert window.settings.recent == []


def test_the_first_start_opens_the_sample_as_an_untitled_copy(make: Make, qtbot: QtBot) -> None:
    window = make(None)
    window.open_initial([])
    assert window.ui.editor.text() == SAMPLE.read_text(encoding="utf-8")
    assert window.components.documents.session.path is None
    assert not window.components.documents.modified
    assert window.settings.recent == []


@pytest.mark.parametrize(("answer", "line"), [((3, True), 3), ((3, False), 1)])
def test_go_to_line_puts_the_caret_at_its_start(
    make: Make, monkeypatch: pytest.MonkeyPatch, answer: tuple[int, bool], line: int
) -> None:
    window = make("one\ntwo\nthree\n")
    asked: list[tuple[object, ...]] = []

    def ask(*arguments: object) -> tuple[int, bool]:
        asked.append(arguments[3:])
        return answer

    monkeypatch.setattr(QInputDialog, "getInt", ask)
    window.ui.actions["go_to_line"].trigger()
    assert asked == [(1, 1, 4)], "the present line, the first and the last"
    assert window.ui.editor.textCursor().blockNumber() + 1 == line
    assert window.ui.editor.textCursor().atBlockStart()


def test_save_writes_the_edit_and_nothing_else(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = make("one\r\ntwo\r\n")
    QTest.keyClicks(window.ui.editor, "x")
    window.ui.actions["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == b"xone\r\ntwo\r\n"
    assert not window.components.documents.modified
    window.ui.editor.undo()
    assert window.components.documents.modified, "the saved text is another one than the undone"


def test_save_as_asks_for_a_place_and_adds_an_ending(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(None)
    QTest.keyClicks(window.ui.editor, "New words.")
    saving_to(monkeypatch, tmp_path / "mine")
    window.ui.actions["save"].trigger()
    assert (tmp_path / "mine.txt").read_bytes() == b"New words."
    assert window.windowTitle() == "mine.txt[*] — Evenhand"
    assert window.settings.recent == [tmp_path / "mine.txt"]


def test_a_cancelled_save_as_keeps_everything(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make(None)
    QTest.keyClicks(window.ui.editor, "New words.")
    saving_to(monkeypatch, "")
    window.ui.actions["save"].trigger()
    assert window.components.documents.modified
    assert window.components.documents.session.path is None


def test_a_failed_save_is_told_once_and_keeps_the_text(
    make: Make, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, str]], tmp_path: Path
) -> None:
    window = make()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    QTest.keyClicks(window.ui.editor, "x")
    window.ui.actions["save"].trigger()
    monkeypatch.undo()
    assert len(answers) == 1
    assert "disk is full" in answers[0][1]
    assert window.components.documents.modified
    assert window.ui.editor.text() == "x" + TEXT
    assert (tmp_path / "draft.md").read_bytes() == TEXT.encode()


def test_a_character_that_the_encoding_lacks_is_saved_as_utf8_if_wanted(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(None)
    path = tmp_path / "old.txt"
    path.write_bytes("café au lait, très naïf\n".encode("windows-1252"))
    assert window.components.documents.open(path)
    assert "Windows-1252" in window.ui.message_bar.text
    QTest.keyClicks(window.ui.editor, "x")
    window.ui.editor.textCursor().insertText("👍")
    asked = answer(monkeypatch, Button.Save)
    window.ui.actions["save"].trigger()
    assert asked == ["Not saved yet"]
    assert path.read_text(encoding="utf-8") == "x👍café au lait, très naïf\n"
    assert "indows" not in window.ui.status_bar.document_text


@pytest.mark.parametrize(("button", "kept"), [(Button.Save, False), (Button.Cancel, True)])
def test_a_file_changed_outside_is_asked_for(
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    button: QMessageBox.StandardButton,
    kept: bool,
) -> None:
    window = make()
    (tmp_path / "draft.md").write_bytes(b"other words, and more")
    QTest.keyClicks(window.ui.editor, "x")
    asked = answer(monkeypatch, button)
    window.ui.actions["save"].trigger()
    assert asked == ["Changed by another program"]
    assert ((tmp_path / "draft.md").read_bytes() == b"other words, and more") is kept
    assert window.components.documents.modified is kept


@pytest.mark.parametrize(
    ("button", "left", "saved"),
    [(Button.Save, True, True), (Button.Discard, True, False), (Button.Cancel, False, False)],
)
@pytest.mark.parametrize("way", ["new", "close", "open"])
def test_unsaved_changes_are_asked_for(
    make: Make,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    button: QMessageBox.StandardButton,
    left: bool,
    saved: bool,
    way: str,
) -> None:
    window = make()
    other = tmp_path / "other.md"
    other.write_text("Other.", encoding="utf-8")
    QTest.keyClicks(window.ui.editor, "x")
    asked = answer(monkeypatch, button)
    ways: dict[str, Callable[[], object]] = {
        "new": window.ui.actions["new"].trigger,
        "close": window.close,
        "open": lambda: window.components.documents.open(other),
    }
    ways[way]()
    assert asked == ["Unsaved changes"]
    if way == "close":
        assert window.isVisible() is not left
    else:
        assert (window.ui.editor.text() != "x" + TEXT) is left
    assert (tmp_path / "draft.md").read_bytes().startswith(b"x") is saved


def test_an_unchanged_draft_closes_without_a_question(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make()
    asked = answer(monkeypatch, Button.Cancel)
    assert window.close()
    assert asked == []


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", b"text \0 text"])
def test_what_is_no_text_is_refused_and_the_draft_stays(make: Make, tmp_path: Path, data: bytes) -> None:
    window = make()
    (tmp_path / "image.md").write_bytes(data)
    assert not window.components.documents.open(tmp_path / "image.md")
    assert "image.md" in window.ui.message_bar.text
    assert window.ui.editor.text() == TEXT


def test_undecodable_bytes_open_read_only(make: Make, tmp_path: Path) -> None:
    window = make(None)
    path = tmp_path / "odd.md"
    data = "ünï cödé\n".encode() * 9 + b"\xff\xfe\x81"
    path.write_bytes(data)
    assert window.components.documents.open(path)
    assert window.ui.editor.isReadOnly()
    assert not window.ui.actions["save"].isEnabled()
    assert "read-only" in window.ui.status_bar.document_text
    assert "reading only" in window.ui.message_bar.text
    assert not window.components.documents.save()
    assert path.read_bytes() == data


def test_a_character_that_qt_cannot_hold_opens_read_only(make: Make, tmp_path: Path) -> None:
    window = make(None)
    path = tmp_path / "odd.md"
    path.write_bytes("one\u2029two".encode())
    assert window.components.documents.open(path)
    assert window.ui.editor.isReadOnly()
    assert "U+2029 in line 1" in window.ui.message_bar.text


def test_a_vanished_recent_file_leaves_the_list(make: Make, tmp_path: Path) -> None:
    window = make()
    (tmp_path / "draft.md").unlink()
    entry = window.menus.recent.actions()[0]
    assert "draft.md" in entry.text()
    entry.trigger()
    assert "draft.md" in window.ui.message_bar.text
    assert window.settings.recent == []
    assert not any("draft.md" in action.text() for action in window.menus.recent.actions())
    assert window.ui.editor.text() == TEXT


def test_of_files_dropped_beside_the_text_each_has_a_window(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []
    monkeypatch.setattr("app.main_window.window.open_new_window", lambda path: started.append(path) or True)
    window = make(None)
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    for path in paths:
        path.write_text(f"This is {path.name}", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    drop = QDropEvent(
        QPointF(5, 5),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(drop)
    assert window.ui.editor.text() == "This is a.md"
    assert started == [tmp_path / "b.md"]
    assert window.ui.message_bar.text == ""


def test_files_that_have_no_window_are_counted(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many windows would fill the memory, and one may fail to start."""
    (tmp_path / "0.md").write_text("The first", encoding="utf-8")
    started: list[str] = []

    def start(path: Path) -> bool:
        started.append(path.name)
        return path.name != "3.md"

    monkeypatch.setattr("app.main_window.window.open_new_window", start)
    window = make(None)
    window.open_initial([str(tmp_path / f"{number}.md") for number in range(9)])
    assert window.ui.editor.text() == "The first"
    assert started == ["1.md", "2.md", "3.md", "4.md", "5.md"]
    assert window.ui.message_bar.text == "4 files were not opened. Open them in new windows."


def test_without_the_first_file_no_window_is_opened(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person may have chosen to go on with an unsaved draft."""
    monkeypatch.setattr("app.main_window.window.open_new_window", lambda _: pytest.fail("a window"))
    window = make(None)
    window.open_files([tmp_path / "none.md", tmp_path / "b.md"])
    assert "none.md" in window.ui.message_bar.text


def test_a_file_dropped_beside_the_text_is_copied(make: Make, tmp_path: Path) -> None:
    """Its program would delete it after a move."""
    window = make(None)
    (tmp_path / "a.md").write_text("This is a.md", encoding="utf-8")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.md"))])
    both = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    button, shift = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    events = (
        (window.dragEnterEvent, QDragEnterEvent(QPoint(5, 5), both, data, button, shift)),
        (window.dropEvent, QDropEvent(QPointF(5, 5), both, data, button, shift)),
    )
    for handle, event in events:
        assert event.proposedAction() == Qt.DropAction.MoveAction
        handle(event)
        assert event.isAccepted()
        assert event.dropAction() == Qt.DropAction.CopyAction
    assert window.ui.editor.text() == "This is a.md"


def test_what_a_page_sets_apart_is_set_apart_in_the_window(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<p>A shameful start.</p><!-- evenhand off --><p>A shameful middle.</p><!-- evenhand on -->"
        "<blockquote>A shameful quotation.</blockquote><p>A shameful end.</p>",
        encoding="utf-8",
    )
    window = make()
    assert window.components.documents.open(page)
    qtbot.waitUntil(lambda: [mark.start for mark in window.ui.editor.marks] == [2, 61])
    window.ui.editor.replace([TextEdit(0, 0, "Now: ")])
    qtbot.waitUntil(
        lambda: (
            [mark.start for mark in window.ui.editor.marks] == [7, 66] and bool(window.components.last_result)
        )
    )
    assert window.components.documents.save()
    assert "<!-- evenhand off -->" in page.read_text(encoding="utf-8")


def test_an_untitled_draft_that_is_empty_again_closes_without_a_question(make: Make) -> None:
    window = make(None)
    QTest.keyClicks(window.ui.editor, "x")
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Backspace)
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Return)
    assert window.components.documents.modified
    window.ui.actions["new"].trigger()
    assert not window.components.documents.modified
    QTest.keyClicks(window.ui.editor, " ")
    assert window.close()


def test_a_file_that_was_emptied_is_asked_about(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make("words")
    window.ui.editor.selectAll()
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Delete)
    asked = answer(monkeypatch, Button.Cancel)
    assert not window.close()
    assert asked == ["Unsaved changes"]


def test_a_key_pastes_plain_text(make: Make) -> None:
    window = make("")
    data = QMimeData()
    data.setText("plain")
    data.setHtml("<b>never this</b>")
    QApplication.clipboard().setMimeData(data)
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window.ui.editor, Qt.Key.Key_V, keys)
    assert window.ui.editor.text() == "plain"
