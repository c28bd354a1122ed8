"""Which Python trains, and how to start it. Fast: nothing heavy is imported, nothing is cached."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from core.i18n import tr
from core.paths import MODELS, models_folder
from core.training_env.folders import current_environment, describe_python, latest_environment

REQUIRED_MODULES = ("torch", "transformers", "safetensors", "sklearn")
"""Modules that must be importable to train."""

_FROZEN_NAMES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME")


@dataclass(frozen=True, slots=True)
class TrainingPython:
    """A Python that can train. ``description`` names its version, its torch and the device torch is built for.

    ``managed``: it is the environment that *Set up training* created, not this Python.
    """

    start: tuple[str, ...]
    description: str
    managed: bool

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The whole command of ``evenhand train`` with these arguments; start it with `child_environment`."""
        return [*self.start, "train", *arguments]

    def run(self, arguments: Sequence[str]) -> int:
        """Run ``evenhand train`` in this terminal and return its exit code. On POSIX it replaces this process."""
        command = self.command(arguments)
        if sys.platform != "win32":
            os.execve(command[0], command, child_environment())
        with subprocess.Popen(command, env=child_environment()) as child:
            while True:
                # The console sends Ctrl-C to the child as well: wait until it has ended.
                with suppress(KeyboardInterrupt):
                    return child.wait()


def find_training_python() -> TrainingPython | None:
    """The Python that trains: this one if it can, else the managed environment, else None."""
    if all(importlib.util.find_spec(name) is not None for name in REQUIRED_MODULES):
        return TrainingPython(_start(Path(sys.executable)), _this_python(), managed=False)
    made = current_environment()
    if made is None or os.path.realpath(made.folder) == os.path.realpath(sys.prefix):
        return None
    return TrainingPython(_start(made.python), made.description, managed=True)


def setup_advice() -> str:
    """One line for a person where there is no `find_training_python`: why, and what to do."""
    if latest_environment() is not None:
        return tr(
            "The training environment was made by another version of Evenhand. Run: evenhand train setup"
        )
    return tr("Training needs torch, which is not installed in this Python. Run: evenhand train setup")


def child_environment() -> dict[str, str]:
    """The environment variables for another Python: those of the user, without what a frozen program has changed.

    The wheel of a frozen program has no models, so their folder is passed on.
    """
    kept = dict(os.environ)
    if not getattr(sys, "frozen", False):
        return kept
    for name in _FROZEN_NAMES:
        kept.pop(name, None)
        # PyInstaller saves the original value under this name.
        before = kept.pop(f"{name}_ORIG", None)
        if before is not None:
            kept[name] = before
    kept = {name: value for name, value in kept.items() if not name.startswith(("_PYI_", "_MEI"))}
    return kept | {MODELS: str(models_folder())}


def _start(python: Path) -> tuple[str, ...]:
    if getattr(sys, "frozen", False) and python == Path(sys.executable):
        return (str(python),)
    # -P: folders named app or core in the working directory must not be imported.
    return (str(python), "-P", "-m", "app.entry")


def _this_python() -> str:
    """This Python and its torch, read from torch's version file: importing torch takes seconds."""
    spec = importlib.util.find_spec("torch")
    text = ""
    with suppress(OSError):
        text = Path(spec.origin or "").with_name("version.py").read_text(encoding="utf-8") if spec else ""
    torch = re.search(r"^__version__ = '([^']*)'", text, re.MULTILINE)
    cuda = re.search(r"^cuda\b.*= '([^']*)'", text, re.MULTILINE)
    python = ".".join(map(str, sys.version_info[:3]))
    return describe_python(python, torch[1] if torch else "?", cuda[1] if cuda else "")
