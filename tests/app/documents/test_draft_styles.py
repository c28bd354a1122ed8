"""Protects the look of a file in the window: it moves with edits, costs little at a key, and never reaches the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPalette, QTextBlock, QTextLayout
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.file_styles import FileStyles
from app.main_window.window import MainWindow
from app.widgets.theme import markup_colour
from core.documents.types import Format
from tests.core.formats.builders import docx, odt, paragraph, run
from tests.core.formats.test_appearance import HTML, LISTED, NUMBERING, PARTS
from tests.core.formats.test_tables_and_captions import p as cell
from tests.core.formats.test_tables_and_captions import row, table

BODY = "".join(
    [
        paragraph(run("A head"), style="Heading1"),
        paragraph(run("Some "), run("bold", "<w:b/>"), run(" words.")),
        LISTED.format(0, 1, run("One")),
        paragraph(run("The end")),
    ]
)
LISTS: dict[str, bytes | str] = {"word/numbering.xml": NUMBERING, "word/_rels/document.xml.rels": PARTS}
Make = Callable[..., MainWindow]


@pytest.fixture
def opened(make: Make, tmp_path: Path, qtbot: QtBot) -> Callable[[str, bytes], MainWindow]:
    def window(name: str, data: bytes) -> MainWindow:
        path = tmp_path / name
        path.write_bytes(data)
        made = make()
        made.show()
        assert made.components.documents.open(path)
        qtbot.waitExposed(made)
        made.ui.editor.viewport().repaint()
        return made

    return window


def is_bold(editor: TextEditor, word: str, at: int = 0) -> bool:
    place = editor.text().index(word) + at
    block = editor.document().findBlock(place)
    return any(
        one.format.fontWeight() == QFont.Weight.Bold
        for one in block.layout().formats()
        if one.start <= place - block.position() < one.start + one.length
    )


def type_at(editor: TextEditor, position: int, text: str) -> None:
    editor.go_to(position)
    QTest.keyClicks(editor, text)
    editor.viewport().repaint()


def line(editor: TextEditor, number: int) -> QTextBlock:
    return editor.document().findBlockByNumber(number)


def test_a_word_document_looks_like_itself(opened: Callable[[str, bytes], MainWindow]) -> None:
    editor = opened("a.docx", docx(BODY, extra=LISTS)).ui.editor
    assert editor.text() == "A head\nSome bold words.\nOne\nThe end"
    assert is_bold(editor, "bold")
    assert not is_bold(editor, "words")
    head, body = (line(editor, number).layout().lineAt(0) for number in (0, 1))
    assert head.height() > 1.2 * body.height()
    assert line(editor, 2).layout().lineAt(0).x() > body.x()
    styles = editor.document().documentLayout().styles
    assert [styles.label(line(editor, number)) for number in range(4)] == ["", "", "1.", ""]


def test_odt_and_html_look_like_themselves(opened: Callable[[str, bytes], MainWindow]) -> None:
    editor = opened(
        "a.odt", odt('<text:h text:outline-level="1">Head</text:h><text:p>Body</text:p>')
    ).ui.editor
    assert is_bold(editor, "Head")
    assert not is_bold(editor, "Body")
    editor = opened("a.html", HTML.encode()).ui.editor
    assert is_bold(editor, "bold")
    assert is_bold(editor, "Year")
    assert not is_bold(editor, "2001")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "a.docx",
            docx(
                paragraph(
                    run("Some "), f'<w:hyperlink w:anchor="a">{run("linked")}</w:hyperlink>', run(" words")
                )
            ),
        ),
        ("a.odt", odt("<text:p>Some <text:a>linked</text:a> words</text:p>")),
        ("a.html", b'<p>Some <a href="https://example.org">linked</a> words</p>'),
    ],
    ids=["docx", "odt", "html"],
)
def test_a_link_is_underlined_and_has_the_colour_of_links(
    opened: Callable[[str, bytes], MainWindow], name: str, data: bytes
) -> None:
    editor = opened(name, data).ui.editor
    assert editor.text().strip() == "Some linked words"
    colour = QColor(markup_colour("link", editor.palette()))
    looks = {
        word: [
            (one.format.fontUnderline(), one.format.foreground().color() == colour)
            for one in line(editor, 0).layout().formats()
            if one.start <= editor.text().index(word) < one.start + one.length
        ]
        for word in ("Some", "linked", "words")
    }
    assert (True, True) in looks["linked"]
    assert not any(any(look) for word in ("Some", "words") for look in looks[word])
    type_at(editor, editor.text().index("linked") + 3, "x")
    assert any(
        one.format.fontUnderline() and one.length == len("linkedx")
        for one in line(editor, 0).layout().formats()
    )


def pixels_above(editor: TextEditor, number: int) -> float:
    """How much of the width at the top of a block has the colour of the frames of tables."""
    image = editor.viewport().grab().toImage()
    margin = int(editor.document().documentMargin())
    y = round(top(editor, number))
    frame = editor.palette().color(QPalette.ColorRole.Mid)
    columns = range(margin, image.width() - margin)
    return sum(image.pixelColor(x, y) == frame for x in columns) / len(columns)


def top(editor: TextEditor, number: int) -> float:
    return editor.blockBoundingGeometry(line(editor, number)).translated(editor.contentOffset()).top()


def test_a_table_has_a_frame_and_lines_between_its_rows_and_cells(
    opened: Callable[[str, bytes], MainWindow],
) -> None:
    head = row(cell("Year"), cell("City"), properties="<w:tblHeader/>")
    body = table(head, row(cell("2001") + cell("or so"), cell("Bonn")))
    editor = opened("a.docx", docx(cell("Before") + body + cell("After"))).ui.editor
    assert editor.text() == "Before\nYear\nCity\n2001\nor so\nBonn\nAfter"
    assert [is_bold(editor, word) for word in ("Year", "City", "2001")] == [True, True, False]
    drawn = [pixels_above(editor, number) for number in range(7)]
    assert [share > 0.98 for share in drawn] == [False, True, False, True, False, False, False]
    assert [0.2 < share < 0.6 for share in drawn] == [False, False, True, False, False, True, False]
    image = editor.viewport().grab().toImage()
    middle = round(top(editor, 4) + 4)
    frame = editor.palette().color(QPalette.ColorRole.Mid)
    assert sum(image.pixelColor(x, middle) == frame for x in range(image.width())) == 2
    column = image.width() - int(editor.document().documentMargin()) - 20
    ends = range(round(top(editor, 5)) + 4, round(top(editor, 6)) + 4)
    assert sum(image.pixelColor(column, y) == frame for y in ends) == 1
    tinted = [image.pixelColor(column, round(top(editor, number)) + 4) for number in (1, 2, 3)]
    ground, base = (
        editor.palette().color(role) for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base)
    )
    assert tinted == [ground, ground, base]


def test_captions_lists_and_line_breaks_look_as_in_the_file(
    opened: Callable[[str, bytes], MainWindow],
) -> None:
    numbered = (
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="a" '
        'style:num-suffix=")"/></text:list-style>'
    )
    body = (
        '<text:p text:style-name="Illustration">A dog</text:p><text:list text:style-name="L1"><text:list-item>'
        "<text:p>One</text:p></text:list-item><text:list-item><text:p>Two</text:p></text:list-item></text:list>"
        "<text:p>A line<text:line-break/>and more<text:tab/>of it</text:p><text:p>The end</text:p>"
    )
    editor = opened("a.odt", odt(body, automatic=numbered)).ui.editor
    caption, plain = (line(editor, number) for number in (0, 5))
    assert caption.layout().formats()[0].format.fontItalic()
    assert caption.layout().lineAt(0).height() < plain.layout().lineAt(0).height()
    styles = editor.document().documentLayout().styles
    assert [styles.label(line(editor, number)) for number in range(5)] == ["", "a)", "b)", "", ""]
    broken, end = (editor.blockBoundingRect(line(editor, number)).height() for number in (3, 4))
    assert broken < end


def test_typing_keeps_the_look_where_it_was(opened: Callable[[str, bytes], MainWindow]) -> None:
    editor = opened("a.docx", docx(BODY, extra=LISTS)).ui.editor
    type_at(editor, editor.text().index("Some"), "Xx")
    assert is_bold(editor, "bold")
    assert not is_bold(editor, "Some")
    type_at(editor, editor.text().index("bold") + 4, "er")
    assert is_bold(editor, "bolder", 5)
    type_at(editor, editor.text().index("bold"), "y")
    assert not is_bold(editor, "ybold")
    assert is_bold(editor, "bolder")
    editor.go_to(editor.text().index("head"))
    QTest.keyClick(editor, Qt.Key.Key_Return)
    editor.viewport().repaint()
    assert is_bold(editor, "head")
    assert not is_bold(editor, "Some")
    assert is_bold(editor, "bolder")


def test_the_saved_file_has_the_edits_and_nothing_else(
    opened: Callable[[str, bytes], MainWindow], tmp_path: Path
) -> None:
    data = docx(BODY, extra=LISTS)
    window = opened("a.docx", data)
    editor = window.ui.editor
    assert not editor.document().isModified()
    assert not editor.document().isUndoAvailable()
    type_at(editor, 0, "x")
    editor.undo()
    assert not editor.document().isModified()
    assert window.components.documents.save()
    assert (tmp_path / "a.docx").read_bytes() == data
    type_at(editor, editor.text().index("bold") + 4, "er")
    assert window.components.documents.save()
    editor.viewport().repaint()
    assert is_bold(editor, "bolder", 5)


def test_undoing_everything_brings_the_look_back(opened: Callable[[str, bytes], MainWindow]) -> None:
    editor = opened("a.docx", docx(BODY, extra=LISTS)).ui.editor
    start = editor.text().index("bold")
    editor.go_to(start - 1, start + 5)
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    assert "bold" not in editor.text()
    editor.undo()
    editor.viewport().repaint()
    assert is_bold(editor, "bold")
    assert not is_bold(editor, "words")


def test_a_key_in_a_long_document_styles_its_paragraph_alone(
    opened: Callable[[str, bytes], MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = run("The shameful record reveals ") + run("all", "<w:b/>") + run(" of it. " * 12)
    window = opened("long.docx", docx(paragraph(words) * 1_000))
    editor = window.ui.editor
    styled: list[int] = []
    formats = FileStyles.formats

    def counting(styles: FileStyles, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        styled.append(block.blockNumber())
        return formats(styles, block)

    monkeypatch.setattr(FileStyles, "formats", counting)
    middle = line(editor, 500)
    editor.go_to(middle.position() + 3)
    editor.viewport().repaint()
    styled.clear()
    QTest.keyClicks(editor, " and more")
    editor.viewport().repaint()
    assert set(styled) == {500}
    assert len(styled) <= 2 * len(" and more")
    assert is_bold(editor, "all")


def test_a_key_in_a_long_table_styles_its_cell_alone(
    opened: Callable[[str, bytes], MainWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = (row(cell(f"{number}"), cell("a cell")) for number in range(1_000))
    editor = opened("long.docx", docx(table(*rows))).ui.editor
    middle = line(editor, 1_001)
    # The first key also lays out the last page, whose height the scroll bar needs.
    type_at(editor, middle.position() + 3, "x")
    styled: set[int] = set()
    formats = FileStyles.formats

    def noting(styles: FileStyles, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        styled.add(block.blockNumber())
        return formats(styles, block)

    monkeypatch.setattr(FileStyles, "formats", noting)
    QTest.keyClicks(editor, "words")
    editor.viewport().repaint()
    assert styled == {1_001}


def test_the_format_menu_turns_highlighting_on_and_off(opened: Callable[[str, bytes], MainWindow]) -> None:
    window = opened("a.md", b"some **bold** words")
    editor = window.ui.editor
    assert is_bold(editor, "bold")
    window.menus.format_actions[Format.PLAIN].trigger()
    editor.viewport().repaint()
    assert not is_bold(editor, "bold")
    window.menus.format_actions[Format.WIKITEXT].trigger()
    editor.selectAll()
    QTest.keyClicks(editor, "'''Jane'''")
    editor.viewport().repaint()
    assert is_bold(editor, "Jane")
