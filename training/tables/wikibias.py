"""WIKIBIAS's Tables 5, 6 and 7: every system on the corpus that is there, beside the paper's figures.

Where the official corpus lies under the data folder it is used; else WNC's pairs and injected ones stand in its place,
and the table says so. Cells are kept one by one, so a stopped table goes on; those that were made by this project
stand in ``results/wikibias.json`` and are shown where no fresher one is there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from training.babe.lexica import CLASSIC
from training.corpora.wikibias import is_here
from training.encoders import sources
from training.events import Events
from training.loop import TrainingError
from training.tables.cells import Cell, digest
from training.tables.filling import CellPlan, Task, check_rows, fill, filled
from training.tables.layout import Table
from training.tables.wikibias_layout import lay_out
from training.wikibias.files import STAND_IN as STAND_IN_NAME
from training.wikibias.files import name_of
from training.wikibias.making import Maker, Slot
from training.wikibias.material import gather
from training.wikibias.model import Effort
from training.wikibias.systems import OWN, ROWS, USED

RESULTS = Path(__file__).parent / "results" / "wikibias.json"
EFFORTS = {
    "smoke": Effort(auto=1, manual=1, further=1, size=8, limit=16),
    "cpu": Effort(auto=2, manual=3, further=2, size=16, limit=3000),
    "full": Effort(),
}
SEEDS = {"smoke": (1,), "cpu": (1,), "full": (1, 2, 3)}
BASES = {"smoke": "minilm", "cpu": "minilm", "full": OWN}
"""The encoder of every row, where nothing else is said."""
OFFICIAL, STAND_IN, OWN_CORPUS = "official", "stand-in", "own"


@dataclass(frozen=True, slots=True)
class Plan(CellPlan):
    """``table`` is wikibias-5, -6 or -7; ``base`` the encoder of every row by its key, or OWN (default: the scale's).

    ``injected`` is the file of injected pairs and ``glove`` that of word vectors, if any.
    """

    table: str = "wikibias-7"
    base: str = ""
    injected: Path | None = None
    glove: Path | None = None
    results: Path = RESULTS


def run(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> Table:
    """Make the cells of ``plan`` that are missing, one by one, then lay out all that are there.

    A row that cannot be run here is noted and the next one taken. Raises CorpusError where neither WIKIBIAS nor WNC is
    there, and TrainingError for a row or an encoder that the table does not have.
    """
    rows = ROWS[plan.table]
    check_rows(plan.rows, rows)
    plan = replace(plan, base=plan.base or BASES[plan.scale])
    if plan.base not in (OWN, *USED):
        raise TrainingError(
            f"{plan.base} is no encoder of this table. Name one of {', '.join((OWN, *USED))} with --base; "
            "--encoder NAME=FOLDER says where it lies."
        )
    if plan.glove is not None and not plan.glove.is_file():
        raise TrainingError(f"{plan.glove} is not there. Name a text file of GloVe with --glove FILE.")
    folder = folder / "wikibias"
    cells, notes = filled(plan, folder, lambda committed: _fill(data, plan, folder, device, committed))
    seeds = plan.seeds or SEEDS[plan.scale]
    return lay_out(
        cells,
        plan.table,
        place=(corpus_of(data), plan.base),
        scale=plan.scale,
        runs=len(seeds),
        notes=notes,
    )


def corpus_of(data: Path) -> str:
    """A word for the material of a data folder: the official corpus, what stands in its place, or one of somebody's."""
    name = name_of(data)
    if not is_here(data) or name == STAND_IN_NAME:
        return STAND_IN
    return OWN_CORPUS if name else OFFICIAL


def planned(data: Path, plan: Plan) -> Iterator[Slot]:
    """The cells of a plan, in the order in which they are made."""
    corpus = corpus_of(data)
    for key in plan.rows or ROWS[plan.table]:
        for seed in plan.seeds or SEEDS[plan.scale]:
            yield Slot(ROWS[plan.table][key], plan.base, corpus, seed)


def maker_of(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> Maker:
    """What makes the cells of a plan; its material is gathered, and made where it was not yet."""
    named = sources(plan.encoders, USED)
    effort = EFFORTS[plan.scale]
    events = Events(plan.table, stream=sys.stderr)
    material = gather(
        data,
        limit=effort.limit,
        folder=folder / "material",
        injected=plan.injected,
        spacy=plan.spacy,
        say=lambda message: events.say("stage", message),
    )
    lists = data / CLASSIC
    return Maker(
        material=material,
        folder=folder,
        effort=effort,
        sources=named,
        lists=lists if lists.is_dir() else None,
        glove=plan.glove,
        device=device,
        events=events,
    )


def _fill(data: Path, plan: Plan, folder: Path, device: torch.device, committed: Sequence[Cell]) -> list[str]:
    maker = maker_of(data, plan, folder, device=device)
    tasks = (_task(maker, slot, plan) for slot in planned(data, plan))
    return fill(tasks, folder, committed=committed, events=maker.events)


def _task(maker: Maker, slot: Slot, plan: Plan) -> Task:
    facts = maker.facts(slot)
    cell = Cell(
        place=slot.name,
        row=slot.row.name,
        group=slot.group,
        protocol=slot.corpus,
        seed=slot.seed,
        fold=0,
        scale=plan.scale,
        key=digest(facts),
        command=_command(slot, plan),
        facts=facts,
        values={},
    )

    def make() -> Cell:
        found = maker.make(slot)
        return replace(cell, values=found.values, counts=found.counts)

    return Task(slot.row.title, cell, make)


def _command(slot: Slot, plan: Plan) -> str:
    """The command that makes a cell, without the places of one machine."""
    words = [f"evenhand train table {plan.table}", f"--scale {plan.scale}", f"--rows {slot.row.key}"]
    words.append(f"--seeds {slot.seed}")
    if slot.encoder and plan.base != BASES[plan.scale]:
        words.append(f"--base {plan.base}")
    if slot.encoder in plan.encoders:
        words.append(f"--encoder {slot.encoder}=FOLDER")
    if slot.corpus == STAND_IN:
        words += ["--injected FILE"] if plan.injected else []
        words.append(f"--spacy {Path(plan.spacy).name}")
    if slot.row.glove and plan.glove:
        words.append("--glove FILE")
    return " ".join(words)
