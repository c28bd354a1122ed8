"""One small training loop: a plan of batches, AdamW with warm-up, bf16, checkpoints, resume to the same result."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from training.batches import RowT, Stream, plan
from training.events import Events
from training.precision import autocast


class TrainingError(Exception):
    """Training cannot go on; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How one stage trains. ``steps`` batches of ``size`` rows; ``rate`` is the body's, heads take ten times it."""

    steps: int
    size: int = 32
    rate: float = 1e-4
    warmup: float = 0.1
    seed: int = 42
    decay: float = 0.01
    clip: float = 1.0
    checkpoint_every_s: float = 180.0


@dataclass(frozen=True, slots=True)
class Best:
    """The best weights so far, by dev score."""

    score: float
    weights: dict[str, Tensor]


def choose_device(name: str) -> torch.device:
    """``auto`` takes CUDA where there is one. Raises TrainingError where CUDA is asked for and missing."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise TrainingError("No CUDA device can be used here. Run again with --device cpu.")
    return torch.device(name)


def train(
    model: nn.Module,
    streams: Sequence[Stream[RowT]],
    settings: Settings,
    *,
    loss_of: Callable[[Stream[RowT], Sequence[RowT]], Tensor],
    device: torch.device,
    events: Events,
    body: nn.Module | None = None,
    checkpoint: Path | None = None,
    judge: Callable[[], float] | None = None,
) -> None:
    """Train in place, going on from ``checkpoint`` where it exists.

    ``loss_of`` gives the loss of one batch of a stream. Parameters outside ``body`` (by default all are inside) learn
    at ten times the rate.

    With a ``judge`` (a dev score, higher is better) the model is judged at each tenth of the steps from six tenths on
    and ends with its best weights. Raises TrainingError if the loss is not a number.
    """
    model.to(device).train()
    torch.manual_seed(settings.seed)
    optimiser = _optimiser(model, body or model, settings)
    steps = plan(streams, steps=settings.steps, size=settings.size, seed=settings.seed)
    done, best = _resume(checkpoint, model, optimiser, events)
    exams = {round(settings.steps * tenth / 10) for tenth in range(6, 11)} if judge is not None else set()
    started = saved = shown = time.monotonic()
    losses: dict[str, list[float]] = {}
    for step in range(done, settings.steps):
        at, indices = steps[step]
        stream = streams[at]
        factor = _schedule(step, settings)
        for group in optimiser.param_groups:
            group["lr"] = group["base"] * factor
        with autocast(device):
            loss = loss_of(stream, [stream.rows[index] for index in indices]) * stream.weight
        value = float(loss.detach())
        if not math.isfinite(value):
            raise TrainingError(
                f"The loss is not a number at step {step} ({stream.name}). Run again with a lower --rate."
            )
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
        optimiser.step()
        optimiser.zero_grad()
        losses.setdefault(stream.name, []).append(value)
        now = time.monotonic()
        if now - shown > 10 or step + 1 == settings.steps:
            shown = now
            means = {f"loss_{name}": sum(found) / len(found) for name, found in losses.items()}
            pace = (now - started) / (step + 1 - done)
            events.say(
                "step",
                step=step + 1,
                steps=settings.steps,
                metrics=means,
                eta_s=pace * (settings.steps - step - 1),
            )
            losses.clear()
        if judge is not None and step + 1 in exams:
            best = _judged(model, judge, best, events, step=step + 1, steps=settings.steps)
        if checkpoint is not None and now - saved > settings.checkpoint_every_s:
            saved = now
            _save(checkpoint, model, optimiser, done=step + 1, best=best)
            events.say("checkpoint", str(checkpoint), step=step + 1, steps=settings.steps)
    if best is not None:
        model.load_state_dict(best.weights)


def _judged(
    model: nn.Module,
    judge: Callable[[], float],
    best: Best | None,
    events: Events,
    *,
    step: int,
    steps: int,
) -> Best:
    score = judge()
    model.train()
    events.say("eval", step=step, steps=steps, metrics={"dev": score})
    if best is not None and best.score >= score:
        return best
    return Best(score, {name: value.detach().cpu().clone() for name, value in model.state_dict().items()})


def _schedule(step: int, settings: Settings) -> float:
    warm = max(1.0, settings.warmup * settings.steps)
    return min((step + 1) / warm, max(0.0, (settings.steps - step) / max(1.0, settings.steps - warm)))


def _optimiser(model: nn.Module, body: nn.Module, settings: Settings) -> torch.optim.AdamW:
    slow = list(body.parameters())
    inside = {id(parameter) for parameter in slow}
    heads = [parameter for parameter in model.parameters() if id(parameter) not in inside]
    groups: list[dict[str, Any]] = [{"params": slow, "base": settings.rate}]
    if heads:
        groups.append({"params": heads, "base": settings.rate * 10})
    return torch.optim.AdamW(groups, lr=settings.rate, weight_decay=settings.decay, fused=True)


def _save(
    path: Path, model: nn.Module, optimiser: torch.optim.Optimizer, *, done: int, best: Best | None
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    state: dict[str, Any] = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "done": done}
    state["best"] = {} if best is None else {"score": best.score, "weights": best.weights}
    torch.save({**state, "random": torch.get_rng_state()}, fresh)
    fresh.replace(path)


def _resume(
    path: Path | None, model: nn.Module, optimiser: torch.optim.Optimizer, events: Events
) -> tuple[int, Best | None]:
    if path is None or not path.is_file():
        return 0, None
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    torch.set_rng_state(state["random"])
    events.say("checkpoint", f"resumed from {path}", step=int(state["done"]))
    kept = state.get("best")
    return int(state["done"]), Best(float(kept["score"]), kept["weights"]) if kept else None
