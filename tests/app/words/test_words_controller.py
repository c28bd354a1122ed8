"""When words are scored (only when visible, once per text) and what choosing a sentence does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from typing import Any

import pytest
from fake_reader import FLAGGED, FakeReader, FakeSentences
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.review.review_controller import FINDING_CHANGED
from app.words.words_controller import NO_WORDS
from app.words.words_panel import WordsPanel
from core.bundles.manifest import BundleError
from core.engine.onnx_session import ReaderError
from core.engine.reader import Cancelled, Reading
from core.types import Kind

TEXT = "The 👍🏽 harbour opened. A Muslim voter came. The shameful vote failed.\n"
WORDS = FLAGGED | {"muslim": (Kind.DEMOGRAPHIC, 0.83, None)}


class OddSentences(FakeSentences):
    """Waits, tires or fails in reading words alone, as the test says."""

    gate: Event | None = None
    tired = 0
    broken = False

    def read(self, texts: Sequence[str], *, cancelled: Any = None, **more: Any) -> list[Reading]:
        while self.gate is not None and not self.gate.wait(0.002):
            if cancelled is not None and cancelled():
                raise Cancelled
        if self.tired and "harbour" in texts:
            self.tired -= 1
            raise Cancelled
        if self.broken and "harbour" in texts:
            raise ReaderError("The model cannot be run. Reinstall Evenhand.")
        return super().read(texts, cancelled=cancelled, **more)


def odd_reader() -> FakeReader:
    reader = FakeReader(words=dict(WORDS))
    reader.reader = OddSentences(reader.words)
    return reader


@pytest.fixture
def reader() -> FakeReader:
    return odd_reader()


def panel_of(window: MainWindow) -> WordsPanel:
    panel = window.ui.words_dock.panel
    assert isinstance(panel, WordsPanel)
    return panel


def words_of(window: MainWindow) -> list[str]:
    return [row.word for row in panel_of(window).rows]


def opened(make: Make, qtbot: QtBot, reader: FakeReader, text: str = TEXT) -> MainWindow:
    """A window with the words to be seen."""
    window = make(text, load=lambda: reader)
    qtbot.waitUntil(lambda: window.ui.words_dock.panel is not None)
    window.ui.actions["words"].trigger()
    return window


def chosen(window: MainWindow) -> str:
    return window.ui.editor.textCursor().selectedText()


def test_nothing_is_scored_until_the_panel_is_visible(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = make(TEXT, load=lambda: reader)
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) == 2)
    qtbot.wait(500)
    assert "harbour" not in reader.reader.texts
    window.ui.actions["words"].trigger()
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    assert words_of(window)[:2] == ["shameful", "Muslim"]
    assert panel_of(window).list.hasFocus()


def test_old_rows_stay_until_the_new_ones_are_there(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    reader.reader.gate = gate = Event()
    window.ui.editor.insertPlainText("Legendary news. ")
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) == 2)
    assert "legendary" not in map(str.casefold, words_of(window))
    assert "harbour" in words_of(window)
    gate.set()
    qtbot.waitUntil(lambda: "legendary" in map(str.casefold, words_of(window)))
    assert not panel_of(window).message


def test_scoring_stops_when_the_panel_is_hidden(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    window.ui.document_dock.raise_()
    window.ui.editor.insertPlainText("Legendary news. ")
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) == 3)
    qtbot.wait(500)
    assert "news" not in reader.reader.texts
    window.ui.words_dock.raise_()
    qtbot.waitUntil(lambda: "news" in words_of(window))


def test_the_same_text_is_not_scored_again(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    read = reader.reader.texts.count("harbour")
    window.ui.sensitivity.moved.emit(1)
    qtbot.wait(600)
    window.ui.document_dock.raise_()
    window.ui.words_dock.raise_()
    qtbot.wait(400)
    assert reader.reader.texts.count("harbour") == read
    assert "harbour" in words_of(window)


def test_other_jobs_run_between_slices(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    reader.reader.tired = 3
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    assert reader.reader.tired == 0


def test_a_chosen_sentence_is_selected_in_the_editor(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    row = next(row for row in panel_of(window).rows if row.word == "Muslim")
    panel_of(window).location_requested.emit(row.effects[0])
    assert chosen(window) == "Muslim"
    assert window.ui.editor.hasFocus()
    panel_of(window).word_requested.emit(next(row for row in panel_of(window).rows if row.word == "vote"))
    assert chosen(window) == "vote"


def test_a_sentence_that_moved_is_found_and_one_that_changed_is_not(
    make: Make, qtbot: QtBot, reader: FakeReader
) -> None:
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    effect = next(row for row in panel_of(window).rows if row.word == "Muslim").effects[0]
    window.ui.editor.go_to(0)
    window.ui.editor.insertPlainText("🎉 Some news first. ")
    panel_of(window).location_requested.emit(effect)
    assert chosen(window) == "Muslim"
    window.ui.editor.insertPlainText("Sikh")
    with qtbot.waitSignal(window.components.words.status_message) as blocker:
        panel_of(window).location_requested.emit(effect)
    assert blocker.args == [FINDING_CHANGED]


def test_an_empty_draft_shows_a_message(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader, "")
    qtbot.waitUntil(lambda: panel_of(window).message == NO_WORDS)
    window.ui.editor.insertPlainText(TEXT)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    window.ui.editor.selectAll()
    window.ui.editor.cut()
    qtbot.waitUntil(lambda: panel_of(window).message == NO_WORDS)
    assert not words_of(window)


def test_a_missing_reader_has_its_own_message(make: Make, qtbot: QtBot) -> None:
    def damaged() -> FakeReader:
        raise BundleError("The model is damaged. Reinstall Evenhand.")

    window = make(TEXT, load=damaged)
    qtbot.waitUntil(lambda: window.ui.words_dock.panel is not None)
    window.ui.actions["words"].trigger()
    qtbot.waitUntil(lambda: panel_of(window).message == "The model is damaged. Reinstall Evenhand.")


@pytest.mark.parametrize("first", [True, False])
def test_an_error_is_shown_and_keeps_the_rows(
    make: Make, qtbot: QtBot, reader: FakeReader, first: bool
) -> None:
    reader.reader.broken = first
    window = opened(make, qtbot, reader)
    if not first:
        qtbot.waitUntil(lambda: "harbour" in words_of(window))
        reader.reader.broken = True
        window.ui.editor.insertPlainText("News. ")
    qtbot.waitUntil(lambda: panel_of(window).message.startswith("The model cannot be run."))
    assert bool(words_of(window)) is not first


def test_another_draft_clears_the_words(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    window.components.documents.new()
    assert not words_of(window)


def test_the_word_chart_can_be_exported(
    make: Make, qtbot: QtBot, reader: FakeReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.export.chart_export import ChartExportDialog

    window = opened(make, qtbot, reader)
    qtbot.waitUntil(lambda: "harbour" in words_of(window))
    panel_of(window).export_requested.emit()
    dialog = window.findChild(ChartExportDialog)
    assert dialog is not None
    dialog.copy()
    assert "clipboard" in dialog.message
    dialog.reject()


def test_closing_the_window_stops_the_scoring(make: Make, qtbot: QtBot, reader: FakeReader) -> None:
    window = opened(make, qtbot, reader)
    reader.reader.gate = Event()
    window.ui.editor.insertPlainText("News. ")
    qtbot.wait(50)
    closing: Callable[[], bool] = window.close
    window.ui.editor.document().setModified(False)
    assert closing()
