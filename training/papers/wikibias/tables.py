"""Tables 5, 6 and 7: every system on the corpus that is there, in percent beside the paper's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from training.corpora.wikibias import is_here
from training.corpora.wikibias_proxy import STAND_IN as STAND_IN_NAME
from training.corpora.wikibias_proxy import name_of
from training.evaluation.results_table import Block, Table
from training.loop.events import Events
from training.loop.result_cache import CellTask, ResultCell, cells_of_scale, digest, format_mean_std
from training.loop.training_loop import TrainingError
from training.modeling.encoders import ENCODERS, sources
from training.papers.harness import (
    TablePlan,
    check_rows,
    command_notes,
    compute_missing,
    describe_runs,
    run_cells,
)
from training.papers.wikibias.datasets import gather
from training.papers.wikibias.published import WIKIBIAS_TABLE_7
from training.papers.wikibias.runner import NO_ENCODER, Maker, Slot
from training.papers.wikibias.scoring import ranking
from training.papers.wikibias.systems import OWN, ROWS, USED, Row
from training.papers.wikibias.types import Effort
from training.papers.word_lists import CLASSIC

# How WIKIBIAS's Tables 5, 6 and 7 are shown: figures in percent beside the paper's, and its ranking pair by pair.


_TITLES = {
    "wikibias-5": "WIKIBIAS, Table 5: is the sentence biased?",
    "wikibias-6": "WIKIBIAS, Table 6: which kinds of bias are in the sentence?",
    "wikibias-7": "WIKIBIAS, Table 7: which words are biased, and is the sentence?",
}
_PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class _Figure:
    """A column: its title, the value's name, its place among the published figures; ``interval`` adds one for 95%."""

    title: str
    name: str
    published: int | None = None
    interval: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A block: the rows that answer it, and their figures."""

    title: str
    figures: tuple[_Figure, ...]
    rows: Callable[[Row], bool] = lambda _: True


_PARTS: dict[str, tuple[_Part, ...]] = {
    "wikibias-5": (
        _Part(
            "biased or not",
            (
                _Figure("P", "biased_precision", 0),
                _Figure("R", "biased_recall", 1),
                _Figure("F1", "biased_f1", 2, interval=True),
                _Figure("accuracy", "accuracy", 3),
                _Figure("macro-F1", "macro_f1"),
            ),
        ),
    ),
    "wikibias-6": (
        _Part(
            "kinds of bias",
            (
                _Figure("macro-F1", "kinds_macro_f1", 0, interval=True),
                _Figure("framing F1", "framing_f1", 1),
                _Figure("epistemological F1", "epistemological_f1", 2),
                _Figure("demographic F1", "demographic_f1", 3),
            ),
        ),
    ),
    "wikibias-7": (
        _Part(
            "tags of biased source sentences, as the authors count",
            (
                _Figure("exact F1", "authors_exact_f1", 0, interval=True),
                _Figure("partial F1", "authors_partial_f1", 1),
            ),
            lambda row: not row.same,
        ),
        _Part(
            "tags counted strictly: biased source sentences, then all sentences",
            (
                _Figure("exact P", "strict_precision"),
                _Figure("exact R", "strict_recall"),
                _Figure("exact F1", "strict_f1"),
                _Figure("overlap P", "overlap_precision"),
                _Figure("overlap R", "overlap_recall"),
                _Figure("overlap F1", "overlap_f1"),
                _Figure("all: exact F1", "strict_all_f1"),
                _Figure("all: overlap F1", "overlap_all_f1"),
            ),
            lambda row: not row.same,
        ),
        _Part(
            "biased or not",
            (
                _Figure("F1", "biased_f1", 2, interval=True),
                _Figure("accuracy", "accuracy", 3),
            ),
            lambda row: bool(row.same or row.options.get("joint")),
        ),
    ),
}


def lay_out(
    cells: Sequence[ResultCell],
    table: str,
    *,
    place: tuple[str, str],
    scale: str,
    runs: int,
    notes: Sequence[str],
) -> Table:
    """The table of ``cells``: blocks for each corpus and encoder that has some, those of ``place`` first.

    ``place`` is a corpus and an encoder as cells name them (``ResultCell.protocol`` and ``ResultCell.group``); ``runs`` is how
    many seeds a line shall have.
    """
    names = {row.name for row in ROWS[table].values()}
    cells = [cell for cell in cells if cell.row in names]
    others = {(cell.protocol, cell.group) for cell in cells if cell.group != NO_ENCODER} - {place}
    blocks: list[Block] = []
    for corpus, base in (place, *sorted(others)):
        lines = _lines(cells, table, corpus=corpus, base=base, scale=scale)
        where = f"{corpus}, {_encoder(base)}"
        blocks += [_block(part, table, lines, where=where, runs=runs) for part in _PARTS[table]]
        if table == "wikibias-7":
            blocks += ranking(lines, where=where)
    return Table(_TITLES[table], tuple(blocks), (*notes, *_told(cells, table), *command_notes(cells, table)))


def _lines(
    cells: Sequence[ResultCell], table: str, *, corpus: str, base: str, scale: str
) -> dict[str, list[ResultCell]]:
    """The cells of each row, by its key."""
    here = [cell for cell in cells if cell.protocol == corpus and cell.group in (base, NO_ENCODER)]
    return {
        key: cells_of_scale([cell for cell in here if cell.row == row.name], scale)
        for key, row in ROWS[table].items()
    }


def _block(part: _Part, table: str, lines: dict[str, list[ResultCell]], *, where: str, runs: int) -> Block:
    head = ["system"]
    for figure in part.figures:
        head.append(figure.title)
        head += ["95%"] if figure.interval else []
        head += ["published"] if figure.published is not None else []
    rows = [_line(row, part, lines[key], runs=runs) for key, row in ROWS[table].items() if part.rows(row)]
    if table == "wikibias-7" and any(figure.published is not None for figure in part.figures):
        rows.append(_people(part))
    return Block(f"{where}: {part.title}", (*head, "cells", "run at"), tuple(rows))


def _line(row: Row, part: _Part, cells: Sequence[ResultCell], *, runs: int) -> tuple[str, ...]:
    line = [row.title]
    most = max(runs, len(cells))
    for number, figure in enumerate(part.figures):
        values = [100 * cell.values[figure.name] for cell in cells if figure.name in cell.values]
        line.append(format_mean_std(values, 1) if values else "" if cells or number else "not run here")
        if figure.interval:
            line.append(_interval(figure, cells))
        if figure.published is not None:
            line.append(_published(row.published, figure.published, values))
    return (*line, f"{len(cells)} of {most}", describe_runs(cells) if cells else "")


def _interval(figure: _Figure, cells: Sequence[ResultCell]) -> str:
    """That of the first seed's answers."""
    ends = (f"{figure.name}_low", f"{figure.name}_high")
    first = min(cells, key=lambda cell: cell.seed, default=None)
    if first is None or any(name not in first.values for name in ends):
        return ""
    low, high = (100 * first.values[name] for name in ends)
    return f"[{low:.1f}, {high:.1f}]"


