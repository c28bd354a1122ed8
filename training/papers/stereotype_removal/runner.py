"""The runner of Tables 3 to 6 and 8: finds biased words, replaces them, trains a classifier and measures it.

A classifier is trained on the texts as they are; its stereotyped words are detected and replaced; a classifier of the
same kind is trained on the result. What is replaced in the training part is also replaced in everything that the new
classifier reads: dev, test, Wiki Madlibs, and the single words of the PB family. Section 4.3 speaks of the training
part only, but the PB_mean of 0.0000 for centroids (Tables 4 and 6) requires that all words have become one tag, and
section 5.4.2 explains a PB_mean above zero by the part of speech of *gay* alone. Exceptions are k nearest neighbours
(section 4.3.3 replaces occurrences in the training part, each at random) and augmentation, which replaces nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.stereotypes import metrics
from core.stereotypes.metrics import MetricError
from training.corpora.hate_speech import LabelledText, Split, tokens
from training.loop.events import Events
from training.loop.result_cache import CellRunner, Measurement
from training.loop.training_loop import TrainingError
from training.papers.stereotype_removal.classifiers import (
    Classifier,
    ClassifierBudget,
    TrainingContext,
    make_classifier,
)
from training.papers.stereotype_removal.datasets import Corpora, load_corpora
from training.papers.stereotype_removal.detection import PHI, manual, soac, spcpd, vocabulary
from training.papers.stereotype_removal.published import BSW_TABLE_8
from training.papers.stereotype_removal.replacement import Replacer, augment
from training.papers.stereotype_removal.strategies import (
    AUGMENTED,
    BIASED,
    DETECTIONS,
    PUBLISHED,
    REPLACEMENTS,
    StrategyResources,
    published_words,
)
from training.papers.stereotype_removal.types import Detection

METHOD = 1
"""Bump this when a change makes earlier cells incomparable; cached cells are then computed again."""
EXAMPLE = "example_{}"
"""The value of a sentence of Table 8, by its number."""
_NO_VECTORS: dict[str, NDArray[np.float32]] = {}

Scorer = Callable[[Sequence[Sequence[str]]], NDArray[np.float64]]
"""p(hateful) of rows of tokens [n]: a classifier, with the replacement applied to what it reads."""


def score_accuracy(scorer: Scorer, test: Sequence[LabelledText]) -> dict[str, float]:
    """ROC-AUC on the test part. Raises MetricError where it has one class only."""
    return {"auc": metrics.roc_auc([row.hateful for row in test], scorer([row.tokens for row in test]))}


def score_pinned_bias(scorer: Scorer, words: Sequence[str]) -> dict[str, float]:
    """The PB family over ``words``, each read alone (Equations 3 to 5). Raises MetricError without words."""
    probabilities = scorer([tokens(word) for word in words])
    return {
        "pb_mean": metrics.pb_mean(probabilities),
        "pb_sym": metrics.pb_sym(probabilities),
        "pb_asym": metrics.pb_asym(probabilities),
        "words": float(len(words)),
    }


def score_fairness(
    scorer: Scorer, rows: Sequence[LabelledText], members: Mapping[str, NDArray[np.bool_]], *, seed: int
) -> dict[str, float]:
    """On templates: AUC, pAUC (Equation 2), and mean and minimum over terms of the three AUCs of Borkan et al.

    Raises MetricError where the rows of a term have one class only.
    """
    gold, scores = np.array([row.hateful for row in rows]), scorer([row.tokens for row in rows])
    found = {
        "madlibs_auc": metrics.roc_auc(gold, scores),
        "pauc": metrics.pinned_auc(gold, scores, members, seed=seed),
        "terms": float(len(members)),
    }
    for name, metric in _TERM_METRICS.items():
        by_term = [metric(gold, scores, inside) for inside in members.values()]
        found |= {name: float(np.mean(by_term)), f"{name}_lowest": min(by_term)}
    return found


_TERM_METRICS = {"subgroup": metrics.subgroup_auc, "bpsn": metrics.bpsn_auc, "bnsp": metrics.bnsp_auc}


@dataclass(frozen=True, slots=True)
class Budget:
    """``training`` of a classifier, and the most ``texts`` to train on by corpus (all where a corpus is missing).

    Of a detected list the first ``top`` words are used: SOAC's that occur more than ``phi`` times, SPCPD's that occur
    at least ``min_count`` times. The paper does not print these; 50 is the length of its manual list.
    """

    training: ClassifierBudget = field(default_factory=ClassifierBudget)
    texts: Mapping[str, int] = field(default_factory=dict)
    top: int = 50
    phi: int = PHI
    min_count: int = 10


@dataclass(frozen=True, slots=True)
class BswCellId:
    """Corpus, detection, replacement, classifier and seed; without a ``replacement`` the list of words itself."""

    corpus: str
    detection: str
    replacement: str
    classifier: str
    seed: int
    fold: int = 0

    @property
    def row(self) -> str:
        """Equal for all seeds and classifiers."""
        return f"{self.corpus}-{self.detection}-{self.replacement or 'words'}"

    @property
    def place(self) -> str:
        """Unique in the tables."""
        return f"bsw-{self.row}-{self.classifier}-seed{self.seed}"

    @property
    def title(self) -> str:
        """The row's title with corpus and detection."""
        return f"{REPLACEMENTS.get(self.replacement, 'words')} ({self.corpus}, {DETECTIONS[self.detection]})"

    @property
    def group(self) -> str:
        """The classifier."""
        return self.classifier

    @property
    def protocol(self) -> str:
        """The detection."""
        return self.detection


