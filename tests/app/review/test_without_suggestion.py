"""Protects what a card says where there is no suggestion: why, and what helps instead, in the window."""

from __future__ import annotations

import pytest
from fake_reader import FakeReader
from fake_rewriter import FakeRewriter
from PySide6.QtWidgets import QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import Make

from app.analysis.explanations import guide_classes
from app.main_window.window import MainWindow
from app.review.card import FindingCard
from core.documents.types import Document
from core.types import Finding, Suggestions

WHY = "No suitable suggestion found. Of those tried, 2 would not make the sentence less biased."
REWORDABLE = "The sentence can be reworded as a whole."
ADVICE = guide_classes()["weasel"].advice


class Refusing(FakeRewriter):
    """Says why it has no suggestion."""

    def suggest(self, document: Document, finding: Finding, **_: object) -> Suggestions:  # type: ignore[override]
        found = super().suggest(document, finding)
        return found if found.items else Suggestions(note=WHY)


def card_at(make: Make, qtbot: QtBot, text: str, word: str, classes: dict[str, str]) -> FindingCard:
    """The card of a finding, once all is known that it says."""
    window: MainWindow = make(
        text, load=lambda: FakeReader(classes=classes), load_rewriter=lambda _: Refusing()
    )
    prefetch = window.components.prefetch
    qtbot.waitUntil(lambda: prefetch._is_current)
    finding = next(mark.finding for mark in window.ui.editor.marks if mark.finding.text == word)
    window.components.review.go_to(finding)
    qtbot.waitUntil(lambda: not prefetch.get(finding).pending)
    if not prefetch.get(finding).items:
        qtbot.waitUntil(lambda: prefetch.is_rewordable(finding) is not None)
    card = window.ui.central.findChild(QWidget, "finding_card")
    assert isinstance(card, FindingCard)
    return card


def shown(card: FindingCard) -> list[str]:
    return [label.text().replace("\u200b", "") for label in card.findChildren(QLabel) if label.isVisible()]


def test_the_reason_then_the_sentence_and_the_advice_of_the_guide(make: Make, qtbot: QtBot) -> None:
    card = card_at(make, qtbot, "A plot that reveals it.\n", "plot", {"plot": "weasel"})
    assert card.suggestions.note == WHY
    assert card.suggestions.remedy == f"{REWORDABLE} {ADVICE}"
    assert sum(text.count(ADVICE) for text in shown(card)) == 1, "the advice is not said twice"
    button = card.findChild(QToolButton, "reword_sentence")
    assert button is not None
    assert button.isVisible()
    button.click()
    assert card.suggestions.remedy == ""


@pytest.mark.parametrize("classes", [{"plot": "weasel"}, {}])
def test_a_sentence_that_cannot_be_reworded_is_not_offered(
    make: Make, qtbot: QtBot, classes: dict[str, str]
) -> None:
    card = card_at(make, qtbot, "A plot of theirs.\n", "plot", classes)
    assert card.suggestions.note == WHY
    assert card.suggestions.remedy == (ADVICE if classes else "")
    button = card.findChild(QToolButton, "reword_sentence")
    assert button is not None
    assert not button.isVisible()


def test_with_a_suggestion_nothing_of_it_is_said(make: Make, qtbot: QtBot) -> None:
    card = card_at(make, qtbot, "A plot that reveals it.\n", "reveals", {"reveals": "weasel"})
    assert card.suggestions.note == card.suggestions.remedy == ""
    assert any(ADVICE in text for text in shown(card)), "the explanation has it"
