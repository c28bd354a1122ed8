"""What a person is shown and told: complaints 20 to 22 and 24, of eyes, ears, suggestions and what is hidden."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QPainter, QRegion
from PySide6.QtWidgets import QFileDialog, QListView

from app.comparison.compare_window import CompareWindow
from app.review import announcements
from app.widgets.kinds import kind_style
from app.widgets.theme import is_dark
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader
from core.rewriting.suggester import Suggester
from core.types import Kind
from tests.core.rewriting.fake_proposer import Told
from tests.e2e.conftest import Sit
from tests.e2e.person import Person, spoken_name

TEXT = "The shameful record.\n\nHe reveals it to the chairman.\n"
WORDS = ["shameful", "reveals", "chairman"]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Qt is asked to have spoken."""
    said: list[str] = []

    class Ear:
        AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

        @staticmethod
        def updateAccessibility(event: object) -> None:
            said.append(event.message())  # type: ignore[attr-defined]

    monkeypatch.setattr(announcements, "QAccessible", Ear)
    return said


def test_a2_20_a_screen_reader_hears_the_kind_of_every_finding(sit: Sit, heard: list[str]) -> None:
    """20: a blind proofreader needs the kind of an underline spoken. Rows say it, and so does the caret's arrival."""
    person = sit(TEXT)
    person.see(WORDS)
    assert heard[-1] == "3 findings in this draft"
    said = ["Framing: shameful", "Epistemological: reveals", "Demographic: chairman"]
    for number, words in enumerate(said):
        person.press("F8")
        assert heard[-1].startswith(f"{words}, confidence ")
        assert person.rows[number] == heard[-1]
    listed = person.window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    rows = QAccessible.queryAccessibleInterface(listed)
    assert (rows.role(), rows.text(QAccessible.Text.Name)) == (QAccessible.Role.List, "Findings")
    row = rows.child(1)
    assert row.role() == QAccessible.Role.ListItem
    assert "He reveals it" in row.text(QAccessible.Text.Description), "the words around it"
    editor = QAccessible.queryAccessibleInterface(person.window.ui.editor)
    assert (editor.role(), editor.text(QAccessible.Text.Name)) == (QAccessible.Role.EditableText, "Draft")
    assert editor.text(QAccessible.Text.Value) == TEXT


def test_a2_20_what_goes_wrong_and_what_was_done_is_spoken_too(
    sit: Sit, heard: list[str], tmp_path: Path
) -> None:
    """20: errors that were only painted. The line above the text is read out, and so is each passing message."""
    person = sit(TEXT)
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 no archive")
    assert not person.window.components.documents.open(tmp_path / "broken.docx")
    assert person.window.ui.message_bar.isVisible()
    assert "broken.docx" in spoken_name(person.window.ui.message_bar)
    assert "broken.docx" in heard[-1]
    person.see(WORDS)
    person.press("F8")
    person.press("Alt+0")
    assert any(words.startswith("This occurrence of “shameful” is ignored") for words in heard)


