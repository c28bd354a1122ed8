"""How many cores there are to compute with."""

from __future__ import annotations

import os
from pathlib import Path


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
