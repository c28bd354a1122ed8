"""Replacement of words by tags, neighbours, centroids or hypernyms (section 4.3), and augmentation (section 4.2)."""

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
from training.papers.stereotype_removal.detection import TermFinder, TermMatch
from training.types import CorpusError


@dataclass(frozen=True, slots=True)
class Tag:
    """Part of speech of a token (universal, as ``NOUN``), and the type of its entity (as ``NORP``) if any."""

    pos: str
    entity: str = ""


Tagger = Callable[[Sequence[Sequence[str]]], list[tuple[Tag, ...]]]
"""Tags every token of every row."""

_NEEDED = ("tok2vec", "transformer", "tagger", "morphologizer", "attribute_ruler", "ner")
_BATCH = 128


def spacy_tagger(model: str = "en_core_web_sm") -> Tagger:
    """The tagger and entity recogniser of an English spaCy model, by name or folder.

    Rows are in lower case, which makes names harder to recognise. Raises CorpusError for a missing model and for one
    without a tagger or an entity recogniser.
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


def augment(split: Split, additions: Sequence[LabelledText]) -> Split:
    """The split with ``additions`` (`load_madlibs_additions`) at the end of its training part."""
    return Split((*split.train, *additions), split.dev, split.test)


Row = Sequence[str]
TermMatches = Sequence[TermMatch]


class Replacer(ABC):
    """A strategy of section 4.3: fits replacements of words to the training rows, then rewrites token rows.

    Equal rows are rewritten equally. A ``training_only`` strategy rewrites the training rows only; all others must also
    rewrite everything that the classifier reads. A subclass returns the replacement of each match.
    """

    training_only = False

    def __init__(self) -> None:
        self._terms = TermFinder(())

    def fit(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> Self:
        """Set the words to replace, in lower case; an empty list replaces nothing."""
        words = tuple(word for word in dict.fromkeys(bsws) if tokens(word))
        self._terms = TermFinder(words)
        self._fit_words(train, words)
        return self

    def __call__(self, tokens: Row) -> tuple[str, ...]:
        """The row with its words replaced."""
        return self.replace_all([tokens])[0]

    def replace_all(self, rows: Sequence[Row]) -> list[tuple[str, ...]]:
        """The rows with their words replaced."""
        made = [tuple(row) for row in rows]
        found = {at: finds for at, row in enumerate(rows) if (finds := self._terms.find(row))}
        if found:
            news = self._replacements([rows[at] for at in found], list(found.values()))
            for (at, finds), new in zip(found.items(), news, strict=True):
                made[at] = _apply(rows[at], finds, new)
        return made

    def vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """Vectors of tokens that the strategy introduced; none by default."""
        return {}

    def _fit_words(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> None:  # noqa: B027
        """Fit the strategy to the training rows; nothing by default."""

    @abstractmethod
    def _replacements(self, rows: Sequence[Row], found: Sequence[TermMatches]) -> list[list[str | None]]:
        """The new token of every match of every row; None where the words stay."""


def _apply(row: Row, finds: TermMatches, news: Sequence[str | None]) -> tuple[str, ...]:
    made: list[str] = []
    at = 0
    for found, new in zip(finds, news, strict=True):
        made += row[at : found.start]
        made += row[found.start : found.end] if new is None else [new]
        at = found.end
    made += row[at:]
    return tuple(made)


class PosReplacer(Replacer):
    """Section 4.3.1: each match becomes the tag of its part of speech, as ``<noun>``.

    A term of several words becomes the tag of its last word.
    """

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def _replacements(self, rows: Sequence[Row], found: Sequence[TermMatches]) -> list[list[str | None]]:
        tagged = self._tagger(rows)
        return [
            [f"<{tags[one.end - 1].pos.lower()}>" for one in finds]
            for tags, finds in zip(tagged, found, strict=True)
        ]


class NerReplacer(Replacer):
    """Section 4.3.2: a match in a named entity becomes the tag of its type, as ``<norp>``; all others stay."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def _replacements(self, rows: Sequence[Row], found: Sequence[TermMatches]) -> list[list[str | None]]:
        tagged = self._tagger(rows)
        return [
            [f"<{kind.lower()}>" if (kind := tags[one.end - 1].entity) else None for one in finds]
            for tags, finds in zip(tagged, found, strict=True)
        ]


NEIGHBOURS_K = 5
"""The paper does not print its k; this is the k of the centroid."""


