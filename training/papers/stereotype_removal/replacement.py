"""Stage 2 (section 4.3).

Replacement by tags, neighbours, centroids or hypernyms, and the augmentation baseline of Dixon et al.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from training.corpora.hate_speech import LabelledText, Split, tokens
from training.modeling.word_vectors import VectorSpace
from training.papers.stereotype_removal.detection import Found, Terms
from training.types import CorpusError

# Parts of speech and named entities of token rows: by spaCy, or by any function of the same shape.


@dataclass(frozen=True, slots=True)
class Tag:
    """Of one token: its universal part of speech (``NOUN``), and its entity's type (``NORP``) or nothing."""

    pos: str
    entity: str = ""


Tagger = Callable[[Sequence[Sequence[str]]], list[tuple[Tag, ...]]]
"""A tag for every token of every row."""

_NEEDED = ("tok2vec", "transformer", "tagger", "morphologizer", "attribute_ruler", "ner")
_BATCH = 128


def spacy_tagger(model: str = "en_core_web_sm") -> Tagger:
    """The tagger and entity recogniser of an English spaCy model, by name or folder.

    Rows are in lower case, as `training.papers.stereotype_removal.types.tokens` gives them: names are told less surely than in prose. Raises
    CorpusError where there is no such model, or it has no tagger or no entity recogniser.
    """
    from training.text.parsing import load_parser

    nlp = load_parser(model)
    if "ner" not in nlp.pipe_names or not {"tagger", "morphologizer"} & set(nlp.pipe_names):
        raise CorpusError(
            f"The spaCy model {model} has no tagger or no entity recogniser. Name an English model that has both."
        )
    nlp.select_pipes(enable=[name for name in nlp.pipe_names if name in _NEEDED])
    from spacy.tokens import Doc

    def tagged(rows: Sequence[Sequence[str]]) -> list[tuple[Tag, ...]]:
        documents = (Doc(nlp.vocab, words=list(row)) for row in rows)
        return [
            tuple(Tag(token.pos_ or "X", token.ent_type_) for token in document)
            for document in nlp.pipe(documents, batch_size=_BATCH)
        ]

    return tagged


# The baseline of Dixon et al.: further neutral rows that hold the terms, added to the training part (section 4.2).


def augmented(split: Split, additions: Sequence[LabelledText]) -> Split:
    """The split with ``additions`` (`training.corpora.hate_speech.additions`) at the end of its training part."""
    return Split((*split.train, *additions), split.dev, split.test)


# What the strategies share: finding the words in a row, and putting in what the strategy says.


Row = Sequence[str]
Finds = Sequence[Found]


