"""Protects the references to notes in the window: each is where the file has it, says what its note is and leads there,
and nothing of it gets into the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QHelpEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from core.text.diff import TextEdit
from tests.core.formats.builders import (
    docx_with_asides,
    note,
    note_mark,
    odt,
    odt_note,
    paragraph,
    run,
)

DOCX = docx_with_asides(
    paragraph(run("It is"), note_mark(1), run(" plain."), note_mark(2, "endnote")),
    {
        "footnotes": note(1, run("See &lt;b&gt; &amp; the"), "<w:r><w:br/></w:r>", run("rest.")),
        "endnotes": note(2, run("word " * 99), kind="endnote"),
    },
    settings='<w:endnotePr><w:numFmt w:val="decimal"/></w:endnotePr>',
)
ODT = odt(
    f"<text:p>It is{odt_note('1', 'See &lt;b&gt; &amp; the<text:line-break/>rest.')} plain."
    f"{odt_note('1', 'word ' * 99, kind='endnote')}</text:p>"
)
FIRST, LAST = len("It is"), len("It is plain.")
Open = Callable[..., MainWindow]


@pytest.fixture
def opened(make: Make, tmp_path: Path) -> Open:
    def made(data: bytes = DOCX, name: str = "draft.docx") -> MainWindow:
        window = make(None)
        path = tmp_path / name
        path.write_bytes(data)
        assert window.components.documents.open(path)
        return window

    return made


def marked(window: MainWindow) -> list[tuple[str, str]]:
    editor = window.ui.editor
    return [(editor.text_between(0, mark.place), mark.sign) for mark in editor.notes]


def actions_at(window: MainWindow, position: int) -> list[QAction]:
    menu = window.components.finding_menu.build(position)
    menu.setParent(window)
    return [one for one in menu.actions() if one.text().startswith(("Go to", "Back"))]


def tooltip_at(window: MainWindow, qtbot: QtBot, position: int) -> str:
    cursor = QTextCursor(window.ui.editor.document())
    cursor.setPosition(position)
    point = window.ui.editor.cursorRect(cursor).center() - QPoint(2, 0)
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    viewport = window.ui.editor.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QHelpEvent.Type.ToolTip, point, viewport.mapToGlobal(point)))
    return QToolTip.text() if QToolTip.isVisible() else ""


@pytest.mark.parametrize(("data", "name"), [(DOCX, "draft.docx"), (ODT, "draft.odt")])
def test_each_reference_is_marked_and_the_file_stays_as_it_was(opened: Open, data: bytes, name: str) -> None:
    window = opened(data, name)
    assert marked(window) == [("It is", "1"), ("It is plain.", "1")]
    assert not window.components.documents.modified
    path = window.components.documents.session.path
    assert path is not None
    assert window.components.documents.save()
    assert path.read_bytes() == data


def test_the_mouse_on_a_sign_says_how_the_note_begins(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    assert "Footnote 1: See &lt;b&gt; &amp; the rest." in tooltip_at(window, qtbot, FIRST)
    long = tooltip_at(window, qtbot, LAST)
    assert long.startswith("Endnote 1: word word ")
    assert long.endswith("…")
    assert len(long) < 230
    assert tooltip_at(window, qtbot, FIRST - 2) == ""


@pytest.mark.parametrize(("data", "name"), [(DOCX, "draft.docx"), (ODT, "draft.odt")])
def test_the_menu_leads_to_the_note_and_back(opened: Open, data: bytes, name: str) -> None:
    window = opened(data, name)
    editor = window.ui.editor
    (there,) = actions_at(window, FIRST)
    assert there.text() == "Go to Footnote 1"
    window.ui.actions["fold_all"].trigger()
    actions_at(window, LAST)[0].trigger()
    assert editor.textCursor().block().text().startswith("word word")
    assert editor.textCursor().block().isVisible(), "folded notes are shown"
    (back,) = actions_at(window, editor.textCursor().position() + 7)
    assert back.text() == "Back to the reference to Endnote 1"
    back.trigger()
    assert editor.textCursor().position() == LAST
    assert actions_at(window, 1) == []


def test_the_caret_at_a_reference_says_which_note_it_is(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    editor = window.ui.editor
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.go_to(FIRST - 1)
    assert "Footnote" not in window.ui.status_bar.currentMessage()
    editor.go_to(FIRST)
    assert window.ui.status_bar.currentMessage().startswith("Footnote 1: See <b>")


@pytest.mark.parametrize(("data", "name"), [(DOCX, "draft.docx"), (ODT, "draft.odt")])
def test_marks_follow_edits_as_the_file_does(opened: Open, data: bytes, name: str) -> None:
    window = opened(data, name)
    editor = window.ui.editor
    editor.replace([TextEdit(0, 2, "🙂 This"), TextEdit(FIRST, FIRST, "n't")])
    edited = [("🙂 This isn't", "1"), ("🙂 This isn't plain.", "1")]
    assert marked(window) == edited
    assert window.components.documents.save()
    assert marked(window) == edited, "saved and read again they are the same"
    editor.replace([TextEdit(0, len("🙂 This isn't plain.") + 1, "")])
    assert marked(window) == [("", "1"), ("", "1")]
    editor.undo()
    assert marked(window) == edited


def test_marks_are_kept_while_edits_are_saved_as_tracked_changes(opened: Open) -> None:
    window = opened()
    window.ui.actions["track_changes"].trigger()
    window.ui.editor.replace([TextEdit(FIRST, FIRST, "n't")])
    assert window.components.documents.save()
    assert window.components.documents.session.tracked
    assert marked(window) == [("It isn't", "1"), ("It isn't plain.", "1")]


def test_another_draft_has_none_of_them(opened: Open, tmp_path: Path) -> None:
    window = opened()
    path = tmp_path / "other.md"
    path.write_text("It is another draft, with more words than that.")
    assert window.components.documents.open(path)
    assert marked(window) == []
    assert actions_at(window, FIRST) == []
