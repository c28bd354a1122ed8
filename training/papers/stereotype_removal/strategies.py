"""The strategies of both stages by the names that commands use, and what they need on this machine."""

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
    ByCentroid,
    ByNeighbours,
    ByNer,
    ByPos,
    ByWordNet,
    Tag,
    Tagger,
    spacy_tagger,
)
from training.papers.stereotype_removal.types import Detection, Replacer
from training.papers.stereotype_removal.wordnet import load_wordnet
from training.types import CorpusError

TWITTER, TALK_PAGES = "twitter", "talk-pages"
PUBLISHED = "published"
"""A list that nobody detects: the words that the paper names, for its own example sentences (Table 8)."""
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
    """The manual list and what Table 3 prints for a corpus."""
    words = dict.fromkeys((*MANUAL, *(word for found in BSW_TABLE_3[corpus].values() for word in found)))
    return Detection(PUBLISHED, tuple((word, 1.0) for word in words))


class Tools:
    """What strategies need: word vectors, WordNet, a tagger. Each is opened when it is first asked for."""

    def __init__(self, *, glove: Path | None, wordnet: Path | None, spacy: str) -> None:
        self._glove, self._wordnet, self._spacy = glove, wordnet, spacy
        self._space: VectorSpace | None = None
        self._tagger: Tagger | None = None
        self._opened: Any = None
        self._mark = ""

    def check(self) -> None:
        """Raise TrainingError where the file of word vectors, which all classifiers and lists need, is not there."""
        check_glove(self._glove)

    def space(self) -> VectorSpace:
        """The word vectors. Raises TrainingError where there are none."""
        if self._space is None:
            self._space = VectorSpace.read(check_glove(self._glove))
        return self._space

    def wordnet(self) -> Any:
        """nltk's reader, of the folder or of nltk's own data. Raises CorpusError where there is no WordNet."""
        if self._opened is None:
            self._opened = load_wordnet(self._wordnet)
        return self._opened

    def tagger(self) -> Tagger:
        """The tagger, which tags a row once. Raises CorpusError where there is no such spaCy model."""
        if self._tagger is None:
            self._tagger = remembering(spacy_tagger(self._spacy))
        return self._tagger

    def replacer(self, key: str, seed: int) -> Replacer:
        """The untaught strategy of a row of REPLACEMENTS; ``seed`` is for what it draws."""
        if key in _WORDNET:
            return ByWordNet(self.wordnet(), level=_WORDNET[key], seed=seed)
        if key == "neighbours":
            return ByNeighbours(self.space(), seed=seed)
        if key == "centroid":
            return ByCentroid(self.space(), self.tagger())
        return ByPos(self.tagger()) if key == "pos" else ByNer(self.tagger())

    def facts(self, key: str) -> dict[str, str]:
        """What a strategy's figures depend on, without the places of one machine."""
        if not self._mark and self._glove is not None:
            self._mark = files_digest([self._glove])
        facts = {"glove": self._mark}
        if key in _WORDNET:
            try:
                facts["wordnet"] = str(self.wordnet().get_version())
            except CorpusError:
                facts["wordnet"] = "none"
        if key in _TAGGED:
            facts["spacy"] = Path(self._spacy).name
        return facts


def remembering(tagger: Tagger) -> Tagger:
    """The same tagger, asked once for each row: rows come again with every seed and strategy."""
    known: dict[tuple[str, ...], tuple[Tag, ...]] = {}
    tags: dict[Tag, Tag] = {}

    def tagged(rows: Sequence[Sequence[str]]) -> list[tuple[Tag, ...]]:
        asked = [tuple(row) for row in rows]
        fresh = list(dict.fromkeys(row for row in asked if row not in known))
        for row, found in zip(fresh, tagger(fresh), strict=True):
            known[row] = tuple(tags.setdefault(tag, tag) for tag in found)
        return [known[row] for row in asked]

    return tagged
