"""Protects the assembled window: every command does its work, nothing is lost, every part shows the same finding."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_reader import FakeReader
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QFileDialog,
    QListView,
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.actions import COMMANDS, MENUS, shortcut_rows
from app.review import FIRST_AGAIN
from app.settings import Settings
from app.window import EMPTY, SAMPLE, MainWindow, told_in
from app.worker import Reader
from core.bundle import BundleError
from core.documents.model import Format
from core.findings import Kind

TEXT = 'The shameful 👍🏽 record reveals it.\n\nHe said "a disgraceful act" to the chairman.\n'
Make = Callable[..., MainWindow]
Button = QMessageBox.StandardButton


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Opens a window on a file with a text, or on an empty draft. A question that no test expects fails it."""

    def unexpected(_window: QWidget, title: str, text: str, *_: object) -> None:
        raise AssertionError(f"{title}: {text}")

    for name in ("question", "warning"):
        monkeypatch.setattr(QMessageBox, name, unexpected)

    def window(text: str | None = TEXT, *, load: Callable[[], Reader] = FakeReader) -> MainWindow:
        store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        one = MainWindow(Settings(store), load=load)
        qtbot.addWidget(one, before_close_func=lambda _: one.pane.document().setModified(False))
        one.show()
        qtbot.waitExposed(one)
        if text is not None:
            path = tmp_path / "draft.md"
            path.write_bytes(text.encode())
            assert one.drafts.open(path)
        qtbot.waitUntil(lambda: one.document_dock.widget() is not None)
        return one

    return window


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The questions and warnings that were shown; questions are answered with what ``answer`` set."""
    shown: list[tuple[str, str]] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda _window, title, text: shown.append((title, text)))
    return shown


def answer(monkeypatch: pytest.MonkeyPatch, button: QMessageBox.StandardButton) -> list[str]:
    asked: list[str] = []

    def question(_window: QWidget, title: str, _text: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(title)
        return button

    monkeypatch.setattr(QMessageBox, "question", question)
    return asked


def saving_to(monkeypatch: pytest.MonkeyPatch, path: Path | str) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))


def read(window: MainWindow, qtbot: QtBot, words: list[str]) -> None:
    qtbot.waitUntil(lambda: [mark.finding.text for mark in window.pane.marks] == words)


def rows(window: MainWindow) -> list[str]:
    found = window.issues_dock.findChild(QListView)
    assert found is not None
    model = found.model()
    return [
        str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())
    ]


# Reading


def test_findings_stand_in_the_text_the_panels_and_the_status(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    assert len(rows(window)) == 3
    assert window.status.draft_text == "14 words · 2 sentences · saved"
    assert window.status.reading_text.startswith("reader test 1.0 · analysed in")


def test_an_edit_is_read_again(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.pane.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.pane, "The legendary plot. ")
    read(window, qtbot, ["shameful", "reveals", "chairman", "legendary", "plot"])
    assert "unsaved" in window.status.draft_text
    assert window.isWindowModified()


def test_quotations_are_read_if_asked_and_that_is_remembered(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.commands["quotes"].trigger()
    read(window, qtbot, ["shameful", "reveals", "disgraceful", "chairman"])
    assert window.settings.include_quotes


def test_kinds_can_be_hidden_from_the_menu_and_the_panel(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.kind_actions[Kind.FRAMING].trigger()
    assert [mark.finding.text for mark in window.pane.marks] == ["reveals", "chairman"]
    assert len(rows(window)) == 2
    button = window.issues_dock.findChild(QAbstractButton, "kind_framing")
    assert button is not None
    button.click()
    assert len(window.pane.marks) == 3
    assert window.kind_actions[Kind.FRAMING].isChecked()


def test_a_broken_bundle_is_told_and_the_text_stays_editable(make: Make, qtbot: QtBot) -> None:
    def load() -> Reader:
        raise BundleError("The reader is damaged. Reinstall Evenhand.")

    window = make(load=load)
    qtbot.waitUntil(lambda: window.status.reading_text == "not analysed")
    labels = [label.accessibleName() for label in window.issues_dock.findChildren(QWidget)]
    assert "The reader is damaged. Reinstall Evenhand." in labels
    QTest.keyClicks(window.pane, "Still ")
    assert window.pane.text() == "Still " + TEXT


def test_an_empty_draft_says_what_to_do(make: Make, qtbot: QtBot) -> None:
    window = make("")
    qtbot.waitUntil(
        lambda: any(label.accessibleName() == EMPTY for label in window.issues_dock.findChildren(QWidget))
    )
    assert len(window.pane.marks) == 0


def test_another_format_is_read_at_once(make: Make, qtbot: QtBot) -> None:
    window = make("A `shameful` word and a shameful one.")
    read(window, qtbot, ["shameful"])
    window.format_actions[Format.PLAIN].trigger()
    read(window, qtbot, ["shameful", "shameful"])
    assert not window.drafts.modified


def test_an_error_is_told_without_a_traceback(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    window = make()
    try:
        raise ValueError(TEXT)
    except ValueError as error:
        told_in(window)(type(error), error, error.__traceback__)
    assert "ValueError" in window.bar.text
    assert "shameful" not in window.bar.text
    assert capsys.readouterr().err == ""


# Walking


def test_f8_walks_over_findings_with_card_panel_and_caret(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    listed = window.issues_dock.findChild(QListView)
    assert listed is not None
    for row, mark in enumerate(window.pane.marks):
        window.commands["next"].trigger()
        assert window.pane.textCursor().position() == mark.start
        assert window.cards.shown == mark.finding
        assert window.pane.current == mark.finding
        assert listed.currentIndex().row() == row
    window.commands["next"].trigger()
    assert window.cards.shown == window.pane.marks[0].finding
    assert window.status.currentMessage() == FIRST_AGAIN
    window.commands["previous"].trigger()
    assert window.cards.shown == window.pane.marks[2].finding


def test_f8_brings_a_far_finding_into_view(make: Make, qtbot: QtBot) -> None:
    window = make("Plain words.\n\n" * 300 + "A shameful end.\n")
    read(window, qtbot, ["shameful"])
    window.commands["next"].trigger()
    assert window.pane.boxes(window.pane.marks[0])
    assert window.cards.shown is not None


def test_escape_hides_the_card_and_typing_too(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.commands["next"].trigger()
    QTest.keyClick(window.pane, Qt.Key.Key_Escape)
    assert window.cards.shown is None
    window.commands["next"].trigger()
    assert window.cards.shown is not None
    QTest.keyClicks(window.pane, "x")
    assert window.cards.shown is None


def test_a_resting_mouse_brings_the_card_and_leaving_takes_it_away(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    mark = window.pane.marks[1]
    QTest.mouseMove(window.pane.viewport(), window.pane.boxes(mark)[0].center().toPoint())
    qtbot.waitUntil(lambda: window.cards.shown == mark.finding)
    far = window.pane.viewport().rect().bottomRight()
    QTest.mouseMove(window.pane.viewport(), far)
    qtbot.waitUntil(lambda: window.cards.shown is None)


def test_a_resting_caret_brings_the_card(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.activateWindow()
    window.pane.setFocus()
    window.pane.go_to(window.pane.marks[0].start + 2)
    qtbot.waitUntil(lambda: window.cards.shown == window.pane.marks[0].finding)


def test_a_row_of_the_panel_goes_to_its_words(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    listed = window.issues_dock.findChild(QListView)
    assert listed is not None
    listed.clicked.emit(listed.model().index(2, 0))
    assert window.pane.textCursor().position() == window.pane.marks[2].start
    assert window.cards.shown == window.pane.marks[2].finding


def test_the_strip_goes_there(make: Make, qtbot: QtBot) -> None:
    window = make("👍🏽 Plain words.\n\n" * 200 + "A shameful end.")
    read(window, qtbot, ["shameful"])
    window.strip.position_clicked.emit(window.pane.text().index("shameful"))
    assert window.pane.textCursor().position() == window.pane.marks[0].start


def test_the_strip_frames_what_is_in_view_from_the_start(make: Make, qtbot: QtBot) -> None:
    window = make("👍🏽 A shameful start.\n\n" + "Plain words.\n\n" * 200)
    read(window, qtbot, ["shameful"])
    start, end = window.strip._view
    assert start == 0
    assert 20 < end < len(window.pane.text()) // 2


# Files


def test_without_a_file_the_sample_is_an_untitled_copy(make: Make, qtbot: QtBot) -> None:
    window = make(None)
    window.open_first([])
    assert window.pane.text() == SAMPLE.read_text(encoding="utf-8")
    assert window.drafts.session.path is None
    assert not window.drafts.modified
    assert window.settings.recent == []


def test_save_writes_the_edit_and_nothing_else(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = make("one\r\ntwo\r\n")
    QTest.keyClicks(window.pane, "x")
    window.commands["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == b"xone\r\ntwo\r\n"
    assert not window.drafts.modified
    window.pane.undo()
    assert window.drafts.modified, "the saved text is another one than the undone"


def test_save_as_asks_for_a_place_and_adds_an_ending(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(None)
    QTest.keyClicks(window.pane, "New words.")
    saving_to(monkeypatch, tmp_path / "mine")
    window.commands["save"].trigger()
    assert (tmp_path / "mine.txt").read_bytes() == b"New words."
    assert window.windowTitle() == "mine.txt[*] — Evenhand"
    assert window.settings.recent == [tmp_path / "mine.txt"]


def test_a_cancelled_save_as_keeps_everything(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make(None)
    QTest.keyClicks(window.pane, "New words.")
    saving_to(monkeypatch, "")
    window.commands["save"].trigger()
    assert window.drafts.modified
    assert window.drafts.session.path is None


def test_a_failed_save_is_told_once_and_keeps_the_text(
    make: Make, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, str]], tmp_path: Path
) -> None:
    window = make()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    QTest.keyClicks(window.pane, "x")
    window.commands["save"].trigger()
    monkeypatch.undo()
    assert len(answers) == 1
    assert "disk is full" in answers[0][1]
    assert window.drafts.modified
    assert window.pane.text() == "x" + TEXT
    assert (tmp_path / "draft.md").read_bytes() == TEXT.encode()


def test_a_character_that_the_encoding_lacks_is_saved_as_utf8_if_wanted(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(None)
    path = tmp_path / "old.txt"
    path.write_bytes("café au lait, très naïf\n".encode("windows-1252"))
    assert window.drafts.open(path)
    assert "Windows-1252" in window.bar.text
    QTest.keyClicks(window.pane, "x")
    window.pane.textCursor().insertText("👍")
    asked = answer(monkeypatch, Button.Save)
    window.commands["save"].trigger()
    assert asked == ["Not saved yet"]
    assert path.read_text(encoding="utf-8") == "x👍café au lait, très naïf\n"
    assert "indows" not in window.status.draft_text


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
    QTest.keyClicks(window.pane, "x")
    asked = answer(monkeypatch, button)
    window.commands["save"].trigger()
    assert asked == ["Changed by another program"]
    assert ((tmp_path / "draft.md").read_bytes() == b"other words, and more") is kept
    assert window.drafts.modified is kept


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
    QTest.keyClicks(window.pane, "x")
    asked = answer(monkeypatch, button)
    ways: dict[str, Callable[[], object]] = {
        "new": window.commands["new"].trigger,
        "close": window.close,
        "open": lambda: window.drafts.open(other),
    }
    ways[way]()
    assert asked == ["Unsaved changes"]
    if way == "close":
        assert window.isVisible() is not left
    else:
        assert (window.pane.text() != "x" + TEXT) is left
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
    assert not window.drafts.open(tmp_path / "image.md")
    assert "image.md" in window.bar.text
    assert window.pane.text() == TEXT


def test_undecodable_bytes_open_read_only(make: Make, tmp_path: Path) -> None:
    window = make(None)
    path = tmp_path / "odd.md"
    data = "ünï cödé\n".encode() * 9 + b"\xff\xfe\x81"
    path.write_bytes(data)
    assert window.drafts.open(path)
    assert window.pane.isReadOnly()
    assert not window.commands["save"].isEnabled()
    assert "read only" in window.status.draft_text
    assert "reading only" in window.bar.text
    assert not window.drafts.save()
    assert path.read_bytes() == data


def test_a_character_that_qt_cannot_hold_opens_read_only(make: Make, tmp_path: Path) -> None:
    window = make(None)
    path = tmp_path / "odd.md"
    path.write_bytes("one\u2029two".encode())
    assert window.drafts.open(path)
    assert window.pane.isReadOnly()
    assert "U+2029 in line 1" in window.bar.text


def test_a_vanished_recent_file_leaves_the_list(make: Make, tmp_path: Path) -> None:
    window = make()
    (tmp_path / "draft.md").unlink()
    entry = window._recent_menu.actions()[0]
    assert "draft.md" in entry.text()
    entry.trigger()
    assert "draft.md" in window.bar.text
    assert window.settings.recent == []
    assert not any("draft.md" in action.text() for action in window._recent_menu.actions())
    assert window.pane.text() == TEXT


def test_files_dropped_beside_the_text_are_opened_one_at_a_time(make: Make, tmp_path: Path) -> None:
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
    assert window.pane.text() == "This is a.md"
    assert "1 other file was not opened" in window.bar.text


# The frame


def test_layout_zoom_and_theme_are_remembered(make: Make, qtbot: QtBot) -> None:
    first = make()
    first.document_dock.hide()
    first.commands["zoom_in"].trigger()
    first.theme_actions["dark"].trigger()
    first.close()
    second = make()
    assert second.document_dock.isHidden()
    assert not second.issues_dock.isHidden()
    assert second.pane.zoom == 1
    assert second.theme_actions["dark"].isChecked()
    second.theme_actions["light"].trigger()


def test_f6_goes_round_the_parts(make: Make, qtbot: QtBot) -> None:
    window = make()
    window.activateWindow()
    window.pane.setFocus()
    seen = []
    for _ in range(5):
        seen.append(QApplication.focusWidget())
        window.commands["next_area"].trigger()
    assert seen[0] is window.pane
    assert seen[1] is window.strip
    assert len({id(widget) for widget in seen}) >= 4


def test_every_command_has_a_place_and_no_two_share_keys(make: Make) -> None:
    window = make()
    placed = {name for _, names in MENUS for name in names}
    assert set(COMMANDS) - placed == {"forget_recent"}
    used: dict[str, str] = {}
    for name, action in window.commands.items():
        assert action.receivers("2triggered()") > 0 or action.isCheckable(), name
        for sequence in action.shortcuts():
            assert used.setdefault(sequence.toString(), name) == name
    assert ("Next finding", "F8") in shortcut_rows(window.commands)
    assert ("Previous finding", "Shift+F8") in shortcut_rows(window.commands)


def test_every_control_has_a_name(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
            continue
        if widget.objectName().startswith("qt_") or isinstance(widget.parentWidget(), QAbstractScrollArea):
            continue
        text = getattr(widget, "text", lambda: "")
        assert widget.accessibleName() or text(), f"{widget!r} in {widget.parentWidget()!r}"


def test_menus_have_no_dead_entries(make: Make) -> None:
    window = make()

    def leaves(actions: list[QAction]) -> Iterator[QAction]:
        for action in actions:
            if action.menu() is not None:
                yield from leaves(action.menu().actions())
            elif not action.isSeparator():
                yield action

    entries = list(leaves(window.menuBar().actions()))
    assert len(entries) > 30
    assert all(entry.text() for entry in entries)
