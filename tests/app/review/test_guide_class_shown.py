"""Protects what a person is told of the class of a finding: on the card, in the list and on hovering."""

from __future__ import annotations

from dataclasses import replace

import fakes
import pytest
from fake_reader import FakeReader
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListView
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.analysis.explanations import explain, guide_classes, lexicon
from app.review.findings_list import FindingsModel, accessible_text, describe_facts, describe_kind
from app.widgets.plain_text import plain_text
from core.types import Cue, Kind

SOURCE = "A renowned law."
CUE = Cue("renowned", "puffery", "MOS:PUFFERY")
PLAIN = fakes.finding(SOURCE, "renowned", cue=CUE)
NAMED = replace(PLAIN, guide_class="label")
LABEL = guide_classes()["label"]


def test_the_class_is_explained_first_and_the_cue_after_it() -> None:
    told = explain(NAMED, lexicon())
    assert told.reasons == [LABEL.text, lexicon().explain(CUE)]
    assert [name for name, _ in told.links] == ["MOS:LABEL", "MOS:PUFFERY"]
    alone = explain(replace(NAMED, why=()), lexicon())
    assert alone.reasons == [LABEL.text]
    assert [name for name, _ in alone.links] == ["MOS:LABEL"]


def test_without_a_class_all_is_as_before() -> None:
    assert explain(PLAIN, lexicon()).reasons == [lexicon().explain(CUE)]
    assert "No word list" in explain(replace(PLAIN, why=()), lexicon()).reasons[0]
    assert describe_facts(PLAIN) == "Framing · puffery · MOS:PUFFERY"
    assert describe_kind(PLAIN) == "Framing"


def test_a_guide_that_both_name_is_linked_once() -> None:
    told = explain(replace(PLAIN, guide_class="puffery"), lexicon())
    assert [name for name, _ in told.links] == ["MOS:PUFFERY"]


def test_a_row_names_the_class_and_hovering_explains_it() -> None:
    model = FindingsModel()
    model.show([NAMED, PLAIN], SOURCE, fakes.sentences_of(SOURCE))
    assert describe_facts(NAMED) == "Framing · contentious label · MOS:LABEL"
    assert describe_kind(NAMED) == "Framing · contentious label"
    assert accessible_text(NAMED).endswith("contentious label, MOS:LABEL")
    assert plain_text(LABEL.explanation) in str(model.index(0).data(Qt.ItemDataRole.ToolTipRole))
    told = str(model.index(0).data(Qt.ItemDataRole.AccessibleDescriptionRole)).split("\n")
    assert told == [
        "Framing · contentious label · MOS:LABEL",
        f"{LABEL.explanation} {LABEL.advice}",
        "“renowned”: puffery",
        SOURCE,
    ]
    assert str(model.index(1).data(Qt.ItemDataRole.AccessibleDescriptionRole)).split("\n") == [
        "Framing · puffery · MOS:PUFFERY",
        SOURCE,
    ]


@pytest.mark.parametrize("classes", [{"legendary": "cliche"}, {}])
def test_the_card_in_the_window_says_it(make: Make, qtbot: QtBot, classes: dict[str, str]) -> None:
    reader = FakeReader(classes=classes)
    window = make("The legendary vote.\n", load=lambda: reader)
    read(window, qtbot, ["legendary"])
    finding = window.ui.editor.marks[0].finding
    window.components.card.show_now(finding)
    card = window.components.card._card
    assert card is not None
    texts = [label.text().replace("\u200b", "") for label in card.findChildren(QLabel)]
    cliche, cue = guide_classes()["cliche"], lexicon().explain(finding.why[0])
    assert ("Framing · cliché" in texts, "Framing" in texts) == (bool(classes), not classes)
    if classes:
        assert texts.index(cliche.text) < texts.index(cue)
    assert cue in texts
    rows = window.findChild(QListView, "issues").model()
    assert ("cliché" in str(rows.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))) == bool(classes)
    assert finding.kind is Kind.FRAMING
