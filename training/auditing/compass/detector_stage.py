"""The optional stage of a compass run: a detector of each task on each model, scored by group.

Feng et al. (2023), section 2.2 and Tables 3 to 5.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.runs.political_compass import ALL_GROUPS, SCORES, Detector, DetectorScore, DownstreamTask
from core.runs.recipes import model_name
from training.auditing.compass.detector_runner import SCALES, SEEDS, DetectorCellId, DetectorRunner
from training.auditing.compass.detectors import TASKS
from training.auditing.compass.group_scores import balanced_accuracy, f1, predict, select_test, unpack_rows
from training.auditing.compass.models_under_test import MASKED, ModelUnderTest
from training.auditing.compass.run_results import ReportWriter, RunProgress
from training.corpora.grouped_texts import GroupedText
from training.loop.result_cache import ResultCell, load_cells, save_cell
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError
from training.metrics.intervals import Interval, interval
from training.metrics.resampling import Array, Metric
from training.types import CorpusError

_RESAMPLES = 2000
_BYTES = 60_000
"""Bytes per finished detector on disk."""
_METRICS: dict[str, Metric] = dict(zip(SCORES, (balanced_accuracy, f1), strict=True))


def check_tasks(tasks: Sequence[str]) -> None:
    """Raise TrainingError for an unknown task, and for one that is named twice."""
    unknown = next((task for task in tasks if task not in TASKS), None)
    if unknown is not None:
        raise TrainingError(f"{unknown} is not a task. Name some of {', '.join(TASKS)} with --detectors.")
    if len(set(tasks)) < len(tasks):
        raise TrainingError("A task is named twice. Name each once with --detectors.")


@dataclass(frozen=True, slots=True)
class DetectorStage:
    """Trains detectors of ``tasks``; ``seed`` is the first seed of ``scale``."""

    data: Path
    tasks: tuple[str, ...]
    seed: int
    scale: str

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of each model."""
        return tuple(range(self.seed, self.seed + len(SEEDS[self.scale])))

    def estimate(
        self, models: Sequence[ModelUnderTest], answering: Collection[str], context: RunContext
    ) -> int:
        """Estimate the detectors for a dry run by a few steps of each; returns how many can be trained.

        Problems are emitted as warnings; ``answering`` are the names of the models that can answer.
        """
        runner, trained = self._make_runner(context), 0
        for task in self.tasks:
            try:
                TASKS[task].load(self.data)
            except CorpusError as error:
                context.events.emit("warning", str(error))
                continue
            for one in models:
                if one.kind != MASKED and one.name not in answering:
                    continue
                try:
                    self._try(task, one, runner)
                except TrainingError as error:
                    context.events.emit("warning", str(error))
                else:
                    trained += 1
        return trained

    def _try(self, task: str, one: ModelUnderTest, runner: DetectorRunner) -> None:
        dry_run = runner.events.dry_run
        assert dry_run is not None
        before = dry_run.seconds
        runner.measure(DetectorCellId(task, one.base, self.seed))
        dry_run.seconds += (dry_run.seconds - before) * (len(self.seeds) - 1)
        dry_run.checkpoint_bytes += _BYTES * len(self.seeds)

    def train(self, models: Sequence[ModelUnderTest], writer: ReportWriter) -> None:
        """Train the missing detectors on every model that can be loaded, and save the results.

        A missing corpus, and a model that cannot be trained, is recorded as a problem. Raises TrainingError if results
        cannot be written, and StoppedError if the run is stopped.
        """
        context = writer.context
        events = RunProgress.from_events(context.events)
        events.expect(len(self.tasks) * len(models) * len(self.seeds), steps=SCALES[self.scale].epochs)
        runner = replace(self._make_runner(context), events=events)
        for task in self.tasks:
            _TaskTrainer(self, task, runner, writer, events).all(models)

    def _make_runner(self, context: RunContext) -> DetectorRunner:
        return DetectorRunner(self.data, SCALES[self.scale], context.folder, context.device, context.events)


