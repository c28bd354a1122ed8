"""Protects the promise that nothing leaves the machine from what a library does by itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOAD = """
import sys
from core.engine.engine import Engine
Engine.load(sys.argv[1]).reader.read(["a word"])
"""


def test_the_runtime_of_the_reader_reports_nothing(tiny_bundle: Path, tmp_path: Path) -> None:
    """onnxruntime 1.29 and later name the machine in a file and report to their maker, where CI is not set."""
    home = tmp_path / "person"
    home.mkdir()
    places = dict.fromkeys(
        ("HOME", "USERPROFILE", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"), str(home)
    )
    hushed = ("CI", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS")
    told = {name: value for name, value in os.environ.items() if name not in hushed} | places
    subprocess.run([sys.executable, "-c", LOAD, str(tiny_bundle)], cwd=ROOT, env=told, check=True)
    assert list(home.rglob("*")) == []
