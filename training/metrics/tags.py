"""Scores of BIO tags: as WIKIBIAS's authors count, and strictly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.metrics.classification import Score, score, span_counts
from training.types import BEGIN, INSIDE, OUTSIDE, TaggedSentence

Counts = NDArray[np.int64]

_TAGS = frozenset({BEGIN, INSIDE, OUTSIDE})
_FINAL = frozenset({"a", "an", "the", ","})
_LOOSE = _FINAL | {"and"}


@dataclass(frozen=True, slots=True)
class TagScores:
    """All scores of a tagger.

    ``authors_exact`` and ``authors_partial`` are Table 7's: over the biased source sentences, gold and predicted tags
    repaired. ``strict`` and ``overlap`` take the same sentences with their tags untouched: same first and last token,
    or any shared token. ``strict_all`` and ``overlap_all`` take all sentences, so that a span in a neutral one costs
    precision.
    """

    authors_exact: Score
    authors_partial: Score
    strict: Score
    overlap: Score
    strict_all: Score
    overlap_all: Score


def spans(tags: Sequence[str]) -> list[tuple[int, int]]:
    """The token ranges [start, end) of BIO tags. An I after O begins a span. Raises ValueError for another tag."""
    ranges: list[tuple[int, int]] = []
    start = -1
    for at, tag in enumerate(tags):
        if tag not in _TAGS:
            raise ValueError(
                f"{tag!r} at token {at + 1} is no tag. Tags are {BEGIN}, {INSIDE} and {OUTSIDE}."
            )
        if start >= 0 and tag != INSIDE:
            ranges.append((start, at))
            start = -1
        if start < 0 and tag != OUTSIDE:
            start = at
    if start >= 0:
        ranges.append((start, len(tags)))
    return ranges


def tags_of(ranges: Sequence[tuple[int, int]], length: int) -> list[str]:
    """The BIO tags of disjoint token ranges [start, end) in a sentence of ``length`` tokens."""
    tags = [OUTSIDE] * length
    for start, end in ranges:
        tags[start:end] = [BEGIN, *[INSIDE] * (end - start - 1)]
    return tags


def tags_over(places: Sequence[tuple[int, int]], marked: Sequence[tuple[int, int]]) -> list[str]:
    """The BIO tags of tokens at ``places``, their offsets [start, end) in a text, of which stretches are ``marked``.

    A token is of the first stretch that it shares a character with.
    """
    ranges: list[tuple[int, int]] = []
    free = 0
    for start, end in sorted(marked):
        inside = [at for at, (a, b) in enumerate(places) if at >= free and a < end and start < b]
        if inside:
            free = inside[-1] + 1
            ranges.append((inside[0], free))
    return tags_of(ranges, len(places))


def repaired(tokens: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The tags as WIKIBIAS's script mends them before it counts, gold and predicted alike.

    In one pass from left to right, each tag is read after its left neighbour was changed: a B on a, an, the, a comma or
    "and" becomes O, and an I after it B; an I on such a word right before an O becomes O; an I after an O becomes B.
    Last, a tag on the very last token is removed if that is a, an, the or a comma (but not "and"). There is one pass
    only: of ", and" before an O the "and" loses its tag and the comma keeps it, so a second repair can find more.

    Their script writes "amd" for "and" in the second rule for one of the two sides, which leaves an "and" at the end
    of its spans; here both sides get the rule as it was meant.
    """
    words, mended = [token.lower() for token in tokens], list(tags)
    last = len(mended) - 1
    for at in range(last):
        if mended[at] == BEGIN and words[at] in _LOOSE:
            mended[at] = OUTSIDE
            if mended[at + 1] == INSIDE:
                mended[at + 1] = BEGIN
        elif mended[at] == INSIDE and words[at] in _LOOSE and mended[at + 1] == OUTSIDE:
            mended[at] = OUTSIDE
        elif mended[at] == INSIDE and _begins(mended, at):
            mended[at] = BEGIN
    if mended and words[last] in _FINAL:
        mended[last] = OUTSIDE
    elif mended and mended[last] == INSIDE and _begins(mended, last):
        mended[last] = BEGIN
    return mended


