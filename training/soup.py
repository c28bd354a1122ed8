"""A model soup: the mean of the weights of several trainings from one start (Wortsman et al. 2022, nearly recipe 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from training.events import Events

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
