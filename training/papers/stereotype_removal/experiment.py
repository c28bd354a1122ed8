"""One cell of Tables 4 to 6.

Corpus, detection, replacement, classifier and seed; trained, and measured by accuracy, bias and fairness.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.stereotypes import metrics
from core.stereotypes.metrics import MetricError
from training.corpora.hate_speech import Labelled, Split, tokens
from training.loop.events import Events
from training.loop.result_cache import digest
from training.loop.training_loop import TrainingError
from training.papers.stereotype_removal.classifiers import Classifier, Effort, Work, classifier
from training.papers.stereotype_removal.datasets import Material
from training.papers.stereotype_removal.detection import PHI, manual, soac, spcpd, vocabulary
from training.papers.stereotype_removal.published import BSW_TABLE_8
from training.papers.stereotype_removal.replacement import augmented
from training.papers.stereotype_removal.strategies import (
    AUGMENTED,
    BIASED,
    PUBLISHED,
    Tools,
    published_words,
)
from training.papers.stereotype_removal.types import Detection, Replacer

# What a classifier is measured by: accuracy on its corpus, bias towards words, and how fair it is on Wiki Madlibs.


Reads = Callable[[Sequence[Sequence[str]]], NDArray[np.float64]]
"""p(hateful) of rows of tokens [n]: a classifier with whatever is replaced before it."""


def accuracy(reads: Reads, test: Sequence[Labelled]) -> dict[str, float]:
    """ROC-AUC on the test part. Raises MetricError where it has one class."""
    return {"auc": metrics.roc_auc([row.hateful for row in test], reads([row.tokens for row in test]))}


def pinned_bias(reads: Reads, words: Sequence[str]) -> dict[str, float]:
    """The PB family over ``words``, each read alone (Equations 3 to 5). Raises MetricError where there is none."""
    chances = reads([tokens(word) for word in words])
    return {
        "pb_mean": metrics.pb_mean(chances),
        "pb_sym": metrics.pb_sym(chances),
        "pb_asym": metrics.pb_asym(chances),
        "words": float(len(words)),
    }


def fairness(
    reads: Reads, rows: Sequence[Labelled], members: Mapping[str, NDArray[np.bool_]], *, seed: int
) -> dict[str, float]:
    """On templates: AUC, pAUC (Equation 2), and of Borkan et al.'s three AUCs the mean and the lowest over terms.

    Raises MetricError where a term's rows have one class.
    """
    gold, scores = np.array([row.hateful for row in rows]), reads([row.tokens for row in rows])
    found = {
        "madlibs_auc": metrics.roc_auc(gold, scores),
        "pauc": metrics.pinned_auc(gold, scores, members, seed=seed),
        "terms": float(len(members)),
    }
    for name, figure in _FIGURES.items():
        by_term = [figure(gold, scores, inside) for inside in members.values()]
        found |= {name: float(np.mean(by_term)), f"{name}_lowest": min(by_term)}
    return found


_FIGURES = {"subgroup": metrics.subgroup_auc, "bpsn": metrics.bpsn_auc, "bnsp": metrics.bnsp_auc}


# One cell of Tables 4 to 6: a corpus, a detection, a replacement, a classifier and a seed, made and measured once.
#
# A classifier learns from the texts as they are; its stereotyped words are found; they are replaced; the same kind of
# classifier learns anew from that. What is replaced in the training part is replaced in all that the new classifier
# reads, too: dev, test and Wiki Madlibs, and the single words of the PB family. Section 4.3 speaks of the training part
# alone, but PB_mean of 0.0000 for centroids (Tables 4 and 6) can only come of words that all have become one tag, and
# section 5.4.2 explains a PB_mean above zero by the part of speech that *gay* alone is given. The exception is k nearest
# neighbours, of which section 4.3.3 says that occurrences in the training part are replaced, each by chance; and of
# course augmentation, which replaces nothing.


METHOD = 1
"""Goes up when a change makes earlier cells another thing."""
EXAMPLE = "example_{}"
"""The value of a sentence of Table 8, by its number."""
_NO_VECTORS: dict[str, NDArray[np.float32]] = {}


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work: ``effort`` of a fit, ``texts`` to learn from at most by corpus (all where none is said).

    ``top`` words of a list that is detected count; of SOAC's those seen more than ``phi`` times, of SPCPD's those seen
    at least ``seen`` times. The paper says none of the three; 50 is the length of its manual list.
    """

    effort: Effort = field(default_factory=Effort)
    texts: Mapping[str, int] = field(default_factory=dict)
    top: int = 50
    phi: int = PHI
    seen: int = 10


@dataclass(frozen=True, slots=True)
class Slot:
    """Which cell; without a ``replacement`` the list of words itself."""

    corpus: str
    detection: str
    replacement: str
    classifier: str
    seed: int

    @property
    def row(self) -> str:
        """What cells of all seeds and classifiers share."""
        return f"{self.corpus}-{self.detection}-{self.replacement or 'words'}"

    @property
    def name(self) -> str:
        """As a file's name."""
        return f"bsw-{self.row}-{self.classifier}-seed{self.seed}"


