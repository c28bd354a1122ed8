"""Checkpoints from which a stopped stage resumes."""

from __future__ import annotations

import os
import pickle
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn


class CheckpointError(Exception):
    """A checkpoint could not be written, or belongs to another model. The previous one is unchanged."""


@dataclass(slots=True)
class Progress:
    """The progress of a stage.

    ``done``: steps taken; ``parts``: how many parts a batch is split into to fit into memory; ``best`` and ``score``:
    the best weights by dev score; ``misses``: evaluations since then; ``stopped``: it ended before all steps were done.
    The fields are keys of the checkpoint file and must keep their names.
    """

    done: int = 0
    parts: int = 1
    score: float = float("-inf")
    best: dict[str, Tensor] | None = None
    misses: int = 0
    stopped: bool = False


def save(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer, progress: Progress) -> None:
    """Replace the checkpoint. Raises CheckpointError, for example on a full disk."""
    state: dict[str, Any] = {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "random": torch.get_rng_state(),
        **{field.name: getattr(progress, field.name) for field in fields(Progress)},
    }
    if torch.cuda.is_available():
        state["cuda_random"] = torch.cuda.get_rng_state_all()
    fresh = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with fresh.open("wb") as stream:
            torch.save(state, stream)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except (OSError, RuntimeError) as error:
        fresh.unlink(missing_ok=True)
        raise CheckpointError(
            f"The checkpoint could not be written ({getattr(error, 'strerror', None) or error}). "
            "Free some space on the disk; until then training can only be resumed from the last one."
        ) from error


def resume(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer) -> Progress | None:
    """Restore model, optimiser and random state from a checkpoint; None where there is none.

    Raises CheckpointError where it is damaged or of another model.
    """
    if not path.is_file():
        return None
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        torch.set_rng_state(state["random"])
        if "cuda_random" in state and torch.cuda.is_available():
            torch.cuda.set_rng_state_all(state["cuda_random"])
        return Progress(**{field.name: state[field.name] for field in fields(Progress)})
    except (OSError, RuntimeError, ValueError, KeyError, EOFError, pickle.UnpicklingError) as error:
        raise CheckpointError(
            f"The checkpoint {path} is damaged or of another model. Delete it to restart this stage."
        ) from error
