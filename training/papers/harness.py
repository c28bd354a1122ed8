"""What the papers' tables share: computing missing cells, choosing those to show, and notes on both."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

import torch

from training.evaluation.results_table import Table, TablePlan
from training.loop.events import Events
from training.loop.result_cache import (
    CellId,
    CellRunner,
    CellTask,
    ResultCell,
    format_mean_std,
    load_cells,
    read_results,
    save_cell,
    write_results,
)
from training.loop.training_loop import TrainingError
from training.types import CorpusError

PlanT = TypeVar("PlanT", bound=TablePlan)
IdT = TypeVar("IdT", bound=CellId)


@dataclass(frozen=True, slots=True)
class TableSpec(Generic[PlanT, IdT]):
    """A table, or several that are views of the same cells.

    ``folder`` is the name of its folder of cells, ``results`` the results file of the paper. ``check(data, plan)``
    raises CorpusError or TrainingError for a plan that cannot be run. ``cell_ids(data, plan)`` are the cells in the
    order in which they are computed, ``runner(data, plan, folder, device)`` computes them; neither is called where
    results are only shown. ``command(id, plan)`` is the command that computes one cell;
    ``build_table(data, plan, cells, notes)`` is the table.
    """

    folder: str
    results: Path
    check: Callable[[Path, PlanT], None]
    cell_ids: Callable[[Path, PlanT], Iterable[IdT]]
    runner: Callable[[Path, PlanT, Path, torch.device], CellRunner[IdT]]
    command: Callable[[IdT, PlanT], str]
    build_table: Callable[[Path, PlanT, Sequence[ResultCell], Sequence[str]], Table]

    def run(self, data: Path, plan: PlanT, folder: Path, *, device: torch.device) -> Table:
        """Compute the cells of ``plan`` that are missing, one by one, then lay out all cells that are there.

        A row that cannot be computed here is noted, and the next one is computed. Raises CorpusError and TrainingError
        where the whole plan cannot be run.
        """
        self.check(data, plan)
        if plan.results == Path():
            plan = replace(plan, results=self.results)
        folder = folder / self.folder

        def compute(committed: Sequence[ResultCell]) -> list[str]:
            runner = self.runner(data, plan, folder, device)
            tasks = (
                runner.task(cell_id, scale=plan.scale, command=self.command(cell_id, plan))
                for cell_id in self.cell_ids(data, plan)
            )
            return compute_missing(tasks, folder, committed=committed, events=runner.events)

        cells, notes = run_cells(plan, folder, compute)
        return self.build_table(data, plan, cells, notes)


def run_cells(
    plan: TablePlan, folder: Path, compute: Callable[[Sequence[ResultCell]], list[str]]
) -> tuple[list[ResultCell], list[str]]:
    """The newest cells that are to be shown, after ``compute`` added what was missing, and its notes.

    ``compute`` takes the cells of ``plan.results``. Cells of the smoke scale are never saved there.
    """
    committed = [] if plan.ignore_cache else read_results(plan.results)
    notes = [] if plan.show else compute(committed)
    cells = newest([*committed, *load_cells(folder / "cells")])
    if plan.save_results:
        every = newest([*read_results(plan.results), *cells])
        write_results(plan.results, [cell for cell in every if cell.scale != "smoke"])
    if plan.show and plan.seeds:
        cells = [cell for cell in cells if cell.seed in plan.seeds]
    return cells, notes


def compute_missing(
    tasks: Iterable[CellTask], folder: Path, *, committed: Sequence[ResultCell], events: Events
) -> list[str]:
    """Compute the cells that are missing; returns a note for the rows that could not be computed here.

    A cell with the same facts, of this scale or another, is not computed again; it becomes the newest of its place.
    """
    here = {cell.key: cell for cell in (*committed, *load_cells(folder / "cells"))}
    missing: dict[str, tuple[str, str]] = {}
    for task in tasks:
        empty = task.cell
        if empty.row in missing:
            continue
        if empty.key in here:
            save_cell(replace(here[empty.key], scale=empty.scale), folder / "cells")
            continue
        try:
            cell = task.compute()
        except (CorpusError, TrainingError) as error:
            missing[empty.row] = (task.title, str(error))
            continue
        save_cell(cell, folder / "cells")
        events.emit("eval", cell.place, metrics=cell.values)
    titles: dict[str, list[str]] = {}
    for title, reason in missing.values():
        titles.setdefault(reason, []).append(title)
    return [f"{', '.join(rows)}: not run here. {reason}" for reason, rows in titles.items()]


def check_rows(chosen: Collection[str], rows: Collection[str]) -> None:
    """Raises TrainingError for a chosen row that the table does not have."""
    unknown = [row for row in chosen if row not in rows]
    if unknown:
        raise TrainingError(f"{unknown[0]} is not a row of this table. Name one of {', '.join(rows)}.")


def newest(cells: Iterable[ResultCell]) -> list[ResultCell]:
    """The last cell of each place and scale."""
    return list({(cell.place, cell.scale): cell for cell in cells}.values())


def describe_runs(cells: Sequence[ResultCell]) -> str:
    """Scale and seeds; *mixed settings* where encoder, corpora or settings differ between cells."""
    seeds = ", ".join(str(seed) for seed in sorted({cell.seed for cell in cells}))
    settings = {tuple(sorted({**cell.facts, "cell": ""}.items())) for cell in cells}
    return f"{cells[0].scale}, seed {seeds}{', mixed settings' if len(settings) > 1 else ''}"


def cell_columns(cells: Sequence[ResultCell], runs: int) -> tuple[str, str]:
    """The last columns of a line that shall have ``runs`` cells: how many it has, and how they were run."""
    return f"{len(cells)} of {max(runs, len(cells))}", describe_runs(cells) if cells else ""


def mean_and_std(cells: Sequence[ResultCell], name: str, digits: int) -> str:
    """Mean and standard deviation of a value over the cells that have it; empty where none has."""
    values = [cell.values[name] for cell in cells if name in cell.values]
    return format_mean_std(values, digits) if values else ""


def command_notes(cells: Iterable[ResultCell], table: str) -> list[str]:
    """For each scale the command that computes the shown cells."""
    scales = sorted({cell.scale for cell in cells})
    return [
        f"Cells of scale {scale}: {command_line(table, scale=scale)}; every cell keeps its own command."
        for scale in scales
    ]


def command_line(table: str, **options: object) -> str:
    """``evenhand train table NAME --option value``, in the order of ``options``.

    None, False and empty values are left out, True gives a bare flag, a list or tuple several values.
    """
    words = [f"evenhand train table {table}"]
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            words += [f"{flag} {' '.join(map(str, value))}"] if value else []
        elif value is not None and value is not False and value != "":
            words.append(f"{flag} {value}")
    return " ".join(words)
