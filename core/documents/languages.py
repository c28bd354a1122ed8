"""Passages that are not in English: they are not read, and that is said. Here are those that a file's markup names.

Word processors and templates mark much English text as the language of their own menus, so a mark that the words of a
passage contradict is not believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.documents.prose_view import view_prose
from core.documents.types import Document, Sentence, Span, SuppressedRange, merge_spans
from core.text.english import reads_as_english
from core.text.tokens import WORD
from core.types import Unread, UnreadKind

_PUNCTUATION = frozenset(" .,;:!?…\"'“”„‘’‚«»()–—")
_BETWEEN = re.compile(r"[\W_]*")


def foreign_passages(text: str, spans: Iterable[Span]) -> tuple[Unread, ...]:
    """The passages of a text that are marked as foreign and do not read as English.

    Spans that overlap or have no word between them are one passage. It reaches to the next words on either side in
    its line.
    """
    lines: list[Span] = []
    for start, end in merge_spans(spans):
        last = lines[-1] if lines else None
        if last and "\n" not in text[last[1] : start] and _BETWEEN.fullmatch(text, last[1], start):
            lines[-1] = (last[0], end)
        else:
            lines.append((start, end))
    passages: list[Span] = []
    for start, end in lines:
        if not any(map(str.isalpha, text[start:end])) or reads_as_english(WORD.findall(text[start:end])):
            continue
        last = passages[-1] if passages else None
        if last and _BETWEEN.fullmatch(text, last[1], start):
            passages[-1] = (last[0], end)
        else:
            passages.append((start, end))
    return tuple(Unread(UnreadKind.FOREIGN, *_to_words(text, start, end)) for start, end in passages)


def add_foreign(document: Document, sentences: Iterable[Sentence]) -> tuple[Unread, ...]:
    """What is unread in a document, with ``sentences`` in another language.

    Whether by markup or by its words, what is in another language and has no word between it is one passage.
    """
    others = [one for one in document.unread if one.kind is not UnreadKind.FOREIGN]
    spans = [(one.start, one.end) for one in document.unread if one.kind is UnreadKind.FOREIGN]
    passages: list[Span] = []
    for start, end in merge_spans([*spans, *((one.start, one.end) for one in sentences)]):
        last = passages[-1] if passages else None
        if last and not _has_words(document, last[1], start):
            passages[-1] = (last[0], end)
        else:
            passages.append((start, end))
    return (*others, *(Unread(UnreadKind.FOREIGN, start, end) for start, end in passages))


def _has_words(document: Document, start: int, end: int) -> bool:
    between = view_prose(document.source, start, end, non_prose=document.non_prose).text
    return any(map(str.isalnum, between))


def foreign_ranges(unread: Iterable[Unread]) -> list[SuppressedRange]:
    """The ranges of foreign passages, in which nothing is found."""
    return [
        SuppressedRange(one.start, one.end)
        for one in unread
        if one.kind is UnreadKind.FOREIGN and one.start < one.end
    ]


def _to_words(text: str, start: int, end: int) -> Span:
    """A span without white space at its ends, with the punctuation around it."""
    piece = text[start:end]
    start, end = start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
    while start and text[start - 1] in _PUNCTUATION:
        start -= 1
    while end < len(text) and text[end] in _PUNCTUATION:
        end += 1
    return start, end
