"""Protects what a person has decided to pass over: it stays away while text moves and after the draft is opened again,
nothing else goes with it (A2.8, A2.9, A2.11), the caret stays where it is (A2.4, A2.5), and it can be taken back.
"""

from __future__ import annotations

import pytest
from fake_reader import FLAGGED, FakeReader
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.background.store import StoreAccess
from app.main_window.window import MainWindow
from app.review.ignore_commands import NO_FINDING
from app.review.ignored_dialog import IgnoredDialog, find_words, show_ignored
from core.types import ALL_KINDS, Cue, Kind, base_fingerprint, free_fingerprint

WORDS = ["shameful", "reveals", "chairman"]
TWICE = "One shameful plan. One shameful plan. A legendary end."


def ready(make: Make, qtbot: QtBot, text: str = TEXT, **given: object) -> MainWindow:
    """A window whose marks are there, the caret on the first, the store open."""
    window = make(text, **given)
    qtbot.waitUntil(
        lambda: len(window.ui.editor.marks) > 0 and window.components.store_access.store is not None
    )
    window.ui.editor.go_to(window.ui.editor.marks[0].start)
    return window


def marked(window: MainWindow) -> list[str]:
    return [mark.finding.text for mark in window.ui.editor.marks]


def read_again(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.components.analysis.finished):
        window.ui.actions["analyse"].trigger()


def opened_again(window: MainWindow, qtbot: QtBot) -> None:
    """Save, wait for the store, and open the file anew."""
    window.components.documents.save()
    qtbot.waitUntil(lambda: not window.components.background.busy)
    path = window.components.documents.session.path
    assert path is not None
    assert window.components.documents.open(path)
    qtbot.waitUntil(lambda: not window.components.background.busy)
    read_again(window, qtbot)


# Once


