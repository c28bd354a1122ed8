"""Protects the truth of the whole window: whatever was typed, changed, ignored, allowed, undone and redone, findings,
lists and counters are those of a window that opens the same text anew, the caret stays at its text, and Undo and Redo
lead to what was there before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, Phase, example, given, seed, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from windows import Make

from app.charts.document_panel import DocumentPanel
from app.editor.positions import utf16_length
from app.main_window.window import MainWindow
from app.review.findings_panel import FindingsPanel
from core.documents.suppression import normalize_phrase

TEXTS = (
    "A shameful 👍🏽 plan. Some slanted words.\n\nThe chairman claims a shameful plot. It reveals it.\n",
    # Equal findings: words and neighbours are the same.
    "One shameful plan. One shameful plan.\n\nOne shameful plan. 👍🏽 A legendary plot, a plot.\n",
)
Act = tuple[str, int]
NAMES = (
    *("type", "type", "delete", "move"),
    *("use", "use", "ignore", "ignore", "ignore_words", "allow"),
    *("undo", "undo", "undo", "redo", "redo"),
    *("replace", "review"),
)
ACTS = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 9)), min_size=4, max_size=16)
SEQUENCE = st.tuples(st.sampled_from(TEXTS), ACTS)
IGNORING = {"ignore": "once", "ignore_words": "words", "allow": "always"}


def idle(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the store has everything."""
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)
    qtbot.waitUntil(lambda: not window.components.background.busy)


