"""Protects ``evenhand train setup``: the plan first, nothing without a yes, one clear line for what goes wrong."""

from __future__ import annotations

import io
import signal
import subprocess
from pathlib import Path

import pytest
from fake_uv import still_running

from core.cli.training_setup import main
from core.training_env import find_training_python
from core.training_env.folders import training_folder

ROOT = Path(__file__).resolve().parents[3]


class Terminal(io.StringIO):
    """Standard input that a person types into."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("uv")
def test_it_shows_the_plan_asks_sets_up_and_removes(
    wheels: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = ["--wheels", str(wheels)]
    assert main([*call, "--dry-run"]) == 0
    assert "torch, build for CPU, and 4 more packages" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert main(call) == 2
    assert capsys.readouterr().err == "evenhand: Nothing was done. Add --yes to go ahead.\n"
    monkeypatch.setattr("sys.stdin", Terminal("\n"))
    assert main(call) == 2
    assert not training_folder().exists()
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert main(call) == 0
    out = capsys.readouterr().out
    assert "[2/5] Installing torch …" in out
    assert out.endswith("torch 2.9.1 · CPU.\n")
    assert find_training_python() is not None
    assert main([*call, "--dry-run"]) == 0
    assert "There is already a training environment" in capsys.readouterr().out
    assert main(["--remove"]) == 0
    assert main(["--remove"]) == 0
    assert (
        capsys.readouterr().out
        == "The training environment was removed.\nThere is no training environment.\n"
    )


@pytest.mark.usefixtures("uv")
def test_what_is_wrong_is_one_line(wheels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["--build", "rocm"], ["--wheels", str(wheels / "gone")], ["--wheels", str(wheels.parent)]):
        assert main([*call, "--yes"]) == 2
        err = capsys.readouterr().err
        assert err.startswith("evenhand: ")
        assert err.count("\n") == 1
    assert main(["--help"]) == 0


def test_ctrl_c_stops_it(
    wheels: Path, uv: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr("core.training_env.install_steps.InstallerProcess.lines", interrupted)
    assert main(["--wheels", str(wheels), "--yes"]) == 130
    assert "Nothing was changed" in capsys.readouterr().err
    assert find_training_python() is None
    assert [path.name for path in training_folder().glob("environment-*")] == []


ENDED = """
import sys
sys.frozen, sys.executable = True, sys.argv[1]
from core.cli.training_setup import main
sys.exit(main(["--wheels", sys.argv[2], "--yes"]))
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_closed_terminal_and_a_polite_kill_leave_nothing_running(
    program: Path, wheels: Path, uv: Path, here: str, name: str
) -> None:
    (uv / "act").write_text("hang")
    command = [here, "-c", ENDED, str(program / "evenhand"), str(wheels)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        for line in child.stdout:
            if "Downloading torch" in line:
                break
        child.send_signal(getattr(signal, name))
        assert "Stopped. Nothing was changed" in child.stderr.read()
    assert child.returncode == 130
    assert still_running(uv) == []
    assert [path.name for path in training_folder().glob("environment-*")] == []
