"""The paragraphs of a docx while they are read: their lines, the pieces in them, and where text could be put."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.containers.docx_guard import Guard
from core.containers.docx_writer import InParagraph, InRun, Paragraph, Run
from core.containers.flow import Line, Piece
from core.containers.xml_scan import element_end, tag_end, tag_name


@dataclass(slots=True, eq=False)
class Open:
    """A paragraph that is being read. ``inner`` are the lines of text boxes in it, which come after it.

    ``in_properties`` is the depth of its properties while they are read; ``alternatives`` how many branches are open.
    """

    line: Line
    paragraph: Paragraph
    splittable: bool
    runs: list[Run] = field(default_factory=list)
    begun: bool = False
    in_properties: int = 0
    alternatives: int = 0
    inner: list[Line] = field(default_factory=list)


class DocxLines:
    """All lines read so far, and the paragraphs that are open: one in another where text boxes are."""

    def __init__(self, data: bytes, guard: Guard, reasons: Mapping[str, str]) -> None:
        self.done: list[Line] = []
        self._data = data
        self._guard = guard
        self._reasons = reasons
        self._open: list[Open] = []
        self._pending: list[tuple[str, str]] = []

    @property
    def here(self) -> Open | None:
        """The innermost paragraph."""
        return self._open[-1] if self._open else None

    @property
    def run(self) -> Run | None:
        """The innermost run of the innermost paragraph."""
        return self._open[-1].runs[-1] if self._open and self._open[-1].runs else None

    def place(self) -> tuple[Line | None, list[Line]]:
        """The line that is read, and the lines that the next paragraph within is added to."""
        return (self._open[-1].line, self._open[-1].inner) if self._open else (None, self.done)

    def start_paragraph(self, at: int) -> None:
        end = tag_end(self._data, at)
        free = b"xmlns" not in self._data[at:end] and not self._guard.reason()
        line = Line(start=at, content=end, empty_tag=self._data[end - 2 : end] == b"/>", joinable=free)
        line.marks += [(0, what, mark) for what, mark in self._pending]
        self._pending.clear()
        self._open.append(Open(line, Paragraph(tag_name(self._data, at)[:-1]), splittable=free))

    def begin(self) -> None:
        """The first thing after the properties of the paragraph is met."""
        if self._open and not self._open[-1].begun:
            self._open[-1].begun = True
            self.slot(self._open[-1].line.content)

    def properties(self, start: int, at: int) -> None:
        """The properties of the innermost paragraph end."""
        here = self._open[-1]
        here.in_properties = 0
        if here.begun:
            here.splittable = here.line.joinable = False
            return
        here.line.content = element_end(self._data, start, at)
        here.paragraph.properties = self._data[start : here.line.content]
        if here.line.end_reason:
            here.paragraph.run_properties = b""

    def tie(self, why: str) -> None:
        """The innermost paragraph can neither be split nor run into another."""
        here = self._open[-1]
        here.splittable = here.line.joinable = False
        here.line.end_reason = self._reasons[why]

    def end_paragraph(self, start: int, at: int) -> None:
        if not self._open:
            return
        here = self._open[-1]
        line = here.line
        line.end = element_end(self._data, start, at)
        line.close = line.end if line.empty_tag else at
        if not here.begun or line.close > line.content:
            self.slot(line.close)
        line.end_reason = line.end_reason or self._guard.reason()
        if not here.splittable:
            for piece in line.pieces:
                piece.breakable = False
        self._open.pop()
        self.place()[1].extend([line, *here.inner])

    def start_run(self, at: int, parent: str) -> None:
        if self._open:
            plain = b"xmlns" not in self._data[at : tag_end(self._data, at)]
            run = Run(
                tag_name(self._data, at)[:-1], self._open[-1].paragraph, breakable=plain and parent == "w:p"
            )
            self._open[-1].runs.append(run)

    def end_run(self) -> None:
        if self._open and self._open[-1].runs:
            self._open[-1].runs.pop()

    def run_properties(self, start: int, at: int) -> None:
        run = self.run
        if run is not None:
            run.properties = self._data[start : element_end(self._data, start, at)]
            if any(mark in run.properties for mark in (b"rPrChange", b":ins", b":del")):
                run.breakable = False

    def add(self, text: str, span: tuple[int, int], reason: str, spot: object = None) -> None:
        """Add what is shown of a run; it is locked if there is a reason."""
        run = self.run
        breakable = run is not None and run.breakable and self._can_break()
        piece = Piece(text, *span, reason=reason) if reason else Piece(text, *span, spot, breakable=breakable)
        self._open[-1].line.add(piece)

    def slot(self, at: int) -> None:
        """A place in the innermost paragraph, between its runs, where text could be put."""
        here = self.here
        if here is not None and not self._guard.reason() and not here.alternatives:
            spot = InParagraph(here.paragraph)
            here.line.add(Piece("", at, at, spot, slot=True, breakable=self._can_break()))

    def run_slot(self, at: int) -> None:
        """A place in the innermost run where text could be put."""
        run = self.run
        if run is not None and not self._guard.reason() and not self._open[-1].alternatives:
            breakable = run.breakable and self._can_break()
            self._open[-1].line.add(Piece("", at, at, InRun(run), slot=True, breakable=breakable))

    def mark(self, what: str, mark: str) -> None:
        """A comment begins or ends here."""
        line = self._open[-1].line if self._open else self.done[-1] if what == "end" and self.done else None
        if line is not None:
            line.marks.append((line.length, what, mark))
        else:
            self._pending.append((what, mark))

    def _can_break(self) -> bool:
        """Whether the paragraph can be split here: not in a field, nor after text boxes, whose lines come after it."""
        here = self._open[-1]
        return not (self._guard.in_field() or here.alternatives or here.inner)
