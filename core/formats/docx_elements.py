"""The elements of a docx: their names by treatment, fields and controls with locked text, and alternate content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.formats.text_layout import Line, Segment
from core.i18n import tr
from core.types import UnreadKind

PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.microsoft.com/office/word/2010/wordml": "w14",
    "http://schemas.microsoft.com/office/word/2012/wordml": "w15",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://www.w3.org/XML/1998/namespace": "xml",
}
INSERTIONS = ("w:ins", "w:moveTo")
DELETIONS = ("w:del", "w:moveFrom")
TRACKED = {"w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:rPrChange", "w:pPrChange"}
LOCKED_CONTROLS = {
    "w:lock",
    *("w:dataBinding", "w15:dataBinding", "w:dropDownList", "w:comboBox", "w:date", "w14:checkbox"),
    *("w:group", "w:showingPlcHdr", "w:equation", "w:citation", "w:bibliography"),
}
HIDDEN = {
    *("w:del", "w:moveFrom", "w:delText", "w:delInstrText", "w:rt", "w:rubyPr", "w:fldData", "w:ffData"),
    *("w:sectPr", "w:tblPr", "w:tblGrid", "w:trPr", "w:tcPr", "w:tblPrEx"),
    *("w:sdtEndPr", "w:smartTagPr", "w:customXmlPr"),
}
HIDDEN_CONTENT = {
    "w:commentReference": UnreadKind.COMMENT,
    "w:del": UnreadKind.DELETION,
    "w:moveFrom": UnreadKind.DELETION,
    "w:altChunk": UnreadKind.IMPORTED,
    "c:chart": UnreadKind.EMBEDDED,
    "dgm:relIds": UnreadKind.EMBEDDED,
}
NOTE_MARKS = {"w:footnoteReference": "footnotes", "w:endnoteReference": "endnotes"}
"""The marks of notes in the text, and the kind of the part that holds the notes."""
NOTE_PROPERTIES = {"w:footnotePr": "footnotes", "w:endnotePr": "endnotes"}
NUMBER_FORMATS = {
    "bullet": "",
    "none": "none",
    "lowerLetter": "a",
    "upperLetter": "A",
    "lowerRoman": "i",
    "upperRoman": "I",
    "chicago": "*",
}
"""The formats of numbers, and what `core.text.list_labels.numeral` calls them; all others are shown as digits."""
SEPARATORS = ("separator", "continuationSeparator", "continuationNotice")
"""The types of elements among the notes that are no notes, but lines between the text and its notes."""
MARGIN_MARKS = {"w:headerReference": "header", "w:footerReference": "footer"}
TEXT_PARENTS = ("w:r", "mc:Choice", "mc:Fallback")
FORMULAS = ("m:oMath", "m:oMathPara")
XML_SPACES = " \t\n\r"
TO_SPACES = str.maketrans("\t\n\r\u2029", "    ")
OBJECT_CHARACTER = "\ufffc"


def lock_reasons() -> dict[str, str]:
    """Why something cannot be edited, as sentences for a person, by key."""
    return {
        "field": tr("This is a field that the word processor computes. Change it there."),
        "control": tr("This is a form control of the document. Fill it in in the word processor."),
        "object": tr("This is a picture, a drawing or an object. Change it in the word processor."),
        "formula": tr("This is a formula. Change it in the word processor."),
        "symbol": tr("This is a symbol from a special font. Change it in the word processor."),
        "tab": tr("This is a special kind of tab. Change it in the word processor."),
        "page": tr("This is a page break. Change it in the word processor."),
        "ruby": tr("This text has a pronunciation guide above it. Change it in the word processor."),
        "odd": tr("This text is written in a way that cannot be edited safely."),
        "alternate": tr(
            "The file contains two different versions of this text box. Change it in the word processor."
        ),
        "section": tr("A section of the document ends here. Change it in the word processor."),
        "tracked": tr(
            "The end of this paragraph is a tracked change. Accept or reject it in the word processor first."
        ),
    }


_LOCKS = ("contentLocked", "sdtContentLocked")


@dataclass(slots=True)
class _Field:
    """A field: its code as far as it was read, and whether its result has begun."""

    code: str = ""
    shown: bool = False


class EditGuard:
    """The fields (each text box has its own), controls and locked elements that are open where the reader is."""

    def __init__(self, lock_reasons: Mapping[str, str]) -> None:
        self._reasons = lock_reasons
        self._stories: list[list[_Field]] = [[]]
        self._locks: list[tuple[int, str]] = []
        self._controls: list[str] = []

    def reason(self) -> str:
        """Why the text at this place cannot be edited, or ""."""
        if self._locks:
            return self._locks[-1][1]
        shut = any(not is_link(field.code) for field in self._stories[-1])
        return self._reasons["field"] if shut else ""

    def lock(self, depth: int, reason: str) -> None:
        """Lock the element at a depth, to its end; with no reason, do nothing."""
        if reason:
            self._locks.append((depth, reason))

    def leave(self, depth: int) -> None:
        """The element at a depth ends."""
        if self._locks and self._locks[-1][0] == depth:
            self._locks.pop()

    def in_field(self) -> bool:
        return bool(self._stories[-1])

    def in_code(self) -> bool:
        """Whether what is read is the code of a field, which is not shown."""
        return any(not field.shown for field in self._stories[-1])

    def add_code(self, text: str) -> None:
        self._stories[-1][-1].code += text

    def field_character(self, kind: str | None) -> None:
        """A field begins, its code ends, or it ends."""
        story = self._stories[-1]
        if kind == "begin":
            story.append(_Field())
        elif kind == "separate" and story:
            story[-1].shown = True
        elif kind == "end" and story:
            story.pop()

    def start_story(self) -> None:
        self._stories.append([])

    def end_story(self) -> None:
        if len(self._stories) > 1:
            self._stories.pop()

    def start_control(self) -> None:
        self._controls.append("")

    def end_control(self) -> None:
        if self._controls:
            self._controls.pop()

    def shut_control(self, lock: str | None = None) -> None:
        """Lock the open control: because it holds a value to fill in, or for a lock of this kind."""
        if self._controls and (lock is None or lock in _LOCKS):
            self._controls[-1] = self._reasons["control"]

    def control(self) -> str:
        """Why the content of the control cannot be edited, or ""."""
        return self._controls[-1] if self._controls else ""


def is_link(code: str) -> bool:
    """Whether a field is a link, whose text can be edited."""
    return code.lstrip().upper().startswith("HYPERLINK")


def read_number(value: str) -> int:
    """A positive number in an attribute; 1 for anything else."""
    return int(value) if value.isdecimal() and len(value) < 9 else 1


@dataclass(frozen=True, slots=True)
class NoteNumbering:
    """How notes are numbered; ``in_sections``: in each section anew."""

    numbers: str
    start: int = 1
    in_sections: bool = False


class NoteNumberings:
    """What settings or a section say of the numbers of footnotes and endnotes (ECMA-376 part 1, section 17.11)."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], str] = {}

    def read(self, parent: str, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a child of the properties ``parent`` of notes."""
        self._values[NOTE_PROPERTIES[parent], tag] = attributes.get("w:val", "")

    def over(self, settings: NoteNumberings, kind: str) -> NoteNumbering:
        """The numbering of the notes of a kind: as this section says, else as the settings say."""
        values = settings._values | self._values
        numbers = values.get((kind, "w:numFmt"), "lowerRoman" if kind == "endnotes" else "decimal")
        return NoteNumbering(
            NUMBER_FORMATS.get(numbers, "1") or "1",
            read_number(values.get((kind, "w:numStart"), "1")),
            values.get((kind, "w:numRestart")) == "eachSect",
        )


_DEEPEST = 3
"""The deepest nesting that is editable; deeper content is locked, because reading it would take long."""
_Branch = tuple[list[Segment], list[Line]]


@dataclass(slots=True)
class _Choice:
    branches: list[_Branch] = field(default_factory=list)
    mark: tuple[int, int, int, int] = (0, 0, 0, 0)
    tangled: bool = False


class AlternateContent:
    """The open ``mc:AlternateContent`` elements, the innermost last.

    Only the first branch is shown; edits of it are written to the other branches too.
    """

    def __init__(self) -> None:
        self._open: list[_Choice] = []

    def start(self) -> None:
        self._open.append(_Choice())

    def start_branch(self, line: Line | None, lines: list[Line]) -> None:
        """A branch begins, of a line or between lines; ``lines`` are those before it."""
        if self._open:
            segments, length, marks = (
                (len(line.segments), line.length, len(line.marks)) if line else (0, 0, 0)
            )
            self._open[-1].mark = (segments, length, marks, len(lines))

    def end_branch(self, line: Line | None, lines: list[Line]) -> None:
        """A branch ends; only the text of the first is kept."""
        if not self._open:
            return
        choice = self._open[-1]
        segments, length, marks, count = choice.mark
        choice.branches.append((line.segments[segments:] if line else [], lines[count:]))
        if len(choice.branches) > 1:
            del lines[count:]
            if line is not None:
                del line.segments[segments:], line.marks[marks:]
                line.length = length

    def end(self, reason: str) -> None:
        """Connect the branches; ``reason`` is why text that differs between them cannot be edited."""
        if not self._open:
            return
        choice = self._open.pop()
        branches = choice.branches
        if len(self._open) >= _DEEPEST:
            self._open[_DEEPEST - 1].tangled = True
            return
        if not branches or (len(branches) == 1 and not choice.tangled):
            return
        shown, *others = branches
        segments = _all(shown)
        same = not choice.tangled and all(_shape(other) == _shape(shown) for other in others)
        for number, segment in enumerate(segments):
            segment.breakable = False
            if segment.target is not None and same:
                segment.mirrors += tuple(_all(other)[number] for other in others)
            elif segment.target is not None:
                segment.target, segment.reason = None, reason
            elif not segment.reason:
                segment.reason = reason
        for line in shown[1]:
            line.joinable = False
            line.end_reason = line.end_reason or reason


def _all(branch: _Branch) -> list[Segment]:
    segments, lines = branch
    return [*segments, *(segment for line in lines for segment in line.segments)]


def _shape(branch: _Branch) -> list[list[tuple[str, bool, type]]]:
    """What a branch shows, line by line."""
    segments, lines = branch
    return [
        [(segment.text, segment.is_insertion_point, type(segment.target)) for segment in group]
        for group in (segments, *(line.segments for line in lines))
    ]
