"""Plain text as blocks: its paragraphs, with the lines that were wrapped joined, and its lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.conversion.types import Block, Content, Item, Paragraph, Run, ThematicBreak, nest_items
from core.documents.plain_text import lay_out
from core.documents.types import NonProseSpan

_NUMBER = re.compile(r"(\d{1,3})[.)][ \t]+")
_BULLET = re.compile(r"[-*+•‣◦⁃][ \t]+")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")


def read_plain(source: str) -> Content:
    r"""The content of a draft in plain text whose lines end in ``\n``."""
    return Content(tuple(_blocks(source)))


def _blocks(source: str) -> Iterator[Block]:
    layout = lay_out(source)
    markers = {span.start: span for span in layout.non_prose}
    rules = [span for span in layout.non_prose if span.gap and _is_rule(source, span)]
    items: list[Item] = []
    indents: list[int] = []
    last = 0
    for start, end in layout.blocks:
        passed = [rule for rule in rules if last <= rule.start < start]
        line = source[start:end]
        first = start + len(line) - len(line.lstrip(" \t"))
        marker = markers.get(first)
        sign = source[first : marker.end] if marker and not marker.gap else ""
        number = _NUMBER.fullmatch(sign)
        apart = bool(_BLANK_LINES.search(source, last, start)) or bool(passed)
        last = end
        if items and (not sign or apart or not (number or _BULLET.fullmatch(sign))):
            yield from nest_items(items)
            items, indents = [], []
        yield from (ThematicBreak() for _ in passed)
        if not (number or _BULLET.fullmatch(sign)):
            yield Paragraph((Run(_joined(source[start:end])),))
            continue
        indent = first - start
        while indents and indent <= indents[-1]:
            indents.pop()
        indents.append(indent)
        before = items[-1].path if items else ""
        kind = "#" if number else "*"
        path = before[: len(indents) - 1].ljust(len(indents) - 1, "*") + kind
        value = int(number[1]) if number else 1
        expected = sum(item.path == path for item in items) + items[0].number if items else value
        if items and number and len(path) == 1 and value != expected:
            yield from nest_items(items)
            items = []
        items.append(Item(path, (Run(_joined(source[first + len(sign) : end])),), value))
    yield from nest_items(items)
    yield from (ThematicBreak() for rule in rules if rule.start >= last)


def _is_rule(source: str, span: NonProseSpan) -> bool:
    """Whether a non-prose span is a line of signs, and not an address."""
    return not any(sign.isalnum() for sign in source[span.start : span.end])


def _joined(text: str) -> str:
    return " ".join(text.split())
