"""bf16 where the hardware multiplies in bf16."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext

import torch


def autocast(device: torch.device) -> AbstractContextManager[object]:
    """bf16 autocast on CUDA and on processors that have the instructions (AVX-512 BF16, AMX); nothing elsewhere.

    Without the instructions torch multiplies bf16 number by number, some fifty times slower than fp32.
    """
    if device.type == "cpu" and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)