@dataclass(slots=True)
class Experiment:
    """Makes the cells of one corpus. Fits lie under ``folder``, so that one that was stopped goes on."""

    material: Material
    tools: Tools
    scale: Scale
    folder: Path
    device: torch.device
    events: Events
    _biased: dict[tuple[str, int], Classifier] = field(default_factory=dict)

    def facts(self, slot: Slot) -> dict[str, str]:
        """Everything that a cell's figures depend on; cells with the same facts are the same."""
        return {"cell": slot.name, "method": str(METHOD), **self._needs(slot)}

    def words(self, slot: Slot) -> dict[str, float]:
        """The list of a detection: words and their scores, the most stereotyped first."""
        return dict(self._detected(slot).scored)

    def measured(self, slot: Slot) -> dict[str, float]:
        """Train and measure. Raises TrainingError and CorpusError where the cell cannot be made here."""
        began = time.monotonic()
        found = self._detected(slot)
        reads, changed = self._reads(slot, found.words)
        split = self.material.split
        try:
            values = {**accuracy(reads, split.test), **pinned_bias(reads, found.words)}
            if self.material.madlibs and slot.detection == "manual":
                templates, inside = self.material.madlibs, self.material.members
                values |= fairness(reads, templates, inside, seed=slot.seed)
        except MetricError as error:
            raise TrainingError(str(error)) from error
        examples = reads([tokens(text) for text in BSW_TABLE_8])
        values |= {EXAMPLE.format(number): float(chance) for number, chance in enumerate(examples)}
        sizes = {"train": float(len(split.train)), "test": float(len(split.test)), "changed": changed}
        return {**values, **sizes, "seconds": round(time.monotonic() - began, 1)}

    def _detected(self, slot: Slot) -> Detection:
        """Raises TrainingError where not one word was found."""
        train, abusive, top = self.material.split.train, self.material.abusive, self.scale.top
        if slot.detection == "soac":
            found = soac(train, top=top, abusive=abusive, phi=self.scale.phi)
        elif slot.detection == "spcpd":
            biased = self._unreplaced(slot)
            found = spcpd(
                lambda words: biased.chances([tokens(word) for word in words]),
                self._candidates(),
                top=top,
                abusive=abusive,
            )
        else:
            found = published_words(slot.corpus) if slot.detection == PUBLISHED else manual()
        if not found.words:
            raise TrainingError(
                f"No bias sensitive word was found by {slot.detection} in {slot.corpus}: nothing can be replaced. "
                "Learn from more texts with a larger --scale."
            )
        return found

    def _candidates(self) -> list[str]:
        """Words of letters that the training part holds often enough and that have a vector; frequent ones first."""
        space = self.tools.space()
        words = vocabulary(self.material.split.train, least=self.scale.seen)
        return [word for word in words if word.isalpha() and space.of(word) is not None]

    def _reads(self, slot: Slot, words: Sequence[str]) -> tuple[Reads, float]:
        """The classifier of a cell with what is replaced before it, and the share of texts that were changed for it."""
        split = self.material.split
        if slot.replacement == BIASED:
            return self._unreplaced(slot).chances, 0.0
        if slot.replacement == AUGMENTED:
            more = augmented(split, self.material.additions)
            share = 1 - len(split.train) / len(more.train)
            return self._fitted(slot, more, _NO_VECTORS).chances, share
        replacer = self.tools.replacer(slot.replacement, slot.seed).fit(split.train, words)
        train = _replaced(replacer, split.train)
        dev = split.dev if replacer.training_only else _replaced(replacer, split.dev)
        fitted = self._fitted(slot, Split(train, dev, split.test), replacer.vectors())
        differ = sum(old.tokens != new.tokens for old, new in zip(split.train, train, strict=True))
        share = differ / max(1, len(train))
        if replacer.training_only:
            return fitted.chances, share
        return lambda rows: fitted.chances(replacer.many(rows)), share

    def _unreplaced(self, slot: Slot) -> Classifier:
        """The classifier that learnt from the texts as they are; all detections and cells of a seed share it."""
        key = (slot.classifier, slot.seed)
        if key not in self._biased:
            plain = replace(slot, detection="", replacement=BIASED)
            self._biased = {key: self._fitted(plain, self.material.split, _NO_VECTORS)}
        return self._biased[key]

    def _fitted(self, slot: Slot, split: Split, vectors: Mapping[str, NDArray[np.float32]]) -> Classifier:
        made = classifier(
            slot.classifier,
            Work(
                space=self.tools.space(),
                folder=self.folder / "work" / digest(self.facts(slot)),
                seed=slot.seed,
                effort=self.scale.effort,
                device=self.device,
                events=self.events,
            ),
        )
        made.fit(split.train, split.dev, vectors=vectors)
        return made

    def _needs(self, slot: Slot) -> dict[str, str]:
        scale = self.scale
        effort = ", ".join(f"{name} {value}" for name, value in asdict(scale.effort).items())
        needs = {"corpus": self.material.mark, "effort": effort, **self.tools.facts(slot.replacement)}
        if slot.detection:
            needs["lists"] = f"top {scale.top}, phi {scale.phi}, seen {scale.seen}"
        return needs


def _replaced(replacer: Replacer, rows: Sequence[Labelled]) -> tuple[Labelled, ...]:
    news = replacer.many([row.tokens for row in rows])
    return tuple(replace(row, tokens=new) for row, new in zip(rows, news, strict=True))
