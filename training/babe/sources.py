"""The encoders that a table is run with: where each is, and a mark that changes with its files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from training.babe.systems import ENCODERS
from training.corpora.base import checksum
from training.loop import TrainingError

_FILES = ("config.json", "tokenizer.json", "vocab.txt", "spiece.model", "*.safetensors")


@dataclass(frozen=True, slots=True)
class Source:
    """An encoder by its key in ENCODERS, its folder or hub name, and its mark."""

    key: str
    place: str
    mark: str


def sources(folders: Mapping[str, Path]) -> dict[str, Source]:
    """Every encoder of the table; those not in ``folders`` by their hub name.

    Raises TrainingError for a key that is not in the table, and for a folder that is not there.
    """
    for key, folder in folders.items():
        if key not in ENCODERS:
            raise TrainingError(f"{key} is no encoder of this table. Name one of {', '.join(ENCODERS)}.")
        if not folder.is_dir():
            raise TrainingError(f"{folder} is not a folder. Say where {key} is with --encoder {key}=FOLDER.")
    return {
        key: Source(key, str(folders[key]), files_mark(_files(folders[key])))
        if key in folders
        else Source(key, facts.hub, f"hub {facts.hub}")
        for key, facts in ENCODERS.items()
    }


def files_mark(paths: list[Path]) -> str:
    """Sixteen digits that change when one of the files does."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.name} {checksum(path)}\n".encode())
    return digest.hexdigest()[:16]


def _files(folder: Path) -> list[Path]:
    return sorted(path for pattern in _FILES for path in folder.glob(pattern))
