"""``evenhand train runs``: list, show, compare, export, stop and delete training runs. Needs no torch."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from core.reports.terminal import printable
from core.runs.archive import run_as_dict, run_as_json
from core.runs.comparison import compare_runs, main_metrics
from core.runs.folder import RunError, request_stop
from core.runs.metrics import RunMetrics, read_run_metrics
from core.runs.run_store import RunStore
from core.runs.types import Artefact, Run, Status
from core.storage.store import Store
from core.storage.types import StoreError

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

WRONG = 2
_SHORT, _DIGITS = 8, 12
_EMPTY = "There are no runs yet. Start one with: evenhand train RECIPE"


def add(commands: Commands) -> None:
    """Put ``runs`` among the commands of ``evenhand train``."""
    runs = commands.add_parser(
        "runs",
        help="the training runs: list, show, compare, export, stop, delete",
        description="List and manage the training runs, newest first. "
        "RUN is the first characters of the id of a run, enough to tell it from the others.",
    )
    runs.set_defaults(act=_as_command(_list), json=False)
    actions = runs.add_subparsers(metavar="ACTION")
    resume = "resume it with: evenhand train RECIPE --resume RUN"
    parsers: dict[str, argparse.ArgumentParser] = {}
    for name, handler, described in (
        ("list", _list, "list all runs, newest first (the default)"),
        ("show", _show, "show everything that is recorded about a run"),
        ("compare", _compare, "show runs side by side: settings that differ, metrics"),
        ("export", _export, "export a run as a zip file"),
        ("delete", _delete, "delete a run and its folder"),
        ("pause", _pause, f"write a checkpoint and stop a run; {resume}"),
        ("cancel", _cancel, "cancel a run permanently"),
    ):
        parsers[name] = actions.add_parser(name, help=described)
        parsers[name].set_defaults(act=_as_command(handler))
        if name not in ("list", "compare"):
            parsers[name].add_argument("run", metavar="RUN")
    for parser in (runs, parsers["list"], parsers["show"]):
        parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print JSON")
    parsers["compare"].add_argument("first", metavar="RUN")
    parsers["compare"].add_argument("others", metavar="RUN", nargs="+")
    parsers["export"].add_argument("file", metavar="FILE", type=Path)
    parsers["export"].add_argument(
        "--with-bundle", action="store_true", help="include the weights of its model"
    )


Handler = Callable[[RunStore, argparse.Namespace], str]


def _as_command(handler: Handler) -> Callable[[argparse.Namespace], int]:
    """The handler as a command: prints its result, or one line on what is wrong."""

    def act(options: argparse.Namespace) -> int:
        try:
            with closing(Store.open()) as store:
                for note in store.notes:
                    _print_error(note)
                runs = RunStore(store)
                runs.mark_died()
                print(handler(runs, options))
        except (RunError, StoreError) as error:
            _print_error(str(error))
            return WRONG
        return 0

    return act


def _list(runs: RunStore, options: argparse.Namespace) -> str:
    listed = runs.list_runs()
    if options.json:
        return json.dumps([run_as_dict(run) for run in listed], ensure_ascii=False, indent=1)
    if not listed:
        return _EMPTY
    metrics = main_metrics(listed, most=3)
    head = ["id", "status", "recipe", "scale", "begun", "seconds", "steps", "base", "device", *metrics]
    return _table([head, *(_row(run, metrics) for run in listed)], right={5, 6, *range(9, 9 + len(metrics))})


def _row(run: Run, metrics: Sequence[str]) -> list[str]:
    seconds = "" if run.seconds is None else f"{run.seconds:,.0f}"
    steps = f"{run.step:,}/{run.steps:,}" if run.steps else ""
    figures = [_format_value(run.result.get(name)) for name in metrics]
    begun = f"{run.made_at.astimezone():%Y-%m-%d %H:%M}"
    start = run.id[:_SHORT]
    return [start, run.status, run.recipe, run.scale, begun, seconds, steps, run.base, run.device, *figures]


def _show(runs: RunStore, options: argparse.Namespace) -> str:
    run = _one(runs, options.run)
    artefacts = runs.artefacts(run.id)
    if options.json:
        return run_as_json(run, artefacts).rstrip()
    return "\n".join((*_head(run), *_parts(run, artefacts), *_charts(read_run_metrics(run))))


def _head(run: Run) -> list[str]:
    ended = "" if run.ended_at is None else f"{run.ended_at.astimezone():%Y-%m-%d %H:%M:%S}"
    rows = (
        ("run", run.id),
        ("recipe", run.recipe),
        ("status", run.status),
        ("message", run.message),
        ("stage", run.stage),
        ("steps", f"{run.step:,} of {run.steps:,}" if run.steps else ""),
        ("scale", run.scale),
        ("base", run.base),
        ("device", run.device),
        ("seed", str(run.seed)),
        ("code", run.code),
        ("begun", f"{run.made_at.astimezone():%Y-%m-%d %H:%M:%S}"),
        ("ended", ended),
        ("folder", str(run.folder)),
    )
    return [f"{name:<8} {printable(value)}" for name, value in rows if value]


def _parts(run: Run, artefacts: Sequence[Artefact]) -> list[str]:
    made = [[one.path, f"{one.size:,}", one.sha256] for one in artefacts]
    return [
        *_part("settings", [[name, str(value)] for name, value in run.settings.items()]),
        *_part("data (SHA-256)", [[place, digest] for place, digest in run.data.items()]),
        *_part("result", [[name, _format_value(value)] for name, value in run.result.items()]),
        *_part("artefacts (bytes, SHA-256)", made, right={1}),
    ]


def _charts(figures: RunMetrics) -> list[str]:
    lines = []
    for one in figures.confusion:
        counts = [[label, *map(str, row)] for label, row in zip(one.labels, one.counts, strict=True)]
        rows = [["gold \\ found", *one.labels], *counts]
        lines += _part(f"confusion: {one.name}", rows, right=set(range(1, len(rows))))
    for curve in figures.reliability:
        lines += ["", f"calibration error of {printable(curve.name)}: {curve.error:.4f}"]
    published = [
        [one.name, one.metric, f"{one.ours:.4f}", f"{one.published:.4f}", one.source]
        for one in figures.published
    ]
    head = [["what", "metric", "ours", "published", "source"]] if published else []
    return [*lines, *_part("published figures", [*head, *published], right={2, 3})]


def _compare(runs: RunStore, options: argparse.Namespace) -> str:
    found = compare_runs([_one(runs, start) for start in (options.first, *options.others)])
    names = [run.id[:_SHORT] for run in found.runs]
    asked = [[row.name, *(value or "-" for value in row.values)] for row in found.settings]
    read = [[row.name, *(value[:_DIGITS] or "-" for value in row.values)] for row in found.data]
    measured = [[row.name, *map(_with_difference, row.values, row.differences)] for row in found.metrics]
    return _table([["", *names], *asked, *read, *measured], right=set(range(1, len(names) + 1)))


def _export(runs: RunStore, options: argparse.Namespace) -> str:
    run = _one(runs, options.run)
    runs.export(run.id, options.file, with_bundle=options.with_bundle)
    return f"The run {run.id} was exported to {printable(str(options.file))}."


def _delete(runs: RunStore, options: argparse.Namespace) -> str:
    run_id = _id(runs, options.run)
    runs.delete(run_id)
    return f"The run {run_id} was deleted."


def _pause(runs: RunStore, options: argparse.Namespace) -> str:
    run = _one(runs, options.run)
    request_stop(run, "pause")
    return (
        f"The run {run.id} will write a checkpoint and stop. Resume it with: evenhand train {run.recipe} "
        f"--resume {run.id}"
    )


def _cancel(runs: RunStore, options: argparse.Namespace) -> str:
    run = _one(runs, options.run)
    if run.status is Status.PAUSED:
        runs.finish(run.id, Status.CANCELLED, message="cancelled while paused")
        return f"The run {run.id} was cancelled."
    request_stop(run, "cancel")
    return f"The run {run.id} will end after its current step."


def _one(runs: RunStore, start: str) -> Run:
    run = runs.get(_id(runs, start))
    if run is None:
        raise RunError(f"The run {start} was deleted in the meantime.")
    return run


def _id(runs: RunStore, start: str) -> str:
    """The id of the one run that begins so. Raises RunError."""
    found = runs.find_ids(start) if start else []
    if len(found) == 1:
        return found[0]
    if not found:
        raise RunError(f"No run begins with {start!r}. See: evenhand train runs")
    some = ", ".join(found[:3]) + (", …" if len(found) > 3 else "")
    raise RunError(f"{len(found)} runs begin with {start!r} ({some}). Give more of the id.")


def _table(rows: Sequence[Sequence[str]], *, right: AbstractSet[int]) -> str:
    """The rows in columns; those in ``right`` are set to the right, as figures are."""
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in shown
    )


def _part(title: str, rows: Sequence[Sequence[str]], *, right: AbstractSet[int] = frozenset()) -> list[str]:
    if not rows:
        return []
    return ["", printable(title), *(f"  {line}" for line in _table(rows, right=right).splitlines())]


def _format_value(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4f}"


def _with_difference(value: float | None, difference: float | None) -> str:
    if value is None:
        return "-"
    return _format_value(value) + (f" ({difference:+.4f})" if difference else "")


def _print_error(message: str) -> None:
    print(f"evenhand train: {printable(message)}", file=sys.stderr)
