"""Protects the versions of a draft in the window: when one is kept, what it can be compared with, how it comes back."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot
from windows import TEXT, Button, Make, answer, read, saving_to

from app.analysis.worker_context import Reader
from app.comparison.compare_window import COMPARING
from app.history.version_controller import ASK_TITLE, UNAVAILABLE
from app.history.version_name_dialog import VersionNameDialog
from app.history.versions_panel import EMPTY, VersionsPanel
from app.main_window.window import MainWindow
from core.bundles.manifest import BundleError
from core.paths import data_folder
from core.storage.store import Store
from core.storage.types import Version

WORDS = ["shameful", "reveals", "chairman"]


def settled(window: MainWindow, qtbot: QtBot) -> None:
    """All that was asked of the store is answered."""
    qtbot.waitUntil(
        lambda: window.components.store_access.store is not None and not window.components.background.busy
    )


def panel_of(window: MainWindow) -> VersionsPanel:
    panel = window.ui.versions_dock.panel
    assert isinstance(panel, VersionsPanel)
    return panel


def whys(window: MainWindow, qtbot: QtBot) -> list[str]:
    settled(window, qtbot)
    return [version.why for version in window.components.history.versions]


def text_of(window: MainWindow, version: Version) -> str:
    assert window.components.store_access.store is not None
    return window.components.store_access.store.text_of(version.id)


def typed(window: MainWindow, text: str) -> None:
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    window.ui.editor.textCursor().insertText(text)


def name_asked(window: MainWindow) -> VersionNameDialog:
    """The dialog that asks for the name of a version."""
    [dialog] = [one for one in window.findChildren(VersionNameDialog) if one.isVisible()]
    return dialog


def keep(window: MainWindow, name: str = "") -> None:
    """Keep what is there now, with a name."""
    window.ui.actions["keep_version"].trigger()
    QTest.keyClicks(name_asked(window).field, name)
    name_asked(window).accept()


def button(window: MainWindow, text: str) -> QPushButton:
    return next(one for one in panel_of(window).findChildren(QPushButton) if one.text() == text)


def selected(window: MainWindow, *rows: int) -> None:
    listed = panel_of(window).list
    listed.clearSelection()
    for row in rows:
        model = listed.selectionModel()
        model.select(listed.model().index(row, 0), model.SelectionFlag.Select)


# When


def test_a_file_is_kept_as_it_was_found_with_how_it_read(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    qtbot.waitUntil(lambda: any(one.scores for one in window.components.history.versions))
    [version] = window.components.history.versions
    assert version.why == "opened"
    assert text_of(window, version) == TEXT
    assert version.scores is not None
    assert version.scores.sentences == 2
    assert sum(version.scores.kinds.values()) == 3


def test_a_version_that_was_written_over_before_it_was_read_is_read_later(make: Make, qtbot: QtBot) -> None:
    """Who saves and types on at once would otherwise have a history without scores."""
    window = make()
    window.components.history._scorer._timer.setInterval(0)
    for word in ("One.", "Two.", "Three."):
        typed(window, word)
        keep(window)
    qtbot.waitUntil(lambda: [bool(one.scores) for one in window.components.history.versions] == [True] * 4)


@pytest.mark.parametrize("step", [-12, 12])
def test_what_is_kept_and_compared_does_not_depend_on_the_slider(make: Make, qtbot: QtBot, step: int) -> None:
    """The list follows the slider; a history whose values followed it, too, could not be compared with itself."""
    window = make("The shameful plot reveals it, perhaps.\n")
    read(window, qtbot, ["shameful", "plot", "reveals"])
    window.settings.set("sensitivity", step)
    read(window, qtbot, ["shameful"] if step < 0 else ["shameful", "plot", "reveals", "perhaps"])
    window.components.history._scorer._timer.setInterval(0)
    typed(window, "He left.")
    keep(window)
    qtbot.waitUntil(lambda: [bool(one.scores) for one in window.components.history.versions] == [True] * 2)
    assert [sum(one.scores.kinds.values()) for one in window.components.history.versions if one.scores] == [
        3,
        3,
    ]
    window.ui.actions["compare"].trigger()
    shown = window.components.comparison._window
    assert shown is not None
    qtbot.waitUntil(lambda: shown.message != COMPARING)
    assert len(window.ui.editor.marks) == (1 if step < 0 else 4)


def test_the_words_of_a_version_are_those_of_its_prose(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "page.wiki"
    path.write_text("{{Infobox|name=Ann Lee}}\n'''A''' [[law|shameful law]].\n", encoding="utf-8")
    window = make(None)
    assert window.components.documents.open(path)
    settled(window, qtbot)
    assert [version.words for version in window.components.history.versions] == [3]


def test_saving_keeps_a_version_and_saving_the_same_again_does_not(make: Make, qtbot: QtBot) -> None:
    window = make()
    typed(window, "More.")
    assert window.components.documents.save()
    assert window.components.documents.save()
    assert whys(window, qtbot) == ["opened", "saved"]
    assert text_of(window, window.components.history.versions[-1]) == TEXT + "More."


def test_a_while_of_writing_keeps_a_version(make: Make, qtbot: QtBot) -> None:
    window = make()
    assert whys(window, qtbot) == ["opened"]
    window.components.history._timer.setInterval(0)
    typed(window, "x")
    qtbot.waitUntil(lambda: whys(window, qtbot)[-1:] == ["typing"])
    assert not window.components.history._timer.isActive()


def test_the_command_keeps_what_is_there_now(make: Make, qtbot: QtBot) -> None:
    window = make()
    typed(window, "More.")
    keep(window)
    assert whys(window, qtbot) == ["opened", "kept"]
    assert window.ui.status_bar.currentMessage() == "This version is kept."
    keep(window)
    settled(window, qtbot)
    assert window.ui.status_bar.currentMessage() == "This text is already kept."
    assert len(window.components.history.versions) == 2


def test_a_new_draft_has_versions_from_the_first_that_is_kept(make: Make, qtbot: QtBot) -> None:
    """And they stay with it when it gets its first place on disk."""
    window = make(None)
    assert whys(window, qtbot) == []
    window.ui.actions["keep_version"].trigger()
    assert window.ui.status_bar.currentMessage() == "There is nothing to keep yet."
    typed(window, "A shameful start.")
    keep(window)
    assert whys(window, qtbot) == ["kept"]


def test_a_draft_that_is_saved_for_the_first_time_keeps_its_history(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(None)
    typed(window, "A start.")
    keep(window)
    typed(window, " An end.")
    saving_to(monkeypatch, tmp_path / "new.md")
    assert window.components.documents.save()
    assert whys(window, qtbot) == ["kept", "saved"]
    window.components.documents.new()
    assert whys(window, qtbot) == []
    assert window.components.documents.open(tmp_path / "new.md")
    assert whys(window, qtbot) == ["kept", "saved"]


def test_the_sample_leaves_nothing_in_the_history_unless_it_is_changed(make: Make, qtbot: QtBot) -> None:
    window = make(None)
    window.ui.actions["sample"].trigger()
    assert whys(window, qtbot) == []
    typed(window, "x")
    keep(window)
    assert whys(window, qtbot) == ["opened", "kept"]


def test_the_next_window_finds_the_versions_of_a_file(make: Make, qtbot: QtBot) -> None:
    window = make()
    typed(window, "More.")
    assert window.components.documents.save()
    settled(window, qtbot)
    window.close()
    again = make(TEXT + "More.")
    assert whys(again, qtbot) == ["opened", "saved"]


def test_a_version_that_is_asked_for_last_is_on_the_disk_when_the_window_is_gone(
    make: Make, qtbot: QtBot
) -> None:
    window = make()
    settled(window, qtbot)
    typed(window, "More.")
    assert window.components.documents.save()
    window.close()
    store = Store.open()
    uid = store.open_draft(None, name="draft.md", path=window.components.documents.session.path).uid
    assert [version.why for version in store.versions(uid)] == ["opened", "saved"]
    store.close()


# The panel


def test_the_panel_lists_the_newest_first_and_says_each_row(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    typed(window, "More.")
    assert window.components.documents.save()
    read(window, qtbot, WORDS)
    qtbot.waitUntil(lambda: [bool(one.scores) for one in window.components.history.versions] == [True, True])
    settled(window, qtbot)
    model = panel_of(window).list.model()
    said = [
        str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())
    ]
    assert len(said) == 2
    assert "saved, 15 words, bias 0." in said[0]
    assert "opened, 14 words, bias 0." in said[1]
    assert "2 of 2 sentences biased" in said[1]
    assert "Framing 1" in said[1]
    assert panel_of(window).timeline.accessibleName().startswith("Bias over 2 versions: from 0.")


def test_an_empty_history_says_when_there_will_be_one(make: Make, qtbot: QtBot) -> None:
    window = make(None)
    settled(window, qtbot)
    window.ui.actions["versions"].trigger()
    shown = [label.accessibleName() for label in panel_of(window).findChildren(QLabel) if label.isVisible()]
    assert shown == [EMPTY]
    assert not button(window, "Forget…").isEnabled()
    assert not button(window, "Restore").isEnabled()


def test_the_command_brings_the_keys_to_the_list(make: Make, qtbot: QtBot) -> None:
    window = make()
    settled(window, qtbot)
    window.ui.actions["versions"].trigger()
    assert panel_of(window).list.isVisible()
    qtbot.waitUntil(panel_of(window).list.hasFocus)


def test_what_is_selected_stays_so_when_a_version_comes(make: Make, qtbot: QtBot) -> None:
    window = make()
    settled(window, qtbot)
    selected(window, 0)
    typed(window, "More.")
    keep(window)
    settled(window, qtbot)
    assert [version.why for version in panel_of(window).chosen] == ["opened"]


# Names


def names(window: MainWindow, qtbot: QtBot) -> list[str]:
    settled(window, qtbot)
    return [version.name for version in window.components.history.versions]


def test_a_version_is_kept_with_a_name_that_the_panel_shows(make: Make, qtbot: QtBot) -> None:
    window = make()
    typed(window, "More.")
    keep(window, "  For   Anna ")
    assert names(window, qtbot) == ["", "For Anna"]
    assert window.ui.status_bar.currentMessage() == "This version is kept as “For Anna”."
    first = panel_of(window).list.model().index(0, 0)
    assert str(first.data(Qt.ItemDataRole.DisplayRole)).endswith(", For Anna")
    assert ", For Anna, kept by you, " in str(first.data(Qt.ItemDataRole.AccessibleTextRole))


def test_the_name_has_one_line_of_limited_length(make: Make, qtbot: QtBot) -> None:
    window = make()
    keep(window, "x" * 150)
    assert names(window, qtbot) == ["x" * 100]


def test_cancelling_keeps_nothing(make: Make, qtbot: QtBot) -> None:
    window = make()
    typed(window, "More.")
    window.ui.actions["keep_version"].trigger()
    QTest.keyClick(name_asked(window), Qt.Key.Key_Escape)
    assert whys(window, qtbot) == ["opened"]


def test_a_text_that_is_kept_already_gets_the_name(make: Make, qtbot: QtBot) -> None:
    window = make()
    assert names(window, qtbot) == [""]
    keep(window, "As it came")
    assert names(window, qtbot) == ["As it came"]
    assert "Its version is now called “As it came”." in window.ui.status_bar.currentMessage()
    keep(window)
    assert names(window, qtbot) == ["As it came"]


def test_a_version_is_renamed_by_key_and_that_can_be_undone(make: Make, qtbot: QtBot) -> None:
    window = make()
    settled(window, qtbot)
    window.ui.actions["versions"].trigger()
    selected(window, 0)
    QTest.keyClick(panel_of(window).list, Qt.Key.Key_F2)
    QTest.keyClicks(name_asked(window).field, "First")
    QTest.keyClick(name_asked(window).field, Qt.Key.Key_Return)
    assert names(window, qtbot) == ["First"]
    assert [version.name for version in panel_of(window).chosen] == ["First"]
    assert not window.components.documents.modified
    window.ui.actions["undo"].trigger()
    assert names(window, qtbot) == [""]
    window.ui.actions["redo"].trigger()
    assert names(window, qtbot) == ["First"]
    button(window, "Rename…").click()
    assert name_asked(window).field.text() == "First"
    name_asked(window).field.clear()
    name_asked(window).accept()
    assert names(window, qtbot) == [""]


def test_only_one_version_is_renamed(make: Make, qtbot: QtBot) -> None:
    window = make()
    typed(window, "More.")
    keep(window)
    settled(window, qtbot)
    assert not button(window, "Rename…").isEnabled()
    selected(window, 0, 1)
    assert not button(window, "Rename…").isEnabled()
    selected(window, 1)
    assert button(window, "Rename…").isEnabled()


# Comparing


def test_a_version_is_compared_with_the_present_text_by_return(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    window.ui.editor.document().find("shameful ").removeSelectedText()
    window.ui.actions["versions"].trigger()
    selected(window, 0)
    QTest.keyClick(panel_of(window).list, Qt.Key.Key_Return)
    qtbot.waitUntil(
        lambda: (
            window.components.comparison._window is not None
            and window.components.comparison._window.message != COMPARING
        )
    )
    shown = window.components.comparison._window
    assert shown is not None
    heads = [label.text() for label in shown.findChildren(QLabel) if label.isVisible()]
    assert any(head.endswith(", opened") for head in heads)
    assert "Now" in heads
    assert "As opened" not in heads
    assert "“shameful” removed" in shown.summary_line


def test_two_versions_are_compared_the_older_one_first(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    typed(window, "More.")
    keep(window)
    typed(window, "Not compared.")
    settled(window, qtbot)
    selected(window, 0, 1)
    button(window, "Compare both").click()
    qtbot.waitUntil(
        lambda: (
            window.components.comparison._window is not None
            and window.components.comparison._window.message != COMPARING
        )
    )
    shown = window.components.comparison._window
    assert shown is not None
    assert shown.summary_line.endswith(": “More.” added; 1 change")
    window.ui.actions["compare"].trigger()
    qtbot.waitUntil(lambda: "“More.Not compared.” added" in shown.summary_line)


# Restoring


def test_a_restored_version_is_one_step_that_can_be_undone(make: Make, qtbot: QtBot) -> None:
    window = make()
    settled(window, qtbot)
    typed(window, "More 👍🏽.")
    changed = window.ui.editor.text()
    selected(window, 0)
    button(window, "Restore").click()
    qtbot.waitUntil(lambda: window.ui.editor.text() == TEXT)
    assert whys(window, qtbot) == ["opened", "replaced", "restored"]
    assert text_of(window, window.components.history.versions[1]) == changed
    assert window.components.documents.modified
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == changed


def test_what_was_typed_while_the_store_was_asked_is_kept_too(make: Make, qtbot: QtBot) -> None:
    window = make()
    settled(window, qtbot)
    typed(window, "One.")
    window.components.history.restore(window.components.history.versions[0])
    typed(window, "Two.")
    changed = window.ui.editor.text()
    qtbot.waitUntil(lambda: window.ui.editor.text() == TEXT)
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == changed


def test_a_draft_that_cannot_be_edited_cannot_be_restored(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = make()
    (tmp_path / "damaged.md").write_bytes(b"One \x81\x8d\x8f\x90\x9d line.\n")
    assert window.components.documents.open(tmp_path / "damaged.md")
    settled(window, qtbot)
    selected(window, 0)
    assert not button(window, "Restore").isEnabled()
    assert button(window, "Compare").isEnabled()


# Forgetting


def test_forgetting_asks_once_and_leaves_the_file(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make()
    read(window, qtbot, WORDS)
    typed(window, "More.")
    assert window.components.documents.save()
    settled(window, qtbot)
    asked = answer(monkeypatch, Button.Cancel)
    window.ui.actions["forget_draft"].trigger()
    assert whys(window, qtbot) == ["opened", "saved"]
    asked += answer(monkeypatch, Button.Yes)
    window.ui.actions["forget_draft"].trigger()
    qtbot.waitUntil(lambda: whys(window, qtbot) == [])
    assert window.ui.status_bar.currentMessage() == "The draft is forgotten."
    assert window.ui.editor.text() == TEXT + "More."
    assert (tmp_path / "draft.md").read_text() == TEXT + "More."
    raw = sqlite3.connect(data_folder() / "evenhand.sqlite3")
    assert raw.execute("SELECT count(*) FROM versions").fetchone() == (0,)
    raw.close()
    typed(window, "Again.")
    assert window.components.documents.save()
    assert whys(window, qtbot) == ["saved"]


def test_forgetting_takes_the_journal_and_what_was_ignored_with_it(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    window.ui.actions["next"].trigger()
    window.ui.actions["ignore_words"].trigger()
    read(window, qtbot, ["reveals", "chairman"])
    typed(window, "A zebrafinch.")
    window.ui.editor.undo()
    assert window.components.documents.save()
    settled(window, qtbot)
    answer(monkeypatch, Button.Yes)
    window.ui.actions["forget_draft"].trigger()
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    files = [file for file in data_folder().rglob("*") if file.is_file()]
    assert files
    assert not any(b"zebrafinch" in file.read_bytes() for file in files)


def test_the_question_says_what_goes_and_what_stays(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make()
    settled(window, qtbot)
    shown: list[tuple[str, str]] = []

    def question(_window: object, title: str, text: str, *_: object) -> QMessageBox.StandardButton:
        shown.append((title, text))
        return Button.Cancel

    monkeypatch.setattr(QMessageBox, "question", question)
    button(window, "Forget…").click()
    [(title, text)] = shown
    assert title == ASK_TITLE
    for part in ("“draft.md”", "1", "ignored", "cannot be undone", "file"):
        assert part in text


# Without a store


def test_without_a_store_the_window_works_and_says_so(make: Make, qtbot: QtBot) -> None:
    place = data_folder()
    place.mkdir(parents=True)
    (place / "evenhand.sqlite3").mkdir()
    window = make()
    qtbot.waitUntil(lambda: "history" in window.ui.message_bar.text)
    assert window.components.store_access.store is None
    typed(window, "More.")
    assert window.components.documents.save()
    window.ui.actions["keep_version"].trigger()
    assert window.ui.status_bar.currentMessage() == UNAVAILABLE
    window.ui.actions["forget_draft"].trigger()
    read(window, qtbot, WORDS)
    assert window.components.history.versions == []
    assert not button(window, "Keep…").isEnabled()
    window.ui.message_bar.clear()
    assert window.components.documents.save()
    assert window.ui.message_bar.text == ""


def test_a_newer_store_is_told(make: Make, qtbot: QtBot) -> None:
    Store.open().close()
    raw = sqlite3.connect(data_folder() / "evenhand.sqlite3")
    raw.execute("PRAGMA user_version = 999")
    raw.close()
    window = make()
    qtbot.waitUntil(lambda: "newer version of Evenhand" in window.ui.message_bar.text)
    typed(window, "x")


def test_without_a_reader_versions_have_no_scores(make: Make, qtbot: QtBot) -> None:
    def load() -> Reader:
        raise BundleError("The reader is damaged. Reinstall Evenhand.")

    window = make(load=load)
    settled(window, qtbot)
    assert [version.scores for version in window.components.history.versions] == [None]
    assert panel_of(window).timeline.accessibleName() == "No version has been analysed yet."
