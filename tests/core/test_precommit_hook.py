"""Protects who runs Evenhand before each commit: pre-commit itself takes the hook and hands it every kind of text."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.documents.format_specs import FORMATS

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"
START = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from core.engine import engine
engine.bundled_reader = lambda: Path({reader!r})
from app.entry import main
sys.exit(main(sys.argv[1:]))
"""
TEXT_SUFFIXES = sorted(suffix for spec in FORMATS.values() if not spec.signature for suffix in spec.suffixes)


def hook() -> dict[str, Any]:
    """The one hook of the repository."""
    (one,) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    return dict(one)


@pytest.fixture
def repository(tmp_path: Path, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose configuration has the hook as it is, but for how it is installed: it runs from here."""
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "pre-commit"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    start = tmp_path / "start.py"
    start.write_text(START.format(root=str(ROOT), reader=str(tiny_bundle)), encoding="utf-8")
    program, *arguments = shlex.split(hook()["entry"])
    assert program == "evenhand"
    entry = shlex.join([sys.executable, str(start), *arguments])
    local = {"repo": "local", "hooks": [hook() | {"language": "system", "entry": entry}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [local]}), encoding="utf-8")
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def run(folder: Path) -> tuple[int, str]:
    """The exit status and the output of pre-commit over what is about to be committed in a folder."""
    subprocess.run(["git", "add", "-A"], cwd=folder, check=True)
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--color", "never"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def test_every_text_format_is_checked_before_a_commit(repository: Path) -> None:
    names = [f"draft{suffix}" for suffix in TEXT_SUFFIXES]
    assert {"draft.txt", "draft.text", "draft.md", "draft.wikitext", "draft.wiki", "draft.html"} <= set(names)
    for name in names:
        (repository / name).write_text("<p>A shameful law.</p>\n", encoding="utf-8")
    code, said = run(repository)
    assert code == 1, said
    assert [name for name in names if name not in said] == []


@pytest.mark.parametrize("suffix", TEXT_SUFFIXES)
def test_a_neutral_text_can_be_committed(repository: Path, suffix: str) -> None:
    (repository / f"draft{suffix}").write_text("<p>The law is new.</p>\n", encoding="utf-8")
    code, said = run(repository)
    assert code == 0, said
    assert "Passed" in said


def test_code_and_what_is_no_text_are_left_alone(repository: Path) -> None:
    (repository / "code.py").write_text("# A shameful law.\n", encoding="utf-8")
    (repository / "picture.wiki").write_bytes(bytes(range(256)))
    code, said = run(repository)
    assert code == 0, said
    assert "no files to check" in said


def test_pre_commit_takes_the_hook() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert (hook()["id"], hook()["language"], hook()["require_serial"]) == ("evenhand", "python", True)
