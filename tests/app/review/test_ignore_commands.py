"""Protects what a person has decided to pass over: it stays away while text moves and after the draft is opened again,
nothing else goes with it (A2.8, A2.9, A2.11), the caret stays where it is (A2.4, A2.5), and it can be taken back.
"""

from __future__ import annotations

import pytest
from fake_reader import FLAGGED, FakeReader
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.background.store import Storing
from app.main_window.window import MainWindow
from app.review.ignore_commands import NO_FINDING
from app.review.ignored_dialog import IgnoredList, place_in, show_ignored
from app.review.ignored_findings import first_print, free_print
from core.types import KINDS, Cue, Kind

WORDS = ["shameful", "reveals", "chairman"]
TWICE = "One shameful plan. One shameful plan. A legendary end."


def ready(make: Make, qtbot: QtBot, text: str = TEXT, **given: object) -> MainWindow:
    """A window whose marks are there, the caret on the first, the store open."""
    window = make(text, **given)
    qtbot.waitUntil(lambda: len(window.pane.marks) > 0 and window.store is not None)
    window.pane.go_to(window.pane.marks[0].start)
    return window


def marked(window: MainWindow) -> list[str]:
    return [mark.finding.text for mark in window.pane.marks]


def read_again(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.analyst.finished):
        window.commands["analyse"].trigger()


def opened_again(window: MainWindow, qtbot: QtBot) -> None:
    """Save, wait for the store, and open the file anew."""
    window.drafts.save()
    qtbot.waitUntil(lambda: not window.background.busy)
    path = window.drafts.session.path
    assert path is not None
    assert window.drafts.open(path)
    qtbot.waitUntil(lambda: not window.background.busy)
    read_again(window, qtbot)


# Once


