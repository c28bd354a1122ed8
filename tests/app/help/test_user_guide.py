"""Protects the guide in the program: F1 opens it, every heading and link inside it is reached, words are found."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem, QTreeWidgetItemIterator
from pytestqt.qtbot import QtBot
from windows import Make

from app.help.user_guide import UserGuide, heading_anchor, load_guide, without_other_pages
from installer.pictures import NAMES


@pytest.fixture
def guide(qtbot: QtBot) -> UserGuide:
    made = UserGuide(load_guide())
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def top_text(guide: UserGuide) -> str:
    return guide.page.textCursor().block().text()


def entries(guide: UserGuide) -> list[QTreeWidgetItem]:
    found = []
    walk = QTreeWidgetItemIterator(guide.contents)
    while (item := walk.value()) is not None:
        found.append(item)
        walk += 1
    return found


def test_f1_opens_the_guide_once(make: Make, qtbot: QtBot) -> None:
    window = make()
    QTest.keyClick(window, Qt.Key.Key_F1)
    QTest.keyClick(window.ui.editor, Qt.Key.Key_F1)
    guides = window.findChildren(UserGuide)
    assert len(guides) == 1
    assert "Using Evenhand" in guides[0].page.toPlainText()
    window.close()


def test_the_contents_lead_to_every_heading(guide: UserGuide) -> None:
    headings = re.findall(r"^(##|###) (.+)$", load_guide(), re.MULTILINE)
    assert [item.text(0) for item in entries(guide)] == [title.replace("`", "") for _, title in headings]
    assert len(headings) > 10
    for item in entries(guide):
        guide.contents.itemActivated.emit(item, 0)
        assert top_text(guide) == item.text(0)
    assert guide.page.verticalScrollBar().value() > 0


def test_every_link_inside_the_guide_leads_somewhere(guide: UserGuide) -> None:
    for anchor in re.findall(r"\]\(#([^)]+)\)", load_guide()):
        guide.page.anchorClicked.emit(QUrl(f"#{anchor}"))
        assert heading_anchor(top_text(guide)) == anchor


def height_of(markdown: str, qtbot: QtBot, width: int = 700) -> float:
    """The height of the page that shows this."""
    made = UserGuide(markdown)
    qtbot.addWidget(made)
    made.page.setFixedWidth(width)
    made.show()
    made.page.grab()
    return made.page.document().size().height()


def test_pictures_of_the_guide_are_shown_as_wide_as_the_page(qtbot: QtBot) -> None:
    words = height_of("One\n\nTwo", qtbot)
    for name in NAMES:
        text = f"One\n\n![The {name}](pictures/{name}.png)\n\nTwo"
        wide, narrow = (height_of(text, qtbot, width) for width in (700, 250))
        assert wide > words + 100
        assert words < narrow < wide
    made = UserGuide("![The window](pictures/window.png)")
    qtbot.addWidget(made)
    made.show()
    image = made.page.grab().toImage()
    row = range(0, image.width(), 3)
    assert len({image.pixel(x, y) for x in row for y in range(0, image.height(), 3)}) > 20


@pytest.mark.parametrize(
    "address",
    ["pictures/none.png", "pictures/../usage.md", "../.github/window.png", "https://x.org/pictures/a.png"],
)
def test_no_other_picture_is_loaded(address: str, qtbot: QtBot) -> None:
    assert height_of(f"One\n\n![words]({address})\n\nTwo", qtbot) < height_of("One\n\nTwo", qtbot) + 100


def test_links_to_pages_that_are_not_here_are_words() -> None:
    text = "See [training](training.md#x), [this](#here) and [RE2](https://github.com/google/re2)."
    assert (
        without_other_pages(text) == "See training, [this](#here) and [RE2](https://github.com/google/re2)."
    )


def test_words_are_found_and_enter_goes_round(guide: UserGuide) -> None:
    QTest.keyClicks(guide.field, "crash")
    said = guide.count.text()
    assert re.fullmatch(r"\d+ matches", said)
    seen = []
    for _ in range(int(said.split()[0])):
        assert guide.page.textCursor().selectedText().casefold() == "crash"
        seen.append(guide.page.textCursor().position())
        guide.field.setFocus()
        QTest.keyClick(guide.field, Qt.Key.Key_Return)
    assert len(set(seen)) == len(seen)
    assert guide.page.textCursor().position() == seen[0]
    QTest.keyClick(guide.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert guide.page.textCursor().position() == seen[-1]
    assert len(guide.page.extraSelections()) == len(seen)
    assert guide.isVisible(), "Enter searches and closes nothing"
    guide.field.setText("no such words")
    assert guide.count.text() == "No matches"
    guide.field.clear()
    assert guide.count.text() == ""
    assert guide.page.extraSelections() == []


def test_a_copy_without_a_guide_says_so(qtbot: QtBot) -> None:
    made = UserGuide("")
    qtbot.addWidget(made)
    assert "no user guide" in made.page.toPlainText()
    assert made.contents.topLevelItemCount() == 0
