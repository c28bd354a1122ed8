"""Protects the commands as a person runs them: through the one door, in a fresh process, bytes in and bytes out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiny_rewriter import make_rewriter

SCRIPT = """
import sys
import core.engine.engine, core.rewriting.rewriter
from app import entry
core.engine.engine.bundled_reader = lambda: sys.argv[1]
core.rewriting.rewriter.bundled_rewriter = lambda: sys.argv[2]
code = entry.main(sys.argv[3:])
assert "torch" not in sys.modules
sys.exit(code)
"""


@pytest.fixture(scope="module")
def tiny_rewriter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rewriter with known answers."""
    return make_rewriter(tmp_path_factory.mktemp("rewriter") / "rewriter")


def test_rewrite_and_check_through_the_door(tiny_bundle: Path, tiny_rewriter: Path) -> None:
    def run(*argv: str, typed: bytes) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", SCRIPT, str(tiny_bundle), str(tiny_rewriter), *argv]
        return subprocess.run(command, input=typed, capture_output=True, check=False)

    source = "🙂 The senator said this shameful policy.\r\n\r\nThe law is new.\n"
    done = run("rewrite", "-", typed=source.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == source.replace("shameful ", "")
    done = run("check", "-", "--format", "json", "--suggest", "1", typed=source.encode())
    assert (done.returncode, done.stderr) == (1, b"")
    (finding,) = json.loads(done.stdout)["files"][0]["findings"]
    (edit,) = finding["suggestions"][0]["edits"]
    assert source[: edit["start"]] + source[edit["end"] :] == source.replace("shameful ", "")
