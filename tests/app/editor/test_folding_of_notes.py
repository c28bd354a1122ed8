"""Protects folding of notes, headers and footers of files: they fold as two parts, also after edits and a save, and the
text and the file know nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.window import MainWindow
from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.text.diff import TextEdit
from tests.core.formats.builders import (
    docx,
    docx_with_asides,
    note,
    note_mark,
    odt_note,
    odt_with_margins,
    paragraph,
    run,
)

DOCX = docx_with_asides(
    paragraph(run("It is plain."), note_mark(1), note_mark(2), note_mark(3, "endnote")),
    {
        "footnotes": note(1, run("It is clear.")) + note(2, run("A shameful act.")),
        "endnotes": note(3, run("The end."), kind="endnote"),
        "header1": paragraph(run("The Paper")),
        "footer1": paragraph(run("A draft")),
    },
)
ODT = odt_with_margins(
    f"<text:p>It is plain.{odt_note('1', 'It is clear.')}{odt_note('2', 'A shameful act.')}"
    f"{odt_note('i', 'The end.', kind='endnote')}</text:p>",
    "<style:header><text:p>The Paper</text:p></style:header><style:footer><text:p>A draft</text:p></style:footer>",
)
LINES = ["It is plain.", "It is clear.", "A shameful act.", "The end.", "The Paper", "A draft"]
Open = Callable[[bytes, str], MainWindow]


@pytest.fixture
def opened(make: Make, tmp_path: Path) -> Open:
    def made(data: bytes, name: str) -> MainWindow:
        window = make(None)
        path = tmp_path / name
        path.write_bytes(data)
        assert window.components.documents.open(path)
        return window

    return made


def hidden(window: MainWindow) -> list[str]:
    document = window.ui.editor.document()
    blocks = map(document.findBlockByNumber, range(document.blockCount()))
    return [block.text() for block in blocks if not block.isVisible()]


@pytest.mark.parametrize(("data", "name"), [(DOCX, "draft.docx"), (ODT, "draft.odt")])
def test_notes_fold_to_the_first_and_headers_with_footers_too(opened: Open, data: bytes, name: str) -> None:
    window = opened(data, name)
    assert window.ui.editor.text().split("\n") == LINES
    assert window.ui.actions["fold_all"].isEnabled()
    window.ui.actions["fold_all"].trigger()
    assert hidden(window) == ["A shameful act.", "The end.", "A draft"]
    assert window.ui.status_bar.currentMessage() == "2 parts folded."
    assert window.ui.editor.text().split("\n") == LINES
    assert not window.components.documents.modified
    window.ui.actions["unfold_all"].trigger()
    assert hidden(window) == []


@pytest.mark.parametrize(
    ("line", "folded", "said"),
    [
        (2, ["A shameful act.", "The end."], "Notes folded."),
        (5, ["A draft"], "Headers and footers folded."),
        (0, [], "There is nothing to fold at the caret."),
    ],
)
def test_the_part_at_the_caret_is_folded(opened: Open, line: int, folded: list[str], said: str) -> None:
    window = opened(DOCX, "draft.docx")
    window.ui.editor.go_to(window.ui.editor.document().findBlockByNumber(line).position())
    window.ui.actions["fold_here"].trigger()
    assert hidden(window) == folded
    assert window.ui.status_bar.currentMessage() == said


def test_a_finding_in_folded_notes_is_shown(opened: Open, qtbot: QtBot) -> None:
    window = opened(DOCX, "draft.docx")
    read(window, qtbot, ["shameful"])
    window.ui.actions["fold_all"].trigger()
    window.ui.actions["next"].trigger()
    assert hidden(window) == ["A draft"]
    assert window.ui.editor.current is not None


@pytest.mark.parametrize(("data", "name"), [(DOCX, "draft.docx"), (ODT, "draft.odt")])
def test_folds_stay_at_their_notes_when_the_text_is_edited_and_saved(
    opened: Open, data: bytes, name: str
) -> None:
    window = opened(data, name)
    path = window.components.documents.session.path
    assert path is not None
    window.ui.actions["fold_all"].trigger()
    window.ui.editor.replace([TextEdit(0, 2, "Now\nthis")])
    assert hidden(window) == ["A shameful act.", "The end.", "A draft"]
    assert window.components.documents.save()
    assert hidden(window) == ["A shameful act.", "The end.", "A draft"]
    container = (open_docx if name.endswith("docx") else open_odt)(data, name=name)
    assert path.read_bytes() == container.save("\n".join(["Now\nthis is plain.", *LINES[1:]]))
    window.ui.actions["unfold_all"].trigger()
    window.ui.actions["fold_all"].trigger()
    assert hidden(window) == ["A shameful act.", "The end.", "A draft"]


def test_a_file_without_notes_has_nothing_to_fold(opened: Open) -> None:
    window = opened(docx(paragraph(run("One.")) + paragraph(run("Two."))), "draft.docx")
    window.ui.actions["fold_all"].trigger()
    assert hidden(window) == []
    assert window.ui.status_bar.currentMessage() == "There is nothing to fold in this draft."
