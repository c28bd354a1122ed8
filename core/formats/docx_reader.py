"""A part of a docx as lines: what Word shows, which bytes hold it, and where text can be inserted.

Elements are those of ECMA-376 part 1, chapter 17 (WordprocessingML), and part 3, chapter 10 (alternate content).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from core.documents.unread import holds_prose
from core.formats.docx_elements import (
    DELETIONS,
    FORMULAS,
    HIDDEN,
    HIDDEN_CONTENT,
    INSERTIONS,
    LOCKED_CONTROLS,
    MARGIN_MARKS,
    NOTE_MARKS,
    NOTE_PROPERTIES,
    OBJECT_CHARACTER,
    SEPARATORS,
    TEXT_PARENTS,
    TO_SPACES,
    TRACKED,
    XML_SPACES,
    AlternateContent,
    EditGuard,
    NoteNumberings,
    is_link,
    lock_reasons,
)
from core.formats.docx_writer import Paragraph, ParagraphTarget, Run, RunTarget, TextTarget
from core.formats.styles import (
    PLAIN,
    Style,
    TextProperties,
    has_bold_header,
    heading_level,
    is_caption,
    is_quoting,
    list_level,
    list_of_style,
)
from core.formats.text_layout import Line, Segment, is_next
from core.formats.text_properties import combine, mark_link, mark_properties, resolve
from core.formats.xml_scan import Visitor, element_end, tag_end, tag_name
from core.text.appearance import ParagraphStyle
from core.text.list_labels import ListCounter, ListDefinition, ListLevel
from core.text.table_cells import OpenTables
from core.types import Unread, UnreadKind

PROPERTIES = ("w:lang", "w:b", "w:i", "w:u", "w:strike", "w:dstrike", "w:vertAlign")
_OFF = ("0", "false", "off", "none")
_HEXADECIMAL = re.compile("[0-9a-fA-F]{1,8}")
_FIRST_ROW = 0x20
_TABLE_PROPERTIES = ("w:tblPr", "w:trPr")
_COMMENT_MARKS = {
    "w:commentRangeStart": "start",
    "w:commentRangeEnd": "end",
    "w:commentReference": "reference",
}


def read_property(known: TextProperties, tag: str, attributes: Mapping[str, str]) -> TextProperties:
    """The ``known`` properties with the one that an element of `PROPERTIES` sets."""
    value = attributes.get("w:val", "")
    if tag == "w:lang":
        return replace(known, language=value) if value else known
    if tag == "w:vertAlign":
        return replace(known, raised=value == "superscript")
    on = value.casefold() not in _OFF
    match tag:
        case "w:b":
            return replace(known, bold=on)
        case "w:i":
            return replace(known, italic=on)
        case "w:u":
            return replace(known, underlined=on)
    return replace(known, struck=on)


def read_level(attributes: Mapping[str, str]) -> int:
    """A level from 0 to 8 in the value of an element."""
    value = attributes.get("w:val", "")
    return min(int(value), 8) if value.isdecimal() and len(value) < 4 else 0


def read_outline(attributes: Mapping[str, str]) -> int:
    """The level of a heading in ``w:outlineLvl``, from 1 on; 0 for other text, whose value is 9."""
    value = attributes.get("w:val", "")
    return int(value) + 1 if len(value) == 1 and value in "012345678" else 0


@dataclass(slots=True, eq=False)
class OpenParagraph:
    """A paragraph that is being read. ``inner`` are the lines of its text boxes, which come after it.

    ``cell`` is what its table says of it. ``in_properties`` is the depth of its properties while they are read;
    ``alternatives`` how many branches are open. ``run_styles`` has the style of each open run, and where in the line
    the run begins; ``run_properties`` has what is set in the run itself.
    """

    line: Line
    paragraph: Paragraph
    splittable: bool
    cell: ParagraphStyle
    runs: list[Run] = field(default_factory=list)
    run_styles: list[tuple[str, int]] = field(default_factory=list)
    run_properties: list[TextProperties] = field(default_factory=list)
    begun: bool = False
    in_properties: int = 0
    alternatives: int = 0
    style: str = ""
    outline: int | None = None
    list_id: str = ""
    list_level: int | None = None
    links: list[int] = field(default_factory=list)
    inner: list[Line] = field(default_factory=list)


class LineBuilder:
    """Builds lines from paragraphs. Open paragraphs are nested where there are text boxes."""

    def __init__(
        self,
        data: bytes,
        guard: EditGuard,
        lock_reasons: Mapping[str, str],
        styles: Mapping[str, Style],
        default_style: str,
        lists: Mapping[str, ListDefinition],
    ) -> None:
        self.done: list[Line] = []
        self._data = data
        self._guard = guard
        self._reasons = lock_reasons
        self._open: list[OpenParagraph] = []
        self._pending: list[tuple[str, str]] = []
        self.styles = styles
        self._default_style = default_style
        self._resolved: dict[tuple[str, str], TextProperties] = {}
        self._looks: dict[str, ParagraphStyle] = {}
        self._lists = lists
        self._begun_lists: set[tuple[str, int]] = set()
        self._items = ListCounter()
        self.tables = OpenTables()

    @property
    def current(self) -> OpenParagraph | None:
        """The innermost paragraph."""
        return self._open[-1] if self._open else None

    @property
    def run(self) -> Run | None:
        """The innermost run of the innermost paragraph."""
        return self._open[-1].runs[-1] if self._open and self._open[-1].runs else None

    def place(self) -> tuple[Line | None, list[Line]]:
        """The line that is read, and the list that the next paragraph inside it is added to."""
        return (self._open[-1].line, self._open[-1].inner) if self._open else (None, self.done)

    def start_paragraph(self, at: int) -> None:
        end = tag_end(self._data, at)
        free = b"xmlns" not in self._data[at:end] and not self._guard.reason()
        line = Line(start=at, content=end, empty_tag=self._data[end - 2 : end] == b"/>", joinable=free)
        line.marks += [(0, what, mark) for what, mark in self._pending]
        self._pending.clear()
        paragraph = Paragraph(tag_name(self._data, at)[:-1], start=at, content=end)
        self._open.append(OpenParagraph(line, paragraph, splittable=free, cell=self.tables.next_paragraph()))

    def start_content(self) -> None:
        """The content of the paragraph begins, after its properties."""
        if self._open and not self._open[-1].begun:
            self._open[-1].begun = True
            self.add_insertion_point(self._open[-1].line.content)

    def properties(self, start: int, at: int) -> None:
        """The properties of the innermost paragraph end."""
        current = self._open[-1]
        current.in_properties = 0
        if current.begun:
            current.splittable = current.line.joinable = False
            return
        current.line.content = element_end(self._data, start, at)
        current.paragraph.content = current.line.content
        current.paragraph.properties = self._data[start : current.line.content]
        if current.line.end_reason or current.line.mark_inserted:
            current.paragraph.run_properties = b""

    def forbid_changes(self, why: str) -> None:
        """The innermost paragraph can be neither split nor joined."""
        current = self._open[-1]
        current.splittable = current.line.joinable = False
        current.line.end_reason = self._reasons[why]

    def end_paragraph(self, start: int, at: int) -> None:
        if not self._open:
            return
        current = self._open[-1]
        line = current.line
        line.end = element_end(self._data, start, at)
        line.close = line.end if line.empty_tag else at
        if not current.begun or line.close > line.content:
            self.add_insertion_point(line.close)
        line.end_reason = line.end_reason or self._guard.reason()
        line.mark_style(current.style, 0)
        line.style = self._look(current)
        if not current.splittable:
            for segment in line.segments:
                segment.breakable = False
        self._open.pop()
        lines = self.place()[1]
        before = lines[-1] if lines else None
        if before is not None and before.mark_deleted and is_next(before, line, self._data):
            before.append(line)
            lines.extend(current.inner)
        else:
            lines.extend([line, *current.inner])

    def _look(self, paragraph: OpenParagraph) -> ParagraphStyle:
        by_style = self._look_by_style(paragraph.style)
        heading = by_style.heading if paragraph.outline is None else paragraph.outline
        level, label = self._item(paragraph)
        return replace(
            paragraph.cell,
            heading=heading,
            list_level=0 if heading and not label else level,
            label=label,
            quoted=by_style.quoted,
            caption=by_style.caption,
        )

    def _look_by_style(self, style: str) -> ParagraphStyle:
        if style not in self._looks:
            self._looks[style] = ParagraphStyle(
                heading_level(style, self.styles),
                quoted=is_quoting(style, self.styles),
                caption=is_caption(style, self.styles),
            )
        return self._looks[style]

    def _item(self, paragraph: OpenParagraph) -> tuple[int, str]:
        """The level of a list item and its label; 0 for other paragraphs."""
        list_id, level = list_of_style(paragraph.style, self.styles)
        list_id = paragraph.list_id or list_id
        level = level if paragraph.list_level is None else paragraph.list_level
        if list_id == "0":
            return 0, ""
        known, number = self._lists.get(list_id), None
        if known is not None and (list_id, level) not in self._begun_lists:
            self._begun_lists.add((list_id, level))
            number = known.restarts.get(level + 1)
        if not list_id:
            named, is_numbered = list_level(paragraph.style, self.styles)
            if not named:
                return 0, ""
            known = ListDefinition(paragraph.style, {named: ListLevel()} if is_numbered else {})
            level = named - 1
        if paragraph.line.mark_deleted and not paragraph.line.length:
            return level + 1, ""
        known = known or ListDefinition(list_id)
        return level + 1, self._items.next(known.counter, level + 1, known.levels, number=number)

    def end_table(self) -> None:
        """The innermost table ends."""
        lines = self.place()[1]
        if self.tables.end_table() and lines and lines[-1].style.in_table:
            lines[-1].style = replace(lines[-1].style, ends_table=True)

    def start_link(self) -> None:
        """A link begins in the innermost paragraph."""
        if self._open:
            self._open[-1].links.append(self._open[-1].line.length)

    def end_link(self) -> None:
        """The innermost link ends."""
        if self._open and self._open[-1].links:
            mark_link(self._open[-1].line, self._open[-1].links.pop())

    def insert_mark(self) -> None:
        """The end of the innermost paragraph is a tracked insertion."""
        self._open[-1].line.mark_inserted = True

    def delete_mark(self) -> None:
        """The end of the innermost paragraph is a tracked deletion: its line goes on in the next paragraph."""
        self._open[-1].line.mark_deleted = True

    def start_run(self, at: int, parent: str, parent_at: int) -> None:
        if self._open:
            end = tag_end(self._data, at)
            plain = b"xmlns" not in self._data[at:end]
            is_inserted = parent in INSERTIONS
            run = Run(
                tag_name(self._data, at)[:-1],
                self._open[-1].paragraph,
                breakable=plain and parent == "w:p",
                start=at,
                content=end,
                parent=parent_at,
                insertion=self._data[parent_at : tag_end(self._data, parent_at)] if is_inserted else b"",
            )
            self._open[-1].runs.append(run)
            self._open[-1].run_styles.append(("", self._open[-1].line.length))
            self._open[-1].run_properties.append(PLAIN)

    def end_run(self, start: int, at: int) -> None:
        if self._open and self._open[-1].runs:
            self._open[-1].runs.pop().end = element_end(self._data, start, at)
            current = self._open[-1]
            style, start = current.run_styles.pop()
            current.line.mark_style(style, start)
            is_known = current.style and current.style in self.styles
            paragraph_style = current.style if is_known else self._default_style
            by_style = self._by_style((style, paragraph_style))
            mark_properties(current.line, start, combine(current.run_properties.pop(), by_style))

    def property(self, tag: str, attributes: Mapping[str, str]) -> None:
        """The innermost run has a property of its own."""
        current = self.current
        if current is not None and current.run_properties:
            current.run_properties[-1] = read_property(current.run_properties[-1], tag, attributes)

    def _by_style(self, names: tuple[str, str]) -> TextProperties:
        if names not in self._resolved:
            self._resolved[names] = resolve(self.styles, names)
        return self._resolved[names]

    def style(self, name: str) -> None:
        """The innermost paragraph, while its properties are read, or else the innermost run has a style."""
        current = self.current
        if current is None:
            return
        if current.in_properties:
            current.style = name
        elif current.run_styles:
            current.run_styles[-1] = (name, current.run_styles[-1][1])

    def run_properties(self, start: int, at: int) -> None:
        run = self.run
        if run is not None:
            run.content = element_end(self._data, start, at)
            run.properties = self._data[start : run.content]
            if any(mark in run.properties for mark in (b"rPrChange", b":ins", b":del")):
                run.breakable = False

    def add(self, text: str, span: tuple[int, int], reason: str, target: object = None) -> None:
        """Add text of a run; it is locked if there is a reason."""
        run = self.run
        breakable = run is not None and run.breakable and self._can_break()
        segment = (
            Segment(text, *span, reason=reason)
            if reason
            else Segment(text, *span, target, breakable=breakable)
        )
        self._open[-1].line.add(segment)

    def add_insertion_point(self, at: int) -> None:
        """Add a place between the runs of the innermost paragraph where text can be inserted."""
        current = self.current
        if current is not None and not self._guard.reason() and not current.alternatives:
            target = ParagraphTarget(current.paragraph)
            current.line.add(
                Segment("", at, at, target, is_insertion_point=True, breakable=self._can_break())
            )

    def add_run_insertion_point(self, at: int) -> None:
        """Add a place in the innermost run where text can be inserted."""
        run = self.run
        if run is not None and not self._guard.reason() and not self._open[-1].alternatives:
            breakable = run.breakable and self._can_break()
            self._open[-1].line.add(
                Segment("", at, at, RunTarget(run, True), is_insertion_point=True, breakable=breakable)
            )

    def mark(self, what: str, mark: str) -> None:
        """A comment begins or ends here, or has its mark here."""
        line = self._open[-1].line if self._open else self.done[-1] if what == "end" and self.done else None
        if line is not None:
            line.marks.append((line.length, what, mark))
        else:
            self._pending.append((what, mark))

    def _can_break(self) -> bool:
        """Whether the paragraph can be split here: not in a field, and not after text boxes, whose lines follow it."""
        current = self._open[-1]
        return not (self._guard.in_field() or current.alternatives or current.inner)


_Start = Callable[[Mapping[str, str], int, str], None]
_End = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class NoteMark:
    """The mark of a note in the text: where it is in the bytes, and whether it was typed by hand, without a number.

    ``section`` is the number of its section, from 0 on.
    """

    at: int
    is_typed: bool
    section: int


@dataclass(frozen=True, slots=True)
class Margin:
    """A header or a footer that a section names: its kind, its pages, and the id of its relationship."""

    kind: str
    pages: str
    relation: str


class DocxReader(Visitor):
    """A visitor of a part; ``is_right`` says whether its outermost element is ``root``.

    After the scan it has ``lines``, and in ``unread`` what is there but not shown. For the main part it also has
    ``note_marks`` in the order of the text, by the kind of the part with the notes and the id of the note, and
    ``margins`` and ``has_title_page`` of all sections, and the ``numberings`` of the notes of each; for a part with
    notes it has ``notes``, the lines of those whose ids are ``wanted``. Only those are read.
    """

    def __init__(
        self,
        data: bytes,
        styles: Mapping[str, Style] = MappingProxyType({}),
        default_style: str = "",
        lists: Mapping[str, ListDefinition] = MappingProxyType({}),
        *,
        root: str = "w:document",
        wanted: Collection[str] = (),
    ) -> None:
        self.unread: list[Unread] = []
        self.note_marks: dict[tuple[str, str], NoteMark] = {}
        self.margins: list[Margin] = []
        self.has_title_page = False
        self.numberings: list[NoteNumberings] = []
        self.notes: dict[str, list[Line]] = {}
        self.is_right = False
        self._root = root
        self._wanted = wanted
        self._note: tuple[str, int] = ("", 0)
        self._data = data
        self._reasons = lock_reasons()
        self._guard = EditGuard(self._reasons)
        self._lines = LineBuilder(data, self._guard, self._reasons, styles, default_style, lists)
        self._alternates = AlternateContent()
        self._stack: list[tuple[str, int]] = []
        self._skip = 0
        self._text: tuple[int, bool] | None = None
        self._chunks: list[str] = []
        self._odd = False
        self._style_of_table = ""
        self._break = ""
        self._spaces: list[tuple[int, bool]] = []
        self._numbering = NoteNumberings()
        self._starts = self._start_table()
        self._ends = self._end_table()

    @property
    def lines(self) -> list[Line]:
        """The lines of the document."""
        return self._lines.done

    # The walk

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        parent = self._stack[-1][0] if self._stack else ""
        self._stack.append((tag, at))
        if tag in _COMMENT_MARKS:  # LibreOffice puts them inside deletions, too.
            self._lines.mark(_COMMENT_MARKS[tag], attributes.get("w:id", ""))
        if self._skip:
            if parent == "w:sectPr":
                self._section(tag, attributes)
            elif parent in NOTE_PROPERTIES and len(self._stack) == self._skip + 2:
                self._numbering.read(parent, tag, attributes)
            elif parent in _TABLE_PROPERTIES and len(self._stack) == self._skip + 1:
                self._table_property(tag, attributes)
            return
        if not parent:
            self.is_right = tag == self._root
            if not self.is_right:
                self._skip = len(self._stack)
                return
        if self._text is not None:
            self._odd = True
        if "xml:space" in attributes:
            self._spaces.append((len(self._stack), attributes["xml:space"] == "preserve"))
        if tag in HIDDEN_CONTENT:
            self.unread.append(Unread(HIDDEN_CONTENT[tag]))
        elif tag == "wp:docPr" and holds_prose(attributes.get("descr", "")):
            self.unread.append(Unread(UnreadKind.ALTERNATIVE))
        current = self._lines.current
        if current is not None and current.in_properties:
            if tag == "w:pStyle":
                self._lines.style(attributes.get("w:val", ""))
            elif tag == "w:outlineLvl":
                current.outline = read_outline(attributes)
            elif tag == "w:numId":
                current.list_id = attributes.get("w:val", "")
            elif tag == "w:ilvl":
                current.list_level = read_level(attributes)
            if tag == "w:ins" and parent == "w:rPr":
                self._lines.insert_mark()
            elif tag in TRACKED or tag == "w:sectPr":
                self._lines.forbid_changes("section" if tag == "w:sectPr" else "tracked")
            if tag in DELETIONS:
                self._lines.delete_mark()
            if tag in ("w:sectPr", "w:pPrChange"):
                self._skip = len(self._stack)
            return
        if parent == "w:p" and tag != "w:pPr":
            self._lines.start_content()
        if tag in HIDDEN:
            self._skip = len(self._stack)
            return
        handler = self._starts.get(tag)
        if handler is not None:
            handler(attributes, at, parent)

    def end(self, tag: str, at: int) -> None:
        depth = len(self._stack)
        _, start = self._stack.pop()
        if self._spaces and self._spaces[-1][0] == depth:
            self._spaces.pop()
        if self._skip:
            if depth == self._skip:
                self._skip = 0
                if tag in FORMULAS:
                    self._add_insertion_point_after(start, at)
                elif tag == "w:sectPr":
                    self.numberings.append(self._numbering)
                    self._numbering = NoteNumberings()
            return
        self._guard.leave(depth)
        current = self._lines.current
        if current is not None and current.in_properties:
            if depth == current.in_properties:
                self._lines.properties(start, at)
            elif tag == "w:rPr" and self._stack[-1][0] == "w:pPr":
                current.paragraph.run_properties = self._data[start : element_end(self._data, start, at)]
            return
        handler = self._ends.get(tag)
        if handler is not None:
            handler(start, at)

    def text(self, text: str, _start: int, _end: int) -> None:
        if self._skip:
            return
        if self._text is not None:
            self._chunks.append(text)
        elif self._stack and self._stack[-1][0] == "w:instrText" and self._guard.in_code():
            self._guard.add_code(text)

    def _start_table(self) -> dict[str, _Start]:
        lines, guard = self._lines, self._guard
        return {
            "w:p": lambda _attributes, at, _parent: lines.start_paragraph(at),
            "w:pPr": self._start_properties,
            "w:r": lambda _attributes, at, parent: lines.start_run(at, parent, self._stack[-2][1]),
            "w:rStyle": self._start_run_style,
            **dict.fromkeys(PROPERTIES, self._start_run_property),
            "w:hyperlink": lambda *_: lines.start_link(),
            "w:tbl": self._begin_table,
            "w:tr": lambda *_: lines.tables.start_row(),
            "w:tc": lambda *_: lines.tables.start_cell(),
            "w:t": self._start_text,
            "w:br": self._start_line_break,
            "w:fldSimple": self._start_simple_field,
            "w:fldChar": self._start_field_character,
            "w:sdt": self._start_control,
            "w:sdtContent": lambda *_: guard.lock(len(self._stack), guard.control()),
            **dict.fromkeys(LOCKED_CONTROLS, self._control_property),
            "w:ruby": lambda *_: guard.lock(len(self._stack), self._reasons["ruby"]),
            "w:txbxContent": lambda *_: guard.start_story(),
            "mc:AlternateContent": self._start_choice,
            "mc:Choice": lambda *_: self._alternates.start_branch(*lines.place()),
            "mc:Fallback": lambda *_: self._alternates.start_branch(*lines.place()),
            **dict.fromkeys(NOTE_MARKS, self._note_mark),
            **dict.fromkeys(("w:footnote", "w:endnote"), self._start_note),
            **dict.fromkeys(("w:footnoteRef", "w:endnoteRef"), self._note_number),
            **dict.fromkeys(FORMULAS, self._start_formula),
        }

    def _end_table(self) -> dict[str, _End]:
        lines = self._lines
        return {
            "w:p": lines.end_paragraph,
            "w:r": lines.end_run,
            "w:rPr": self._end_run_properties,
            "w:hyperlink": lambda *_: lines.end_link(),
            "w:tbl": lambda *_: lines.end_table(),
            "w:tr": lambda *_: lines.tables.end_row(),
            "w:tc": lambda *_: lines.tables.end_cell(),
            "w:t": self._end_text,
            "w:fldSimple": self._add_insertion_point_after,
            "w:fldChar": self._end_field_character,
            "w:sdt": self._end_control,
            "w:txbxContent": lambda *_: self._guard.end_story(),
            **dict.fromkeys(("w:footnote", "w:endnote"), self._end_note),
            "mc:AlternateContent": self._end_choice,
            "mc:Choice": lambda *_: self._alternates.end_branch(*lines.place()),
            "mc:Fallback": lambda *_: self._alternates.end_branch(*lines.place()),
            "w:tab": lambda start, at: self._character("\t", start, at),
            "w:noBreakHyphen": lambda start, at: self._character("\u2011", start, at),
            "w:softHyphen": lambda start, at: self._character("\u00ad", start, at),
            "w:ptab": lambda start, at: self._object("\t", "tab", start, at),
            "w:br": self._end_line_break,
            "w:cr": lambda start, at: self._object("\n", "line", start, at),
            "w:sym": lambda start, at: self._object(OBJECT_CHARACTER, "symbol", start, at),
            "w:drawing": lambda start, at: self._object(OBJECT_CHARACTER, "object", start, at),
            "w:pict": lambda start, at: self._object(OBJECT_CHARACTER, "object", start, at),
            "w:object": lambda start, at: self._object(OBJECT_CHARACTER, "object", start, at),
        }

    # Tables

    def _begin_table(self, *_: object) -> None:
        self._style_of_table = ""
        self._lines.tables.start_table()

    def _table_property(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A child of the properties of a table or of a row."""
        value = attributes.get("w:val", "")
        if tag == "w:tblStyle":
            self._style_of_table = value
        elif tag == "w:tblHeader" and value.casefold() not in _OFF:
            self._lines.tables.mark_header()
        elif tag == "w:tblLook" and has_bold_header(self._style_of_table, self._lines.styles):
            # Which parts of the table look as its style says; old files have a number with a bit for each.
            by_bit = bool(_HEXADECIMAL.fullmatch(value)) and bool(int(value, 16) & _FIRST_ROW)
            if by_bit or attributes.get("w:firstRow", "").casefold() in ("1", "true", "on"):
                self._lines.tables.expect_header()

    # Notes, headers and footers

    def _note_mark(self, attributes: Mapping[str, str], at: int, _parent: str) -> None:
        key = NOTE_MARKS[self._stack[-1][0]], attributes.get("w:id", "")
        is_typed = attributes.get("w:customMarkFollows", "0").casefold() not in _OFF
        self.note_marks.setdefault(key, NoteMark(at, is_typed, len(self.numberings)))
        if self._lines.current is not None:
            self._lines.current.line.mark_note(at)

    def _section(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A child of the properties of a section."""
        if tag in MARGIN_MARKS:
            self.margins.append(
                Margin(MARGIN_MARKS[tag], attributes.get("w:type", "default"), attributes.get("r:id", ""))
            )
        elif tag == "w:titlePg" and attributes.get("w:val", "").casefold() not in _OFF:
            self.has_title_page = True

    def _start_note(self, attributes: Mapping[str, str], _at: int, _parent: str) -> None:
        number = attributes.get("w:id", "")
        if number in self._wanted and attributes.get("w:type") not in SEPARATORS:
            self._note = number, len(self.lines)
        else:
            self._skip = len(self._stack)

    def _end_note(self, _start: int, _at: int) -> None:
        number, first = self._note
        self.notes.setdefault(number, self.lines[first:])

    def _note_number(self, *_: object) -> None:
        """The number at the start of a note: nothing can be typed before it."""
        current = self._lines.current
        if current is not None and not current.line.length and not current.alternatives:
            current.line.segments.clear()

    # What a run holds

    def _start_properties(self, _attributes: Mapping[str, str], _at: int, parent: str) -> None:
        current = self._lines.current
        if current is not None and parent == "w:p":
            current.in_properties = len(self._stack)

    def _start_run_style(self, attributes: Mapping[str, str], _at: int, parent: str) -> None:
        if parent == "w:rPr" and self._stack[-3][0] == "w:r":
            self._lines.style(attributes.get("w:val", ""))

    def _start_run_property(self, attributes: Mapping[str, str], _at: int, parent: str) -> None:
        if parent == "w:rPr" and self._stack[-3][0] == "w:r":
            self._lines.property(self._stack[-1][0], attributes)

    def _end_run_properties(self, start: int, at: int) -> None:
        if self._stack[-1][0] == "w:r":
            self._lines.run_properties(start, at)

    def _shown_run(self) -> Run | None:
        """The run that the present element is a child of, if what is in it is shown."""
        shown = bool(self._stack) and self._stack[-1][0] in TEXT_PARENTS and not self._guard.in_code()
        return self._lines.run if shown else None

    def _in_run(self) -> bool:
        """Whether the present element is a child of a run itself, not of one of its alternatives."""
        return self._stack[-1][0] == "w:r"

    def _start_text(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        if self._lines.run is not None and parent in TEXT_PARENTS:
            self._text = (at, bool(self._spaces) and self._spaces[-1][1])
            self._odd = False

    def _end_text(self, start: int, at: int) -> None:
        if self._text is None or self._text[0] != start:
            return
        preserve = self._text[1]
        text = "".join(self._chunks)
        self._text = None
        self._chunks.clear()
        run = self._shown_run()
        if run is None:
            return
        content = tag_end(self._data, start)
        if self._data[content - 2 : content] == b"/>":
            self._lines.add_run_insertion_point(content)
            return
        shown = (text if preserve else text.strip(XML_SPACES)).translate(TO_SPACES)
        reason = self._guard.reason() or (self._reasons["odd"] if self._odd else "")
        self._lines.add(shown, (content, at), reason, TextTarget(run, start, preserve, self._in_run()))

    def _character(self, text: str, start: int, at: int) -> None:
        """A character that is an element; other characters can be written around it, or in place of it."""
        run = self._shown_run()
        if run is not None:
            span = (start, element_end(self._data, start, at))
            self._lines.add(text, span, self._guard.reason(), RunTarget(run, self._in_run()))

    def _start_line_break(self, attributes: Mapping[str, str], _at: int, _parent: str) -> None:
        self._break = attributes.get("w:type", "")

    def _end_line_break(self, start: int, at: int) -> None:
        self._object("\n", "page" if self._break in ("page", "column") else "line", start, at)

    def _object(self, text: str, what: str, start: int, at: int) -> None:
        """Something in a run that is shown by one character and cannot be edited. A line break can be deleted."""
        if self._shown_run() is not None:
            end = element_end(self._data, start, at)
            self._lines.add_run_insertion_point(start)
            self._lines.add(text, (start, end), self._guard.reason() or self._reasons.get(what, ""))
            self._lines.add_run_insertion_point(end)

    # Fields, controls, formulas, text in two forms

    def _start_simple_field(self, attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._add_insertion_point_before(at, parent)
        if not is_link(attributes.get("w:instr", "")):
            self._guard.lock(len(self._stack), self._reasons["field"])

    def _start_field_character(self, attributes: Mapping[str, str], at: int, _parent: str) -> None:
        if self._lines.run is not None:
            if not self._guard.in_field():
                self._lines.add_run_insertion_point(at)
            self._guard.field_character(attributes.get("w:fldCharType"))

    def _end_field_character(self, start: int, at: int) -> None:
        if not self._guard.in_field():
            self._lines.add_run_insertion_point(element_end(self._data, start, at))

    def _start_control(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._add_insertion_point_before(at, parent)
        self._guard.start_control()

    def _end_control(self, start: int, at: int) -> None:
        self._guard.end_control()
        self._add_insertion_point_after(start, at)

    def _control_property(self, attributes: Mapping[str, str], _at: int, parent: str) -> None:
        if parent == "w:sdtPr":
            locks = self._stack[-1][0] == "w:lock"
            self._guard.shut_control(attributes.get("w:val", "") if locks else None)

    def _start_choice(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._around_choice(at, parent)
        current = self._lines.current
        if current is not None:
            current.alternatives += 1
        self._alternates.start()

    def _end_choice(self, start: int, at: int) -> None:
        current = self._lines.current
        if current is not None:
            current.alternatives -= 1
        self._alternates.end(self._reasons["alternate"])
        self._around_choice(element_end(self._data, start, at), self._stack[-1][0] if self._stack else "")

    def _around_choice(self, at: int, parent: str) -> None:
        self._add_insertion_point_before(at, parent)
        if parent == "w:r":
            self._lines.add_run_insertion_point(at)

    def _start_formula(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._skip = len(self._stack)
        if self._lines.current is not None and not self._guard.in_code():
            self._add_insertion_point_before(at, parent)
            self._lines.add(OBJECT_CHARACTER, (at, at), self._guard.reason() or self._reasons["formula"])

    def _add_insertion_point_before(self, at: int, parent: str) -> None:
        if parent == "w:p":
            self._lines.add_insertion_point(at)

    def _add_insertion_point_after(self, start: int, at: int) -> None:
        if self._stack and self._stack[-1][0] == "w:p":
            self._lines.add_insertion_point(element_end(self._data, start, at))
