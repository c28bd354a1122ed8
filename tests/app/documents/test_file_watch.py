"""Protects both versions of a file that another program changes while it is open: told calmly, neither is lost."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import TEXT, Button, Make, answer

from app.documents import file_locks
from app.documents.file_locks import OpenChoice
from app.main_window.window import MainWindow
from core.storage.store import Store

OTHER = "Other words,\r\nand more of them.\n"


@pytest.fixture
def changed(make: Make, qtbot: QtBot, tmp_path: Path) -> Callable[[], MainWindow]:
    """A window with an edit, whose file another program has changed."""

    def window() -> MainWindow:
        one = make()
        QTest.keyClicks(one.ui.editor, "x")
        (tmp_path / "draft.md").write_bytes(OTHER.encode())
        qtbot.waitUntil(lambda: "changed by another program" in one.ui.file_bar.text)
        return one

    return window


def beside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("draft~*"))


def without_store(window: MainWindow) -> None:
    window.components.documents.store = None


def test_a_change_is_told_and_the_text_here_is_loaded_over_only_when_wanted(
    changed: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = changed()
    without_store(window)
    assert window.ui.editor.text() == "x" + TEXT
    window.ui.file_bar.buttons["load"].click()
    assert window.ui.editor.text() == OTHER.replace("\r\n", "\n")
    assert not window.components.documents.modified
    assert [path.read_text(encoding="utf-8") for path in beside(tmp_path)] == ["x" + TEXT]
    assert "is kept in" in window.ui.message_bar.text
    assert window.ui.file_bar.text == ""
    window.ui.editor.undo()
    assert window.ui.editor.text() == "x" + TEXT, "undo brings the text back too"
    window.ui.editor.redo()
    window.ui.actions["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == OTHER.encode()


def test_a_change_that_leaves_size_and_time_is_told(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = make()
    path = tmp_path / "draft.md"
    before = path.stat()
    path.write_bytes(TEXT.swapcase().encode())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    qtbot.waitUntil(lambda: "changed by another program" in window.ui.file_bar.text)


def test_keeping_mine_keeps_the_other_aside_and_saves_without_asking_again(
    changed: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = changed()
    without_store(window)
    window.ui.file_bar.buttons["keep"].click()
    assert window.ui.file_bar.text == ""
    assert [path.read_bytes() for path in beside(tmp_path)] == [OTHER.encode()]
    window.ui.actions["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == b"x" + TEXT.encode()


def test_the_history_keeps_the_other_version_where_there_is_one(
    changed: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = changed()
    with_store = Store.open(tmp_path / "store.sqlite3")
    window.components.documents.store = with_store
    window.ui.file_bar.buttons["keep"].click()
    window.components.documents.store = None
    draft = with_store.open_draft(
        window.components.documents.session.uid, name="draft.md", path=tmp_path / "draft.md"
    )
    texts = [with_store.text_of(version.id) for version in with_store.versions(draft.uid)]
    with_store.close()
    assert OTHER.replace("\r\n", "\n") in texts
    assert beside(tmp_path) == []


def test_both_versions_can_be_seen_side_by_side(changed: Callable[[], MainWindow], qtbot: QtBot) -> None:
    window = changed()
    window.ui.file_bar.buttons["compare"].click()
    comparison_dialog = window.components.file_watcher.comparison_dialog
    assert comparison_dialog is not None
    qtbot.waitUntil(lambda: "and more of them" in comparison_dialog.view.toPlainText())
    assert "shameful" in comparison_dialog.view.toPlainText()


def test_saving_over_an_unseen_change_asks_and_keeps_it(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make()
    without_store(window)
    QTest.keyClicks(window.ui.editor, "x")
    (tmp_path / "draft.md").write_bytes(OTHER.encode())
    answer(monkeypatch, Button.Save)
    window.ui.actions["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == b"x" + TEXT.encode()
    assert [path.read_bytes() for path in beside(tmp_path)] == [OTHER.encode()]


def test_a_removed_file_is_told_and_saving_writes_it_again(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = make()
    (tmp_path / "draft.md").rename(tmp_path / "moved.md")
    qtbot.waitUntil(lambda: "removed or renamed" in window.ui.file_bar.text)
    assert window.components.documents.modified
    assert window.ui.editor.text() == TEXT
    window.ui.file_bar.buttons["save"].click()
    assert (tmp_path / "draft.md").read_bytes() == TEXT.encode()
    assert window.ui.file_bar.text == ""


def test_a_file_that_is_only_touched_or_written_again_is_no_change(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = make()
    path = tmp_path / "draft.md"
    path.write_bytes(OTHER.encode())
    qtbot.waitUntil(lambda: bool(window.ui.file_bar.text))
    path.write_bytes(TEXT.encode())
    qtbot.waitUntil(lambda: not window.ui.file_bar.text)
    QTest.keyClicks(window.ui.editor, "x")
    window.ui.actions["save"].trigger()
    window.components.file_watcher.check_file()
    qtbot.wait(100)
    assert window.ui.file_bar.text == ""


@pytest.mark.parametrize(
    ("choice", "text", "editable"),
    [(OpenChoice.READ_ONLY, TEXT, False), (OpenChoice.ANYWAY, TEXT, True), (OpenChoice.CANCEL, "", True)],
)
def test_two_windows_on_one_file_are_told_apart(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, choice: OpenChoice, text: str, editable: bool
) -> None:
    first = make()
    second = make(None)
    asked: list[str] = []
    monkeypatch.setattr(file_locks, "ask", lambda _, name: asked.append(name) or choice)
    second.components.documents.open(tmp_path / "draft.md")
    assert asked == ["draft.md"]
    assert second.ui.editor.text() == text
    assert second.ui.editor.isReadOnly() is not editable
    assert first.components.documents.open(tmp_path / "draft.md"), "a window may open its own file again"
    assert asked == ["draft.md"]
    second.close()
    first.close()
    third = make()
    assert third.ui.editor.text() == TEXT
