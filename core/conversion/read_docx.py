"""A Word document as blocks: the words that its editor shows, in that order, with their looks, and its footnotes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    Loss,
    Paragraph,
    Run,
    Table,
    ThematicBreak,
    stripped,
)
from core.conversion.word_blocks import BlockCollector, cell_runs, is_code, is_rule, note_blocks
from core.conversion.xml_tree import Node, read_tree
from core.formats.docx import StylesVisitor, related_parts, relations_of
from core.formats.docx_elements import (
    DELETIONS,
    FORMULAS,
    HIDDEN,
    INSERTIONS,
    PREFIXES,
    TO_SPACES,
    XML_SPACES,
    is_link,
)
from core.formats.docx_reader import PROPERTIES, read_level, read_outline, read_property
from core.formats.office_document import OfficeDocument, visit_part
from core.formats.styles import PLAIN, Style, heading_level, is_quoting, list_level
from core.formats.text_properties import combine, resolve

_PREFIXES = {
    **PREFIXES,
    "http://schemas.openxmlformats.org/package/2006/relationships": "p",
    "http://schemas.openxmlformats.org/drawingml/2006/picture": "pic",
    "urn:schemas-microsoft-com:vml": "v",
}
_OBJECTS = ("w:drawing", "w:pict", "w:object")
_CHARACTERS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:br": "\n",
    "w:cr": "\n",
    "w:noBreakHyphen": "\u2011",
    "w:softHyphen": "\u00ad",
}
_ADDRESS = re.compile(r'HYPERLINK\s+"([^"]*)"', re.IGNORECASE)
_NOTE_KINDS = {"w:footnoteReference": "footnotes", "w:endnoteReference": "endnotes"}


@dataclass(slots=True)
class _Field:
    code: str = ""
    is_shown: bool = False


@dataclass(slots=True)
class _Numbering:
    """The lists of a document: (level is numbered, where it starts) by list and level."""

    levels: dict[tuple[str, int], tuple[bool, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Node) -> _Numbering:
        definitions: dict[str, dict[int, tuple[bool, int]]] = defaultdict(dict)
        found = cls()
        for one in root:
            if one.tag == "w:abstractNum":
                for level in one:
                    if level.tag == "w:lvl":
                        kind, start = level.child("w:numFmt"), level.child("w:start")
                        numbered = kind is not None and kind.get("w:val") not in ("bullet", "none")
                        number = read_level({"w:val": level.get("w:ilvl")})
                        definitions[one.get("w:abstractNumId")][number] = (numbered, _number(start, 1))
        for one in root:
            if one.tag != "w:num" or (definition := one.child("w:abstractNumId")) is None:
                continue
            for level_number, known in definitions[definition.get("w:val")].items():
                found.levels[one.get("w:numId"), level_number] = known
            for level in one:
                if level.tag == "w:lvlOverride" and (start := level.child("w:startOverride")) is not None:
                    key = one.get("w:numId"), read_level({"w:val": level.get("w:ilvl")})
                    found.levels[key] = (found.levels.get(key, (True, 1))[0], _number(start, 1))
        return found


def _number(node: Node | None, otherwise: int) -> int:
    value = node.get("w:val") if node is not None else ""
    return int(value) if value.isdecimal() and len(value) < 9 else otherwise


def read_docx(document: OfficeDocument) -> Content:
    """The content of an opened Word document. Raises ContainerError."""
    package = document.package
    parts = related_parts(package, document.part_name)
    styles = visit_part(package, parts.get("styles"), StylesVisitor(), PREFIXES)
    losses: Counter[Loss] = Counter()
    reader = _Reader(document, styles.found, losses)
    root = read_tree(package, document.part_name, _PREFIXES)
    body = root.child("w:body")
    blocks = tuple(reader.read(body)) if body is not None else ()
    relations = relations_of(package, document.part_name)
    margins = {one.target for one in relations if one.kind in ("header", "footer")}
    for part in margins:
        losses[Loss.MARGIN] += bool(read_tree(package, part, _PREFIXES).text.strip())
    return Content(blocks, losses)


class _Reader:
    def __init__(self, document: OfficeDocument, styles: dict[str, Style], losses: Counter[Loss]) -> None:
        package, part = document.package, document.part_name
        parts = related_parts(package, part)
        self._package = package
        self._styles = styles
        self._losses = losses
        self._numbering = _Numbering.of(read_tree(package, parts.get("numbering"), _PREFIXES))
        self._notes = {
            kind: {one.get("w:id"): one for one in read_tree(package, parts.get(kind), _PREFIXES)}
            for kind in ("footnotes", "endnotes")
        }
        self._addresses = {
            name: _addresses(document, name)
            for name in (part, parts.get("footnotes"), parts.get("endnotes"))
            if name
        }
        self._parts = {"footnotes": parts.get("footnotes", ""), "endnotes": parts.get("endnotes", "")}
        self._part = part
        self._in_note = False
        self._fields: list[_Field] = []
        self._boxes: list[Node] = []
        self._pending: list[Run] = []
        self._counts: dict[str, list[int]] = defaultdict(list)

    def read(self, parent: Node) -> Iterator[Block]:
        """The blocks in an element."""
        collector = BlockCollector()
        self._collect(parent, collector)
        if runs := stripped(self._pending):
            self._pending = []
            collector.add(Paragraph(runs))
        yield from collector.blocks()

    def _collect(self, parent: Node, collector: BlockCollector) -> None:
        for node in parent:
            if node.tag == "w:p":
                self._paragraph(node, collector)
            elif node.tag == "w:tbl":
                self._table(node, collector)
            elif node.tag in DELETIONS:
                self._losses[Loss.CHANGE] += 1
            elif node.tag == "w:altChunk":
                self._losses[Loss.OBJECT] += 1
            elif node.tag == "mc:AlternateContent":
                self._collect(_chosen(node), collector)
            elif node.tag in FORMULAS:
                self._losses[Loss.FORMULA] += 1
            elif node.tag not in HIDDEN:
                self._collect(node, collector)

    def _paragraph(self, node: Node, collector: BlockCollector) -> None:
        properties = node.child("w:pPr") or Node("")
        style = _value(properties, "w:pStyle")
        runs = [*self._pending, *self._inline(node, Run(""), style)]
        self._pending = []
        mark = properties.child("w:rPr")
        if mark is not None and any(mark.child(tag) for tag in (*DELETIONS, *INSERTIONS)):
            self._losses[Loss.CHANGE] += 1
            if any(mark.child(tag) for tag in DELETIONS):
                self._pending = runs
                return
        self._add(properties, style, runs, collector)
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._collect(box, collector)

    def _add(self, properties: Node, style: str, runs: list[Run], collector: BlockCollector) -> None:
        text = "".join(run.text for run in runs)
        outline = properties.child("w:outlineLvl")
        level = read_outline(outline.attributes) if outline else heading_level(style, self._styles)
        if is_code(style, self._styles) and text.strip():
            collector.add(CodeBlock(text.strip("\n")))
            return
        found = stripped(runs)
        if not found:
            if properties.child("w:pBdr") or is_rule(style, self._styles):
                collector.add(ThematicBreak())
            return
        list_id = _value(properties, "w:numPr", "w:numId")
        depth, numbered = list_level(style, self._styles)
        start = 1
        if list_id == "0":
            depth = 0
        elif list_id:
            at = read_level({"w:val": _value(properties, "w:numPr", "w:ilvl")})
            depth = at + 1
            numbered, start = self._numbering.levels.get((list_id, at), (False, 1))
        quoted = is_quoting(style, self._styles)
        if level and not list_id:
            collector.add(Heading(min(level, 6), found))
        elif depth:
            number = self._count(list_id or style, depth, start)
            collector.add_item(depth, numbered, found, list_id=list_id or style, number=number, quoted=quoted)
        else:
            collector.add(Paragraph(found), quoted=quoted)

    def _count(self, list_id: str, depth: int, start: int) -> int:
        counts = self._counts[list_id]
        del counts[depth:]
        counts += [start - 1] * (depth - len(counts))
        counts[-1] += 1
        return counts[-1]

    def _table(self, node: Node, collector: BlockCollector) -> None:
        rows = []
        for row in _found(node, "w:tr"):
            cells = [cell_runs(self.read(cell)) for cell in _found(row, "w:tc")]
            rows.append(tuple(cells))
        if any(runs for row in rows for runs in row):
            collector.add(Table(tuple(row for row in rows if row)))

    # What stands in a paragraph

    def _inline(self, parent: Node, formatting: Run, style: str) -> Iterator[Run]:
        for node in parent:
            match node.tag:
                case "w:r":
                    yield from self._run(node, formatting, style)
                case "w:hyperlink":
                    address = self._addresses.get(self._part, {}).get(node.get("r:id"), "")
                    yield from self._inline(node, replace(formatting, link=address or formatting.link), style)
                case "w:fldSimple":
                    yield from self._inline(
                        node, replace(formatting, link=_address_in(node.get("w:instr"))), style
                    )
                case "mc:AlternateContent":
                    yield from self._inline(_chosen(node), formatting, style)
                case "w:pPr" | "w:rPr" | "w:sdtPr":
                    pass
                case tag if tag in DELETIONS:
                    self._losses[Loss.CHANGE] += 1
                case tag if tag in FORMULAS:
                    self._losses[Loss.FORMULA] += 1
                case tag if tag in INSERTIONS:
                    self._losses[Loss.CHANGE] += 1
                    yield from self._inline(node, formatting, style)
                case tag if tag not in HIDDEN:
                    yield from self._inline(node, formatting, style)

    def _run(self, node: Node, formatting: Run, style: str) -> Iterator[Run]:
        own = PLAIN
        properties = node.child("w:rPr") or Node("")
        for one in properties:
            if one.tag in PROPERTIES:
                own = read_property(own, one.tag, one.attributes)
        run_style = _value(properties, "w:rStyle")
        plain = heading_level(style, self._styles) or is_quoting(style, self._styles)
        known = combine(
            own, resolve({k: s for k, s in self._styles.items() if k}, (run_style, "" if plain else style))
        )
        formatting = replace(
            formatting,
            bold=bool(known.bold),
            italic=bool(known.italic),
            struck=bool(known.struck),
            code=is_code(run_style, self._styles),
        )
        yield from self._run_content(node, formatting)

    def _run_content(self, parent: Node, formatting: Run) -> Iterator[Run]:
        for node in parent:
            tag = node.tag
            if tag == "w:fldChar":
                self._field(node.get("w:fldCharType"))
            elif tag == "w:instrText":
                if self._fields:
                    self._fields[-1].code += node.text
            elif any(not one.is_shown for one in self._fields):
                continue
            elif tag == "w:t":
                keeps = node.get("xml:space") == "preserve"
                text = node.text if keeps else node.text.strip(XML_SPACES)
                link = next(
                    (address for one in self._fields if (address := _address_in(one.code))), formatting.link
                )
                yield replace(formatting, text=text.translate(TO_SPACES), link=link)
            elif tag in _CHARACTERS:
                yield replace(formatting, text=_CHARACTERS[tag])
            elif tag in _NOTE_KINDS:
                yield from self._note(_NOTE_KINDS[tag], node.get("w:id"))
            elif tag == "w:commentReference":
                self._losses[Loss.COMMENT] += 1
            elif tag in _OBJECTS:
                self._object(node)
            elif tag == "w:sym":
                self._losses[Loss.OBJECT] += 1
            elif tag == "mc:AlternateContent":
                yield from self._run_content(_chosen(node), formatting)
            elif tag == "w:ruby":
                base = node.child("w:rubyBase")
                if base is not None:
                    yield from self._inline(base, formatting, "")

    def _object(self, node: Node) -> None:
        """A drawing: the paragraphs in it come behind that which it stands in; a picture is lost."""
        boxes = [one for one in node.walk() if one.tag == "w:txbxContent"]
        self._boxes += boxes[:1]
        is_image = any(one.tag in ("pic:pic", "v:imagedata") for one in node.walk())
        if not boxes:
            self._losses[Loss.IMAGE if is_image else Loss.OBJECT] += 1

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_shown = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _note(self, kind: str, number: str) -> Iterator[Run]:
        found = self._notes[kind].get(number)
        if found is None or self._in_note:
            return
        state = self._part, self._pending, self._boxes, self._fields
        self._part, self._pending, self._boxes, self._fields = self._parts[kind], [], [], []
        self._in_note = True
        blocks = note_blocks(self.read(found))
        self._in_note = False
        self._part, self._pending, self._boxes, self._fields = state
        if blocks:
            yield Run("", note=blocks)


def _chosen(node: Node) -> Node:
    """The branch of alternate content that is shown: the first."""
    return next((one for one in node if one.tag in ("mc:Choice", "mc:Fallback")), Node(""))


def _found(parent: Node, tag: str) -> Iterator[Node]:
    """The nearest elements with a tag, in controls and the like too, but in no table inside."""
    for node in parent:
        if node.tag == tag:
            yield node
        elif node.tag not in ("w:tbl", *HIDDEN):
            yield from _found(node, tag)


def _value(node: Node, *path: str) -> str:
    found = node.child(*path)
    return found.get("w:val") if found is not None else ""


def _address_in(code: str) -> str:
    found = _ADDRESS.search(code) if is_link(code) else None
    return found[1] if found else ""


def _addresses(document: OfficeDocument, part: str) -> dict[str, str]:
    """The addresses that a part of a document refers to, by the ids of the relationships."""
    folder, _, leaf = part.rpartition("/")
    root = read_tree(document.package, f"{folder}/_rels/{leaf}.rels".lstrip("/"), _PREFIXES)
    return {one.get("Id"): one.get("Target") for one in root if one.get("TargetMode") == "External"}
