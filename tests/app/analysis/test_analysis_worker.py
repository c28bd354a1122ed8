"""Protects typing from reading: one thread, one engine, only the newest text, and every failure told."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from threading import Event

import pytest
from fake_reader import FakeReader
from pytestqt.qtbot import QtBot

from app.analysis.analysis_worker import AnalysisController, AnalysisResult, Reader, Snapshot
from core.bundles.manifest import BundleError
from core.documents.types import Document, Format
from core.types import Report

TEXT = "The shameful record 👍🏽 reveals it."


class WorkerContext:
    """A text, an analyst, and what came back."""

    def __init__(self, load: Callable[[], Reader]) -> None:
        self.text = TEXT
        self.back: list[AnalysisResult] = []
        self.analysis = AnalysisController(
            lambda n: Snapshot(n, self.text, Format.PLAIN, "-"), load=load, pause_ms=10
        )
        self.analysis.finished.connect(self.back.append)


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Callable[[Callable[[], Reader]], WorkerContext]]:
    made: list[WorkerContext] = []

    def make(load: Callable[[], Reader]) -> WorkerContext:
        made.append(WorkerContext(load))
        return made[-1]

    yield make
    for one in made:
        one.analysis.close()


def test_a_reading_comes_with_marks_in_units(desk: Callable[..., WorkerContext], qtbot: QtBot) -> None:
    one = desk(FakeReader)
    one.analysis.text_changed()
    qtbot.waitUntil(lambda: bool(one.back))
    reading = one.back[0]
    assert reading.report is not None
    assert reading.marks is not None
    assert [mark.finding.text for mark in reading.marks] == ["shameful", "reveals"]
    assert reading.marks[1].start == TEXT.index("reveals") + 2, "two characters beyond U+FFFF stand before it"
    assert reading.words == len(TEXT.split())
    assert reading.reader == "reader test 1.0"


def test_typing_is_waited_for(desk: Callable[..., WorkerContext], qtbot: QtBot) -> None:
    reader = FakeReader()
    one = desk(lambda: reader)
    for letter in "abc":
        one.text += letter
        one.analysis.text_changed()
    qtbot.waitUntil(lambda: bool(one.back))
    assert reader.seen == [TEXT + "abc"]


def test_the_engine_is_loaded_once_and_not_by_the_window(
    desk: Callable[..., WorkerContext], qtbot: QtBot
) -> None:
    threads: list[int] = []

    def load() -> Reader:
        threads.append(threading.get_ident())
        return FakeReader()

    one = desk(load)
    for number in (1, 2):
        one.analysis.text_changed()
        qtbot.waitUntil(lambda number=number: len(one.back) == number)
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


def test_a_newer_text_cancels_the_older(desk: Callable[..., WorkerContext], qtbot: QtBot) -> None:
    gate = Event()
    reader = FakeReader(gate=gate)
    one = desk(lambda: reader)
    one.analysis.text_changed()
    qtbot.waitUntil(lambda: len(reader.seen) == 1)
    one.text = "Another shameful text."
    one.analysis.text_changed()
    qtbot.waitUntil(lambda: len(reader.seen) == 2)
    gate.set()
    qtbot.waitUntil(lambda: bool(one.back))
    assert [reading.snapshot.text for reading in one.back] == ["Another shameful text."]


def test_a_result_for_outdated_text_is_dropped(desk: Callable[..., WorkerContext], qtbot: QtBot) -> None:
    gate = Event()

    class Stubborn(FakeReader):
        """Reads to the end although the text has changed."""

        def analyse(self, document: Document, **_: object) -> Report:  # type: ignore[override]
            if document.source == TEXT:
                gate.wait(10)
            return super().analyse(document, path="-", include_quotes=False, cancelled=lambda: False)

    reader = Stubborn()
    one = desk(lambda: reader)
    one.analysis.text_changed(immediately=True)
    qtbot.wait(20)
    one.text = "Newer."
    one.analysis.text_changed()
    gate.set()
    qtbot.waitUntil(lambda: bool(one.back))
    assert [reading.snapshot.text for reading in one.back] == ["Newer."]
    one.analysis._arrived(AnalysisResult(Snapshot(1, TEXT, Format.PLAIN, "-")))
    assert len(one.back) == 1, "a result that was on its way when the text changed"


def test_a_missing_bundle_is_told_and_loaded_when_it_is_there(
    desk: Callable[..., WorkerContext], qtbot: QtBot
) -> None:
    there = False

    def load() -> Reader:
        if not there:
            raise BundleError("The reader is missing. Reinstall Evenhand.")
        return FakeReader()

    one = desk(load)
    one.analysis.text_changed()
    qtbot.waitUntil(lambda: len(one.back) == 1)
    assert one.back[0].report is None
    assert one.back[0].message == "The reader is missing. Reinstall Evenhand."
    there = True
    one.analysis.text_changed()
    qtbot.waitUntil(lambda: len(one.back) == 2)
    assert one.back[1].report is not None


def test_a_failure_is_told_and_no_word_of_the_draft_is_logged(
    desk: Callable[..., WorkerContext], qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(FakeReader):
        def analyse(self, document: object, **_: object) -> object:  # type: ignore[override]
            raise ValueError(f"cannot read {document!r}")

    one = desk(Broken)
    with caplog.at_level(logging.DEBUG):
        one.analysis.text_changed()
        qtbot.waitUntil(lambda: bool(one.back))
    assert "ValueError" in one.back[0].message
    assert "ValueError" in caplog.text
    assert "shameful" not in caplog.text + one.back[0].message


def test_closing_while_a_text_is_read_ends_the_thread(
    desk: Callable[..., WorkerContext], qtbot: QtBot
) -> None:
    reader = FakeReader(gate=Event())
    one = desk(lambda: reader)
    one.analysis.text_changed(immediately=True)
    qtbot.waitUntil(lambda: bool(reader.seen))
    one.analysis.close()
    assert not one.analysis._thread.isRunning()
    assert one.back == []
