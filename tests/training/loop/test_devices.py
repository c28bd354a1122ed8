"""Freed memory is used again in training: the system does not clear the same pages at every step."""

from __future__ import annotations

import subprocess
import sys

import pytest

_STEPS = """
import os, sys
import torch
from training.loop.devices import keep_freed_memory

kept = keep_freed_memory() if sys.argv[1] == "keep" else True
page, statm = os.sysconf("SC_PAGE_SIZE"), "/proc/self/statm"
torch.ones(2**23).sum()
with open(statm) as file:
    resident = int(file.read().split()[1]) * page
print(int(kept), resident)
"""


def _resident_after_a_step(how: str) -> tuple[bool, int]:
    """Whether memory can be kept, and the bytes that the process holds after a tensor of 32 MiB was freed."""
    done = subprocess.run(
        [sys.executable, "-c", _STEPS, how], capture_output=True, text=True, check=True
    ).stdout.split()
    return done[0] == "1", int(done[1])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other allocators")
def test_the_memory_of_a_freed_tensor_stays_for_the_next_one() -> None:
    kept, held = _resident_after_a_step("keep")
    if not kept:
        pytest.skip("this C library is not glibc")
    _, given_back = _resident_after_a_step("as it is")
    assert held - given_back > 2**24
