"""Plain text: paragraphs, lists and hand-made line breaks; text with one paragraph a line; and pasted text cleaned."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from core.documents.types import (
    FormatParser,
    Layout,
    NonProseSpan,
    Span,
    find_addresses,
    merge_non_prose,
    normalize_line_ends,
)

_BULLET = re.compile(r"[ \t]*([-*+•‣◦⁃][ \t]+)(?=\S)")
_COUNTER = re.compile(r"[ \t]*((?:\d{1,3}[.)]|[a-zA-Z]\)|[–—])[ \t]+)(?=\S)")
_RULE = re.compile(r"[ \t]*([-=_*~#+.·•—–]{3,})[ \t]*")
_CLOSED = re.compile(r"[.!?:…。！？][\"'”’»)\]]*\s*$")


def lay_out(source: str) -> Layout:
    """Paragraphs end at blank lines, at list items, and at line breaks that wrapping would not have made."""
    text = normalize_line_ends(source)
    non_prose = find_addresses(text)
    blocks: list[Span] = []
    paragraph: list[Span] = []
    position = 0
    in_list = False
    for line in text.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        rule = _RULE.fullmatch(line)
        if rule:
            non_prose.append(NonProseSpan(start + rule.start(1), start + rule.end(1), True))
        if rule or not line or line.isspace():
            in_list = False
            blocks += _unwrapped(text, paragraph)
            paragraph = []
            continue
        marker = _marker(line, anything=in_list or not paragraph or _closed(text, paragraph[-1]))
        if marker is not None:
            in_list = True
            non_prose.append(NonProseSpan(start + marker[0], start + marker[1], False))
            blocks += _unwrapped(text, paragraph)
            paragraph = []
        paragraph.append((start, end))
    blocks += _unwrapped(text, paragraph)
    return Layout(merge_non_prose(non_prose), tuple(blocks))


def _marker(line: str, *, anything: bool) -> Span | None:
    """The marker of a list item; a number or a dash counts only where a new paragraph can begin (``anything``)."""
    found = _BULLET.match(line) or (_COUNTER.match(line) if anything else None)
    return found.span(1) if found else None


def _closed(text: str, line: Span) -> bool:
    return _CLOSED.search(text, max(line[0], line[1] - 40), line[1]) is not None


def _unwrapped(text: str, lines: list[Span]) -> list[Span]:
    """The paragraphs in a run of lines.

    A line break was made by hand, and ends a paragraph, if the first word of the next line would have fitted on the
    line before it. A line that continues in lower case never starts a paragraph.
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


def lay_out_lines(source: str) -> Layout:
    """The layout of text extracted from a file: every line that is not blank is a block; addresses are no prose."""
    text = normalize_line_ends(source)
    blocks: list[Span] = []
    position = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            blocks.append((position, position + len(line)))
        position += len(line) + 1
    return Layout(merge_non_prose(find_addresses(text)), tuple(blocks))


def split_after(source: str, border: str) -> list[str]:
    """The text cut after every ``border``."""
    parts = source.split(border)
    return [*(part + border for part in parts[:-1]), *parts[-1:]]


def split_paragraphs(source: str, starts_block: Callable[[str], bool] = lambda _: True) -> list[str]:
    """The text cut after blank lines, where ``starts_block`` says that what follows them begins a block.

    It is asked with the text after the blank lines, which is never only white space.
    """
    joined: list[str] = []
    for part in split_after(source, "\n\n"):
        bare = part.lstrip("\n")
        if joined and not (bare and not bare.isspace() and starts_block(bare)):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


PARSER = FormatParser(lay_out, split=split_paragraphs)
LINE_PARSER = FormatParser(lay_out_lines, split=lambda source: split_after(source, "\n"))
"""For text that was taken out of a file, every line a paragraph."""


_LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Soft hyphens, zero-width spaces, byte order marks, object replacement characters, and controls.
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffc]")
_LONE = re.compile("[\ud800-\udfff]")
_PASTED_BULLET = re.compile(
    r"^([ \t]*)[·•▪■◦●○§o\uf0a7\uf0b7](?:\t[ \t\u00a0]*|[ \u00a0]{2,})(?=\S)", re.MULTILINE
)
_LINE_SPACE = re.compile(r"(?<![ \t\u00a0])[ \t\u00a0]++(?=\n)")


def clean_pasted_text(text: str) -> str:
    r"""Text from a clipboard with ``\n`` line ends, without invisible characters, and with ``- `` for bullets.

    No-break spaces inside a line, joiners of emoji and scripts, and the space at the very end are kept. Idempotent.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _LONE.sub("\ufffd", _INVISIBLE.sub("", text))
    return _LINE_SPACE.sub("", _PASTED_BULLET.sub(r"\1- ", text))
