"""A computer without torch: a frozen program that brings its wheel, a Python on the path, a folder of tiny wheels."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from fake_uv import write_uv
from tiny_wheels import write_program, write_wheels


@pytest.fixture(scope="session")
def all_wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that the tiny program needs. Copy it before changing it."""
    return write_wheels(tmp_path_factory.mktemp("wheels") / "all")


@pytest.fixture
def wheels(all_wheels: Path, tmp_path: Path) -> Path:
    """A folder with all that is needed, to be changed."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for wheel in all_wheels.iterdir():
        (folder / wheel.name).write_bytes(wheel.read_bytes())
    return folder


@pytest.fixture(scope="session")
def here() -> str:
    """The Python that runs the tests."""
    return sys.executable


@pytest.fixture
def program(tmp_path: Path, here: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a frozen program without torch; pip is all that there is to install with."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    assert here == sys.executable
    (tmp_path / "program").mkdir()
    return write_program(tmp_path / "program", monkeypatch)


@pytest.fixture
def uv(program: Path) -> Path:
    """The folder of a quick uv on the path."""
    return write_uv(program / "path").parent
