"""One cell of Table 5: a system, a group, a protocol, a seed and a fold, trained and scored once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
from safetensors.torch import save_file

from core.engine.cues import Lexicon
from training.corpora import ALL, allsides, babe
from training.corpora import babe as headlines
from training.loop.batches import Encoded, Stream
from training.loop.events import Events
from training.loop.result_cache import digest
from training.modeling.encoders import Source, files_mark
from training.papers.babe import pretraining
from training.papers.babe import pretraining as distilling
from training.papers.babe.feature_baseline import Words, biased_sentences, read_words
from training.papers.babe.systems import CLEAN, TEACHER, Fold, System, make_folds
from training.papers.word_lists import list_files, word_lists
from training.reader.sentence_classifier import Classifier, label_scores, learn, scores, start
from training.text.edits import KindFinder
from training.text.parsing import load_parser
from training.types import Example, open_file

METHOD = 1
"""Goes up when a change makes earlier cells another thing."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a cell may be: epochs of a fold, the most of the original protocol, steps of the related stage,
    sentences for the teacher, and a cap on BABE and on every other corpus.
    """

    epochs: int
    most_epochs: int
    related_steps: int
    prose: int
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """Which cell."""

    system: System
    group: str
    protocol: str
    seed: int
    fold: int

    @property
    def name(self) -> str:
        """As a file's name."""
        return f"{self.group}-{self.system.key}-{self.protocol}-seed{self.seed}-fold{self.fold}"


