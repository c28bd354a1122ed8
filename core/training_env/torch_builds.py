"""The builds of torch, and which one suits this machine.

Indexes are the official ones. A CUDA 12 build runs on every driver from 525 on, a CUDA 13 build from 580 on (NVIDIA's
tables of minor version compatibility); each build serves some generations of cards only (PyTorch's release matrix).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence

from core.i18n import tr
from core.training_env.child_process import NO_CONSOLE
from core.training_env.types import Gpu, SetupError, TorchBuild

CHOICES = ("auto", "cpu", "cuda")

INDEX_HOST = "download.pytorch.org"
_INDEX = f"https://{INDEX_HOST}/whl"
CPU = TorchBuild("cpu", "cpu", f"{_INDEX}/cpu", 450, 1900)
CUDA = (
    TorchBuild("cu130", "cuda", f"{_INDEX}/cu130", 2800, 6500, driver=580, oldest=7.5, newest=12.1),
    TorchBuild("cu128", "cuda", f"{_INDEX}/cu128", 3800, 8500, driver=570, oldest=7.5, newest=12.0),
    TorchBuild("cu126", "cuda", f"{_INDEX}/cu126", 3600, 8000, driver=525, oldest=5.0, newest=9.0),
)
"""Newest first."""
DEFAULT = TorchBuild("default", "default", "", 400, 1700)
"""The build on the Python Package Index, the only one for macOS."""

_QUERIES = ("name,driver_version,memory.total,compute_cap", "name,driver_version,memory.total")
_TIMEOUT_S = 20


def find_gpus() -> list[Gpu]:
    """The NVIDIA cards that ``nvidia-smi`` reports; none where it is missing or fails."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    for query in _QUERIES:
        command = [tool, f"--query-gpu={query}", "--format=csv,noheader,nounits"]
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_TIMEOUT_S,
                check=False,
                **NO_CONSOLE,
            )
        except (OSError, subprocess.TimeoutExpired):
            return []
        if done.returncode == 0:
            return [gpu for line in done.stdout.splitlines() if (gpu := _gpu(line)) is not None]
    return []


def _gpu(line: str) -> Gpu | None:
    cells = [cell.strip() for cell in line.split(",")]
    if len(cells) < 3 or not _major(cells[1]):
        return None
    memory = int(cells[2]) if cells[2].isdigit() else 0
    capability = cells[3] if len(cells) > 3 and re.fullmatch(r"\d+\.\d+", cells[3]) else "0"
    return Gpu(cells[0], cells[1], memory, float(capability))


def choose_build(choice: str, found: Sequence[Gpu]) -> tuple[TorchBuild, str]:
    """The build for ``choice`` (one of CHOICES), and a sentence on why. Raises SetupError."""
    if sys.platform == "darwin":
        if choice == "cuda":
            raise SetupError(tr("There is no CUDA build for macOS. Choose the automatic one."))
        return DEFAULT, tr("There is only one build for macOS.")
    if choice == "cpu":
        return CPU, tr("You chose this build.")
    best = max(CUDA, key=lambda build: sum(fits(build, gpu) for gpu in found))
    fitting = [gpu for gpu in found if fits(best, gpu)]
    if fitting:
        return best, tr("This build fits {card} with driver {driver}.").format(
            card=fitting[0].name, driver=fitting[0].driver
        )
    if choice == "cuda":
        return CUDA[-1], tr(
            "You chose this build. No NVIDIA card that fits it was found: training would run on the CPU."
        )
    if not found:
        return CPU, tr("No NVIDIA card was found.")
    return CPU, tr(
        "No CUDA build fits {card} with driver {driver}. A newer driver ({needed} or later) may change that."
    ).format(card=found[0].name, driver=found[0].driver, needed=CUDA[0].driver)


def fits(build: TorchBuild, gpu: Gpu) -> bool:
    """Whether a CUDA build runs on this card with its driver; an unknown compute capability counts as suitable."""
    known = gpu.capability > 0
    return _major(gpu.driver) >= build.driver and (
        not known or build.oldest <= gpu.capability <= build.newest
    )


def build_title(build: TorchBuild) -> str:
    """Its name, as shown to a person: ``CPU``, ``CUDA 12.6``."""
    if build.kind == "cuda":
        return cuda_title(build.name)
    return tr("CPU") if build.kind == "cpu" else tr("macOS")


def cuda_title(label: str) -> str:
    """``cu126`` as ``CUDA 12.6``; anything else unchanged."""
    found = re.fullmatch(r"cu(\d+)(\d)", label)
    return f"CUDA {found[1]}.{found[2]}" if found else label


def _major(version: str) -> int:
    found = re.match(r"\d+", version)
    return int(found[0]) if found else 0
