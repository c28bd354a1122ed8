"""The tables' corpus from WIKIBIAS's manual train and dev parts, and WNC's pairs in the place of AUTO.

The test part of the release is not among these files. So a quarter of the dev part's pairs is for choosing, and the
other three quarters are what scores are computed on. A fixed hash of the pair decides, and both sides go together.
AUTO is replaced by pairs of WNC, which are edits for neutrality too, with the spans of Appendix C's heuristic.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from training.corpora import wikibias_manual
from training.corpora.wikibias_manual import ManualSentence
from training.corpora.wikipedia import WNC_FACTS, SentencePair, load_additional_pairs, load_pairs
from training.metrics.tags import tags_of
from training.text.near_duplicates import NearDuplicateIndex
from training.text.revision_spans import Revision, RevisionState
from training.text.tagged_pairs import label_revisions, tokenize
from training.types import OUTSIDE, OnMessage, TaggedSentence, print_to_stderr

NAME = (
    "WIKIBIAS's manual train part; a quarter of its dev part chooses, scores are on the other three quarters (the test "
    "part is not here); WNC pairs with Appendix C's spans for AUTO"
)
"""What the corpus is called in the facts of cells; the wording identifies saved cells and must not change."""
FILES = (*wikibias_manual.FACTS.files, *WNC_FACTS.files[:1], *WNC_FACTS.files[2:4])
"""The files of which it is made."""
_SELECTION_SHARE = 4
_UNUSABLE = (RevisionState.SAME, RevisionState.REWRITTEN)


@dataclass(frozen=True, slots=True)
class ManualParts:
    """The manual sentences that train, those on which everything is chosen, and those on which scores are computed."""

    train: tuple[ManualSentence, ...]
    selection: tuple[ManualSentence, ...]
    scored: tuple[ManualSentence, ...]


def is_for_selection(group: str) -> bool:
    """Whether a pair of the dev part, by the group of its sides, is in the quarter for choosing."""
    return hashlib.sha256(group.encode()).digest()[0] % _SELECTION_SHARE == 0


def load_manual(data: Path, on_message: OnMessage = print_to_stderr) -> ManualParts:
    """The three parts, the sides of a pair together, the source first. Raises CorpusError."""
    train, dev = (
        sorted(
            wikibias_manual.load(data, part, on_message),
            key=lambda one: (one.tagged.group, not one.tagged.original),
        )
        for part in ("train", "dev")
    )
    return ManualParts(
        train=tuple(train),
        selection=tuple(one for one in dev if is_for_selection(one.tagged.group)),
        scored=tuple(one for one in dev if not is_for_selection(one.tagged.group)),
    )


def tagged(sentences: Sequence[ManualSentence]) -> list[TaggedSentence]:
    """The sentences without their spans' kinds.

    Some are labelled biased and no kind is given, or labelled neutral and one is given: their kinds count as unknown.
    """
    return [
        one.tagged if bool(one.tagged.kinds) == one.tagged.biased else replace(one.tagged, kinds=None)
        for one in sentences
    ]


def load_noisy(data: Path, manual: ManualParts) -> list[TaggedSentence]:
    """Both sides of WNC's pairs (the train pairs and rows 50,000 to 78,504), the source first.

    As in AUTO every source is labelled biased, also where the heuristic finds nothing in it, and kinds are unknown.
    Pairs in which nothing or nearly everything changed are left out, and pairs near a manual sentence, since AUTO is
    what the annotators were not given. The step with sub-trees is left out, which changes little (section 2.1). Raises
    CorpusError.
    """
    known = (*manual.train, *manual.selection, *manual.scored)
    index = NearDuplicateIndex(" ".join(one.tagged.tokens) for one in known)
    pairs = [
        pair
        for pair in (*load_pairs(data, "train"), *load_additional_pairs(data))
        if not index.has_near_duplicate(pair.source, pair.target)
    ]
    sides = [(tokenize(pair.source), tokenize(pair.target)) for pair in pairs]
    revisions = label_revisions(sides, None)
    return [
        side
        for pair, tokens, revision in zip(pairs, sides, revisions, strict=True)
        if revision.state not in _UNUSABLE
        for side in _tagged_sides(pair, *tokens, revision)
    ]


def _tagged_sides(
    pair: SentencePair, before: tuple[str, ...], after: tuple[str, ...], revision: Revision
) -> tuple[TaggedSentence, TaggedSentence]:
    tags = tuple(tags_of([(change.start, change.end) for change in revision.spans], len(before)))
    outside = (OUTSIDE,) * len(after)
    return (
        TaggedSentence(before, tags, biased=True, original=True, group=pair.group),
        TaggedSentence(after, outside, biased=False, original=False, group=pair.group, kinds=frozenset()),
    )
