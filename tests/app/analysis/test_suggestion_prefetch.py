"""Protects typing from the rewriter: it works ahead one by one, is cancelled at once, and repeats nothing."""

from __future__ import annotations

from threading import Event

from fake_reader import FakeReader
from fake_rewriter import FakeRewriter
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.analysis.analysis_worker import SuggestionResult
from app.analysis.worker_context import Reader, Rewriter
from app.main_window.window import MainWindow
from core.bundles.manifest import BundleError
from core.documents.types import Document
from core.types import Finding, Suggestions

WORDS = ["shameful", "reveals", "chairman"]


def settled(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: (
            window.components.prefetch._is_current
            and not any(
                window.components.prefetch.get(mark.finding).pending for mark in window.ui.editor.marks
            )
        )
    )


def test_what_is_in_view_is_looked_for_before_anyone_asks(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter()
    window = make(
        "A shameful plan.\n\n" + "Plain.\n\n" * 200 + "A legendary one. A plot.",
        load_rewriter=lambda _: rewriter,
    )
    qtbot.waitUntil(lambda: len(rewriter.seen) == 2)
    qtbot.wait(50)
    assert rewriter.seen == ["shameful", "legendary"], "in view, and the next one; no more"
    assert window.components.card.shown_finding is None


def test_the_card_comes_first(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    rewriter = FakeRewriter(gate=gate)
    window = make(load_rewriter=lambda _: rewriter)
    read(window, qtbot, WORDS)
    qtbot.waitUntil(lambda: rewriter.seen == ["shameful"])
    window.components.review.go_to(window.ui.editor.marks[2].finding)
    gate.set()
    qtbot.waitUntil(lambda: len(rewriter.seen) == 3)
    assert rewriter.seen == ["shameful", "chairman", "reveals"]


def test_a_key_cancels_and_the_text_is_read_first(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    reader, rewriter = FakeReader(), FakeRewriter(gate=gate)
    window = make(load=lambda: reader, load_rewriter=lambda _: rewriter)
    read(window, qtbot, WORDS)
    qtbot.waitUntil(lambda: rewriter.seen == ["shameful"])
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.ui.editor, "A legendary plot.")
    qtbot.waitUntil(lambda: rewriter.cancelled == ["shameful"])
    read(window, qtbot, [*WORDS, "legendary", "plot"])
    gate.set()
    settled(window, qtbot)
    assert window.ui.editor.text() == TEXT + "A legendary plot."


def test_sentences_that_stay_are_not_asked_again(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter()
    window = make(load_rewriter=lambda _: rewriter)
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    rewriter.seen.clear()
    QTextCursor(window.ui.editor.document()).insertText("👍🏽 A legendary start.\n\n")
    read(window, qtbot, ["legendary", *WORDS])
    settled(window, qtbot)
    assert rewriter.seen == ["legendary"]
    window.components.rewrite.apply(window.ui.editor.marks[3].finding, 1)
    assert window.ui.editor.text() == "👍🏽 A legendary start.\n\n" + TEXT.replace("chairman", "chair")


def test_an_answer_for_outdated_text_is_dropped(make: Make, qtbot: QtBot) -> None:
    gate = Event()

    class Stubborn(FakeRewriter):
        """Goes on although the text has changed."""

        def suggest(self, document: Document, finding: Finding, **_: object) -> Suggestions:  # type: ignore[override]
            self.seen.append(finding.text)
            gate.wait(10)
            return Suggestions((), "From the old text.")

    rewriter = Stubborn()
    window = make(load_rewriter=lambda _: rewriter)
    read(window, qtbot, WORDS)
    qtbot.waitUntil(lambda: rewriter.seen == ["shameful"])
    answers: list[SuggestionResult] = []
    window.components.analysis.suggestions_ready.connect(answers.append)
    finding = window.ui.editor.marks[0].finding
    QTest.keyClicks(window.ui.editor, "So ")
    gate.set()
    settled(window, qtbot)
    assert finding not in [answer.finding for answer in answers]
    window.components.analysis._arrived(SuggestionResult(1, finding, Suggestions((), "Late.")))
    assert finding not in [answer.finding for answer in answers]


def test_a_missing_rewriter_is_asked_for_once_and_told_on_the_card(make: Make, qtbot: QtBot) -> None:
    tries: list[Reader] = []

    def load(engine: Reader) -> Rewriter:
        tries.append(engine)
        if len(tries) == 1:
            raise BundleError("There is no rewriter. Reinstall Evenhand.")
        return FakeRewriter()

    window = make(load_rewriter=load)
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    for _ in range(3):
        window.ui.actions["next"].trigger()
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert card is not None
    assert card.suggestions.note == "There is no rewriter. Reinstall Evenhand."  # type: ignore[attr-defined]
    assert len(tries) == 1
    assert window.ui.message_bar.text == ""
    window.ui.actions["analyse"].trigger()
    qtbot.waitUntil(lambda: len(tries) == 2)
    settled(window, qtbot)
    assert window.components.prefetch.get(window.ui.editor.marks[0].finding).items


def test_a_failure_is_told_at_its_finding_and_the_others_go_on(make: Make, qtbot: QtBot) -> None:
    class Broken(FakeRewriter):
        def suggest(self, document: Document, finding: Finding, **given: object) -> Suggestions:  # type: ignore[override]
            if finding.text == "shameful":
                raise ValueError(document.source)
            return super().suggest(document, finding)

    window = make(load_rewriter=lambda _: Broken())
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    told = [window.components.prefetch.get(mark.finding) for mark in window.ui.editor.marks]
    assert "ValueError" in told[0].note
    assert "record" not in told[0].note
    assert all(suggestions.items for suggestions in told[1:])


def test_the_engine_that_reads_is_the_one_that_the_rewriter_gets(make: Make, qtbot: QtBot) -> None:
    reader = FakeReader()
    given: list[Reader] = []

    def load(engine: Reader) -> Rewriter:
        given.append(engine)
        return FakeRewriter()

    window = make(load=lambda: reader, load_rewriter=load)
    read(window, qtbot, WORDS)
    settled(window, qtbot)
    assert given == [reader]


def test_the_card_keeps_its_place_while_suggestions_come(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    window = make(load_rewriter=lambda _: FakeRewriter(gate=gate))
    read(window, qtbot, WORDS)
    window.ui.actions["next"].trigger()
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert card is not None
    ignore = card.findChild(QWidget, "ignore_once")
    assert ignore is not None
    qtbot.wait(20)
    before = (card.geometry(), ignore.mapTo(card, ignore.rect().topLeft()))
    assert "Looking" in card.suggestions.note  # type: ignore[attr-defined]
    gate.set()
    qtbot.waitUntil(lambda: card.findChild(QWidget, "suggestion_1").isVisible())  # type: ignore[union-attr]
    qtbot.wait(20)
    assert (card.geometry(), ignore.mapTo(card, ignore.rect().topLeft())) == before


def test_the_card_stays_on_its_words_over_a_new_reading(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, WORDS)
    window.ui.actions["next"].trigger()
    window.ui.actions["quotes"].trigger()
    read(window, qtbot, ["shameful", "reveals", "disgraceful", "chairman"])
    assert window.components.card.shown_finding == window.ui.editor.marks[0].finding


def test_closing_while_suggestions_are_looked_for_ends_the_thread(make: Make, qtbot: QtBot) -> None:
    rewriter = FakeRewriter(gate=Event())
    window = make(load_rewriter=lambda _: rewriter)
    qtbot.waitUntil(lambda: bool(rewriter.seen))
    window.close()
    assert not window.components.analysis._thread.isRunning()
