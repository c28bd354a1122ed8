"""Protects the look of paragraphs of files: notes, captions, lists, cells of tables, and lines of one paragraph."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QPalette, QTextCursor, QTextDocument

from app.editor.block_styles import BlockSpace
from app.editor.file_styles import FileStyles
from core.highlighting.types import FoldKind
from core.text.appearance import Appearance, ParagraphStyle, TextStyle

Styled = tuple[FileStyles, QTextDocument]


def styled(*paragraphs: tuple[str, ParagraphStyle], font: QFont | None = None) -> Styled:
    """The styles of paragraphs, and their document, whose blocks have been styled."""
    text = "\n".join(words for words, _ in paragraphs)
    places = []
    at = 0
    for words, style in paragraphs:
        places.append((at, at + len(words), style))
        at += len(words) + 1
    document = QTextDocument(text)
    styles = FileStyles(document, Appearance((), tuple(places)), text)
    styles.set_theme(QPalette(), font or QFont("sans", 10))
    restyle(styles, document)
    return styles, document


def restyle(styles: FileStyles, document: QTextDocument) -> None:
    for number in range(document.blockCount()):
        styles.formats(document.findBlockByNumber(number))


def edit(styled: Styled, position: int, removed: int, text: str) -> None:
    """Edit a styled document as the editor does."""
    styles, document = styled
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.setPosition(position + removed, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(text)
    styles.moved(position, removed, len(text))
    restyle(styles, document)


def spaces(styled: Styled) -> list[BlockSpace]:
    styles, document = styled
    return [styles.space(document.findBlockByNumber(number)) for number in range(document.blockCount())]


@pytest.mark.usefixtures("qtbot")
def test_a_note_is_small_and_has_its_name_beside_its_first_paragraph() -> None:
    text = "The text\nA bold note\nIts second paragraph"
    look = Appearance(
        ((11, 15, TextStyle(bold=True)),),
        (
            (9, 20, ParagraphStyle(label="Footnote 12", aside=True)),
            (21, 41, ParagraphStyle(aside=True)),
        ),
    )
    document = QTextDocument(text)
    font = QFont("sans", 10)
    styles = FileStyles(document, look, text)
    styles.set_theme(QPalette(), font)
    main, first, second = (document.findBlockByNumber(number) for number in range(3))
    formats = [styles.formats(block) for block in (main, first, second)]
    assert formats[0] == []
    assert all(one.format.fontPointSize() == pytest.approx(8.8) for one in [*formats[1], *formats[2]])
    assert [(one.start, one.length, one.format.fontWeight() == QFont.Weight.Bold) for one in formats[1]] == [
        (0, 11, False),
        (2, 4, True),
    ]
    assert [styles.label(block) for block in (main, first, second)] == ["", "Footnote 12", ""]
    room = styles.space(first).left
    assert styles.space(main).left == 0
    assert room == styles.space(second).left
    assert room > QFontMetricsF(font).horizontalAdvance("Footnote 12")
    assert styles.space(first).above > styles.space(second).above == 0


@pytest.mark.usefixtures("qtbot")
def test_a_caption_is_small_and_italic_and_the_header_of_a_table_is_bold() -> None:
    styles, document = styled(
        ("A caption", ParagraphStyle(caption=True)),
        ("Year", ParagraphStyle(in_table=True, in_header=True)),
        ("2001", ParagraphStyle(in_table=True)),
    )
    caption, header, cell = (styles.formats(document.findBlockByNumber(number)) for number in range(3))
    assert [(one.start, one.length) for one in caption] == [(0, 9)]
    assert caption[0].format.fontItalic()
    assert caption[0].format.fontPointSize() == pytest.approx(9)
    assert header[0].format.fontWeight() == QFont.Weight.Bold
    assert not header[0].format.fontItalic()
    assert cell == []


@pytest.mark.usefixtures("qtbot")
def test_a_list_has_room_for_its_widest_label() -> None:
    font = QFont("sans", 10)
    labels = ("1.", "viii. and more", "•")
    *items, deep, head = spaces(
        styled(
            *((label, ParagraphStyle(list_level=1, label=label)) for label in labels),
            ("Deep", ParagraphStyle(list_level=2, label="◦")),
            ("Head", ParagraphStyle(heading=3, list_level=3, label="1.2.3")),
            font=font,
        )
    )
    widest = QFontMetricsF(font).horizontalAdvance(labels[1])
    assert len({space.left for space in items}) == 1
    assert items[0].left > widest
    assert deep.left > items[0].left
    assert QFontMetricsF(font).horizontalAdvance("1.2.3") < head.left < deep.left


@pytest.mark.usefixtures("qtbot")
def test_lines_of_one_paragraph_have_no_space_between_them() -> None:
    shown = spaces(styled(("one\ntwo\nthree", ParagraphStyle()), ("four", ParagraphStyle(heading=1))))
    assert [bool(space.below) for space in shown] == [False, False, True, True]
    broken = spaces(styled(("one\ntwo", ParagraphStyle(heading=1)), ("end", ParagraphStyle())))
    assert [bool(space.above) for space in broken] == [True, False, False]


@pytest.mark.usefixtures("qtbot")
def test_there_is_room_after_a_table_also_when_its_last_paragraphs_are_edited() -> None:
    cell = ParagraphStyle(in_table=True, starts_cell=True, starts_row=True)
    last = ParagraphStyle(in_table=True, ends_table=True)
    made = styled(("ab", cell), ("cd", last), ("ef", ParagraphStyle(in_table=True, starts_row=True)))
    inner, end, _ = (space.below for space in spaces(made))
    assert end > inner > 0
    edit(made, 5, 0, "x")
    assert [space.below for space in spaces(made)] == [inner, end, inner]
    edit(made, 4, 0, "\n")
    assert [space.below for space in spaces(made)] == [inner, 0, end, inner]
    edit(made, 2, 1, "")
    assert [space.below for space in spaces(made)] == [0, end, inner]
    edit(made, 3, 1, "")
    assert made[1].toPlainText() == "abcdx\nef"
    assert [space.below for space in spaces(made)] == [end, inner]


NOTE, MARGIN = ParagraphStyle(aside=True), ParagraphStyle(aside=True, in_margin=True)


def folded_lines(styled: Styled) -> list[tuple[FoldKind, list[str]]]:
    styles, document = styled
    text = document.toPlainText()
    return [(fold.kind, text[fold.start : fold.end].split("\n")) for fold in styles.find_folds(text)]


@pytest.mark.usefixtures("qtbot")
def test_notes_are_one_fold_and_headers_with_footers_another() -> None:
    notes = replace(NOTE, label="Footnote 1"), NOTE, replace(NOTE, label="Endnote 1", quoted=True)
    made = styled(
        ("🙂 Text", ParagraphStyle(heading=1)),
        ("Plain", ParagraphStyle()),
        *((f"note {number}", look) for number, look in enumerate(notes)),
        ("🙂", replace(MARGIN, label="Header")),
        ("", replace(MARGIN, label="Footer")),
    )
    assert folded_lines(made) == [
        (FoldKind.NOTES, ["note 0", "note 1", "note 2"]),
        (FoldKind.MARGINS, ["🙂", ""]),
    ]


@pytest.mark.usefixtures("qtbot")
@pytest.mark.parametrize("looks", [(), (NOTE,), (MARGIN,), (NOTE, MARGIN)])
def test_a_single_line_is_no_fold(looks: tuple[ParagraphStyle, ...]) -> None:
    made = styled(("a", ParagraphStyle()), *(("b", look) for look in looks))
    assert folded_lines(made) == []


@pytest.mark.usefixtures("qtbot")
def test_folds_of_notes_follow_edits() -> None:
    made = styled(("main", ParagraphStyle()), ("note", NOTE), ("header", MARGIN))
    edit(made, 0, 0, "One\nmore ")
    assert folded_lines(made) == []
    edit(made, made[1].toPlainText().index("note") + 2, 0, "\nnew ")
    assert folded_lines(made) == [(FoldKind.NOTES, ["no", "new te"])]
