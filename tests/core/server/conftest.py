"""What the tests of the servers share: a program with tiny models, in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
_START = """
import sys
import core.engine.engine, core.bundles.rewriter
from pathlib import Path
core.engine.engine.bundled_reader = lambda: Path(sys.argv[1])
core.bundles.rewriter.bundled_rewriter = lambda: Path(sys.argv[2])
from core.cli.main import main
sys.exit(main(sys.argv[3:]))
"""


@pytest.fixture
def command(
    tiny_bundle: Path, tiny_rewriter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The beginning of a command line that runs the program with the tiny models; data lie in the test's folder."""
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return [sys.executable, "-c", _START, str(tiny_bundle), str(tiny_rewriter)]