def authors_scores(gold: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]]) -> tuple[Score, Score]:
    """Exact and partial score as Table 7 has them; see ``tag_counts``."""
    chosen = _checked(gold, predicted)
    exact, partial = _authors([gold[at] for at in chosen], [predicted[at] for at in chosen])
    return _summed(exact), _summed(partial)


def tag_counts(gold: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]]) -> dict[str, Counts]:
    """The counts behind every field of ``TagScores``: [sentences, 4] as in ``span_counts``, for intervals.

    Sentences that a score leaves out have zeros. Partial: a predicted span counts where a gold one ends at the same
    token. This is what the authors' walk over all tokens comes to: it calls gold and predicted alike wherever both are
    inside or both outside, begins a match anywhere, and counts it where both end. At the end of the file their walk
    counts a match once more, even outside every span: their partial hits are one higher than these where the very last
    token is outside on both sides. A sentence's end ends its spans here; in theirs a span goes on into a next
    sentence that begins with an I.

    Raises ValueError where sentences or their tokens are not as many on both sides, or a tag is none.
    """
    chosen = _checked(gold, predicted)
    here, answers = [gold[at] for at in chosen], [predicted[at] for at in chosen]
    exact, partial = _authors(here, answers)
    strict_all, overlap_all = span_counts(
        [spans(tags) for tags in predicted], [spans(one.tags) for one in gold]
    )
    whole = (len(gold), 4)
    counts = {"authors_exact": np.zeros(whole, np.int64), "authors_partial": np.zeros(whole, np.int64)}
    counts["authors_exact"][chosen], counts["authors_partial"][chosen] = exact, partial
    inside = np.zeros((len(gold), 1), np.int64)
    inside[chosen] = 1
    return counts | {
        "strict": strict_all * inside,
        "overlap": overlap_all * inside,
        "strict_all": strict_all,
        "overlap_all": overlap_all,
    }


def tag_scores(gold: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]]) -> TagScores:
    """All scores of ``predicted``, one BIO tag for each token of each sentence of ``gold``.

    Raises ValueError as ``tag_counts`` does.
    """
    return TagScores(**{name: _summed(counts) for name, counts in tag_counts(gold, predicted).items()})


def _begins(tags: Sequence[str], at: int) -> bool:
    return at == 0 or tags[at - 1] == OUTSIDE


def _checked(gold: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]]) -> list[int]:
    """The places of the biased source sentences."""
    if len(gold) != len(predicted):
        raise ValueError(
            f"There are {len(gold)} sentences and tags for {len(predicted)}: tag every sentence once."
        )
    for number, (one, tags) in enumerate(zip(gold, predicted, strict=True), start=1):
        if not len(one.tokens) == len(one.tags) == len(tags):
            raise ValueError(
                f"Sentence {number} has {len(one.tokens)} tokens, {len(one.tags)} gold tags and {len(tags)} predicted "
                "ones: they must be as many."
            )
    return [at for at, one in enumerate(gold) if one.biased and one.original]


def _authors(gold: Sequence[TaggedSentence], predicted: Sequence[Sequence[str]]) -> tuple[Counts, Counts]:
    theirs = [spans(repaired(one.tokens, one.tags)) for one in gold]
    ours = [spans(repaired(one.tokens, tags)) for one, tags in zip(gold, predicted, strict=True)]
    exact, _ = span_counts(ours, theirs)
    partial, _ = span_counts(_ends(ours), _ends(theirs))
    return exact, partial


def _ends(ranges: Sequence[Sequence[tuple[int, int]]]) -> list[list[tuple[int, int]]]:
    """The last token of each span."""
    return [[(end - 1, end) for _, end in sentence] for sentence in ranges]


def _summed(counts: Counts) -> Score:
    return score(*counts.sum(axis=0).tolist())
