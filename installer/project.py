"""Name, version and licence of the program, from ``pyproject.toml``."""

from __future__ import annotations

import os
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("app", "core", "resources", "training")
TITLE = "Evenhand"
_FALLBACK_EPOCH = 1_577_836_800
"""2020-01-01: the time of all files where there is no commit."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Name, version, one sentence and licence, as ``pyproject.toml`` has them."""

    name: str
    version: str
    description: str
    licence: str


def facts(root: Path = ROOT) -> Facts:
    """Read ``pyproject.toml`` in ``root``."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Facts(project["name"], project["version"], project["description"], project["license"])


def epoch(root: Path = ROOT) -> int:
    """The modification time of all packed files, in seconds: ``SOURCE_DATE_EPOCH``, else that of the last commit."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given.isdigit():
        return int(given)
    command = ["git", "-C", str(root), "log", "-1", "--format=%ct"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return _FALLBACK_EPOCH
    return int(done.stdout) if done.stdout.strip().isdigit() else _FALLBACK_EPOCH
