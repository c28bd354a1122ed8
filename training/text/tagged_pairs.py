"""Sentence pairs as tagged sentences: spans by the heuristic of Appendix C, or the known edits of injected pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from core.types import Kind
from training.metrics.tags import tags_of
from training.text.edits import KindFinder, words
from training.text.parsing import ParseTree, parse_trees
from training.text.revision_spans import Revision, diff_revision
from training.types import OUTSIDE, InjectedPair, TaggedSentence

_NOTHING: frozenset[Kind] = frozenset()


def tokenize(text: str) -> tuple[str, ...]:
    """Its words and single marks."""
    return tuple(text[start:end] for start, end in words(text))


def label_revisions(sentences: Sequence[tuple[Sequence[str], Sequence[str]]], nlp: Any) -> Iterator[Revision]:
    """What the heuristic says of pairs of token lists, in order; parsed all together where ``nlp`` is a pipeline."""
    parsed: Iterator[ParseTree] | None = (
        parse_trees((side for pair in sentences for side in pair), nlp) if nlp else None
    )
    for before, after in sentences:
        both = (next(parsed), next(parsed)) if parsed is not None else None
        yield diff_revision(before, after, trees=both)


def tag_sides(
    before: Sequence[str], after: Sequence[str], revision: Revision, *, group: str, kinds: KindFinder
) -> tuple[TaggedSentence, TaggedSentence]:
    """Both sides of a pair as the corpus has them, with the kinds of the changes."""
    spans = revision.spans
    named = frozenset(
        kinds.of(
            " ".join(before[change.start : change.end]),
            " ".join(after[change.after_start : change.after_end]),
        )
        for change in spans
    )
    marked = tuple(tags_of([(change.start, change.end) for change in spans], len(before)))
    source = TaggedSentence(tuple(before), marked, bool(spans), original=True, group=group, kinds=named)
    return source, _neutral(after, group)


def tag_injected(row: InjectedPair) -> tuple[TaggedSentence, TaggedSentence]:
    """Both sides of an injected pair: every word that an edit touches is tagged. In lower case."""
    places = words(row.biased)
    touched = (token_range(places, edit.start, edit.end) for edit in row.edits)
    ranges = [(start, end) for start, end in touched if start < end]
    found = tuple(token.lower() for token in tokenize(row.biased))
    source = TaggedSentence(
        found,
        tuple(tags_of(ranges, len(found))),
        bool(ranges),
        original=True,
        group=row.group,
        kinds=frozenset(edit.kind for edit in row.edits),
    )
    return source, _neutral([token.lower() for token in tokenize(row.neutral)], row.group)


def token_range(places: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The tokens, of which ``places`` are the offsets, that share a character with ``[start, end)``."""
    touched = [number for number, (a, b) in enumerate(places) if a < end and start < b]
    return (touched[0], touched[-1] + 1) if touched else (0, 0)


def _neutral(found: Sequence[str], group: str) -> TaggedSentence:
    outside = (OUTSIDE,) * len(found)
    return TaggedSentence(tuple(found), outside, biased=False, original=False, group=group, kinds=_NOTHING)
