"""bf16 where the hardware multiplies in bf16."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch


def multiplies_bf16(device: torch.device) -> bool:
    """Whether a device has bf16 products: CUDA, and processors with the instructions (AVX-512 BF16, AMX).

    Without the instructions torch multiplies bf16 number by number, some fifty times slower than fp32.
    """
    return device.type != "cpu" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """bf16 autocast on devices that multiply in bf16; nothing elsewhere."""
    if not multiplies_bf16(device):
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)
