"""Protects finding words: every match is counted and reached, the text stays as it is, and keys do it all."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.find_bar import FindBar, matches

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
        field = self.bar.findChild(QLineEdit)
        assert field is not None
        return field

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


def test_matches_are_in_units_of_the_editor() -> None:
    start = TEXT.index("plan") + 2
    assert matches(TEXT, "plan", match_case=False)[0] == (start, start + 4)
    assert len(matches(TEXT, "plan", match_case=False)) == 4
    assert len(matches(TEXT, "plan", match_case=True)) == 2
    assert len(matches(TEXT, "a.b", match_case=False)) == 1, "a dot is a dot"
    assert matches(TEXT, "", match_case=False) == []
    assert matches("aaaa", "aa", match_case=False) == [(0, 2), (2, 4)]


def test_typing_finds_and_enter_goes_round(desk: Desk) -> None:
    told: list[str] = []
    desk.bar.wrapped.connect(told.append)
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
    box = desk.bar.findChild(QCheckBox)
    assert box is not None
    box.setChecked(True)
    assert desk.bar.count_text.endswith("2") or desk.bar.count_text == "2 matches"


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
    desk.bar.open()
    for child in desk.bar.findChildren(QWidget):
        if child.focusPolicy() != Qt.FocusPolicy.NoFocus and child.parentWidget() is desk.bar:
            assert child.accessibleName() or getattr(child, "text", str)(), child
