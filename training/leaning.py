"""The leaning head on the finished encoder: what it reads, what it answers, and how it comes into a model.

A head that is trained together with the encoder learns its outlets' topics and style; on outlets it never saw it is
no better than chance. Here the encoder stands still, and the head is fitted on its states (`training.leaning_linear`).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.batches import Encoded, by_length, collate
from training.model import ReaderModel
from training.precision import autocast

PER_OUTLET = 150


@dataclass(frozen=True, slots=True)
class Head:
    """A fitted head: the weights of the leaning layer and of the output."""

    layer: nn.Linear
    output: nn.Linear


def thin(rows: Sequence[Encoded], *, seed: int, most: int = PER_OUTLET) -> list[Encoded]:
    """At most ``most`` rows of each outlet, drawn at random."""
    by_outlet: dict[str, list[Encoded]] = defaultdict(list)
    for row in rows:
        by_outlet[row.example.group].append(row)
    chooser = random.Random(seed)
    kept: list[Encoded] = []
    for outlet in sorted(by_outlet):
        found = by_outlet[outlet]
        kept.extend(chooser.sample(found, min(most, len(found))))
    return kept


def features(model: ReaderModel, rows: Sequence[Encoded], *, device: torch.device) -> Tensor:
    """Mean token states [rows, hidden], on the CPU, the encoder in evaluation mode."""
    model.to(device).eval()
    found: Tensor | None = None
    with torch.inference_mode(), autocast(device):
        for indices in by_length(rows, 64):
            batch = collate([rows[at] for at in indices]).to(device)
            means = model.encode(batch.ids, batch.mask)[1].float().cpu()
            if found is None:
                found = torch.zeros((len(rows), means.shape[1]))
            found[indices] = means
    return torch.zeros((0, 1)) if found is None else found.clone()


def edits(model: ReaderModel, rows: Sequence[Encoded], *, device: torch.device) -> Tensor:
    """By how much an editor moved the state of a sentence [pairs, hidden]: the neutral side's less the biased one's.

    Both sides of a pair stand in ``rows`` and have its group, the biased one its spans; a side alone is left out.
    """
    sides = [
        {row.example.group: at for at, row in enumerate(rows) if bool(row.example.spans) is biased}
        for biased in (True, False)
    ]
    both = [group for group in sides[0] if group in sides[1]]
    states = features(model, rows, device=device)
    before, after = (states[[side[group] for group in both]] for side in sides)
    return after - before


def answers(head: Head, states: Tensor) -> Tensor:
    """Logits [rows, 4] of a head on features."""
    with torch.inference_mode():
        return head.output(torch.tanh(head.layer(states)))  # type: ignore[no-any-return]


def put(model: ReaderModel, head: Head) -> None:
    """Make ``head`` the model's leaning head; nothing else of the model changes."""
    model.leaning_layer.load_state_dict(head.layer.state_dict())
    model.leaning.load_state_dict(head.output.state_dict())
