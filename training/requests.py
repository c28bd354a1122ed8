"""A recipe's request, as its run's folder and its card tell it, and the version of the program that ran it."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from training.corpora.base import checksum

_PLACES = ("data",)
"""Where things lie on one machine is nobody else's business, and says nothing of the model."""
_ROOT = Path(__file__).parents[1]


def described(request: Any) -> dict[str, str]:
    """The fields of a request as text: a base in a folder by the folder's name and the hash of its weights."""
    told = {
        field.name: getattr(request, field.name) for field in fields(request) if field.name not in _PLACES
    }
    told = {name: _told(value) for name, value in told.items()}
    weights = Path(request.base) / "model.safetensors"
    if weights.is_file():
        told["base"] = Path(request.base).name
        told["base_sha256"] = checksum(weights)
    return told


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_told, value))
    if isinstance(value, str) and value and Path(value).is_dir():
        return Path(value).absolute().name
    return value.name if isinstance(value, Path) else str(value)


@lru_cache(maxsize=1)
def code_version() -> str:
    """The program's version and a digest of the source that trains and reads: equal digests are equal code."""
    try:
        number = version("evenhand")
    except PackageNotFoundError:
        number = "0"
    digest = hashlib.sha256()
    for path in sorted(path for room in ("core", "training") for path in (_ROOT / room).rglob("*.py")):
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return f"{number}+{digest.hexdigest()[:12]}"
