"""Protects tracked changes in the text pane: each is where it is, says whose it is, and can be resolved there; the
marks follow edits and change nothing in the file.
"""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, QColor, QHelpEvent, QImage, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.documents import shown_revisions
from app.documents.revision_menu import ACCEPT, REJECT
from app.documents.session import Session, read_revisions_of
from app.editor.revision_drawing import author_colour
from app.editor.underlines import Pens
from app.main_window.window import MainWindow
from core.formats.docx import open_docx
from core.revisions.resolve import accept, read_revisions, reject
from core.revisions.types import Revision
from core.text.diff import TextEdit
from tests.core.formats.builders import BY_BEN, BY_CLEO, TRACKED, TRACKED_TEXT, docx, odt, paragraph, run

ALL = ["deleted at 4", "inserted “shameful”", "inserted “ here”"]


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.docx"
    path.write_bytes(docx(TRACKED))
    return path


def marked(window: MainWindow) -> list[str]:
    """The kind of each mark, and the words that it is on."""
    editor = window.ui.editor
    return [
        f"{mark.revision.kind.value} “{editor.text_between(mark.start, mark.end)}”"
        if mark.start < mark.end
        else f"{mark.revision.kind.value} at {mark.start}"
        for mark in editor.revisions
    ]


def opened(make: Make, qtbot: QtBot, path: Path, wanted: list[str]) -> MainWindow:
    """A window on a file, once its marks are these."""
    window = make(None)
    assert window.components.documents.open(path)
    qtbot.waitUntil(lambda: marked(window) == wanted)
    return window


def type_word(window: MainWindow) -> None:
    window.ui.editor.replace([TextEdit(0, 0, "Now: ")])


def menu_at(window: MainWindow, position: int) -> tuple[QMenu, list[QAction]]:
    menu = window.components.finding_menu.build(position)
    return menu, [action for action in menu.actions() if action.text()]


def only(actions: list[QAction], text: str) -> QAction:
    (found,) = [action for action in actions if action.text() == text]
    return found


def point_at(window: MainWindow, position: int) -> QPoint:
    """The middle of the line at a position in UTF-16 units, in the viewport."""
    cursor = QTextCursor(window.ui.editor.document())
    cursor.setPosition(position)
    return window.ui.editor.cursorRect(cursor).center()


def pixels(window: MainWindow) -> QImage:
    return window.ui.editor.viewport().grab().toImage()


def tooltip_at(window: MainWindow, qtbot: QtBot, point: QPoint) -> str:
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    viewport = window.ui.editor.viewport()
    QApplication.sendEvent(viewport, QHelpEvent(QHelpEvent.Type.ToolTip, point, viewport.mapToGlobal(point)))
    return QToolTip.text() if QToolTip.isVisible() else ""


def test_each_revision_is_marked_in_the_colour_of_its_author(make: Make, qtbot: QtBot, draft: Path) -> None:
    before = draft.read_bytes()
    window = opened(make, qtbot, draft, ALL)
    editor = window.ui.editor
    assert [mark.author for mark in editor.revisions] == [0, 0, 1]
    window.settings.set("reduced_motion", True)
    editor.setCursorWidth(0)
    read(window, qtbot, ["shameful"])
    with_marks = pixels(window)
    window.settings.set("show_revisions", False)
    assert marked(window) == []
    without = pixels(window)
    changed = [
        (x, y)
        for x in range(with_marks.width())
        for y in range(with_marks.height())
        if with_marks.pixel(x, y) != without.pixel(x, y)
    ]
    second = point_at(window, TRACKED_TEXT.index("It")).y()
    for start, end, middle, author in ((4, 12, point_at(window, 4).y(), 0), (28, 33, second, 1)):
        left, right = point_at(window, start).x(), point_at(window, end).x()
        near = [(x, y) for x, y in changed if abs(y - middle) < 15]
        assert min(x for x, _ in near) >= left - 9
        assert max(x for x, _ in near) <= right + 2
        assert max(y for _, y in near) > middle + 8, "there is a line under the words"
        colour = author_colour(author, Pens(dark=False)).rgb()
        assert any(QColor(with_marks.pixel(x, y)).rgb() == colour for x, y in near)
    first = [y for x, y in changed if abs(x - point_at(window, 4).x()) < 4]
    assert min(first) < point_at(window, 4).y() - 6, (
        "where words were deleted, a mark is at the top of the line"
    )
    assert draft.read_bytes() == before
    assert not window.components.documents.modified
    assert not editor.document().isUndoAvailable()


