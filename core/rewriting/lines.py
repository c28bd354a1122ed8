"""Rewriting text line by line, for ``evenhand rewrite``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.documents import Document, Format, parse, prose
from core.documents.unread import describe_unread
from core.engine.language import without_foreign
from core.rewriting.guards import TOO_LONG
from core.rewriting.rewriter import SentenceTooLong
from core.rewriting.suggester import Suggester
from core.text.diff import apply_edits
from core.types import Suggestion

LINES_PER_BATCH = 32
"""Lines that the reader reads at a time."""

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|\Z)")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A rewritten line; ``bias_before`` and ``bias_after`` are those of the line, in [0, 1]."""

    text: str
    score: float
    bias_before: float
    bias_after: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line ``end``, its rewrites (best first), and a message for the user, if any."""

    source: str
    end: str
    rewrites: tuple[Rewrite, ...]
    note: str


def split_lines(text: str) -> list[tuple[str, str]]:
    r"""(line, its end) of all lines of ``text``; ``\n``, ``\r\n`` and ``\r`` end a line, the last may have no end."""
    return [found for found in _LINE.findall(text) if any(found)]


def rewrite_lines(suggester: Suggester, text: str, *, n: int = 1) -> Iterator[Line]:
    """The lines of ``text`` in order, each with up to ``n`` rewrites; none where it has no findings or no good rewrite.

    Every English sentence of a line is rewritten. Raises ReaderError and RewriterError.
    """
    lines = split_lines(text)
    for at in range(0, len(lines), LINES_PER_BATCH):
        batch = [
            (line, end, without_foreign(parse(line, Format.PLAIN)))
            for line, end in lines[at : at + LINES_PER_BATCH]
        ]
        suggester.engine.reader.read(
            [prose(document, sentence).text for _, _, document in batch for sentence in document.sentences]
        )
        for line, end, document in batch:
            yield _rewritten(suggester, document, line=line, end=end, n=n)


def _rewritten(suggester: Suggester, document: Document, *, line: str, end: str, n: int) -> Line:
    options: list[tuple[Suggestion, ...]] = []
    note = describe_unread(document.unread)
    for sentence in document.sentences:
        try:
            options.append(suggester.rewrite(document, sentence, n=n))
        except SentenceTooLong:
            options.append(())
            note = TOO_LONG
    count = max(map(len, options), default=0)
    return Line(
        line, end, tuple(_rewrite(suggester, document, options, rank=rank) for rank in range(count)), note
    )


def _rewrite(
    suggester: Suggester, document: Document, options: Sequence[tuple[Suggestion, ...]], *, rank: int
) -> Rewrite:
    """The line with the suggestion of this rank for each sentence, or the last one that a sentence has."""
    chosen = [some[min(rank, len(some) - 1)] if some else None for some in options]
    texts = [prose(document, sentence).text for sentence in document.sentences]
    before = [reading.bias for reading in suggester.engine.reader.read(texts)]
    after = [one.bias_after if one else bias for one, bias in zip(chosen, before, strict=True)]
    sizes = [sentence.end - sentence.start for sentence in document.sentences]
    edits = [edit for one in chosen if one for edit in one.edits]
    scores = [one.score for one in chosen if one]
    return Rewrite(
        text=apply_edits(document.source, edits),
        score=sum(scores) / len(scores),
        bias_before=_mean(before, sizes),
        bias_after=_mean(after, sizes),
    )


def _mean(values: Sequence[float], sizes: Sequence[int]) -> float:
    return sum(value * size for value, size in zip(values, sizes, strict=True)) / sum(sizes)
