"""Protects answers to a reviewed copy in the window: they are on the card of their finding and in the list, or in
*Revisions* where the finding is gone; none is lost.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from windows import Make, read, saving_to

from app.documents.revisions_dialog import RevisionsDialog
from app.main_window.window import MainWindow
from app.review.card import FindingCard
from app.review.findings_list import FindingsModel
from app.widgets.labels import WrapLabel
from core.formats.docx import open_docx
from core.revisions.annotate import annotate
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Stamp
from tests.core.formats.builders import docx, paragraph, run

TEXT = "The shameful record of the chairman."
BEN = Stamp("Ben", datetime(2099, 5, 7, 7, 8, 9))
ANSWER = "Answer by Ben: Keep it, it is a quote."


@pytest.fixture
def copy(make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A reviewed copy as the window writes it, with a comment of a colleague on the first finding."""
    draft, copy = tmp_path / "draft.docx", tmp_path / "copy.docx"
    draft.write_bytes(docx(paragraph(run(TEXT))))
    window = make(None)
    assert window.components.documents.open(draft)
    read(window, qtbot, ["shameful", "chairman"])
    saving_to(monkeypatch, copy)
    with qtbot.waitSignal(window.components.reviewed_copy.status_message):
        window.ui.actions["reviewed_copy"].trigger()
    window.close()
    note = Note(4, 12, "Keep it, it is a quote.")
    copy.write_bytes(annotate(open_docx(copy.read_bytes(), name="copy.docx"), [note], BEN))
    return copy


def opened(make: Make, qtbot: QtBot, copy: Path, words: list[str]) -> MainWindow:
    window = make(None)
    assert window.components.documents.open(copy)
    read(window, qtbot, words)
    return window


def on_card(window: MainWindow, number: int) -> list[str]:
    """The sentences on the card of a finding."""
    window.components.card.show_now(window.components.review.findings[number])
    card = window.findChild(FindingCard)
    assert card is not None
    return [label.accessibleName() for label in card.findChildren(WrapLabel) if label.isVisibleTo(card)]


def in_list(window: MainWindow, number: int) -> str:
    model = window.findChild(FindingsModel)
    assert model is not None
    said = model.data(model.index(number), 0x000B)
    assert isinstance(said, str)
    return said


def test_an_answer_is_on_the_card_and_in_the_list_of_its_finding_only(
    make: Make, qtbot: QtBot, copy: Path
) -> None:
    window = opened(make, qtbot, copy, ["shameful", "chairman"])
    qtbot.waitUntil(lambda: ANSWER in on_card(window, 0))
    assert ANSWER not in on_card(window, 1)
    assert ANSWER in in_list(window, 0)
    assert ANSWER not in in_list(window, 1)
    assert not window.ui.actions["revisions"].isEnabled()


def test_an_answer_whose_finding_is_gone_is_at_the_end_of_the_revisions(
    make: Make, qtbot: QtBot, copy: Path
) -> None:
    document = open_docx(copy.read_bytes(), name="copy.docx")
    copy.write_bytes(save_tracked(document, TEXT.replace("shameful", "poor"), BEN))
    window = opened(make, qtbot, copy, ["chairman"])
    qtbot.waitUntil(lambda: bool(window.components.revisions.answered))
    window.ui.actions["revisions"].trigger()
    dialog = window.findChild(RevisionsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 3)
    last = dialog.list.topLevelItem(2)
    assert last.text(0) == "Comment"
    assert last.text(1).startswith(f"“shameful” · {ANSWER} · ")
    dialog.list.setCurrentItem(last)
    assert not dialog.accept_button.isEnabled(), "a comment is neither accepted nor rejected"
    assert window.ui.editor.textCursor().selectedText() == "poor"
    assert ANSWER not in on_card(window, 0)


def test_an_answer_without_a_finding_is_listed_where_nothing_is_tracked(
    make: Make, qtbot: QtBot, copy: Path
) -> None:
    document = open_docx(copy.read_bytes(), name="copy.docx")
    copy.write_bytes(document.save(TEXT.replace("shameful", "poor")))
    window = opened(make, qtbot, copy, ["chairman"])
    qtbot.waitUntil(window.ui.actions["revisions"].isEnabled)
    window.ui.actions["revisions"].trigger()
    dialog = window.findChild(RevisionsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.list.topLevelItemCount() == 1)
    said = dialog.list.topLevelItem(0).text(1)
    assert said == f"“shameful” · {ANSWER} · The text there is now “poor”."
    assert not dialog.accept_all_button.isEnabled()
