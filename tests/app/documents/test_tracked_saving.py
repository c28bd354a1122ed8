"""Protects tracked changes in the window: on where the file has them on; each edit is one change after any save."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_rewriter import FakeRewriter
from pytestqt.qtbot import QtBot
from windows import Make, read, saving_to

from app.main_window.window import MainWindow
from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.revisions.resolve import accept_all, reject_all
from core.text.diff import TextEdit
from tests.core.formats.builders import docx, odt, paragraph, run
from tests.core.formats.checks import part

BEFORE = "The shameful record.\nIt ends."


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.docx"
    path.write_bytes(docx(paragraph(run("The shameful record.")) + paragraph(run("It ends."))))
    return path


@pytest.fixture
def tracking_draft(tmp_path: Path) -> Path:
    path = tmp_path / "tracking.docx"
    path.write_bytes(docx(paragraph(run("The shameful record.")), settings="<w:trackRevisions/>"))
    return path


def replace_words(window: MainWindow, old: str, new: str) -> None:
    at = window.ui.editor.text().index(old)
    window.ui.editor.replace([TextEdit(at, at + len(old), new)])


def save(window: MainWindow) -> None:
    window.ui.actions["save"].trigger()
    assert not window.components.documents.modified


def texts(path: Path) -> tuple[str, str, str]:
    """The text of a file, with all changes accepted, and with all rejected."""
    document = open_docx(path.read_bytes(), name=path.name)
    accepted, rejected = (open_docx(data, name="x") for data in (accept_all(document), reject_all(document)))
    return document.text, accepted.text, rejected.text


def xml(path: Path) -> str:
    return part(path.read_bytes(), "word/document.xml")


def test_edits_are_plain_unless_tracking_is_chosen(make: Make, draft: Path) -> None:
    window = make(None)
    assert window.components.documents.open(draft)
    action = window.ui.actions["track_changes"]
    assert action.isEnabled()
    assert not action.isChecked()
    replace_words(window, "shameful", "poor")
    save(window)
    assert "<w:del " not in xml(draft)
    action.trigger()
    replace_words(window, "ends", "stops")
    save(window)
    after = "The poor record.\nIt stops."
    assert texts(draft) == (after, after, "The poor record.\nIt ends.")


def test_tracking_is_on_where_the_file_has_it_on_and_off_again_for_the_next_draft(
    make: Make, tracking_draft: Path, draft: Path
) -> None:
    window = make(None)
    window.settings.set("author", "Ann Example")
    assert window.components.documents.open(tracking_draft)
    assert window.ui.actions["track_changes"].isChecked()
    assert "Track Changes is on" in window.ui.message_bar.text
    replace_words(window, "shameful", "poor")
    save(window)
    assert xml(tracking_draft).count('w:author="Ann Example"') == 2
    assert window.components.documents.open(draft)
    assert not window.ui.actions["track_changes"].isChecked()


def test_an_edit_that_is_saved_again_and_again_is_one_change(make: Make, draft: Path) -> None:
    window = make(None)
    assert window.components.documents.open(draft)
    window.ui.actions["track_changes"].trigger()
    for old, new in (
        ("shameful", "poor"),
        ("poor", "weak"),
        ("ends", "stops\nhere"),
        ("stops\n", "stops\nright\n"),
    ):
        replace_words(window, old, new)
        save(window)
    after = "The weak record.\nIt stops\nright\nhere."
    assert window.ui.editor.text() == after
    assert texts(draft) == (after, after, BEFORE)
    assert "poor" not in xml(draft)
    replace_words(window, "weak", "shameful")
    replace_words(window, "stops\nright\nhere", "ends")
    save(window)
    assert "<w:ins " not in xml(draft)


def test_tracked_changes_stay_when_tracking_is_switched_off(make: Make, draft: Path) -> None:
    window = make(None)
    assert window.components.documents.open(draft)
    window.ui.actions["track_changes"].trigger()
    replace_words(window, "shameful", "poor")
    save(window)
    window.ui.actions["track_changes"].trigger()
    replace_words(window, "ends", "stops")
    save(window)
    after = "The poor record.\nIt stops."
    assert texts(draft) == (after, after, "The shameful record.\nIt stops.")


def test_a_draft_that_is_no_word_document_cannot_be_tracked(make: Make) -> None:
    action = make().ui.actions["track_changes"]
    assert not action.isEnabled()
    assert not action.isChecked()


def test_saving_under_another_name_keeps_the_changes_tracked(
    make: Make, draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make(None)
    assert window.components.documents.open(draft)
    window.ui.actions["track_changes"].trigger()
    replace_words(window, "shameful", "poor")
    saving_to(monkeypatch, tmp_path / "other.docx")
    window.ui.actions["save_as"].trigger()
    assert texts(tmp_path / "other.docx")[2] == BEFORE
    assert texts(draft) == (BEFORE, BEFORE, BEFORE)


@pytest.mark.parametrize("explained", [True, False])
def test_a_suggestion_that_is_taken_over_is_one_change_with_its_reason(
    make: Make, qtbot: QtBot, draft: Path, explained: bool
) -> None:
    also = (("record", "file"),)
    window = make(None, load_rewriter=lambda _: FakeRewriter(words={"shameful": ("poor",)}, also=also))
    window.settings.set("explain_changes", explained)
    assert window.components.documents.open(draft)
    window.ui.actions["track_changes"].trigger()
    read(window, qtbot, ["shameful"])
    window.ui.editor.go_to(4)
    window.ui.actions["use_1"].trigger()
    qtbot.waitUntil(lambda: window.ui.editor.text().startswith("The poor file."))
    replace_words(window, "ends", "stops")
    save(window)
    assert (xml(draft).count("<w:del "), xml(draft).count("<w:ins ")) == (2, 2)
    assert ("<w:commentRangeStart" in xml(draft)) is explained
    if explained:
        assert "“shameful” reads as" in part(draft.read_bytes(), "word/comments.xml")
    assert texts(draft)[2] == BEFORE


def test_edits_of_an_odt_are_tracked_through_the_same_command(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "draft.odt"
    path.write_bytes(odt("<text:p>The shameful record.</text:p>"))
    window = make(None)
    assert window.components.documents.open(path)
    window.ui.actions["track_changes"].trigger()
    replace_words(window, "shameful", "poor")
    save(window)
    document = open_odt(path.read_bytes(), name="x")
    assert document.text == "The poor record."
    assert open_odt(reject_all(document), name="x").text == "The shameful record."
