"""Protects what the store has acknowledged: a kill at any moment loses none of it, and the store opens each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = Path(__file__).with_name("kills.py")


def killed(folder: Path, number: int, seed: int) -> int:
    """In a process of its own: it forks, which does no good beside Qt's threads."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder), str(number), str(seed)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_was_acknowledged_is_there_after_a_kill(tmp_path: Path) -> None:
    assert killed(tmp_path, 20, seed=1) > 5


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_kills(tmp_path: Path, seed: int) -> None:
    assert killed(tmp_path, 250, seed=seed) > 250
