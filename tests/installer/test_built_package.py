"""Protects the packages as they are built: small enough, the same twice, and the program in them reads a draft."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from installer.project import ROOT, facts

PYTHON = ROOT / "build" / "venv" / "bin" / "python"
MB = 1_000_000

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="packages of Linux"),
    pytest.mark.skipif(
        not PYTHON.with_name("pyinstaller").exists(), reason="make package-env makes what builds"
    ),
]


def build() -> str:
    """Build the packages; their checksums."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}
    subprocess.run([PYTHON, "-m", "installer.build"], cwd=ROOT, env=environment, check=True)
    return (ROOT / "dist" / "SHA256SUMS").read_text()


def test_the_packages_are_small_the_same_twice_and_work_where_they_are_put(tmp_path: Path) -> None:
    first = build()
    name = f"evenhand-{facts().version}-linux-x86_64"
    package, loose = (
        ROOT / "dist" / one for one in (f"evenhand_{facts().version}_amd64.deb", f"{name}.tar.zst")
    )
    assert package.stat().st_size <= 200 * MB
    folder = tmp_path / "a folder of one's own"
    folder.mkdir()
    subprocess.run(["tar", "--zstd", "-xf", loose, "-C", folder], check=True)
    program = folder / name / "evenhand"
    size = sum(path.stat().st_size for path in program.parent.rglob("*") if not path.is_symlink())
    assert size <= 550 * MB

    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    said = subprocess.run([program, "--version"], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout == f"evenhand {facts().version}\n"
    draft = ROOT / "resources" / "samples" / "sample.md"
    command = ["check", str(draft), "--format", "json", "--suggest", "1"]
    done = subprocess.run([program, *command], env=environment, capture_output=True, text=True, check=False)
    here = [sys.executable, "-m", "app.entry", *command]
    same = subprocess.run(here, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)) == (1, json.loads(same.stdout))
    assert done.stderr == ""
    (wheel,) = (program.parent / "wheels").iterdir()
    assert wheel.stat().st_size < 10 * MB

    shutil.rmtree(ROOT / "dist")
    assert build() == first
