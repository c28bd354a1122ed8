"""What is the same in all files that a recipe writes into its run's folder for the window: reading them with care."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.language import tr
from core.runs.folder import RunError

_MOST_BYTES = 64_000_000


def loaded(path: Path) -> dict[str, Any]:
    """The JSON object of a file. Raises OSError or ValueError where it is too large or none."""
    data = json.loads(content(path))
    if not isinstance(data, dict):
        raise ValueError("not an object")
    return data


def content(path: Path) -> str:
    """The text of a file. Raises OSError or ValueError where it is too large or not UTF-8."""
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("too large")
    return path.read_text(encoding="utf-8")


def number(value: object) -> float:
    """A finite number. Raises ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("not a number")
    return float(value)


@contextmanager
def whole(path: Path) -> Iterator[None]:
    """Raises RunError where what is read inside is not what was written there."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        said = tr("The figures of the run {id} are damaged and cannot be shown ({name}).")
        raise RunError(said.format(id=path.parent.name, name=path.name)) from error