class Replacing(ABC):
    """A `Replacer` without a strategy: a subclass says in ``_news`` what each occurrence becomes."""

    training_only = False

    def __init__(self) -> None:
        self._terms = Terms(())

    def fit(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> Self:
        """Take ``bsws`` as the words to be replaced; of an empty list nothing is."""
        words = tuple(word for word in dict.fromkeys(bsws) if tokens(word))
        self._terms = Terms(words)
        self._learn(train, words)
        return self

    def __call__(self, tokens: Row) -> tuple[str, ...]:
        """The row with its words replaced."""
        return self.many([tokens])[0]

    def many(self, rows: Sequence[Row]) -> list[tuple[str, ...]]:
        """The rows with their words replaced."""
        made = [tuple(row) for row in rows]
        found = {at: finds for at, row in enumerate(rows) if (finds := self._terms.find(row))}
        if found:
            news = self._news([rows[at] for at in found], list(found.values()))
            for (at, finds), new in zip(found.items(), news, strict=True):
                made[at] = _put_in(rows[at], finds, new)
        return made

    def vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """No token of its own."""
        return {}

    def _learn(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> None:  # noqa: B027
        """Nothing, unless a strategy has something to learn."""

    @abstractmethod
    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        """For every row and each of its occurrences the new token; None where the words stay as they are."""


def _put_in(row: Row, finds: Finds, news: Sequence[str | None]) -> tuple[str, ...]:
    made: list[str] = []
    at = 0
    for found, new in zip(finds, news, strict=True):
        made += row[at : found.start]
        made += row[found.start : found.end] if new is None else [new]
        at = found.end
    made += row[at:]
    return tuple(made)


# Replacing with part-of-speech tags (section 4.3.1).


class ByPos(Replacing):
    """Each occurrence becomes the tag of its part of speech there, as ``<noun>``.

    A term of several words becomes the tag of its last word.
    """

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        tagged = self._tagger(rows)
        return [
            [f"<{tags[one.end - 1].pos.lower()}>" for one in finds]
            for tags, finds in zip(tagged, found, strict=True)
        ]


# Replacing with named-entity tags (section 4.3.2).


class ByNer(Replacing):
    """An occurrence that is a named entity, or in one, becomes the tag of its type, as ``<norp>``; all others stay."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        tagged = self._tagger(rows)
        return [
            [f"<{kind.lower()}>" if (kind := tags[one.end - 1].entity) else None for one in finds]
            for tags, finds in zip(tagged, found, strict=True)
        ]


# Replacing with near words of an embedding space (section 4.3.3).


NEIGHBOURS_K = 5
"""The paper does not print its K; this is that of the centroid."""


class ByNeighbours(Replacing):
    """Each occurrence becomes, by chance, one of the ``k`` nearest words, or stays; a word without a vector stays.

    It makes training rows more varied, as further examples would: the paper replaces in the training rows alone. The
    chance is drawn of the seed, the row and the place in it.
    """

    training_only = True

    def __init__(self, space: VectorSpace, *, seed: int, k: int = NEIGHBOURS_K) -> None:
        super().__init__()
        self._space, self._seed, self._k = space, seed, k
        self._near: dict[str, tuple[str, ...]] = {}

    def _learn(self, _train: Sequence[LabelledText], bsws: Sequence[str]) -> None:
        self._near = {word: self._space.nearest(word, self._k) for word in bsws}

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        made: list[list[str | None]] = []
        for row, finds in zip(rows, found, strict=True):
            draw = random.Random(f"{self._seed} {' '.join(row)}")
            made.append([draw.choice((None, *self._near[one.term])) for one in finds])
        return made


# Replacing with a tag whose embedding is the centroid of near words (section 4.3.5).


CENTROID_K = 5
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
        self, space: VectorSpace, tagger: Tagger, *, k: int = CENTROID_K, per: Literal["pos", "word"] = "pos"
    ) -> None:
        super().__init__()
        self._space, self._tagger, self._k, self._per = space, tagger, k, per
        self._tags: dict[tuple[str, str], str] = {}
        self._usual: dict[str, str] = {}
        self._vectors: dict[str, Vector] = {}

    def vectors(self) -> Mapping[str, Vector]:
        """The embeddings of the tags [dimensions each]; one of words without vectors has none."""
        return self._vectors

    def _learn(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> None:
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

    def _uses(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> dict[str, Counter[str]]:
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


# Replacing with hypernyms of WordNet (section 4.3.4, Table 7).


LEVELS = range(6)
"""The start levels of the paper's tables."""
_CLASSES = ("n", "v", "as", "r")
"""Senses are looked for among nouns, then verbs, adjectives, adverbs: Table 7 climbs from nouns where there are any."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"
_LEAST_LETTERS = 4
"""Shorter words are not corrected: nearly all of them are one letter from another word."""


class ByWordNet(Replacing):
    """Each word becomes one that WordNet puts above it and that comes in the training rows.

    The search begins with the synsets ``level`` steps above those of the word (0: its own) and goes up step by step
    until a synset has a lemma in the training vocabulary; the first such lemma of a synset counts, and of several
    synsets at that step one is drawn, once for all occurrences. Lemmas count as WordNet writes them, so names with a
    capital are none of the lower-case vocabulary: this is how Table 7 has *person* for *muslim* at level 0. The word
    itself may be found at level 0, as *homosexual* there. A word that WordNet lacks is corrected first: to the most
    frequent training word one letter away that WordNet has. A word for which nothing is found stays. ``wordnet`` is
    what `load_wordnet` gives.
    """

    def __init__(self, wordnet: Any, *, level: int, seed: int) -> None:
        super().__init__()
        self._wordnet, self._level, self._seed = wordnet, level, seed
        self._general: dict[str, str | None] = {}

    def _learn(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> None:
        counts = Counter(token for row in train for token in row.tokens)
        self._general = {word: self._generalised(word, counts) for word in bsws}

    def _news(self, _rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        return [[self._general[one.term] for one in finds] for finds in found]

    def _generalised(self, word: str, counts: Mapping[str, int]) -> str | None:
        synsets = self._synsets(word, counts)
        for _ in range(self._level):
            synsets = _above(synsets)
        seen: set[Any] = set()
        while synsets:
            found = {first for synset in synsets if (first := _first(synset, counts))}
            if found:
                return random.Random(f"{self._seed} {self._level} {word}").choice(sorted(found))
            seen.update(synsets)
            synsets = [synset for synset in _above(synsets) if synset not in seen]
        return None

    def _synsets(self, term: str, counts: Mapping[str, int]) -> list[Any]:
        pieces = tokens(term)
        for form in dict.fromkeys(("_".join(pieces), "-".join(pieces))):
            if found := self._senses(form):
                return found
        corrected = self._corrected(term, counts) if len(pieces) == 1 else None
        return self._senses(corrected) if corrected else []

    def _senses(self, form: str) -> list[Any]:
        synsets = self._wordnet.synsets(form)
        by_class = ([one for one in synsets if one.pos() in classes] for classes in _CLASSES)
        return next((found for found in by_class if found), [])

    def _corrected(self, word: str, counts: Mapping[str, int]) -> str | None:
        if len(word) < _LEAST_LETTERS or not word.replace("'", "").isalpha():
            return None
        near = sorted((-counts[other], other) for other in set(_one_letter_away(word)) if other in counts)
        return next((other for _, other in near if self._senses(other)), None)


def _first(synset: Any, counts: Mapping[str, int]) -> str | None:
    """The first lemma of a synset that comes in the training rows; None where none does."""
    return next((str(lemma) for lemma in synset.lemma_names() if lemma in counts), None)


def _above(synsets: Sequence[Any]) -> list[Any]:
    """The synsets right above, each once, in their order."""
    return list(
        dict.fromkeys(
            above for synset in synsets for above in (*synset.hypernyms(), *synset.instance_hypernyms())
        )
    )


def _one_letter_away(word: str) -> Iterator[str]:
    """One letter left out, two changed over, one changed, one put in."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS if letter != tail[0])
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)


# Stage 2 of the paper (section 4.3): what stands for a bias sensitive word, one module for each strategy.