@dataclass(slots=True)
class Maker:
    """Makes cells; what they share (sentences, features, pre-trained weights) is made once.

    ``related`` are files of reader runs by encoder; other encoders go through the related stage here.
    """

    data: Path
    folder: Path
    effort: Effort
    sources: Mapping[str, Source]
    related: Mapping[str, Path]
    spacy: str
    device: torch.device
    events: Events
    _marks: dict[str, str] = field(default_factory=dict)
    _examples: dict[str, list[Example]] = field(default_factory=dict)
    _folds: dict[tuple[str, str], list[Fold]] = field(default_factory=dict)
    _words: dict[str, Words] = field(default_factory=dict)
    _prose: list[Example] = field(default_factory=list)

    def check(self) -> None:
        """Raises CorpusError where BABE is not there."""
        for name in babe.FACTS.files:
            open_file(self.data, name)

    def facts(self, slot: Slot) -> dict[str, str]:
        """Everything that a cell's figures depend on; cells with the same facts are the same."""
        method = slot.system.method
        facts = {"cell": slot.name, "method": str(METHOD), "limit": str(self.effort.limit)}
        facts["babe"] = self._mark(slot.group, [f"babe/final_labels_{slot.group}.csv"])
        if method == "features":
            lists = list_files(self.data)
            facts["lists"] = f"{len(lists)} {self._mark('lists', lists)}"
            facts["spacy"] = Path(self.spacy).name
        else:
            facts["epochs"] = str(self._epochs(slot.protocol))
        facts.update({f"encoder {key}": self.sources[key].mark for key in slot.system.encoders})
        if method == "distant":
            files = [*headlines.HEADLINES_FACTS.files, *allsides.FACTS.files]
            own = (self.data / headlines.HEADLINES_FACTS.files[0]).is_file()
            facts["headlines"] = (
                f"{headlines.HEADLINES if own else headlines.HEADLINES_PROXY} {self._mark('headlines', files)}"
            )
        if method in ("related", "distilled"):
            for key in slot.system.encoders:
                facts[f"related {key}"] = self._related_mark(key)
        if method == "distilled":
            facts["prose"] = f"{self.effort.prose} {self._mark('articles', allsides.FACTS.files)}"
        return facts

    def key(self, slot: Slot) -> str:
        """Sixteen digits that change with the facts."""
        return digest(self.facts(slot))

    def make(self, slot: Slot) -> dict[str, float]:
        """Train and score. Raises CorpusError, and TrainingError where an encoder cannot be had."""
        began = time.monotonic()
        examples = self._read(slot.group)
        fold = self._split(slot.group, slot.protocol)[slot.fold]
        self.events.stage = slot.name
        how: Callable[[Slot, list[Example], Fold], dict[str, float]]
        if slot.system.method == "features":
            how = self._features
        elif slot.system.method == "distilled":
            how = self._distilled
        else:
            how = self._classifier
        found = how(slot, examples, fold)
        counts = {"train": len(fold.train), "scored": len(fold.scored), "dropped": fold.dropped}
        return {**counts, **found, "seconds": round(time.monotonic() - began, 1)}

    def _features(self, slot: Slot, examples: list[Example], fold: Fold) -> dict[str, float]:
        if slot.group not in self._words:
            lexicon = Lexicon.load()
            nlp, lists = load_parser(self.spacy), word_lists(self.data)
            self.events.say("stage", "reading the words' features")
            self._words[slot.group] = read_words(examples, nlp, lists=lists, lexicon=lexicon)
        labels = [int(example.bias or 0) for example in examples]
        found = biased_sentences(self._words[slot.group], fold, protocol=slot.protocol, seed=slot.seed)
        return label_scores([labels[at] for at in fold.scored], found)

    def _classifier(self, slot: Slot, examples: list[Example], fold: Fold) -> dict[str, float]:
        classifier = self._fitted(slot, examples, fold, key=slot.system.encoder, work=self._work(slot))
        rows = classifier.rows([examples[at] for at in fold.scored])
        words = slot.system.method == "related"
        found = scores(classifier.model, rows, device=self.device, words=words)
        self._work(slot).unlink(missing_ok=True)
        return found

    def _fitted(self, slot: Slot, examples: list[Example], fold: Fold, *, key: str, work: Path) -> Classifier:
        """A classifier that learnt the fold by its labels alone."""
        multi = slot.system.method in ("related", "distilled")
        classifier = self._started(key, multi=multi, distant=slot.system.method == "distant", seed=slot.seed)
        self.events.stage = slot.name
        rows = classifier.rows([examples[at] for at in fold.train])
        tasks = ("bias", "spans") if multi else ("bias",)
        self._learn(slot, classifier, [Stream("babe", rows, 1.0, tasks)], examples, fold, work=work)
        return classifier

    def _distilled(self, slot: Slot, examples: list[Example], fold: Fold) -> dict[str, float]:
        checkpoint = self._work(slot, "-teacher")
        taught = checkpoint.with_suffix(".safetensors")
        if taught.is_file():
            teacher = start(self.sources[TEACHER].place, seed=slot.seed, related=taught)
        else:
            teacher = self._fitted(slot, examples, fold, key=TEACHER, work=checkpoint)
            fresh = checkpoint.with_suffix(".new")
            fresh.parent.mkdir(parents=True, exist_ok=True)
            save_file(teacher.model.state_dict(), fresh)
            fresh.replace(taught)
        student = self._started(slot.system.encoder, multi=True, distant=False, seed=slot.seed)
        self._prose = self._prose or distilling.prose(self.data, self.effort.prose)
        self.events.stage = slot.name
        train = [examples[at] for at in fold.train]
        streams = distilling.taught_streams(student, teacher, train, self._prose, device=self.device)
        self._learn(slot, student, streams, examples, fold, work=self._work(slot))
        rows = student.rows([examples[at] for at in fold.scored])
        found = scores(student.model, rows, device=self.device, words=True)
        for path in (taught, checkpoint, self._work(slot)):
            path.unlink(missing_ok=True)
        return found

    def _started(self, key: str, *, multi: bool, distant: bool, seed: int) -> Classifier:
        """A classifier on an encoder, after what that is to learn beforehand."""
        source = self.sources[key]
        weights = self.folder / "pretrained"
        limit = self.effort.limit
        if distant:
            encoder = pretraining.distant(
                source, self.data, weights, limit=limit, device=self.device, events=self.events
            )
            return start(source.place, seed=seed, encoder=encoder)
        if not multi:
            return start(source.place, seed=seed)
        related = self.related.get(key) or pretraining.related(
            source,
            self.data,
            weights,
            steps=self.effort.related_steps,
            limit=limit,
            device=self.device,
            events=self.events,
        )
        return start(source.place, seed=seed, related=related)

    def _learn(
        self,
        slot: Slot,
        classifier: Classifier,
        streams: list[Stream[Encoded]],
        examples: list[Example],
        fold: Fold,
        *,
        work: Path,
    ) -> None:
        learn(
            classifier,
            streams,
            early_stopping=slot.protocol != CLEAN,
            epochs=self._epochs(slot.protocol),
            scored=[] if slot.protocol == CLEAN else classifier.rows([examples[at] for at in fold.scored]),
            seed=slot.seed,
            device=self.device,
            events=self.events,
            checkpoint=work,
        )

    def _work(self, slot: Slot, part: str = "") -> Path:
        return self.folder / "work" / f"{slot.name}-{self.key(slot)}{part}.pt"

    def _mark(self, name: str, files: Sequence[str]) -> str:
        if name not in self._marks:
            self._marks[name] = files_mark(
                [self.data / file for file in files if (self.data / file).is_file()]
            )
        return self._marks[name]

    def _related_mark(self, key: str) -> str:
        """The mark of a named file, or of the corpora that the stage learns from here."""
        if key in self.related:
            if key not in self._marks:
                self._marks[key] = files_mark([self.related[key]])
            return f"file {self._marks[key]}"
        mark = self._mark("corpora", [file for facts in ALL for file in facts.files])
        return f"{self.effort.related_steps} steps, corpora {mark}"

    def _epochs(self, protocol: str) -> int:
        return self.effort.epochs if protocol == CLEAN else self.effort.most_epochs

    def _read(self, group: str) -> list[Example]:
        if group not in self._examples:
            found = babe.load(self.data, KindFinder(Lexicon.load()), group=group)
            self._examples[group] = found[: self.effort.limit]
        return self._examples[group]

    def _split(self, group: str, protocol: str) -> list[Fold]:
        if (group, protocol) not in self._folds:
            self._folds[group, protocol] = make_folds(self._read(group), protocol)
        return self._folds[group, protocol]
