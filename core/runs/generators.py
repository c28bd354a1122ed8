"""Language models that were trained here: folders with the weights of a causal or a masked one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.runs.model import Run, Status

_CONFIG = "config.json"
_CAUSAL = ("ForCausalLM", "LMHeadModel")
_MASKED = ("ForMaskedLM",)
_PARTISAN = ("tables", "compass", "models")
"""Where ``evenhand train table compass-shift`` keeps what it pre-trains: a folder each in a folder of its settings."""
_MOST_BYTES = 1_000_000


def generators(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """The finished runs that hold a causal language model as safetensors, each with its folder."""
    return _left_behind(runs, _CAUSAL)


def masked_models(runs: Iterable[Run]) -> list[tuple[Run, Path]]:
    """The finished runs that hold a masked language model as safetensors, each with its folder."""
    return _left_behind(runs, _MASKED)


def partisan_models(data: Path) -> list[Path]:
    """The models of either kind that were pre-trained on partisan texts, in Evenhand's folder ``data``, by name."""
    found = data.joinpath(*_PARTISAN).glob("*/*")
    return sorted((path for path in found if _holds(path, (*_CAUSAL, *_MASKED))), key=lambda path: path.name)


def _left_behind(runs: Iterable[Run], kinds: tuple[str, ...]) -> list[tuple[Run, Path]]:
    return [
        (run, folder)
        for run in runs
        if run.status is Status.FINISHED
        for folder in _folders(run.folder)
        if _holds(folder, kinds)
    ]


def _holds(folder: Path, kinds: tuple[str, ...]) -> bool:
    """Whether a folder says that it holds a language model of these kinds, and has weights."""
    path = folder / _CONFIG
    try:
        if path.stat().st_size > _MOST_BYTES or not any(folder.glob("*.safetensors")):
            return False
        named = json.loads(path.read_text(encoding="utf-8"))["architectures"]
        return any(str(name).endswith(kinds) for name in named)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _folders(folder: Path) -> Iterator[Path]:
    """A run's folder and those in it."""
    if folder.is_dir():
        yield folder
        yield from sorted(path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
