"""A sentence that may be changed: its prose, the way back to the source, and what of it must stay."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from core.documents import Document, Format, Sentence, prose
from core.suggestions import Edit

_LABEL = {
    Format.WIKITEXT: re.compile(r"\[\[[^\[\]|\n]*+\]\]"),
    Format.MARKDOWN: re.compile(r"\[[^\[\]\n]*+\](?:\[\]|(?!\(|\[))"),
}
"""Links whose words are their target, too: other words would lead elsewhere."""

_AROUND = 3
"""How far the brackets of a link at either end reach out of a sentence."""


class Change(NamedTuple):
    """``text[start:end]`` of a passage's prose becomes ``words``."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a document.

    ``text`` is its prose; ``offsets[i]`` is the source offset of ``text[i]``; ``free[i]`` says whether that
    character may be changed: it is no mask's, no quotation's and no link's target.
    """

    source: str
    sentence: Sentence
    text: str
    offsets: tuple[int, ...]
    free: tuple[bool, ...]

    def open(self, start: int, end: int) -> bool:
        """Whether ``text[start:end]`` may be changed and is one stretch of the source."""
        if not 0 <= start < end <= len(self.text):
            return False
        whole = self.offsets[end - 1] - self.offsets[start] == end - 1 - start
        return whole and all(self.free[start:end])

    def edits(self, changes: Sequence[Change]) -> tuple[Edit, ...]:
        """``changes`` (sorted, disjoint, each open) as edits of the source."""
        return tuple(
            Edit(self.offsets[change.start], self.offsets[change.end - 1] + 1, change.words)
            for change in changes
        )

    def changed(self, changes: Sequence[Change]) -> str:
        """The prose after ``changes``."""
        return _applied(self.text, changes)

    def changed_source(self, changes: Sequence[Change]) -> str:
        """The sentence's source after ``changes``."""
        start = self.sentence.start
        return _applied(
            self.source[start : self.sentence.end],
            [Change(edit.start - start, edit.end - start, edit.replacement) for edit in self.edits(changes)],
        )


def passage(document: Document, sentence: Sentence) -> Passage:
    """The passage of a document's sentence."""
    read = prose(document, sentence)
    fixed = [(mask.start, mask.end) for mask in document.masks if mask.end > sentence.start]
    fixed = [span for span in fixed if span[0] < sentence.end]
    fixed += [quote for quote in document.quotes if quote[1] > sentence.start and quote[0] < sentence.end]
    if label := _LABEL.get(document.format):
        first, last = max(0, sentence.start - _AROUND), sentence.end + _AROUND
        fixed += [match.span() for match in label.finditer(document.source, first, last)]
    free = [True] * len(read.text)
    for start, end in fixed:
        for at in range(bisect_left(read.offsets, start), bisect_left(read.offsets, end)):
            free[at] = False
    return Passage(document.source, sentence, read.text, read.offsets, tuple(free))


def sentence_at(document: Document, offset: int) -> Sentence | None:
    """The sentence of a document that holds ``offset``."""
    at = bisect_right(document.sentences, offset, key=lambda sentence: sentence.start) - 1
    held = at >= 0 and offset < document.sentences[at].end
    return document.sentences[at] if held else None


def _applied(text: str, changes: Sequence[Change]) -> str:
    parts: list[str] = []
    at = 0
    for change in changes:
        parts += (text[at : change.start], change.words)
        at = change.end
    return "".join([*parts, text[at:]])
