"""Plain text: paragraphs, lists and lines."""

from __future__ import annotations

import re
from itertools import pairwise

from core.documents.masks import Layout, Span, addresses, even_lines, merge
from core.documents.model import Mask

_BULLET = re.compile(r"[ \t]*([-*+•‣◦⁃][ \t]+)(?=\S)")
_COUNTER = re.compile(r"[ \t]*((?:\d{1,3}[.)]|[a-zA-Z]\)|[–—])[ \t]+)(?=\S)")
_RULE = re.compile(r"[ \t]*([-=_*~#+.·•—–]{3,})[ \t]*")
_CLOSED = re.compile(r"[.!?:…。！？][\"'”’»)\]]*\s*$")


def lay_out(source: str) -> Layout:
    """Paragraphs end at blank lines, at list items, and at a line break that no wrapping would have made."""
    text = even_lines(source)
    masks = addresses(text)
    blocks: list[Span] = []
    paragraph: list[Span] = []
    position = 0
    in_list = False
    for line in text.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        rule = _RULE.fullmatch(line)
        if rule:
            masks.append(Mask(start + rule.start(1), start + rule.end(1), True))
        if rule or not line or line.isspace():
            in_list = False
            blocks += _unwrapped(text, paragraph)
            paragraph = []
            continue
        marker = _marker(line, anything=in_list or not paragraph or _closed(text, paragraph[-1]))
        if marker is not None:
            in_list = True
            masks.append(Mask(start + marker[0], start + marker[1], False))
            blocks += _unwrapped(text, paragraph)
            paragraph = []
        paragraph.append((start, end))
    blocks += _unwrapped(text, paragraph)
    return Layout(merge(masks), tuple(blocks))


def _marker(line: str, *, anything: bool) -> Span | None:
    """The marker of a list item; a number or a dash is one only where anything can begin."""
    found = _BULLET.match(line) or (_COUNTER.match(line) if anything else None)
    return found.span(1) if found else None


def _closed(text: str, line: Span) -> bool:
    return _CLOSED.search(text, max(line[0], line[1] - 40), line[1]) is not None


def _unwrapped(text: str, lines: list[Span]) -> list[Span]:
    """The paragraphs in a run of lines.

    A line break was made by hand, and ends a paragraph, if the first word of the next line would still have fitted
    on the line before it. A line that goes on in lower case is never cut off.
    """
    if not lines:
        return []
    width = max(end - start for start, end in lines)
    blocks = []
    first = lines[0][0]
    for (start, end), (next_start, next_end) in pairwise(lines):
        following = text[next_start:next_end].lstrip()
        word = following.split(None, 1)[0]
        fits = len(text[start:end].rstrip()) + 1 + len(word) <= width
        if fits and not following[0].islower() and not text[start:end].rstrip().endswith((",", ";")):
            blocks.append((first, end))
            first = next_start
    blocks.append((first, lines[-1][1]))
    return blocks
