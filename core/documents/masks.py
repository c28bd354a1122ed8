"""What every format needs to say which parts of a source are not prose."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.documents.model import Mask

Span = tuple[int, int]

_ADDRESS = re.compile(
    r"""
    (?<![\w+.-]) (?:https?|ftps?|sftp|ircs?|git|ssh|file) :// [^\s<>"{}|\[\]`\x01\x02]++
  | (?<![\w@./-]) www\. [^\s<>"{}|\[\]`\x01\x02]++
  | (?<![\w.%+-]) (?:mailto:)? \w [\w.%+-]{0,63} @ (?:[\w-]{1,63}\.){1,8} [^\W\d_]{2,24} (?![\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_TRAILING = ".,;:!?'\"*_~…’”»“‘"


@dataclass(frozen=True, slots=True)
class Layout:
    """What a format's reader finds: masks, blocks of prose, quotations that the mark-up itself sets apart, comments.

    All are sorted; masks and blocks are disjoint. A sentence never crosses the border of a block. ``comments`` are
    those of ``<!-- -->`` that the format takes for comments; the ones that could hold no marker may be left out.
    """

    masks: tuple[Mask, ...]
    blocks: tuple[Span, ...]
    quotes: tuple[Span, ...] = ()
    comments: tuple[Span, ...] = ()


def merge(masks: Iterable[Mask]) -> tuple[Mask, ...]:
    """Sorted, disjoint masks that cover the same characters.

    A mask inside another vanishes into it; masks that overlap otherwise become one, a gap if either is.
    """
    merged: list[Mask] = []
    for mask in sorted(masks, key=lambda mask: (mask.start, -mask.end)):
        if mask.start >= mask.end:
            continue
        last = merged[-1] if merged else None
        if last is None or mask.start >= last.end:
            merged.append(mask)
        elif mask.end > last.end:
            merged[-1] = Mask(last.start, mask.end, last.gap or mask.gap)
    return tuple(merged)


def union(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Sorted, disjoint spans that cover the same characters; spans that touch stay apart."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif start < end:
            joined.append((start, end))
    return tuple(joined)


def addresses(source: str) -> list[Mask]:
    """Gap masks over bare URLs and e-mail addresses, without the punctuation that ends a sentence after them."""
    found = []
    for match in _ADDRESS.finditer(source):
        address = match.group().split("''", 1)[0].rstrip(_TRAILING)
        unpaired = address.count(")") - address.count("(")
        while unpaired > 0 and address.endswith(")"):
            address = address[:-1].rstrip(_TRAILING)
            unpaired -= 1
        found.append(Mask(match.start(), match.start() + len(address), True))
    return found


def even_lines(source: str) -> str:
    r"""The source with every line end a ``\n`` and no character moved: a ``\r`` before it becomes a space."""
    return source.replace("\r\n", " \n").replace("\r", "\n") if "\r" in source else source