@dataclass(slots=True)
class _TaskTrainer:
    """Trains the detectors of one task."""

    stage: DetectorStage
    name: str
    runner: DetectorRunner
    writer: ReportWriter
    events: RunProgress

    def all(self, models: Sequence[ModelUnderTest]) -> None:
        """Train the detectors on all models."""
        seeds = len(self.stage.seeds)
        self.events.stage = self.name
        try:
            items = TASKS[self.name].load(self.stage.data).test
        except CorpusError as error:
            self.events.emit("warning", str(error))
            self._keep(DownstreamTask(self.name, {}, problems=(("", str(error)),)))
            self.events.add_done(seeds * len(models), kept=True)
            return
        known = {one.name for one in models}
        lost = [name for name in self.writer.compass.models if name not in known]
        found = DownstreamTask(self.name, {}, problems=tuple((name, _UNUSABLE) for name in lost))
        every: dict[str, list[ResultCell]] = {}
        for one in models:
            cells, problem = self._cells(one)
            if problem:
                self.events.emit("warning", problem)
                found = replace(found, problems=(*found.problems, (one.name, problem)))
            if cells:
                every[one.name] = cells
                found = _add_detector(found, one.name, cells, items, planned=seeds)
                found = replace(found, differing=_count_differing(list(every.values())))
            self._keep(found)
            self.events.add_done(seeds - len(cells), kept=True)

    def _cells(self, one: ModelUnderTest) -> tuple[list[ResultCell], str]:
        """The detectors on a model, and why some are missing."""
        if one.kind != MASKED and self.writer.compass.position(one.name) is None:
            return [], _UNUSABLE
        folder = self.writer.context.folder / "cells"
        there = {cell.key: cell for cell in load_cells(folder)}
        own: list[ResultCell] = []
        for seed in self.stage.seeds:
            cell_id = DetectorCellId(self.name, one.base, seed)
            task = self.runner.task(cell_id, scale=self.stage.scale, command=self._command(one))
            old = there.get(task.cell.key)
            if old is None:
                self.events.check_cancelled()
                self.events.stage = task.cell.row
                self.events.emit("stage", f"a detector on {one.name}")
                try:
                    cell = task.compute()
                except TrainingError as error:
                    return own, str(error)
                with self.writer.context.explain_write_errors():
                    save_cell(cell, folder)
                self.events.emit("eval", f"a detector on {one.name}", metrics=cell.values)
            own.append(old or cell)
            self.events.add_done(1, kept=old is not None)
        return own, ""

    def _command(self, one: ModelUnderTest) -> str:
        """The command that computes a cell, without local paths."""
        how = self.stage
        words = f"evenhand train compass --base {model_name(one.base)} --detectors {self.name}"
        return f"{words} --scale {how.scale} --seed {how.seed}"

    def _keep(self, found: DownstreamTask) -> None:
        others = [one for one in self.writer.compass.downstream if one.task != found.task]
        order = self.writer.compass.tasks.index
        self.writer.update(downstream=tuple(sorted([*others, found], key=lambda one: order(one.task))))


_UNUSABLE = "It could not answer, and no detector can be trained on it."


def _add_detector(
    found: DownstreamTask,
    model: str,
    cells: Sequence[ResultCell],
    items: Sequence[GroupedText],
    *,
    planned: int,
) -> DownstreamTask:
    """The task with the detector on one more model."""
    groups = _group_members(items)
    gold, answers = (np.concatenate(part) for part in zip(*map(_test_rows, cells), strict=True))
    row = np.tile(np.arange(len(items)), len(cells))
    scores = {
        group: {
            name: _as_score(
                interval(metric, gold[own], answers[own], groups=row[own].tolist(), resamples=_RESAMPLES)
            )
            for name, metric in _METRICS.items()
            if (name == "f1" and gold[own].any()) or len(set(gold[own].tolist())) == 2
        }
        for group, members in groups.items()
        for own in (np.flatnonzero(np.tile(members, len(cells))),)
    }
    made = Detector(model, len(cells), planned, scores)
    return replace(
        found,
        groups={group: int(members.sum()) for group, members in groups.items()},
        detectors=(*found.detectors, made),
    )


def _group_members(items: Sequence[GroupedText]) -> dict[str, Array]:
    """A boolean array [test rows] for each group: all rows first, then the largest groups first."""
    names = {group for item in items for group in item.groups}
    groups = {name: np.array([name in item.groups for item in items]) for name in names}
    order = sorted(groups, key=lambda name: (-int(groups[name].sum()), name))
    return {ALL_GROUPS: np.ones(len(items), dtype=bool)} | {name: groups[name] for name in order}


def _test_rows(cell: ResultCell) -> tuple[Array, Array]:
    """Labels and predictions [test rows]."""
    gold, chances = unpack_rows(select_test(cell.counts))
    return gold, predict(chances)


def _as_score(found: Interval) -> DetectorScore:
    ends = [None if np.isnan(end) else float(min(1.0, max(0.0, end))) for end in (found.low, found.high)]
    return DetectorScore(found.value, *ends)


def _count_differing(every: Sequence[Sequence[ResultCell]]) -> int | None:
    """The number of test rows on which the detectors of the first seed differ; None for fewer than two detectors."""
    if len(every) < 2:
        return None
    found = np.stack([_test_rows(cells[0])[1] for cells in every])
    return int((found != found[0]).any(axis=0).sum())