@dataclass(slots=True)
class BswRunner(CellRunner[BswCellId]):
    """Computes cells; one corpus is in memory at a time. Weights lie under ``folder``, so a stopped fit resumes."""

    data: Path
    tools: StrategyResources
    budget: Budget
    folder: Path
    device: torch.device
    events: Events
    _corpora: Corpora | None = None
    _biased: dict[tuple[str, str, int], Classifier] = field(default_factory=dict)

    def facts(self, cell_id: BswCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        budget = self.budget
        facts = {"cell": cell_id.place, "method": str(METHOD), "corpus": self.corpora(cell_id.corpus).digest}
        facts |= {"effort": budget.training.as_fact(), **self.tools.facts(cell_id.replacement)}
        if cell_id.detection:
            facts["lists"] = f"top {budget.top}, phi {budget.phi}, seen {budget.min_count}"
        return facts

    def corpora(self, corpus: str) -> Corpora:
        """A corpus and what is read with it, loaded in place of the one before. Raises CorpusError."""
        if self._corpora is None or self._corpora.corpus != corpus:
            self._corpora = None
            self.events.emit("stage", f"loading {corpus}")
            self._corpora = load_corpora(self.data, corpus, max_texts=self.budget.texts.get(corpus, 0))
        return self._corpora

    def measure(self, cell_id: BswCellId) -> Measurement:
        """The list of words and their scores, or the scores of a classifier.

        Raises TrainingError and CorpusError where the cell cannot be computed here.
        """
        found = self._detect(cell_id)
        if not cell_id.replacement:
            return Measurement(dict(found.scored), timed=False)
        corpora = self.corpora(cell_id.corpus)
        scorer, changed = self._scorer(cell_id, found.words)
        split = corpora.split
        try:
            values = {**score_accuracy(scorer, split.test), **score_pinned_bias(scorer, found.words)}
            if corpora.madlibs and cell_id.detection == "manual":
                values |= score_fairness(scorer, corpora.madlibs, corpora.members, seed=cell_id.seed)
        except MetricError as error:
            raise TrainingError(str(error)) from error
        examples = scorer([tokens(text) for text in BSW_TABLE_8])
        values |= {EXAMPLE.format(number): float(value) for number, value in enumerate(examples)}
        sizes = {"train": float(len(split.train)), "test": float(len(split.test)), "changed": changed}
        return Measurement({**values, **sizes})

    def _detect(self, cell_id: BswCellId) -> Detection:
        """Raises TrainingError where no word is found."""
        corpora, top = self.corpora(cell_id.corpus), self.budget.top
        if cell_id.detection == "soac":
            found = soac(corpora.split.train, top=top, abusive=corpora.abusive, phi=self.budget.phi)
        elif cell_id.detection == "spcpd":
            biased = self._unreplaced(cell_id)
            found = spcpd(
                lambda words: biased.hate_probabilities([tokens(word) for word in words]),
                self._candidates(corpora),
                top=top,
                abusive=corpora.abusive,
            )
        else:
            found = published_words(cell_id.corpus) if cell_id.detection == PUBLISHED else manual()
        if not found.words:
            raise TrainingError(
                f"No bias sensitive word was found by {cell_id.detection} in {cell_id.corpus}: nothing can be "
                "replaced. Train on more texts with a larger --scale."
            )
        return found

    def _candidates(self, corpora: Corpora) -> list[str]:
        """Words of letters with a vector that occur often enough in the training part, the most frequent first."""
        space = self.tools.space()
        words = vocabulary(corpora.split.train, min_count=self.budget.min_count)
        return [word for word in words if word.isalpha() and space.of(word) is not None]

    def _scorer(self, cell_id: BswCellId, words: Sequence[str]) -> tuple[Scorer, float]:
        """The classifier of a cell with its replacement, and the share of training texts that were changed."""
        corpora = self.corpora(cell_id.corpus)
        split = corpora.split
        if cell_id.replacement == BIASED:
            return self._unreplaced(cell_id).hate_probabilities, 0.0
        if cell_id.replacement == AUGMENTED:
            more = augment(split, corpora.additions)
            share = 1 - len(split.train) / len(more.train)
            return self._fit(cell_id, more, _NO_VECTORS).hate_probabilities, share
        replacer = self.tools.replacer(cell_id.replacement, cell_id.seed).fit(split.train, words)
        train = _replace_in(replacer, split.train)
        dev = split.dev if replacer.training_only else _replace_in(replacer, split.dev)
        classifier = self._fit(cell_id, Split(train, dev, split.test), replacer.vectors())
        differ = sum(old.tokens != new.tokens for old, new in zip(split.train, train, strict=True))
        share = differ / max(1, len(train))
        if replacer.training_only:
            return classifier.hate_probabilities, share
        return lambda rows: classifier.hate_probabilities(replacer.replace_all(rows)), share

    def _unreplaced(self, cell_id: BswCellId) -> Classifier:
        """The classifier trained on the texts as they are; all cells of a corpus and a seed share it."""
        key = (cell_id.corpus, cell_id.classifier, cell_id.seed)
        if key not in self._biased:
            plain = replace(cell_id, detection="", replacement=BIASED)
            self._biased = {key: self._fit(plain, self.corpora(cell_id.corpus).split, _NO_VECTORS)}
        return self._biased[key]

    def _fit(
        self, cell_id: BswCellId, split: Split, vectors: Mapping[str, NDArray[np.float32]]
    ) -> Classifier:
        context = TrainingContext(
            space=self.tools.space(),
            folder=self.folder / "work" / self.key(cell_id),
            seed=cell_id.seed,
            budget=self.budget.training,
            device=self.device,
            events=self.events,
        )
        classifier = make_classifier(cell_id.classifier, context)
        classifier.fit(split.train, split.dev, vectors=vectors)
        return classifier


def _replace_in(replacer: Replacer, rows: Sequence[LabelledText]) -> tuple[LabelledText, ...]:
    changed = replacer.replace_all([row.tokens for row in rows])
    return tuple(replace(row, tokens=new) for row, new in zip(rows, changed, strict=True))
