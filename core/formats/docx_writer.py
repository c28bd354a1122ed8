"""Writes new text into the segments of a docx: runs, texts, tabs and paragraph ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.formats.office_document import Patch, WriteContext
from core.formats.text_layout import Segment
from core.formats.xml_scan import escape_text, tag_end

_PRESERVE = b' xml:space="preserve"'
_SPACE_ATTRIBUTE = re.compile(rb"""\sxml:space\s*=\s*(?:"[^"]*"|'[^']*')""")
_IN_RUN = re.compile("([\t\u2011\u00ad])")
_ELEMENTS = {"\t": b"tab", "\u2011": b"noBreakHyphen", "\u00ad": b"softHyphen"}


@dataclass(slots=True, eq=False)
class Paragraph:
    """What a new paragraph next to this one begins with: the prefix of its tag and the bytes of its properties.

    ``start`` to ``content`` are the bytes of its own head: its tag and its properties.
    """

    prefix: bytes
    properties: bytes = b""
    run_properties: bytes = b""
    start: int = 0
    content: int = 0

    def broken(self) -> bytes:
        return b"</%bp><%bp>%b" % (self.prefix, self.prefix, self.properties)


@dataclass(slots=True, eq=False)
class Run:
    """A run: the prefix of its tag, its paragraph, the bytes of its properties, whether a paragraph can be split in it.

    Its bytes are ``start`` to ``end``; its head (tag and properties) ends at ``content``. ``parent`` is where the tag
    of the element around it starts, and ``insertion`` the bytes of that tag if that is a tracked insertion.
    """

    prefix: bytes
    paragraph: Paragraph
    properties: bytes = b""
    breakable: bool = False
    start: int = 0
    content: int = 0
    end: int = 0
    parent: int = 0
    insertion: bytes = b""

    def broken(self) -> bytes:
        return b"</%br>%b<%br>%b" % (self.prefix, self.paragraph.broken(), self.prefix, self.properties)


@dataclass(frozen=True, slots=True, eq=False)
class TextTarget:
    """Inside a ``w:t`` whose start tag begins at ``tag``; ``divisible``: the run can be cut in two here."""

    run: Run
    tag: int
    preserve: bool
    divisible: bool


@dataclass(frozen=True, slots=True, eq=False)
class RunTarget:
    """Between the children of a run; ``divisible``: the run can be cut in two here."""

    run: Run
    divisible: bool


@dataclass(frozen=True, slots=True, eq=False)
class ParagraphTarget:
    """Between the runs of a paragraph."""

    paragraph: Paragraph


class DocxWriter:
    """Writes text into the segments of one part."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __call__(self, segment: Segment, text: str, _around: WriteContext) -> list[Patch]:
        found = self._one(segment, text)
        for mirror in segment.mirrors:
            found += self._one(mirror, text)
        return found

    def _one(self, segment: Segment, text: str) -> list[Patch]:
        target = segment.target
        parts = text.split("\n")
        if isinstance(target, TextTarget):
            return self._in_text(segment, target, parts)
        if isinstance(target, RunTarget):
            content = target.run.broken().join(run_children(part, target.run.prefix) for part in parts)
        else:
            assert isinstance(target, ParagraphTarget)
            content = target.paragraph.broken().join(_run(part, target.paragraph) for part in parts)
        return [(segment.start, segment.end, content)]

    def _in_text(self, segment: Segment, target: TextTarget, parts: list[str]) -> list[Patch]:
        prefix = target.run.prefix
        tab = b"</%bt><%btab/><%bt%b>" % (prefix, prefix, prefix, _PRESERVE)
        broken = b"</%bt>%b<%bt%b>" % (prefix, target.run.broken(), prefix, _PRESERVE)
        content = broken.join(tab.join(map(escape_text, part.split("\t"))) for part in parts)
        found: list[Patch] = [(segment.start, segment.end, content)]
        first = parts[0].partition("\t")[0]
        if not target.preserve and first != first.strip(" "):
            end = tag_end(self._data, target.tag)
            tag = _SPACE_ATTRIBUTE.sub(b"", self._data[target.tag : end])
            found.insert(0, (target.tag, end, tag[:-1] + _PRESERVE + b">"))
        return found


def run_children(text: str, prefix: bytes) -> bytes:
    """The children of a run that show a text without line breaks."""
    found = []
    for part in filter(None, _IN_RUN.split(text)):
        if part in _ELEMENTS:
            found.append(b"<%b%b/>" % (prefix, _ELEMENTS[part]))
        else:
            found.append(b"<%bt%b>%b</%bt>" % (prefix, _PRESERVE, escape_text(part), prefix))
    return b"".join(found)


def _run(text: str, paragraph: Paragraph) -> bytes:
    prefix = paragraph.prefix
    children = run_children(text, prefix)
    return b"<%br>%b%b</%br>" % (prefix, paragraph.run_properties, children, prefix) if text else b""
