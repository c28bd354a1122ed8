"""Protects users without a home folder: files are checked, and what needs a folder says in one line what to do."""

from __future__ import annotations

import pwd
import sys
from pathlib import Path

import pytest

from app import entry
from core.paths import NoHomeError, data_folder, start_folder
from core.storage.store import Store
from core.storage.types import StoreError

ADVICE = "Set EVENHAND_HOME to a folder that you can write to."


@pytest.fixture(autouse=True)
def _no_home(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable and no entry in the password file names a folder; the bundled reader is the tiny one."""

    def unknown(_: int) -> object:
        raise KeyError("uid not found")

    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("HOME", "XDG_DATA_HOME", "EVENHAND_HOME", "DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def draft(tmp_path: Path) -> str:
    path = tmp_path / "draft.txt"
    path.write_text("The chairman reveals a shameful record.\n", encoding="utf-8")
    return str(path)


def test_files_are_checked(draft: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["check", draft]) == 1
    out, err = capsys.readouterr()
    assert "shameful" in out
    assert err == ""


@pytest.mark.parametrize("arguments", [["models", "list"], ["train", "list"]])
def test_what_keeps_nothing_works(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(arguments) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["models", "rollback", "reader"],
        ["models", "promote", "abc"],
        ["models", "import", "folder"],
        ["train", "runs"],
        ["train", "setup", "--remove"],
    ],
)
def test_what_keeps_data_says_in_one_line_what_to_do(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert entry.main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.rstrip().endswith(ADVICE)


def test_the_window_gives_way_to_the_analysis(
    draft: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert entry.main([draft]) == 0
    out = capsys.readouterr().out
    assert "shameful" in out
    assert out.rstrip().endswith(ADVICE)


def test_the_store_says_it_too() -> None:
    with pytest.raises(StoreError, match=ADVICE):
        Store.open()


@pytest.mark.parametrize("name", ["HOME", "XDG_DATA_HOME", "EVENHAND_HOME"])
def test_each_variable_names_a_folder(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, str(tmp_path))
    assert data_folder().is_relative_to(tmp_path)
    assert start_folder().is_relative_to(tmp_path)
    store = Store.open()
    assert store.notes == ()
    store.close()


def test_no_folder_is_an_error_of_its_own() -> None:
    for folder in (data_folder, start_folder):
        with pytest.raises(NoHomeError, match=ADVICE):
            folder()
