"""The installer that creates and fills an environment: uv if it is on the path, else venv and pip of a Python."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.i18n import tr
from core.training_env.child_process import capture_output
from core.training_env.folders import python_in
from core.training_env.interpreter import child_environment
from core.training_env.types import SetupError

MIN_PYTHON = (3, 11)
_PREFERRED = ("python3.13", "python3.12", "python3.11", "python3", "python")
_UV_VERSIONS = ">=3.11,<3.14"
_PIP_FOR_OTHERS = (22, 3)
"""The first version of pip that can install into another environment (``--python``)."""
_TIMEOUT_S = 20
_PROBE = """
import importlib.util, json, sys
try:
    from pip import __version__ as pip
except ImportError:
    pip = ""
has = lambda name: importlib.util.find_spec(name) is not None
print(json.dumps([sys.version_info[:3], pip, has("ensurepip"), has("venv")]))
"""


@dataclass(frozen=True, slots=True)
class Installer:
    """``uv`` is the path of uv, or None for pip. ``python`` is the base of the environment; None: uv downloads one.

    ``own_pip``: the environment gets a pip of its own, because that of ``python`` is too old or missing.
    """

    uv: Path | None
    python: Path | None
    version: str
    own_pip: bool = False

    @property
    def description(self) -> str:
        """The installer and the Python, as shown to a person."""
        python = tr("Python {version} ({path})").format(version=self.version, path=self.python)
        if self.uv is None:
            return tr("pip, with {python}").format(python=python)
        return tr("uv, with {python}").format(
            python=python if self.python else tr("a Python that it downloads")
        )

    def make(self, folder: Path) -> list[str]:
        """The command that creates the environment in ``folder``."""
        if self.uv is not None:
            return [
                str(self.uv),
                "venv",
                "--no-project",
                "--python",
                str(self.python or _UV_VERSIONS),
                str(folder),
            ]
        with_pip = () if self.own_pip else ("--without-pip",)
        return [str(self.python), "-I", "-m", "venv", *with_pip, str(folder)]

    def install(self, folder: Path, arguments: Sequence[str]) -> list[str]:
        """The command that installs wheels into the environment in ``folder``; nothing is built from source."""
        wheels_only = ("--only-binary", ":all:", *arguments)
        python = str(python_in(folder))
        if self.uv is not None:
            return [str(self.uv), "pip", "install", "--python", python, *wheels_only]
        options = ("--progress-bar", "off", "--no-input", "--disable-pip-version-check", *wheels_only)
        if self.own_pip:
            return [python, "-I", "-X", "utf8", "-m", "pip", "install", *options]
        return [str(self.python), "-I", "-X", "utf8", "-m", "pip", "--python", python, "install", *options]


def find_installer(*, offline: bool) -> Installer:
    """The installer to use here. Raises SetupError where there is none."""
    uv = shutil.which("uv")
    lacking = ""
    for python in _pythons():
        found = _probe(python)
        if found is None:
            continue
        version, pip, has_ensurepip = found
        if uv is not None:
            return Installer(Path(uv), python, version)
        if pip >= _PIP_FOR_OTHERS or has_ensurepip:
            return Installer(None, python, version, own_pip=pip < _PIP_FOR_OTHERS)
        lacking = lacking or version
    if uv is not None and not offline:
        return Installer(Path(uv), None, "")
    if lacking:
        raise SetupError(
            tr(
                "The Python on this computer has neither pip nor ensurepip. Install them (on Debian and Ubuntu: "
                "sudo apt-get install python{version}-venv) and try again."
            ).format(version=".".join(lacking.split(".")[:2]))
        )
    raise SetupError(
        tr(
            "Training needs Python 3.11 or newer, which was not found on this computer. Install it from "
            "python.org or with your system's packages, and try again."
        )
    )


def installer_environment(scratch: Path, cache: Path, *, offline: bool) -> dict[str, str]:
    """The environment variables for the installer, which unpacks in ``scratch`` and downloads to ``cache``.

    Offline, no settings of the user can name another source than the given folder.
    """
    kept = {
        name: value
        for name, value in child_environment().items()
        if not _is_overriding(name, offline=offline)
    }
    kept |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    kept |= {"PIP_CACHE_DIR": str(cache), "UV_CACHE_DIR": str(cache), "NO_COLOR": "1"}
    if offline:
        kept |= {
            "PIP_CONFIG_FILE": os.devnull,
            "UV_NO_CONFIG": "1",
            "UV_OFFLINE": "1",
            "UV_PYTHON_DOWNLOADS": "never",
        }
    return kept


def _is_overriding(name: str, *, offline: bool) -> bool:
    if name in {"VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_REQUIRE_VIRTUALENV"}:
        return True
    return offline and name.startswith(("PIP_", "UV_"))


def _pythons() -> list[Path]:
    """This Python, unless it is a frozen program; then those on the path, preferred versions first."""
    mine = [] if getattr(sys, "frozen", False) else [sys.executable]
    found = [shutil.which(name) for name in _PREFERRED]
    return [Path(python) for python in dict.fromkeys([*mine, *found]) if python]


def _probe(python: Path) -> tuple[str, tuple[int, ...], bool] | None:
    """Version, version of pip, and whether it has ensurepip; None if it is too old or does not work."""
    output = capture_output(
        [str(python), "-I", "-c", _PROBE], variables=child_environment(), timeout_s=_TIMEOUT_S
    )
    try:
        version, pip, has_ensurepip, has_venv = json.loads(output or "")
    except ValueError:
        return None
    if tuple(version) < MIN_PYTHON or not has_venv:
        return None
    return ".".join(map(str, version)), _numbers(pip), has_ensurepip


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
