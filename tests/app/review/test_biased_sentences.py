"""Protects the sentences that read as biased without a marked word: listed and counted apart, reached like findings,
never underlined, and ignored like them.
"""

from __future__ import annotations

import fakes
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QListView, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import Make

import app.editor.marked_text
from app.editor.biased_sentences import BiasedSentence, sentences_without_findings
from app.main_window.window import MainWindow
from core.types import Kind, SentenceReading

DRAFT = "A shameful 👍🏽 plan. Some slanted words of it.\n\nThe chairman met. The slanted end.\n"
STOPS = ["shameful", "Some slanted words of it.", "chairman", "The slanted end."]
SAID = "biased sentence, no word marked"


def ready(make: Make, qtbot: QtBot, text: str = DRAFT) -> MainWindow:
    window = make(text)
    qtbot.waitUntil(lambda: [mark.finding.text for mark in window.ui.editor.marks] == STOPS)
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)
    return window


def rows(window: MainWindow) -> list[str]:
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    model = listed.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def title(window: MainWindow) -> str:
    labels = window.ui.findings_dock.findChildren(QLabel)
    return next(label.text() for label in labels if label.text().startswith("Findings "))


def card_text(window: MainWindow) -> str:
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert card is not None
    return "\n".join(label.text() for label in card.findChildren(QLabel) if label.isVisible())


def test_a_sentence_counts_only_if_no_word_in_it_is_marked() -> None:
    report = fakes.report(findings=[fakes.finding(fakes.DRAFT, "shameful")])
    found = sentences_without_findings(report, fakes.DRAFT, include_quotes=False)
    assert [one.text.split()[0] for one in found] == ["Critics"]
    assert found[0].confidence == 0.74
    assert fakes.DRAFT[found[0].start : found[0].end] == found[0].text


def test_quoted_sentences_count_only_with_quotations() -> None:
    said = (SentenceReading(0, 4, 0.9, True, True, None),)
    report = fakes.report("Bad.", findings=[], sentences=said)
    assert sentences_without_findings(report, "Bad.", include_quotes=False) == []
    assert len(sentences_without_findings(report, "Bad.", include_quotes=True)) == 1


def test_they_are_listed_in_their_place_and_counted_apart(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    assert rows(window) == STOPS
    assert title(window) == "Findings 2 · 2 sentences"
    assert [finding.text for finding in window.components.review.findings] == ["shameful", "chairman"]
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    said = listed.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == f"{SAID}, bias 78 percent: {STOPS[1]}"


def test_next_and_previous_reach_them_with_a_card_of_their_own(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    seen = []
    for _ in range(5):
        window.ui.actions["next"].trigger()
        assert window.components.card.shown_finding is not None
        seen.append(window.components.card.shown_finding.text)
        listed = window.ui.findings_dock.findChild(QListView)
        assert listed is not None
        assert listed.currentIndex().row() == STOPS.index(seen[-1])
    assert seen == [*STOPS, STOPS[0]]
    window.ui.actions["previous"].trigger()
    said = card_text(window)
    for part in (SAID, "bias 78%", STOPS[3], "no wording in it stands out"):
        assert part in said
    buttons = [button for button in window.ui.central.findChildren(QToolButton) if button.isVisible()]
    names = {button.objectName() for button in buttons}
    assert "ignore_once" in names
    assert names.isdisjoint({"ignore_words", "ignore_always", "reword_sentence"})
    before = window.ui.editor.text()
    window.ui.actions["use_1"].trigger()
    assert window.ui.editor.text() == before
    assert "no suggestions" in window.ui.status_bar.currentMessage()


def test_the_card_goes_when_the_caret_leaves_the_sentence(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    for _ in range(2):
        window.ui.actions["next"].trigger()
    editor = window.ui.editor
    assert isinstance(editor.current, BiasedSentence)
    assert editor.textCursor().position() == DRAFT.index("Some") + 2
    QTest.keyClick(editor, Qt.Key.Key_Right)
    assert isinstance(editor.current, BiasedSentence)
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    assert editor.current is None
    assert window.components.card.shown_finding is None


def test_the_caret_in_a_sentence_opens_no_card_and_nothing_is_underlined(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    told: list[object] = []
    window.ui.editor.finding_at_caret_changed.connect(told.append)
    window.ui.editor.go_to(DRAFT.index("slanted"))
    assert told == []
    sentence = window.ui.editor.marks[1]
    box = window.ui.editor.rects_of(sentence)[0]
    assert window.ui.editor.mark_at_point(box.center()) is None
    drawn: list[Kind] = []
    original = app.editor.marked_text.draw_underline
    app.editor.marked_text.draw_underline = lambda _painter, kind, *_, **__: drawn.append(kind)
    try:
        window.ui.editor.viewport().repaint()
    finally:
        app.editor.marked_text.draw_underline = original
    assert drawn == [Kind.FRAMING, Kind.DEMOGRAPHIC]


def test_a_sentence_is_ignored_and_undo_brings_it_back(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    for _ in range(2):
        window.ui.actions["next"].trigger()
    window.ui.actions["ignore_words"].trigger()
    left = [STOPS[0], *STOPS[2:]]
    assert rows(window) == left
    assert title(window) == "Findings 2 · 1 sentence"
    assert window.components.card.shown_finding is not None
    assert window.components.card.shown_finding.text == "chairman", "the next one follows"
    with qtbot.waitSignal(window.components.analysis.finished):
        window.ui.actions["analyse"].trigger()
    assert rows(window) == left
    window.ui.actions["undo"].trigger()
    qtbot.waitUntil(lambda: rows(window) == STOPS)


def test_ignoring_the_words_of_a_sentence_does_not_list_the_sentence(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["next"].trigger()
    window.ui.actions["ignore"].trigger()
    with qtbot.waitSignal(window.components.analysis.finished):
        window.ui.actions["analyse"].trigger()
    assert rows(window) == STOPS[1:]


def test_a_filter_of_kinds_hides_them_everywhere(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.menus.kind_actions[Kind.FRAMING].trigger()
    qtbot.waitUntil(lambda: rows(window) == ["chairman"])
    assert title(window) == "Findings 1 of 2"
    assert [mark.finding.text for mark in window.ui.editor.marks] == ["chairman"]


def test_a_review_meets_them_too(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot)
    window.ui.actions["review_all"].trigger()
    window.ui.actions["next"].trigger()
    assert window.ui.review_bar.text == "2 of 4"
    window.ui.actions["ignore"].trigger()
    assert window.ui.review_bar.text == "3 of 4 · 1 ignored"
