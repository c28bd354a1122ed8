"""The devices of this machine with their memory, and bf16 where the hardware multiplies in it."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
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


_M_TRIM_THRESHOLD, _M_MMAP_MAX = -1, -4
"""Parameters of glibc's ``mallopt``."""


def keep_freed_memory() -> bool:
    """Keep the memory of freed tensors for the next ones; whether the C library can. Later tensors are faster then.

    glibc gives large blocks back to the system as soon as they are freed. Every step of a training on the CPU then asks
    for them again, and the system clears them page by page. The process keeps the most memory that it ever needed.
    """
    if sys.platform != "linux":
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        return False
    return bool(mallopt(_M_MMAP_MAX, 0)) and bool(mallopt(_M_TRIM_THRESHOLD, 2**31 - 1))


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
