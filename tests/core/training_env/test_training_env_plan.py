"""Protects the plan: the build that fits the card and its driver, the installer that is there, what is needed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tiny_wheels import write_wheel

from core.bundles.rewriter import bundled_rewriter
from core.engine.engine import bundled_reader
from core.paths import MODELS
from core.training_env import child_environment, find_training_python, torch_builds
from core.training_env import project as projects
from core.training_env.install_steps import explain_failure, find_missing_package
from core.training_env.installers import find_installer, installer_environment
from core.training_env.plan import make_plan
from core.training_env.project import current_project_key, this_project
from core.training_env.torch_builds import choose_build, find_gpus
from core.training_env.types import Gpu, SetupError

ROOT = Path(__file__).resolve().parents[3]


def card(driver: str, capability: float = 8.6) -> Gpu:
    return Gpu("NVIDIA RTX", driver, 8192, capability)


@pytest.mark.parametrize(
    ("choice", "found", "build", "said"),
    [
        ("auto", [], "cpu", "No NVIDIA card"),
        ("auto", [card("580.95.05")], "cu130", "RTX with driver 580.95.05"),
        ("auto", [card("572.16")], "cu128", "fits"),
        ("auto", [card("535.183.01", 9.0)], "cu126", "fits"),
        ("auto", [card("590.10", 6.1)], "cu126", "fits"),
        ("auto", [card("535.183.01", 12.0)], "cpu", "A newer driver (580 or later)"),
        ("auto", [card("470.82")], "cpu", "driver 470.82"),
        ("auto", [card("580.95", 0.0)], "cu130", "fits"),
        ("auto", [card("580.95", 6.1), card("580.95", 7.0), card("580.95", 8.6)], "cu126", "fits"),
        ("cpu", [card("580.95.05")], "cpu", "You chose this build"),
        ("cuda", [], "cu126", "would run on the CPU"),
    ],
)
def test_the_build_fits_the_card_and_its_driver(
    choice: str, found: list[Gpu], build: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    chosen, why = choose_build(choice, found)
    assert chosen.name == build
    assert said in why
    assert chosen.index == f"https://download.pytorch.org/whl/{build}"


def test_macos_has_one_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert choose_build("auto", [])[0].index == ""
    assert choose_build("cpu", [])[0].index == ""
    with pytest.raises(SetupError, match="no CUDA build for macOS"):
        choose_build("cuda", [])


def tool(folder: Path, name: str, lines: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{lines}\n")
    path.chmod(0o755)


def test_cards_are_read_from_the_drivers_own_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    tool(
        tmp_path,
        "nvidia-smi",
        "echo 'NVIDIA H200, 570.86.15, 143771, 9.0'; echo 'GB10, 580.95.05, [N/A], 12.1'",
    )
    assert find_gpus() == [Gpu("NVIDIA H200", "570.86.15", 143771, 9.0), Gpu("GB10", "580.95.05", 0, 12.1)]
    old = 'case "$1" in *compute_cap*) echo "not a valid field"; exit 2;; esac; echo "Tesla K80, 470.82.01, 11441"'
    tool(tmp_path, "nvidia-smi", old)
    assert find_gpus() == [Gpu("Tesla K80", "470.82.01", 11441, 0.0)]
    tool(
        tmp_path, "nvidia-smi", "echo 'NVIDIA-SMI has failed because it could not talk to the driver'; exit 9"
    )
    assert find_gpus() == []
    tool(tmp_path, "nvidia-smi", "echo 'No devices were found'")
    assert find_gpus() == []


def test_a_computer_without_a_python_says_what_to_install(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = program / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    with pytest.raises(SetupError, match=r"needs Python 3\.11 or newer, which was not found"):
        find_installer(offline=True)
    tool(empty, "python3", "echo '[[3, 9, 2], \"23.0\", true, true]'")
    with pytest.raises(SetupError, match=r"needs Python 3\.11 or newer"):
        find_installer(offline=True)
    tool(empty, "python3", "echo '[[3, 12, 3], \"\", false, true]'")
    with pytest.raises(SetupError, match=r"sudo apt-get install python3\.12-venv"):
        find_installer(offline=True)
    tool(empty, "python3", "echo '[[3, 12, 3], \"20.1\", true, true]'")
    assert find_installer(offline=True).own_pip
    tool(empty, "python3", "echo '[[3, 12, 3], \"24.0\", false, true]'")
    assert not find_installer(offline=True).own_pip
    (empty / "python3").unlink()
    tool(empty, "uv", "exit 0")
    with pytest.raises(SetupError, match=r"needs Python 3\.11 or newer"):
        find_installer(offline=True)
    fetched = find_installer(offline=False)
    assert fetched.python is None
    assert "a Python that it downloads" in fetched.description
    assert ">=3.11" in " ".join(fetched.make(empty))


def test_this_python_is_the_first_choice_where_it_is_no_frozen_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert find_installer(offline=True).python == Path(sys.executable)


def test_offline_nothing_of_a_persons_settings_names_a_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://example.invalid")
    monkeypatch.setenv("UV_INDEX", "https://example.invalid")
    monkeypatch.setenv("PIP_TARGET", "/somewhere")
    off, on = (
        installer_environment(tmp_path / "room", tmp_path / "cache", offline=offline)
        for offline in (True, False)
    )
    assert {"PIP_EXTRA_INDEX_URL", "UV_INDEX", "PIP_TARGET"} & set(off) == set()
    assert off["UV_OFFLINE"] == "1"
    assert on["PIP_EXTRA_INDEX_URL"] == "https://example.invalid"
    assert "PIP_TARGET" not in on
    assert off["TMPDIR"] == on["TMPDIR"] == str(tmp_path / "room")


def test_a_frozen_program_gives_its_children_the_persons_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/evenhand/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/usr/local/lib")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "x")
    given = child_environment()
    assert given["LD_LIBRARY_PATH"] == "/usr/local/lib"
    assert {"LD_LIBRARY_PATH_ORIG", "_PYI_ARCHIVE_FILE"} & set(given) == set()
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG")
    assert "LD_LIBRARY_PATH" not in child_environment()


def test_a_frozen_program_passes_the_models_folder_to_its_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its wheel brings none: a training that asks for the reader would find nothing."""
    assert MODELS not in child_environment()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    told = child_environment()[MODELS]
    assert Path(told, "reader", "bundle.json").is_file()
    monkeypatch.setenv(MODELS, "/elsewhere")
    assert bundled_reader() == Path("/elsewhere/reader")
    assert bundled_rewriter() == Path("/elsewhere/rewriter")


