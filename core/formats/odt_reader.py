"""A part of an odt as lines: what a word processor shows, which bytes hold it, and where text can be inserted.

Elements are those of OpenDocument 1.3, part 3, chapters 5 to 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from core.documents.suppression import is_suppression_comment
from core.documents.unread import holds_prose
from core.formats.odt_writer import MAX_SPACES, OdtTarget, Span
from core.formats.styles import Style, TextProperties, heading_level, is_caption, is_quoting
from core.formats.text_layout import Aside, Line, Segment
from core.formats.text_properties import mark_link, mark_properties, resolve
from core.formats.xml_scan import Visitor, element_end, tag_end, tag_name
from core.i18n import tr
from core.text.appearance import ParagraphStyle
from core.text.list_labels import ListCounter, ListLevel
from core.text.table_cells import OpenTables
from core.types import Unread, UnreadKind

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
PREFIXES = {
    **{f"{_OASIS}{name}:1.0": name for name in ("office", "text", "table", "style", "form", "manifest")},
    f"{_OASIS}drawing:1.0": "draw",
    f"{_OASIS}svg-compatible:1.0": "svg",
    f"{_OASIS}xsl-fo-compatible:1.0": "fo",
    "http://www.w3.org/XML/1998/namespace": "xml",
}
OBJECT = "\ufffc"
PARAGRAPHS = ("text:p", "text:h")
CELLS = ("table:table-cell", "table:covered-table-cell")
CLEAR = {"text:span", "text:a", "text:meta", "text:ruby", "text:ruby-base"}
NO_WIDTH = {
    *(
        "text:bookmark",
        "text:bookmark-start",
        "text:bookmark-end",
        "text:reference-mark",
        "text:reference-mark-start",
    ),
    *(
        "text:reference-mark-end",
        "text:change",
        "text:change-start",
        "text:change-end",
        "text:soft-page-break",
    ),
    *("text:toc-mark", "text:toc-mark-start", "text:toc-mark-end", "text:user-index-mark"),
    *("text:user-index-mark-start", "text:user-index-mark-end", "text:alphabetical-index-mark"),
    *("text:alphabetical-index-mark-start", "text:alphabetical-index-mark-end"),
}
HIDDEN = {
    *(
        "office:dde-source",
        "text:tracked-changes",
        "text:note",
        "office:annotation",
        "office:forms",
        "office:event-listeners",
    ),
    *("text:variable-decls", "text:sequence-decls", "text:user-field-decls", "text:dde-connection-decls"),
    *(
        "text:index-title-template",
        "text:ruby-text",
        "office:binary-data",
        "text:alphabetical-index-auto-mark-file",
    ),
}
MARGINS = {
    *("style:header", "style:header-left", "style:header-first"),
    *("style:footer", "style:footer-left", "style:footer-first"),
}
INDEXES = {
    *("text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index"),
    *("text:user-index", "text:alphabetical-index", "text:bibliography"),
}
INDEX_SOURCE = re.compile(r"text:[a-z-]+-source")
SPACES = re.compile("[ \t\n\r]+")
TO_SPACES = str.maketrans("\u2029", " ")
OWN_ATTRIBUTES = re.compile(
    rb"""\s(?:xml:id|xhtml:[\w-]+|[\w.-]+:(?:id|restart-numbering|start-value))\s*=\s*(?:"[^"]*"|'[^']*')"""
)


def lock_reasons() -> dict[str, str]:
    """Why something cannot be edited, as sentences for a person, by key."""
    return {
        "field": tr("This is a field that the word processor computes. Change it there."),
        "object": tr("This is a picture, a drawing or an object. Change it in the word processor."),
        "index": tr("This is an index that the word processor computes. Change it there."),
        "spaces": tr("These are more spaces than can be shown. Change them in the word processor."),
        "protected": tr(
            "This part of the document is protected. Remove the protection in the word processor first."
        ),
        "linked": tr("This part of the document comes from another file. Change it there."),
    }


_OUTLINE = " outline"
"""The name of the style of the numbers of headings, which has none in a file."""
_NUMBERED = ("text:list-level-style-number", "text:outline-level-style")
_LABELS = (*_NUMBERED, "text:list-level-style-bullet", "text:list-level-style-image")


