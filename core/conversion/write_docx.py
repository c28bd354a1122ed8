"""Blocks as a Word document, written by python-docx on its default template.

Footnotes are a part of their own, which python-docx cannot make: ECMA-376 part 1, 17.11.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import docx
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import XmlPart
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Pt, RGBColor
from docx.text.font import Font

from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Table,
    ThematicBreak,
)

_FONT = "Courier New"
_NOTE_STYLE, _MARK_STYLE = "FootnoteText", "FootnoteReference"
"""The ids of the styles of footnotes and of their marks."""
_DEEPEST = 8
_INDENT = 360
"""How far a level of lists or quotations is indented, in twentieths of a point."""
_BULLETS = "•◦▪"
_BULLET_LIST, _NUMBERED_LIST = 7001, 7002
"""The ids of the two definitions of lists, above those of the template."""


def write_docx(content: Content) -> bytes:
    """The bytes of a Word document with this content. Raises ValueError for a character that XML cannot hold."""
    document = docx.Document()
    _prepare(document)
    writer = _Writer(document)
    for block in content.blocks:
        writer.block(block, document.element.body)
    writer.finish()
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _prepare(document: Document) -> None:
    """The styles that the template lacks, the definitions of the two kinds of lists, and no name of an author."""
    facts = document.core_properties
    facts.author = facts.comments = facts.last_modified_by = ""
    facts.created = facts.modified = datetime.now(UTC).replace(tzinfo=None)
    styles = document.styles
    code = styles.add_style("Code", WD_STYLE_TYPE.PARAGRAPH)
    code.base_style = styles["Normal"]
    for style in (code, styles.add_style("Code Char", WD_STYLE_TYPE.CHARACTER)):
        style.font.name = _FONT
        style.font.size = Pt(10)
    rule = styles.add_style("Rule", WD_STYLE_TYPE.PARAGRAPH)
    rule.base_style = styles["Normal"]
    border = _element("w:pBdr")
    border.append(_element("w:bottom", val="single", sz=6, space=1, color="auto"))
    rule.element.get_or_add_pPr().append(border)
    link = styles.add_style("Hyperlink", WD_STYLE_TYPE.CHARACTER, builtin=True)
    link.font.underline = True
    link.font.color.rgb = RGBColor(0x05, 0x63, 0xC1)
    note = styles.add_style("footnote text", WD_STYLE_TYPE.PARAGRAPH, builtin=True)
    note.element.styleId = _NOTE_STYLE
    note.base_style = styles["Normal"]
    note.font.size = Pt(9)
    mark = styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER, builtin=True)
    mark.element.styleId = _MARK_STYLE
    mark.font.superscript = True
    # The template's second copy of the styles, for Word 2010, lacks those above.
    for id, relation in list(document.part.rels.items()):
        if relation.reltype.endswith("/stylesWithEffects"):
            del document.part.rels[id]
    numbering = document.part.numbering_part.element
    for number, is_numbered in ((_BULLET_LIST, False), (_NUMBERED_LIST, True)):
        numbering.insert(0, _list_definition(number, is_numbered))


def _list_definition(number: int, is_numbered: bool) -> Any:
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{"decimal" if is_numbered else "bullet"}"/>'
        f'<w:lvlText w:val="{f"%{level + 1}." if is_numbered else _BULLETS[min(level, 2)]}"/><w:lvlJc w:val="left"/>'
        f'<w:pPr><w:ind w:left="{_INDENT * (level + 2)}" w:hanging="{_INDENT}"/></w:pPr></w:lvl>'
        for level in range(_DEEPEST + 1)
    )
    return parse_xml(
        f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{number}"><w:multiLevelType w:val="multilevel"/>'
        f"{levels}</w:abstractNum>"
    )


def _element(tag: str, **attributes: object) -> Any:
    made = OxmlElement(tag)
    for name, value in attributes.items():
        made.set(qn(f"w:{name}"), str(value))
    return made


class _Writer:
    """Appends blocks to the body, and footnotes to their part. ``part`` is the one that is written to."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._numbering = document.part.numbering_part.element
        self._part: Any = document.part
        self._notes: XmlPart | None = None
        self._count = 0

    def finish(self) -> None:
        """The properties of the section stay last in the body."""
        body = self._document.element.body
        body.append(body.sectPr)

    def block(self, block: Block, parent: Any, depth: int = 0, lists: int = 0, style: str = "") -> None:
        """Append a block: ``depth`` levels indented, inside as many ``lists``, its paragraphs in a ``style``."""
        match block:
            case Paragraph(runs):
                self._runs(runs, self._paragraph(parent, style, depth))
            case Heading(level, runs):
                self._runs(runs, self._paragraph(parent, f"Heading{level}", 0))
            case CodeBlock(text):
                self._runs([Run(text)], self._paragraph(parent, "Code", depth))
            case Quote(blocks):
                for inner in blocks:
                    self.block(inner, parent, depth + 1, lists, "Quote")
            case ItemList():
                self._list(block, parent, depth, lists, style)
            case Table(rows):
                self._table(rows, parent)
            case ThematicBreak():
                self._paragraph(parent, "Rule", 0)

    def _paragraph(self, parent: Any, style: str, depth: int) -> Any:
        made = OxmlElement("w:p")
        parent.append(made)
        if style:
            made.get_or_add_pPr().style = style
        if depth:
            made.get_or_add_pPr().get_or_add_ind().set(qn("w:left"), str(_INDENT * (depth + 1)))
        return made

    def _list(self, block: ItemList, parent: Any, depth: int, lists: int, style: str) -> None:
        level = min(lists, _DEEPEST)
        number = self._numbering.add_num(_NUMBERED_LIST if block.numbered else _BULLET_LIST)
        if block.numbered:
            number.add_lvlOverride(level).add_startOverride(block.start)
        for item in block.items:
            first, *rest = item if item and isinstance(item[0], Paragraph) else (Paragraph(()), *item)
            assert isinstance(first, Paragraph)
            made = self._paragraph(parent, style or "ListParagraph", 0)
            if depth != level:
                indent = made.get_or_add_pPr().get_or_add_ind()
                indent.set(qn("w:left"), str(_INDENT * (depth + 2)))
                indent.set(qn("w:hanging"), str(_INDENT))
            properties = made.get_or_add_pPr().get_or_add_numPr()
            properties.get_or_add_ilvl().val = level
            properties.get_or_add_numId().val = number.numId
            self._runs(first.runs, made)
            for inner in rest:
                self.block(inner, parent, depth + 1, lists + 1, style)

    def _table(self, rows: tuple[tuple[tuple[Run, ...], ...], ...], parent: Any) -> None:
        width = max(map(len, rows))
        table = self._document.add_table(len(rows), width)
        table.style = self._document.styles["Table Grid"]
        # The table was put before the properties of the section, and belongs behind what was appended after them.
        parent.append(table._tbl)
        for number, (row, cells) in enumerate(zip(table.rows, rows, strict=True)):
            if not number:
                row._tr.get_or_add_trPr().append(_element("w:tblHeader"))
            for cell, runs in zip(row.cells, cells, strict=False):
                self._runs(runs, cell.paragraphs[0]._p)
        self._paragraph(parent, "", 0)

    def _runs(self, runs: Iterable[Run], paragraph: Any) -> None:
        link, target = "", paragraph
        for run in runs:
            if run.link != link or run.note is not None:
                link, target = run.link, paragraph
                if link and run.note is None:
                    target = self._link(link)
                    paragraph.append(target)
            target.append(self._run(run) if run.note is None else self._note_mark(run.note))

    def _link(self, address: str) -> Any:
        made = OxmlElement("w:hyperlink")
        made.set(qn("r:id"), self._part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
        return made

    def _run(self, run: Run) -> Any:
        made = OxmlElement("w:r")
        if run.link or run.code:
            made.style = "CodeChar" if run.code else "Hyperlink"
        font = Font(made)
        font.bold, font.italic, font.strike = run.bold or None, run.italic or None, run.struck or None
        made.text = run.text
        return made

    def _note_mark(self, blocks: tuple[Block, ...]) -> Any:
        """Write a footnote; returns the run with its mark."""
        if self._notes is None:
            self._notes = self._notes_part()
        self._count += 1
        note = _element("w:footnote", id=self._count)
        self._notes.element.append(note)
        before, self._part = self._part, self._notes
        for block in blocks:
            self.block(block, note, style=_NOTE_STYLE)
        self._part = before
        first = note.find(qn("w:p"))
        if first is None:
            first = self._paragraph(note, _NOTE_STYLE, 0)
        place = 1 if first.pPr is not None else 0
        first.insert(place, _mark("w:footnoteRef"))
        first.insert(place + 1, self._run(Run(" ")))
        return _mark("w:footnoteReference", id=self._count)

    def _notes_part(self) -> XmlPart:
        package = self._document.part.package
        assert package is not None
        lines = "".join(
            f'<w:footnote w:type="{kind}" w:id="{number}"><w:p><w:r><w:{kind}/></w:r></w:p></w:footnote>'
            for number, kind in ((-1, "separator"), (0, "continuationSeparator"))
        )
        root = parse_xml(f"<w:footnotes {nsdecls('w', 'r')}>{lines}</w:footnotes>")
        part = XmlPart(PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, root, package)
        self._document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        return part


def _mark(tag: str, **attributes: object) -> Any:
    made = OxmlElement("w:r")
    made.style = _MARK_STYLE
    made.append(_element(tag, **attributes))
    return made