def test_a_wheel_lists_its_extras_requirements_without_those_of_the_window(program: Path) -> None:
    project = this_project()
    assert project.version == "9.9"
    assert project.requirements == (
        "numpy>=1",
        "torch<3,>=2.6",
        "transformers",
        'safetensors; python_version >= "3.11"',
        "scikit-learn>=1",
    )
    assert project.key == current_project_key()
    (wheel,) = (program / "wheels").iterdir()
    wheel.write_bytes(wheel.read_bytes()[:100])
    with pytest.raises(SetupError, match="is damaged"):
        this_project()
    wheel.unlink()
    with pytest.raises(SetupError, match="lacks the Evenhand wheel"):
        this_project()
    own = write_wheel(program / "other", "evenhand", "1.2", files={}, needs=['torch; extra == "train"'])
    assert this_project(own.parent).version == "1.2"


def test_a_checkout_is_itself_what_is_installed() -> None:
    project = this_project()
    assert project.source == ROOT
    names = {projects.package_name(one) for one in project.requirements}
    assert {"torch", "transformers", "numpy", "sqlalchemy"} <= names
    assert not {"pyside6-essentials", "evenhand", "pytest"} & names


@pytest.mark.usefixtures("program")
def test_the_folder_decides_which_torch_there_is(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for version in ("2.9.1+cu130", "2.10.0+cu126"):
        write_wheel(wheels, "torch", version, files={})
    assert make_plan("auto", wheels=wheels).torch == "torch==2.9.1+cpu"
    assert make_plan("cuda", wheels=wheels).torch == "torch==2.10.0+cu126"
    monkeypatch.setattr(torch_builds, "find_gpus", lambda: [card("580.95")])
    assert make_plan("auto", wheels=wheels).torch == "torch==2.9.1+cu130"
    (wheels / "torch-2.9.1+cpu-py3-none-any.whl").unlink()
    with pytest.raises(SetupError, match=r"torch for CUDA 12\.6, CUDA 13\.0 only"):
        make_plan("cpu", wheels=wheels)
    monkeypatch.setattr(torch_builds, "find_gpus", list)
    plan = make_plan("auto", wheels=wheels)
    assert (plan.torch, plan.build.name) == ("torch==2.9.1+cu130", "cu130")
    for wheel in wheels.glob("torch-*"):
        wheel.unlink()
    write_wheel(wheels, "torch", "2.11.0", files={})
    assert make_plan("cuda", wheels=wheels).torch == "torch==2.11.0"


@pytest.mark.usefixtures("program")
def test_a_plan_over_the_network_names_where_it_goes() -> None:
    plan = make_plan("cpu")
    rows = dict(plan.rows())
    assert "download.pytorch.org" in rows["From"]
    assert "over the network" in rows["From"]
    assert "estimates" in rows["Size"]
    assert plan.torch == "torch<3,>=2.6"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["ERROR: No matching distribution found for filelock<4,>=3.1 (from torch)"], "filelock<4,>=3.1"),
        (
            [
                "  × No solution found:",
                "  ╰─▶ Because filelock was not found in the provided package",
                "      locations",
            ],
            "filelock",
        ),
        (["  Because there are no versions of torch and you require torch, we can"], "torch"),
        (["  Because torch==2.9 has no wheels with a matching Python ABI tag"], "torch"),
        (["error: something else"], ""),
    ],
)
def test_the_package_that_is_missing_is_found_in_the_lines(lines: list[str], name: str) -> None:
    assert find_missing_package(lines) == name


def test_why_an_installer_failed_is_one_sentence() -> None:
    pip = [
        "WARNING: Retrying after connection broken by 'NewConnectionError(...: Temporary failure in name resolution')",
        "ERROR: No matching distribution found for torch",
    ]
    assert "does not respond" in explain_failure(pip, 1, wheels=None, python="3.12.1")
    assert "There is no torch for Python 3.12.1" in explain_failure(pip[1:], 1, wheels=None, python="3.12.1")
    assert "lacks a wheel of torch" in explain_failure(pip, 1, wheels=Path("w"), python="3.12.1")
    full = ["ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"]
    assert "disk is full" in explain_failure(full, 1, wheels=None, python="3.12.1")
    assert (
        explain_failure(["a", "boom", ""], 3, wheels=None, python="")
        == "The installer ended with code 3: boom"
    )
    assert "code -9" in explain_failure([], -9, wheels=None, python="")


def test_this_python_trains_where_torch_is_in_it() -> None:
    found = find_training_python()
    assert found is not None
    assert not found.managed
    assert found.command(["runs"])[-2:] == ["train", "runs"]
    assert found.command([])[0] == sys.executable
    assert "torch 2." in found.description
