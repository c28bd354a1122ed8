"""What the papers' tables share: computing missing cells, choosing those to show, and text and Markdown output."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from training.loop.events import Events
from training.loop.result_cache import Cell, keep, kept, results, write_results
from training.loop.training_loop import TrainingError
from training.types import CorpusError

# A table as text and as Markdown.


@dataclass(frozen=True, slots=True)
class Block:
    """A titled part of a table; every row has as many cells as ``head``."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Blocks, then notes on how to read them."""

    title: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal: columns as wide as they must be, the first to the left, the others to the right."""
        parts = [self.title]
        for block in self.blocks:
            lines = [block.head, *block.rows]
            widths = [max(len(line[at]) for line in lines) for at in range(len(block.head))]
            parts += ["", block.title]
            for line in lines:
                first = line[0].ljust(widths[0])
                rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
                parts.append("  ".join((first, *rest)).rstrip())
        return "\n".join([*parts, *(("", *self.notes) if self.notes else ())])

    def markdown(self) -> str:
        """For a page: pipe tables under headings, notes as a list."""
        parts = [f"## {self.title}"]
        for block in self.blocks:
            rule = (":--", *("--:" for _ in block.head[1:]))
            lines = [f"| {' | '.join(map(_escaped, line))} |" for line in (block.head, rule, *block.rows)]
            parts += ["", f"### {block.title}", "", *lines]
        return "\n".join([*parts, *(("", *(f"- {note}" for note in self.notes)) if self.notes else ()), ""])


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")


# What every table of trained cells does: fill what is missing one by one, then show the newest of each place.


_LARGEST_FIRST = ("full", "cpu")


@dataclass(frozen=True, slots=True)
class CellPlan:
    """What of a table is run and shown.

    ``encoders`` are folders by key of ``training.modeling.encoders.ENCODERS`` (others are had by their hub name). Empty
    ``rows`` and ``seeds`` are those of the ``scale``. ``fresh`` leaves the committed cells out; ``show`` runs nothing,
    and shows ``seeds`` alone where some are named; ``write`` commits all that is there to ``results``.
    """

    encoders: Mapping[str, Path] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    scale: str = "cpu"
    spacy: str = "en_core_web_sm"
    fresh: bool = False
    show: bool = False
    write: bool = False
    results: Path = Path()


@dataclass(frozen=True, slots=True)
class Task:
    """A place of the table: the title of its row, the cell that belongs there, still without values, and its making."""

    title: str
    cell: Cell
    make: Callable[[], Cell]


def check_rows(chosen: Collection[str], rows: Collection[str]) -> None:
    """Raises TrainingError for a chosen row that the table has not."""
    unknown = [row for row in chosen if row not in rows]
    if unknown:
        raise TrainingError(f"{unknown[0]} is no row of this table. Name one of {', '.join(rows)}.")


def filled(
    plan: CellPlan, folder: Path, fill: Callable[[Sequence[Cell]], list[str]]
) -> tuple[list[Cell], list[str]]:
    """The newest cells that are to be shown, after ``fill`` made what is missing, and its notes.

    ``fill`` is given the committed cells. Cells of the smoke scale are never committed.
    """
    committed = [] if plan.fresh else results(plan.results)
    notes = [] if plan.show else fill(committed)
    cells = newest([*committed, *kept(folder / "cells")])
    if plan.write:
        every = newest([*results(plan.results), *cells])
        write_results(plan.results, [cell for cell in every if cell.scale != "smoke"])
    if plan.show and plan.seeds:
        cells = [cell for cell in cells if cell.seed in plan.seeds]
    return cells, notes


def fill(tasks: Iterable[Task], folder: Path, *, committed: Sequence[Cell], events: Events) -> list[str]:
    """Make the cells that are missing; returns notes on the rows that could not be run here.

    A cell that was made before in the very same way, at this scale or another, becomes the newest of its place.
    """
    here = {cell.key: cell for cell in (*committed, *kept(folder / "cells"))}
    missing: dict[str, tuple[str, str]] = {}
    for task in tasks:
        empty = task.cell
        if empty.row in missing:
            continue
        if empty.key in here:
            keep(replace(here[empty.key], scale=empty.scale), folder / "cells")
            continue
        try:
            cell = task.make()
        except (CorpusError, TrainingError) as error:
            missing[empty.row] = (task.title, str(error))
            continue
        keep(cell, folder / "cells")
        events.say("eval", cell.place, metrics=cell.values)
    return _notes(missing.values())


def newest(cells: Iterable[Cell]) -> list[Cell]:
    """The last cell of each place and scale."""
    return list({(cell.place, cell.scale): cell for cell in cells}.values())


def of_one_scale(cells: Sequence[Cell], scale: str) -> list[Cell]:
    """Those of ``scale`` or, where there are none, of the largest that has some."""
    by_scale = ([cell for cell in cells if cell.scale == name] for name in (scale, *_LARGEST_FIRST))
    return next((found for found in by_scale if found), [])


def run_at(cells: Sequence[Cell]) -> str:
    """Scale and seeds; *mixed settings* where cells were not made with the same encoder, corpora and settings."""
    seeds = ", ".join(str(seed) for seed in sorted({cell.seed for cell in cells}))
    made = {tuple(sorted({**cell.facts, "cell": ""}.items())) for cell in cells}
    return f"{cells[0].scale}, seed {seeds}{', mixed settings' if len(made) > 1 else ''}"


def commands(cells: Iterable[Cell], table: str) -> list[str]:
    """How the shown cells of each scale were made."""
    scales = sorted({cell.scale for cell in cells})
    return [
        f"Cells of scale {scale}: evenhand train table {table} --scale {scale}; every cell keeps its own command."
        for scale in scales
    ]


def _notes(missing: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each reason, with all rows that it keeps from running."""
    titles: dict[str, list[str]] = {}
    for title, why in missing:
        titles.setdefault(why, []).append(title)
    return [f"{', '.join(rows)}: not run here. {why}" for why, rows in titles.items()]
