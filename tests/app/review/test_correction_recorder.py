"""Protects the promise of the switch: off, nothing is recorded; on, what a person did with findings, and it goes again
with the undo, with the mark that comes back, and with the draft that is forgotten.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_rewriter import FakeRewriter
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from windows import TEXT, Button, Make, answer, read

from app.main_window.window import MainWindow
from app.review.correction_recorder import SETTING
from core.corrections import Correction, Verdict, chosen_corpus
from core.corrections.correction_store import CorrectionStore
from core.paths import data_folder
from core.text.diff import TextEdit, apply_edits
from core.types import Kind

FIRST = "The shameful 👍🏽 record reveals it."
SECOND = 'He said "a disgraceful act" to the chairman.'
USED = Correction(Verdict.ACCEPTED, Kind.FRAMING, FIRST, 4, 12, FIRST.replace("shameful", "criticised"))
PASSED = Correction(Verdict.REJECTED, Kind.FRAMING, FIRST, 4, 12)
TWICE = "One shameful plan. Two shameful deals. A legendary end."


def ready(make: Make, qtbot: QtBot, text: str = TEXT, *, on: bool = True, **given: object) -> MainWindow:
    """A window whose marks and store are there; the caret is on the first finding, whose suggestions are known."""
    window = make(text, **given)
    window.settings.set(SETTING, on)
    qtbot.waitUntil(
        lambda: len(window.ui.editor.marks) > 0 and window.components.store_access.store is not None
    )
    at(window, 0)
    qtbot.waitUntil(lambda: not window.components.prefetch.get(window.ui.editor.marks[0].finding).pending)
    return window


def at(window: MainWindow, number: int) -> None:
    window.ui.editor.go_to(window.ui.editor.marks[number].start)


def do(window: MainWindow, command: str) -> None:
    window.ui.actions[command].trigger()


def kept(window: MainWindow, qtbot: QtBot) -> list[Correction]:
    """What is kept once the background is at rest."""
    qtbot.waitUntil(lambda: not window.components.background.busy)
    assert window.components.store_access.store is not None
    return [one.correction for one in CorrectionStore(window.components.store_access.store).list_all()]


def test_the_switch_is_off_at_first_and_then_nothing_is_recorded(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, on=False)
    assert window.settings.is_default(SETTING)
    do(window, "use_2")
    read(window, qtbot, ["reveals", "chairman"])
    at(window, 0)
    do(window, "ignore")
    do(window, "undo")
    do(window, "undo")
    assert kept(window, qtbot) == []
    window.close()
    for file in data_folder().glob("evenhand.sqlite3*"):
        assert b"record reveals" not in file.read_bytes(), file.name


def test_a_suggestion_that_is_used_is_kept_as_accepted(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    with qtbot.waitSignal(window.components.correction_recorder.changed):
        do(window, "use_2")
    assert kept(window, qtbot) == [USED]
    assert window.components.store_access.store is not None
    assert [one.draft for one in CorrectionStore(window.components.store_access.store).list_all()] == [
        "draft.md"
    ]


def test_every_edit_of_the_suggestion_is_in_the_sentence_after(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter(also=(("The", "A"), ("it", "that")))
    window = ready(make, qtbot, load_rewriter=lambda _: rewriter)
    QTextCursor(window.ui.editor.document()).insertText("👍 Well. ")
    do(window, "use_2")
    assert [one.rewritten for one in kept(window, qtbot)] == ["A criticised 👍🏽 record reveals that."]


@pytest.mark.parametrize("way", ["ignore", "ignore_words", "allow"])
def test_a_finding_that_is_ignored_is_kept_as_rejected(make: Make, qtbot: QtBot, way: str) -> None:
    window = ready(make, qtbot)
    do(window, way)
    assert kept(window, qtbot) == [PASSED]


@pytest.mark.parametrize("way", ["ignore", "ignore_words", "allow"])
def test_ignoring_that_is_undone_is_no_correction_until_it_is_redone(
    make: Make, qtbot: QtBot, way: str
) -> None:
    window = ready(make, qtbot)
    do(window, way)
    do(window, "undo")
    assert kept(window, qtbot) == []
    do(window, "redo")
    assert kept(window, qtbot) == [PASSED]
    do(window, "undo")
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    assert kept(window, qtbot) == []
    do(window, "redo")
    assert kept(window, qtbot) == [PASSED]


def test_only_the_finding_that_was_meant_is_rejected(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, TWICE)
    at(window, 1)
    do(window, "ignore_words")
    assert [one.sentence for one in kept(window, qtbot)] == ["Two shameful deals."]


def test_undo_takes_the_suggestion_back_and_redo_keeps_it_again(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    do(window, "use_2")
    QTest.keyClicks(window.ui.editor, "xy ")
    while "xy" in window.ui.editor.text():
        do(window, "undo")
    assert kept(window, qtbot) == [USED], "only what was typed after it is undone"
    while window.ui.editor.text() != TEXT:
        do(window, "undo")
    assert kept(window, qtbot) == []
    while "criticised" not in window.ui.editor.text():
        do(window, "redo")
    assert kept(window, qtbot) == [USED]


def test_what_is_typed_in_the_place_of_an_undone_suggestion_is_no_correction(
    make: Make, qtbot: QtBot
) -> None:
    window = ready(make, qtbot)
    do(window, "use_2")
    do(window, "undo")
    for _ in range(6):
        QTest.keyClicks(window.ui.editor, "x")
        window.ui.editor.moveCursor(QTextCursor.MoveOperation.Start)
    assert kept(window, qtbot) == []


def test_of_two_suggestions_the_undo_takes_the_last_one_back(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    do(window, "use_2")
    read(window, qtbot, ["reveals", "chairman"])
    at(window, 0)
    qtbot.waitUntil(lambda: not window.components.prefetch.get(window.ui.editor.marks[0].finding).pending)
    do(window, "use_1")
    assert len(kept(window, qtbot)) == 2
    do(window, "undo")
    assert kept(window, qtbot) == [USED]


@pytest.mark.parametrize("way", ["ignore", "ignore_words"])
def test_a_finding_that_is_marked_again_was_not_rejected(make: Make, qtbot: QtBot, way: str) -> None:
    window = ready(make, qtbot, TWICE)
    at(window, 2)
    do(window, "ignore")
    at(window, 0)
    do(window, way)
    assert len(kept(window, qtbot)) == 2
    entry = next(entry for entry in window.components.ignore.entries if entry.words == "shameful")
    window.components.ignore.restore([entry])
    assert [one.words for one in kept(window, qtbot)] == ["legendary"]


def test_words_that_are_allowed_no_more_were_not_rejected(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    do(window, "allow")
    assert kept(window, qtbot) == [PASSED]
    window.components.ignore.disallow(["shameful"])
    assert kept(window, qtbot) == []


def test_marking_again_after_the_draft_was_opened_anew_takes_it_back_too(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    do(window, "ignore")
    assert kept(window, qtbot) == [PASSED]
    path = window.components.documents.session.path
    assert path is not None
    assert window.components.documents.open(path)
    qtbot.waitUntil(lambda: len(window.components.ignore.entries) == 1)
    window.components.ignore.restore(window.components.ignore.entries)
    assert kept(window, qtbot) == []


def test_another_draft_ends_what_undo_could_take_back(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = ready(make, qtbot)
    do(window, "use_2")
    window.components.documents.save()
    other = tmp_path / "other.md"
    other.write_text("Some legendary words.", encoding="utf-8")
    assert window.components.documents.open(other)
    QTest.keyClicks(window.ui.editor, "x")
    do(window, "undo")
    assert kept(window, qtbot) == [USED]


def test_switched_off_again_nothing_more_is_kept_and_undo_still_takes_back(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    do(window, "use_2")
    window.settings.set(SETTING, False)
    read(window, qtbot, ["reveals", "chairman"])
    at(window, 0)
    do(window, "ignore")
    assert kept(window, qtbot) == [USED]
    for command in ("undo", "undo", "redo", "redo"):
        do(window, command)
    assert kept(window, qtbot) == []


def test_forgetting_the_draft_forgets_its_corrections_and_their_corpus(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = ready(make, qtbot)
    do(window, "use_2")
    read(window, qtbot, ["reveals", "chairman"])
    at(window, 0)
    do(window, "ignore")
    assert len(kept(window, qtbot)) == 2
    assert window.components.store_access.store is not None
    store = CorrectionStore(window.components.store_access.store)
    store.choose([one.id for one in store.list_all()])
    assert chosen_corpus() is not None
    answer(monkeypatch, Button.Yes)
    do(window, "forget_draft")
    qtbot.waitUntil(lambda: chosen_corpus() is None)
    do(window, "undo")
    do(window, "redo")
    assert kept(window, qtbot) == []


def test_without_a_store_nothing_breaks(make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    data_folder().parent.mkdir(parents=True, exist_ok=True)
    data_folder().write_text("in the way", encoding="utf-8")
    monkeypatch.setattr(QMessageBox, "warning", lambda *_: None)
    window = make()
    window.settings.set(SETTING, True)
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    at(window, 0)
    do(window, "ignore")
    assert window.components.store_access.store is None


def test_edits_make_the_sentence_after() -> None:
    assert apply_edits(FIRST, (TextEdit(0, 3, "A"), TextEdit(4, 13, ""))) == "A 👍🏽 record reveals it."
    assert apply_edits(SECOND, ()) == SECOND
