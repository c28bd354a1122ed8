"""f_debias: a classifier of ideology over the generator's own hidden states (section 5.2).

The generator is frozen, so that the classifier reads the states that Algorithm 1 shifts; the paper does not say whether
its encoder was fine-tuned.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from training.auditing.debiasing.training_data import SideTexts
from training.auditing.generation.generator import Generator
from training.loop.batches import Stream
from training.loop.events import Events
from training.loop.training_loop import TrainingError, TrainingSettings, run_or_load, train
from training.metrics import macro_f1

HIDDEN = 1024
MAX_TOKENS = 100
"""Tokens of a text that are read (section 5.1)."""
STATES_PER_TEXT = 8
"""States per text: the last one, and others at random, because during generation the head reads every position."""
SIZE, EPOCHS, PATIENCE, RATE = 64, 20, 3, 1e-3
"""Batch size, maximal epochs, epochs without a better dev macro-F1 before stopping, learning rate; the paper has none.
"""
_MIN_DEVIATION = 1e-4
_BATCH_SIZE = 64


class IdeologyHead(nn.Module):
    """dense 1024, tanh, dense 2 (section 5.2). Class 1 is liberal.

    States are standardised first (ours): some dimensions of GPT-2's states are a hundred times as large as the others.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(width, HIDDEN)
        self.answer = nn.Linear(HIDDEN, 2)
        self.centre: Tensor
        self.scale: Tensor
        self.register_buffer("centre", torch.zeros(width))
        self.register_buffer("scale", torch.ones(width))

    def standardise(self, states: Tensor) -> None:
        """Set mean and deviation from states [n, d]."""
        self.centre.copy_(states.mean(0))
        self.scale.copy_(states.std(0).clamp(min=_MIN_DEVIATION))

    def first_layer(self) -> tuple[Tensor, Tensor]:
        """Weight [1024, d] and bias [1024] of the first layer for states that are not standardised."""
        weight = self.hidden.weight / self.scale
        return weight, self.hidden.bias - weight @ self.centre

    def forward(self, states: Tensor) -> Tensor:
        """Logits [..., 2] of states [..., d]."""
        inside = torch.tanh(self.hidden((states - self.centre) / self.scale))
        return self.answer(inside)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class FittedHead:
    """A head on the generator's device, and its macro-F1 on the dev texts, read at the last token."""

    head: IdeologyHead
    dev_macro_f1: float


@dataclass(frozen=True, slots=True)
class _TextStates:
    """States [positions, d] of a text in order, and its class."""

    states: Tensor
    liberal: int

    def __len__(self) -> int:
        return len(self.states)


def fit_head(
    generator: Generator, train: SideTexts, dev: SideTexts, *, seed: int, events: Events, weights: Path
) -> FittedHead:
    """Train on ``train`` with early stopping on ``dev``, and save the best epoch to ``weights`` (safetensors).

    Existing ``weights`` are loaded instead. Raises CorpusError for a one-sided corpus, TrainingError if the weights
    have another width or one text does not fit into memory, and StoppedError if the run is stopped.
    """
    train.require_both()
    dev.require_both()
    events.stage = "f_debias"
    torch.manual_seed(seed)
    head = IdeologyHead(generator.width)
    dev_rows = _read_states(generator, dev, seed=seed, events=events)

    def fit(checkpoint: Path) -> None:
        rows = _read_states(generator, train, seed=seed, events=events)
        head.standardise(torch.cat([row.states for row in rows]))
        _fit(head, rows, dev_rows, device=generator.device, seed=seed, events=events, checkpoint=checkpoint)

    run_or_load(
        weights,
        fit=fit,
        load=lambda path: _load(head, path, generator.name),
        save=lambda path: save_file(head.state_dict(), path),
        events=events,
    )
    head.to(generator.device).eval().requires_grad_(False)
    return FittedHead(head, _score(head, dev_rows))


def _fit(
    head: IdeologyHead,
    rows: Sequence[_TextStates],
    dev: Sequence[_TextStates],
    *,
    device: torch.device,
    seed: int,
    events: Events,
    checkpoint: Path,
) -> None:
    epoch = -(-len(rows) // SIZE)
    events.emit("stage", f"f_debias on {len(rows)} texts", steps=EPOCHS * epoch)

    def loss(_: Stream[_TextStates], some: Sequence[_TextStates]) -> Tensor:
        states = torch.cat([row.states for row in some]).to(device)
        gold = torch.tensor([row.liberal for row in some for _ in range(len(row))], device=device)
        return functional.cross_entropy(head(states).float(), gold)

    train(
        head,
        [Stream("texts", rows, 1.0)],
        TrainingSettings(
            steps=EPOCHS * epoch,
            batch_size=SIZE,
            learning_rate=RATE,
            seed=seed,
            eval_every=epoch,
            patience=PATIENCE,
        ),
        loss_fn=loss,
        device=device,
        events=events,
        checkpoint=checkpoint,
        eval_fn=lambda: _score(head, dev),
    )


def _score(head: IdeologyHead, rows: Sequence[_TextStates]) -> float:
    """Macro-F1 of the texts, read at the last token."""
    head.eval()
    with torch.inference_mode():
        last = torch.stack([row.states[-1] for row in rows]).to(head.centre.device)
        found = head(last).argmax(1).tolist()
    return macro_f1([row.liberal for row in rows], found)


def _read_states(generator: Generator, sides: SideTexts, *, seed: int, events: Events) -> list[_TextStates]:
    """The states of each text that is not empty, at random positions."""
    labelled = [(text, int(side)) for side in (False, True) for text in _texts(sides, liberal=side)]
    chooser = random.Random(seed)
    found: list[_TextStates] = []
    events.emit("stage", f"f_debias reads {len(labelled)} texts", steps=len(labelled))
    began = time.monotonic()
    for first in range(0, len(labelled), _BATCH_SIZE):
        events.check_cancelled()
        part = labelled[first : first + _BATCH_SIZE]
        ids = generator.ids([text for text, _ in part], longest=MAX_TOKENS)
        for states, (_, liberal) in zip(generator.states(ids), part, strict=True):
            earlier = range(len(states) - 1)
            kept = sorted(chooser.sample(earlier, min(STATES_PER_TEXT - 1, len(earlier))))
            found.append(_TextStates(states[[*kept, -1]], liberal))
        left = (time.monotonic() - began) / len(found) * (len(labelled) - len(found))
        events.emit("step", step=len(found), steps=len(labelled), eta_s=left)
    return found


def _texts(sides: SideTexts, *, liberal: bool) -> list[str]:
    return [text for text in (sides.liberal if liberal else sides.conservative) if text.strip()]


def _load(head: IdeologyHead, weights: Path, name: str) -> None:
    try:
        head.load_state_dict(load_file(weights))
    except (OSError, SafetensorError, RuntimeError) as error:
        raise TrainingError(
            f"{weights.name} does not belong to {name}. Delete it, or name the generator that it was "
            "trained with."
        ) from error
