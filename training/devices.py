"""What a run could train on here: processors and CUDA cards, with their memory."""

from __future__ import annotations

import os
import platform
from typing import Any

import torch

_MIB = 2**20


def devices() -> dict[str, Any]:
    """``{"devices": [{"name", "title", "memory_mib"}], "torch"}``: CUDA cards first, then the CPU; all memory."""
    cards = [
        {
            "name": f"cuda:{number}",
            "title": torch.cuda.get_device_name(number),
            "memory_mib": torch.cuda.get_device_properties(number).total_memory // _MIB,
        }
        for number in range(torch.cuda.device_count())
    ]
    cores = os.cpu_count() or 1
    title = f"{cores} processor cores ({platform.machine()})"
    cpu = {"name": "cpu", "title": title, "memory_mib": _memory() // _MIB}
    return {"devices": [*cards, cpu], "torch": torch.__version__}


def _memory() -> int:
    """Bytes of the computer's memory; 0 where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
