"""Protects folding in the real window: its commands, and that files, findings, searches and undo know nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from windows import TEXT as PLAIN
from windows import Make, read

from app.commands.actions import COMMANDS, MENUS
from app.main_window.window import MainWindow

TEXT = """---\r
title: A legendary plot\r
---\r
The shameful 👍🏽 record.\r
\r
<!-- a note\r
for editors -->\r
It reveals more.\r
"""
WIKITEXT = (
    "The shameful 👍🏽 record.{{efn|A disgraceful act it was, and it has been told before.}} He went.\r\n"
    "It reveals more.<ref>Second\r\nline</ref> End.\r\n"
)
FOLDS = ("fold_all", "fold_here", "unfold_all")


@pytest.fixture
def window(make: Make, qtbot: QtBot) -> MainWindow:
    made = make(TEXT)
    read(made, qtbot, ["legendary", "plot", "shameful", "reveals"])
    return made


def hidden(window: MainWindow) -> tuple[int, ...]:
    document = window.ui.editor.document()
    blocks = map(document.findBlockByNumber, range(document.blockCount()))
    return tuple(block.blockNumber() for block in blocks if not block.isVisible())


def test_keys_fold_all_and_show_all(window: MainWindow) -> None:
    editor = window.ui.editor
    QTest.keyClick(editor, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
    assert hidden(window) == (1, 2, 6)
    assert window.ui.status_bar.currentMessage() == "2 parts folded."
    QTest.keyClick(editor, Qt.Key.Key_F9)
    assert hidden(window) == (6,)
    QTest.keyClick(editor, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert hidden(window) == ()
    assert window.ui.status_bar.currentMessage() == "1 part unfolded."


def test_file_findings_and_undo_know_nothing_of_folds(window: MainWindow, qtbot: QtBot) -> None:
    path = window.components.documents.session.path
    assert path is not None
    counts = window.ui.findings_dock.panel.accessibleDescription() if window.ui.findings_dock.panel else ""
    marks = list(window.ui.editor.marks)
    window.ui.actions["fold_all"].trigger()
    assert not window.components.documents.modified
    assert not window.ui.actions["undo"].isEnabled()
    window.components.reanalyse()
    qtbot.wait(50)
    read(window, qtbot, ["legendary", "plot", "shameful", "reveals"])
    assert list(window.ui.editor.marks) == marks
    assert window.ui.findings_dock.panel is not None
    assert window.ui.findings_dock.panel.accessibleDescription() == counts
    window.ui.editor.go_to(window.ui.editor.text().index("The shameful"))
    QTest.keyClicks(window.ui.editor, "x")
    assert window.components.documents.save()
    assert path.read_bytes() == TEXT.replace("The", "xThe").encode()
    assert hidden(window) == (1, 2, 6)
    window.ui.actions["undo"].trigger()
    assert window.components.documents.save()
    assert path.read_bytes() == TEXT.encode()
    assert hidden(window) == (1, 2, 6)


def test_going_to_a_finding_unfolds_it(window: MainWindow) -> None:
    window.ui.actions["fold_all"].trigger()
    editor = window.ui.editor
    for words, left in (("legendary", (6,)), ("plot", (6,)), ("shameful", (6,)), ("reveals", (6,))):
        window.ui.actions["next"].trigger()
        assert editor.current is not None
        assert editor.current.text == words
        assert hidden(window) == left
    window.ui.actions["fold_all"].trigger()
    assert window.components.last_result is not None
    report = window.components.last_result.report
    assert report is not None
    window.components.review.go_to(report.findings[1])
    assert hidden(window) == (6,)
    assert editor.rects_of(editor.marks[1])


def test_going_to_a_match_unfolds_it(window: MainWindow) -> None:
    window.ui.actions["fold_all"].trigger()
    window.ui.actions["find"].trigger()
    words = window.ui.find_bar.findChild(QLineEdit, "find_words")
    assert words is not None
    QTest.keyClicks(words, "for ed")
    assert window.ui.find_bar.count_text == "1 of 1"
    assert hidden(window) == (1, 2)
    assert window.ui.editor.textCursor().selectedText() == "for ed"


def test_references_are_folded_by_a_key_and_the_file_stays_as_it_was(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "article.wikitext"
    path.write_bytes(WIKITEXT.encode())
    assert window.components.documents.open(path)
    read(window, qtbot, ["shameful", "disgraceful", "reveals"])
    editor = window.ui.editor

    def labels() -> list[str]:
        lines = editor._lines_in(editor.viewport().rect())
        return [part.label for block, top, _, _ in lines for part, _ in editor.folding._labels(block, top)]

    fold = (editor, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(*fold)
    assert labels() == ["efn", "ref"]
    assert window.ui.status_bar.currentMessage() == "2 references folded."
    assert not window.components.documents.modified
    assert not window.ui.actions["undo"].isEnabled()
    editor.go_to(0)
    QTest.keyClicks(editor, "x")
    assert window.components.documents.save()
    assert path.read_bytes() == f"x{WIKITEXT}".encode()
    window.ui.actions["undo"].trigger()
    assert window.components.documents.save()
    assert path.read_bytes() == WIKITEXT.encode()
    assert labels() == ["efn", "ref"]
    editor.go_to(0)
    for words, left in (("shameful", ["efn", "ref"]), ("disgraceful", ["ref"]), ("reveals", ["ref"])):
        window.ui.actions["next"].trigger()
        assert editor.current is not None
        assert editor.current.text == words
        assert labels() == left
    window.ui.actions["find"].trigger()
    field = window.ui.find_bar.findChild(QLineEdit, "find_words")
    assert field is not None
    QTest.keyClicks(field, "Second")
    assert labels() == []
    QTest.keyClick(*fold)
    QTest.keyClick(*fold)
    assert labels() == []


def test_a_draft_without_markup_has_the_commands_switched_off(window: MainWindow, tmp_path: Path) -> None:
    assert all(window.ui.actions[name].isEnabled() for name in FOLDS)
    assert not window.ui.actions["fold_references"].isEnabled()
    path = tmp_path / "plain.txt"
    path.write_text(PLAIN)
    assert window.components.documents.open(path)
    assert not any(window.ui.actions[name].isEnabled() for name in FOLDS)
    wikitext = next(
        action for form, action in window.menus.format_actions.items() if form.value == "wikitext"
    )
    wikitext.trigger()
    assert all(window.ui.actions[name].isEnabled() for name in (*FOLDS, "fold_references"))


def test_keys_of_folding_belong_to_no_other_command() -> None:
    keys = [key.toString() for command in COMMANDS.values() for key in command.sequences()]
    names = (*FOLDS, "fold_references")
    own = [key.toString() for name in names for key in COMMANDS[name].sequences()]
    assert len(own) == len(names)
    assert all(keys.count(key) == 1 for key in own)


def test_access_keys_of_folding_are_their_own_in_the_menu() -> None:
    names = next(names for _, names in MENUS if "fold_all" in names)
    letters = [COMMANDS[name].text.partition("&")[2][:1].lower() for name in names if name in COMMANDS]
    assert all(
        letters.count(COMMANDS[name].text.partition("&")[2][:1].lower()) == 1
        for name in (*FOLDS, "fold_references")
    )
