"""The runner of BABE's Table 5: trains and scores a system on one fold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors.torch import save_file

from core.engine.cues import Lexicon
from training.corpora import ALL, allsides, babe
from training.loop.batches import EncodedExample, Stream
from training.loop.events import Events
from training.loop.result_cache import CellRunner, Measurement
from training.modeling.encoders import EncoderSource, files_digest
from training.papers.babe import pretraining
from training.papers.babe.feature_baseline import WordFeatures, biased_sentences, extract_features
from training.papers.babe.systems import CLEAN, TEACHER, Fold, System, make_folds
from training.papers.word_lists import list_files, word_lists
from training.reader.sentence_classifier import (
    Classifier,
    evaluate,
    label_scores,
    new_classifier,
    train_classifier,
)
from training.text.edits import KindFinder
from training.text.parsing import load_parser
from training.types import Example, open_file

METHOD = 1
"""Bump this when a change makes earlier cells incomparable; cached cells are then computed again."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much data and how many steps: epochs of a fold without and at most with early stopping, steps of the
    auxiliary stage, sentences for the teacher, and the most rows of BABE and of every other corpus.
    """

    epochs: int
    max_epochs: int
    auxiliary_steps: int
    teacher_sentences: int
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class BabeCellId:
    """A system, a group of annotators (SG1, SG2), a protocol, a seed and a fold."""

    system: System
    group: str
    protocol: str
    seed: int
    fold: int

    @property
    def place(self) -> str:
        """Unique in the table."""
        return f"{self.group}-{self.row}-{self.protocol}-seed{self.seed}-fold{self.fold}"

    @property
    def row(self) -> str:
        """The key of the system."""
        return self.system.key

    @property
    def title(self) -> str:
        """The title of the system."""
        return self.system.title


@dataclass(slots=True)
class BabeRunner(CellRunner[BabeCellId]):
    """Computes cells; sentences, features and pre-trained weights are computed once for all of them.

    ``auxiliary`` are weights of reader runs by encoder; other encoders are trained on the auxiliary tasks here.
    """

    data: Path
    folder: Path
    budget: Budget
    sources: Mapping[str, EncoderSource]
    auxiliary: Mapping[str, Path]
    spacy: str
    device: torch.device
    events: Events
    _digests: dict[str, str] = field(default_factory=dict)
    _examples: dict[str, list[Example]] = field(default_factory=dict)
    _folds: dict[tuple[str, str], list[Fold]] = field(default_factory=dict)
    _features: dict[str, WordFeatures] = field(default_factory=dict)
    _unlabelled: list[Example] = field(default_factory=list)

    def check(self) -> None:
        """Raises CorpusError where BABE is missing."""
        for name in babe.FACTS.files:
            open_file(self.data, name)

    def facts(self, cell_id: BabeCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        system = cell_id.system
        facts = {"cell": cell_id.place, "method": str(METHOD), "limit": str(self.budget.limit)}
        facts["babe"] = self._digest(cell_id.group, [f"babe/final_labels_{cell_id.group}.csv"])
        if system.method == "features":
            lists = list_files(self.data)
            facts["lists"] = f"{len(lists)} {self._digest('lists', lists)}"
            facts["spacy"] = Path(self.spacy).name
        else:
            facts["epochs"] = str(self._epochs(cell_id.protocol))
        facts.update({f"encoder {key}": self.sources[key].digest for key in system.encoders})
        if system.method == "distant":
            files = [*babe.HEADLINES_FACTS.files, *allsides.FACTS.files]
            published = (self.data / babe.HEADLINES_FACTS.files[0]).is_file()
            corpus = babe.HEADLINES if published else babe.HEADLINES_PROXY
            facts["headlines"] = f"{corpus} {self._digest('headlines', files)}"
        if system.method in ("related", "distilled"):
            for key in system.encoders:
                facts[f"related {key}"] = self._auxiliary_digest(key)
        if system.method == "distilled":
            facts["prose"] = (
                f"{self.budget.teacher_sentences} {self._digest('articles', allsides.FACTS.files)}"
            )
        return facts

    def measure(self, cell_id: BabeCellId) -> Measurement:
        """Train and score. Raises CorpusError, and TrainingError where an encoder cannot be loaded."""
        examples = self._load(cell_id.group)
        fold = self._split(cell_id.group, cell_id.protocol)[cell_id.fold]
        self.events.stage = cell_id.place
        score: Callable[[BabeCellId, list[Example], Fold], dict[str, float]]
        if cell_id.system.method == "features":
            score = self._score_features
        elif cell_id.system.method == "distilled":
            score = self._score_distilled
        else:
            score = self._score_classifier
        found = score(cell_id, examples, fold)
        sizes = {"train": len(fold.train), "scored": len(fold.scored), "dropped": fold.dropped}
        return Measurement({**sizes, **found})

    def _score_features(self, cell_id: BabeCellId, examples: list[Example], fold: Fold) -> dict[str, float]:
        group = cell_id.group
        if group not in self._features:
            nlp, lists = load_parser(self.spacy), word_lists(self.data)
            self.events.emit("stage", "extracting word features")
            self._features[group] = extract_features(examples, nlp, lists=lists, lexicon=Lexicon.load())
        labels = [int(example.bias or 0) for example in examples]
        found = biased_sentences(self._features[group], fold, protocol=cell_id.protocol, seed=cell_id.seed)
        return label_scores([labels[at] for at in fold.scored], found)

    def _score_classifier(self, cell_id: BabeCellId, examples: list[Example], fold: Fold) -> dict[str, float]:
        checkpoint = self._checkpoint(cell_id)
        classifier = self._fit(cell_id, examples, fold, key=cell_id.system.encoder, checkpoint=checkpoint)
        rows = classifier.rows([examples[at] for at in fold.scored])
        found = evaluate(classifier.model, rows, device=self.device, words=cell_id.system.method == "related")
        checkpoint.unlink(missing_ok=True)
        return found

    def _score_distilled(self, cell_id: BabeCellId, examples: list[Example], fold: Fold) -> dict[str, float]:
        checkpoint = self._checkpoint(cell_id, "-teacher")
        weights = checkpoint.with_suffix(".safetensors")
        if weights.is_file():
            teacher = new_classifier(self.sources[TEACHER].place, seed=cell_id.seed, auxiliary=weights)
        else:
            teacher = self._fit(cell_id, examples, fold, key=TEACHER, checkpoint=checkpoint)
            fresh = checkpoint.with_suffix(".new")
            fresh.parent.mkdir(parents=True, exist_ok=True)
            save_file(teacher.model.state_dict(), fresh)
            fresh.replace(weights)
        student = self._start(cell_id.system.encoder, multitask=True, distant=False, seed=cell_id.seed)
        self._unlabelled = self._unlabelled or pretraining.unlabelled_sentences(
            self.data, self.budget.teacher_sentences
        )
        self.events.stage = cell_id.place
        train = [examples[at] for at in fold.train]
        streams = pretraining.distillation_streams(
            student, teacher, train, self._unlabelled, device=self.device
        )
        own = self._checkpoint(cell_id)
        self._learn(cell_id, student, streams, examples, fold, checkpoint=own)
        rows = student.rows([examples[at] for at in fold.scored])
        found = evaluate(student.model, rows, device=self.device, words=True)
        for path in (weights, checkpoint, own):
            path.unlink(missing_ok=True)
        return found

    def _fit(
        self, cell_id: BabeCellId, examples: list[Example], fold: Fold, *, key: str, checkpoint: Path
    ) -> Classifier:
        """A classifier trained on the labels of the fold."""
        method = cell_id.system.method
        multitask = method in ("related", "distilled")
        classifier = self._start(key, multitask=multitask, distant=method == "distant", seed=cell_id.seed)
        self.events.stage = cell_id.place
        rows = classifier.rows([examples[at] for at in fold.train])
        tasks = ("bias", "spans") if multitask else ("bias",)
        streams = [Stream("babe", rows, 1.0, tasks)]
        self._learn(cell_id, classifier, streams, examples, fold, checkpoint=checkpoint)
        return classifier

    def _start(self, key: str, *, multitask: bool, distant: bool, seed: int) -> Classifier:
        """A classifier with fresh heads, on an encoder that was pre-trained as the system wants."""
        source = self.sources[key]
        weights = self.folder / "pretrained"
        limit = self.budget.limit
        if distant:
            encoder = pretraining.train_distant(
                source, self.data, weights, limit=limit, device=self.device, events=self.events
            )
            return new_classifier(source.place, seed=seed, encoder=encoder)
        if not multitask:
            return new_classifier(source.place, seed=seed)
        auxiliary = self.auxiliary.get(key) or pretraining.train_auxiliary(
            source,
            self.data,
            weights,
            steps=self.budget.auxiliary_steps,
            limit=limit,
            device=self.device,
            events=self.events,
        )
        return new_classifier(source.place, seed=seed, auxiliary=auxiliary)

    def _learn(
        self,
        cell_id: BabeCellId,
        classifier: Classifier,
        streams: list[Stream[EncodedExample]],
        examples: list[Example],
        fold: Fold,
        *,
        checkpoint: Path,
    ) -> None:
        clean = cell_id.protocol == CLEAN
        train_classifier(
            classifier,
            streams,
            early_stopping=not clean,
            epochs=self._epochs(cell_id.protocol),
            scored=[] if clean else classifier.rows([examples[at] for at in fold.scored]),
            seed=cell_id.seed,
            device=self.device,
            events=self.events,
            checkpoint=checkpoint,
        )

    def _checkpoint(self, cell_id: BabeCellId, suffix: str = "") -> Path:
        return self.folder / "work" / f"{cell_id.place}-{self.key(cell_id)}{suffix}.pt"

    def _digest(self, name: str, files: Sequence[str]) -> str:
        if name not in self._digests:
            self._digests[name] = files_digest(
                [self.data / file for file in files if (self.data / file).is_file()]
            )
        return self._digests[name]

    def _auxiliary_digest(self, key: str) -> str:
        """The digest of a named file, or of the corpora of the auxiliary tasks."""
        if key in self.auxiliary:
            if key not in self._digests:
                self._digests[key] = files_digest([self.auxiliary[key]])
            return f"file {self._digests[key]}"
        digest = self._digest("corpora", [file for facts in ALL for file in facts.files])
        return f"{self.budget.auxiliary_steps} steps, corpora {digest}"

    def _epochs(self, protocol: str) -> int:
        return self.budget.epochs if protocol == CLEAN else self.budget.max_epochs

    def _load(self, group: str) -> list[Example]:
        if group not in self._examples:
            found = babe.load(self.data, KindFinder(Lexicon.load()), group=group)
            self._examples[group] = found[: self.budget.limit]
        return self._examples[group]

    def _split(self, group: str, protocol: str) -> list[Fold]:
        if (group, protocol) not in self._folds:
            self._folds[group, protocol] = make_folds(self._load(group), protocol)
        return self._folds[group, protocol]
