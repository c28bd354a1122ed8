"""Protects the tags that a person writes where no suggestion helps: from the card and from the menu, in one step that
Undo reverses, behind the words, and only where they fit.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_reader import FakeReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.window import MainWindow

TEXT = "A '''legendary''' plan. A [[plot|plot]] that claims it.\n"
WORDS = ["legendary", "plot", "claims"]
CLASSES = {"plot": "weasel", "legendary": "puffery"}


def ready(make: Make, qtbot: QtBot, tmp_path: Path, name: str = "draft.wiki", text: str = TEXT) -> MainWindow:
    window = make(None, load=lambda: FakeReader(classes=dict(CLASSES)))
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert window.components.documents.open(path)
    read(window, qtbot, WORDS)
    return window


def offered(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text().startswith("Insert")]


def test_the_menu_writes_the_tag_that_fits_behind_the_emphasis(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = ready(make, qtbot, tmp_path)
    editor = window.ui.editor
    editor.go_to(3)
    menu = window.components.finding_menu.build(editor.marks[0].start + 1)
    assert offered(menu) == ["Insert {{peacock inline}}"]
    next(action for action in menu.actions() if "peacock" in action.text()).trigger()
    line = editor.text()
    assert line.startswith("A '''legendary'''{{peacock inline|date=")
    assert line.split("|date=")[1].split("}}")[0].split()[0].istitle()
    assert editor.textCursor().position() == 3
    assert "inserted. Undo reverts it." in window.ui.status_bar.currentMessage()
    read(window, qtbot, WORDS)
    QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == TEXT
    assert not window.components.documents.modified


def test_the_card_writes_it_and_the_next_finding_follows(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = ready(make, qtbot, tmp_path)
    for _ in range(2):
        window.ui.actions["next"].trigger()
    buttons = {
        name: window.ui.central.findChild(QToolButton, f"tag_{name}") for name in ("who", "according to whom")
    }
    assert all(button is not None and button.isVisible() for button in buttons.values())
    who = buttons["who"]
    assert who is not None
    assert who.text() == "Insert {{who}}"
    who.click()
    assert "[[plot|plot]]{{who|date=" in window.ui.editor.text()
    assert window.ui.editor.current is not None
    assert window.ui.editor.current.text == "claims"


def test_a_review_goes_on_after_a_tag_and_counts_what_is_left(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = ready(make, qtbot, tmp_path)
    window.ui.actions["review_all"].trigger()
    finding = window.ui.editor.marks[0].finding
    window.components.tags.insert(finding, "peacock inline")
    assert window.ui.review_bar.text.startswith("2 of 3")
    read(window, qtbot, WORDS)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "draft.md",
            "A **legendary** plan. A [plot](x) that claims it.\n",
            "**legendary**<!-- peacock inline --> plan",
        ),
        ("draft.txt", "A legendary plan. A plot that claims it.\n", None),
    ],
)
def test_other_formats_have_a_comment_or_none(
    make: Make, qtbot: QtBot, tmp_path: Path, name: str, text: str, expected: str | None
) -> None:
    window = ready(make, qtbot, tmp_path, name, text)
    finding = window.ui.editor.marks[0].finding
    window.components.tags.insert(finding, "peacock inline")
    assert (expected in window.ui.editor.text()) if expected else window.ui.editor.text() == text
    menu = window.components.finding_menu.build(window.ui.editor.marks[0].start)
    assert len(offered(menu)) == (1 if expected else 0)


def test_an_attribution_is_written_and_its_name_typed_over(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    """Critics say: who? The vague words go, and what is typed next is the name; one Undo takes it back."""
    text = "A 👍🏽 plot. Some people said that the legendary claims end.\n"
    reader = FakeReader(classes={"said": "weasel"})
    reader.words["said"] = reader.words["claims"]
    window = make(None, load=lambda: reader)
    path = tmp_path / "draft.txt"
    path.write_text(text, encoding="utf-8")
    assert window.components.documents.open(path)
    read(window, qtbot, ["plot", "said", "legendary", "claims"])
    window.activateWindow()
    window.components.review.go_to(window.ui.editor.marks[1].finding)
    button = window.ui.central.findChild(QToolButton, "tag_attribution")
    assert button is not None
    assert button.text() == "Insert [who?] said"
    button.click()
    changed = text.replace("Some people said", "[who?] said")
    assert window.ui.editor.text() == changed
    assert window.ui.editor.textCursor().selectedText() == "[who?]"
    assert window.ui.editor.hasFocus()
    QTest.keyClicks(window.ui.editor, "Ann Lee")
    assert window.ui.editor.text() == changed.replace("[who?]", "Ann Lee")
    while window.ui.editor.text() != changed:
        window.ui.editor.undo()
    window.ui.editor.undo()
    assert window.ui.editor.text() == text


def test_a_draft_that_is_read_only_is_offered_none(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    window = ready(make, qtbot, tmp_path)
    window.ui.editor.setReadOnly(True)
    menu = window.components.finding_menu.build(window.ui.editor.marks[0].start)
    assert offered(menu) == []
    window.components.tags.insert(window.ui.editor.marks[0].finding, "peacock inline")
    assert window.ui.editor.text() == TEXT


def test_citation_needed_is_inserted_from_a_finding(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    """From the menu of the words and from the card: a claim that is put as certain asks for its source."""
    window = make(None, load=lambda: FakeReader(classes={"reveals": "certainty", "claims": "judgement"}))
    path = tmp_path / "draft.wiki"
    path.write_text("It [[law|reveals]] all. He claims it.\n", encoding="utf-8")
    assert window.components.documents.open(path)
    read(window, qtbot, ["reveals", "claims"])
    menu = window.components.finding_menu.build(window.ui.editor.marks[0].start + 1)
    assert offered(menu) == ["Insert {{citation needed}}", "Insert {{according to whom}}"]
    next(action for action in menu.actions() if "citation needed" in action.text()).trigger()
    assert window.ui.editor.text().startswith("It [[law|reveals]]{{citation needed|date=")
    read(window, qtbot, ["reveals", "claims"])
    window.components.review.go_to(window.ui.editor.marks[1].finding)
    button = window.ui.central.findChild(QToolButton, "tag_citation needed")
    assert button is not None
    assert button.isVisible()
    button.click()
    assert "He claims{{citation needed|date=" in window.ui.editor.text()
    while window.ui.editor.document().isUndoAvailable():
        window.ui.editor.undo()
    assert window.ui.editor.text() == "It [[law|reveals]] all. He claims it.\n"
