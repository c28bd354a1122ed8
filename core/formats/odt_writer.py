"""Writes new text into the segments of an odt: spaces, tabs and paragraph ends as OpenDocument has them.

White space in a paragraph collapses (OpenDocument 1.3, part 3, 6.1.2); spaces that must stay are elements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.formats.office_document import Patch, WriteContext
from core.formats.text_layout import Segment
from core.formats.xml_scan import end_tag, escape_text

MAX_SPACES = 10_000
"""The most spaces that one element stands for."""
_PARTS = re.compile("( +|\t)")


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """An open span: its start tag, and the span around it."""

    opening: bytes
    outer: Span | None


@dataclass(frozen=True, slots=True, eq=False)
class OdtTarget:
    """A place in a paragraph. ``prefix`` is that of text elements; ``head`` begins another paragraph like this one.

    ``unstable``: white space at the start of the segment collapses, but an edit before it could make it visible.
    """

    prefix: bytes
    head: bytes
    span: Span | None
    unstable: bool = False

    def broken(self, closing: bytes) -> bytes:
        """The bytes that end the paragraph here, with its end tag ``closing``, and begin another."""
        ending, beginning = [], []
        span = self.span
        while span is not None:
            ending.append(end_tag(span.opening, 0))
            beginning.append(span.opening)
            span = span.outer
        return b"".join([*ending, closing, self.head, *reversed(beginning)])


def write(segment: Segment, text: str, around: WriteContext) -> list[Patch]:
    r"""Patches that give a segment new text; ``\n`` ends the paragraph."""
    target = segment.target
    assert isinstance(target, OdtTarget)
    parts = text.split("\n")
    last = len(parts) - 1
    content = b""
    closing = around.closing
    for number, part in enumerate(parts):
        if number:
            content += target.broken(closing)
            closing = end_tag(target.head, target.head.rindex(b"<"))
        content += inline_content(
            part, "" if number else around.before, around.after if number == last else "", target.prefix
        )
    return [(segment.start, segment.end, content)]


def needs_rewrite(segment: Segment, before: str, fresh: bool) -> bool:
    """Whether white space at the start of an unchanged segment would now collapse differently."""
    target = segment.target
    loose = segment.text.startswith(" ") and before in ("", " ")
    return fresh and isinstance(target, OdtTarget) and (loose or target.unstable)


def inline_content(text: str, before: str, after: str, prefix: bytes) -> bytes:
    """Text without line breaks as it stands in a paragraph, between the characters ``before`` and ``after``."""
    found = []
    at = 0
    for part in _PARTS.split(text):
        at += len(part)
        if part == "\t":
            found.append(b"<%btab/>" % prefix)
            before = "\t"
        elif part.startswith(" "):
            following = text[at : at + 1] or after
            plain = before not in ("", " ") and following not in ("", " ")
            found.append(b" " * plain + _spaces(len(part) - plain, prefix))
            before = " "
        elif part:
            found.append(escape_text(part))
            before = part[-1]
    return b"".join(found)


def _spaces(number: int, prefix: bytes) -> bytes:
    full, rest = divmod(number, MAX_SPACES)
    counts = [*[MAX_SPACES] * full, *([rest] if rest else [])]
    return b"".join(
        b"<%bs/>" % prefix if count == 1 else b'<%bs %bc="%d"/>' % (prefix, prefix, count) for count in counts
    )
