"""Characters that are read as others or not at all: invisible signs, ligatures, character references, and the raised
figures or letters after a sentence that mark a footnote.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from unicodedata import normalize

from core.documents.types import NonProseSpan

# Zero-width spaces and joiners, soft hyphens, marks of direction: a word with one of them inside is still one word.
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_LATIN = "A-Za-z\u00c0-\u024f"
_LETTERS = "\u017f\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d6a3"
"""The long s, ligatures, and letters in the shape of a font; each is read as the plain letters it stands for."""

_UNUSUAL = re.compile(
    rf"""
    (?P<letter> [{_LETTERS}] )
  | (?: [{_INVISIBLE}] | (?<=[{_LATIN}{_INVISIBLE}]) [\u200c\u200d] (?=[{_LATIN}{_INVISIBLE}]) )++
    """,
    re.VERBOSE,
)
_ONLY_INVISIBLE = re.compile(rf"(?:[{_INVISIBLE}\u200c\u200d]|&[#\w]+;)*")
_REFERENCE = re.compile(r"&[#\w]+;")


def find_special_characters(source: str) -> list[NonProseSpan]:
    """The characters of a source that are not read as they stand."""
    if source.isascii():
        return []
    return [
        NonProseSpan(*found.span(), False, normalize("NFKC", found.group()) if found["letter"] else "")
        for found in _UNUSUAL.finditer(source)
    ]


def reference_span(start: int, end: int, reference: str) -> NonProseSpan:
    """The non-prose span of a character reference (``&eacute;``) at ``start:end``.

    It is read as its character; as a gap where that is white space or unknown, and not at all where it is invisible.
    """
    shown = unescape(reference)
    if (reference[1] != "#" and reference[1:] not in html5) or not shown or shown.isspace():
        return NonProseSpan(start, end, True)
    invisible = _ONLY_INVISIBLE.fullmatch(shown) is not None
    return NonProseSpan(
        start, end, False, "" if invisible else normalize("NFKC", shown) if _is_letter(shown) else shown
    )


def is_invisible(text: str) -> bool:
    """Whether a stretch of a source shows nothing: invisible signs, as characters or as references."""
    shown = (reference_span(0, 1, found) for found in _REFERENCE.findall(text))
    return _ONLY_INVISIBLE.fullmatch(text) is not None and not any(one.gap or one.read_as for one in shown)


def _is_letter(shown: str) -> bool:
    found = _UNUSUAL.fullmatch(shown)
    return found is not None and found["letter"] is not None


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


def find_raised_marks(text: str) -> list[NonProseSpan]:
    """The marks of footnotes that are written with ``<sup>``; the sentence is read as without them."""
    if "<sup" not in text and "<SUP" not in text:
        return []
    return [
        NonProseSpan(*found.span(), False)
        for found in _RAISED.finditer(text)
        if is_footnote_mark(
            found["text"],
            text[max(0, found.start() - 20) : found.start()],
            linked=bool(found["link"]) or "ref" in found["rest"].lower(),
        )
    ]
