"""Protects the extension for VS Code, end to end, with VS Code's own client library.

It needs Node.js and the node modules that ``python -m installer.vscode`` fetches. VS Code itself is stood in for.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from installer.project import facts
from installer.vscode import vsix
from installer.vscode.__main__ import BUILD

STAND_IN = Path(__file__).with_name("vscode_stand_in.js")
TEXT = "The chairman reveals.\n\nA 😀 shameful, disastrous law."
PATIENCE_S = 120

pytestmark = [
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no node"),
    pytest.mark.skipif(
        not (BUILD / "node_modules").is_dir(),
        reason="python -m installer.vscode has not fetched the node modules",
    ),
]


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    """The extension as VS Code unpacks it."""
    vsix.write(vsix.contents(BUILD / "node_modules", facts()), tmp_path / "x.vsix", epoch=0)
    with zipfile.ZipFile(tmp_path / "x.vsix") as packed:
        packed.extractall(tmp_path / "unpacked")
    return tmp_path / "unpacked" / "extension"


def run(extension: Path, program: Path) -> dict[str, list[str]]:
    """What the extension shows."""
    done = subprocess.run(
        ["node", str(STAND_IN), str(extension), str(program), TEXT],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen: dict[str, list[str]] = json.loads(done.stdout)
    return seen


def test_diagnostics_settings_changes_actions_and_a_restart(
    command: list[str], extension: Path, tmp_path: Path
) -> None:
    program = tmp_path / "evenhand"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    seen = run(extension, program)
    assert not seen["failures"]
    assert seen["opened"] == ["shameful", "disastrous"]
    assert seen["configured"] == ["chairman", "reveals", "shameful", "disastrous"]
    assert seen["typed"] == ["shameful", "disastrous"]
    assert seen["actions"][-2:] == ["Ignore “shameful” here", "Always allow “shameful”"]
    assert len(seen["actions"]) > 2
    assert seen["edits"]
    assert seen["ignored"] == ["disastrous"]
    assert seen["restarted"] == ["shameful", "disastrous"]


def test_a_program_that_is_missing_is_named_with_what_to_do(extension: Path, tmp_path: Path) -> None:
    *_, said = run(extension, tmp_path / "none")["failures"]
    assert "Set evenhand.path to the program" in said
