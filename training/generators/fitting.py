"""Fitting one module: Adam, warm-up, checkpoints, resume to the same weights, early stopping by a dev loss."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from training.events import Events
from training.loop import TrainingError


@dataclass(frozen=True, slots=True)
class Fitting:
    """How one stage is fitted: ``steps`` at most, dev loss ``every`` so many, ``patience`` readings without a fall."""

    steps: int
    rate: float
    every: int
    patience: int
    seed: int
    warmup: float = 0.05
    clip: float = 1.0


@dataclass(slots=True)
class _Progress:
    done: int = 0
    lowest: float = math.inf
    misses: int = 0
    best: dict[str, Tensor] | None = None


def fit(
    model: nn.Module,
    loss: Callable[[int], Tensor],
    dev_loss: Callable[[], float],
    fitting: Fitting,
    *,
    checkpoint: Path,
    events: Events,
) -> None:
    """Minimise ``loss(step)`` over the parameters that want gradients; ends with the weights of least dev loss.

    Goes on from ``checkpoint``, which is written at every dev reading. Raises TrainingError if a loss is no number.
    """
    model.train()
    torch.manual_seed(fitting.seed)
    wanted = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(wanted, lr=fitting.rate, weight_decay=0.01)
    progress = _resume(checkpoint, model, optimiser, events)
    started, first = time.monotonic(), progress.done
    seen: list[float] = []
    while progress.done < fitting.steps and progress.misses < fitting.patience:
        warm = max(1.0, fitting.warmup * fitting.steps)
        left = (fitting.steps - progress.done) / fitting.steps
        for group in optimiser.param_groups:
            group["lr"] = fitting.rate * min((progress.done + 1) / warm, 0.1 + 0.9 * left)
        value = loss(progress.done)
        seen.append(float(value.detach()))
        if not math.isfinite(seen[-1]):
            raise TrainingError(
                f"The loss is not a number at step {progress.done} ({events.stage}). Start again with another seed."
            )
        value.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(wanted, fitting.clip)
        optimiser.step()
        optimiser.zero_grad()
        progress.done += 1
        if progress.done % fitting.every == 0 or progress.done == fitting.steps:
            _read_dev(model, dev_loss, progress)
            pace = (time.monotonic() - started) / (progress.done - first)
            events.say(
                "eval",
                step=progress.done,
                steps=fitting.steps,
                metrics={
                    "loss": sum(seen) / len(seen),
                    "dev_loss": progress.lowest,
                    "misses": progress.misses,
                },
                eta_s=pace * (fitting.steps - progress.done),
            )
            seen.clear()
            _save(checkpoint, model, optimiser, progress)
    if progress.best is not None:
        model.load_state_dict(progress.best)


def _read_dev(model: nn.Module, dev_loss: Callable[[], float], progress: _Progress) -> None:
    model.eval()
    with torch.inference_mode():
        value = dev_loss()
    model.train()
    if value < progress.lowest:
        progress.lowest, progress.misses = value, 0
        progress.best = {name: tensor.detach().cpu().clone() for name, tensor in model.state_dict().items()}
    else:
        progress.misses += 1


def _save(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer, progress: _Progress) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    state = {
        "model": model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "random": torch.get_rng_state(),
    }
    numbers = {"done": progress.done, "lowest": progress.lowest, "misses": progress.misses}
    torch.save({**state, **numbers, "best": progress.best}, fresh)
    fresh.replace(path)


def _resume(path: Path, model: nn.Module, optimiser: torch.optim.Optimizer, events: Events) -> _Progress:
    if not path.is_file():
        return _Progress()
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    optimiser.load_state_dict(state["optimiser"])
    torch.set_rng_state(state["random"])
    events.say("checkpoint", f"resumed from {path}", step=int(state["done"]))
    return _Progress(int(state["done"]), float(state["lowest"]), int(state["misses"]), state["best"])
