"""Protects the one door: every call reaches its room, and where there can be no window there is an analysis."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app import entry

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled reader is the tiny one, and there is no display."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def draft(tmp_path: Path) -> str:
    """A draft with a finding of each kind."""
    path = tmp_path / "draft.txt"
    path.write_text("The chairman reveals a shameful record.\n")
    return str(path)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The calls of a window that opens at once and closes with 0."""
    calls: list[list[str]] = []

    def run(paths: list[str]) -> int:
        calls.append(paths)
        return 0

    start = ModuleType("app.start")
    start.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.start", start)
    monkeypatch.setattr("app.start", start, raising=False)
    return calls


@pytest.mark.parametrize("before", [[], ["--"]])
def test_files_open_in_the_window(
    opened: list[list[str]], draft: str, before: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert entry.main([*before, draft]) == 0
    assert entry.main([]) == 0
    assert opened == [[draft], []]


def test_without_a_display_the_analysis_is_printed(
    opened: list[list[str]], draft: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert entry.main([draft]) == 0
    out = capsys.readouterr().out
    assert opened == []
    for said in ("draft.txt", "demographic", "epistemological", "framing", "There is no display here"):
        assert said in out


def test_without_a_file_it_is_that_of_the_sample(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main([]) == 0
    assert "sample.md" in capsys.readouterr().out


@pytest.mark.parametrize("display", ["", "offscreen"])
def test_a_file_that_is_not_there_is_named(
    opened: list[list[str]],
    tmp_path: Path,
    display: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", display)
    assert entry.main([str(tmp_path / "gone.md")]) == 2
    assert entry.main([str(tmp_path)]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == f"evenhand: {tmp_path / 'gone.md'}: There is no such file. Check the name."
    assert "This is a folder" in second
    assert opened == []


class Broken:
    """An import of Qt that fails."""

    def __init__(self, error: ImportError) -> None:
        self.error = error

    def find_spec(self, name: str, _path: Sequence[str] | None = None, _target: Any = None) -> None:
        if name == "PySide6.QtWidgets":
            raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ImportError("libEGL.so.1: cannot open shared object file"),
            "sudo apt-get install -y libegl1 libgl1",
        ),
        (ModuleNotFoundError("No module named 'PySide6'"), "pip install -e ."),
    ],
)
def test_without_qt_it_says_how_to_get_it_and_prints_the_analysis(
    draft: str,
    error: ImportError,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.delitem(sys.modules, "PySide6.QtWidgets", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(error), *sys.meta_path])
    assert entry.main([draft]) == 0
    out = capsys.readouterr().out
    assert said in out
    assert "shameful" in out


def test_a_system_library_that_is_missing_for_x11_is_named(
    draft: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    plugin = tmp_path / "libqxcb.so"
    plugin.write_bytes(b"no library")
    monkeypatch.setattr(entry, "_xcb_plugin", lambda: plugin)
    assert entry.main([draft]) == 0
    assert "libxcb-cursor0" in capsys.readouterr().out


def test_both_lists_of_system_libraries_name_all_that_qt_links_to() -> None:
    """On a Debian with nothing in it, each that was missing kept the window away (``python -m installer.examine``)."""
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    of_make = re.search(r"^QT_LIBRARIES := ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    assert of_make is not None
    told = entry.QT_LIBRARIES.removeprefix("sudo apt-get install -y ").split()
    assert told == of_make[1].replace("\\\n", " ").split()
    assert {"libglib2.0-0", "libxcb-shape0", "libxcb-cursor0", "libegl1"} <= set(told)


def test_check_and_models_go_to_the_command_line(draft: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["check", draft]) == 1
    assert "shameful" in capsys.readouterr().out
    assert entry.main(["check"]) == 2
    assert entry.main(["models"]) == 2


@pytest.fixture
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """This Python has no torch."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))


@pytest.mark.usefixtures("no_torch")
def test_training_without_torch_says_how_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["list"], ["--help"], []):
        assert entry.main(["train", *arguments]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "evenhand train setup" in err


@pytest.mark.usefixtures("no_torch")
def test_setting_up_and_listing_runs_need_no_torch(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["train", "setup", "--remove"]) == 0
    assert "no training environment" in capsys.readouterr().out
    assert entry.main(["train", "runs"]) == 0
    assert "There are no runs yet" in capsys.readouterr().out


WITHOUT_TORCH = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "torch" else find(name, *rest)
from app.entry import main
sys.exit(main(sys.argv[1:]))
"""


def managed(home: Path, script: str) -> None:
    """A complete training environment whose Python is this script."""
    folder = home / "training" / "environment-1"
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(script)
    python.chmod(0o755)
    marker = {"build": "cpu", "key": str(ROOT), "torch": "2.9.1", "cuda": "", "python_version": "3.12.1"}
    rest: dict[str, Any] = {"requirements": [], "packages": {}, "made_at": ""}
    (folder / "complete.json").write_text(json.dumps(marker | rest))


def test_without_torch_the_managed_environment_trains(tmp_path: Path) -> None:
    """With the same arguments, streams and exit code; Ctrl-C reaches it."""
    script = [
        "#!/bin/sh",
        "trap 'echo interrupted; exit 3' INT",
        'echo "$@"',
        '[ "$5" = wait ] || exit 7',
        "while :; do sleep 0.05; done",
    ]
    managed(tmp_path, "\n".join(script))
    command = [sys.executable, "-c", WITHOUT_TORCH, "train"]
    told: dict[str, Any] = {"cwd": ROOT, "env": os.environ | {"EVENHAND_HOME": str(tmp_path)}, "text": True}
    done = subprocess.run([*command, "run", "a b"], capture_output=True, check=False, **told)
    assert (done.returncode, done.stdout) == (7, "-P -m app.entry train run a b\n")
    with subprocess.Popen([*command, "wait"], stdout=subprocess.PIPE, **told) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "-P -m app.entry train wait\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == "interrupted\n"
    assert child.returncode == 3


def test_help_version_and_a_wrong_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert entry.main(["--help"]) == 0
    assert "evenhand check" in capsys.readouterr().out
    assert entry.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("evenhand ")
    assert entry.main(["--loud"]) == 2
    assert capsys.readouterr().err == "evenhand: unknown option --loud (see: evenhand --help)\n"


def test_it_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app.entry", "--version"],
        cwd=ROOT,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("evenhand ")
