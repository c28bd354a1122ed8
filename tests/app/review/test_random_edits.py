"""Protects the truth of Undo in the whole window: whatever was typed, changed, ignored, undone and redone, findings,
lists and counters are those of the text as it stands, and going back through all of it ends where it began.
"""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from core.documents.suppression import normalize_phrase

TEXT = "A shameful 👍🏽 plan. Some slanted words.\n\nThe chairman claims a shameful plot. It reveals it.\n"
ACTS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "type",
                "type",
                "delete",
                "use",
                "ignore",
                "ignore_words",
                "undo",
                "undo",
                "redo",
                "replace",
                "move",
            ]
        ),
        st.integers(0, 9),
    ),
    min_size=4,
    max_size=14,
)


def read_again(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the present text is read, and no wording is being looked for."""
    with qtbot.waitSignal(window.components.analysis.finished):
        window.ui.actions["analyse"].trigger()
    result = window.components.review.result
    assert result is None or result.snapshot.text == window.ui.editor.text()


def do(window: MainWindow, qtbot: QtBot, act: str, number: int) -> None:
    editor = window.ui.editor
    marks = list(editor.marks)
    match act:
        case "type":
            QTest.keyClicks(editor, ("ab", " plot", ". ", "x")[number % 4])
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
        case "ignore" | "ignore_words" if marks:
            scope = "once" if act == "ignore" else "words"
            window.components.ignore.ignore_finding(marks[number % len(marks)].finding, scope)
        case "replace":
            window.ui.find_bar.open_replace()
            window.ui.find_bar._field.setText(("plan", "plot")[number % 2])
            window.ui.find_bar._new.setText("plot")
            window.ui.find_bar.replace_all()
            window.ui.find_bar.hide()
        case "undo" | "redo":
            window.ui.actions[act].trigger()


def state(window: MainWindow) -> tuple[str, list[tuple[int, int, str]], list[str]]:
    """Text, marks and ignored words."""
    marks = [(mark.start, mark.end, mark.finding.text) for mark in window.ui.editor.marks]
    ignored = sorted(
        f"{entry.scope} {normalize_phrase(entry.words)}" for entry in window.components.ignore.entries
    )
    return window.ui.editor.text(), marks, ignored


def assert_true(window: MainWindow) -> None:
    """Everything that is shown agrees with the marks, and every mark with the text."""
    editor, result = window.ui.editor, window.components.review.result
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    model = listed.model()
    texts = [mark.finding.text for mark in editor.marks]
    assert [editor.text_between(mark.start, mark.end) for mark in editor.marks] == texts
    on_one_line = [" ".join(text.split()) for text in texts]
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == on_one_line
    if result is not None and result.report is not None:
        assert sum(result.report.summary.kinds.values()) == len(result.report.findings)
    assert window.components.documents.modified or editor.text() == TEXT


@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # every example is a window, so a failure is not made smaller
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(ACTS)
def test_any_sequence_of_deeds_is_shown_truly_and_can_be_undone(
    make: Make, qtbot: QtBot, acts: list[tuple[str, int]]
) -> None:
    window = make(TEXT)
    try:
        check(window, qtbot, acts)
    finally:
        window.ui.editor.document().setModified(False)
        window.close()


def check(window: MainWindow, qtbot: QtBot, acts: list[tuple[str, int]]) -> None:
    # The store knows the draft from the example before.
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)
    qtbot.waitUntil(lambda: not window.components.background.busy)
    window.components.ignore.restore(window.components.ignore.entries)
    qtbot.waitUntil(lambda: not window.components.background.busy)
    read_again(window, qtbot)
    first = state(window)
    for act, number in acts:
        do(window, qtbot, act, number)
        read_again(window, qtbot)
        assert_true(window)
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
    assert_true(window)
    assert steps <= 0
    if not any(act == "undo" for act, _ in acts):
        assert state(window) == last
