"""What stands in the place of WIKIBIAS where nobody has it: WNC's pairs with the heuristic's spans, and injected pairs.

In the place of the manual part: WNC's train pairs but an eighth of them, which is dev; of test: WNC's dev pairs. Their
spans are Appendix C's heuristic, not an annotator's: a score on them says how well the heuristic is learnt. In the
place of AUTO: injected pairs, whose spans are known. All words are in lower case, as WNC has them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.cues import Lexicon
from core.findings import Kind
from training.corpora.pairs import Pair, load_pairs
from training.diff import words
from training.injection.files import read
from training.injection.model import Injected
from training.kinds import KindFinder
from training.metrics.tags import tags_of
from training.near import NearIndex
from training.wikibias.model import OUTSIDE, Tagged
from training.wikibias.pairing import THRESHOLD, Revision, State, revise
from training.wikibias.subtrees import Tree, trees

_SEED = 42
_HELD = 8
_NOTHING: frozenset[Kind] = frozenset()
_UNUSABLE = (State.SAME, State.REWRITTEN)


@dataclass(frozen=True, slots=True)
class StandIn:
    """The parts of a corpus, both sides of each pair together, the Original first."""

    manual: tuple[Tagged, ...]
    auto: tuple[Tagged, ...]
    dev: tuple[Tagged, ...]
    test: tuple[Tagged, ...]


def make(
    data: Path,
    *,
    injected: Path | None,
    nlp: Any,
    limit: int | None = None,
    threshold: float = THRESHOLD,
) -> StandIn:
    """The stand-in from WNC under ``data`` and the file of ``injected`` pairs (part train; None: no such part).

    ``nlp`` is a spaCy pipeline with a parser, or None for no sub-tree step; ``limit`` caps the pairs of each part.
    Pairs in which nothing or everything changed are left out, and of the training parts those near a sentence of dev
    or test. Kinds are silver (``KindFinder``), but those of injected words are known. Raises CorpusError where a file
    is missing.
    """
    pairs = load_pairs(data, "train")
    random.Random(_SEED).shuffle(pairs)
    cut = len(pairs) // _HELD
    dev, test = (
        list(_sides(some[:limit], nlp, threshold)) for some in (pairs[:cut], load_pairs(data, "dev"))
    )
    scored = NearIndex(" ".join(sentence.tokens) for sentence in (*dev, *test))
    clean = [pair for pair in pairs[cut:] if not (scored.near(pair.source) or scored.near(pair.target))]
    made = [row for row in read(injected) if row.part == "train"] if injected else []
    auto = [row for row in made if not (scored.near(row.biased) or scored.near(row.neutral))]
    return StandIn(
        manual=tuple(_sides(clean[:limit], nlp, threshold)),
        auto=tuple(side for row in auto[:limit] for side in injected_sides(row)),
        dev=tuple(dev),
        test=tuple(test),
    )


def tokens(text: str) -> tuple[str, ...]:
    """Its words and single marks."""
    return tuple(text[start:end] for start, end in words(text))


def revisions(
    sentences: Sequence[tuple[Sequence[str], Sequence[str]]], nlp: Any, *, threshold: float = THRESHOLD
) -> Iterator[Revision]:
    """What the heuristic says of pairs of token lists, in order; parsed all together where ``nlp`` is a pipeline."""
    parsed: Iterator[Tree] | None = trees((side for pair in sentences for side in pair), nlp) if nlp else None
    for before, after in sentences:
        both = (next(parsed), next(parsed)) if parsed is not None else None
        yield revise(before, after, trees=both, threshold=threshold)


def sides(
    before: Sequence[str], after: Sequence[str], revision: Revision, *, group: str, kinds: KindFinder
) -> tuple[Tagged, Tagged]:
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
    source = Tagged(tuple(before), marked, bool(spans), original=True, group=group, kinds=named)
    return source, _neutral(after, group)


def injected_sides(row: Injected) -> tuple[Tagged, Tagged]:
    """Both sides of an injected pair: every word that an edit touches is tagged. In lower case."""
    places = words(row.biased)
    touched = (token_range(places, edit.start, edit.end) for edit in row.edits)
    ranges = [(start, end) for start, end in touched if start < end]
    found = tuple(token.lower() for token in tokens(row.biased))
    source = Tagged(
        found,
        tuple(tags_of(ranges, len(found))),
        bool(ranges),
        original=True,
        group=row.group,
        kinds=frozenset(edit.kind for edit in row.edits),
    )
    return source, _neutral([token.lower() for token in tokens(row.neutral)], row.group)


def token_range(places: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The tokens, of which ``places`` are the offsets, that share a character with ``[start, end)``."""
    touched = [number for number, (a, b) in enumerate(places) if a < end and start < b]
    return (touched[0], touched[-1] + 1) if touched else (0, 0)


def _neutral(found: Sequence[str], group: str) -> Tagged:
    outside = (OUTSIDE,) * len(found)
    return Tagged(tuple(found), outside, biased=False, original=False, group=group, kinds=_NOTHING)


def _sides(pairs: Sequence[Pair], nlp: Any, threshold: float) -> Iterator[Tagged]:
    kinds = KindFinder(Lexicon.load())
    sentences = [(tokens(pair.source), tokens(pair.target)) for pair in pairs]
    found = revisions(sentences, nlp, threshold=threshold)
    for pair, (before, after), revision in zip(pairs, sentences, found, strict=True):
        if revision.state not in _UNUSABLE:
            yield from sides(before, after, revision, group=pair.group, kinds=kinds)
