"""Spelling in the real window: misspelled words are underlined, corrected in one step, added or ignored."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.review.ignored_dialog import IgnoredDialog
from app.spelling.spelling_menu import ADD, IGNORE, NO_CORRECTION, SEARCHING
from tests.small_dictionary import write_dictionary

TEXT = "The 👍🏽 senatr said: a wrod, the wrod and don’t.\n\n`cdoe`\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("EVENHAND_DICTIONARIES", str(tmp_path / "dictionaries"))
    return tmp_path / "home"


@pytest.fixture
def dictionaries(tmp_path: Path) -> Path:
    return write_dictionary(tmp_path / "dictionaries").parent


def marked(window: MainWindow) -> list[str]:
    return [window.ui.editor.text_between(*place) for place in window.ui.editor.misspelled]


def wait(window: MainWindow, qtbot: QtBot, words: list[str]) -> None:
    qtbot.waitUntil(lambda: marked(window) == words)


def menu_at(window: MainWindow, position: int) -> dict[str, QAction]:
    """The entries of the context menu at a position in UTF-16 units, by their text."""
    menu = window.components.finding_menu.build(position)
    return {action.text(): action for action in menu.actions() if action.text()}


def at_word(window: MainWindow, word: str) -> int:
    return next(
        start
        for start, end in window.ui.editor.misspelled
        if window.ui.editor.text_between(start, end) == word
    )


@pytest.mark.usefixtures("dictionaries")
def test_misspelled_words_are_marked_and_code_is_not(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    assert window.ui.actions["spelling"].isChecked()


@pytest.mark.usefixtures("dictionaries")
def test_front_matter_templates_and_addresses_are_left_alone(make: Make, qtbot: QtBot) -> None:
    window = make("---\ntitel: xyzzi\n---\n\nA wrod at https://exmaple.org/pth <!-- commnt -->\n")
    wait(window, qtbot, ["wrod"])
    wiki = next(action for form, action in window.menus.format_actions.items() if form.value == "wikitext")
    window.ui.editor.selectAll()
    window.ui.editor.insertPlainText("{{Infobx|nme=xyzzi}}\n\nA senatr<ref>{{cite wbe}}</ref> [[Trgt|is]].")
    wiki.trigger()
    wait(window, qtbot, ["senatr"])


@pytest.mark.usefixtures("dictionaries")
def test_a_right_click_corrects_the_word_in_one_step(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    editor = window.ui.editor
    entries = menu_at(window, at_word(window, "wrod") + 2)
    assert next(iter(entries)) == "word"
    assert list(entries).index("word") < list(entries).index(ADD)
    entries["word"].trigger()
    assert editor.text() == TEXT.replace("wrod", "word", 1)
    wait(window, qtbot, ["senatr", "wrod"])
    editor.undo()
    assert editor.text() == TEXT
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    editor.redo()
    assert editor.text() == TEXT.replace("wrod", "word", 1)


@pytest.mark.usefixtures("dictionaries")
def test_the_menu_opens_at_the_word_under_the_mouse(make: Make, qtbot: QtBot) -> None:
    window = make("A wrod.")
    wait(window, qtbot, ["wrod"])
    editor = window.ui.editor
    cursor = QTextCursor(editor.document())
    cursor.setPosition(4)
    place = editor.cursorRect(cursor).center()
    click = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse,
        place,
        editor.viewport().mapToGlobal(place),
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(editor.viewport(), click)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions()[0].text() == "word"
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert editor.text() == "A word."


@pytest.mark.usefixtures("dictionaries")
def test_a_word_without_correction_says_so(make: Make, qtbot: QtBot) -> None:
    window = make("A xqzwvkj.")
    wait(window, qtbot, ["xqzwvkj"])
    entries = menu_at(window, 4)
    assert not entries[NO_CORRECTION].isEnabled()
    assert ADD in entries


@pytest.mark.usefixtures("dictionaries")
def test_corrections_that_take_long_come_into_the_open_menu(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some dictionaries need seconds for one word: the menu opens without them."""
    monkeypatch.setattr("app.spelling.spelling_controller.CORRECTIONS_WAIT_S", 0.0)
    window = make("A wrod.")
    wait(window, qtbot, ["wrod"])
    menu = window.components.finding_menu.build(3)
    texts = [action.text() for action in menu.actions()]
    if SEARCHING in texts:
        qtbot.waitUntil(lambda: SEARCHING not in [action.text() for action in menu.actions()])
    assert menu.actions()[0].text() == "word"


