"""Direct quotations by their marks: straight, curly, low, guillemets, corner brackets; nested and over paragraphs.

A mark in the place of an apostrophe, a foot or an inch is not a quotation mark. A quotation that is never closed does
not count, so that one stray mark exempts nothing, unless the next paragraph opens it again as long quotations do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.documents.prose_view import ProseView
from core.documents.types import Span

QUOTATION_MARK = re.compile("``|''|[\"'“”„‘’‚«»‹›「」『』＂]")
_ELIDED = re.compile(
    r"['‘’](?:\d\ds?\b|(?:n|tis|twas|twere|twill|em|til|till|cause|cuz|bout|round|neath|gainst|kay|nuff|tude)\b)",
    re.IGNORECASE,
)
_OPENS_AFTER = frozenset("([{<-–—/|¿¡:;,…>=*_#")
_CLOSES_BEFORE = frozenset(")]}>.,;:!?-–—/|…*_%")

# Families of marks that may close one another, each named by how it opens.
_DOUBLE, _SINGLE = '"', "'"
_CLOSERS = {
    _DOUBLE: ('"',),
    _SINGLE: ("'",),
    "“": ("”", '"'),
    "„": ("“", "”", '"'),
    "”": ("”",),
    "‘": ("’", "'"),
    "‚": ("‘", "’"),
    "«": ("»",),
    "»": ("«", "»"),
    "‹": ("›",),
    "›": ("‹", "›"),
    "「": ("」",),
    "『": ("』",),
}
_ALWAYS_OPEN = frozenset("“„‘‚«‹「『")
_APOSTROPHES = frozenset("'’‘")
_SAME_AS = {"``": "“", "''": "”", "＂": '"'}
_REOPENED = frozenset(('"', "“", "«", "„", "‘", "”"))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A quotation mark, its place, and whether its neighbours let it open and close a quotation."""

    start: int
    end: int
    sign: str
    opens: bool
    closes: bool
    doubtful: bool


def find_quotes(views: Sequence[ProseView]) -> list[Span]:
    """Direct quotations in the blocks of a document, in reading order, as source spans with their marks.

    Nested quotations are listed too. Across paragraphs a quotation continues only if the next one opens it again.
    """
    found: list[Span] = []
    carried: list[Span] = []
    carried_sign = ""
    for view in views:
        marks = _marks(view.text)
        spans, unclosed = _pair(marks)
        begun = next((mark for mark in marks if mark.opens), None)
        reopens = (
            carried_sign and begun and begun.sign == carried_sign and not view.text[: begun.start].strip()
        )
        if reopens:
            found += carried
        found += [view.source_span(start, end) for start, end in spans]
        carried, carried_sign = [], ""
        if unclosed is not None and unclosed.sign in _REOPENED:
            end = len(view.text.rstrip())
            carried, carried_sign = [view.source_span(unclosed.start, end)], unclosed.sign
    return found


def _marks(text: str) -> list[_Mark]:
    """The quotation marks of a block, without apostrophes and signs of measure."""
    marks = []
    for match in QUOTATION_MARK.finditer(text):
        mark = _classify(text, match)
        if mark.opens or mark.closes:
            marks.append(mark)
    return marks


def _classify(text: str, match: re.Match[str]) -> _Mark:
    start, end = match.span()
    sign = _SAME_AS.get(match.group(), match.group())
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    free_before = not before or before.isspace()
    free_after = not after or after.isspace()
    opens = (free_before or before in _OPENS_AFTER or bool(QUOTATION_MARK.match(before))) and not free_after
    closes = not free_before and (free_after or after in _CLOSES_BEFORE or bool(QUOTATION_MARK.match(after)))
    doubtful = False
    if sign in _APOSTROPHES:
        opens = opens and sign != "’" and (after.isalnum() or after in '([“"«¿¡…$£€')
        opens = opens and not _ELIDED.match(text, start)
        doubtful = closes and before in "sSzZxXnN" and free_after
    elif sign == _DOUBLE:
        tokenised = free_before and free_after
        opens, closes = opens or tokenised, closes or tokenised
        doubtful = closes and before.isdigit()
    elif sign in _ALWAYS_OPEN:
        opens, closes = True, not opens
    elif sign in "」』":
        opens, closes = False, True
    elif sign in "»›":
        opens, closes = opens and not closes, True
    else:
        opens, closes = opens and not closes, closes or len(match.group()) == 2
    return _Mark(start, end, sign, opens, closes, doubtful)


def _pair(marks: Sequence[_Mark]) -> tuple[list[Span], _Mark | None]:
    """Pair the marks of one block: the quotations, and the outermost mark that was left open."""
    spans: list[Span] = []
    stack: list[_Mark] = []
    waiting: dict[str, int] = {}

    def close(mark: _Mark) -> bool:
        openers = [sign for sign, closers in _CLOSERS.items() if mark.sign in closers and waiting.get(sign)]
        if not openers:
            return False
        while True:
            opener = stack.pop()
            waiting[opener.sign] -= 1
            if opener.sign in openers:
                spans.append((opener.start, mark.end))
                return True

    def open_(mark: _Mark) -> None:
        stack.append(mark)
        waiting[mark.sign] = waiting.get(mark.sign, 0) + 1

    for number, mark in enumerate(marks):
        only_opens = mark.opens and not mark.closes
        if only_opens and mark.sign in (_DOUBLE, _SINGLE) and waiting.get(mark.sign):
            while waiting[mark.sign]:
                waiting[stack.pop().sign] -= 1
        if only_opens:
            open_(mark)
        elif mark.doubtful and _closed_soon(marks, number):
            continue
        elif not (mark.closes and close(mark)) and mark.opens:
            open_(mark)
    return spans, stack[0] if stack else None


def _closed_soon(marks: Sequence[_Mark], number: int) -> bool:
    """Whether the next mark of the same sign closes too; then a doubtful mark is an apostrophe or a sign of measure."""
    sign = marks[number].sign
    for mark in marks[number + 1 : number + 9]:
        if mark.sign == sign:
            return mark.closes and not mark.opens
    return False
