"""The main part of a docx as lines: what Word shows of its paragraphs, and which bytes hold it.

Elements are those of ECMA-376 part 1, chapter 17 (WordprocessingML), and part 3, chapter 10 (alternate content).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.containers.docx_alternates import Alternates
from core.containers.docx_guard import Guard, is_link
from core.containers.docx_lines import DocxLines
from core.containers.docx_names import (
    AS_SPACE,
    FORMULAS,
    HIDDEN,
    HOLDS_CHARACTERS,
    OBJECT,
    SEEN,
    SHUT_CONTROLS,
    TRACKED,
    XML_SPACES,
    reasons,
)
from core.containers.docx_writer import InRun, InText, Run
from core.containers.flow import Line
from core.containers.xml_scan import element_end, tag_end

_Start = Callable[[Mapping[str, str], int, str], None]
_End = Callable[[int, int], None]


class DocxReader:
    """A visitor of the main part. After the scan: ``lines``, and in ``seen`` what is there but not shown."""

    def __init__(self, data: bytes) -> None:
        self.seen: set[str] = set()
        self.is_document = False
        self._data = data
        self._reasons = reasons()
        self._guard = Guard(self._reasons)
        self._lines = DocxLines(data, self._guard, self._reasons)
        self._alternates = Alternates()
        self._stack: list[tuple[str, int]] = []
        self._skip = 0
        self._text: tuple[int, bool] | None = None
        self._chunks: list[str] = []
        self._odd = False
        self._break = ""
        self._spaces: list[tuple[int, bool]] = []
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
        if self._skip:
            return
        if not parent:
            self.is_document = tag == "w:document"
        if self._text is not None:
            self._odd = True
        if "xml:space" in attributes:
            self._spaces.append((len(self._stack), attributes["xml:space"] == "preserve"))
        if tag in SEEN:
            self.seen.add(SEEN[tag])
        here = self._lines.here
        if here is not None and here.in_properties:
            if tag in TRACKED or tag == "w:sectPr":
                self._lines.tie("section" if tag == "w:sectPr" else "tracked")
            if tag in ("w:sectPr", "w:pPrChange"):
                self._skip = len(self._stack)
            return
        if parent == "w:p" and tag != "w:pPr":
            self._lines.begin()
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
                    self._slot_after(start, at)
            return
        self._guard.leave(depth)
        here = self._lines.here
        if here is not None and here.in_properties:
            if depth == here.in_properties:
                self._lines.properties(start, at)
            elif tag == "w:rPr" and self._stack[-1][0] == "w:pPr":
                here.paragraph.run_properties = self._data[start : element_end(self._data, start, at)]
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
            "w:r": lambda _attributes, at, parent: lines.start_run(at, parent),
            "w:t": self._start_text,
            "w:br": self._start_line_break,
            "w:fldSimple": self._start_simple_field,
            "w:fldChar": self._start_field_character,
            "w:sdt": self._start_control,
            "w:sdtContent": lambda *_: guard.lock(len(self._stack), guard.control()),
            **dict.fromkeys(SHUT_CONTROLS, self._control_property),
            "w:ruby": lambda *_: guard.lock(len(self._stack), self._reasons["ruby"]),
            "w:txbxContent": lambda *_: guard.start_story(),
            "mc:AlternateContent": self._start_choice,
            "mc:Choice": lambda *_: self._alternates.start_branch(*lines.place()),
            "mc:Fallback": lambda *_: self._alternates.start_branch(*lines.place()),
            "w:commentRangeStart": lambda attributes, *_: lines.mark("start", attributes.get("w:id", "")),
            "w:commentRangeEnd": lambda attributes, *_: lines.mark("end", attributes.get("w:id", "")),
            **dict.fromkeys(FORMULAS, self._start_formula),
        }

    def _end_table(self) -> dict[str, _End]:
        lines = self._lines
        return {
            "w:p": lines.end_paragraph,
            "w:r": lambda *_: lines.end_run(),
            "w:rPr": self._end_run_properties,
            "w:t": self._end_text,
            "w:fldSimple": self._slot_after,
            "w:fldChar": self._end_field_character,
            "w:sdt": self._end_control,
            "w:txbxContent": lambda *_: self._guard.end_story(),
            "mc:AlternateContent": self._end_choice,
            "mc:Choice": lambda *_: self._alternates.end_branch(*lines.place()),
            "mc:Fallback": lambda *_: self._alternates.end_branch(*lines.place()),
            "w:tab": lambda start, at: self._character("\t", start, at),
            "w:noBreakHyphen": lambda start, at: self._character("\u2011", start, at),
            "w:softHyphen": lambda start, at: self._character("\u00ad", start, at),
            "w:ptab": lambda start, at: self._object("\t", "tab", start, at),
            "w:br": self._end_line_break,
            "w:cr": lambda start, at: self._object("\n", "line", start, at),
            "w:sym": lambda start, at: self._object(OBJECT, "symbol", start, at),
            "w:drawing": lambda start, at: self._object(OBJECT, "object", start, at),
            "w:pict": lambda start, at: self._object(OBJECT, "object", start, at),
            "w:object": lambda start, at: self._object(OBJECT, "object", start, at),
        }

    # What a run holds

    def _start_properties(self, _attributes: Mapping[str, str], _at: int, parent: str) -> None:
        here = self._lines.here
        if here is not None and parent == "w:p":
            here.in_properties = len(self._stack)

    def _end_run_properties(self, start: int, at: int) -> None:
        if self._stack[-1][0] == "w:r":
            self._lines.run_properties(start, at)

    def _shown_run(self) -> Run | None:
        """The run that the present element is a child of, if what is in it is shown."""
        shown = bool(self._stack) and self._stack[-1][0] in HOLDS_CHARACTERS and not self._guard.in_code()
        return self._lines.run if shown else None

    def _start_text(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        if self._lines.run is not None and parent in HOLDS_CHARACTERS:
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
            self._lines.run_slot(content)
            return
        shown = (text if preserve else text.strip(XML_SPACES)).translate(AS_SPACE)
        reason = self._guard.reason() or (self._reasons["odd"] if self._odd else "")
        self._lines.add(shown, (content, at), reason, InText(run, start, preserve))

    def _character(self, text: str, start: int, at: int) -> None:
        """A character that is an element; other characters can be written around it, or in place of it."""
        run = self._shown_run()
        if run is not None:
            span = (start, element_end(self._data, start, at))
            self._lines.add(text, span, self._guard.reason(), InRun(run))

    def _start_line_break(self, attributes: Mapping[str, str], _at: int, _parent: str) -> None:
        self._break = attributes.get("w:type", "")

    def _end_line_break(self, start: int, at: int) -> None:
        self._object("\n", "page" if self._break in ("page", "column") else "line", start, at)

    def _object(self, text: str, what: str, start: int, at: int) -> None:
        """Something in a run that is shown by one character and cannot be edited. A line break can be deleted."""
        if self._shown_run() is not None:
            end = element_end(self._data, start, at)
            self._lines.run_slot(start)
            self._lines.add(text, (start, end), self._guard.reason() or self._reasons.get(what, ""))
            self._lines.run_slot(end)

    # Fields, controls, formulas, text in two forms

    def _start_simple_field(self, attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._slot_before(at, parent)
        if not is_link(attributes.get("w:instr", "")):
            self._guard.lock(len(self._stack), self._reasons["field"])

    def _start_field_character(self, attributes: Mapping[str, str], at: int, _parent: str) -> None:
        if self._lines.run is not None:
            if not self._guard.in_field():
                self._lines.run_slot(at)
            self._guard.field_character(attributes.get("w:fldCharType"))

    def _end_field_character(self, start: int, at: int) -> None:
        if not self._guard.in_field():
            self._lines.run_slot(element_end(self._data, start, at))

    def _start_control(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._slot_before(at, parent)
        self._guard.start_control()

    def _end_control(self, start: int, at: int) -> None:
        self._guard.end_control()
        self._slot_after(start, at)

    def _control_property(self, attributes: Mapping[str, str], _at: int, parent: str) -> None:
        if parent == "w:sdtPr":
            locks = self._stack[-1][0] == "w:lock"
            self._guard.shut_control(attributes.get("w:val", "") if locks else None)

    def _start_choice(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._around_choice(at, parent)
        here = self._lines.here
        if here is not None:
            here.alternatives += 1
        self._alternates.start()

    def _end_choice(self, start: int, at: int) -> None:
        here = self._lines.here
        if here is not None:
            here.alternatives -= 1
        self._alternates.end(self._reasons["alternate"])
        self._around_choice(element_end(self._data, start, at), self._stack[-1][0] if self._stack else "")

    def _around_choice(self, at: int, parent: str) -> None:
        self._slot_before(at, parent)
        if parent == "w:r":
            self._lines.run_slot(at)

    def _start_formula(self, _attributes: Mapping[str, str], at: int, parent: str) -> None:
        self._skip = len(self._stack)
        if self._lines.here is not None and not self._guard.in_code():
            self._slot_before(at, parent)
            self._lines.add(OBJECT, (at, at), self._guard.reason() or self._reasons["formula"])

    def _slot_before(self, at: int, parent: str) -> None:
        if parent == "w:p":
            self._lines.slot(at)

    def _slot_after(self, start: int, at: int) -> None:
        if self._stack and self._stack[-1][0] == "w:p":
            self._lines.slot(element_end(self._data, start, at))
