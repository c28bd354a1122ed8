"""A dry run: the recipe with a few steps of each stage, and what the whole would take by them."""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from training.loop.events import Events, Trial
from training.loop.runs import Running, described
from training.loop.training_loop import choose_device

_KEPT = 1.75
"""Disk for a run in checkpoints: the checkpoint itself and the weights of finished stages and the bundle."""
_MIB = 2**20


def estimate(
    request: Any, run: Callable[[Any, Running], object], *, warned: Callable[[str], None] = lambda _: None
) -> dict[str, float]:
    """Seconds, memory and disk (MiB) that a run of the recipe would take here.

    ``warned`` is told every warning, as of a part that the run would note and leave out. Reading the corpora is timed
    whole, each stage by a few of its steps; export and its checks, a minute or two, are not in it. Memory is the most
    that this process held. Raises as the recipe does.
    """
    trial = Trial()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        events = Events("dry run", stream=io.StringIO(), sinks=[_warnings(warned)], trial=trial)
        device = choose_device(request.device)
        run(request, Running("dry run", Path(folder), device, events, described(request)))
    spent = time.monotonic() - began
    return {
        "estimated_s": spent + trial.seconds,
        "estimated_memory_mib": _peak(device) / _MIB,
        "estimated_disk_mib": _KEPT * trial.checkpoint_bytes / _MIB,
    }


def _warnings(warned: Callable[[str], None]) -> Callable[[dict[str, Any]], None]:
    def heard(row: dict[str, Any]) -> None:
        if row["event"] == "warning":
            warned(row["message"])

    return heard


def _peak(device: torch.device) -> float:
    """The most memory held so far, in bytes: the card's on CUDA, else the process's (0 where nobody counts it)."""
    if device.type == "cuda":
        return float(torch.cuda.max_memory_allocated(device))
    if sys.platform == "win32":
        return 0.0
    import resource

    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(held if sys.platform == "darwin" else held * 1024)
