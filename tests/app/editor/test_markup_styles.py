"""Protects highlighting: it shows markup in the theme's colours, changes nothing else, and costs little at a key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFont, QTextCursor, QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.widgets.theme import apply_theme, markup_colour, palette
from core.highlighting import markdown, wikitext
from core.highlighting.types import LineHighlighter, MarkupSpan
from tests.app.editor.shown_editors import show_editor
from tests.app.editor.test_editor import marked

LONG = "\n".join(f"Line {number} has '''bold''' and shameful words." for number in range(3_000))
Make = Callable[..., TextEditor]


@pytest.fixture
def make(qtbot: QtBot) -> Make:
    def made(text: str, highlight: LineHighlighter = wikitext.highlight_line) -> TextEditor:
        return show_editor(qtbot, text, height=400, highlight=highlight)

    return made


def formats(editor: TextEditor, number: int) -> list[QTextLayout.FormatRange]:
    return editor.document().findBlockByNumber(number).layout().formats()


def look(editor: TextEditor, word: str) -> tuple[str, bool, bool]:
    """Colour, bold and italic of the first character of a word as it is shown; no colour is that of the text."""
    at = editor.text().index(word)
    block = editor.document().findBlock(at)
    colour, bold, italic = "", False, False
    for one in block.layout().formats():
        if one.start <= at - block.position() < one.start + one.length:
            if one.format.hasProperty(one.format.Property.ForegroundBrush):
                colour = one.format.foreground().color().name()
            bold = bold or one.format.fontWeight() == QFont.Weight.Bold
            italic = italic or one.format.fontItalic()
    return colour, bold, italic


def type_at(editor: TextEditor, position: int, text: str) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(position)
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, text)
    editor.viewport().repaint()


def test_marks_are_pale_and_words_stand_out(make: Make) -> None:
    editor = make("'''Jane''' is ''brave'' [[City|town]] {{who}}<ref>cite</ref>")
    colour = {
        name: markup_colour(name, editor.palette()) for name in ("mark", "link", "template", "reference")
    }
    assert look(editor, "'''") == (colour["mark"], False, False)
    assert look(editor, "Jane") == ("", True, False)
    assert look(editor, "brave") == ("", False, True)
    assert look(editor, "City") == (colour["mark"], False, False)
    assert look(editor, "town") == (colour["link"], False, False)
    assert look(editor, "who") == (colour["template"], False, False)
    assert look(editor, "cite") == (colour["reference"], False, False)


def test_text_undo_and_modification_are_untouched(make: Make) -> None:
    text = "# *A* 👍🏽 [b](c)\n\n`d`"
    editor = make(text, markdown.highlight_line)
    assert formats(editor, 0)
    assert editor.text() == text
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()


def test_offsets_beyond_the_basic_plane_are_right(make: Make) -> None:
    editor = make("👍🏽 '''bold'''")
    spans = [(one.start, one.start + one.length) for one in formats(editor, 0)]
    assert {(5, 8), (8, 12)} <= set(spans)


def test_an_edit_after_styling_is_reported_as_it_is(make: Make) -> None:
    """Qt counts formats that were set as part of the next edit; the marks beside it would be dropped."""
    editor = make(LONG)
    editor.set_marks(marked(LONG, "shameful"))
    edits: list[tuple[int, int, int]] = []
    editor.document().contentsChange.connect(lambda *edit: edits.append(edit))
    editor.verticalScrollBar().setValue(500)
    editor.viewport().repaint()
    before = len(editor.marks)
    type_at(editor, editor.document().findBlockByNumber(505).position(), "x")
    assert edits[-1][1:] == (0, 1)
    assert len(editor.marks) == before


def test_only_what_is_visible_or_edited_is_highlighted(make: Make) -> None:
    read: list[str] = []

    def counting(line: str, state: int) -> tuple[list[MarkupSpan], int]:
        read.append(line)
        return wikitext.highlight_line(line, state)

    editor = make(LONG, counting)
    assert len(read) < 150
    editor.verticalScrollBar().setValue(1_500)
    editor.viewport().repaint()
    read.clear()
    for _ in range(20):
        type_at(editor, editor.document().findBlockByNumber(1_505).position(), "y")
    assert len(read) <= 60
    read.clear()
    type_at(editor, editor.document().findBlockByNumber(1_505).position(), "{")
    type_at(editor, editor.document().findBlockByNumber(1_505).position() + 1, "{")
    assert len(read) < 120


def test_markup_that_is_opened_or_closed_shows_in_the_lines_below(make: Make) -> None:
    editor = make("a\nbelow\nfurther")
    template = markup_colour("template", editor.palette())
    type_at(editor, 1, "{{x")
    assert look(editor, "further")[0] == template
    type_at(editor, 4, "}}")
    assert look(editor, "further")[0] == ""
    editor.undo()
    editor.undo()
    editor.viewport().repaint()
    assert editor.text() == "a\nbelow\nfurther"
    assert look(editor, "below")[0] == ""


def test_lines_that_come_into_view_know_what_was_opened_above(make: Make) -> None:
    editor = make("\n".join(["{{open", *(f"row {number}" for number in range(400))]))
    template = markup_colour("template", editor.palette())
    editor.go_to(editor.text().index("row 300"))
    editor.viewport().repaint()
    assert look(editor, "row 300")[0] == template
    cursor = QTextCursor(editor.document())
    cursor.setPosition(2)
    cursor.setPosition(0, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    editor.verticalScrollBar().setValue(editor.verticalScrollBar().value() + 1)
    editor.viewport().repaint()
    assert look(editor, "row 300")[0] == ""


def test_pasted_and_replaced_lines_are_highlighted(make: Make) -> None:
    editor = make("a\nb\nc")
    editor.textCursor().insertText("'''x'''\n''y''\n")
    editor.viewport().repaint()
    assert look(editor, "x")[1]
    assert look(editor, "y")[2]
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    type_at(editor, 0, "'''z'''")
    assert look(editor, "z")[1]


@pytest.mark.parametrize("dark", [False, True])
def test_colours_follow_the_theme(make: Make, dark: bool) -> None:
    editor = make("{{who}} b")
    try:
        apply_theme(QApplication.instance(), "dark" if dark else "light", "off")  # type: ignore[arg-type]
        editor.viewport().repaint()
        assert look(editor, "who")[0] == markup_colour("template", palette(dark=dark))
        apply_theme(QApplication.instance(), "dark" if dark else "light", "on")  # type: ignore[arg-type]
        editor.viewport().repaint()
        assert look(editor, "who")[0] == markup_colour("template", palette(dark=dark, high_contrast=True))
    finally:
        apply_theme(QApplication.instance(), "light", "off")  # type: ignore[arg-type]


def test_another_text_has_no_styles_of_the_one_before(make: Make) -> None:
    editor = make("'''a'''")
    editor.load("'''b'''")
    editor.viewport().repaint()
    assert formats(editor, 0) == []


def test_a_click_finds_the_character_under_it(make: Make, qtbot: QtBot) -> None:
    editor = make("'''Jane''' and much more\n== Head ==\nlast")
    cursor = QTextCursor(editor.document())
    for word in ("more", "Head", "last"):
        cursor.setPosition(editor.text().index(word) + 2)
        place = editor.cursorRect(cursor).center()
        qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.x(), place.y()))
        assert editor.textCursor().position() == cursor.position()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("high_contrast", [False, True])
def test_colours_can_be_read(dark: bool, high_contrast: bool) -> None:
    theme = palette(dark=dark, high_contrast=high_contrast)
    ground = theme.color(theme.ColorRole.Base)
    for name in ("mark", "link", "template", "reference", "comment", "code"):
        assert contrast(QColor(markup_colour(name, theme)), ground) >= (7 if high_contrast else 4.5)


def contrast(first: QColor, second: QColor) -> float:
    """The contrast of two colours (WCAG 2.2)."""

    def luminance(colour: QColor) -> float:
        parts = (colour.redF(), colour.greenF(), colour.blueF())
        red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)
