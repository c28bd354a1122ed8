"""Titles of works by rule: in italics or linked, in title case, and inside a sentence that is not.

What is found in a title is the wording of others. Emphasis on a word in the writer's own voice is no title.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from core.documents.prose_view import view_prose
from core.documents.types import NonProseSpan, Sentence, Span
from core.text.english import BE_FORMS, DEGREE_WORDS, FUNCTION_WORDS
from core.text.tokens import WORD

_MOST_WORDS = 16
_MARKS = 4
"""The most marks at the end of what is set apart that are not part of its sentence."""
_MINOR = FUNCTION_WORDS - DEGREE_WORDS


def find_titles(
    source: str, sentences: Sequence[Sentence], non_prose: Sequence[NonProseSpan], set_apart: Iterable[Span]
) -> list[Span]:
    """The titles among stretches of a source that are in italics or linked, each inside one of its sentences."""
    found = []
    for start, end in set_apart:
        at = bisect_right(sentences, start, key=lambda sentence: sentence.end)
        if at == len(sentences) or sentences[at].start >= end or sentences[at].end < end - _MARKS:
            continue
        read = view_prose(source, sentences[at].start, sentences[at].end, non_prose=non_prose)
        if is_title(read.text, read.index(start), read.index(end)):
            found.append((start, end))
    return found


def is_title(sentence: str, start: int, end: int) -> bool:
    """Whether ``sentence[start:end]``, which is set apart, is the title of a work and not emphasis or a headline."""
    words = WORD.findall(sentence[start:end])
    main = [word for word in words if word.lower() not in _MINOR]
    if not main or len(words) > _MOST_WORDS or sentence[start:end].isupper():
        return False
    if not all(word[0].isupper() or word[0].isdigit() for word in (words[0], *main)):
        return False
    before, after = WORD.findall(sentence[:start]), WORD.findall(sentence[end:])
    rest = [*before, *after]
    if len(main) == 1:
        previous = before[-1].lower() if before else ""
        if not before or previous in BE_FORMS | DEGREE_WORDS or not any(map(str.isalpha, main[0])):
            return False
    dated = bool(rest) and all(word.isdigit() for word in rest)
    return dated or any(word[0].islower() and len(word) > 1 for word in rest)
