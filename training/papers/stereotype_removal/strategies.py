"""Detection and replacement strategies by the names that commands use, and the resources they need."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.modeling.encoders import files_digest
from training.modeling.word_vectors import VectorSpace, check_glove
from training.papers.stereotype_removal.detection import MANUAL
from training.papers.stereotype_removal.published import BSW_TABLE_3
from training.papers.stereotype_removal.replacement import (
    LEVELS,
    CentroidReplacer,
    NeighbourReplacer,
    NerReplacer,
    PosReplacer,
    Replacer,
    Tag,
    Tagger,
    WordNetReplacer,
    spacy_tagger,
)
from training.papers.stereotype_removal.types import Detection
from training.papers.stereotype_removal.wordnet import load_wordnet
from training.types import CorpusError

TWITTER, TALK_PAGES = "twitter", "talk-pages"
PUBLISHED = "published"
"""Not detected: the words that the paper names, for its own example sentences (Table 8)."""
DETECTIONS = {
    "manual": "manual list",
    "soac": "skewed occurrence (SOAC)",
    "spcpd": "skewed predicted probability (SPCPD)",
    PUBLISHED: "the words that the paper names",
}
BIASED, AUGMENTED = "biased", "wiki-debias"
_WORDNET = {f"wordnet-{level}": level for level in LEVELS}
REPLACEMENTS = {
    BIASED: "biased",
    AUGMENTED: "Wiki De-bias (augmentation)",
    "ner": "NER tags",
    "pos": "POS tags",
    "neighbours": "k nearest neighbours",
    **{key: f"WordNet-{level}" for key, level in _WORDNET.items()},
    "centroid": "centroid embedding",
}
_TAGGED = ("ner", "pos", "centroid")


def published_words(corpus: str) -> Detection:
    """The manual list and the words of Table 3 for a corpus."""
    words = dict.fromkeys((*MANUAL, *(word for found in BSW_TABLE_3[corpus].values() for word in found)))
    return Detection(PUBLISHED, tuple((word, 1.0) for word in words))


class StrategyResources:
    """Word vectors, WordNet and a tagger, each loaded on first use."""

    def __init__(self, *, glove: Path | None, wordnet: Path | None, spacy: str) -> None:
        self._glove, self._wordnet, self._spacy = glove, wordnet, spacy
        self._space: VectorSpace | None = None
        self._tagger: Tagger | None = None
        self._wordnet_reader: Any = None
        self._glove_digest = ""

    def check(self) -> None:
        """Raises TrainingError without a file of word vectors, which all classifiers and lists need."""
        check_glove(self._glove)

    def space(self) -> VectorSpace:
        """The word vectors. Raises TrainingError without a file."""
        if self._space is None:
            self._space = VectorSpace.read(check_glove(self._glove))
        return self._space

    def wordnet(self) -> Any:
        """NLTK's WordNet reader, from the folder or NLTK's own data. Raises CorpusError without WordNet."""
        if self._wordnet_reader is None:
            self._wordnet_reader = load_wordnet(self._wordnet)
        return self._wordnet_reader

    def tagger(self) -> Tagger:
        """The tagger, with a cache. Raises CorpusError where the spaCy model is missing."""
        if self._tagger is None:
            self._tagger = cache_tags(spacy_tagger(self._spacy))
        return self._tagger

    def replacer(self, key: str, seed: int) -> Replacer:
        """The unfitted strategy of a row of REPLACEMENTS; ``seed`` is for random choices."""
        if key in _WORDNET:
            return WordNetReplacer(self.wordnet(), level=_WORDNET[key], seed=seed)
        if key == "neighbours":
            return NeighbourReplacer(self.space(), seed=seed)
        if key == "centroid":
            return CentroidReplacer(self.space(), self.tagger())
        return PosReplacer(self.tagger()) if key == "pos" else NerReplacer(self.tagger())

    def facts(self, key: str) -> dict[str, str]:
        """Facts on which the results of a strategy depend, without the paths of one machine."""
        if not self._glove_digest and self._glove is not None:
            self._glove_digest = files_digest([self._glove])
        facts = {"glove": self._glove_digest}
        if key in _WORDNET:
            try:
                facts["wordnet"] = str(self.wordnet().get_version())
            except CorpusError:
                facts["wordnet"] = "none"
        if key in _TAGGED:
            facts["spacy"] = Path(self._spacy).name
        return facts


def cache_tags(tagger: Tagger) -> Tagger:
    """The tagger with a cache: rows come again with every seed and strategy."""
    known: dict[tuple[str, ...], tuple[Tag, ...]] = {}
    tags: dict[Tag, Tag] = {}

    def tagged(rows: Sequence[Sequence[str]]) -> list[tuple[Tag, ...]]:
        asked = [tuple(row) for row in rows]
        fresh = list(dict.fromkeys(row for row in asked if row not in known))
        for row, found in zip(fresh, tagger(fresh), strict=True):
            known[row] = tuple(tags.setdefault(tag, tag) for tag in found)
        return [known[row] for row in asked]

    return tagged