def read_again(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the present text is read, and no suggestion is being looked for."""
    with qtbot.waitSignal(window.components.analysis.finished):
        window.ui.actions["analyse"].trigger()
    result = window.components.review.result
    assert result is None or result.snapshot.text == window.ui.editor.text()


def do(window: MainWindow, qtbot: QtBot, act: str, number: int) -> None:
    editor = window.ui.editor
    marks = list(editor.marks)
    match act:
        case "type":
            QTest.keyClicks(editor, typed(number))
        case "delete":
            QTest.keyClick(editor, Qt.Key.Key_Backspace)
        case "move":
            cursor = editor.textCursor()
            cursor.setPosition(number * (editor.document().characterCount() - 1) // 9)
            cursor.movePosition(QTextCursor.MoveOperation.EndOfWord)
            editor.setTextCursor(cursor)
        case "use" if marks:
            finding = marks[number % len(marks)].finding
            qtbot.waitUntil(lambda: not window.components.prefetch.get(finding).pending)
            window.components.rewrite.apply(finding, 1)
        case "ignore" | "ignore_words" | "allow" if marks:
            window.components.ignore.ignore_finding(marks[number % len(marks)].finding, IGNORING[act])  # type: ignore[arg-type]
        case "replace":
            window.ui.find_bar.open_replace()
            window.ui.find_bar._field.setText(("plan", "plot")[number % 2])
            window.ui.find_bar._new.setText("plot")
            window.ui.find_bar.replace_all()
            window.ui.find_bar.hide()
        case "review":
            window.ui.actions["review_all"].trigger()
        case "undo" | "redo":
            window.ui.actions[act].trigger()


def typed(number: int) -> str:
    return ("ab", " plot", ". ", "x", " a shameful plan")[number % 5]


# What is seen


def marked(window: MainWindow) -> list[tuple[int, int, str]]:
    return [(mark.start, mark.end, mark.finding.text) for mark in window.ui.editor.marks]


def ignored(window: MainWindow) -> list[str]:
    """What is ignored and allowed."""
    ignore = window.components.ignore
    entries = [f"{entry.scope} {normalize_phrase(entry.words)}" for entry in ignore.entries]
    return sorted(entries + [f"always {phrase}" for phrase in ignore.phrases])


def state(window: MainWindow) -> tuple[str, list[tuple[int, int, str]], list[str]]:
    """What Undo and Redo lead back to: text, marks, and what is ignored."""
    return window.ui.editor.text(), marked(window), ignored(window)


def rows(window: MainWindow) -> list[str]:
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    model = listed.model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


def reviewed(window: MainWindow) -> dict[str, int]:
    """The counters of the review, from its bar; empty while it is hidden."""
    text = window.ui.review_bar.text
    if not text:
        return {}
    counted = {how: re.search(rf"([\d,]+) {how}", text) for how in ("changed", "ignored")}
    return {how: int(found[1]) if found else 0 for how, found in counted.items()}


def seen(window: MainWindow) -> dict[str, object]:
    """Everything that a window shows of a draft but the way it came about."""
    panel = window.ui.findings_dock.panel
    document = window.ui.document_dock.panel
    result = window.components.review.result
    assert isinstance(panel, FindingsPanel)
    assert isinstance(document, DocumentPanel)
    assert result is not None
    assert result.report is not None
    page = document._page
    # The status bar counts a selection, which is no part of the draft.
    cursor = window.ui.editor.textCursor()
    cursor.clearSelection()
    window.ui.editor.setTextCursor(cursor)
    window.ui.actions["review_all"].trigger()
    bar = window.ui.review_bar.text
    window.components.guided_review.stop()
    return {
        "text": window.ui.editor.text(),
        "marks": [
            (*place, one.finding) for place, one in zip(marked(window), window.ui.editor.marks, strict=True)
        ],
        "rows": rows(window),
        "issues": panel._title.text(),
        "kinds": [button.text() for button in panel._kinds.values()],
        "kinds counted": dict(result.report.summary.kinds),
        "document": [page._share.text(), page._of.text(), page._words.text()],
        "status": window.ui.status_bar.document_text,
        "review": bar,
        "ignored": ignored(window),
        "number ignored": len(window.components.review.ignored),
        "modified": window.components.documents.modified,
    }


def seen_at(window: MainWindow, position: int) -> dict[str, object]:
    """The same, and what the caret at ``position`` is at."""
    editor = window.ui.editor
    found = seen(window)
    for place in (0, position):
        cursor = editor.textCursor()
        cursor.setPosition(place)
        editor.setTextCursor(cursor)
    at = window.components.review.current_finding()
    return found | {"caret": editor.textCursor().position(), "at caret": at and at.fingerprint}


def assert_true(window: MainWindow, opened: str) -> None:
    """Everything that is shown agrees with the marks, and every mark with the text."""
    editor, result = window.ui.editor, window.components.review.result
    texts = [mark.finding.text for mark in editor.marks]
    assert [editor.text_between(mark.start, mark.end) for mark in editor.marks] == texts
    assert rows(window) == [" ".join(text.split()) for text in texts]
    if result is not None and result.report is not None:
        assert sum(result.report.summary.kinds.values()) == len(result.report.findings)
    assert window.components.documents.modified or editor.text() == opened
    if window.components.guided_review.active:
        total = re.search(r"(?:of )?([\d,]+)(?: findings?)?(?: ·|$)", window.ui.review_bar.text)
        assert total is not None
        assert int(total[1]) == len(texts) + sum(reviewed(window).values())


# What may change


@dataclass
class Caret:
    """Where the caret was, and what stood there; ``free``: neither a selection nor a review has hold of it."""

    position: int
    free: bool
    text: str
    marks: list[tuple[int, int, str]]

    @classmethod
    def of(cls, window: MainWindow) -> Caret:
        cursor = window.ui.editor.textCursor()
        free = not cursor.hasSelection() and not window.components.guided_review.active
        return cls(cursor.position(), free, window.ui.editor.text(), marked(window))

    def assert_kept(self, now: Caret, act: str, number: int) -> None:
        """After ``act`` the caret is where it belongs: behind what was typed, else at the same text."""
        grown = utf16_length(now.text) - utf16_length(self.text)
        if not self.free or act in ("move", "review", "replace"):
            return
        if act == "type":
            assert now.position == self.position + utf16_length(typed(number))
        elif act == "delete" or now.text == self.text:
            assert now.position == self.position + grown
        elif act == "use":
            start, end, _ = self.marks[number % len(self.marks)]
            if self.position <= start:
                assert now.position == self.position
            elif self.position > end:
                assert now.position == self.position + grown


@dataclass
class History:
    """What was there at each length of the undo history, as long as it can be reached again."""

    states: dict[int, tuple[object, int, dict[str, int]]] = field(default_factory=dict)
    reviews: int = 0

    def check(self, window: MainWindow, act: str) -> None:
        """After ``act``: what Undo or Redo leads to is what was there."""
        length = window.ui.editor.document().availableUndoSteps()
        now = (state(window), self.reviews, reviewed(window))
        if act in ("undo", "redo"):
            was = self.states.get(length)
            assert was is None or was[0] == now[0]
            # A review that began later counts what came later.
            if was is not None and was[1] == now[1] and was[2] and now[2]:
                assert was[2] == now[2]
            return
        if act == "review":
            self.reviews += 1
            now = (now[0], self.reviews, now[2])
        elif not window.ui.editor.document().isRedoAvailable():
            self.states = {known: was for known, was in self.states.items() if known <= length}
        self.states[length] = now


def check(make: Make, qtbot: QtBot, text: str, acts: list[Act]) -> None:
    window = make(text)
    try:
        idle(window, qtbot)
        # The store knows the draft and the words of the example before.
        window.components.ignore.restore(window.components.ignore.entries)
        window.components.ignore.disallow(window.components.ignore.phrases)
        idle(window, qtbot)
        run(window, qtbot, text, acts)
        window.components.documents.save()
        idle(window, qtbot)
        read_again(window, qtbot)
        path, position = window.components.documents.session.path, window.ui.editor.textCursor().position()
        known = seen_at(window, position)
    finally:
        closed(window)
    fresh = make(None)
    try:
        assert path is not None
        assert fresh.components.documents.open(path)
        idle(fresh, qtbot)
        read_again(fresh, qtbot)
        anew = seen_at(fresh, position)
        assert {name: anew[name] for name in anew if anew[name] != known[name]} == {
            name: known[name] for name in anew if anew[name] != known[name]
        }
    finally:
        closed(fresh)


def run(window: MainWindow, qtbot: QtBot, text: str, acts: list[Act]) -> None:
    read_again(window, qtbot)
    first, history = state(window), History()
    history.check(window, "")
    for act, number in acts:
        caret = Caret.of(window)
        do(window, qtbot, act, number)
        caret.assert_kept(Caret.of(window), act, number)
        at = window.ui.editor.textCursor().position()
        read_again(window, qtbot)
        assert window.ui.editor.textCursor().position() == at
        assert_true(window, text)
        history.check(window, act)
    last = state(window)
    steps = 0
    while window.ui.actions["undo"].isEnabled():
        window.ui.actions["undo"].trigger()
        steps += 1
    read_again(window, qtbot)
    assert state(window) == first
    assert not window.components.documents.modified
    while window.ui.actions["redo"].isEnabled():
        window.ui.actions["redo"].trigger()
        steps -= 1
    read_again(window, qtbot)
    assert_true(window, text)
    assert steps <= 0
    if not any(act == "undo" for act, _ in acts):
        assert state(window) == last


def closed(window: MainWindow) -> None:
    window.ui.editor.document().setModified(False)
    window.close()


def examples(number: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """So many random sequences. Every one is two windows, so a failure is not made smaller."""
    return settings(
        max_examples=number,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@examples(20)
@given(SEQUENCE)
@example((TEXTS[1], [("ignore", 1)])).via("the second of equal findings is ignored, and not the first one")
@example((TEXTS[1], [("ignore", 0), ("move", 1), *[("delete", 0)] * 4, ("undo", 0)])).via(
    "the words of an ignored finding are deleted, and no equal one takes their place"
)
def test_any_sequence_is_shown_truly(make: Make, qtbot: QtBot, sequence: tuple[str, list[Act]]) -> None:
    check(make, qtbot, *sequence)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(50))
def test_a_thousand_sequences_are_shown_truly(make: Make, qtbot: QtBot, part: int) -> None:
    """In parts: a test keeps its windows until it ends."""

    @examples(20)
    @seed(part)
    @given(SEQUENCE)
    def sequences(sequence: tuple[str, list[Act]]) -> None:
        check(make, qtbot, *sequence)

    sequences()
