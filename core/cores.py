"""How many cores there are to compute with, and who goes first."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

_NICE = 5


def physical_cores() -> int:
    """Physical cores that this process may use; where the system does not say, half of the logical ones."""
    if not hasattr(os, "sched_getaffinity"):
        return max(1, (os.cpu_count() or 2) // 2)
    cores = set()
    for number in os.sched_getaffinity(0):
        siblings = Path(f"/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list")
        try:
            cores.add(siblings.read_text(encoding="ascii"))
        except OSError:
            cores.add(str(number))
    return len(cores)


def give_way() -> None:
    """Let other threads go before the calling one where they want the same core; for good, and only on Linux."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
