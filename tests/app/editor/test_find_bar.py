"""Protects finding and replacing: every match is counted and reached, nothing is replaced but what was asked for, keys
do it all, and one Undo takes it back.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.find_bar import FindBar
from app.editor.positions import OffsetMap
from app.editor.text_search import Search


def matches(text: str, words: str, *, match_case: bool = False) -> list[tuple[int, int]]:
    """All matches in the units of the editor."""
    units = OffsetMap(text)
    return [
        (units.to_utf16(start), units.to_utf16(end))
        for start, end in Search(words, match_case=match_case).spans(text)
    ]


TEXT = "One 👍🏽 plan. The plan (a Plan) is *a.b* or a-b.\nPlan!"


class Desk(QWidget):
    """A text with its bar."""

    def __init__(self) -> None:
        super().__init__()
        self.editor = TextEditor()
        self.bar = FindBar(self.editor)
        column = QVBoxLayout(self)
        column.addWidget(self.editor)
        column.addWidget(self.bar)
        self.editor.load(TEXT)
        self.resize(700, 400)

    @property
    def field(self) -> QLineEdit:
        return self.line("find_words")

    def line(self, name: str) -> QLineEdit:
        found = self.bar.findChild(QLineEdit, name)
        assert found is not None
        return found

    def button(self, name: str) -> QToolButton:
        found = self.bar.findChild(QToolButton, name)
        assert found is not None
        return found

    def ask(self, words: str, new: str, *options: str) -> None:
        """Open the row for replacing with these words and options."""
        self.bar.open_replace()
        for name in options:
            self.button(name).click()
        self.field.setText(words)
        self.line("replace_words").setText(new)

    @property
    def selected(self) -> tuple[str, int]:
        return self.editor.textCursor().selectedText(), self.editor.textCursor().selectionStart()


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    made = Desk()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    made.editor.setFocus()
    return made


def test_typing_finds_and_enter_goes_round(desk: Desk) -> None:
    told: list[str] = []
    desk.bar.status_message.connect(told.append)
    desk.bar.open()
    QTest.keyClicks(desk.field, "plan")
    assert desk.bar.count_text == "1 of 4"
    seen = [desk.selected[1]]
    for _ in range(4):
        QTest.keyClick(desk.field, Qt.Key.Key_Return)
        seen.append(desk.selected[1])
    assert seen == [start for start, _ in matches(TEXT, "plan", match_case=False)] + [seen[0]]
    assert len(told) == 1
    QTest.keyClick(desk.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert desk.bar.count_text == "4 of 4"
    assert len(told) == 2
    assert desk.editor.text() == TEXT
    assert not desk.editor.document().isModified()


def test_case_counts_if_asked(desk: Desk) -> None:
    desk.bar.open()
    QTest.keyClicks(desk.field, "Plan")
    desk.button("match_case").click()
    assert desk.bar.count_text.endswith("2") or desk.bar.count_text == "2 matches"


def test_whole_words_and_expressions_count_if_asked(desk: Desk) -> None:
    desk.bar.open()
    QTest.keyClicks(desk.field, "pla")
    assert desk.bar.count_text == "1 of 4"
    desk.button("whole_words").click()
    assert desk.bar.count_text == "No matches"
    desk.button("expression").click()
    desk.field.setText("pla.|^one")
    assert desk.bar.count_text.endswith("of 5")


def test_what_is_not_there_is_said(desk: Desk) -> None:
    desk.bar.open()
    QTest.keyClicks(desk.field, "zzz")
    assert desk.bar.count_text == "No matches"
    desk.bar.find_next()
    assert desk.selected == ("", 0)


def test_the_bar_opens_with_the_selected_words(desk: Desk) -> None:
    start, end = matches(TEXT, "Plan", match_case=True)[0]
    desk.editor.go_to(start, end)
    desk.bar.open()
    assert desk.field.text() == "Plan"
    assert desk.field.selectedText() == "Plan"


def test_escape_closes_and_gives_the_text_its_focus(desk: Desk, qtbot: QtBot) -> None:
    desk.bar.open()
    QTest.keyClicks(desk.field, "plan")
    QTest.keyClick(desk.field, Qt.Key.Key_Escape)
    assert desk.bar.isHidden()
    qtbot.waitUntil(desk.editor.hasFocus)


def test_the_count_follows_the_text(desk: Desk, qtbot: QtBot) -> None:
    desk.bar.open()
    QTest.keyClicks(desk.field, "plan")
    desk.editor.moveCursor(desk.editor.textCursor().MoveOperation.End)
    QTest.keyClicks(desk.editor, " plan")
    qtbot.waitUntil(lambda: desk.bar.count_text == "5 matches")


def test_find_next_without_words_asks_for_them(desk: Desk) -> None:
    desk.bar.find_next()
    assert not desk.bar.isHidden()


def test_every_control_has_a_name(desk: Desk) -> None:
    desk.bar.open_replace()
    for child in desk.bar.findChildren(QWidget):
        if child.focusPolicy() != Qt.FocusPolicy.NoFocus and not isinstance(child.parentWidget(), QLineEdit):
            assert child.accessibleName() or getattr(child, "text", str)(), child


def test_a_bad_expression_is_explained_and_replaces_nothing(desk: Desk) -> None:
    desk.ask("(plan", "x", "expression")
    assert desk.bar.problem_text == "A bracket is opened with “(” and never closed."
    assert desk.bar.count_text == ""
    desk.bar.replace_all()
    assert desk.editor.text() == TEXT
    desk.field.setText("(plan)")
    assert desk.bar.problem_text == ""
    desk.line("replace_words").setText(r"\2")
    desk.bar.replace_all()
    assert desk.bar.problem_text == "The expression has no group “2”."
    assert desk.editor.text() == TEXT
    desk.line("replace_words").setText(r"\1s")
    assert desk.bar.problem_text == ""


def test_enter_replaces_one_match_after_the_other(desk: Desk) -> None:
    desk.ask("plan", "scheme")
    assert desk.selected[0] == "plan"
    desk.line("replace_words").setFocus()
    for done in range(1, 5):
        QTest.keyClick(desk.line("replace_words"), Qt.Key.Key_Return)
        assert desk.editor.text().count("scheme") == done
    assert desk.editor.text() == TEXT.replace("plan", "scheme").replace("Plan", "scheme")
    desk.editor.undo()
    assert desk.editor.text().count("scheme") == 3


def test_replace_goes_to_a_match_before_it_replaces_one(desk: Desk) -> None:
    desk.ask("plan", "scheme")
    desk.editor.go_to(0)
    desk.button("replace").click()
    assert desk.editor.text() == TEXT
    assert desk.bar.count_text == "1 of 4"


def test_a_match_inside_its_own_replacement_is_not_replaced_again(desk: Desk) -> None:
    desk.ask("plan", "plan plan")
    for _ in range(4):
        desk.button("replace").click()
    assert desk.editor.text() == TEXT.replace("plan", "plan plan").replace("Plan", "plan plan")


def test_replace_all_is_one_step_that_keeps_caret_and_view(desk: Desk) -> None:
    told: list[str] = []
    desk.bar.status_message.connect(told.append)
    long = f"{TEXT}\n" * 60
    desk.editor.load(long)
    desk.ask(r"(\w)lan", r"\1lot👍", "expression")
    desk.editor.go_to(long.index("(a", len(long) // 2))
    caret, top = desk.editor.textCursor().position(), desk.editor.verticalScrollBar().value()
    before = desk.editor.text_between(0, caret)
    desk.button("replace_all").click()
    assert told[-1] == "240 matches replaced."
    assert desk.editor.text() == long.replace("plan", "plot👍").replace("Plan", "Plot👍")
    assert desk.editor.verticalScrollBar().value() == top
    after = desk.editor.text_between(0, desk.editor.textCursor().position())
    assert after == before.replace("plan", "plot👍").replace("Plan", "Plot👍")
    assert not desk.editor.textCursor().hasSelection()
    desk.editor.undo()
    assert desk.editor.text() == long
    desk.editor.redo()
    assert "plan" not in desk.editor.text()


def test_locked_parts_are_left_and_counted(desk: Desk) -> None:
    told: list[str] = []
    desk.bar.status_message.connect(told.append)
    first = matches(TEXT, "plan")[0][0]
    desk.editor.rejects_edits = lambda edits: any(edit.start == first for edit in edits)
    desk.ask("plan", "plot")
    desk.button("replace_all").click()
    assert told[-1] == "3 matches replaced. 1 is in a locked part."
    assert desk.editor.text().count("plan") == 1


def test_nothing_is_replaced_in_a_draft_that_is_read_only(desk: Desk) -> None:
    desk.ask("plan", "plot")
    desk.editor.setReadOnly(True)
    assert not desk.button("replace").isEnabled()
    assert not desk.line("replace_words").isEnabled()
    desk.bar.replace()
    desk.bar.replace_all()
    assert desk.editor.text() == TEXT
    desk.editor.setReadOnly(False)
    assert desk.button("replace_all").isEnabled()


def test_find_alone_has_no_row_for_replacing(desk: Desk) -> None:
    desk.bar.open()
    assert not desk.button("replace").isVisible()
    desk.bar.open_replace()
    assert desk.button("replace").isVisible()
    QTest.keyClick(desk.line("replace_words"), Qt.Key.Key_Escape)
    desk.bar.open()
    assert not desk.button("replace").isVisible()