def _published(figures: Sequence[float | None], place: int, values: Sequence[float]) -> str:
    """The paper's figure and how far ours is from it."""
    figure = figures[place] if figures else None
    if figure is None:
        return "–"
    return f"{figure:.1f} ({sum(values) / len(values) - figure:+.1f})" if values else f"{figure:.1f}"


def _people(part: _Part) -> tuple[str, ...]:
    figures = WIKIBIAS_TABLE_7[_PEOPLE]
    line = ["people (upper bound, quoted)"]
    for figure in part.figures:
        line += ["", ""] if figure.interval else [""]
        line.append(_published(figures, figure.published or 0, ()))
    return (*line, "", "")


def _encoder(base: str) -> str:
    return "the paper's encoders" if base == OWN else ENCODERS[base].title if base in ENCODERS else base


def _told(cells: Sequence[ResultCell], table: str) -> list[str]:
    """How to read the figures, and in what the cells that are shown differ from the paper."""
    told = [*_NOTES[table]]
    corpora = sorted({(cell.protocol, cell.facts.get("corpus", "")) for cell in cells})
    told += [name if name.startswith(corpus) else f"{corpus}: {name}" for corpus, name in corpora if name]
    if any(cell.protocol == "stand-in" for cell in cells):
        told.append(_STAND_IN_NOTE)
    small = sorted({cell.group for cell in cells} - {OWN, NO_ENCODER})
    if small:
        names = ", ".join(ENCODERS[key].title for key in small if key in ENCODERS)
        told.append(_SMALL_NOTE.format(names=names))
    if any(cell.scale == "cpu" for cell in cells):
        told.append(_CPU_NOTE)
    return told


