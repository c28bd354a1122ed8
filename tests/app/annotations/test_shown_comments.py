"""Protects comments in the text pane: the words that people commented on are marked, what they wrote is said there, and
nothing of it changes the file or counts as text.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QHelpEvent, QImage, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.annotations import shown_comments
from app.main_window.window import MainWindow
from core.text.diff import TextEdit
from tests.core.formats.builders import comment, commented, docx, odt, paragraph, run

DOCX = docx(
    paragraph(
        run("It is "), commented(1, commented(2, run("plain"))), run(" to"), commented(3), run(" see.")
    ),
    comments=comment(1, "Ben", "Who &lt;b&gt; says so? " + "word " * 300)
    + comment(2, "", "A shameful question.")
    + comment(3, "Cleo", "A word is missing."),
)
ODT = odt(
    '<text:p>It is <office:annotation office:name="a"><dc:creator>Ben</dc:creator><text:p>Who says so?</text:p>'
    '</office:annotation>plain<office:annotation-end office:name="a"/> to see.</text:p>'
)
ALL = [("plain", "Who <b> says so?"), ("plain", "A shameful question."), ("", "A word is missing.")]
START, PLACE = len("It is "), len("It is plain to")
Open = Callable[..., MainWindow]


def marked(window: MainWindow) -> list[tuple[str, str]]:
    """The words of each mark, and how its comment begins."""
    editor = window.ui.editor
    return [
        (editor.text_between(mark.start, mark.end), mark.comment.text.partition(" word word")[0])
        for mark in editor.comments
    ]


@pytest.fixture
def opened(make: Make, tmp_path: Path, qtbot: QtBot) -> Open:
    def made(data: bytes = DOCX, name: str = "draft.docx", *, count: int = 3) -> MainWindow:
        window = make(None)
        path = tmp_path / name
        path.write_bytes(data)
        assert window.components.documents.open(path)
        qtbot.waitUntil(lambda: len(window.ui.editor.comments) == count)
        return window

    return made


def actions_at(window: MainWindow, position: int) -> list[QAction]:
    menu = window.components.finding_menu.build(position)
    menu.setParent(window)
    return [one for one in menu.actions() if one.text() == "Show comment"]


def point_at(window: MainWindow, position: int) -> QPoint:
    cursor = QTextCursor(window.ui.editor.document())
    cursor.setPosition(position)
    return window.ui.editor.cursorRect(cursor).center()


def tooltip_at(window: MainWindow, qtbot: QtBot, point: QPoint) -> str:
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    viewport = window.ui.editor.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QHelpEvent.Type.ToolTip, point, viewport.mapToGlobal(point)))
    return QToolTip.text() if QToolTip.isVisible() else ""


def pixels(window: MainWindow) -> QImage:
    return window.ui.editor.viewport().grab().toImage()


def test_commented_words_have_a_ground_and_the_file_stays_as_it_was(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    editor = window.ui.editor
    assert marked(window) == ALL
    editor.setCursorWidth(0)
    read(window, qtbot, [])
    shown = pixels(window)
    marks = editor.comments
    editor.set_comments(type(marks)())
    without = pixels(window)
    columns = {
        x
        for x in range(shown.width())
        for y in range(point_at(window, 0).y() - 3, point_at(window, 0).y() + 3)
        if shown.pixel(x, y) != without.pixel(x, y)
    }
    left, right, place = (point_at(window, at).x() for at in (START, START + 5, PLACE))
    on_words = [x for x in columns if x <= right + 3]
    assert min(on_words) >= left - 3
    assert len(on_words) > (right - left) / 2
    at_place = columns - set(on_words)
    assert at_place
    assert all(abs(x - place) <= 3 for x in at_place)
    path = window.components.documents.session.path
    assert path is not None
    assert not window.components.documents.modified
    assert window.components.documents.save()
    assert path.read_bytes() == DOCX


def test_comments_are_not_read_for_bias(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    qtbot.waitUntil(lambda: window.components.last_result is not None)
    read(window, qtbot, [])
    assert "shameful" not in window.ui.editor.text()


def test_the_mouse_on_commented_words_says_who_wrote_what_and_when(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    said = tooltip_at(window, qtbot, point_at(window, START + 2))
    assert "Comment by Ben, " in said
    assert "24" in said
    assert "Who &lt;b&gt; says so? word" in said
    assert "Comment by an unknown author, " in said
    assert len(said) < 1600
    at_place = tooltip_at(window, qtbot, point_at(window, PLACE))
    assert at_place.startswith("Comment by Cleo, ")
    assert at_place.endswith(": A word is missing.")
    assert tooltip_at(window, qtbot, point_at(window, 2)) == ""


def test_the_menu_shows_the_comment_and_selects_its_words(opened: Open) -> None:
    window = opened()
    assert actions_at(window, 2) == []
    (action,) = actions_at(window, PLACE)
    action.trigger()
    assert QToolTip.text().endswith("A word is missing.")
    (action,) = actions_at(window, START + 1)
    action.trigger()
    assert window.ui.editor.textCursor().selectedText() == "plain"
    QToolTip.hideText()


def test_the_caret_at_commented_words_says_what_the_comment_is(opened: Open, qtbot: QtBot) -> None:
    window = opened()
    editor = window.ui.editor
    editor.setFocus()
    qtbot.waitUntil(editor.hasFocus)
    editor.go_to(PLACE)
    assert "A word is missing." in window.ui.status_bar.currentMessage()


def test_marks_follow_edits_and_come_back_with_undone_words(opened: Open, qtbot: QtBot) -> None:
    window = opened(ODT, "draft.odt", count=1)
    editor = window.ui.editor
    editor.replace([TextEdit(0, 2, "🙂 This"), TextEdit(START + 2, START + 2, "xx")])
    assert marked(window) == [("plxxain", "Who says so?")]
    editor.replace([TextEdit(0, len("🙂 This is plxxain") + 1, "")])
    assert marked(window) == []
    editor.undo()
    editor.undo()
    assert marked(window) == [("plain", "Who says so?")]
    editor.replace([TextEdit(0, 2, "This")])
    assert window.components.documents.save()
    qtbot.waitUntil(lambda: marked(window) == [("plain", "Who says so?")])


def test_a_file_without_comments_is_not_searched_and_shows_none(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened()

    def unexpected(_session: object) -> list[object]:
        raise AssertionError("read")

    monkeypatch.setattr(shown_comments, "read_comments_of", unexpected)
    for name, data in (("other.docx", docx(paragraph(run("It is another.")))), ("other.md", b"It is text.")):
        path = tmp_path / name
        path.write_bytes(data)
        assert window.components.documents.open(path)
        assert marked(window) == []
        assert actions_at(window, 1) == []
