"""All that one call of the benchmark measured, and on which computer."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.engine.onnx_session import physical_cores
from tests.benchmarks.beside.contenders import Measured
from tests.benchmarks.beside.growth import Grown


@dataclass(frozen=True, slots=True)
class Machine:
    """Where and when: ``load`` is the mean number of busy processes in the minute before, "" where that is not told."""

    processor: str
    cores: int
    system: str
    python: str
    evenhand: str
    day: str
    load: str

    @property
    def busy(self) -> bool:
        """Whether other programs wanted all cores: times then say little, of waiting threads least."""
        return bool(self.load) and float(self.load) > self.cores


@dataclass(slots=True)
class Results:
    """What was measured; a part that was left out is empty. Times in seconds, memory in bytes.

    ``windows`` and ``commands`` are as of `window.starts`, ``keys`` as of `window.keys`.
    """

    machine: Machine
    quick: bool
    reading: list[Measured] = field(default_factory=list)
    rewriting: list[Measured] = field(default_factory=list)
    windows: Mapping[str, list[float]] = field(default_factory=dict)
    commands: Mapping[str, list[float]] = field(default_factory=dict)
    keys: Mapping[str, Any] = field(default_factory=dict)
    growth: Grown | None = None
    training: list[Measured] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def this_machine() -> Machine:
    """The computer that this runs on."""
    return Machine(
        processor=_processor(),
        cores=physical_cores(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        evenhand=version("evenhand"),
        day=f"{datetime.now(UTC):%Y-%m-%d}",
        load=f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "",
    )


def _processor() -> str:
    """The processor's name, and whether it multiplies int8 in one step (VNNI), where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    told = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    vnni = "VNNI" if "vnni" in told.get("flags", "") else "no VNNI"
    return f"{told.get('model name', platform.machine())} ({vnni})"
