"""The leaning head on the finished encoder: its features and logits.

A head that is trained together with the encoder learns the topics and style of its publishers, and is no better than
chance on publishers it never saw. Here the encoder is frozen, and the head is fitted on its states
(`training.reader.leaning_classifier`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.loop.batches import EncodedExample, collate, length_batches
from training.loop.devices import autocast
from training.modeling.reader import ReaderModel


@dataclass(frozen=True, slots=True)
class LeaningHead:
    """A fitted head: the leaning layer and the output layer."""

    layer: nn.Linear
    output: nn.Linear


def mean_states(model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device) -> Tensor:
    """Mean token states [rows, hidden], on the CPU, the encoder in evaluation mode."""
    model.to(device).eval()
    found: Tensor | None = None
    with torch.inference_mode(), autocast(device):
        for indices in length_batches(rows, 64):
            batch = collate([rows[at] for at in indices]).to(device)
            means = model.encode(batch.ids, batch.attention_mask)[1].float().cpu()
            if found is None:
                found = torch.zeros((len(rows), means.shape[1]))
            found[indices] = means
    return torch.zeros((0, 1)) if found is None else found.clone()


def edit_shifts(model: ReaderModel, rows: Sequence[EncodedExample], *, device: torch.device) -> Tensor:
    """The shift of a sentence's state by an editor [pairs, hidden]: the neutral side's minus the biased one's.

    Both sides of a pair are in ``rows`` and share a group; the biased one has spans. A single side is left out.
    """
    sides = [
        {row.example.group: at for at, row in enumerate(rows) if bool(row.example.spans) is biased}
        for biased in (True, False)
    ]
    both = [group for group in sides[0] if group in sides[1]]
    states = mean_states(model, rows, device=device)
    before, after = (states[[side[group] for group in both]] for side in sides)
    return after - before


def head_logits(head: LeaningHead, states: Tensor) -> Tensor:
    """Logits [rows, 4] of a head on mean states."""
    with torch.inference_mode():
        return head.output(torch.tanh(head.layer(states)))  # type: ignore[no-any-return]


def set_head(model: ReaderModel, head: LeaningHead) -> None:
    """Replace the leaning head of the model; nothing else changes."""
    model.leaning_layer.load_state_dict(head.layer.state_dict())
    model.leaning.load_state_dict(head.output.state_dict())
