"""Wikitext: what of a page's source is prose.

One linear scan. mwparserfromhell knows the grammar better, but backtracks on mark-up that is never closed (100,000
characters of ``<div `` take it five minutes) and a draft that is being typed is full of that. On the pages of real
articles the two agree; the tests compare them.
"""

from __future__ import annotations

import re
from itertools import pairwise

from core.documents.masks import Layout, Span, addresses, even_lines, merge, union
from core.documents.model import Mask
from core.documents.wikitext_scan import Scan, scan

_REDIRECT = re.compile(r"\s*#[^\W\d_]{4,20}[ \t]*:?[ \t]*\[\[[^\[\]\n]*\]\][^\n]*")
_LIST = re.compile(r"[*#:;]+[ \t]*")
_GAP, _ZERO = "\x01", "\x02"
_FILLERS = str.maketrans({_GAP: " ", _ZERO: " "})
_BLANK = f" \t\r\f\v\xa0{_GAP}{_ZERO}"


def lay_out(source: str) -> Layout:
    """Masks and blocks of a page. Blocks are paragraphs, headings, list items and what block tags enclose."""
    text = even_lines(source)
    scanned = scan(text)
    masks = merge([*scanned.masks, *addresses(text), *_redirect(text)])
    markers, blocks = _lines(_filled(text, masks))
    return Layout(
        merge([*masks, *markers]),
        tuple(_cut(blocks, scanned)),
        union(scanned.quotes),
        tuple(scanned.comments),
    )


def _redirect(text: str) -> list[Mask]:
    found = _REDIRECT.match(text)
    return [Mask(*found.span(), True)] if found else []


def _filled(text: str, masks: tuple[Mask, ...]) -> str:
    """The text with every masked character, line ends too, replaced by one that says how it is masked."""
    text = text.translate(_FILLERS) if _GAP in text or _ZERO in text else text
    pieces = []
    position = 0
    for mask in masks:
        pieces += [text[position : mask.start], (_GAP if mask.gap else _ZERO) * (mask.end - mask.start)]
        position = mask.end
    return "".join([*pieces, text[position:]])


def _lines(filled: str) -> tuple[list[Mask], list[Span]]:
    """Masks over the marks that begin or frame a line, and the blocks that the lines make."""
    masks: list[Mask] = []
    blocks: list[Span] = []
    open_from: int | None = None
    position = 0
    for line in filled.split("\n"):
        start, end = position, position + len(line)
        position = end + 1
        bare = line.strip(_BLANK)
        if not bare and _ZERO in line and _GAP not in line:
            continue
        first = start + len(line) - len(line.lstrip(_BLANK))
        last = first + len(bare)
        marks = _frame(bare, first, last)
        if bare and not marks:
            open_from = start if open_from is None else open_from
            continue
        if open_from is not None:
            blocks.append((open_from, start))
            open_from = None
        masks += marks
        if marks and marks[0].end < last:
            blocks.append((marks[0].end, marks[-1].start if len(marks) > 1 else end))
    if open_from is not None:
        blocks.append((open_from, len(filled)))
    return masks, blocks


def _frame(bare: str, first: int, last: int) -> list[Mask]:
    """The marks of a heading, a list item, a rule, or a row of a table or template that was never closed."""
    if bare[:1] == "=" and bare[-1] == "=" and len(bare) > 2:
        depth = min(len(bare) - len(bare.lstrip("=")), len(bare) - len(bare.rstrip("=")), 6)
        if 2 * depth < len(bare):
            return [Mask(first, first + depth, False), Mask(last - depth, last, False)]
    if bare.startswith(("|", "{|", "----")):
        return [Mask(first, last, True)]
    item = _LIST.match(bare)
    return [Mask(first, first + item.end(), False)] if item else []


def _cut(blocks: list[Span], scanned: Scan) -> list[Span]:
    """The blocks, cut where a block tag stands inside them."""
    borders = iter([*sorted(scanned.borders), -1])
    border = next(borders)
    cut: list[Span] = []
    for start, end in blocks:
        inside = []
        while border != -1 and border < end:
            if border > start:
                inside.append(border)
            border = next(borders)
        cut += pairwise([start, *inside, end])
    return cut
