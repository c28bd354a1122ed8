"""Tables 5, 6 and 7 of WIKIBIAS: every system on the corpus that is there, in percent, compared with the paper.

The release with its test part is used where it lies in the data folder. Else the manual train and dev parts are, with
WNC's pairs in the place of AUTO (``manual_corpus``), and the table says so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from training.corpora.wikibias import is_available
from training.corpora.wikibias_writer import corpus_name
from training.evaluation.results_table import Block, Table, TablePlan
from training.loop.events import Events
from training.loop.result_cache import ResultCell, cells_of_scale, format_mean_std
from training.loop.training_loop import TrainingError
from training.modeling.encoders import ENCODERS, resolve_encoders
from training.papers.harness import (
    TableSpec,
    cell_columns,
    check_rows,
    command_line,
    command_notes,
)
from training.papers.wikibias.datasets import load_corpus
from training.papers.wikibias.published import WIKIBIAS_TABLE_7
from training.papers.wikibias.runner import NO_ENCODER, WikibiasCellId, WikibiasRunner
from training.papers.wikibias.scoring import compare_ranking
from training.papers.wikibias.systems import ENCODER_KEYS, PAPER_ENCODERS, ROWS, SystemSpec
from training.papers.wikibias.types import Budget
from training.papers.word_lists import CLASSIC

BUDGETS = {
    "smoke": Budget(auto_epochs=1, manual_epochs=1, continued_epochs=1, batch_size=8, limit=16, short=True),
    "cpu": Budget(auto_epochs=1, manual_epochs=3, continued_epochs=2, batch_size=16, short=True),
    "full": Budget(),
}
SEEDS = {"smoke": (1,), "cpu": (1, 2, 3), "full": (1, 2, 3)}
BASES = {"smoke": "minilm", "cpu": "minilm", "full": PAPER_ENCODERS}
"""The encoder of every row, unless another is named."""
PLANNED_BASES = ("minilm", "mpnet")
"""The encoders of which ``--show`` names the missing cells; mpnet has the size of the paper's."""
OFFICIAL, DEV_PART, OWN_CORPUS = "official", "dev-part", "own"
"""Words for the corpus, as cells have them: with the release's test part, without it, or somebody's own."""


@dataclass(frozen=True, slots=True)
class Plan(TablePlan):
    """``table`` is wikibias-5, -6 or -7; ``base`` the encoder of every row by its key, or PAPER_ENCODERS
    (default: that of the scale).

    ``glove`` is the file of word vectors, if any.
    """

    table: str = "wikibias-7"
    base: str = ""
    glove: Path | None = None

    def __post_init__(self) -> None:
        """Fill in the encoder of the scale."""
        if not self.base:
            object.__setattr__(self, "base", BASES[self.scale])


def _check(_data: Path, plan: Plan) -> None:
    check_rows(plan.rows, ROWS[plan.table])
    if plan.base not in (PAPER_ENCODERS, *ENCODER_KEYS):
        raise TrainingError(
            f"{plan.base} is no encoder of this table. Name one of {', '.join((PAPER_ENCODERS, *ENCODER_KEYS))} "
            "with --base, and its folder with --encoder NAME=FOLDER."
        )
    if plan.glove is not None and not plan.glove.is_file():
        raise TrainingError(f"{plan.glove} does not exist. Name a text file of GloVe with --glove FILE.")


def corpus_label(data: Path) -> str:
    """DEV_PART, or with the release's folders OFFICIAL, or OWN_CORPUS for somebody's corpus in the same layout."""
    if not is_available(data):
        return DEV_PART
    return OWN_CORPUS if corpus_name(data) else OFFICIAL


def cell_ids(data: Path, plan: Plan) -> Iterator[WikibiasCellId]:
    """The cells of a plan, in the order in which they are computed."""
    corpus = corpus_label(data)
    for key in plan.rows or ROWS[plan.table]:
        for seed in plan.seeds or SEEDS[plan.scale]:
            yield WikibiasCellId(ROWS[plan.table][key], plan.base, corpus, seed)


