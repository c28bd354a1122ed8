"""The leaning head, fitted on the finished encoder: many outlets count alike, and the encoder learns none by heart.

A head that is trained together with the encoder learns its outlets' topics and style; on outlets it never saw it is
no better than chance. Here the encoder stands still, every outlet gives at most 150 windows, and the head is the one
that does best on the houses kept for dev.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.batches import Encoded, by_length, collate
from training.metrics import macro_f1
from training.model import LEANING_CLASSES, ReaderModel
from training.precision import autocast

PER_OUTLET = 150
_ROUNDS = 40
_STEPS = 40
_BATCH = 256
_RATE = 1e-3
_DECAY = 0.05
_DROPOUT = 0.3


@dataclass(frozen=True, slots=True)
class Head:
    """A fitted head: the weights of the leaning layer and of the output, and its dev macro-F1."""

    layer: nn.Linear
    output: nn.Linear
    score: float


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


def row_weights(rows: Sequence[Encoded]) -> NDArray[np.float32]:
    """Weights with which each leaning counts alike, and an outlet by the square root of its rows."""
    sizes = Counter(row.example.group for row in rows)
    weights = np.array([sizes[row.example.group] ** -0.5 for row in rows])
    labels = np.array([int(row.example.leaning or 0) for row in rows])
    for label in range(LEANING_CLASSES):
        if (labels == label).any():
            weights[labels == label] /= weights[labels == label].sum()
    return np.asarray(weights / weights.mean(), dtype=np.float32)


def fit(train: tuple[Tensor, Sequence[Encoded]], dev: tuple[Tensor, Sequence[Encoded]], *, seed: int) -> Head:
    """Fit a head on features and rows: of 40 rounds of 40 steps the one with the best dev macro-F1 over left, center
    and right is kept.
    """
    torch.manual_seed(seed)
    states, rows = train
    gold = torch.tensor([int(row.example.leaning or 0) for row in rows])
    weights = torch.from_numpy(row_weights(rows))
    width = states.shape[1]
    layer, output = nn.Linear(width, width), nn.Linear(width, LEANING_CLASSES)
    optimiser = torch.optim.AdamW([*layer.parameters(), *output.parameters()], lr=_RATE, weight_decay=_DECAY)
    dev_gold = [int(row.example.leaning or 0) for row in dev[1]]
    best = Head(layer, output, -1.0)
    for _ in range(_ROUNDS):
        for part in torch.randint(len(rows), (_STEPS, min(_BATCH, len(rows)))):
            hidden = torch.tanh(layer(nn.functional.dropout(states[part], _DROPOUT)))
            logits = output(nn.functional.dropout(hidden, _DROPOUT))
            losses = nn.functional.cross_entropy(logits, gold[part], reduction="none", label_smoothing=0.1)
            (losses * weights[part]).mean().backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            optimiser.zero_grad()
        score = macro_f1(dev_gold, answers(Head(layer, output, 0.0), dev[0])[:, :3].argmax(1).tolist())
        if score > best.score:
            best = Head(_copy(layer), _copy(output), score)
    return best


def answers(head: Head, states: Tensor) -> Tensor:
    """Logits [rows, 4] of a head on features."""
    with torch.inference_mode():
        return head.output(torch.tanh(head.layer(states)))  # type: ignore[no-any-return]


def put(model: ReaderModel, head: Head) -> None:
    """Make ``head`` the model's leaning head; nothing else of the model changes."""
    model.leaning_layer.load_state_dict(head.layer.state_dict())
    model.leaning.load_state_dict(head.output.state_dict())


def _copy(linear: nn.Linear) -> nn.Linear:
    fresh = nn.Linear(linear.in_features, linear.out_features)
    fresh.load_state_dict(linear.state_dict())
    return fresh
