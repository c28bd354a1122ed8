"""An OpenDocument text as blocks: the words that its editor shows, in that order, with their looks, and footnotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Loss,
    Paragraph,
    Quote,
    Run,
    Table,
    ThematicBreak,
    stripped,
)
from core.conversion.word_blocks import BlockCollector, cell_runs, is_code, is_rule, note_blocks
from core.conversion.xml_tree import Node, read_tree
from core.formats.odt_reader import HIDDEN, INDEX_SOURCE, PARAGRAPHS, PREFIXES, SPACES, TO_SPACES, StyleReader
from core.formats.office_document import OfficeDocument
from core.formats.styles import heading_level, is_quoting
from core.formats.text_properties import resolve
from core.text.list_labels import ListLevel

_PREFIXES = {**PREFIXES, "http://www.w3.org/1999/xlink": "xlink"}
_MOST_SPACES = 1000


def read_odt(document: OfficeDocument) -> Content:
    """The content of an opened OpenDocument text. Raises ContainerError."""
    losses: Counter[Loss] = Counter()
    root = read_tree(document.package, document.part_name, _PREFIXES)
    other = read_tree(document.package, "styles.xml", _PREFIXES)
    styles = StyleReader()
    for node in (*other.walk(), *root.walk()):
        styles.start(node.tag, node.attributes)
        if node.tag in ("style:header", "style:footer") and node.get("style:display") != "false":
            losses[Loss.MARGIN] += bool(node.text.strip())
    reader = _Reader(styles, losses)
    body = root.child("office:body", "office:text")
    return Content(tuple(reader.read(body)) if body is not None else (), losses)


def _integer(node: Node, name: str, otherwise: int) -> int:
    value = node.get(name)
    return int(value) if value.isdecimal() and len(value) < 9 else otherwise


class _Reader:
    def __init__(self, styles: StyleReader, losses: Counter[Loss]) -> None:
        self._styles = styles.found
        self._lists = styles.lists
        self._losses = losses
        self._ends: dict[str, int] = {}
        self._boxes: list[Node] = []
        self._in_note = False

    def read(self, parent: Node) -> Iterator[Block]:
        """The blocks in an element."""
        collector = BlockCollector()
        self._collect(parent, collector)
        return collector.blocks()

    def _collect(self, parent: Node, collector: BlockCollector) -> None:
        for node in parent:
            if node.tag in PARAGRAPHS:
                self._paragraph(node, collector)
            elif node.tag == "text:list":
                style = next((one.get("text:style-name") for one in node.walk() if one.tag in PARAGRAPHS), "")
                quoted = is_quoting(style, self._styles)
                found = self._list(node, "", 1, quoted=quoted)
                if found is not None:
                    collector.add(found, quoted=quoted)
            elif node.tag == "table:table":
                rows = [
                    tuple(cell_runs(self.read(cell)) for cell in _found(row, "table:table-cell"))
                    for row in _found(node, "table:table-row")
                ]
                if any(runs for row in rows for runs in row):
                    collector.add(Table(tuple(row for row in rows if row)))
            elif node.tag == "text:tracked-changes":
                self._losses[Loss.CHANGE] += sum(one.tag == "text:changed-region" for one in node)
            elif node.tag.startswith("draw:"):
                self._object(node)
                self._take_boxes(collector)
            elif node.tag not in HIDDEN and not INDEX_SOURCE.fullmatch(node.tag):
                self._collect(node, collector)

    def _take_boxes(self, collector: BlockCollector) -> None:
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self._collect(box, collector)

    def _paragraph(self, node: Node, collector: BlockCollector) -> None:
        style = node.get("text:style-name")
        level = heading_level(style, self._styles)
        if node.tag == "text:h":
            level = _integer(node, "text:outline-level", 1)
        quoted = is_quoting(style, self._styles)
        names = () if level or quoted else (style,)
        runs = list(self._inline(node, Run(""), names))
        if is_code(style, self._styles):
            text = "".join(run.text for run in runs)
            if text.strip():
                collector.add(CodeBlock(text.strip("\n")), quoted=quoted)
        elif found := stripped(runs):
            collector.add(Heading(min(level, 6), found) if level else Paragraph(found), quoted=quoted)
        elif is_rule(style, self._styles):
            collector.add(ThematicBreak(), quoted=quoted)
        self._take_boxes(collector)

    def _list(self, node: Node, style: str, level: int, *, quoted: bool) -> ItemList | None:
        """A list; in a ``quoted`` one the paragraphs are no quotations of their own."""
        style = node.get("text:style-name") or style
        known = self._lists.get(style, {}).get(level, ListLevel(""))
        numbered, start = known.numbers not in ("", "none"), known.start
        items: list[tuple[Block, ...]] = []
        first = next((one for one in node if one.tag == "text:list-item"), Node(""))
        if node.get("text:continue-numbering") == "true" and level == 1:
            start = self._ends.get(style, 0) + 1
        start = _integer(first, "text:start-value", start)
        for item in node:
            blocks: list[Block] = []
            for part in item:
                if part.tag == "text:list":
                    inner = self._list(part, style, level + 1, quoted=quoted)
                    blocks += [inner] if inner is not None else []
                else:
                    for block in self.read(Node("", {}, [part])):
                        blocks += block.blocks if quoted and isinstance(block, Quote) else [block]
            if blocks and isinstance(blocks[0], ItemList) and items:
                # LibreOffice puts a deeper item into an item of its own.
                items[-1] += tuple(blocks)
            elif blocks:
                items.append(tuple(blocks))
        if level == 1:
            self._ends[style] = start + len(items) - 1
        return ItemList(tuple(items), numbered, start) if items else None

    # What stands in a paragraph

    def _inline(self, parent: Node, formatting: Run, names: tuple[str, ...]) -> Iterator[Run]:
        known = resolve(self._styles, names)
        formatting = replace(
            formatting,
            bold=bool(known.bold),
            italic=bool(known.italic),
            struck=bool(known.struck),
            code=formatting.code or any(is_code(name, self._styles) for name in names[:-1]),
        )
        for child in parent.children:
            if isinstance(child, str):
                yield replace(formatting, text=SPACES.sub(" ", child).translate(TO_SPACES))
                continue
            match child.tag:
                case "text:s":
                    yield replace(formatting, text=" " * min(_integer(child, "text:c", 1), _MOST_SPACES))
                case "text:tab" | "text:line-break":
                    yield replace(formatting, text="\t" if child.tag == "text:tab" else "\n")
                case "text:span":
                    style = child.get("text:style-name")
                    yield from self._inline(child, formatting, (style, *names) if style else names)
                case "text:a":
                    yield from self._inline(child, replace(formatting, link=child.get("xlink:href")), names)
                case "text:note":
                    yield from self._note(child)
                case "office:annotation":
                    self._losses[Loss.COMMENT] += 1
                case "text:ruby-text":
                    pass
                case tag if tag.startswith("draw:"):
                    self._object(child)
                case tag if tag not in HIDDEN:
                    yield from self._inline(child, formatting, names)

    def _object(self, node: Node) -> None:
        """A drawing: the paragraphs in it come behind that which it stands in; a picture is lost."""
        boxes = [one for one in node.walk() if one.tag == "draw:text-box"]
        tags = {one.tag for one in node.walk()}
        if boxes:
            self._boxes += boxes[:1]
        elif tags & set(PARAGRAPHS):
            self._boxes.append(node)
        else:
            is_image = "draw:image" in tags and "draw:object" not in tags
            self._losses[Loss.IMAGE if is_image else Loss.OBJECT] += 1

    def _note(self, node: Node) -> Iterator[Run]:
        body = node.child("text:note-body")
        if body is None or self._in_note:
            return
        boxes, self._boxes, self._in_note = self._boxes, [], True
        blocks = note_blocks(self.read(body))
        self._boxes, self._in_note = boxes, False
        if blocks:
            yield Run("", note=blocks)


def _found(parent: Node, tag: str) -> Iterator[Node]:
    """The nearest elements with a tag, in groups of rows too, but in no table inside."""
    for node in parent:
        if node.tag == tag:
            yield node
        elif node.tag != "table:table":
            yield from _found(node, tag)
