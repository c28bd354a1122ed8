"""Protects *Save as* in another format: what is lost is said first, nothing else is, and the new file is edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from windows import Button, Make, asking, saving_to

from app.documents.document_controller import path_for, saving_filters
from app.main_window.window import MainWindow
from core.documents.types import Format
from core.formats.loader import open_document
from tests.core.formats.builders import RICH, docx

DRAFT = "# The *record*\n\n- It [stands](http://a.org).[^1]\n\n[^1]: A note.\n"
NOTES = {".docx": " A note.", ".odt": "A note."}
"""The text of the draft's note in each format: in Word a space follows its mark."""
LOSSY = "{{Infobox}}\n'''It''' stands. {{cn}} {{who}}\n[[File:x.png]]\n"

BROKEN = "A sign that no file of a word processor can hold: \x02.\n"


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the questions; each is answered with Save."""
    return asking(monkeypatch, Button.Save)


def save_as(window: MainWindow, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    saving_to(monkeypatch, path)
    window.ui.actions["save_as"].trigger()


def text_of(path: Path) -> str:
    return open_document(path.read_bytes(), name=path.name).text


@pytest.mark.parametrize("suffix", [".docx", ".odt"])
def test_a_markdown_draft_becomes_a_word_processors_file_that_is_edited_on(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, suffix: str
) -> None:
    window = make(DRAFT)
    QTest.keyClicks(window.ui.editor, "Unsaved words.")
    for _ in range(2):
        QTest.keyClick(window.ui.editor, Qt.Key.Key_Return)
    path = tmp_path / f"new{suffix}"
    save_as(window, monkeypatch, path)
    expected = f"Unsaved words.\nThe record\nIt stands.\n{NOTES[suffix]}"
    assert text_of(path) == window.ui.editor.text() == expected
    session = window.components.documents.session
    assert (session.path, session.format, session.editable) == (path, Format(suffix[1:]), True)
    assert window.windowTitle() == f"new{suffix}[*] — Evenhand"
    assert window.settings.recent[0] == path
    assert (tmp_path / "draft.md").read_text(encoding="utf-8") == DRAFT
    QTest.keyClicks(window.ui.editor, "Now ")
    window.ui.actions["save"].trigger()
    assert text_of(path) == f"Now {expected}"


def test_what_cannot_be_carried_is_named_before_anything_is_written(
    make: Make, monkeypatch: pytest.MonkeyPatch, questions: list[str], tmp_path: Path
) -> None:
    window = make("")
    window.components.documents.set_format(Format.WIKITEXT)
    window.ui.editor.setPlainText(LOSSY)
    save_as(window, monkeypatch, tmp_path / "new.docx")
    (asked,) = questions
    assert "3 templates and 1 image cannot be converted to a Word document and will be left out." in asked
    assert "draft.md" in asked
    assert text_of(tmp_path / "new.docx") == "It stands."


def test_cancel_writes_nothing_and_keeps_the_draft(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = asking(monkeypatch, Button.Cancel)
    window = make("![It](x.png) stands.\n")
    QTest.keyClicks(window.ui.editor, "x")
    save_as(window, monkeypatch, tmp_path / "new.odt")
    assert len(asked) == 1
    assert not (tmp_path / "new.odt").exists()
    session = window.components.documents.session
    assert (session.name, session.format) == ("draft.md", Format.MARKDOWN)
    assert window.components.documents.modified
    assert window.ui.editor.text() == "x![It](x.png) stands.\n"


def test_a_word_document_with_unsaved_edits_becomes_markdown_with_them(
    make: Make, monkeypatch: pytest.MonkeyPatch, questions: list[str], tmp_path: Path
) -> None:
    source = tmp_path / "draft.docx"
    source.write_bytes(docx(RICH))
    before = source.read_bytes()
    window = make(None)
    assert window.components.documents.open(source)
    QTest.keyClicks(window.ui.editor, "Now ")
    save_as(window, monkeypatch, tmp_path / "new.md")
    text = (tmp_path / "new.md").read_text(encoding="utf-8")
    assert text.startswith("# Now The record\n\nThe **shameful** record")
    assert window.ui.editor.text() == text
    assert window.components.documents.session.container is None
    assert "tracked change" in questions[0]
    assert source.read_bytes() == before


def test_a_character_that_a_file_cannot_hold_is_one_message_and_nothing_is_lost(
    make: Make, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, str]], tmp_path: Path
) -> None:
    window = make(BROKEN)
    (tmp_path / "new.docx").write_bytes(b"mine")
    save_as(window, monkeypatch, tmp_path / "new.docx")
    ((title, said),) = answers
    assert title == "Not saved"
    assert "U+0002" in said
    assert (tmp_path / "new.docx").read_bytes() == b"mine"
    assert window.ui.editor.text() == BROKEN
    assert window.components.documents.session.format is Format.MARKDOWN


def test_a_folder_that_is_gone_is_one_message_and_nothing_is_lost(
    make: Make, monkeypatch: pytest.MonkeyPatch, answers: list[tuple[str, str]], tmp_path: Path
) -> None:
    window = make(DRAFT)
    save_as(window, monkeypatch, tmp_path / "no" / "new.docx")
    assert len(answers) == 1
    assert window.ui.editor.text() == DRAFT


def test_the_type_that_is_chosen_in_the_dialog_gives_the_ending(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = make(DRAFT)
    asked: list[tuple[object, ...]] = []

    def choose(*arguments: object) -> tuple[str, str]:
        asked.append(arguments)
        return str(tmp_path / "draft.md"), "Word document (*.docx)"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    window.ui.actions["save_as"].trigger()
    assert "Word document (*.docx)" in str(asked[0][3]).split(";;")
    assert text_of(tmp_path / "draft.docx") == f"The record\nIt stands.\n{NOTES['.docx']}"
    assert (tmp_path / "draft.md").read_text(encoding="utf-8") == DRAFT


@pytest.mark.parametrize(
    ("name", "chosen", "found"),
    [
        ("draft", "", "draft.md"),
        ("draft", "OpenDocument text (*.odt)", "draft.odt"),
        ("draft.md", "OpenDocument text (*.odt)", "draft.odt"),
        ("other.docx", "Plain text (*.txt *.text)", "other.docx"),
        ("draft.text", "Plain text (*.txt *.text)", "draft.text"),
        ("draft.md", "All files (*)", "draft.md"),
    ],
)
def test_the_ending_that_is_typed_decides(name: str, chosen: str, found: str) -> None:
    assert path_for(f"/x/{name}", chosen, suggested="draft.md", format=Format.MARKDOWN) == Path("/x", found)


def test_the_dialog_offers_what_the_draft_can_become() -> None:
    assert "(*.docx)" in saving_filters(Format.PLAIN)
    assert "(*.html" not in saving_filters(Format.PLAIN)
    assert "(*.docx)" not in saving_filters(Format.HTML)
