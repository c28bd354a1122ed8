"""Protects pasting with formatting in the window: as mark-up of the draft, in one step, and only where that can be."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot
from windows import Make

from app.commands.actions import COMMANDS
from app.documents.formatted_paste import TOO_LARGE
from app.main_window.window import MainWindow
from core.conversion.read_html import MAX_SIZE
from core.documents.types import Format
from tests.core.formats.builders import RICH, docx

PAGE = "<h2>Head</h2><p>A <b>bold</b> <a href='https://x.org/a'>link</a></p><ul><li>item</li></ul>"


def copied(html: str, text: str = "words alone") -> None:
    data = QMimeData()
    data.setText(text)
    if html:
        data.setHtml(html)
    QGuiApplication.clipboard().setMimeData(data)


def paste(window: MainWindow, how: str = "paste_formatted") -> str:
    window.ui.actions[how].trigger()
    return window.ui.editor.text()


def test_formatting_becomes_mark_up_of_the_draft_in_one_step(make: Make, qtbot: QtBot) -> None:
    window = make("Before after.\n")
    window.ui.editor.go_to(7)
    copied(PAGE)
    assert paste(window) == ("Before \n\n## Head\n\nA **bold** [link](https://x.org/a)\n\n- item\n\nafter.\n")
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == "Before after.\n"
    assert not window.ui.editor.document().isUndoAvailable()
    window._format_chosen(Format.WIKITEXT)
    window.ui.editor.selectAll()
    assert paste(window) == "== Head ==\n\nA '''bold''' [https://x.org/a link]\n\n* item"


def test_words_of_one_paragraph_go_into_the_line(make: Make) -> None:
    window = make("Before after.\n")
    window.ui.editor.go_to(7)
    copied("<span>some <i>new</i></span> ")
    assert paste(window) == "Before some *new*after.\n"


def test_the_other_commands_take_the_words_alone(make: Make) -> None:
    window = make("")
    copied(PAGE)
    assert paste(window, "paste") == "words alone"
    assert paste(window, "paste_plain") == "words alone" * 2


@pytest.mark.parametrize("html", ["", "<img src='https://x.org/a.png'>"])
def test_what_has_no_formatting_is_pasted_as_its_words(make: Make, html: str) -> None:
    window = make("")
    copied(html)
    assert paste(window) == "words alone"


def test_text_of_a_draft_is_put_back_as_it_was(make: Make) -> None:
    window = make("so\u00adft\u00a0and *odd*\n")
    window.ui.editor.selectAll()
    window.ui.editor.copy()
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    assert paste(window) == "so\u00adft\u00a0and *odd*\n" * 2


def test_what_is_too_large_is_refused_with_one_message(make: Make) -> None:
    window = make("One.\n")
    copied(f"<p>{'word ' * (MAX_SIZE // 5 + 1)}</p>")
    assert paste(window) == "One.\n"
    assert window.ui.message_bar.text == TOO_LARGE


def test_where_it_is_not_possible_the_command_says_why(make: Make, tmp_path: Path) -> None:
    window = make("One.\n")
    action = window.ui.actions["paste_formatted"]
    reason = COMMANDS["paste_formatted"].disabled_reason
    assert action.isEnabled()
    assert reason not in action.toolTip()
    path = tmp_path / "draft.docx"
    path.write_bytes(docx(RICH))
    assert window.components.documents.open(path)
    assert not action.isEnabled()
    assert action.toolTip().endswith(reason)
    assert window.ui.actions["paste_plain"].isEnabled()
    window.components.documents.new()
    window._format_chosen(Format.WIKITEXT)
    assert action.isEnabled()
    window._format_chosen(Format.PLAIN)
    assert not action.isEnabled()
