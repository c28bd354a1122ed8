"""Tables of wikitext: where the cells between the marks of a table are."""

from __future__ import annotations

import re

from core.documents.types import Span

_LINE_START = re.compile(r"[ \t:]*")


def cell_spans(text: str, marks: list[int], end: int) -> list[Span]:
    """The contents of the cells of a table, and of its caption, in order.

    ``marks`` are the places of its own pipes, and of ``!`` where one begins a line or is doubled; ``end`` is where the
    table is closed.
    """
    cells: list[Span] = []
    begun = -1
    attributes = False
    header = False
    position = 0
    before = marks[0] - 1 if marks else 0
    before = text.rfind("\n", 0, before + 1)
    while position < len(marks):
        mark = marks[position]
        position += 1
        doubled = position < len(marks) and marks[position] == mark + 1 and text[mark] == text[mark + 1]
        line = text.rfind("\n", max(before, 0), mark)
        before = mark
        if line >= 0 and _LINE_START.fullmatch(text, line + 1, mark):
            if begun >= 0:
                cells.append((begun, mark))
            sign = text[mark + 1 : mark + 2]
            begun, attributes, header = mark + 1, False, text[mark] == "!"
            if text[mark] == "|" and sign in ("-", "}"):
                begun = -1
            elif text[mark] == "|" and sign == "+":
                begun = mark + 2
        elif begun < 0:
            continue
        elif doubled and (text[mark] == "|" or header) and text.find("\n", begun, mark) < 0:
            cells.append((begun, mark))
            begun, attributes = mark + 2, False
            position += 1
        elif text[mark] == "|" and not attributes and not doubled and text.find("\n", begun, mark) < 0:
            begun, attributes = mark + 1, True
    if begun >= 0:
        cells.append((begun, end))
    return [(start, stop) for start, stop in cells if start < stop]