def make_runner(data: Path, plan: Plan, folder: Path, device: torch.device) -> WikibiasRunner:
    """The runner of a plan, with its corpus."""
    encoders = resolve_encoders(plan.encoders, ENCODER_KEYS)
    budget = BUDGETS[plan.scale]
    events = Events(plan.table, stream=sys.stderr)
    corpus = load_corpus(data, limit=budget.limit, on_message=lambda message: events.emit("stage", message))
    lists = data / CLASSIC
    return WikibiasRunner(
        corpus=corpus,
        folder=folder,
        budget=budget,
        sources=encoders,
        lists=lists if lists.is_dir() else None,
        glove=plan.glove,
        device=device,
        events=events,
    )


def _command(cell_id: WikibiasCellId, plan: Plan) -> str:
    """The command that computes a cell, without the paths of one machine."""
    return command_line(
        plan.table,
        scale=plan.scale,
        rows=cell_id.system.key,
        seeds=cell_id.seed,
        base=plan.base if cell_id.encoder and plan.base != BASES[plan.scale] else "",
        encoder=f"{cell_id.encoder}=FOLDER" if cell_id.encoder in plan.encoders else "",
        glove="FILE" if cell_id.system.glove and plan.glove else "",
    )


_TITLES = {
    "wikibias-5": "WIKIBIAS, Table 5: is the sentence biased?",
    "wikibias-6": "WIKIBIAS, Table 6: which kinds of bias are in the sentence?",
    "wikibias-7": "WIKIBIAS, Table 7: which words are biased, and is the sentence?",
}
_PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: its title, the name of its value, its index in the published scores; ``interval`` adds one for 95%."""

    title: str
    name: str
    published: int | None = None
    interval: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A block: its columns, and which systems are in it."""

    title: str
    columns: tuple[_Column, ...]
    rows: Callable[[SystemSpec], bool] = lambda _: True


_PARTS: dict[str, tuple[_Part, ...]] = {
    "wikibias-5": (
        _Part(
            "biased or not",
            (
                _Column("P", "biased_precision", 0),
                _Column("R", "biased_recall", 1),
                _Column("F1", "biased_f1", 2, interval=True),
                _Column("accuracy", "accuracy", 3),
                _Column("macro-F1", "macro_f1"),
            ),
        ),
    ),
    "wikibias-6": (
        _Part(
            "kinds of bias",
            (
                _Column("macro-F1", "kinds_macro_f1", 0, interval=True),
                _Column("framing F1", "framing_f1", 1),
                _Column("epistemological F1", "epistemological_f1", 2),
                _Column("demographic F1", "demographic_f1", 3),
            ),
        ),
    ),
    "wikibias-7": (
        _Part(
            "tags of biased source sentences, as the authors count",
            (
                _Column("exact F1", "authors_exact_f1", 0, interval=True),
                _Column("partial F1", "authors_partial_f1", 1),
            ),
            lambda row: not row.same,
        ),
        _Part(
            "tags counted strictly: biased source sentences, then all sentences",
            (
                _Column("exact P", "strict_precision"),
                _Column("exact R", "strict_recall"),
                _Column("exact F1", "strict_f1"),
                _Column("overlap P", "overlap_precision"),
                _Column("overlap R", "overlap_recall"),
                _Column("overlap F1", "overlap_f1"),
                _Column("all: exact F1", "strict_all_f1"),
                _Column("all: overlap F1", "overlap_all_f1"),
            ),
            lambda row: not row.same,
        ),
        _Part(
            "biased or not",
            (
                _Column("F1", "biased_f1", 2, interval=True),
                _Column("accuracy", "accuracy", 3),
            ),
            lambda row: bool(row.same or row.options.get("joint")),
        ),
    ),
}


