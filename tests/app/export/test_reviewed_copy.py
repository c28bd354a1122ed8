"""Protects the reviewed copy: each open finding is a comment on its words; the draft and its file stay as they are."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from fake_rewriter import FakeRewriter
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot
from windows import Make, read, saving_to

from app.main_window.window import MainWindow
from core.bundles.manifest import BundleError
from core.formats.docx import open_docx
from core.revisions.resolve import reject_all
from core.text.diff import TextEdit
from tests.core.formats.builders import docx, paragraph, run
from tests.core.formats.checks import part

COMMENTS = "word/comments.xml"


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.docx"
    path.write_bytes(docx(paragraph(run("The shameful record of the chairman."))))
    return path


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    saving_to(monkeypatch, tmp_path / "copy")
    return tmp_path / "copy.docx"


def opened(make: Make, qtbot: QtBot, draft: Path, **models: object) -> MainWindow:
    window = make(None, **models)
    assert window.components.documents.open(draft)
    read(window, qtbot, ["shameful", "chairman"])
    return window


def comments(path: Path) -> list[str]:
    found = re.findall(r"<w:comment .*?</w:comment>", part(path.read_bytes(), COMMENTS))
    return ["\n".join(re.findall(r">([^<]+)</w:t>", one)) for one in found]


def write(window: MainWindow, qtbot: QtBot, copy: Path) -> None:
    with qtbot.waitSignal(window.components.reviewed_copy.status_message):
        window.ui.actions["reviewed_copy"].trigger()
    assert copy.exists()


def test_each_finding_is_a_comment_with_kind_reason_and_suggestions(
    make: Make, qtbot: QtBot, draft: Path, copy: Path
) -> None:
    before = draft.read_bytes()
    window = opened(make, qtbot, draft)
    write(window, qtbot, copy)
    first, second = comments(copy)
    assert first.startswith("“shameful” reads as ")
    assert "Suggestions:\n– “shameful” removed\n– “shameful” → “criticised”" in first
    assert "\n– “chairman” → “chair”\nEvenhand " in second
    assert open_docx(copy.read_bytes(), name="copy.docx").text == window.ui.editor.text()
    assert draft.read_bytes() == before
    assert window.components.documents.session.path == draft


def test_an_ignored_finding_is_left_out(make: Make, qtbot: QtBot, draft: Path, copy: Path) -> None:
    window = opened(make, qtbot, draft)
    window.components.review.remove_findings({window.components.review.findings[0]})
    write(window, qtbot, copy)
    assert [one.split()[0] for one in comments(copy)] == ["“chairman”"]


def test_unsaved_edits_are_in_the_copy_and_tracked_where_that_is_on(
    make: Make, qtbot: QtBot, draft: Path, copy: Path
) -> None:
    window = opened(make, qtbot, draft)
    window.ui.actions["track_changes"].trigger()
    window.ui.editor.replace([TextEdit(4, 12, "legendary")])
    read(window, qtbot, ["legendary", "chairman"])
    write(window, qtbot, copy)
    document = open_docx(copy.read_bytes(), name="copy.docx")
    assert document.text == "The legendary record of the chairman."
    assert open_docx(reject_all(document), name="x").text == "The shameful record of the chairman."
    assert len(comments(copy)) == 2
    assert window.components.documents.modified


def test_without_a_rewriter_the_comments_say_why(make: Make, qtbot: QtBot, draft: Path, copy: Path) -> None:
    def missing(_engine: object) -> FakeRewriter:
        raise BundleError("No rewriter.")

    window = opened(make, qtbot, draft, load_rewriter=missing)
    write(window, qtbot, copy)
    assert len(comments(copy)) == 2
    assert "Suggestions" not in comments(copy)[0]


def test_cancelling_leaves_no_file(make: Make, qtbot: QtBot, draft: Path, copy: Path) -> None:
    rewriter = FakeRewriter(gate=Event())
    window = opened(make, qtbot, draft, load_rewriter=lambda _: rewriter)
    window.ui.actions["reviewed_copy"].trigger()
    qtbot.waitUntil(lambda: bool(rewriter.seen))
    window.components.reviewed_copy.close()
    qtbot.waitUntil(lambda: bool(rewriter.cancelled))
    assert not copy.exists()
    assert rewriter.gate is not None
    rewriter.gate.set()
    write(window, qtbot, copy)


def test_the_file_of_the_draft_is_never_written_over(
    make: Make, qtbot: QtBot, draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = draft.read_bytes()
    window = opened(make, qtbot, draft)
    saving_to(monkeypatch, draft)
    window.ui.actions["reviewed_copy"].trigger()
    assert "the draft itself" in window.ui.message_bar.text
    assert draft.read_bytes() == before


def test_a_folder_that_is_gone_is_said(
    make: Make, qtbot: QtBot, draft: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = opened(make, qtbot, draft)
    saving_to(monkeypatch, tmp_path / "gone" / "copy.docx")
    with qtbot.waitSignal(window.components.reviewed_copy.message):
        window.ui.actions["reviewed_copy"].trigger()
    assert "copy.docx" in window.ui.message_bar.text


def test_a_draft_of_another_format_has_no_reviewed_copy(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: pytest.fail("asked for a name"))
    window = make()
    assert not window.ui.actions["reviewed_copy"].isEnabled()
    window.components.reviewed_copy.save()
    assert "only be written to Word and OpenDocument files" in window.ui.message_bar.text
