"""Blocks as an OpenDocument text, written by odfpy."""

from __future__ import annotations

import io
from typing import Any

from odf import style, table, teletype, text
from odf.opendocument import OpenDocumentText

from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    ThematicBreak,
)

_DEEPEST = 10
_BULLETS = "•◦▪"
_INDENT_CM = 0.63
_FORMATTING = (
    ("Bold", "bold", {"fontweight": "bold"}),
    ("Italic", "italic", {"fontstyle": "italic"}),
    ("Struck", "struck", {"textlinethroughstyle": "solid"}),
    ("Source_20_Text", "code", {"fontname": "Courier New", "fontfamily": "'Courier New'"}),
)
"""The name of the style, the field of a run, and the properties of each formatting."""
_SIZES = ("18pt", "16pt", "14pt", "13pt", "12pt", "11pt")


def write_odt(content: Content) -> bytes:
    """The bytes of an OpenDocument text with this content."""
    writer = _Writer()
    for block in content.blocks:
        writer.block(block, writer.document.text)
    file = io.BytesIO()
    writer.document.save(file)
    return file.getvalue()


class _Writer:
    def __init__(self) -> None:
        self.document = OpenDocumentText()
        self._notes = 0
        self._named: set[str] = set()
        self._add_styles()

    def _add_styles(self) -> None:
        styles = self.document.styles
        self._paragraph_style("Standard")
        for level, size in enumerate(_SIZES, 1):
            made = self._paragraph_style(f"Heading_20_{level}", f"Heading {level}", defaultoutlinelevel=level)
            made.addElement(
                style.ParagraphProperties(margintop="0.42cm", marginbottom="0.2cm", keepwithnext="always")
            )
            made.addElement(style.TextProperties(fontsize=size, fontweight="bold"))
        quotation = self._paragraph_style("Quotations")
        quotation.addElement(style.ParagraphProperties(marginleft="1cm", marginright="1cm"))
        code = self._paragraph_style("Preformatted_20_Text", "Preformatted Text")
        code.addElement(style.TextProperties(**_FORMATTING[3][2], fontsize="10pt"))
        rule = self._paragraph_style("Horizontal_20_Line", "Horizontal Line")
        rule.addElement(style.ParagraphProperties(borderbottom="0.5pt solid #808080", padding="0.1cm"))
        note = self._paragraph_style("Footnote")
        note.addElement(style.TextProperties(fontsize="10pt"))
        face = style.FontFace(name="Courier New", fontfamily="'Courier New'", fontpitch="fixed")
        self.document.fontfacedecls.addElement(face)
        cell = style.Style(name="Cell", family="table-cell")
        cell.addElement(style.TableCellProperties(border="0.5pt solid #808080", padding="0.1cm"))
        self.document.automaticstyles.addElement(cell)
        for name, numbered in (("Bullets", False), ("Numbers", True)):
            made = text.ListStyle(name=name)
            for level in range(1, _DEEPEST + 1):
                made.addElement(_list_level(level, numbered=numbered))
            styles.addElement(made)

    def _paragraph_style(self, name: str, shown: str = "", **attributes: Any) -> Any:
        if shown:
            attributes["displayname"] = shown
        if name != "Standard":
            attributes["parentstylename"] = "Standard"
        made = style.Style(name=name, family="paragraph", **attributes)
        self.document.styles.addElement(made)
        return made

    def block(self, block: Block, parent: Any, name: str = "Standard") -> None:
        """Append a block to an element; ``name`` is the style of the paragraphs in it."""
        match block:
            case Paragraph(runs):
                self._runs(runs, _added(parent, text.P(stylename=name)))
            case Heading(level, runs) if parent is self.document.text:
                heading = text.H(outlinelevel=level, stylename=f"Heading_20_{level}")
                self._runs(runs, _added(parent, heading))
            case Heading(_, runs):
                self._runs(runs, _added(parent, text.P(stylename=name)))
            case CodeBlock(code):
                teletype.addTextToElement(_added(parent, text.P(stylename="Preformatted_20_Text")), code)
            case Quote(blocks):
                for inner in blocks:
                    self.block(inner, parent, "Quotations")
            case ItemList():
                self._list(block, parent, name)
            case Table(rows):
                self._table(rows, parent)
            case ThematicBreak():
                _added(parent, text.P(stylename="Horizontal_20_Line"))

    def _list(self, block: ItemList, parent: Any, name: str) -> None:
        made = _added(parent, text.List(stylename="Numbers" if block.numbered else "Bullets"))
        for number, blocks in enumerate(block.items):
            starts = {"startvalue": block.start} if block.numbered and not number else {}
            item = _added(made, text.ListItem(**starts))
            for inner in blocks or (Paragraph(()),):
                self.block(inner, item, name)

    def _table(self, rows: tuple[tuple[Runs, ...], ...], parent: Any) -> None:
        if parent is not self.document.text:
            # No table can stand in a list or a footnote: its rows are paragraphs.
            for row in rows:
                cells = [run for cell in row for run in (Run("\t"), *cell)]
                self.block(Paragraph(tuple(cells[1:])), parent)
            return
        width = max(map(len, rows))
        made = _added(parent, table.Table())
        made.addElement(table.TableColumn(numbercolumnsrepeated=width))
        heads = _added(made, table.TableHeaderRows())
        for number, row in enumerate(rows):
            line = _added(made if number else heads, table.TableRow())
            for cell in (*row, *((),) * (width - len(row))):
                place = _added(line, table.TableCell(stylename="Cell", valuetype="string"))
                self._runs(cell, _added(place, text.P(stylename="Standard")))

    def _runs(self, runs: Runs, paragraph: Any) -> None:
        for run in runs:
            if run.note is not None:
                self._note(run.note, paragraph)
                continue
            place = paragraph
            if run.link:
                place = _added(place, text.A(href=run.link, type="simple"))
            if name := self._formatting(run):
                place = _added(place, text.Span(stylename=name))
            teletype.addTextToElement(place, run.text)

    def _formatting(self, run: Run) -> str:
        """The name of the style for the formatting of a run, which is made when it is first needed."""
        wanted = [formatting for formatting in _FORMATTING if getattr(run, formatting[1])]
        name = "_".join(formatting[0] for formatting in wanted)
        if name and name not in self._named:
            self._named.add(name)
            shown = {"displayname": "Source Text"} if name == "Source_20_Text" else {}
            made = style.Style(name=name, family="text", **shown)
            properties: dict[str, str] = {}
            for formatting in wanted:
                properties |= formatting[2]
            made.addElement(style.TextProperties(**properties))
            self.document.styles.addElement(made)
        return name

    def _note(self, blocks: tuple[Block, ...], paragraph: Any) -> None:
        self._notes += 1
        note = _added(paragraph, text.Note(noteclass="footnote", id=f"ftn{self._notes}"))
        _added(note, text.NoteCitation()).addText(str(self._notes))
        body = _added(note, text.NoteBody())
        for block in blocks:
            self.block(block, body, "Footnote")


def _list_level(level: int, *, numbered: bool) -> Any:
    if numbered:
        made = text.ListLevelStyleNumber(level=level, numformat="1", numsuffix=".")
    else:
        made = text.ListLevelStyleBullet(level=level, bulletchar=_BULLETS[min(level, 3) - 1])
    place = f"{_INDENT_CM * (level + 1):.2f}cm"
    properties = style.ListLevelProperties(listlevelpositionandspacemode="label-alignment")
    properties.addElement(
        style.ListLevelLabelAlignment(
            labelfollowedby="listtab",
            listtabstopposition=place,
            textindent=f"-{_INDENT_CM}cm",
            marginleft=place,
        )
    )
    made.addElement(properties)
    return made


def _added(parent: Any, element: Any) -> Any:
    parent.addElement(element)
    return element