def build_table(data: Path, plan: Plan, cells: Sequence[ResultCell], notes: Sequence[str]) -> Table:
    """The table of ``cells``: blocks for each corpus and encoder with cells, those of ``plan`` first."""
    table = plan.table
    names = {system.name for system in ROWS[table].values()}
    cells = [cell for cell in cells if cell.row in names]
    first = (corpus_label(data), plan.base)
    others = {(cell.protocol, cell.group) for cell in cells if cell.group != NO_ENCODER} - {first}
    runs = len(plan.seeds or SEEDS[plan.scale])
    blocks: list[Block] = []
    for corpus, base in (first, *sorted(others)):
        lines = _lines(cells, table, corpus=corpus, base=base, scale=plan.scale)
        where = f"{corpus}, {_encoder(base)}"
        blocks += [_block(part, table, lines, where=where, runs=runs) for part in _PARTS[table]]
        if table == "wikibias-7":
            blocks += compare_ranking(lines, where=where)
    missing = _missing(cells, plan, corpus=first[0]) if plan.show else []
    return Table(
        _TITLES[table], tuple(blocks), (*notes, *missing, *_notes(cells, table), *command_notes(cells, table))
    )


def _missing(cells: Sequence[ResultCell], plan: Plan, *, corpus: str) -> list[str]:
    """For each encoder the rows without a cell for each seed, and the command that computes them."""
    notes = []
    for base in dict.fromkeys((plan.base, *(PLANNED_BASES if plan.base in PLANNED_BASES else ()))):
        lines = _lines(cells, plan.table, corpus=corpus, base=base, scale=plan.scale)
        rows = {
            key: [
                seed
                for seed in SEEDS[plan.scale]
                if (seed, plan.scale) not in {(cell.seed, cell.scale) for cell in lines[key]}
            ]
            for key in plan.rows or ROWS[plan.table]
        }
        keys = [key for key, seeds in rows.items() if seeds]
        if not keys:
            continue
        named = "; ".join(
            ROWS[plan.table][key].title
            + (f" (seed {', '.join(map(str, rows[key]))})" if len(rows[key]) < len(SEEDS[plan.scale]) else "")
            for key in keys
        )
        command = command_line(
            plan.table,
            data="DIR",
            scale=plan.scale,
            base=base if base != BASES[plan.scale] else "",
            rows=keys if len(keys) < len(ROWS[plan.table]) else "",
            save_results=True,
        )
        notes.append(f"Missing with {_encoder(base)}: {named}. To compute them: {command}")
    return notes


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
    for figure in part.columns:
        head.append(figure.title)
        head += ["95%"] if figure.interval else []
        head += ["published"] if figure.published is not None else []
    rows = [_line(row, part, lines[key], runs=runs) for key, row in ROWS[table].items() if part.rows(row)]
    if table == "wikibias-7" and any(figure.published is not None for figure in part.columns):
        rows.append(_people(part))
    return Block(f"{where}: {part.title}", (*head, "cells", "run at"), tuple(rows))


def _line(row: SystemSpec, part: _Part, cells: Sequence[ResultCell], *, runs: int) -> tuple[str, ...]:
    line = [row.title]
    for number, figure in enumerate(part.columns):
        values = [100 * cell.values[figure.name] for cell in cells if figure.name in cell.values]
        line.append(format_mean_std(values, 1) if values else "" if cells or number else "not run here")
        if figure.interval:
            line.append(_interval(figure, cells))
        if figure.published is not None:
            line.append(_published(row.published, figure.published, values))
    return (*line, *cell_columns(cells, runs))


def _interval(figure: _Column, cells: Sequence[ResultCell]) -> str:
    """The interval of the first seed."""
    ends = (f"{figure.name}_low", f"{figure.name}_high")
    first = min(cells, key=lambda cell: cell.seed, default=None)
    if first is None or any(name not in first.values for name in ends):
        return ""
    low, high = (100 * first.values[name] for name in ends)
    return f"[{low:.1f}, {high:.1f}]"


