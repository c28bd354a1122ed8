"""Replacing with a tag whose embedding is the centroid of near words (section 4.3.5)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from training.bsw.model import Labelled, tokens
from training.bsw.replacement.base import Finds, Replacing, Row
from training.bsw.space import Space
from training.bsw.tagging import Tagger

K = 5
_CANDIDATES = (16, 128)
"""So many times ``k`` near words are asked for their part of speech, more of them where too few share it."""

Vector = NDArray[np.float32]


class ByCentroid(Replacing):
    """Each occurrence becomes the tag of its part of speech, whose vector is made of the regions that the words lie in.

    The region of a word as noun is the mean of its vector and those of the ``k`` - 1 words nearest to it that are
    usually nouns: that the tagger calls so when they stand alone. The vector of ``<noun>`` is the mean of the regions
    of all words that were nouns in the training rows, by how often they were.

    Section 4.3.5 can be read as one tag for each word, but the paper's results cannot: its PB_mean of 0.0000 (Tables 4
    and 6) needs one tag for all words of a part of speech, and so does its reason, that most words of the list are
    nouns. This is what ``per="pos"`` does; it makes PB_mean small by construction. ``per="word"`` gives every word and
    part of speech a tag of its own (``<noun-3>`` of the third word).

    A word without a vector adds nothing to its tag's; with ``per="word"`` it becomes the shared tag. A part of speech
    that no word had in training is read as the word's commonest there.
    """

    def __init__(
        self, space: Space, tagger: Tagger, *, k: int = K, per: Literal["pos", "word"] = "pos"
    ) -> None:
        super().__init__()
        self._space, self._tagger, self._k, self._per = space, tagger, k, per
        self._tags: dict[tuple[str, str], str] = {}
        self._usual: dict[str, str] = {}
        self._vectors: dict[str, Vector] = {}

    def vectors(self) -> Mapping[str, Vector]:
        """The embeddings of the tags [dimensions each]; one of words without vectors has none."""
        return self._vectors

    def _learn(self, train: Sequence[Labelled], bsws: Sequence[str]) -> None:
        uses = self._uses(train, bsws)
        self._usual = {
            word: min(counts, key=lambda pos: (-counts[pos], pos)) for word, counts in uses.items()
        }
        regions = self._regions([(word, pos) for word, counts in uses.items() for pos in sorted(counts)])
        numbers = {word: number for number, word in enumerate(bsws, start=1)}
        self._tags, self._vectors = {}, {}
        shared: defaultdict[str, list[tuple[int, Vector]]] = defaultdict(list)
        for (word, pos), region in regions.items():
            own = self._per == "word" and region is not None
            tag = f"<{pos}-{numbers[word]}>" if own else f"<{pos}>"
            self._tags[word, pos] = tag
            if region is not None:
                shared[f"<{pos}>"].append((uses[word][pos], region))
                if own:
                    self._vectors[tag] = region
        made = set(self._tags.values())
        for tag, found in shared.items():
            if tag in made:
                weights = [weight for weight, _ in found]
                mean = np.average([region for _, region in found], axis=0, weights=weights)
                self._vectors[tag] = mean.astype(np.float32)

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        made: list[list[str | None]] = []
        for tags, finds in zip(self._tagger(rows), found, strict=True):
            made.append([self._tag(one.term, tags[one.end - 1].pos.lower()) for one in finds])
        return made

    def _tag(self, word: str, pos: str) -> str:
        if (word, pos) in self._tags:
            return self._tags[word, pos]
        if self._per == "pos" and f"<{pos}>" in self._vectors:
            return f"<{pos}>"
        return self._tags[word, self._usual[word]]

    def _uses(self, train: Sequence[Labelled], bsws: Sequence[str]) -> dict[str, Counter[str]]:
        """How often each word is which part of speech in the training rows; one that is not there: alone, once."""
        uses: defaultdict[str, Counter[str]] = defaultdict(Counter)
        found = [(row.tokens, finds) for row in train if (finds := self._terms.find(row.tokens))]
        for tags, (_, finds) in zip(self._tagger([row for row, _ in found]), found, strict=True):
            for one in finds:
                uses[one.term][tags[one.end - 1].pos.lower()] += 1
        alone = self._alone([word for word in bsws if word not in uses])
        return {word: uses[word] if word in uses else Counter({alone[word]: 1}) for word in bsws}

    def _regions(self, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Vector | None]:
        """The centroid of each word as each part of speech; None where the word has no vector."""
        regions: dict[tuple[str, str], Vector | None] = {}
        usual: dict[str, str] = {}
        lacking = list(wanted)
        for times in _CANDIDATES:
            asked = dict.fromkeys(word for word, _ in lacking)
            near = {word: self._space.nearest(word, times * self._k) for word in asked}
            usual |= self._alone(
                sorted({other for others in near.values() for other in others} - usual.keys())
            )
            still: list[tuple[str, str]] = []
            for word, pos in lacking:
                alike = [other for other in near[word] if usual[other] == pos][: self._k - 1]
                regions[word, pos] = self._mean(word, alike)
                if near[word] and len(alike) < self._k - 1:
                    still.append((word, pos))
            lacking = still
        return regions

    def _alone(self, words: Sequence[str]) -> dict[str, str]:
        """The part of speech of each word where nothing stands beside it."""
        tagged = self._tagger([tokens(word) for word in words])
        return {word: tags[-1].pos.lower() for word, tags in zip(words, tagged, strict=True)}

    def _mean(self, word: str, others: Sequence[str]) -> Vector | None:
        vectors = [self._space.of(one) for one in (word, *others)]
        if vectors[0] is None:
            return None
        mean: Vector = np.mean(np.stack([vector for vector in vectors if vector is not None]), axis=0)
        return mean
