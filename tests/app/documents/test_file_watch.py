"""Protects both versions of a file that another program changes while it is open: told calmly, neither is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import TEXT, Button, Make, answer

from app.documents import file_locks
from app.documents.file_locks import Choice
from app.main_window.window import MainWindow
from core.storage.store import Store

OTHER = "Other words,\r\nand more of them.\n"


@pytest.fixture
def changed(make: Make, qtbot: QtBot, tmp_path: Path) -> Callable[[], MainWindow]:
    """A window with an edit, whose file another program has changed."""

    def window() -> MainWindow:
        one = make()
        QTest.keyClicks(one.pane, "x")
        (tmp_path / "draft.md").write_bytes(OTHER.encode())
        qtbot.waitUntil(lambda: "changed by another program" in one.choice_bar.text)
        return one

    return window


def beside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("draft~*"))


def without_store(window: MainWindow) -> None:
    window.drafts.store = None


def test_a_change_is_told_and_the_text_here_is_loaded_over_only_when_wanted(
    changed: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = changed()
    without_store(window)
    assert window.pane.text() == "x" + TEXT
    window.choice_bar.buttons["load"].click()
    assert window.pane.text() == OTHER.replace("\r\n", "\n")
    assert not window.drafts.modified
    assert [path.read_text(encoding="utf-8") for path in beside(tmp_path)] == ["x" + TEXT]
    assert "is kept in" in window.bar.text
    assert window.choice_bar.text == ""
    window.pane.undo()
    assert window.pane.text() == "x" + TEXT, "undo brings the text back too"
    window.pane.redo()
    window.commands["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == OTHER.encode()


def test_keeping_mine_keeps_the_other_aside_and_saves_without_asking_again(
    changed: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = changed()
    without_store(window)
    window.choice_bar.buttons["keep"].click()
    assert window.choice_bar.text == ""
    assert [path.read_bytes() for path in beside(tmp_path)] == [OTHER.encode()]
    window.commands["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == b"x" + TEXT.encode()


def test_the_history_keeps_the_other_version_where_there_is_one(
    changed: Callable[[], MainWindow], tmp_path: Path
) -> None:
    window = changed()
    with_store = Store.open(tmp_path / "store.sqlite3")
    window.drafts.store = with_store
    window.choice_bar.buttons["keep"].click()
    window.drafts.store = None
    draft = with_store.draft(window.drafts.session.uid, name="draft.md", path=tmp_path / "draft.md")
    texts = [with_store.text_of(version.id) for version in with_store.versions(draft.uid)]
    with_store.close()
    assert OTHER.replace("\r\n", "\n") in texts
    assert beside(tmp_path) == []


def test_both_versions_can_be_seen_side_by_side(changed: Callable[[], MainWindow], qtbot: QtBot) -> None:
    window = changed()
    window.choice_bar.buttons["compare"].click()
    compared = window.watch.compared
    assert compared is not None
    qtbot.waitUntil(lambda: "and more of them" in compared.view.toPlainText())
    assert "shameful" in compared.view.toPlainText()


def test_saving_over_an_unseen_change_asks_and_keeps_it(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make()
    without_store(window)
    QTest.keyClicks(window.pane, "x")
    (tmp_path / "draft.md").write_bytes(OTHER.encode())
    answer(monkeypatch, Button.Save)
    window.commands["save"].trigger()
    assert (tmp_path / "draft.md").read_bytes() == b"x" + TEXT.encode()
    assert [path.read_bytes() for path in beside(tmp_path)] == [OTHER.encode()]


def test_a_removed_file_is_told_and_saving_writes_it_again(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = make()
    (tmp_path / "draft.md").rename(tmp_path / "moved.md")
    qtbot.waitUntil(lambda: "removed or renamed" in window.choice_bar.text)
    assert window.drafts.modified
    assert window.pane.text() == TEXT
    window.choice_bar.buttons["save"].click()
    assert (tmp_path / "draft.md").read_bytes() == TEXT.encode()
    assert window.choice_bar.text == ""


def test_a_file_that_is_only_touched_or_written_again_is_no_change(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = make()
    path = tmp_path / "draft.md"
    path.write_bytes(OTHER.encode())
    qtbot.waitUntil(lambda: bool(window.choice_bar.text))
    path.write_bytes(TEXT.encode())
    qtbot.waitUntil(lambda: not window.choice_bar.text)
    QTest.keyClicks(window.pane, "x")
    window.commands["save"].trigger()
    window.watch.look()
    assert window.choice_bar.text == ""


@pytest.mark.parametrize(
    ("choice", "text", "editable"),
    [(Choice.READ_ONLY, TEXT, False), (Choice.ANYWAY, TEXT, True), (Choice.CANCEL, "", True)],
)
def test_two_windows_on_one_file_are_told_apart(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, choice: Choice, text: str, editable: bool
) -> None:
    first = make()
    second = make(None)
    asked: list[str] = []
    monkeypatch.setattr(file_locks, "ask", lambda _, name: asked.append(name) or choice)
    second.drafts.open(tmp_path / "draft.md")
    assert asked == ["draft.md"]
    assert second.pane.text() == text
    assert second.pane.isReadOnly() is not editable
    assert first.drafts.open(tmp_path / "draft.md"), "a window may open its own file again"
    assert asked == ["draft.md"]
    second.close()
    first.close()
    third = make()
    assert third.pane.text() == TEXT
