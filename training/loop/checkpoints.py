"""Checkpoints that a stopped stage resumes from, and model soups: the mean of the weights of several trainings."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from training.loop.events import Events

# What a stopped stage goes on from: weights, optimiser, random numbers, the best weights so far.


class CheckpointError(Exception):
    """A checkpoint could not be written, or is not of this model. The one before it is as it was."""


@dataclass(slots=True)
class Progress:
    """How far a stage is.

    ``done``: steps taken; ``parts``: pieces that a batch is cut into to fit into memory; ``best`` and ``score``: the
    best weights by dev score; ``misses``: judgements since then; ``stopped``: it ended before its steps were done.
    """

    done: int = 0
    parts: int = 1
    score: float = float("-inf")
    best: dict[str, Tensor] | None = None
    misses: int = 0
    stopped: bool = False


def save(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer, progress: Progress) -> None:
    """Write a checkpoint in the place of the last one. Raises CheckpointError (a full disk, say)."""
    state: dict[str, Any] = {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "random": torch.get_rng_state(),
        "done": progress.done,
        "parts": progress.parts,
        "score": progress.score,
        "best": progress.best,
        "misses": progress.misses,
        "stopped": progress.stopped,
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
            "Free some space on the disk; training goes on from the last one if it stops."
        ) from error


def resume(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer) -> Progress | None:
    """Bring model, optimiser and random numbers to where the checkpoint stands; None where there is none.

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
        return Progress(**{name: state[name] for name in Progress.__dataclass_fields__})
    except (OSError, RuntimeError, ValueError, KeyError, EOFError, pickle.UnpicklingError) as error:
        raise CheckpointError(
            f"The checkpoint {path} is damaged or of another model. Delete it to begin this stage anew."
        ) from error


# A model soup: the mean of the weights of several trainings from one start (Wortsman et al. 2022, nearly recipe 1).


State = dict[str, Tensor]

SLACK = 0.002
"""Less than this is noise of the dev parts: a wider mean is taken all the same, since it hangs less on one seed."""


def mix(
    model: nn.Module, members: Sequence[Path], *, judge: Callable[[], float], events: Events
) -> tuple[str, ...]:
    """Put the mean of some of ``members`` (files of the model's weights) into ``model``; returns their names.

    The member with the best dev score (``judge``, higher is better) comes first; each other one, best first, is taken
    in where the mean with it scores no lower than the best so far, give or take ``SLACK``.
    """
    scored: list[tuple[float, Path]] = []
    for path in members:
        model.load_state_dict(load_file(path))
        score = judge()
        events.say("eval", path.stem, metrics={"dev": score})
        scored.append((score, path))
    scored.sort(key=lambda pair: -pair[0])
    best, taken = scored[0][0], [scored[0][1]]
    total = load_file(taken[0])
    for _, path in scored[1:]:
        wider = _sum(total, load_file(path))
        model.load_state_dict(_share(wider, len(taken) + 1))
        score = judge()
        events.say("eval", f"with {path.stem}", metrics={"dev": score})
        if score >= best - SLACK:
            best, total = max(best, score), wider
            taken.append(path)
    model.load_state_dict(_share(total, len(taken)))
    return tuple(path.stem for path in taken)


def _sum(one: State, two: State) -> State:
    return {
        name: value + two[name] if torch.is_floating_point(value) else value for name, value in one.items()
    }


def _share(total: State, count: int) -> State:
    return {name: value / count if torch.is_floating_point(value) else value for name, value in total.items()}