class NeighbourReplacer(Replacer):
    """Section 4.3.3: each match becomes one of the ``k`` nearest words at random, or stays.

    A word without a vector stays. The paper replaces in the training rows only, where it acts as augmentation. The
    choice depends on the seed, the row and the position in it.
    """

    training_only = True

    def __init__(self, space: VectorSpace, *, seed: int, k: int = NEIGHBOURS_K) -> None:
        super().__init__()
        self._space, self._seed, self._k = space, seed, k
        self._neighbours: dict[str, tuple[str, ...]] = {}

    def _fit_words(self, _train: Sequence[LabelledText], bsws: Sequence[str]) -> None:
        self._neighbours = {word: self._space.nearest(word, self._k) for word in bsws}

    def _replacements(self, rows: Sequence[Row], found: Sequence[TermMatches]) -> list[list[str | None]]:
        made: list[list[str | None]] = []
        for row, finds in zip(rows, found, strict=True):
            draw = random.Random(f"{self._seed} {' '.join(row)}")
            made.append([draw.choice((None, *self._neighbours[one.term])) for one in finds])
        return made


CENTROID_K = 5
_CANDIDATES = (16, 128)
"""Neighbours that are tagged, as multiples of ``k``: more of them where too few share the part of speech."""

Vector = NDArray[np.float32]


