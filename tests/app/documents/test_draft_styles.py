"""Protects the look of a file in the window: it moves with edits, costs little at a key, and never reaches the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QTextBlock, QTextLayout
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.file_styles import FileStyles
from app.main_window.window import MainWindow
from core.documents.types import Format
from tests.core.formats.builders import docx, odt, paragraph, run
from tests.core.formats.test_appearance import HTML, LISTED, NUMBERING, PARTS

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
