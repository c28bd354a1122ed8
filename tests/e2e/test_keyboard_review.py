"""Protects who works without a mouse: the whole review of the sample draft by key events alone, seen step by step.

No slot is called and no widget is clicked; the one thing that is stubbed is the system's dialog for a file's name.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QSlider, QTreeWidget

from app.comparison.compare_window import CompareWindow
from app.main_window.command_handlers import SAMPLE
from app.review.ignored_dialog import IgnoredDialog
from core.types import Cue, Kind
from tests.app.fake_reader import FLAGGED, FakeReader
from tests.app.fake_rewriter import FakeRewriter
from tests.e2e.conftest import Sit
from tests.e2e.person import Person, spoken_name

WORDS = {
    **{word: FLAGGED[word] for word in ("chairman", "legendary", "shameful", "disgraceful")},
    "revealed": (Kind.EPISTEMOLOGICAL, 0.78, Cue("revealed", "factive_verb", "MOS:SAID")),
    "people": (Kind.EPISTEMOLOGICAL, 0.66, Cue("people", "unsupported_attribution", "MOS:WEASEL")),
    "regime": (Kind.FRAMING, 0.55, None),
    "famously": (Kind.FRAMING, 0.2, Cue("famously", "editorialising", "MOS:EDITORIAL")),
}
FOUND = ["Chairman", "legendary", "revealed", "people", "shameful", "regime", "people"]


@pytest.fixture
def person(sit: Sit) -> Person:
    """Somebody before an empty window, whose reader marks some words of the sample."""
    rewriter = FakeRewriter(words={"chairman": ("Chair",), "shameful": ("",)})
    return sit(None, load=lambda: FakeReader(words=WORDS), load_rewriter=lambda _: rewriter)


def give(person: Person, letters: str) -> None:
    """Give a command by the palette."""
    person.press("Ctrl+Shift+P")
    assert spoken_name(person.focus) == "Command"
    person.write(letters)
    person.press("Return")


def test_the_sample_is_reviewed_from_opening_to_closing_without_a_mouse(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = SAMPLE.read_text(encoding="utf-8")
    opens_the_sample(person, source)
    uses_a_suggestion(person, source)
    passes_over(person)
    chooses_what_is_marked(person)
    compares(person)
    restores_a_version(person, source)
    saves_and_closes(person, tmp_path / "story.md", monkeypatch)


def opens_the_sample(person: Person, source: str) -> None:
    give(person, "sample draft")
    person.see(FOUND)
    assert person.text == source
    assert "not saved yet" in person.window.ui.status_bar.document_text
    assert [row.split(",")[0] for row in person.rows][:2] == ["Demographic: Chairman", "Framing: legendary"]


def uses_a_suggestion(person: Person, source: str) -> None:
    person.press("F8")
    assert person.text[person.caret :].startswith("Chairman Tobias")
    assert person.card == "Chairman"
    person.press("Tab")
    assert spoken_name(person.focus) == (
        "Demographic: Chairman, confidence 61 percent, gendered default, MOS:GNL"
    )
    assert "“chairman” is a gendered default" in person.focus.accessibleDescription(), (
        "why it is marked, in a sentence"
    )
    person.tab_to("Suggestion 1: “Chairman” → “Chair”. Bias 0.")
    person.press("Return")
    assert person.text == source.replace("Chairman", "Chair")
    assert person.told == "“Chairman” → “Chair”. Undo reverts it."
    assert spoken_name(person.focus) == "Draft", "the keys are in the text again"
    assert person.text[person.caret :].startswith("legendary"), "the next finding follows by itself"
    person.see(FOUND[1:])


def passes_over(person: Person) -> None:
    before = person.text
    person.walk_to("legendary")
    person.press("Alt+0")
    person.see(["revealed", "people", "shameful", "regime", "people"])
    assert person.told.startswith("This occurrence of “legendary” is ignored.")
    person.walk_to("people")
    person.press("Alt+8")
    person.see(["revealed", "shameful", "regime"])
    assert person.told.startswith("“people” is ignored in this draft.")
    person.walk_to("shameful")
    person.press("Alt+9")
    person.see(["revealed", "regime"])
    assert person.told.startswith("“shameful” is always allowed.")
    assert person.text == before, "passing over changes no word"
    person.press("Ctrl+Shift+I")
    listed = person.window.findChild(IgnoredDialog)
    assert listed is not None
    assert listed.tabs.tabText(0) == "In this draft (2)"
    assert listed.tabs.tabText(1) == "Always allowed (1)"
    view = person.focus
    assert isinstance(view, QTreeWidget)
    assert view.currentItem().text(0) == "legendary"
    person.press("Delete")
    person.see(["legendary", "revealed", "regime"])
    person.press("Esc")


def chooses_what_is_marked(person: Person) -> None:
    quotes = person.window.ui.filter_bar.quotes
    assert quotes.text() == "Quotations: exempt"
    person.press("Ctrl+Shift+Q")
    person.see(["legendary", "revealed", "disgraceful", "regime"])
    assert quotes.text() == "Quotations: marked"
    person.press("Ctrl+Shift+Q")
    person.see(["legendary", "revealed", "regime"])

    was = person.window.ui.sensitivity.text
    person.press("F6", times=2)
    assert spoken_name(person.focus) == "Findings"
    slider = person.tab_to("Sensitivity", "Shift+Tab")
    assert isinstance(slider, QSlider)
    person.press("Right")
    person.see(["legendary", "revealed", "famously", "regime"])
    assert person.window.ui.sensitivity.text not in ("", was), "what to expect of the marks now is told"
    person.press("Left")
    person.see(["legendary", "revealed", "regime"])

    person.tab_to("Framing 2", "Tab")
    person.press("Space")
    person.see(["revealed"])
    assert [row.split(",")[0] for row in person.rows] == ["Epistemological: revealed"]
    person.press("Space")
    person.see(["legendary", "revealed", "regime"])


def compares(person: Person) -> None:
    person.press("Ctrl+Shift+D")
    compared = person.window.findChild(CompareWindow)
    assert compared is not None
    person.wait(lambda: bool(compared.summary_line))
    person.tab_to("Copy edit summary")
    person.press("Space")
    assert QGuiApplication.clipboard().text() == "Wording: “Chairman” → “Chair”; 1 change"
    assert compared.message == "The edit summary was copied."
    person.press("Esc")
    person.wait(lambda: person.window.findChild(CompareWindow) is None)


def restores_a_version(person: Person, source: str) -> None:
    changed = source.replace("Chairman", "Chair")
    person.press("Ctrl+Shift+K")
    person.press("Return")  # without a name
    person.wait(lambda: person.told == "This version is kept.")
    person.press("Ctrl+Shift+H")
    assert spoken_name(person.focus) == "Versions"
    person.press("End")
    person.press("Ctrl+Return")
    person.wait(lambda: person.told.startswith("Restored: "))
    assert person.text == source
    person.press("F6", times=2)
    assert spoken_name(person.focus) == "Draft"
    person.press("Ctrl+Z")
    assert person.text == changed, "restoring is one step, which can be taken back"


def saves_and_closes(person: Person, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zoom = person.window.ui.editor.zoom
    give(person, "zoom in")
    person.wait(lambda: person.window.ui.editor.zoom == zoom + 1)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    person.press("Ctrl+S")
    assert path.read_text(encoding="utf-8") == person.text
    assert "· saved" in person.window.ui.status_bar.document_text
    assert person.window.windowTitle().startswith("story.md")
    person.press("Ctrl+Q")
    assert not person.window.isVisible()
