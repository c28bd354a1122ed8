"""What the retraining says: durations, sizes, where a run stands, what the trainer answered."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.runs.recipes import recipe_title, scale_title
from app.runs.run_progress import Progress
from core.i18n import ntr, tr
from core.runs.folder import has_bundle
from core.runs.types import Run, Status

_CHECKED = re.compile(r"(as published|differs|missing)\s+(\S.*)")
_NAMED = 6
"""Files of a corpora folder that are named; of more only the number is told."""
_MOST_RESULTS = 12


@dataclass(frozen=True, slots=True)
class Device:
    """Something to train on, as the trainer sees it."""

    name: str
    title: str
    memory_mib: int


def run_title(run: Run) -> str:
    """A run in a few words: what is trained, how much, since when."""
    began = run.made_at.astimezone()
    return tr("{recipe}, scale {scale}, begun on {day} at {time}").format(
        recipe=recipe_title(run.recipe),
        scale=scale_title(run.scale),
        day=began.strftime("%Y-%m-%d"),
        time=began.strftime("%H:%M"),
    )


def duration(seconds: float) -> str:
    """A time as a person says it."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return tr("about a minute") if seconds >= 45 else tr("less than a minute")
    if minutes < 90:
        return ntr("about {n} minute", "about {n} minutes", minutes).format(n=minutes)
    hours = round(minutes / 60)
    if hours < 48:
        return ntr("about {n} hour", "about {n} hours", hours).format(n=hours)
    days = round(hours / 24)
    return ntr("about {n} day", "about {n} days", days).format(n=days)


def size(mib: float) -> str:
    """An amount of memory or disk."""
    return f"{mib / 1024:.1f} GB" if mib >= 1000 else f"{max(1, round(mib)):,} MB"


def where(progress: Progress) -> str:
    """The stage and step that a run is at."""
    if not progress.started:
        return tr("Starting: the first words come after some seconds.")
    if not progress.stage:
        return progress.message
    if not progress.steps:
        return tr("Stage {stage}").format(stage=progress.stage)
    said = tr("Stage {stage}: step {step} of {steps}")
    return said.format(stage=progress.stage, step=f"{progress.step:,}", steps=f"{progress.steps:,}")


def time_left(progress: Progress) -> str:
    """What is left of the present stage; nothing where the run has not said."""
    if progress.ended or progress.eta_s <= 0:
        return ""
    return tr("{time} left in this stage").format(time=duration(progress.eta_s))


def outcome(run: Run) -> str:
    """How a run ended, in a sentence or two, with what can be done now."""
    said = run.message.strip()
    match run.status:
        case Status.FINISHED:
            if not has_bundle(run):
                return tr("Finished.")
            return tr("Finished. The model is ready; the one in use is still the one from before.")
        case Status.PAUSED:
            return tr("Paused at a checkpoint. It goes on from there when you resume it.")
        case Status.CANCELLED:
            return tr("Cancelled. The model in use was not touched.")
        case Status.DIED:
            return tr(
                "It ended without a word: its process was killed, or the memory or the power gave out. Resume goes on "
                "from the last checkpoint; if it ends again, choose a smaller scale or another device."
            )
        case Status.FAILED:
            said = said or tr("The training failed without saying why.")
            return said + " " + tr("The model in use was not touched. The log holds the rest.")
    return ""


def results(result: Mapping[str, float]) -> list[tuple[str, str]]:
    """The main metrics of a run, as names and values to show."""
    return [(name.replace("_", " "), f"{value:.4f}") for name, value in [*result.items()][:_MOST_RESULTS]]


def estimated(answer: str) -> str:
    """The answer to a dry run in words, with what the run would warn of. Raises ValueError where it has no estimate."""
    metrics: dict[str, float] = {}
    warnings: list[str] = []
    for line in answer.splitlines():
        row = json.loads(line)
        if isinstance(row, dict) and row.get("event") == "end":
            metrics = row["metrics"]
        elif isinstance(row, dict) and row.get("event") == "warning":
            warnings.append(str(row.get("message", "")))
    try:
        seconds, memory, disk = (
            float(metrics[name]) for name in ("estimated_s", "estimated_memory_mib", "estimated_disk_mib")
        )
    except (KeyError, TypeError) as error:
        raise ValueError("no estimate") from error
    said = tr("It takes {time}, {memory} of memory and {disk} on the disk.")
    takes = said.format(time=duration(seconds), memory=size(memory), disk=size(disk))
    return "\n".join([takes, *warnings])


def devices_in(answer: str) -> list[Device]:
    """The devices that the trainer named. Raises ValueError where it named none."""
    try:
        rows = json.loads(answer)["devices"]
        found = [Device(str(row["name"]), str(row["title"]), int(row["memory_mib"])) for row in rows]
    except (TypeError, KeyError) as error:
        raise ValueError("no devices") from error
    if not found:
        raise ValueError("no devices")
    return found


def device_title(device: Device) -> str:
    """A device and its memory; the processor by its cores."""
    title = device.title
    if device.name == "cpu":
        cores = os.cpu_count() or 1
        title = ntr("Processor, {n} core", "Processor, {n} cores", cores).format(n=cores)
    return f"{title} · {size(device.memory_mib)}" if device.memory_mib else title


def checked(answer: str) -> tuple[str, bool]:
    """What the check of a corpora folder found, and whether all is well. Raises ValueError for another answer."""
    found: dict[str, list[str]] = {"as published": [], "differs": [], "missing": []}
    for line in answer.splitlines():
        if (match := _CHECKED.fullmatch(line.strip())) is not None:
            found[match[1]].append(match[2])
    well, altered, missing = found.values()
    if not (well or altered or missing):
        raise ValueError("no files")
    if not (altered or missing):
        return ntr("{n} file is as published.", "All {n} files are as published.", len(well)).format(
            n=len(well)
        ), True
    said = []
    if missing:
        said.append(
            ntr("{n} file is missing: {names}.", "{n} files are missing: {names}.", len(missing)).format(
                n=len(missing), names=_names(missing)
            )
        )
    if altered:
        said.append(
            ntr(
                "{n} file is not as published: {names}.",
                "{n} files are not as published: {names}.",
                len(altered),
            ).format(n=len(altered), names=_names(altered))
        )
    return "\n".join(said), False


def _names(files: list[str]) -> str:
    shown = ", ".join(files[:_NAMED])
    return shown if len(files) <= _NAMED else shown + " …"
