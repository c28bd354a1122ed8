"""A recipe's request, as its run's folder and its card tell it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

from training.corpora.base import checksum

_PLACES = ("data", "runs", "resume")
"""Where things lie on one machine is nobody else's business, and says nothing of the model."""


def described(request: Any) -> dict[str, str]:
    """The fields of a request as text: a base in a folder by the folder's name and the hash of its weights."""
    told = {
        field.name: getattr(request, field.name) for field in fields(request) if field.name not in _PLACES
    }
    told = {name: value.name if isinstance(value, Path) else str(value) for name, value in told.items()}
    weights = Path(request.base) / "model.safetensors"
    if weights.is_file():
        told["base"] = Path(request.base).name
        told["base_sha256"] = checksum(weights)
    return told
