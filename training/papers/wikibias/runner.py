"""One cell of Tables 5, 6 and 7: a row, an encoder and a seed, trained once and scored once on the test part."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch

from core.engine.engine import bundled_reader
from training.loop.events import Events
from training.loop.result_cache import digest
from training.loop.training_loop import TrainingError
from training.modeling.encoders import Source, files_mark
from training.papers.wikibias.scoring import Scored, scored
from training.papers.wikibias.systems import OWN, Row
from training.papers.wikibias.types import Effort, Material, Work

METHOD = 1
"""Goes up when a change makes earlier cells another thing."""
NO_ENCODER = "words"


@dataclass(frozen=True, slots=True)
class Slot:
    """Which cell: ``base`` is an encoder by its key or OWN, ``corpus`` a word for the material."""

    row: Row
    base: str
    corpus: str
    seed: int

    @property
    def name(self) -> str:
        """As a file's name."""
        return f"{self.row.name}-{self.group}-{self.corpus}-seed{self.seed}"

    @property
    def group(self) -> str:
        """The encoder's part of its name; rows without one are alike for all."""
        return self.base if self.row.encoder else NO_ENCODER

    @property
    def encoder(self) -> str:
        """The key of the encoder, or nothing."""
        return self.row.encoder if self.base == OWN or not self.row.encoder else self.base


@dataclass(slots=True)
class Maker:
    """Makes cells of one material.

    ``lists`` is the folder of the published word lists, ``glove`` a file of word vectors; either may be missing.
    Systems of the same seed that depend on the same things share a folder, where their common stages are trained once.
    """

    material: Material
    folder: Path
    effort: Effort
    sources: Mapping[str, Source]
    lists: Path | None
    glove: Path | None
    device: torch.device
    events: Events
    _marks: dict[str, str] = field(default_factory=dict)

    def facts(self, slot: Slot) -> dict[str, str]:
        """Everything that a cell's figures depend on; cells with the same facts are the same."""
        return {"cell": slot.name, "method": str(METHOD), **self._needs(slot)}

    def make(self, slot: Slot) -> Scored:
        """Train and score. Raises CorpusError and TrainingError where the row cannot be run here."""
        material = self.material
        if slot.row.auto and not material.auto:
            raise TrainingError(
                f"There is no noisy part (AUTO) in {material.name}. Get WIKIBIAS-AUTO, or make injected pairs with "
                "`evenhand train data inject --out FILE` and say --injected FILE."
            )
        began = time.monotonic()
        found = scored(slot.row.load()(material, self.work(slot)), material.test)
        parts = {"manual": material.manual, "auto": material.auto, "dev": material.dev, "test": material.test}
        sizes = {part: float(len(sentences)) for part, sentences in parts.items()}
        return Scored({**sizes, **found.values, "seconds": round(time.monotonic() - began, 1)}, found.counts)

    def work(self, slot: Slot) -> Work:
        """How the cell's system is trained."""
        folder = self.folder / "work" / digest({**self._needs(slot), "seed": str(slot.seed)})
        return Work(
            base=self.sources[slot.encoder].place if slot.encoder else "",
            seed=slot.seed,
            effort=self.effort,
            folder=folder,
            device=self.device,
            events=self.events,
            lists=self.lists,
            glove=self.glove,
        )

    def _needs(self, slot: Slot) -> dict[str, str]:
        needs = {"corpus": self.material.name, "material": self.material.mark}
        needs["effort"] = ", ".join(f"{name} {value}" for name, value in asdict(self.effort).items())
        if slot.encoder:
            needs["encoder"] = self.sources[slot.encoder].mark
        if slot.row.lists:
            files = sorted(self.lists.glob("*.txt")) if self.lists else []
            needs["lists"] = f"{len(files)} {self._mark('lists', files)}"
        if slot.row.bundle:
            needs["bundle"] = self._mark("bundle", [bundled_reader() / "bundle.json"])
        if slot.row.glove:
            needs["glove"] = self._mark("glove", [self.glove]) if self.glove else "none"
        return needs

    def _mark(self, name: str, files: list[Path]) -> str:
        if name not in self._marks:
            self._marks[name] = files_mark(files)
        return self._marks[name]