class CentroidReplacer(Replacer):
    """Section 4.3.5: each match becomes the tag of its part of speech, with a centroid of the words as its vector.

    The centroid of a word as a noun is the mean of its vector and those of the ``k`` - 1 nearest words that the tagger
    calls nouns when they stand alone. The vector of ``<noun>`` is the mean of the centroids of all words that occur as
    nouns in the training rows, weighted by their counts.

    Section 4.3.5 can be read as one tag for each word, but the paper's results cannot: a PB_mean of 0.0000 (Tables 4
    and 6) needs one tag for all words of a part of speech. This is ``per="pos"``; it makes PB_mean small by
    construction. ``per="word"`` gives every word and part of speech its own tag (``<noun-3>`` for the third word).

    A word without a vector does not count in the vector of its tag; with ``per="word"`` it becomes the shared tag. For
    a part of speech that did not occur in training, the word's most frequent one is used.
    """

    def __init__(
        self, space: VectorSpace, tagger: Tagger, *, k: int = CENTROID_K, per: Literal["pos", "word"] = "pos"
    ) -> None:
        super().__init__()
        self._space, self._tagger, self._k, self._per = space, tagger, k, per
        self._tags: dict[tuple[str, str], str] = {}
        self._usual_tag: dict[str, str] = {}
        self._vectors: dict[str, Vector] = {}

    def vectors(self) -> Mapping[str, Vector]:
        """The vectors of the tags [dimensions each]; a tag of words without vectors has none."""
        return self._vectors

    def _fit_words(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> None:
        uses = self._count_tags(train, bsws)
        self._usual_tag = {
            word: min(counts, key=lambda pos: (-counts[pos], pos)) for word, counts in uses.items()
        }
        regions = self._centroids([(word, pos) for word, counts in uses.items() for pos in sorted(counts)])
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

    def _replacements(self, rows: Sequence[Row], found: Sequence[TermMatches]) -> list[list[str | None]]:
        made: list[list[str | None]] = []
        for tags, finds in zip(self._tagger(rows), found, strict=True):
            made.append([self._tag(one.term, tags[one.end - 1].pos.lower()) for one in finds])
        return made

    def _tag(self, word: str, pos: str) -> str:
        if (word, pos) in self._tags:
            return self._tags[word, pos]
        if self._per == "pos" and f"<{pos}>" in self._vectors:
            return f"<{pos}>"
        return self._tags[word, self._usual_tag[word]]

    def _count_tags(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> dict[str, Counter[str]]:
        """Parts of speech of each word in the training rows with their counts; for a missing word its own tag, once."""
        uses: defaultdict[str, Counter[str]] = defaultdict(Counter)
        found = [(row.tokens, finds) for row in train if (finds := self._terms.find(row.tokens))]
        for tags, (_, finds) in zip(self._tagger([row for row, _ in found]), found, strict=True):
            for one in finds:
                uses[one.term][tags[one.end - 1].pos.lower()] += 1
        alone = self._tag_alone([word for word in bsws if word not in uses])
        return {word: uses[word] if word in uses else Counter({alone[word]: 1}) for word in bsws}

    def _centroids(self, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Vector | None]:
        """The centroid of each word and part of speech; None where the word has no vector."""
        regions: dict[tuple[str, str], Vector | None] = {}
        usual: dict[str, str] = {}
        lacking = list(wanted)
        for times in _CANDIDATES:
            asked = dict.fromkeys(word for word, _ in lacking)
            near = {word: self._space.nearest(word, times * self._k) for word in asked}
            usual |= self._tag_alone(
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

    def _tag_alone(self, words: Sequence[str]) -> dict[str, str]:
        """The part of speech of each word without context."""
        tagged = self._tagger([tokens(word) for word in words])
        return {word: tags[-1].pos.lower() for word, tags in zip(words, tagged, strict=True)}

    def _mean(self, word: str, others: Sequence[str]) -> Vector | None:
        vectors = [self._space.of(one) for one in (word, *others)]
        if vectors[0] is None:
            return None
        mean: Vector = np.mean(np.stack([vector for vector in vectors if vector is not None]), axis=0)
        return mean


LEVELS = range(6)
"""The start levels of the paper's tables."""
_CLASSES = ("n", "v", "as", "r")
"""Synsets are looked up among nouns, then verbs, adjectives and adverbs; Table 7 prefers nouns."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"
_MIN_LETTERS = 4
"""Shorter words are not corrected, since nearly all of them are one letter from another word."""


class WordNetReplacer(Replacer):
    """Section 4.3.4, Table 7: each word becomes a hypernym from WordNet that occurs in the training rows.

    The search starts with the synsets ``level`` steps above those of the word (0: its own) and goes up step by step
    until a synset has a lemma in the training vocabulary. The first such lemma of a synset counts; of several synsets
    one is drawn, once for all matches. Lemmas keep WordNet's capitals, so that names are not in the lower-case
    vocabulary: hence *person* for *muslim* at level 0 in Table 7. At level 0 the word itself may be found, as
    *homosexual* there. A word that WordNet lacks is first corrected to the most frequent training word one letter away
    that WordNet has. A word for which nothing is found stays. ``wordnet`` is the reader from `load_wordnet`.
    """

    def __init__(self, wordnet: Any, *, level: int, seed: int) -> None:
        super().__init__()
        self._wordnet, self._level, self._seed = wordnet, level, seed
        self._general: dict[str, str | None] = {}

    def _fit_words(self, train: Sequence[LabelledText], bsws: Sequence[str]) -> None:
        counts = Counter(token for row in train for token in row.tokens)
        self._general = {word: self._find_hypernym(word, counts) for word in bsws}

    def _replacements(self, _rows: Sequence[Row], found: Sequence[TermMatches]) -> list[list[str | None]]:
        return [[self._general[one.term] for one in finds] for finds in found]

    def _find_hypernym(self, word: str, counts: Mapping[str, int]) -> str | None:
        synsets = self._synsets(word, counts)
        for _ in range(self._level):
            synsets = _parents(synsets)
        seen: set[Any] = set()
        while synsets:
            found = {first for synset in synsets if (first := _first_known_lemma(synset, counts))}
            if found:
                return random.Random(f"{self._seed} {self._level} {word}").choice(sorted(found))
            seen.update(synsets)
            synsets = [synset for synset in _parents(synsets) if synset not in seen]
        return None

    def _synsets(self, term: str, counts: Mapping[str, int]) -> list[Any]:
        pieces = tokens(term)
        for form in dict.fromkeys(("_".join(pieces), "-".join(pieces))):
            if found := self._senses(form):
                return found
        corrected = self._correct_spelling(term, counts) if len(pieces) == 1 else None
        return self._senses(corrected) if corrected else []

    def _senses(self, form: str) -> list[Any]:
        synsets = self._wordnet.synsets(form)
        by_class = ([one for one in synsets if one.pos() in classes] for classes in _CLASSES)
        return next((found for found in by_class if found), [])

    def _correct_spelling(self, word: str, counts: Mapping[str, int]) -> str | None:
        if len(word) < _MIN_LETTERS or not word.replace("'", "").isalpha():
            return None
        near = sorted((-counts[other], other) for other in set(_edits_of_one_letter(word)) if other in counts)
        return next((other for _, other in near if self._senses(other)), None)


def _first_known_lemma(synset: Any, counts: Mapping[str, int]) -> str | None:
    """The first lemma of a synset that occurs in the training rows, if any."""
    return next((str(lemma) for lemma in synset.lemma_names() if lemma in counts), None)


def _parents(synsets: Sequence[Any]) -> list[Any]:
    """The direct hypernyms, each once, in order."""
    return list(
        dict.fromkeys(
            above for synset in synsets for above in (*synset.hypernyms(), *synset.instance_hypernyms())
        )
    )


def _edits_of_one_letter(word: str) -> Iterator[str]:
    """Words with one letter deleted, two swapped, one replaced or one inserted."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in _LETTERS if letter != tail[0])
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in _LETTERS)