def test_ignore_once_takes_the_mark_away_everywhere_and_keeps_the_text(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    assert marked(window) == ["reveals", "chairman"]
    assert listed.model().rowCount() == 2
    assert window.ui.editor.text() == TEXT
    assert not window.components.documents.modified
    assert (
        window.ui.status_bar.currentMessage()
        == "This occurrence of “shameful” is ignored. To have it marked again, choose Review ▸ Show ignored."
    )
    read_again(window, qtbot)
    assert marked(window) == ["reveals", "chairman"]


def test_an_ignored_finding_stays_away_when_text_moves_and_comes_back(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    cursor = QTextCursor(window.ui.editor.document())
    cursor.insertText("A legendary 👍 start.\n\n")
    read(window, qtbot, ["legendary", "reveals", "chairman"])
    at = window.ui.editor.document().find("shameful")
    at.removeSelectedText()
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    window.ui.editor.undo()
    read_again(window, qtbot)
    assert marked(window) == ["legendary", "reveals", "chairman"]


def test_of_two_equal_findings_only_the_one_that_was_meant_goes(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    window.ui.editor.go_to(window.ui.editor.marks[1].start)
    window.ui.actions["ignore"].trigger()
    assert [mark.start for mark in window.ui.editor.marks] == [4, 40]
    read_again(window, qtbot)
    assert [mark.start for mark in window.ui.editor.marks] == [4, 40]


def test_what_was_ignored_once_is_ignored_when_the_draft_is_opened_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    QTextCursor(window.ui.editor.document()).insertText("A legendary 👍 start.\n\n")
    opened_again(window, qtbot)
    assert marked(window) == ["legendary", "reveals", "chairman"]


@pytest.mark.parametrize("count", [1, 2])
def test_of_equal_findings_as_many_stay_ignored_as_were(make: Make, qtbot: QtBot, count: int) -> None:
    window = ready(make, qtbot, TWICE)
    for _ in range(count):
        window.ui.editor.go_to(window.ui.editor.marks[0].start)
        window.ui.actions["ignore"].trigger()
    opened_again(window, qtbot)
    assert marked(window) == ["shameful"] * (2 - count) + ["legendary"]


def test_of_equal_findings_the_very_one_stays_ignored_when_the_draft_is_opened_again(
    make: Make, qtbot: QtBot
) -> None:
    """Also after an equal one was written before it."""
    window = ready(make, qtbot, TWICE)
    window.ui.editor.go_to(window.ui.editor.marks[1].start)
    window.ui.actions["ignore"].trigger()
    opened_again(window, qtbot)
    assert [mark.start for mark in window.ui.editor.marks] == [4, 40]
    QTextCursor(window.ui.editor.document()).insertText("One shameful plan. ")
    for _ in range(2):
        read_again(window, qtbot)
        assert [mark.start for mark in window.ui.editor.marks] == [4, 23, 59]
        opened_again(window, qtbot)


@pytest.mark.parametrize("again", [False, True])
def test_the_words_of_an_ignored_finding_are_deleted_and_its_equal_stays_marked(
    make: Make, qtbot: QtBot, again: bool
) -> None:
    window = ready(make, qtbot, TWICE)
    window.ui.actions["ignore"].trigger()
    window.ui.editor.document().find("shameful ").removeSelectedText()
    read_again(window, qtbot)
    assert marked(window) == ["shameful", "legendary"]
    if again:
        opened_again(window, qtbot)
        assert marked(window) == ["shameful", "legendary"]
    else:
        window.ui.editor.undo()
        read_again(window, qtbot)
        assert [mark.start for mark in window.ui.editor.marks] == [23, 40]


def test_an_ignored_finding_that_is_cut_and_pasted_stays_ignored(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    window.ui.actions["ignore"].trigger()
    cursor = window.ui.editor.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(len("One shameful plan. "), QTextCursor.MoveMode.KeepAnchor)
    window.ui.editor.setTextCursor(cursor)
    window.ui.editor.cut()
    read(window, qtbot, ["shameful", "legendary"])
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    window.ui.editor.insertPlainText(" ")
    window.ui.editor.paste()
    read_again(window, qtbot)
    assert [mark.start for mark in window.ui.editor.marks] == [4, 21]


def test_it_is_known_by_its_new_neighbours_too_when_the_draft_is_opened_again(
    make: Make, qtbot: QtBot
) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    cursor = QTextCursor(window.ui.editor.document())
    cursor.setPosition(TEXT.index("shameful"))
    cursor.insertText("old and ")
    read_again(window, qtbot)
    opened_again(window, qtbot)
    assert "shameful" not in marked(window)


def test_without_a_store_it_lasts_while_the_draft_is_open(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StoreAccess, "open", lambda *_, **__: None)
    window = make()
    read(window, qtbot, WORDS)
    window.ui.editor.go_to(window.ui.editor.marks[0].start)
    window.ui.actions["ignore"].trigger()
    read_again(window, qtbot)
    assert marked(window) == ["reveals", "chairman"]
    path = window.components.documents.session.path
    assert path is not None
    assert window.components.documents.open(path)
    read(window, qtbot, WORDS)


# These words in this draft


def test_words_are_ignored_wherever_they_stand_and_no_others(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE.replace("A legendary", "SHAMEFUL is a legendary"))
    window.ui.actions["ignore_words"].trigger()
    assert marked(window) == ["legendary"]
    assert (
        window.ui.status_bar.currentMessage()
        == "“shameful” is ignored in this draft. To have it marked again, choose Review ▸ Show ignored."
    )
    QTextCursor(window.ui.editor.document()).insertText("A shameful disgraceful start. ")
    read(window, qtbot, ["disgraceful", "legendary"])
    opened_again(window, qtbot)
    assert marked(window) == ["disgraceful", "legendary"]


def test_words_are_ignored_whatever_kind_they_are_marked_as(make: Make, qtbot: QtBot) -> None:
    reader = FakeReader()
    window = ready(make, qtbot, TWICE, load=lambda: reader)
    window.ui.actions["ignore_words"].trigger()
    reader.words["shameful"] = (Kind.DEMOGRAPHIC, 0.9, Cue("shameful", "label", "MOS:LABEL"))
    read_again(window, qtbot)
    assert marked(window) == ["legendary"]


@pytest.mark.parametrize("deed", ["ignore", "ignore_words", "allow"])
def test_no_kind_is_ever_turned_off_by_it(make: Make, qtbot: QtBot, deed: str) -> None:
    """A2.8: "ignore" disabled the whole rule."""
    window = ready(make, qtbot, "A shameful and disgraceful and legendary plot.")
    window.ui.actions[deed].trigger()
    read_again(window, qtbot)
    assert marked(window) == ["disgraceful", "legendary", "plot"]
    assert window.components.review.kinds == frozenset(ALL_KINDS)
    assert all(action.isChecked() for action in window.menus.kind_actions.values())


# Always


def test_allowed_words_are_marked_in_no_draft(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["allow"].trigger()
    assert marked(window) == ["reveals", "chairman"]
    assert (
        window.ui.status_bar.currentMessage()
        == "“shameful” is always allowed. To have it marked again, choose Review ▸ Show ignored."
    )
    opened_again(window, qtbot)
    assert marked(window) == ["reveals", "chairman"]
    window.ui.editor.document().setModified(False)
    window.ui.actions["new"].trigger()
    window.ui.editor.insertPlainText("Another Shameful and legendary draft.")
    read(window, qtbot, ["legendary"])
    store = window.components.store_access.store
    assert store is not None
    assert store.allowed() == ["shameful"]


@pytest.mark.parametrize("name", ["Niger", "kung fu", "disabled"])
def test_names_and_terms_that_a_model_marks_can_be_allowed(make: Make, qtbot: QtBot, name: str) -> None:
    """A2.12: whatever a model thinks of them, the person has the last word."""
    marks = {word.casefold(): FLAGGED["shameful"] for word in name.split()}
    window = ready(make, qtbot, f"They saw {name} there.", load=lambda: FakeReader(words=marks))
    assert window.components.ignore.allow(name)
    read(window, qtbot, [])
    window.components.ignore.disallow([name])
    read(window, qtbot, name.split())


# Where the caret and the keyboard are


@pytest.mark.parametrize("deed", ["ignore", "ignore_words", "allow"])
def test_the_caret_and_the_scroll_stay_while_typing_goes_on(make: Make, qtbot: QtBot, deed: str) -> None:
    """A2.4 and A2.5: the caret neither jumps after a finding is dismissed nor snaps back when the reading comes."""
    text = "Plain words.\n\n" * 40 + "A shameful plan.\n\n" + "More.\n\n" * 40
    window = ready(make, qtbot, text)
    at = text.index("shameful") + 3
    cursor = window.ui.editor.textCursor()
    cursor.setPosition(at)
    window.ui.editor.setTextCursor(cursor)
    window.ui.editor.setFocus()
    scrolled = window.ui.editor.verticalScrollBar().value()
    window.ui.actions[deed].trigger()
    assert window.ui.editor.textCursor().position() == at
    QTest.keyClicks(window.ui.editor, "xy")
    read_again(window, qtbot)
    QTest.keyClicks(window.ui.editor, "z")
    assert window.ui.editor.textCursor().position() == at + 3
    assert window.ui.editor.text()[at : at + 3] == "xyz"
    assert window.ui.editor.verticalScrollBar().value() == scrolled


def test_a_dismissed_card_leaves_caret_and_typing_alone(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.activateWindow()
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    window.ui.editor.setFocus()
    at = window.ui.editor.textCursor().position()
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Escape)
    assert window.components.card.shown_finding is None
    QTest.keyClicks(window.ui.editor, "un")
    assert window.ui.editor.text()[at : at + 2] == "un"
    assert window.ui.editor.textCursor().position() == at + 2


@pytest.mark.parametrize(("way", "left"), [("once", 2), ("words", 1), ("always", 1)])
def test_the_card_offers_every_way(make: Make, qtbot: QtBot, way: str, left: int) -> None:
    window = ready(make, qtbot, TWICE)
    window.activateWindow()
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    button = window.ui.central.findChild(QToolButton, f"ignore_{way}")
    assert button is not None
    qtbot.waitUntil(button.isVisible)
    assert button.accessibleName()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(window.ui.editor.marks) == left
    assert window.components.card.shown_finding is None
    assert window.ui.editor.hasFocus()


def test_the_review_goes_on_and_counts_all_that_went(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    window.ui.actions["review_all"].trigger()
    menu = window.ui.review_bar.buttons["more"].menu()
    assert menu is not None
    menu.actions()[1].trigger()
    assert window.components.card.shown_finding is not None
    assert window.components.card.shown_finding.text == "legendary"
    assert window.ui.review_bar.text == "3 of 3 · 2 ignored"


def test_the_menu_of_the_panel_passes_over(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    panel = window.ui.findings_dock.panel
    panel.ignore_requested.emit(window.ui.editor.marks[2].finding, "once")
    assert marked(window) == ["shameful", "reveals"]


def test_the_card_tells_the_keys_as_they_are_now(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.settings.set_shortcut("ignore_words", ("Ctrl+Shift+W",))
    window.settings.set_shortcut("allow", ())
    window.components.review.go_to(window.ui.editor.marks[0].finding)
    said = [
        button.text()
        for way in ("once", "words", "always")
        if (button := window.ui.central.findChild(QToolButton, f"ignore_{way}"))
    ]
    assert said == ["Ignore once  Alt+0", "Ignore here  Ctrl+Shift+W", "Always allow"]


def test_nothing_is_passed_over_where_nothing_is_marked(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    for deed in ("ignore", "ignore_words", "allow"):
        window.ui.actions[deed].trigger()
        assert window.ui.status_bar.currentMessage() == NO_FINDING
    assert marked(window) == WORDS


# Taking back


def lists(window: MainWindow, qtbot: QtBot) -> IgnoredDialog:
    window.ui.actions["ignored"].trigger()
    found = window.findChild(IgnoredDialog)
    assert found is not None
    parts = window.components
    assert show_ignored(window, window.ui.editor, parts.ignore, parts.spelling) is found, "one is enough"
    qtbot.waitExposed(found)
    return found


def told(found: IgnoredDialog) -> list[list[str]]:
    view = found.draft.list
    rows = range(view.topLevelItemCount())
    return [[view.topLevelItem(row).text(column) for column in range(4)] for row in rows]


def test_the_list_tells_what_how_and_where(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    window.components.ignore.ignore_finding(window.ui.editor.marks[1].finding, "words")
    found = lists(window, qtbot)
    assert told(found) == [
        ["shameful", "Framing", "once", "line 1"],
        ["chairman", "Demographic", "in this draft", "line 3"],
    ]
    assert found.tabs.tabText(0) == "In this draft (2)"
    assert found.draft.go_button.isEnabled()
    found.draft.refresh()
    assert found.draft.go_button.isEnabled()
    assert [item.text(0) for item in found.draft.list.selectedItems()] == ["shameful"]
    cursor = window.ui.editor.document().find("shameful")
    cursor.removeSelectedText()
    found.draft.refresh()
    assert told(found)[0][3] == "not in the text now"
    assert not found.draft.go_button.isEnabled()


def test_enter_goes_there_and_delete_marks_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    for mark in list(window.ui.editor.marks):
        window.components.ignore.ignore_finding(mark.finding, "once")
    assert marked(window) == []
    found = lists(window, qtbot)
    view = found.draft.list
    view.setFocus()
    view.setCurrentItem(view.topLevelItem(2), 0, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert (
        window.ui.editor.textCursor().position() == TEXT.index("chairman") + 2
    )  # two code points take four units
    QTest.keyClick(view, Qt.Key.Key_Delete)
    read(window, qtbot, ["chairman"])
    assert len(told(found)) == 2
    found.draft.restore_all_button.click()
    read(window, qtbot, WORDS)
    assert "Alt+0" in found.draft.empty.text()
    assert not found.draft.list.isVisible()
    opened_again(window, qtbot)
    assert marked(window) == WORDS


def test_one_of_two_equal_findings_is_marked_again_and_it_is_the_one(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    for _ in range(2):
        window.components.ignore.ignore_finding(window.ui.editor.marks[0].finding, "once")
    second = next(
        entry
        for entry in window.components.ignore.entries
        if window.components.ignore.position_of(entry) == 23
    )
    window.components.ignore.restore([second])
    read(window, qtbot, ["shameful", "legendary"])
    assert window.ui.editor.marks[0].start == 23


def test_an_allowed_word_is_removed_in_the_list_and_marked_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["allow"].trigger()
    found = lists(window, qtbot)
    found.tabs.setCurrentIndex(1)
    found.allowed.list.setCurrentRow(0)
    found.allowed.remove.click()
    read(window, qtbot, WORDS)
    found.allowed.field.setText("reveals")
    found.allowed.add.click()
    read(window, qtbot, ["shameful", "chairman"])
    found.allowed.field.setText("…")
    found.allowed.add.click()
    assert "Write one or more words" in found.allowed.message.text()


def test_every_control_of_the_list_has_a_name(make: Make, qtbot: QtBot) -> None:
    found = lists(ready(make, qtbot), qtbot)
    nameless = [
        widget.metaObject().className()
        for widget in found.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget is not found.tabs.tabBar()
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert nameless == []


# Undo


def undo(window: MainWindow) -> None:
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize(("deed", "left"), [("ignore", 2), ("ignore_words", 1), ("allow", 1)])
def test_undo_marks_again_and_redo_ignores_again(make: Make, qtbot: QtBot, deed: str, left: int) -> None:
    window = ready(make, qtbot, TWICE)
    store = window.components.store_access.store
    assert store is not None
    before = [(mark.start, mark.finding.text) for mark in window.ui.editor.marks]
    caret = window.ui.editor.textCursor().position()
    window.ui.actions[deed].trigger()
    for _ in range(2):
        assert len(window.ui.editor.marks) == left
        assert window.ui.actions["undo"].isEnabled()
        undo(window)
        assert window.ui.status_bar.currentMessage() == "“shameful” is marked again."
        qtbot.waitUntil(
            lambda: [(mark.start, mark.finding.text) for mark in window.ui.editor.marks] == before
        )
        assert window.components.ignore.entries == []
        assert window.components.ignore.phrases == []
        assert not window.ui.actions["undo"].isEnabled()
        assert not window.components.documents.modified
        window.ui.actions["redo"].trigger()
        assert len(window.ui.editor.marks) == left
        assert "ignored" in window.ui.status_bar.currentMessage() or deed == "allow"
    assert window.ui.editor.textCursor().position() == caret
    assert window.ui.editor.text() == TWICE
    read_again(window, qtbot)
    assert len(window.ui.editor.marks) == left
    opened_again(window, qtbot)
    assert len(window.ui.editor.marks) == left, "the store knows it too"


def test_undo_goes_back_through_typing_and_ignoring_in_their_order(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    editor = window.ui.editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, "One")
    read(window, qtbot, WORDS)
    window.components.ignore.ignore_finding(editor.marks[1].finding, "once")
    QTest.keyClicks(editor, "Two")
    read(window, qtbot, ["shameful", "chairman"])
    window.components.ignore.ignore_finding(editor.marks[0].finding, "words")
    assert editor.text() == TEXT + "OneTwo"
    undo(window)
    read(window, qtbot, ["shameful", "chairman"])
    assert editor.text() == TEXT + "OneTwo"
    undo(window)
    assert editor.text() == TEXT + "One"
    read_again(window, qtbot)
    assert marked(window) == ["shameful", "chairman"]
    undo(window)
    read(window, qtbot, WORDS)
    undo(window)
    assert editor.text() == TEXT
    assert not window.components.documents.modified
    for _ in range(4):
        window.ui.actions["redo"].trigger()
    assert editor.text() == TEXT + "OneTwo"
    read_again(window, qtbot)
    assert marked(window) == ["chairman"]


def test_what_was_ignored_before_the_store_was_open_is_taken_back_too(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    window.components.ignore.store_opened()
    qtbot.waitUntil(lambda: not window.components.background.busy)
    assert len(window.components.ignore.entries) == 1
    undo(window)
    read(window, qtbot, WORDS)
    opened_again(window, qtbot)
    assert marked(window) == WORDS


def test_what_was_restored_in_the_list_is_not_restored_twice(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["ignore"].trigger()
    window.components.ignore.restore(window.components.ignore.entries)
    read(window, qtbot, WORDS)
    undo(window)
    read_again(window, qtbot)
    assert marked(window) == WORDS
    window.ui.actions["redo"].trigger()
    assert marked(window) == WORDS[1:]


# Without a window


@given(st.lists(st.sampled_from(["a1", "b2"]), max_size=8))
@settings(max_examples=30)
def test_equal_fingerprints_are_kept_apart_and_known(prints: list[str]) -> None:
    kept: list[str] = []
    for one in prints:
        kept.append(free_fingerprint(one, kept))
    assert len(set(kept)) == len(prints)
    assert [base_fingerprint(one) for one in kept] == prints


@pytest.mark.parametrize(
    ("text", "words", "place"),
    [
        ("👍🏽 Kung\n fu!", "kung fu", 5),
        ("kungfu", "kung fu", None),
        ("a+b (c)", "(c)", 4),
        ("infamous famous", "famous", 9),
        ("text", " ", None),
    ],
)
def test_words_are_found_in_the_text(text: str, words: str, place: int | None) -> None:
    assert find_words(text, words) == place
