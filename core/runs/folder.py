"""What lies in a run's folder.

The lock that its process holds, the order that stops it, its log, and the result files, read with care.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from core.bundles.manifest import MANIFEST
from core.i18n import tr
from core.paths import data_folder
from core.runs.types import ALIVE_LOCK, LOG, STOP_REQUEST, Run
from core.storage.file_lock import FileLock
from core.storage.files import FileError, write_bytes

# What lies in a run's folder beside its data: the sign that its process lives, the order that stops it, its log.


BUNDLE = "bundle"
"""The folder in a run's folder with the model that it made."""
_TAIL_BYTES = 16_384


class RunError(Exception):
    """What was asked of a run cannot be done; its text says for a person why, and what to do."""


def runs_folder() -> Path:
    """Where the folders of all runs lie. It may not exist yet."""
    return data_folder() / "runs"


def has_bundle(run: Run) -> bool:
    """Whether the run has left a model behind."""
    return (run.folder / BUNDLE / MANIFEST).is_file()


@contextmanager
def hold_if_idle(run: Run) -> Iterator[bool]:
    """Whether no process works at the run; where none does, none can begin before this ends."""
    lock, silent = None, True
    if run.folder.is_dir():
        try:
            lock = FileLock.acquire(run.folder / ALIVE_LOCK)
            silent = lock is not None
        except OSError:
            # It cannot be told: what may live is let live.
            silent = False
    try:
        yield silent
    finally:
        if lock is not None:
            lock.release()


def is_alive(run: Run) -> bool:
    """Whether the run's process is there."""
    if not (run.folder / ALIVE_LOCK).exists():
        return False
    with hold_if_idle(run) as silent:
        return not silent


def request_stop(run: Run, what: Literal["pause", "cancel"]) -> None:
    """Have the run's process end: with a checkpoint to go on from, or for good. Raises RunError."""
    if not is_alive(run):
        message = tr("The run {id} is not running, so it cannot be stopped.")
        raise RunError(message.format(id=run.id))
    try:
        write_bytes(run.folder / STOP_REQUEST, what.encode())
    except FileError as error:
        raise RunError(str(error)) from error


def log_tail(run: Run, lines: int = 40) -> str:
    """The last lines that the run's process wrote to standard error; nothing where there are none."""
    try:
        with (run.folder / LOG).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            data = file.read(_TAIL_BYTES)
    except OSError:
        return ""
    return "\n".join(data.decode("utf-8", "replace").splitlines()[-lines:])


# What is the same in all files that a recipe writes into its run's folder for the window: reading them with care.


_MOST_BYTES = 64_000_000


def load_json(path: Path) -> dict[str, Any]:
    """The JSON object of a file. Raises OSError or ValueError where it is too large or none."""
    data = json.loads(read_text(path))
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def read_text(path: Path) -> str:
    """The text of a file. Raises OSError or ValueError where it is too large or not UTF-8."""
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("too large")
    return path.read_text(encoding="utf-8")


def finite_number(value: object) -> float:
    """A finite number. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)


@contextmanager
def damage_as_run_error(path: Path) -> Iterator[None]:
    """Raises RunError where what is read inside is not what was written there."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        message = tr("The figures of the run {id} are damaged and cannot be shown ({name}).")
        raise RunError(message.format(id=path.parent.name, name=path.name)) from error