class StyleReader:
    """Collects styles by their names from the tags of a part; the default of paragraphs by no name.

    ``lists`` are the levels of the styles of lists, from 1 on.
    """

    def __init__(self) -> None:
        self.found: dict[str, Style] = {}
        self.lists: dict[str, dict[int, ListLevel]] = {}
        self._name: str | None = None
        self._list = ""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag of the part."""
        if tag == "style:style":
            self._name = attributes.get("style:name", "")
            level = attributes.get("style:default-outline-level")
            self.found[self._name] = Style(
                attributes.get("style:display-name", ""),
                attributes.get("style:parent-style-name", ""),
                outline=None if level is None else int(level) if level.isdecimal() and len(level) < 4 else 0,
            )
        elif tag == "style:default-style":
            self._name = "" if attributes.get("style:family") == "paragraph" else None
        elif tag == "style:text-properties" and self._name is not None:
            known = self.found.get(self._name, Style())
            self.found[self._name] = replace(known, properties=_read_properties(attributes))
        elif tag.startswith("text:") or tag in ("style:page-layout", "style:master-page"):
            self._name = None
            if tag in ("text:list-style", "text:outline-style"):
                self._list = attributes.get("style:name", "") if tag == "text:list-style" else _OUTLINE
                self.lists[self._list] = {}
            elif tag in _LABELS and self._list in self.lists:
                place = _read_number(attributes.get("text:level", ""))
                self.lists[self._list][place] = _read_level(tag, place, attributes)


def _read_level(tag: str, level: int, attributes: Mapping[str, str]) -> ListLevel:
    """What an element of a style of lists says of a level."""
    if tag not in _NUMBERED:
        return ListLevel("")
    numbers = attributes.get("style:num-format", "")
    if not numbers:
        return ListLevel("none")
    shown = min(_read_number(attributes.get("text:display-levels", "")), level)
    text = ".".join(f"%{one}" for one in range(level - shown + 1, level + 1))
    prefix, suffix = (
        attributes.get(f"style:num-{where}", "").replace("%", "") for where in ("prefix", "suffix")
    )
    return ListLevel(
        numbers if numbers in "1aAiI" else "1",
        _read_number(attributes.get("text:start-value", "")),
        f"{prefix}{text}{suffix}",
    )


def _read_number(value: str) -> int:
    """A number in an attribute; 1 where there is none."""
    return int(value) if value.isdecimal() and len(value) < 9 else 1


def _read_properties(attributes: Mapping[str, str]) -> TextProperties:
    slant = attributes.get("fo:font-style")
    lines = [attributes.get(f"style:text-line-through-{what}") for what in ("style", "type")]
    position = attributes.get("style:text-position")
    weight, line = attributes.get("fo:font-weight"), attributes.get("style:text-underline-style")
    return TextProperties(
        attributes.get("fo:language"),
        None if slant is None else slant in ("italic", "oblique"),
        None if lines == [None, None] else any(line not in (None, "none") for line in lines),
        None
        if position is None
        else position.startswith("super") or (position[:1].isdigit() and not position.startswith("0")),
        None if weight is None else weight == "bold" or (weight.isdecimal() and int(weight) >= 600),
        None if line is None else line != "none",
    )


_ALL_SPACES = 5_000_000
_MOST_OF_MARK = 12
"""The most characters of the mark of a note that its label shows."""


@dataclass(slots=True, eq=False)
class _OpenParagraph:
    """A paragraph that is being read. ``inner`` are the lines of its text boxes, which come after it.

    ``place`` is what its list and its table say of it. ``span_styles`` are the depth, the style and the place in the
    line of each open span.
    """

    line: Line
    head: bytes
    prefix: bytes
    splittable: bool
    place: ParagraphStyle
    spans: list[tuple[int, Span]] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)
    object_depth: int = 0
    begun: bool = False
    bare: bool = True
    style: str = ""
    outline: int = 0
    span_styles: list[tuple[int, str, int]] = field(default_factory=list)
    inner: list[Line] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class _OpenList:
    """A list that is being read: its element is at a ``depth``. Its items go on counting by ``counter``.

    ``number`` is the own number of the open item, and ``has_label`` whether its first paragraph has begun.
    """

    depth: int
    level: int
    counter: str
    style: str
    number: int | None = None
    has_label: bool = False


@dataclass(slots=True, eq=False)
class _OpenAside:
    """A note, a header or a footer that is being read: its element is at ``depth``, inside ``around`` open paragraphs.

    ``anchor`` is where the element of a note begins, ``citation`` its mark.
    """

    tag: str
    depth: int
    around: int
    anchor: int = -1
    is_endnote: bool = False
    citation: str = ""
    lines: list[Line] = field(default_factory=list)
    tables: OpenTables = field(default_factory=OpenTables)

    def finished(self) -> Aside:
        """The aside with the lines that were read."""
        if self.tag != "text:note":
            return Aside(self.lines, tr("Header") if self.tag.startswith("style:header") else tr("Footer"))
        mark = " ".join(self.citation.split())[:_MOST_OF_MARK].rstrip()
        if self.is_endnote:
            label = tr("Endnote {number}").format(number=mark) if mark else tr("Endnote")
        else:
            label = tr("Footnote {number}").format(number=mark) if mark else tr("Footnote")
        return Aside(self.lines, label, self.anchor, mark)


class OdtReader(Visitor):
    """A visitor of ``content.xml`` or ``styles.xml``.

    After the scan: ``lines``; ``asides``, the notes or the headers and footers that have words; ``suppressed``, the ids
    of comments that switch checks off; ``unread``, what is not shown.
    """

    def __init__(
        self,
        data: bytes,
        styles: Mapping[str, Style] = MappingProxyType({}),
        lists: Mapping[str, Mapping[int, ListLevel]] = MappingProxyType({}),
    ) -> None:
        self.lines: list[Line] = []
        self.asides: list[Aside] = []
        self._open_asides: list[_OpenAside] = []
        self.unread: list[Unread] = []
        self.tracking = False
        self.suppressed: set[str] = set()
        self._outer_styles = styles
        self._outer_lists = lists
        self._styles = StyleReader()
        self._lists: list[_OpenList] = []
        self._items = ListCounter()
        self._lists_by_id: dict[str, str] = {}
        self._last_lists: dict[str, str] = {}
        self._tables = OpenTables()
        self._resolved: dict[tuple[str, ...], TextProperties] = {}
        self.is_document = False
        self._data = data
        self._stack: list[tuple[str, int]] = []
        self._skip = 0
        self._open: list[_OpenParagraph] = []
        self._locks: list[tuple[int, str]] = []
        self._annotation: tuple[str, list[str]] | None = None
        self._reasons = lock_reasons()
        self._inline: dict[str, Callable[[int, int], None]] = {
            "text:s": lambda start, at: self._spaces_element(start, at),
            "text:tab": lambda start, at: self._character("\t", start, at),
            "text:line-break": self._line_break,
        }
        self._counts: list[int] = []
        self._spaces_left = _ALL_SPACES

    @property
    def styles(self) -> dict[str, Style]:
        """The styles of the document, those of this part over the others."""
        return {**self._outer_styles, **self._styles.found}

    @property
    def list_styles(self) -> dict[str, Mapping[int, ListLevel]]:
        """The styles of lists, those of this part over the others."""
        return {**self._outer_lists, **self._styles.lists}

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        parent = self._stack[-1][0] if self._stack else ""
        self._stack.append((tag, at))
        if self._skip:
            if tag == "text:deletion":
                self.unread.append(Unread(UnreadKind.DELETION))
            return
        if tag == "office:text":
            self.is_document = True
        here = self._here
        if tag == "text:note" or tag in MARGINS:
            self._start_aside(tag, attributes, at)
        elif tag in HIDDEN or INDEX_SOURCE.fullmatch(tag):
            self._hide(tag, attributes)
        elif tag in PARAGRAPHS:
            self._start_paragraph(at, parent)
            self._open[-1].style = attributes.get("text:style-name", "")
            self._open[-1].outline = self._outline(tag, attributes)
            if tag == "text:h" and attributes.get("text:is-list-header") != "true":
                self._number_heading(self._open[-1])
        elif here is not None and not here.object_depth:
            self._begin(here)
            self._start_inline(here, tag, attributes, at)
        else:
            self._start_block(tag, attributes)

    def end(self, tag: str, at: int) -> None:
        depth = len(self._stack)
        _, start = self._stack.pop()
        if self._skip:
            if depth == self._skip:
                self._skip = 0
                if tag == "office:annotation":
                    self._end_annotation()
            return
        if self._locks and self._locks[-1][0] == depth:
            self._locks.pop()
        if self._lists and self._lists[-1].depth == depth:
            self._lists.pop()
        self._end_of_table(tag)
        if self._open_asides and self._open_asides[-1].depth == depth:
            self._end_aside()
            return
        here = self._here
        if here is None:
            return
        if here.span_styles and here.span_styles[-1][0] == depth:
            _, style, begun = here.span_styles.pop()
            here.line.mark_style(style, begun)
            if tag == "text:a":
                mark_link(here.line, begun)
        if tag in PARAGRAPHS:
            self._end_paragraph(start, at)
        elif here.object_depth:
            if here.object_depth == depth:
                here.object_depth = 0
                end = element_end(self._data, start, at)
                here.line.add(Segment(OBJECT, start, end, reason=self._reason() or self._reasons["object"]))
                here.bare = False
                self._add_insertion_point(here, end)
        elif here.spans and here.spans[-1][0] == depth:
            here.spans.pop()
        elif tag in self._inline:
            self._inline[tag](start, at)
        elif here.blocks and here.blocks[-1] == depth:
            here.blocks.pop()
        elif tag not in NO_WIDTH and tag not in CLEAR and tag != "office:annotation-end":
            self._add_insertion_point(here, element_end(self._data, start, at))

    def text(self, text: str, start: int, end: int) -> None:
        if self._skip:
            if self._annotation is not None and self._stack[-1][0].startswith("text:"):
                self._annotation[1].append(text)
            return
        if self._stack and self._stack[-1][0] == "svg:desc" and holds_prose(text):
            self.unread.append(Unread(UnreadKind.ALTERNATIVE))
        here = self._here
        if here is None or here.object_depth:
            if self._open_asides and self._stack[-1][0] == "text:note-citation":
                self._open_asides[-1].citation += text
            return
        self._begin(here)
        shown = SPACES.sub(" ", text).translate(TO_SPACES)
        unstable = False
        if here.bare and shown.startswith(" "):
            shown = shown[1:]
            unstable = True
        if shown:
            here.bare = shown.endswith(" ")
        begun = here.line.length
        self._add(here, shown, (start, end), unstable=unstable)
        mark_properties(here.line, begun, self._properties(here))

    @property
    def _here(self) -> _OpenParagraph | None:
        """The innermost paragraph inside the open note, if there is one, else in the text."""
        around = self._open_asides[-1].around if self._open_asides else 0
        return self._open[-1] if len(self._open) > around else None

    @property
    def _done(self) -> list[Line]:
        """The lines of the open note, header or footer, else those of the text."""
        return self._open_asides[-1].lines if self._open_asides else self.lines

    # Notes, headers and footers

    def _start_aside(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        depth = len(self._stack)
        if attributes.get("style:display") == "false":
            self._skip = depth
            return
        here = self._here
        if here is not None:
            self._begin(here)
            here.bare = False
            here.line.mark_note(at)
        is_endnote = attributes.get("text:note-class") == "endnote"
        self._open_asides.append(_OpenAside(tag, depth, len(self._open), at, is_endnote))

    def _end_aside(self) -> None:
        aside = self._open_asides.pop()
        # A header that was emptied here has no empty tag: it is still shown, so that words can be typed in it.
        if aside.tag == "text:note" or not all(line.empty_tag for line in aside.lines):
            self.asides.append(aside.finished())

    # Paragraphs

    def _start_paragraph(self, at: int, parent: str) -> None:
        end = tag_end(self._data, at)
        tag = self._data[at:end]
        name = tag_name(self._data, at)
        empty = tag.endswith(b"/>")
        plain = b"xmlns" not in tag
        locked = bool(self._reason())
        line = Line(start=at, content=end, empty_tag=empty, joinable=plain and not locked)
        head = OWN_ATTRIBUTES.sub(b"", tag[:-2] + b">" if empty else tag)
        between = b""
        if parent == "text:list-item":
            item = self._stack[-2][1]
            item_end = tag_end(self._data, item)
            if not self._data[item_end:at].strip():
                item_name = tag_name(self._data, item)
                between = b"</" + item_name + b"><" + item_name + b">"
        prefix = name.rpartition(b":")[0]
        here = _OpenParagraph(
            line,
            between + head,
            prefix + b":" if prefix else b"",
            splittable=plain and not locked,
            place=self._place(parent),
        )
        self._open.append(here)

    def _outline(self, tag: str, attributes: Mapping[str, str]) -> int:
        """The level of a heading, from 1 on; 0 for other paragraphs."""
        level = attributes.get("text:outline-level", "1")
        if tag == "text:h":
            return min(int(level), 9) if level.isdecimal() and len(level) < 4 else 1
        return heading_level(attributes.get("text:style-name", ""), self.styles)

    def _look(self, here: _OpenParagraph) -> ParagraphStyle:
        styles = self.styles
        return replace(
            here.place,
            heading=here.outline,
            list_level=0 if here.outline and not here.place.label else here.place.list_level,
            quoted=is_quoting(here.style, styles),
            caption=is_caption(here.style, styles),
        )

    def _place(self, parent: str) -> ParagraphStyle:
        """What lists and tables say of a paragraph that begins in an element."""
        place = self._open_tables.next_paragraph()
        lists = self._lists[-1:]
        if not lists or lists[0].depth <= (self._open_asides[-1].depth if self._open_asides else 0):
            return place
        here, label = lists[0], ""
        if parent == "text:list-item" and not here.has_label and here.depth == len(self._stack) - 2:
            here.has_label = True
            levels = self.list_styles.get(here.style, {})
            label = self._items.next(here.counter, here.level, levels, number=here.number)
        return replace(place, list_level=here.level, label=label)

    def _number_heading(self, here: _OpenParagraph) -> None:
        levels = self.list_styles.get(_OUTLINE, {})
        if here.outline in levels and not here.place.list_level:
            label = self._items.next(_OUTLINE, here.outline, levels)
            here.place = replace(here.place, list_level=here.outline, label=label)

    @property
    def _open_tables(self) -> OpenTables:
        """The tables of the open note, header or footer, else those of the text."""
        return self._open_asides[-1].tables if self._open_asides else self._tables

    def _properties(self, here: _OpenParagraph) -> TextProperties:
        """The properties of text at this place, by its spans and its paragraph."""
        names = (*(style for _, style, _ in reversed(here.span_styles) if style), here.style)
        if names not in self._resolved:
            self._resolved[names] = resolve(self.styles, names)
        return self._resolved[names]

    def _begin(self, here: _OpenParagraph) -> None:
        if not here.begun:
            here.begun = True
            self._add_insertion_point(here, here.line.content)

    def _end_paragraph(self, start: int, at: int) -> None:
        here = self._open[-1]
        line = here.line
        line.end = element_end(self._data, start, at)
        line.close = line.end if line.empty_tag else at
        self._begin(here)
        if line.close > line.content:
            self._add_insertion_point(here, line.close)
        line.end_reason = self._reason()
        line.mark_style(here.style, 0)
        line.style = self._look(here)
        self._open.pop()
        around = self._here
        out = around.inner if around is not None else self._done
        out.append(line)
        out += here.inner

    # What is in a paragraph

    def _start_inline(self, here: _OpenParagraph, tag: str, attributes: Mapping[str, str], at: int) -> None:
        depth = len(self._stack)
        if tag in CLEAR:
            here.span_styles.append((depth, attributes.get("text:style-name", ""), here.line.length))
            opening = self._data[at : tag_end(self._data, at)] if tag == "text:span" else b"xmlns"
            if b"xmlns" in opening:
                here.blocks.append(depth)
            else:
                outer = here.spans[-1][1] if here.spans else None
                here.spans.append((depth, Span(opening, outer)))
        elif tag.startswith("draw:"):
            self._add_insertion_point(here, at)
            here.object_depth = depth
        elif tag == "text:s":
            count = attributes.get("text:c", "1")
            self._counts.append(int(count) if count.isdecimal() and len(count) < 10 else 1)
        elif tag == "office:annotation-end":
            self._mark("end", attributes.get("office:name", ""))
        elif tag not in self._inline and tag not in NO_WIDTH:
            self._add_insertion_point(here, at)
            self._locks.append((depth, self._reasons["field"]))

    def _target(self, here: _OpenParagraph, *, unstable: bool = False) -> OdtTarget:
        return OdtTarget(here.prefix, here.head, here.spans[-1][1] if here.spans else None, unstable)

    def _add(self, here: _OpenParagraph, text: str, span: tuple[int, int], *, unstable: bool = False) -> None:
        reason = self._reason()
        if reason:
            here.line.add(Segment(text, *span, reason=reason))
            return
        breakable = here.splittable and not here.blocks and not here.inner
        target = self._target(here, unstable=unstable)
        here.line.add(Segment(text, *span, target, is_insertion_point=not text, breakable=breakable))

    def _add_insertion_point(self, here: _OpenParagraph, at: int) -> None:
        if not self._reason():
            self._add(here, "", (at, at))

    def _character(self, text: str, start: int, at: int) -> None:
        here = self._open[-1]
        here.bare = False
        self._add(here, text, (start, element_end(self._data, start, at)))

    def _spaces_element(self, start: int, at: int) -> None:
        count = self._counts.pop() if self._counts else 1
        if count <= min(MAX_SPACES, self._spaces_left):
            self._spaces_left -= count
            self._character(" " * count, start, at)
        else:
            here = self._open[-1]
            self._add_insertion_point(here, start)
            here.line.add(Segment(" ", start, start, reason=self._reasons["spaces"]))
            self._add_insertion_point(here, element_end(self._data, start, at))

    def _line_break(self, start: int, at: int) -> None:
        here = self._open[-1]
        here.bare = False
        end = element_end(self._data, start, at)
        self._add_insertion_point(here, start)
        here.line.add(Segment("\n", start, end, reason=self._reason()))
        self._add_insertion_point(here, end)

    # What is around paragraphs, or not shown

    def _start_block(self, tag: str, attributes: Mapping[str, str]) -> None:
        depth = len(self._stack)
        self._styles.start(tag, attributes)
        if tag == "text:list":
            self._start_list(attributes)
        elif tag == "text:list-item" and self._lists:
            value = attributes.get("text:start-value", "")
            self._lists[-1].number = _read_number(value) if value else None
            self._lists[-1].has_label = False
        elif tag.startswith("table:"):
            self._start_of_table(tag)
        if tag in INDEXES:
            self._locks.append((depth, self._reasons["index"]))
        elif "true" in (attributes.get("text:protected"), attributes.get("table:protected")):
            self._locks.append((depth, self._reasons["protected"]))
        elif tag == "office:annotation-end":
            self._mark("end", attributes.get("office:name", ""))

    def _start_list(self, attributes: Mapping[str, str]) -> None:
        depth = len(self._stack)
        begins = self._open_asides[-1].depth if self._open_asides else 0
        outer = self._lists[-1] if self._lists and self._lists[-1].depth > begins else None
        style = attributes.get("text:style-name", outer.style if outer else "")
        if outer is not None:
            counter = outer.counter
        else:
            counter = str(len(self._lists_by_id))
            if attributes.get("text:continue-numbering") == "true":
                counter = self._last_lists.get(style, counter)
            counter = self._lists_by_id.get(attributes.get("text:continue-list", ""), counter)
            self._lists_by_id[attributes.get("xml:id", f" {counter}")] = counter
            self._last_lists[style] = counter
        self._lists.append(_OpenList(depth, outer.level + 1 if outer else 1, counter, style))

    def _start_of_table(self, tag: str) -> None:
        tables = self._open_tables
        if tag == "table:table":
            tables.start_table()
        elif tag == "table:table-row":
            tables.start_row()
            if any(one == "table:table-header-rows" for one, _ in self._stack[-2:-1]):
                tables.mark_header()
        elif tag in CELLS:
            tables.start_cell()

    def _end_of_table(self, tag: str) -> None:
        tables = self._open_tables
        if tag in CELLS:
            tables.end_cell()
        elif tag == "table:table-row":
            tables.end_row()
        elif tag == "table:table":
            around = self._here
            lines = around.inner if around is not None else self._done
            if tables.end_table() and lines and lines[-1].style.in_table:
                lines[-1].style = replace(lines[-1].style, ends_table=True)

    def _hide(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._skip = len(self._stack)
        here = self._here
        if tag in ("text:section-source", "office:dde-source"):
            self._locks.append((self._skip - 1, self._reasons["linked"]))
        elif tag == "text:tracked-changes" and attributes.get("text:track-changes") != "false":
            self.tracking = True
        elif tag == "office:annotation":
            self.unread.append(Unread(UnreadKind.COMMENT))
            if here is not None:
                self._begin(here)
            self._annotation = (attributes.get("office:name", ""), [])

    def _end_annotation(self) -> None:
        if self._annotation is None:
            return
        name, words = self._annotation
        self._annotation = None
        if name and is_suppression_comment(" ".join(words)):
            self.suppressed.add(name)
            self._mark("start", name)

    def _mark(self, what: str, mark: str) -> None:
        if self._here is not None:
            line = self._here.line
        elif self._done:
            line = self._done[-1]
        else:
            return
        line.marks.append((line.length, what, mark))

    def _reason(self) -> str:
        return self._locks[-1][1] if self._locks else ""