_STAND_IN_NOTE = (
    "stand-in: WIKIBIAS is not here. Clean parts are WNC's pairs, all in lower case, whose spans are those of Appendix "
    "C's heuristic and not people's; injected pairs stand for AUTO. The figures are not of the paper's test sentences: "
    "how far they are from its own says little."
)
_SMALL_NOTE = (
    "{names}: one encoder for all rows in the place of the paper's BERT-base; where it is lower-cased, tags are read "
    "without capitals, too."
)
_CPU_NOTE = (
    "cpu: two epochs of the noisy part, three of the clean one, two of the clean one after the noisy one, and at most "
    "3,000 sentences of each part (the paper: three, five, three, and all); fresh layers learn ten times as fast."
)
_COMMON = (
    "In percent; ± is the standard deviation over seeds (the paper's are means of three), in brackets how far it is "
    "from the published figure; 95% is the bootstrap interval of the first seed's answers over test sentences.",
    "Settings are those of Appendix D; the epoch with the best figure on dev counts, and nothing is chosen on test.",
)
_NOTES = {
    "wikibias-5": (*_COMMON, "P, R and F1 are those of the biased class."),
    "wikibias-6": (*_COMMON, "Several kinds may be in one sentence; macro-F1 is the mean of the three."),
    "wikibias-7": (
        *_COMMON,
        "exact and partial as the authors' script counts: biased source sentences alone, articles and commas taken "
        "off, BIO mended; partial: a span counts where its last word is a gold span's. Strictly: tags as they are; "
        "overlap: any shared word.",
        "BiLSTM-CNN-CRF and BERT, manual learn from the clean part alone, all others from the noisy one first.",
        "Evenhand's reader is the one that comes with the program, at its own thresholds; where WNC stands in, they "
        "were chosen on this test part.",
    ),
}


# WIKIBIAS's Tables 5, 6 and 7: every system on the corpus that is there, beside the paper's figures.
#
# Where the official corpus lies under the data folder it is used; else WNC's pairs and injected ones stand in its place,
# and the table says so. Cells are kept one by one, so a stopped table goes on; those that were made by this project
# stand in ``results/wikibias.json`` and are shown where no fresher one is there.


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
class Plan(TablePlan):
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
    cells, notes = run_cells(plan, folder, lambda committed: _fill(data, plan, folder, device, committed))
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


def _fill(
    data: Path, plan: Plan, folder: Path, device: torch.device, committed: Sequence[ResultCell]
) -> list[str]:
    maker = maker_of(data, plan, folder, device=device)
    tasks = (_task(maker, slot, plan) for slot in planned(data, plan))
    return compute_missing(tasks, folder, committed=committed, events=maker.events)


def _task(maker: Maker, slot: Slot, plan: Plan) -> CellTask:
    facts = maker.facts(slot)
    cell = ResultCell(
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

    def make() -> ResultCell:
        found = maker.make(slot)
        return replace(cell, values=found.values, counts=found.counts)

    return CellTask(slot.row.title, cell, make)


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
