"""Marks of footnotes that stand as raised figures or letters after a sentence, and are no part of its words."""

from __future__ import annotations

import re

from core.documents.types import Mask, Span

_MARK = re.compile(
    r"\s*\[?(?:\d{1,3}(?:\s*[,–-]\s*\d{1,3})*|[a-z]{1,2}|[ivx]{1,5}|note \d{1,2}|[*†‡§¶]{1,3})\]?\s*"
)
_AFTER = frozenset(".,;:!?…)]}\"'”’»›*_")


def is_footnote_mark(raised: str, before: str, *, linked: bool = False) -> bool:
    """Whether raised text is the mark of a footnote, and no power or ordinal.

    ``before`` is the text before it. A mark is in brackets, is ``linked`` to its note, or follows punctuation.
    """
    if _MARK.fullmatch(raised) is None:
        return False
    return linked or raised.lstrip().startswith("[") or before.rstrip()[-1:] in _AFTER


_RAISED = re.compile(
    r"<sup(?=[\s>])(?P<rest>[^<>]*+)>(?P<link><a\s[^<>]*+>)?+(?P<text>[^<>]{1,20})(?:</a>)?+</sup>",
    re.IGNORECASE,
)


def mask_raised_marks(text: str) -> list[Mask]:
    """Masks over the marks of footnotes that are written with ``<sup>``; the sentence is read as without them."""
    if "<sup" not in text and "<SUP" not in text:
        return []
    return [
        Mask(*found.span(), False)
        for found in _RAISED.finditer(text)
        if is_footnote_mark(
            found["text"],
            text[max(0, found.start() - 20) : found.start()],
            linked=bool(found["link"]) or "ref" in found["rest"].lower(),
        )
    ]


_STRUCK = re.compile(r"<(/?)(del|s|strike)(?=[\s>])[^<>]*+>", re.IGNORECASE)


def struck_spans(tags: list[tuple[int, int, str]]) -> list[Span]:
    """The spans from each tag that strikes text out to the one that ends it; ``tags`` are (start, end, tag)."""
    spans: list[Span] = []
    opened: list[tuple[int, str]] = []
    for start, end, tag in tags:
        found = _STRUCK.fullmatch(tag)
        if found is None:
            continue
        name = found[2].lower()
        if not found[1]:
            opened.append((start, name))
        elif any(one == name for _, one in opened):
            while opened[-1][1] != name:
                opened.pop()
            spans.append((opened.pop()[0], end))
    return spans
