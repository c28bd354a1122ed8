"""Strings of training runs: durations, sizes, progress, outcomes and answers of the trainer."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.runs.run_progress import Progress
from app.runs.run_status import recipe_title, scale_title
from core.i18n import ntr, tr
from core.runs.folder import has_bundle
from core.runs.types import Run, Status

_CHECK_LINE = re.compile(r"(as published|differs|missing)\s+(\S.*)")
_MAX_NAMED = 6
"""Number of files that are named."""
_MAX_RESULTS = 12


@dataclass(frozen=True, slots=True)
class Device:
    """A device to train on, as reported by the trainer."""

    name: str
    title: str
    memory_mib: int


def run_title(run: Run) -> str:
    """A run in a few words: recipe, scale and start."""
    started = run.made_at.astimezone()
    return tr("{recipe}, scale {scale}, started on {day} at {time}").format(
        recipe=recipe_title(run.recipe),
        scale=scale_title(run.scale),
        day=started.strftime("%Y-%m-%d"),
        time=started.strftime("%H:%M"),
    )


def describe_duration(seconds: float) -> str:
    """A rounded duration in words."""
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


def format_size(mib: float) -> str:
    """An amount of memory or disk space."""
    return f"{mib / 1024:.1f} GB" if mib >= 1000 else f"{max(1, round(mib)):,} MB"


def describe_position(progress: Progress) -> str:
    """The stage and step of a run."""
    if not progress.started:
        return tr("Starting. The first message takes a few seconds.")
    if not progress.stage:
        return progress.message
    if not progress.steps:
        return tr("Stage {stage}").format(stage=progress.stage)
    text = tr("Stage {stage}: step {step} of {steps}")
    return text.format(stage=progress.stage, step=f"{progress.step:,}", steps=f"{progress.steps:,}")


def time_left(progress: Progress) -> str:
    """The time left in the current stage; empty if unknown."""
    if progress.ended or progress.eta_s <= 0:
        return ""
    return tr("{time} left in this stage").format(time=describe_duration(progress.eta_s))


def describe_outcome(run: Run) -> str:
    """How a run ended and what can be done now."""
    text = run.message.strip()
    match run.status:
        case Status.FINISHED:
            if not has_bundle(run):
                return tr("Finished.")
            return tr("Finished. The model is ready, but not in use yet.")
        case Status.PAUSED:
            return tr("Paused at a checkpoint. Resume continues from there.")
        case Status.CANCELLED:
            return tr("Cancelled. The model in use was not changed.")
        case Status.DIED:
            return tr(
                "The run ended unexpectedly: its process was killed, memory ran out, or the computer was switched "
                "off. Resume continues from the last checkpoint. If it happens again, choose a smaller scale or "
                "another device."
            )
        case Status.FAILED:
            text = text or tr("The training run failed for an unknown reason.")
            return text + " " + tr("The model in use was not changed. See the log for details.")
    return ""


def main_results(result: Mapping[str, float]) -> list[tuple[str, str]]:
    """Names and values of the main metrics."""
    return [(name.replace("_", " "), f"{value:.4f}") for name, value in [*result.items()][:_MAX_RESULTS]]


def parse_estimate(output: str) -> str:
    """The estimate of a dry run with its warnings, in words. Raises ValueError if there is none."""
    metrics: dict[str, float] = {}
    warnings: list[str] = []
    for line in output.splitlines():
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
    text = tr("This run takes {time}, {memory} of memory and {disk} of disk space.")
    takes = text.format(time=describe_duration(seconds), memory=format_size(memory), disk=format_size(disk))
    return "\n".join([takes, *warnings])


def parse_devices(output: str) -> list[Device]:
    """The devices that the trainer reported. Raises ValueError if there are none."""
    try:
        rows = json.loads(output)["devices"]
        found = [Device(str(row["name"]), str(row["title"]), int(row["memory_mib"])) for row in rows]
    except (TypeError, KeyError) as error:
        raise ValueError("no devices") from error
    if not found:
        raise ValueError("no devices")
    return found


def device_title(device: Device) -> str:
    """A device with its memory; the processor with its cores."""
    title = device.title
    if device.name == "cpu":
        cores = os.cpu_count() or 1
        title = ntr("Processor, {n} core", "Processor, {n} cores", cores).format(n=cores)
    return f"{title} · {format_size(device.memory_mib)}" if device.memory_mib else title


def describe_data_check(output: str) -> tuple[str, bool]:
    """The result of a check of the corpora, and whether all files match. Raises ValueError for other output."""
    found: dict[str, list[str]] = {"as published": [], "differs": [], "missing": []}
    for line in output.splitlines():
        if (match := _CHECK_LINE.fullmatch(line.strip())) is not None:
            found[match[1]].append(match[2])
    matching, differing, missing = found.values()
    if not (matching or differing or missing):
        raise ValueError("no files")
    if not (differing or missing):
        return ntr(
            "{n} file matches the published checksum.",
            "All {n} files match the published checksums.",
            len(matching),
        ).format(n=len(matching)), True
    text = []
    if missing:
        text.append(
            ntr("{n} file is missing: {names}.", "{n} files are missing: {names}.", len(missing)).format(
                n=len(missing), names=_name_files(missing)
            )
        )
    if differing:
        text.append(
            ntr(
                "{n} file differs from the published one: {names}.",
                "{n} files differ from the published ones: {names}.",
                len(differing),
            ).format(n=len(differing), names=_name_files(differing))
        )
    return "\n".join(text), False


def _name_files(files: list[str]) -> str:
    shown = ", ".join(files[:_MAX_NAMED])
    return shown if len(files) <= _MAX_NAMED else shown + " …"
