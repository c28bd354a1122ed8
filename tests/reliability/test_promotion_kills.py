"""Protects who is reading when the program is killed in the midst of changing models: one working model, always.

``EVENHAND_KILLS=200 python -m pytest tests/reliability/test_promotion_kills.py -m slow`` is the long run.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


SEED = 7 if os.environ.get("CI") == "true" else random.randrange(10_000)
"""New deeds are sought on the desk; CI draws the same twice."""


def killed(kills: int, seed: int) -> str:
    command = [sys.executable, "-m", "tests.reliability.promoting", str(kills), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@ON_POSIX
def test_a_kill_leaves_one_working_model() -> None:
    assert killed(10, seed=SEED).splitlines() == ["kills 10 faults 0"]


@ON_POSIX
@pytest.mark.slow
def test_two_hundred_kills_leave_one_working_model() -> None:
    kills = int(os.environ.get("EVENHAND_KILLS", "200"))
    assert killed(kills, seed=1).splitlines() == [f"kills {kills} faults 0"]