def test_ignore_once_takes_the_mark_away_everywhere_and_keeps_the_text(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["ignore"].trigger()
    listed = window.issues_dock.findChild(QListView)
    assert listed is not None
    assert marked(window) == ["reveals", "chairman"]
    assert listed.model().rowCount() == 2
    assert window.pane.text() == TEXT
    assert not window.drafts.modified
    assert window.status.currentMessage() == "This “shameful” is ignored. Show ignored… takes it back."
    read_again(window, qtbot)
    assert marked(window) == ["reveals", "chairman"]


def test_an_ignored_finding_stays_away_when_text_moves_and_comes_back(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["ignore"].trigger()
    cursor = QTextCursor(window.pane.document())
    cursor.insertText("A legendary 👍 start.\n\n")
    read(window, qtbot, ["legendary", "reveals", "chairman"])
    at = window.pane.document().find("shameful")
    at.removeSelectedText()
    qtbot.waitUntil(lambda: window.suggesting._fresh)
    window.pane.undo()
    read_again(window, qtbot)
    assert marked(window) == ["legendary", "reveals", "chairman"]


def test_of_two_equal_findings_only_the_one_that_was_meant_goes(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    window.pane.go_to(window.pane.marks[1].start)
    window.commands["ignore"].trigger()
    assert [mark.start for mark in window.pane.marks] == [4, 40]
    read_again(window, qtbot)
    assert [mark.start for mark in window.pane.marks] == [4, 40]


def test_what_was_ignored_once_is_ignored_when_the_draft_is_opened_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["ignore"].trigger()
    QTextCursor(window.pane.document()).insertText("A legendary 👍 start.\n\n")
    opened_again(window, qtbot)
    assert marked(window) == ["legendary", "reveals", "chairman"]


@pytest.mark.parametrize("count", [1, 2])
def test_of_equal_findings_as_many_stay_ignored_as_were(make: Make, qtbot: QtBot, count: int) -> None:
    window = ready(make, qtbot, TWICE)
    for _ in range(count):
        window.pane.go_to(window.pane.marks[0].start)
        window.commands["ignore"].trigger()
    opened_again(window, qtbot)
    assert marked(window) == ["shameful"] * (2 - count) + ["legendary"]


def test_it_is_known_by_its_new_neighbours_too_when_the_draft_is_opened_again(
    make: Make, qtbot: QtBot
) -> None:
    window = ready(make, qtbot)
    window.commands["ignore"].trigger()
    cursor = QTextCursor(window.pane.document())
    cursor.setPosition(TEXT.index("shameful"))
    cursor.insertText("old and ")
    read_again(window, qtbot)
    opened_again(window, qtbot)
    assert "shameful" not in marked(window)


def test_without_a_store_it_lasts_while_the_draft_is_open(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Storing, "open", lambda *_, **__: None)
    window = make()
    read(window, qtbot, WORDS)
    window.pane.go_to(window.pane.marks[0].start)
    window.commands["ignore"].trigger()
    read_again(window, qtbot)
    assert marked(window) == ["reveals", "chairman"]
    path = window.drafts.session.path
    assert path is not None
    assert window.drafts.open(path)
    read(window, qtbot, WORDS)


# These words in this draft


def test_words_are_ignored_wherever_they_stand_and_no_others(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE.replace("A legendary", "SHAMEFUL is a legendary"))
    window.commands["ignore_words"].trigger()
    assert marked(window) == ["legendary"]
    assert (
        window.status.currentMessage() == "“shameful” is ignored in this draft. Show ignored… takes it back."
    )
    QTextCursor(window.pane.document()).insertText("A shameful disgraceful start. ")
    read(window, qtbot, ["disgraceful", "legendary"])
    opened_again(window, qtbot)
    assert marked(window) == ["disgraceful", "legendary"]


def test_words_are_ignored_whatever_kind_they_are_marked_as(make: Make, qtbot: QtBot) -> None:
    reader = FakeReader()
    window = ready(make, qtbot, TWICE, load=lambda: reader)
    window.commands["ignore_words"].trigger()
    reader.words["shameful"] = (Kind.DEMOGRAPHIC, 0.9, Cue("shameful", "label", "MOS:LABEL"))
    read_again(window, qtbot)
    assert marked(window) == ["legendary"]


@pytest.mark.parametrize("deed", ["ignore", "ignore_words", "allow"])
def test_no_kind_is_ever_turned_off_by_it(make: Make, qtbot: QtBot, deed: str) -> None:
    """A2.8: "ignore" disabled the whole rule."""
    window = ready(make, qtbot, "A shameful and disgraceful and legendary plot.")
    window.commands[deed].trigger()
    read_again(window, qtbot)
    assert marked(window) == ["disgraceful", "legendary", "plot"]
    assert window.review.kinds == frozenset(KINDS)
    assert all(action.isChecked() for action in window.kind_actions.values())


# Always


def test_allowed_words_are_marked_in_no_draft(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["allow"].trigger()
    assert marked(window) == ["reveals", "chairman"]
    assert window.status.currentMessage() == "“shameful” is always allowed. Show ignored… takes it back."
    opened_again(window, qtbot)
    assert marked(window) == ["reveals", "chairman"]
    window.pane.document().setModified(False)
    window.commands["new"].trigger()
    window.pane.insertPlainText("Another Shameful and legendary draft.")
    read(window, qtbot, ["legendary"])
    store = window.store
    assert store is not None
    assert store.allowed() == ["shameful"]


@pytest.mark.parametrize("name", ["Niger", "kung fu", "disabled"])
def test_names_and_terms_that_a_model_marks_can_be_allowed(make: Make, qtbot: QtBot, name: str) -> None:
    """A2.12: whatever a model thinks of them, the person has the last word."""
    marks = {word.casefold(): FLAGGED["shameful"] for word in name.split()}
    window = ready(make, qtbot, f"They saw {name} there.", load=lambda: FakeReader(words=marks))
    assert window.ignoring.allow(name)
    read(window, qtbot, [])
    window.ignoring.disallow([name])
    read(window, qtbot, name.split())


# Where the caret and the keyboard are


@pytest.mark.parametrize("deed", ["ignore", "ignore_words", "allow"])
def test_the_caret_and_the_scroll_stay_while_typing_goes_on(make: Make, qtbot: QtBot, deed: str) -> None:
    """A2.4 and A2.5: the caret neither jumps after a finding is dismissed nor snaps back when the reading comes."""
    text = "Plain words.\n\n" * 40 + "A shameful plan.\n\n" + "More.\n\n" * 40
    window = ready(make, qtbot, text)
    at = text.index("shameful") + 3
    cursor = window.pane.textCursor()
    cursor.setPosition(at)
    window.pane.setTextCursor(cursor)
    window.pane.setFocus()
    scrolled = window.pane.verticalScrollBar().value()
    window.commands[deed].trigger()
    assert window.pane.textCursor().position() == at
    QTest.keyClicks(window.pane, "xy")
    read_again(window, qtbot)
    QTest.keyClicks(window.pane, "z")
    assert window.pane.textCursor().position() == at + 3
    assert window.pane.text()[at : at + 3] == "xyz"
    assert window.pane.verticalScrollBar().value() == scrolled


def test_a_dismissed_card_leaves_caret_and_typing_alone(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.activateWindow()
    window.review.go_to(window.pane.marks[0].finding)
    window.pane.setFocus()
    at = window.pane.textCursor().position()
    QTest.keyClick(window.pane, Qt.Key.Key_Escape)
    assert window.cards.shown is None
    QTest.keyClicks(window.pane, "un")
    assert window.pane.text()[at : at + 2] == "un"
    assert window.pane.textCursor().position() == at + 2


@pytest.mark.parametrize(("way", "left"), [("once", 2), ("words", 1), ("always", 1)])
def test_the_card_offers_every_way(make: Make, qtbot: QtBot, way: str, left: int) -> None:
    window = ready(make, qtbot, TWICE)
    window.activateWindow()
    window.review.go_to(window.pane.marks[0].finding)
    button = window.middle.findChild(QToolButton, f"ignore_{way}")
    assert button is not None
    qtbot.waitUntil(button.isVisible)
    assert button.accessibleName()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(window.pane.marks) == left
    assert window.cards.shown is None
    assert window.pane.hasFocus()


def test_the_review_goes_on_and_counts_all_that_went(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    window.commands["review_all"].trigger()
    menu = window.review_bar.buttons["more"].menu()
    assert menu is not None
    menu.actions()[1].trigger()
    assert window.cards.shown is not None
    assert window.cards.shown.text == "legendary"
    assert window.review_bar.text == "3 of 3 · 2 ignored"


def test_the_menu_of_the_panel_passes_over(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    panel = window.issues_dock.widget()
    panel.passed_over.emit(window.pane.marks[2].finding, "once")
    assert marked(window) == ["shameful", "reveals"]


def test_the_card_tells_the_keys_as_they_are_now(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.settings.set_shortcut("ignore_words", ("Ctrl+Shift+W",))
    window.settings.set_shortcut("allow", ())
    window.review.go_to(window.pane.marks[0].finding)
    said = [
        button.text()
        for way in ("once", "words", "always")
        if (button := window.middle.findChild(QToolButton, f"ignore_{way}"))
    ]
    assert said == ["Ignore once  Alt+0", "Ignore here  Ctrl+Shift+W", "Always allow"]


def test_nothing_is_passed_over_where_nothing_is_marked(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.pane.moveCursor(QTextCursor.MoveOperation.Start)
    for deed in ("ignore", "ignore_words", "allow"):
        window.commands[deed].trigger()
        assert window.status.currentMessage() == NO_FINDING
    assert marked(window) == WORDS


# Taking back


def lists(window: MainWindow, qtbot: QtBot) -> IgnoredList:
    window.commands["ignored"].trigger()
    found = window.findChild(IgnoredList)
    assert found is not None
    assert show_ignored(window, window.pane, window.ignoring) is found, "one is enough"
    qtbot.waitExposed(found)
    return found


def told(found: IgnoredList) -> list[list[str]]:
    view = found.draft.list
    rows = range(view.topLevelItemCount())
    return [[view.topLevelItem(row).text(column) for column in range(4)] for row in rows]


def test_the_list_tells_what_how_and_where(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["ignore"].trigger()
    window.ignoring.pass_over(window.pane.marks[1].finding, "words")
    found = lists(window, qtbot)
    assert told(found) == [
        ["shameful", "Framing", "once", "line 1"],
        ["chairman", "Demographic", "in this draft", "line 3"],
    ]
    assert found.tabs.tabText(0) == "In this draft (2)"
    assert found.draft.there.isEnabled()
    found.draft.refresh()
    assert found.draft.there.isEnabled()
    assert [item.text(0) for item in found.draft.list.selectedItems()] == ["shameful"]
    cursor = window.pane.document().find("shameful")
    cursor.removeSelectedText()
    found.draft.refresh()
    assert told(found)[0][3] == "not in the text now"
    assert not found.draft.there.isEnabled()


def test_enter_goes_there_and_delete_marks_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    for mark in list(window.pane.marks):
        window.ignoring.pass_over(mark.finding, "once")
    assert marked(window) == []
    found = lists(window, qtbot)
    view = found.draft.list
    view.setFocus()
    view.setCurrentItem(view.topLevelItem(2))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert (
        window.pane.textCursor().position() == TEXT.index("chairman") + 2
    )  # two code points take four units
    QTest.keyClick(view, Qt.Key.Key_Delete)
    read(window, qtbot, ["chairman"])
    assert len(told(found)) == 2
    found.draft.all_again.click()
    read(window, qtbot, WORDS)
    assert "Alt+0" in found.draft.empty.text()
    assert not found.draft.list.isVisible()
    opened_again(window, qtbot)
    assert marked(window) == WORDS


def test_one_of_two_equal_findings_is_marked_again_and_it_is_the_one(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    for _ in range(2):
        window.ignoring.pass_over(window.pane.marks[0].finding, "once")
    second = next(entry for entry in window.ignoring.entries if window.ignoring.place_of(entry) == 23)
    window.ignoring.restore([second])
    read(window, qtbot, ["shameful", "legendary"])
    assert window.pane.marks[0].start == 23


def test_an_allowed_word_is_removed_in_the_list_and_marked_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.commands["allow"].trigger()
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


# Without a window


@given(st.lists(st.sampled_from(["a1", "b2"]), max_size=8))
@settings(max_examples=30)
def test_equal_fingerprints_are_kept_apart_and_known(prints: list[str]) -> None:
    kept: list[str] = []
    for one in prints:
        kept.append(free_print(one, kept))
    assert len(set(kept)) == len(prints)
    assert [first_print(one) for one in kept] == prints


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
    assert place_in(text, words) == place
