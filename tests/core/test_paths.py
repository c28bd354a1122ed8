"""Protects where data lies: in one place, whatever folder the program is started in."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.paths import NoHomeError, data_folder, default_data_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the variables of the XDG specification")


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has one place for data")
@pytest.mark.parametrize("named", ["data", "./data", "../data", "~/data", ""])
def test_a_relative_data_folder_of_the_system_is_ignored(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The XDG Base Directory Specification: paths in its variables must be absolute."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", named)
    assert default_data_folder() == tmp_path / ".local" / "share" / "evenhand"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert default_data_folder() == tmp_path / "data" / "evenhand"


def test_a_folder_that_is_named_from_the_current_one_stays_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVENHAND_HOME", "mine")
    assert data_folder() == tmp_path / "mine"


def test_a_relative_home_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "somewhere")
    monkeypatch.delenv("XDG_DATA_HOME")
    with pytest.raises(NoHomeError, match="Set EVENHAND_HOME"):
        default_data_folder()