def ink(person: Person, number: int, ratio: int) -> int:
    """The highest stroke under a marked word, in pixels of a screen with so many to each logical one.

    Pixels at an edge that the stroke covers in part do not count.
    """
    editor = person.window.ui.editor
    box = editor.rects_of(editor.marks[number])[0].toAlignedRect()
    image = QImage(box.size() * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    editor.viewport().render(painter, QPoint(0, 0), QRegion(QRect(box)))
    painter.end()
    colour = kind_style(editor.marks[number].finding.kind, dark=is_dark(editor.palette())).colour
    below = range(image.height() * 3 // 4, image.height())
    return max(sum(_near(image.pixelColor(x, y), colour) for y in below) for x in range(image.width()))


def _near(seen: QColor, colour: QColor) -> bool:
    pairs = zip(seen.getRgb()[:3], colour.getRgb()[:3], strict=True)
    return all(abs(one - other) < 60 for one, other in pairs)


def test_a2_21_underlines_are_as_strong_on_a_dense_screen(sit: Sit) -> None:
    """21: waves too thin on HiDPI. As the window paints them: twice and three times the pixels, not a hair."""
    person = sit(None)
    person.window.settings.set("reduced_motion", True)
    person.write(TEXT)
    person.see(WORDS)
    for number, words in enumerate(WORDS):
        usual, double, triple = (ink(person, number, ratio) for ratio in (1, 2, 3))
        assert 1 <= usual < double < triple, words
        assert triple >= 2 * usual


def bias(person: Person) -> float:
    """How the first sentence reads."""
    reading = person.window.components.review.result
    assert reading is not None
    assert reading.report is not None
    return reading.report.sentences[0].bias


@pytest.mark.parametrize(
    ("proposed", "offered"),
    [
        ([("disastrous", 0.6), ("new", 0.2)], "new"),
        ([("disastrous", 0.5), ("mankind of", 0.3), ("shameful shameful", 0.2)], ""),
    ],
)
def test_a2_22_what_reads_worse_is_never_offered(
    sit: Sit,
    tiny_bundle: Path,
    monkeypatch: pytest.MonkeyPatch,
    proposed: list[tuple[str, float]],
    offered: str,
) -> None:
    """22: an accepted rewrite worsened the result and lost the meaning. The model may want to; it has no last word."""
    monkeypatch.setattr("core.rewriting.candidates.load_known_replacements", dict)
    monkeypatch.setattr("core.rewriting.candidates.load_annotated_replacements", dict)
    text = "The senator said this shameful policy of 12 people is not new.\n"
    engine = Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())
    told = Told({"shameful": proposed})
    person = sit(text, load=lambda: engine, load_rewriter=lambda engine: Suggester(engine, told))
    person.see(["shameful"])
    before = bias(person)
    person.press("F8")
    person.wait_for_suggestions()
    shown = person.window.components.card.shown_finding
    assert shown is not None
    suggestions = person.window.components.prefetch.get(shown)
    assert [item.sentence for item in suggestions.items] == (
        [text.strip().replace("shameful", offered)] if offered else []
    )
    person.press("Alt+1")
    if not offered:
        assert person.text == text
        assert person.told == suggestions.note
        assert suggestions.note == (
            "No suitable suggestion found. Of those tried, 2 are not sound English, "
            "1 would not make the sentence less biased."
        )
        return
    person.see([])
    person.rest()
    assert bias(person) < before, "read again, it does read better"


def test_a2_24_what_was_changed_and_why_stays_to_be_seen(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """24: nudging hides bias instead of removing it. The words that triggered stay: in versions, comparison, report."""
    person = sit(TEXT)
    person.see(WORDS)
    person.press("F8")
    person.wait_for_suggestions()
    person.press("Alt+1")
    person.see(WORDS[1:])
    person.press("Ctrl+S")
    person.wait(lambda: not person.window.components.background.busy)
    kept = person.window.components.history.versions
    store = person.window.components.store_access.store
    assert store is not None
    assert [store.text_of(version.id) for version in kept] == [TEXT, TEXT.replace("shameful ", "")]
    person.wait(lambda: all(version.scores for version in person.window.components.history.versions))
    first, last = (version.scores for version in person.window.components.history.versions)
    assert first is not None
    assert last is not None
    assert (first.kinds[Kind.FRAMING], last.kinds[Kind.FRAMING]) == (1, 0)

    person.press("Ctrl+Shift+H")
    person.press("End")
    person.press("Return")
    person.wait(lambda: person.window.findChild(CompareWindow) is not None)
    compared = person.window.findChild(CompareWindow)
    assert compared is not None
    person.wait(lambda: "“shameful” removed" in compared.summary_line)
    person.wait(lambda: "shameful" in spoken_diff(compared))
    person.press("Esc")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "report.html"), ""))
    person.press("Ctrl+Shift+P")
    person.write("report as html")
    person.press("Return")
    person.wait(lambda: (tmp_path / "report.html").exists() and not person.window.components.exporter.is_busy)
    page = unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "<del>shameful" in page
    assert "factive verb" in page


def spoken_diff(compared: CompareWindow) -> str:
    """The text of the comparison."""
    from app.comparison.diff_view import DiffView

    view = compared.findChild(DiffView)
    assert view is not None
    return view.toPlainText()
