"""Generators that runs have left behind: folders with the weights of a causal language model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.runs.model import Run, Status

_CONFIG = "config.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel")
_MOST_BYTES = 1_000_000


def generators(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """The finished runs that hold a causal language model as safetensors, each with its folder."""
    return [
        (run, folder)
        for run in runs
        if run.status is Status.FINISHED
        for folder in _folders(run.folder)
        if is_generator(folder)
    ]


def is_generator(folder: Path) -> bool:
    """Whether a folder says that it holds a causal language model, and has weights."""
    path = folder / _CONFIG
    try:
        if path.stat().st_size > _MOST_BYTES or not any(folder.glob("*.safetensors")):
            return False
        named = json.loads(path.read_text(encoding="utf-8"))["architectures"]
        return any(str(name).endswith(_CAUSAL) for name in named)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _folders(folder: Path) -> Iterator[Path]:
    """A run's folder and those in it."""
    if folder.is_dir():
        yield folder
        yield from sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