@pytest.mark.usefixtures("dictionaries")
def test_a_search_for_corrections_that_fails_ends_in_the_menu(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged dictionary can fail at one word."""

    def fail(*_: object) -> tuple[str, ...]:
        raise IndexError

    monkeypatch.setattr("app.spelling.spelling_worker.SpellingWorker.corrections", fail)
    window = make("A wrod.")
    wait(window, qtbot, ["wrod"])
    menu = window.components.finding_menu.build(3)
    qtbot.waitUntil(lambda: menu.actions()[0].text() == NO_CORRECTION)
    assert "IndexError" in window.ui.message_bar.text


@pytest.mark.usefixtures("dictionaries")
def test_a_correction_is_not_made_where_the_word_was_changed(make: Make, qtbot: QtBot) -> None:
    window = make("A wrod.")
    wait(window, qtbot, ["wrod"])
    entries = menu_at(window, 3)
    cursor = QTextCursor(window.ui.editor.document())
    cursor.setPosition(3)
    cursor.insertText("x")
    entries["word"].trigger()
    assert window.ui.editor.text() == "A wxrod."


@pytest.mark.usefixtures("dictionaries")
def test_a_word_is_marked_once_it_is_typed(make: Make, qtbot: QtBot) -> None:
    """A line under half a word would disturb whoever types it."""
    window = make("A ")
    editor = window.ui.editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "wro")
    wait(window, qtbot, ["wro"])
    before = editor.viewport().grab().toImage()
    QTest.keyClicks(editor, " ")
    qtbot.waitUntil(lambda: marked(window) == ["wro"])
    qtbot.waitUntil(lambda: editor.viewport().grab().toImage() != before)
    QTest.keyClicks(editor, "it\b\b\b")
    QTest.keyClicks(editor, "te")
    assert marked(window) == [], "an edit of the word takes its mark away at once"


@pytest.mark.usefixtures("dictionaries")
def test_the_line_is_drawn_under_the_word_and_goes_with_it(make: Make, qtbot: QtBot) -> None:
    window = make("it wrod it")
    wait(window, qtbot, ["wrod"])
    editor = window.ui.editor
    with_line = editor.viewport().grab().toImage()
    window.settings.set("spelling", False)
    wait(window, qtbot, [])
    without = editor.viewport().grab().toImage()
    changed = [
        (x, y)
        for x in range(with_line.width())
        for y in range(min(with_line.height(), 120))
        if with_line.pixel(x, y) != without.pixel(x, y)
    ]
    assert changed
    cursor = QTextCursor(editor.document())
    cursor.setPosition(3)
    left = editor.cursorRect(cursor)
    cursor.setPosition(7)
    right = editor.cursorRect(cursor)
    assert left.left() - 2 <= min(x for x, _ in changed)
    assert max(x for x, _ in changed) <= right.right() + 2
    assert min(y for _, y in changed) > left.center().y()


@pytest.mark.usefixtures("dictionaries")
def test_own_words_are_kept_for_every_draft_and_can_be_removed(make: Make, qtbot: QtBot, home: Path) -> None:
    window = make(TEXT)
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    menu_at(window, at_word(window, "wrod"))[ADD].trigger()
    wait(window, qtbot, ["senatr"])
    assert "wrod" in window.ui.status_bar.currentMessage()
    assert (home / "spelling.txt").read_text(encoding="utf-8") == "wrod\n"
    window.close()
    again = make("A wrod and a senatr.")
    wait(again, qtbot, ["senatr"])
    again.ui.actions["ignored"].trigger()
    dialog = again.findChild(IgnoredDialog)
    assert dialog is not None
    own = dialog.own_words
    assert [own.list.item(at).text() for at in range(own.list.count())] == ["wrod"]
    own.list.setCurrentRow(0)
    own.remove.click()
    wait(again, qtbot, ["wrod", "senatr"])
    dialog.close()


@pytest.mark.usefixtures("dictionaries")
def test_another_window_learns_own_words(make: Make, qtbot: QtBot, home: Path) -> None:
    """Each window is a process of its own."""
    window = make("A wrod.")
    wait(window, qtbot, ["wrod"])
    home.mkdir(exist_ok=True)
    (home / "spelling.txt").write_text("wrod\n", encoding="utf-8")
    window.components.spelling.check_now()
    wait(window, qtbot, [])


@pytest.mark.usefixtures("dictionaries")
def test_a_word_ignored_in_a_draft_stays_ignored_in_it_alone(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = make(TEXT)
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)
    menu_at(window, at_word(window, "wrod"))[IGNORE].trigger()
    wait(window, qtbot, ["senatr"])
    store, session = window.components.store_access.store, window.components.documents.session
    assert store is not None
    qtbot.waitUntil(lambda: store.ignored_spellings(session.uid) == ["wrod"])
    other = tmp_path / "other.md"
    other.write_text("A wrod.", encoding="utf-8")
    assert window.components.documents.open(other)
    wait(window, qtbot, ["wrod"])
    assert window.components.documents.open(tmp_path / "draft.md")
    wait(window, qtbot, ["senatr"])
    window.ui.actions["ignored"].trigger()
    dialog = window.findChild(IgnoredDialog)
    assert dialog is not None
    dialog.ignored_spellings.list.setCurrentRow(0)
    dialog.ignored_spellings.remove.click()
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    dialog.close()


@pytest.mark.usefixtures("dictionaries")
def test_f7_goes_from_one_misspelled_word_to_the_next(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    editor = window.ui.editor
    visited = []
    for _ in range(4):
        window.ui.actions["next_misspelled"].trigger()
        visited.append((editor.textCursor().selectionStart(), editor.textCursor().selectedText()))
    assert [word for _, word in visited] == ["senatr", "wrod", "wrod", "senatr"]
    assert visited[0] == visited[3]
    assert visited[1] != visited[2]
    window.settings.set("spelling", False)
    window.ui.actions["next_misspelled"].trigger()
    assert "Check spelling" in window.ui.status_bar.currentMessage()


@pytest.mark.usefixtures("dictionaries")
def test_menu_and_setting_are_one(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    wait(window, qtbot, ["senatr", "wrod", "wrod"])
    window.ui.actions["spelling"].trigger()
    assert window.settings.value("spelling") is False
    wait(window, qtbot, [])
    window.settings.set("spelling", True)
    assert window.ui.actions["spelling"].isChecked()
    wait(window, qtbot, ["senatr", "wrod", "wrod"])


@pytest.mark.usefixtures("dictionaries")
def test_capitals_and_quotations_follow_the_settings_at_once(make: Make, qtbot: QtBot) -> None:
    window = make("He said “a wrod” to the XQZW.")
    wait(window, qtbot, ["wrod"])
    window.settings.set("spell_capitals", True)
    wait(window, qtbot, ["wrod", "XQZW"])
    window.settings.set("spell_quotations", False)
    wait(window, qtbot, ["XQZW"])


def test_another_dictionary_is_used_at_once(make: Make, qtbot: QtBot, dictionaries: Path) -> None:
    write_dictionary(dictionaries, "en_GB", more="wrod")
    window = make("A wrod of a senatr.")
    wait(window, qtbot, ["wrod", "senatr"])
    window.settings.set("dictionary", "en_GB")
    wait(window, qtbot, ["senatr"])


def test_without_a_dictionary_switching_on_says_what_to_install(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    qtbot.waitUntil(lambda: not window.components.spelling._jobs.busy)
    assert not window.ui.message_bar.isVisible(), "who never asked for it is not bothered"
    window.ui.actions["spelling"].trigger()
    window.ui.actions["spelling"].trigger()
    qtbot.waitUntil(lambda: "No English dictionary was found" in window.ui.message_bar.text)
    assert marked(window) == []
    window.ui.message_bar.hide()
    window.ui.actions["next_misspelled"].trigger()
    assert "No English dictionary was found" in window.ui.message_bar.text
    window.ui.message_bar.show_message("")
    window.settings.set("spelling", False)
    window.settings.set("spelling", True)
    window.settings.set("spell_capitals", True)
    qtbot.waitUntil(lambda: "No English dictionary was found" in window.ui.message_bar.text)


def test_a_damaged_dictionary_is_said_once_and_another_helps(
    make: Make, qtbot: QtBot, dictionaries: Path
) -> None:
    write_dictionary(dictionaries, "en_GB")
    (dictionaries / "en_US.aff").write_text("SFX A Y many\n", encoding="utf-8")
    window = make("A wrod.")
    heard: list[str] = []
    window.components.spelling.message.connect(heard.append)
    qtbot.waitUntil(lambda: "The dictionary en_US cannot be read" in window.ui.message_bar.text)
    QTest.keyClicks(window.ui.editor, "it ")
    qtbot.wait(600)
    assert len(heard) <= 1
    window.settings.set("dictionary", "en_GB")
    wait(window, qtbot, ["wrod"])


@pytest.mark.usefixtures("dictionaries")
def test_a_read_only_draft_is_checked_and_not_corrected(make: Make, qtbot: QtBot) -> None:
    window = make("A wrod.")
    wait(window, qtbot, ["wrod"])
    window.ui.editor.setReadOnly(True)
    entries = menu_at(window, 3)
    assert not entries["word"].isEnabled()
    assert entries[ADD].isEnabled()
