"""The folder of a run: the lock of its process, the stop request, the log, and checked reading of result files."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from core.bundles.manifest import MANIFEST
from core.i18n import tr
from core.paths import data_folder
from core.runs.types import ALIVE_LOCK, LOG, STOP_REQUEST, Run
from core.storage.file_lock import FileLock
from core.storage.files import FileError, write_bytes

BUNDLE = "bundle"
"""The folder in a run's folder that holds its model."""
_TAIL_BYTES = 16_384

T = TypeVar("T")


class RunError(Exception):
    """An operation on a run failed. The message says why and what to do."""


def runs_folder() -> Path:
    """The folder with the folders of all runs. It may not exist yet."""
    return data_folder() / "runs"


def has_bundle(run: Run) -> bool:
    """Whether the run has a model."""
    return (run.folder / BUNDLE / MANIFEST).is_file()


@contextmanager
def hold_if_idle(run: Run) -> Iterator[bool]:
    """Whether no process is working on the run; if so, none can start inside the ``with`` block."""
    lock, idle = None, True
    if run.folder.is_dir():
        try:
            lock = FileLock.acquire(run.folder / ALIVE_LOCK)
            idle = lock is not None
        except OSError:
            # Unknown: assume that it is alive.
            idle = False
    try:
        yield idle
    finally:
        if lock is not None:
            lock.release()


def is_alive(run: Run) -> bool:
    """Whether the run's process is there."""
    if not (run.folder / ALIVE_LOCK).exists():
        return False
    with hold_if_idle(run) as idle:
        return not idle


def request_stop(run: Run, request: Literal["pause", "cancel"]) -> None:
    """Ask the run's process to stop: with a checkpoint to resume from, or for good. Raises RunError."""
    if not is_alive(run):
        message = tr("The run {id} is not running, so it cannot be stopped.")
        raise RunError(message.format(id=run.id))
    try:
        write_bytes(run.folder / STOP_REQUEST, request.encode())
    except FileError as error:
        raise RunError(str(error)) from error


def log_tail(run: Run, lines: int = 40) -> str:
    """The last lines of the run's standard error; empty where there are none."""
    try:
        with (run.folder / LOG).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            data = file.read(_TAIL_BYTES)
    except OSError:
        return ""
    return "\n".join(data.decode("utf-8", "replace").splitlines()[-lines:])


_MAX_BYTES = 64_000_000


def load_json(path: Path, *, max_bytes: int = _MAX_BYTES) -> dict[str, Any]:
    """The JSON object in a file. Raises OSError, and ValueError where the file is too large or not an object."""
    data = json.loads(read_text(path, max_bytes=max_bytes))
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def read_text(path: Path, *, max_bytes: int = _MAX_BYTES) -> str:
    """The text of a file. Raises OSError, and ValueError where it is too large or not UTF-8."""
    if path.stat().st_size > max_bytes:
        raise ValueError("too large")
    return path.read_text(encoding="utf-8")


def finite_number(value: object) -> float:
    """``value`` as a finite number. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)


@contextmanager
def damage_as_run_error(path: Path) -> Iterator[None]:
    """Turn errors from parsing a result file into RunError."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        message = tr("The results of the run {id} are damaged and cannot be shown ({name}).")
        raise RunError(message.format(id=path.parent.name, name=path.name)) from error


def read_result(path: Path, kind: type[T], *, max_bytes: int = _MAX_BYTES) -> T | None:
    """The dataclass ``kind`` from a result file in a run's folder; None where there is no such file.

    A field that the file lacks has its default. Raises RunError where the file is damaged.
    """
    if not path.is_file():
        return None
    with damage_as_run_error(path):
        found: T = _parse(kind, load_json(path, max_bytes=max_bytes))
        return found


STORED_KEY = "stored_key"
"""In the metadata of a field: its key in result files, where the field was renamed after files had been written."""


def result_to_json(result: Any) -> Any:
    """A dataclass as `read_result` reads it: dicts, lists and plain values."""
    if is_dataclass(result):
        return {_stored_key(one): result_to_json(getattr(result, one.name)) for one in fields(result)}
    if isinstance(result, dict):
        return {name: result_to_json(value) for name, value in result.items()}
    return [result_to_json(one) for one in result] if isinstance(result, tuple | list) else result


def _stored_key(field: Field[Any]) -> str:
    return str(field.metadata.get(STORED_KEY, field.name))


def _parse(kind: Any, value: Any) -> Any:
    """A value from JSON as the type of a field: a dataclass, tuple, dict, text, finite number or None."""
    parts = get_args(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        keys = {one.name: _stored_key(one) for one in fields(kind)}
        found = {name: _parse(hints[name], value[key]) for name, key in keys.items() if key in value}
        return kind(**found)  # type: ignore[operator]
    if get_origin(kind) is UnionType:
        return None if value is None else _parse(parts[0], value)
    if get_origin(kind) is tuple:
        kinds = parts if parts[-1] is not Ellipsis else parts[:1] * len(value)
        return tuple(_parse(part, one) for part, one in zip(kinds, value, strict=True))
    if get_origin(kind) is dict:
        return {str(name): _parse(parts[1], one) for name, one in value.items()}
    if kind is str:
        return str(value)
    number = finite_number(value)
    if kind is int and not number.is_integer():
        raise ValueError("not a whole number")
    return kind(number)
