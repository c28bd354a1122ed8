"""The runner of Tables 5, 6 and 7: trains a system on one encoder with one seed, and scores it on the test part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch

from core.engine.engine import bundled_reader
from training.corpora.wikibias import FACTS
from training.loop.events import Events
from training.loop.result_cache import CellRunner, Measurement, digest
from training.loop.training_loop import TrainingError
from training.modeling.encoders import EncoderSource, files_digest
from training.papers.wikibias.scoring import score
from training.papers.wikibias.systems import PAPER_ENCODERS, SystemSpec
from training.papers.wikibias.types import Budget, Corpus, TrainingContext

METHOD = 2
"""Bump this when a change makes earlier cells incomparable; cached cells are then computed again."""
NO_ENCODER = "words"
"""In place of an encoder, in the names of cells."""


@dataclass(frozen=True, slots=True)
class WikibiasCellId:
    """A system, an encoder (its key, or PAPER_ENCODERS), a word for the corpus, and a seed."""

    system: SystemSpec
    base: str
    corpus: str
    seed: int
    fold: int = 0

    @property
    def place(self) -> str:
        """Unique in the table."""
        return f"{self.row}-{self.group}-{self.corpus}-seed{self.seed}"

    @property
    def title(self) -> str:
        """The title of the system."""
        return self.system.title

    @property
    def row(self) -> str:
        """The name of the system, equal for rows that repeat another."""
        return self.system.name

    @property
    def group(self) -> str:
        """The encoder; systems without one have the same cell for all."""
        return self.base if self.system.encoder else NO_ENCODER

    @property
    def protocol(self) -> str:
        """The word for the corpus."""
        return self.corpus

    @property
    def encoder(self) -> str:
        """The key of the encoder, or an empty string."""
        return self.system.encoder if self.base == PAPER_ENCODERS or not self.system.encoder else self.base


@dataclass(slots=True)
class WikibiasRunner(CellRunner[WikibiasCellId]):
    """Computes cells on one corpus.

    ``lists`` is the folder of the published word lists, ``glove`` a file of word vectors; either may be missing.
    Systems of one seed that depend on the same facts share a folder, where their common stages are trained once.
    """

    corpus: Corpus
    folder: Path
    budget: Budget
    sources: Mapping[str, EncoderSource]
    lists: Path | None
    glove: Path | None
    device: torch.device
    events: Events
    _digests: dict[str, str] = field(default_factory=dict)

    def facts(self, cell_id: WikibiasCellId) -> dict[str, str]:
        """See ``CellRunner.facts``."""
        return {"cell": cell_id.place, "method": str(METHOD), **self._training_facts(cell_id)}

    def measure(self, cell_id: WikibiasCellId) -> Measurement:
        """Train and score. Raises CorpusError and TrainingError where the system cannot be trained here."""
        corpus = self.corpus
        if cell_id.system.auto and not corpus.auto:
            raise TrainingError(
                f"There is no noisy part (AUTO) in {corpus.name}. Get WIKIBIAS-AUTO: see {FACTS.homepage}."
            )
        found = score(cell_id.system.load()(corpus, self.context(cell_id)), corpus.test)
        parts = {"manual": corpus.manual, "auto": corpus.auto, "dev": corpus.dev, "test": corpus.test}
        sizes = {part: float(len(sentences)) for part, sentences in parts.items()}
        return Measurement({**sizes, **found.values}, found.counts)

    def context(self, cell_id: WikibiasCellId) -> TrainingContext:
        """How the system of a cell is trained."""
        facts = {**self._training_facts(cell_id), "seed": str(cell_id.seed)}
        return TrainingContext(
            base=self.sources[cell_id.encoder].place if cell_id.encoder else "",
            seed=cell_id.seed,
            budget=self.budget,
            folder=self.folder / "work" / digest(facts),
            device=self.device,
            events=self.events,
            lists=self.lists,
            glove=self.glove,
        )

    def _training_facts(self, cell_id: WikibiasCellId) -> dict[str, str]:
        facts = {
            "corpus": self.corpus.name,
            "material": self.corpus.digest,
            "effort": self.budget.as_fact(),
        }
        if cell_id.encoder:
            facts["encoder"] = self.sources[cell_id.encoder].digest
        if cell_id.system.lists:
            files = sorted(self.lists.glob("*.txt")) if self.lists else []
            facts["lists"] = f"{len(files)} {self._digest('lists', files)}"
        if cell_id.system.bundle:
            facts["bundle"] = self._digest("bundle", [bundled_reader() / "bundle.json"])
        if cell_id.system.glove:
            facts["glove"] = self._digest("glove", [self.glove]) if self.glove else "none"
        return facts

    def _digest(self, name: str, files: list[Path]) -> str:
        if name not in self._digests:
            self._digests[name] = files_digest(files)
        return self._digests[name]
