"""A dry run: a recipe with a few steps of each stage, and an estimate of what the whole would take."""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from core.runs.recipes import Request
from training.loop.events import DryRun, Events
from training.loop.runs import RunContext, describe_request
from training.loop.training_loop import choose_device

_DISK_FACTOR = 1.75
"""Disk of a run per byte of its checkpoint: the checkpoint itself, weights of finished stages, and the bundle."""
_MIB = 2**20


def estimate(
    request: Request,
    run: Callable[[Any, RunContext], object],
    *,
    on_warning: Callable[[str], None] = lambda _: None,
) -> dict[str, float]:
    """Seconds, memory and disk (MiB) that a run of the recipe would take here.

    ``on_warning`` gets every warning, such as that of a part which the run would leave out. Reading the corpora is
    timed whole, each stage by a few of its steps; export and its checks, a minute or two, are not included. Memory is
    the peak of this process. Raises what the recipe raises.
    """
    dry_run = DryRun()
    started = time.monotonic()

    def warn(row: dict[str, Any]) -> None:
        if row["event"] == "warning":
            on_warning(row["message"])

    with tempfile.TemporaryDirectory() as folder:
        events = Events("dry run", stream=io.StringIO(), sinks=[warn], dry_run=dry_run)
        device = choose_device(request.device)
        run(request, RunContext("dry run", Path(folder), device, events, describe_request(request)))
    elapsed = time.monotonic() - started
    return {
        "estimated_s": elapsed + dry_run.seconds,
        "estimated_memory_mib": _peak_memory(device) / _MIB,
        "estimated_disk_mib": _DISK_FACTOR * dry_run.checkpoint_bytes / _MIB,
    }


def _peak_memory(device: torch.device) -> float:
    """The peak of memory so far, in bytes: the card's on CUDA, else the process's (0 where the system has no count)."""
    if device.type == "cuda":
        return float(torch.cuda.max_memory_allocated(device))
    if sys.platform == "win32":
        return 0.0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)
