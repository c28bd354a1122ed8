"""Protects the one place of the version, and that scripts and workflows name what exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from installer.project import ROOT, epoch, facts

INSTALLER = ROOT / "installer"
SCRIPTS = [
    path for path in sorted(INSTALLER.rglob("*")) if path.suffix in {".py", ".spec", ".iss", ".ps1", ".sh"}
]
WORKFLOW = ROOT / ".github" / "workflows" / "package.yml"
MAKERS = {"actions/checkout", "actions/setup-python", "actions/upload-artifact"}


def test_no_script_has_a_version_of_its_own() -> None:
    version = facts().version
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", version)
    assert SCRIPTS
    assert not [path.name for path in SCRIPTS if version in path.read_text(encoding="utf-8")]


def test_the_facts_are_those_of_the_project_file(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "evenhand"\nversion = "9.8.7"\ndescription = "d"\nlicense = "Apache-2.0"\n'
    )
    assert facts(tmp_path).version == "9.8.7"


def test_the_time_of_all_files_is_the_commits_or_the_one_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "123")
    assert epoch(tmp_path) == 123
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert epoch(tmp_path) == epoch(tmp_path) > 1_500_000_000


def test_the_workflow_builds_each_system_with_what_is_here() -> None:
    job = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]["package"]
    rows = job["strategy"]["matrix"]["include"]
    assert {row["system"].partition("-")[0] for row in rows} == {"ubuntu", "windows", "macos"}
    for row in rows:
        *_, last = shlex.split(row["build"])
        named = (ROOT / last).is_file()
        assert named or f"\n{last}: " in (ROOT / "Makefile").read_text(encoding="utf-8"), last
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", name) for name in used)
    assert {name.partition("@")[0] for name in used} == MAKERS


def test_scripts_name_files_that_exist() -> None:
    wanted = {
        "macos/build.sh": ["installer.build", "installer.project"],
        "windows/build.ps1": ["installer.build", "installer.project"],
    }
    for script, modules in wanted.items():
        said = (INSTALLER / script).read_text(encoding="utf-8")
        for module in modules:
            assert module in said
            assert (ROOT / module.replace(".", "/")).with_suffix(".py").is_file()
    assert "installer\\windows\\evenhand.iss" in (INSTALLER / "windows" / "build.ps1").read_text(
        encoding="utf-8"
    )
    assert "\npackage-env: " in (ROOT / "Makefile").read_text(encoding="utf-8")