def _published(figures: Sequence[float | None], place: int, values: Sequence[float]) -> str:
    """The paper's score and how far ours is from it."""
    figure = figures[place] if figures else None
    if figure is None:
        return "–"
    return f"{figure:.1f} ({sum(values) / len(values) - figure:+.1f})" if values else f"{figure:.1f}"


def _people(part: _Part) -> tuple[str, ...]:
    figures = WIKIBIAS_TABLE_7[_PEOPLE]
    line = ["people (upper bound, quoted)"]
    for figure in part.columns:
        line += ["", ""] if figure.interval else [""]
        line.append(_published(figures, figure.published or 0, ()))
    return (*line, "", "")


def _encoder(base: str) -> str:
    if base == PAPER_ENCODERS:
        return "the paper's encoders"
    return ENCODERS[base].title if base in ENCODERS else base


def _notes(cells: Sequence[ResultCell], table: str) -> list[str]:
    """How to read the table, and how the shown cells differ from the paper."""
    notes = [*_NOTES[table]]
    corpora = sorted({(cell.protocol, cell.facts.get("corpus", "")) for cell in cells})
    notes += [name if name.startswith(corpus) else f"{corpus}: {name}" for corpus, name in corpora if name]
    if any(cell.protocol == DEV_PART for cell in cells):
        notes.append(_DEV_PART_NOTE)
    small = sorted({cell.group for cell in cells} - {PAPER_ENCODERS, NO_ENCODER})
    if small:
        names = ", ".join(ENCODERS[key].title for key in small if key in ENCODERS)
        notes.append(_SMALL_NOTE.format(names=names))
    if any(cell.scale == "cpu" for cell in cells):
        notes.append(_CPU_NOTE)
    return notes


_DEV_PART_NOTE = (
    "dev-part: the scored sentences have the annotators' labels, spans and kinds, but are not the paper's test "
    "sentences; AUTO has a seventh of the paper's pairs, in lower case. The order of the rows can be compared, scores "
    "only roughly."
)
_SMALL_NOTE = (
    "{names}: one encoder for all rows instead of the paper's BERT-base; where it is lower-cased, tags are predicted "
    "without capitals, too."
)
_CPU_NOTE = (
    "cpu: one epoch of the noisy part, three of the clean one, and two of the clean one after the noisy one (the "
    "paper: three, five and three); one learning rate, and for JOINT the weights that won in the paper, instead of a "
    "search; new layers have ten times the learning rate."
)
_COMMON = (
    "In percent; ± is the standard deviation over seeds (the paper's are means of three), in brackets the difference "
    "from the published score; 95% is the bootstrap interval over test sentences for the first seed.",
    "Settings are those of Appendix D; the epoch with the best dev score is taken, and nothing is chosen on test.",
)
_NOTES = {
    "wikibias-5": (*_COMMON, "P, R and F1 are those of the biased class."),
    "wikibias-6": (*_COMMON, "A sentence may have several kinds; macro-F1 is the mean of the three."),
    "wikibias-7": (
        *_COMMON,
        "exact and partial as the authors' script counts: biased source sentences only, articles and commas removed, "
        "BIO repaired; partial: a span counts where its last word is that of a gold span. Strictly: tags as they are; "
        "overlap: any shared word.",
        "BiLSTM-CNN-CRF and BERT, manual are trained on the clean part alone, all others on the noisy one first.",
        "Evenhand's reader is the bundled one at its own thresholds. It was trained on WIKIBIAS's manual train part, "
        "and its thresholds were chosen on the dev part, so its row is optimistic for dev-part.",
    ),
}
SPEC = TableSpec(
    folder="wikibias",
    results=Path(__file__).parent / "results" / "wikibias.json",
    check=_check,
    cell_ids=cell_ids,
    runner=make_runner,
    command=_command,
    build_table=build_table,
)
