"""Protects the language server, end to end, with the clients of Neovim and Emacs, where they are installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

TEXT = "The chairman reveals.\r\n\r\nA 😀 shameful, disastrous law.\r\n"
RIGHT_TO_LEFT = "The novelist نجيب محفوظ visited the museum in May, and the senator met him there.\r\n\r\n"
LONG = "The law is new. The senator visited the museum.\r\n\r\n" * 6_250
"""50,000 words."""

PATIENCE_S = 300
HERE = Path(__file__).parent

pytestmark = pytest.mark.slow


@pytest.fixture(params=["", RIGHT_TO_LEFT, LONG], ids=["short", "right to left", "50,000 words"])
def draft(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A draft with CRLF and a character beyond U+FFFF, behind other text."""
    path = tmp_path / "draft.txt"
    path.write_bytes((request.param + TEXT).encode())
    return path


def answers_of(call: list[str], server: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What an editor shows of a draft, by the steps of its script."""
    monkeypatch.setenv("EVENHAND_COMMAND", json.dumps([*server, "lsp"]))
    done = subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr
    start = done.stdout.find("{")
    assert start >= 0, (done.stdout, done.stderr)
    seen: dict[str, list[str]] = json.loads(done.stdout[start:])
    return seen


def check(seen: dict[str, list[str]]) -> None:
    """Diagnostics, hover, actions and their edits, typing and the end are as they must be."""
    assert seen["opened"] == ["chairman", "reveals", "shameful", "disastrous"]
    assert "shameful" in seen["hover"][0]
    assert seen["actions"][-2:] == ["Ignore “shameful” here", "Always allow “shameful”"]
    assert len(seen["actions"]) > 2
    assert seen["edited"] == ["A 😀 disastrous law."]
    assert seen["accepted"] == ["chairman", "reveals", "disastrous"]
    assert seen["typed"] == ["reveals", "disastrous"]
    assert seen["stopped"] == ["true"]


@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_neovim_shows_findings_and_takes_a_suggestion(
    command: list[str], draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = HERE / "neovim_client.lua"
    call = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", str(draft), "-c", f"luafile {script}"]
    check(answers_of(call, command, monkeypatch))


@pytest.mark.skipif(shutil.which("emacs") is None, reason="Emacs is not installed")
def test_emacs_shows_findings_and_takes_a_suggestion(
    command: list[str], draft: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_eglot = ["emacs", "--batch", "--eval", "(kill-emacs (if (require 'eglot nil t) 0 1))"]
    if subprocess.run(has_eglot, capture_output=True, check=False).returncode:
        pytest.skip("Eglot is not installed")
    check(
        answers_of(
            ["emacs", "--batch", "-l", str(HERE / "emacs_client.el"), str(draft)], command, monkeypatch
        )
    )
