"""Protects who is typing when the program is killed: not one acknowledged character is lost, and the store opens.

``EVENHAND_KILLS=1000 python -m pytest tests/reliability/test_kills.py -m slow`` is the long run.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.storage.journal import find_orphans

ROOT = Path(__file__).resolve().parents[2]
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
TYPIST = ROOT / "tests" / "reliability" / "typing_window.py"


def killed(kills: int, seed: int) -> str:
    command = [sys.executable, "-m", "tests.reliability.killing", str(kills), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@ON_POSIX
def test_a_kill_loses_no_acknowledged_character_no_saved_file_and_no_version() -> None:
    assert killed(25, seed=random.randrange(10_000)).splitlines() == ["kills 25 losses 0"]


@ON_POSIX
@pytest.mark.slow
def test_a_thousand_kills_lose_nothing() -> None:
    kills = int(os.environ.get("EVENHAND_KILLS", "1000"))
    assert killed(kills, seed=1).splitlines() == [f"kills {kills} losses 0"]


@ON_POSIX
@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.3, 0.9, 1.7])
def test_a_killed_window_loses_no_acknowledged_character(tmp_path: Path, after_s: float) -> None:
    home = {"EVENHAND_HOME": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path), "HOME": str(tmp_path)}
    draft = tmp_path / "draft.md"
    draft.write_text("Before.\n", encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(TYPIST), str(draft)],
        cwd=ROOT,
        env={**os.environ, **home, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
    ) as window:
        assert window.stdout is not None
        assert window.stdout.readline() == "typing\n"
        time.sleep(after_s)
        window.send_signal(signal.SIGKILL)
        told = window.stdout.read().splitlines()
    typed = int(told[-1]) if told else 0
    assert typed or after_s < 1
    texts = [orphan.text for orphan in find_orphans(tmp_path / "data" / "journals").orphans]
    words = "The record speaks for itself. "
    if typed:
        assert len(texts) == 1
        assert texts[0].endswith("Before.\n")
        written = texts[0].removesuffix("Before.\n")
        assert len(written) >= typed
        assert (words * (len(written) // len(words) + 1)).startswith(written)
    assert draft.read_text(encoding="utf-8") == "Before.\n"
