"""Protects who runs Evenhand before each commit: the hook's entry is a command that there is, and it can fail."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
DOOR = """
import sys
from pathlib import Path
from core.engine import engine
engine.bundled_reader = lambda: Path(sys.argv[1])
from app.entry import main
sys.exit(main(sys.argv[2:]))
"""


def fields() -> dict[str, str]:
    """The fields of the one hook; the file has one field a line."""
    lines = HOOKS.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("- ") for line in lines) == 1
    found = [re.fullmatch(r"(?:- |  )(\w+): (.+)", line) for line in lines]
    return {match[1]: match[2] for match in found if match}


def test_the_hook_has_what_pre_commit_needs() -> None:
    hook = fields()
    assert hook.keys() >= {"id", "name", "entry", "language", "types_or"}
    assert (hook["id"], hook["language"]) == ("evenhand", "python")
    assert "markdown" in hook["types_or"]
    for name in ("a.txt", "b/c.md", "page.html", "page.htm", "x.wikitext"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "code.py")


def test_it_is_read_as_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert hook["types_or"] == ["plain-text", "markdown", "html"]
    assert hook["require_serial"] is True


def test_its_entry_runs_on_files(tiny_bundle: Path, tmp_path: Path) -> None:
    program, *arguments = shlex.split(fields()["entry"])
    assert program == "evenhand"
    biased, neutral = tmp_path / "a.md", tmp_path / "b.html"
    biased.write_text("A shameful record.\n", encoding="utf-8")
    neutral.write_text("<p>The law is new.</p>\n", encoding="utf-8")
    codes = [
        subprocess.run(
            [sys.executable, "-c", DOOR, str(tiny_bundle), *arguments, *map(str, files)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
        for files in ([neutral], [neutral, biased])
    ]
    assert codes == [0, 1]
