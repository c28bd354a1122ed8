"""Bundles for the tests of the registry, and where that is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.paths import data_folder

Bundled = Callable[..., Path]


def registry_folder() -> Path:
    """Where the person's registry is."""
    return data_folder() / "models"


def cut(folder: Path) -> None:
    """Take the last bytes of the graph away."""
    (folder / "reader.onnx").write_bytes((folder / "reader.onnx").read_bytes()[:-9])
