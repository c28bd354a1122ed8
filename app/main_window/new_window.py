"""Another window: a process of its own, so that a crash of one costs no other its draft."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QProcessEnvironment

from core.i18n import tr

NOT_STARTED = tr("Another window could not be opened. Start Evenhand again instead.")
_ROOT = Path(__file__).resolve().parents[2]


def open_new_window(path: Path | None = None) -> bool:
    """Start another window with a file, or with an empty draft; returns whether that worked."""
    process = QProcess()
    program, *arguments = _command()
    name = "" if path is None else str(path.absolute())
    if any("\ud800" <= character <= "\udfff" for character in name):
        # Bytes that are no text: Qt would pass on another name.
        return False
    arguments += ["--", name] if name else ["--new"]
    process.setProgram(program)
    process.setArguments(arguments)
    process.setProcessEnvironment(_environment())
    return start(process)


def start(process: QProcess) -> bool:
    """Start a program that goes on when this one ends; returns whether that worked."""
    return bool(process.startDetached())


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable]
    # -P: a folder named app where the person happens to be must not be taken for ours.
    return [sys.executable, "-P", "-m", "app.entry"]


def _environment() -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    if not getattr(sys, "frozen", False):
        known = environment.value("PYTHONPATH")
        environment.insert("PYTHONPATH", os.pathsep.join(filter(None, (str(_ROOT), known))))
    return environment
