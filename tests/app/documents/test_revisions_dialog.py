"""Protects the list of revisions in the window: accepting and rejecting changes the file, and loses no edit."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from windows import Make

from app.documents.revisions_dialog import RevisionsDialog
from app.main_window.window import MainWindow
from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.revisions.resolve import accept_all, read_revisions, reject_all
from core.text.diff import TextEdit
from tests.core.formats.builders import TRACKED, TRACKED_TEXT, docx, odt, paragraph, run
from tests.core.formats.checks import members

ALL = ["Deleted poor Ben line 1", "Inserted shameful Ben line 1", "Inserted here Cleo line 2"]


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.docx"
    path.write_bytes(docx(TRACKED))
    return path


def rows(dialog: RevisionsDialog) -> list[str]:
    """Change, words, author and place of each row."""
    items = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    return [" ".join(item.text(column) for column in (0, 1, 2, 4)) for item in items]


def shown(window: MainWindow, qtbot: QtBot, draft: Path, wanted: list[str]) -> RevisionsDialog:
    """The dialog over a draft, once it lists these rows."""
    assert window.components.documents.open(draft)
    window.ui.actions["revisions"].trigger()
    dialog = window.findChild(RevisionsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: rows(dialog) == wanted and dialog.accept_all_button.isEnabled())
    return dialog


def choose(dialog: RevisionsDialog, row: int) -> None:
    dialog.list.setCurrentItem(dialog.list.topLevelItem(row))


def type_word(window: MainWindow) -> None:
    window.ui.editor.replace([TextEdit(0, 0, "Now: ")])


def test_the_list_says_what_by_whom_when_and_where_and_a_row_is_shown_in_the_text(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = make(None)
    dialog = shown(window, qtbot, draft, ALL)
    assert window.ui.editor.textCursor().position() == 0, "opening the list moves nothing"
    when = dialog.list.topLevelItem(0).text(3)
    assert "24" in when
    assert "7:08" in when
    choose(dialog, 2)
    assert window.ui.editor.textCursor().selectedText() == " here"
    choose(dialog, 0)
    assert window.ui.editor.textCursor().position() == TRACKED_TEXT.index("shameful")
    assert not window.ui.editor.textCursor().hasSelection()


def test_one_is_accepted_one_rejected_and_undo_brings_them_back(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = make(None)
    before = draft.read_bytes()
    dialog = shown(window, qtbot, draft, ALL)
    choose(dialog, 1)
    dialog.reject_button.click()
    assert window.ui.editor.text() == TRACKED_TEXT.replace("shameful", "")
    qtbot.waitUntil(lambda: rows(dialog) == [ALL[0], ALL[2]])
    dialog.accept_button.click()
    assert window.ui.editor.text() == TRACKED_TEXT.replace("shameful", "")
    qtbot.waitUntil(lambda: rows(dialog) == [ALL[0]] and dialog.reject_button.isEnabled())
    dialog.reject_button.click()
    assert window.ui.editor.text() == TRACKED_TEXT.replace("shameful", "poor")
    qtbot.waitUntil(lambda: rows(dialog) == [])
    assert not window.components.documents.modified
    assert not window.ui.actions["revisions"].isEnabled(), "there is none left"
    assert open_docx(draft.read_bytes(), name="x").text == window.ui.editor.text()
    changed = members(draft.read_bytes())
    assert {name for name, content in members(before).items() if changed[name] != content} == {
        "word/document.xml"
    }
    for _ in range(3):
        assert dialog.undo_button.isEnabled()
        dialog.undo_button.click()
    assert draft.read_bytes() == before
    assert window.ui.editor.text() == TRACKED_TEXT
    assert not dialog.undo_button.isEnabled()
    qtbot.waitUntil(lambda: rows(dialog) == ALL)


@pytest.mark.parametrize("accepted", [True, False])
def test_all_are_resolved_at_once(make: Make, qtbot: QtBot, draft: Path, accepted: bool) -> None:
    window = make(None)
    document = open_docx(draft.read_bytes(), name="x")
    dialog = shown(window, qtbot, draft, ALL)
    (dialog.accept_all_button if accepted else dialog.reject_all_button).click()
    assert draft.read_bytes() == (accept_all if accepted else reject_all)(document)
    assert window.ui.editor.text() == (TRACKED_TEXT if accepted else "The poor record.\nIt ends.")
    qtbot.waitUntil(lambda: rows(dialog) == [])


def test_unsaved_edits_must_be_saved_first_and_stay(make: Make, qtbot: QtBot, draft: Path) -> None:
    window = make(None)
    dialog = shown(window, qtbot, draft, ALL)
    before = draft.read_bytes()
    type_word(window)
    assert "unsaved edits" in dialog.notice.text()
    assert not any(button.isEnabled() for button in (dialog.accept_button, dialog.reject_all_button))
    choose(dialog, 2)
    assert window.ui.editor.textCursor().selectedText() == " here", "it is found behind the new words, too"
    window.components.revisions.resolve(None, accepted=False)
    assert draft.read_bytes() == before
    dialog.save_button.click()
    qtbot.waitUntil(dialog.reject_all_button.isEnabled)
    assert dialog.notice.text() == ""
    dialog.reject_all_button.click()
    assert window.ui.editor.text() == "Now: The poor record.\nIt ends."
    assert open_docx(draft.read_bytes(), name="x").text == window.ui.editor.text()
    journal = window.components.journal_writer.journal
    assert journal is not None
    type_word(window)
    assert window.components.documents.modified
    window.ui.actions["save"].trigger()
    assert open_docx(draft.read_bytes(), name="x").text == "Now: Now: The poor record.\nIt ends."


def test_edits_that_are_saved_as_tracked_are_listed_and_can_be_rejected(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = make(None)
    window.settings.set("author", "Ann")
    dialog = shown(window, qtbot, draft, ALL)
    window.ui.actions["track_changes"].trigger()
    type_word(window)
    window.ui.actions["save"].trigger()
    qtbot.waitUntil(
        lambda: rows(dialog) == ["Inserted Now: Ann line 1", *ALL] and dialog.reject_button.isEnabled()
    )
    choose(dialog, 0)
    dialog.reject_button.click()
    assert window.ui.editor.text() == TRACKED_TEXT
    type_word(window)
    window.ui.actions["save"].trigger()
    found = read_revisions(open_docx(draft.read_bytes(), name="x"))
    assert [one.author for one in found] == ["Ann", "Ben", "Ben", "Cleo"], (
        "tracking goes on from the file as it is now"
    )


def test_a_file_that_another_program_changed_is_not_overwritten(
    make: Make, qtbot: QtBot, draft: Path
) -> None:
    window = make(None)
    dialog = shown(window, qtbot, draft, ALL)
    other = docx(paragraph(run("Other words.")))
    draft.write_bytes(other)
    dialog.accept_all_button.click()
    assert draft.read_bytes() == other
    assert "changed by another program" in window.ui.message_bar.text


def test_a_protected_file_is_listed_and_the_reason_is_given(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "protected.docx"
    path.write_bytes(docx(TRACKED, settings='<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'))
    before = path.read_bytes()
    window = make(None)
    assert window.components.documents.open(path)
    window.ui.actions["revisions"].trigger()
    dialog = window.findChild(RevisionsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: rows(dialog) == ALL)
    assert "read-only" in dialog.notice.text()
    assert not dialog.accept_all_button.isEnabled()
    assert path.read_bytes() == before


def test_an_odt_has_the_same_list(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    info = "<office:change-info><dc:creator>Ben</dc:creator><dc:date>2024-05-06T07:08:09</dc:date></office:change-info>"
    changes = (
        '<text:tracked-changes><text:changed-region xml:id="c" text:id="c"><text:insertion>'
        f"{info}</text:insertion></text:changed-region></text:tracked-changes>"
    )
    start, end = (f'<text:change-{way} text:change-id="c"/>' for way in ("start", "end"))
    path = tmp_path / "draft.odt"
    path.write_bytes(odt(f"{changes}<text:p>The {start}shameful {end}record.</text:p>"))
    window = make(None)
    dialog = shown(window, qtbot, path, ["Inserted shameful Ben line 1"])
    dialog.reject_button.click()
    assert window.ui.editor.text() == "The record."
    assert open_odt(path.read_bytes(), name="x").text == "The record."


def test_the_command_is_there_only_for_files_with_revisions(make: Make, tmp_path: Path) -> None:
    window = make()
    assert not window.ui.actions["revisions"].isEnabled()
    path = tmp_path / "plain.docx"
    path.write_bytes(docx(paragraph(run("A record."))))
    assert window.components.documents.open(path)
    assert not window.ui.actions["revisions"].isEnabled()
