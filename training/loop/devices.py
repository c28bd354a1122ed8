"""The devices of this machine with their memory, and bf16 where the hardware multiplies in it."""

from __future__ import annotations

import os
import platform
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

_MIB = 2**20


def has_fast_bf16(device: torch.device) -> bool:
    """Whether a device multiplies in bf16: CUDA, and processors with the instructions (AVX-512 BF16, AMX).

    Without the instructions torch emulates bf16, some fifty times slower than fp32.
    """
    return device.type != "cpu" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """bf16 autocast on devices that multiply in bf16; nothing elsewhere."""
    if not has_fast_bf16(device):
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


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
    """Bytes of the computer's memory; 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