def test_inserted_words_have_the_colour_of_their_author_until_it_is_hidden(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = opened(make, qtbot, draft, ALL)
    block = window.ui.editor.document().begin()

    def colours(pens: Pens) -> list[tuple[int, int]]:
        window.ui.editor.viewport().grab()
        return [
            (found.start, found.start + found.length)
            for found in block.layout().formats()
            if found.format.foreground().color() == author_colour(0, pens)
        ]

    assert colours(Pens(dark=False)) == [(4, 12)]
    window.settings.set("theme", "dark")
    assert colours(Pens(dark=True)) == [(4, 12)]
    type_word(window)
    assert colours(Pens(dark=True)) == [(9, 17)]
    window.settings.set("show_revisions", False)
    assert colours(Pens(dark=True)) == []
    window.settings.set("theme", "light")


def test_the_mouse_on_a_mark_says_what_was_done_by_whom_and_when(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = opened(make, qtbot, draft, ALL)
    inserted = tooltip_at(window, qtbot, point_at(window, 31))
    assert inserted.startswith("Inserted by Cleo, ")
    assert inserted.endswith(": “here”")
    assert "24" in inserted
    assert tooltip_at(window, qtbot, point_at(window, 26)) == ""
    place = point_at(window, 4)
    deleted, *others = tooltip_at(window, qtbot, place + QPoint(-3, 0)).split("\n")
    assert deleted.startswith("Deleted by Ben, ")
    assert deleted.endswith(": “poor”")
    assert others == []


def test_the_card_of_a_finding_is_not_covered(make: Make, qtbot: QtBot, draft: Path) -> None:
    window = opened(make, qtbot, draft, ALL)
    read(window, qtbot, ["shameful"])
    assert tooltip_at(window, qtbot, point_at(window, 8)) == ""
    _, actions = menu_at(window, 8)
    assert any(action.text().startswith("Inserted by Ben, ") for action in actions), "the menu says it"


@pytest.mark.parametrize("accepted", [True, False])
def test_the_menu_resolves_the_revision_at_its_place(
    make: Make, qtbot: QtBot, draft: Path, accepted: bool
) -> None:
    window = opened(make, qtbot, draft, ALL)
    document = open_docx(draft.read_bytes(), name="x")
    cleo = read_revisions(document)[2]
    assert cleo.author == "Cleo"
    _, actions = menu_at(window, 31)
    only(actions, ACCEPT if accepted else REJECT).trigger()
    assert draft.read_bytes() == (accept if accepted else reject)(document, [cleo])
    assert window.ui.editor.text() == (TRACKED_TEXT if accepted else TRACKED_TEXT.replace(" here", ""))
    qtbot.waitUntil(lambda: marked(window) == ALL[:2] and window.components.shown_revisions.is_current)
    assert [action for action in menu_at(window, 28)[1] if action.text() in (ACCEPT, REJECT)] == []


def test_a_place_with_two_revisions_offers_both_and_selects_their_words(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = opened(make, qtbot, draft, ALL)
    _, actions = menu_at(window, 4)
    texts = [action.text() for action in actions]
    deleted = next(number for number, text in enumerate(texts) if text.startswith("Deleted by Ben"))
    inserted = next(number for number, text in enumerate(texts) if text.startswith("Inserted by Ben"))
    assert texts[deleted + 1 : deleted + 3] == texts[inserted + 1 : inserted + 3] == [ACCEPT, REJECT]
    actions[inserted].trigger()
    assert window.ui.editor.textCursor().selectedText() == "shameful"
    actions[deleted + 2].trigger()
    assert window.ui.editor.text() == TRACKED_TEXT.replace("shameful", "poorshameful")


def test_a_menu_of_another_file_resolves_nothing(
    make: Make, qtbot: QtBot, draft: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.docx"
    other.write_bytes(docx(paragraph(f"<w:ins {BY_CLEO}>{run('Other words.')}</w:ins>")))
    window = opened(make, qtbot, draft, ALL)
    _menu, actions = menu_at(window, 31)
    before = other.read_bytes(), draft.read_bytes()
    assert window.components.documents.open(other)
    qtbot.waitUntil(lambda: marked(window) == ["inserted “Other words.”"])
    only(actions, REJECT).trigger()
    assert (other.read_bytes(), draft.read_bytes()) == before


def test_with_unsaved_edits_the_menu_says_why_nothing_can_be_resolved(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = opened(make, qtbot, draft, ALL)
    type_word(window)
    menu, actions = menu_at(window, 36)
    assert menu.toolTipsVisible()
    for text in (ACCEPT, REJECT):
        action = only(actions, text)
        assert not action.isEnabled()
        assert "unsaved edits" in action.toolTip()
    assert window.components.documents.save()
    qtbot.waitUntil(lambda: window.components.shown_revisions.is_current)
    assert only(menu_at(window, 36)[1], ACCEPT).isEnabled()


def test_in_a_protected_file_revisions_are_shown_and_not_resolved(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "protected.docx"
    path.write_bytes(docx(TRACKED, settings='<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'))
    window = opened(make, qtbot, path, ALL)
    action = only(menu_at(window, 31)[1], REJECT)
    assert not action.isEnabled()
    assert "read-only" in action.toolTip()


def test_marks_follow_edits_and_are_there_again_once_these_are_undone(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = opened(make, qtbot, draft, ALL)
    editor = window.ui.editor
    editor.replace([TextEdit(0, 0, "Now: "), TextEdit(6, 6, "-")])
    assert marked(window) == ["deleted at 9", "inserted “sh-ameful”", ALL[2]]
    editor.replace([TextEdit(9, 18, "")])
    assert marked(window) == ["deleted at 9", ALL[2]]
    editor.undo()
    editor.undo()
    assert editor.text() == TRACKED_TEXT
    assert marked(window) == ALL


def test_after_saving_the_marks_are_those_of_the_file(make: Make, qtbot: QtBot, draft: Path) -> None:
    window = opened(make, qtbot, draft, ALL)
    window.settings.set("author", "Ann")
    window.ui.actions["track_changes"].trigger()
    type_word(window)
    window.ui.actions["save"].trigger()
    wanted = ["inserted “Now: ”", "deleted at 9", *ALL[1:]]
    qtbot.waitUntil(lambda: marked(window) == wanted)
    assert [mark.revision.author for mark in window.ui.editor.revisions] == ["Ann", "Ben", "Ben", "Cleo"]


def test_edits_made_while_the_file_is_read_are_counted(
    make: Make, qtbot: QtBot, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = Event()

    def slow(session: Session) -> list[Revision] | str:
        assert goes_on.wait(60)
        return read_revisions_of(session)

    monkeypatch.setattr(shown_revisions, "read_revisions_of", slow)
    window = make(None)
    assert window.components.documents.open(draft)
    type_word(window)
    assert marked(window) == []
    goes_on.set()
    qtbot.waitUntil(lambda: marked(window) == ["deleted at 9", *ALL[1:]])


def test_the_caret_on_a_revision_says_what_it_is_once(make: Make, qtbot: QtBot, draft: Path) -> None:
    window = opened(make, qtbot, draft, ALL)
    window.activateWindow()
    window.ui.editor.setFocus()
    qtbot.waitUntil(window.ui.editor.hasFocus)
    heard: list[str] = []
    window.components.shown_revisions.status_message.connect(heard.append)
    for position in (30, 31, 32):
        window.ui.editor.go_to(position)
    assert len(heard) == 1
    assert heard[0].startswith("Inserted by Cleo, ")
    assert window.ui.status_bar.currentMessage() == heard[0]
    window.ui.editor.go_to(0)
    window.ui.editor.go_to(4)
    deleted, inserted = heard[1].split(" · ")
    assert deleted.startswith("Deleted by Ben, ")
    assert inserted.endswith("“shameful”")


def test_the_command_hides_the_marks_for_good(make: Make, qtbot: QtBot, draft: Path) -> None:
    window = opened(make, qtbot, draft, ALL)
    action = window.ui.actions["show_revisions"]
    assert action.isEnabled()
    assert action.isChecked()
    action.trigger()
    assert marked(window) == []
    assert tooltip_at(window, qtbot, point_at(window, 31)) == ""
    assert [one for one in menu_at(window, 31)[1] if one.text() in (ACCEPT, REJECT)] == []
    window.close()
    again = make(None)
    assert not again.ui.actions["show_revisions"].isChecked()
    assert again.components.documents.open(draft)
    again.ui.actions["show_revisions"].trigger()
    qtbot.waitUntil(lambda: marked(again) == ALL)
    again.settings.reset("show_revisions")
    assert again.ui.actions["show_revisions"].isChecked()


def test_a_file_without_revisions_is_not_read_for_them(
    make: Make, qtbot: QtBot, draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def reading(session: Session) -> list[Revision] | str:
        asked.append(session.name)
        return read_revisions_of(session)

    monkeypatch.setattr(shown_revisions, "read_revisions_of", reading)
    window = opened(make, qtbot, draft, ALL)
    path = tmp_path / "plain.docx"
    path.write_bytes(docx(paragraph(run("A record."))))
    assert window.components.documents.open(path)
    assert marked(window) == []
    assert not window.ui.actions["show_revisions"].isEnabled()
    type_word(window)
    assert window.components.documents.save()
    assert asked == ["draft.docx"]


def test_moved_and_formatted_words_and_those_of_an_odt_are_marked(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    moved = (
        f'<w:moveFromRangeStart {BY_BEN} w:name="m"/><w:moveFrom {BY_BEN}>{run("First ")}</w:moveFrom>'
        '<w:moveFromRangeEnd w:id="1"/>'
    )
    to = (
        f'<w:moveToRangeStart {BY_BEN} w:name="m"/><w:moveTo {BY_BEN}>{run("First ")}</w:moveTo>'
        '<w:moveToRangeEnd w:id="1"/>'
    )
    bold = f"<w:r><w:rPr><w:b/><w:rPrChange {BY_CLEO}><w:rPr/></w:rPrChange></w:rPr><w:t>loud</w:t></w:r>"
    path = tmp_path / "moved.docx"
    path.write_bytes(docx(paragraph(moved, run("Second "), to, bold)))
    window = opened(make, qtbot, path, ["moved “First ”", "formatted “loud”"])
    assert tooltip_at(window, qtbot, point_at(window, 9)).startswith("Moved by Ben, ")
    assert tooltip_at(window, qtbot, point_at(window, 15)).startswith("Formatted by Cleo, ")
    info = "<office:change-info><dc:creator/><dc:date/></office:change-info>"
    changes = (
        '<text:tracked-changes><text:changed-region xml:id="c" text:id="c"><text:insertion>'
        f"{info}</text:insertion></text:changed-region></text:tracked-changes>"
    )
    start, end = (f'<text:change-{way} text:change-id="c"/>' for way in ("start", "end"))
    path = tmp_path / "draft.odt"
    path.write_bytes(odt(f"{changes}<text:p>The {start}👍🏽 good {end}record.</text:p>"))
    assert window.components.documents.open(path)
    qtbot.waitUntil(lambda: marked(window) == ["inserted “👍🏽 good ”"])
    assert tooltip_at(window, qtbot, point_at(window, 11)) == "Inserted by an unknown author: “👍🏽 good”"
