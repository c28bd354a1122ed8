"""The training loop of all recipes: seeded batches, AdamW or RMSProp, bf16, checkpoints, resume to equal weights.

A stage of a recipe runs once: its weights lie in the run's folder, and a resumed run loads them.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Generic, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from training.loop import checkpoints
from training.loop.batches import RowT, Stream, plan_batches
from training.loop.checkpoints import CheckpointError, Progress
from training.loop.devices import autocast
from training.loop.events import DryRun, Events

CHECKPOINT_EVERY_S = 180.0
_SHOW_EVERY_S = 10.0
_DRY_RUN_STEPS = 5
_EVAL_TENTHS = tuple(range(6, 11))
"""Without ``eval_every`` a model is evaluated after so many tenths of its steps."""


class TrainingError(Exception):
    """Training cannot continue; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How one stage trains.

    ``steps`` batches of ``batch_size`` rows, each in ``accumulation_steps`` parts. ``learning_rate`` is the backbone's,
    all other parameters have ten times as much; it rises over the share ``warmup`` of the steps, then falls linearly to
    ``final_lr_ratio`` of itself. The model is evaluated every ``eval_every`` steps; after ``patience`` evaluations
    without an improvement training stops (0: never). ``optimiser``: ``rmsprop`` is Keras's (decay 0.9;
    ``weight_decay`` is then an L2 penalty).
    """

    steps: int
    batch_size: int = 32
    learning_rate: float = 1e-4
    warmup: float = 0.1
    final_lr_ratio: float = 0.0
    seed: int = 42
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    accumulation_steps: int = 1
    eval_every: int = 0
    patience: int = 0
    checkpoint_every_s: float | None = None
    optimiser: Literal["adamw", "rmsprop"] = "adamw"


def choose_device(name: str) -> torch.device:
    """``auto`` takes CUDA where there is one. Raises TrainingError where CUDA is asked for and missing."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise TrainingError("No CUDA device can be used here. Run again with --device cpu.")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise TrainingError(f"{name} is not a device. Use --device auto, cpu, cuda or cuda:0.") from error
    if device.index is not None and device.index >= max(1, torch.cuda.device_count()):
        raise TrainingError(f"This computer has no {name}. Run again with --device cuda:0 or --device cpu.")
    return device


def train(
    model: nn.Module,
    streams: Sequence[Stream[RowT]],
    settings: TrainingSettings,
    *,
    loss_fn: Callable[[Stream[RowT], Sequence[RowT]], Tensor],
    device: torch.device,
    events: Events,
    backbone: nn.Module | None = None,
    checkpoint: Path | None = None,
    eval_fn: Callable[[], float] | None = None,
) -> None:
    """Train in place, resuming from ``checkpoint`` where it exists.

    ``loss_fn`` returns the mean loss of some rows of a stream. Parameters outside ``backbone`` (default: all are
    inside) get ten times the learning rate. With ``eval_fn`` (a dev score, higher is better) the model ends with its
    best weights.

    Where memory runs out, batches are halved and the step is repeated. Raises TrainingError if the loss is not finite
    or one row does not fit into memory, and StoppedError if the run is stopped.
    """
    if not any(stream.rows for stream in streams):
        raise TrainingError(f"There are no training rows in stage {events.stage or 'train'}.")
    model.to(device).train()
    torch.manual_seed(settings.seed)
    stage = _Stage(
        model=model,
        streams=streams,
        settings=settings,
        loss_fn=loss_fn,
        device=device,
        events=events,
        optimiser=_optimiser(model, backbone or model, settings),
        checkpoint=checkpoint,
        eval_fn=eval_fn,
    )
    if events.dry_run is not None:
        stage.estimate_steps(events.dry_run)
    else:
        stage.run()


@dataclass(slots=True, kw_only=True)
class _Stage(Generic[RowT]):
    model: nn.Module
    streams: Sequence[Stream[RowT]]
    settings: TrainingSettings
    loss_fn: Callable[[Stream[RowT], Sequence[RowT]], Tensor]
    device: torch.device
    events: Events
    optimiser: torch.optim.Optimizer
    checkpoint: Path | None
    eval_fn: Callable[[], float] | None

    def run(self) -> None:
        """Take all remaining steps."""
        settings, events = self.settings, self.events
        planned = plan_batches(
            self.streams, steps=settings.steps, batch_size=settings.batch_size, seed=settings.seed
        )
        progress = self._resumed()
        eval_steps = self._eval_steps()
        first, losses = progress.done, defaultdict[str, list[float]](list)
        started = saved = shown = time.monotonic()
        interval = CHECKPOINT_EVERY_S if settings.checkpoint_every_s is None else settings.checkpoint_every_s
        while progress.done < settings.steps and not progress.stopped:
            at, indices = planned[progress.done]
            losses[self.streams[at].name].append(self._step(progress, self.streams[at], indices))
            now = time.monotonic()
            if now - shown > _SHOW_EVERY_S or progress.done == settings.steps:
                shown = now
                pace = (now - started) / (progress.done - first)
                means = {f"loss_{name}": fmean(found) for name, found in losses.items()}
                self._emit("step", progress, metrics=means, pace=pace)
                losses.clear()
            if self.eval_fn is not None and progress.done in eval_steps:
                self._evaluate(progress, self.eval_fn)
            if now - saved > interval:
                saved = now
                self._save(progress)
            events.check_cancelled(save=lambda: self._save(progress))
        if progress.best is not None:
            self.model.load_state_dict(progress.best)

    def estimate_steps(self, dry_run: DryRun) -> None:
        """Take a few steps spread over the plan and one evaluation, and add the estimate of the whole stage."""
        settings = self.settings
        planned = plan_batches(
            self.streams, steps=settings.steps, batch_size=settings.batch_size, seed=settings.seed
        )
        progress = Progress(parts=settings.accumulation_steps)
        chosen = [
            planned[round(at * (len(planned) - 1) / _DRY_RUN_STEPS)] for at in range(_DRY_RUN_STEPS + 1)
        ]
        began = time.monotonic()
        for number, (at, indices) in enumerate(chosen):
            if number == 1:  # The first step pays for what is set up once.
                began = time.monotonic()
            self._step(progress, self.streams[at], indices)
        dry_run.seconds += (time.monotonic() - began) / _DRY_RUN_STEPS * settings.steps
        if self.eval_fn is not None:
            began = time.monotonic()
            self.eval_fn()
            dry_run.seconds += (time.monotonic() - began) * len(self._eval_steps())
        weights = sum(value.numel() * value.element_size() for value in self.model.state_dict().values())
        dry_run.checkpoint_bytes = max(dry_run.checkpoint_bytes, 4 * weights)

    def _step(self, progress: Progress, stream: Stream[RowT], indices: Sequence[int]) -> float:
        factor = _schedule(progress.done, self.settings)
        for group in self.optimiser.param_groups:
            group["lr"] = group["base"] * factor
        rows = [stream.rows[index] for index in indices]
        while True:
            try:
                value = self._gradients(stream, rows, progress)
                break
            except (RuntimeError, MemoryError) as error:
                if not is_out_of_memory(error):
                    raise
                self._halve(progress, len(rows), error)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.max_grad_norm)
        self.optimiser.step()
        self.optimiser.zero_grad()
        progress.done += 1
        return value

    def _gradients(self, stream: Stream[RowT], rows: Sequence[RowT], progress: Progress) -> float:
        """Gradients of a batch, part by part, weighted by their rows. Returns the batch's loss."""
        width = -(-len(rows) // progress.parts)
        total = 0.0
        for start in range(0, len(rows), width):
            part = rows[start : start + width]
            with autocast(self.device):
                loss = self.loss_fn(stream, part) * (stream.loss_weight * len(part) / len(rows))
            value = float(loss.detach())
            if not math.isfinite(value):
                raise TrainingError(
                    f"The loss is not a number at step {progress.done} ({stream.name}). Lower it with --learning-rate."
                )
            loss.backward()  # type: ignore[no-untyped-call]
            total += value
        return total

    def _halve(self, progress: Progress, rows: int, error: Exception) -> None:
        self.optimiser.zero_grad()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        if progress.parts >= rows:
            raise TrainingError(
                "One sentence alone does not fit into memory. Choose a smaller base model or another device."
            ) from error
        progress.parts *= 2
        self.events.emit(
            "warning",
            f"Memory ran out: batches of {self.settings.batch_size} are now split into {progress.parts} parts.",
            step=progress.done,
            steps=self.settings.steps,
        )

    def _eval_steps(self) -> set[int]:
        if self.eval_fn is None:
            return set()
        steps, every = self.settings.steps, self.settings.eval_every
        if every:
            return {*range(every, steps, every), steps}
        return {round(steps * tenth / 10) for tenth in _EVAL_TENTHS}

    def _evaluate(self, progress: Progress, eval_fn: Callable[[], float]) -> None:
        score = eval_fn()
        self.model.train()
        self._emit("eval", progress, metrics={"dev": score})
        if progress.best is None or score > progress.score:
            progress.score, progress.misses = score, 0
            state = self.model.state_dict()
            progress.best = {name: value.detach().cpu().clone() for name, value in state.items()}
        else:
            progress.misses += 1
            progress.stopped = 0 < self.settings.patience <= progress.misses

    def _resumed(self) -> Progress:
        fresh = Progress(parts=self.settings.accumulation_steps)
        if self.checkpoint is None:
            return fresh
        try:
            found = checkpoints.resume(self.checkpoint, self.model, self.optimiser)
        except CheckpointError as error:
            raise TrainingError(str(error)) from error
        if found is not None:
            self._emit("checkpoint", found, message=f"resumed at step {found.done}")
        return found or fresh

    def _save(self, progress: Progress) -> None:
        if self.checkpoint is None:
            return
        try:
            checkpoints.save(self.checkpoint, self.model, self.optimiser, progress)
        except CheckpointError as error:
            self._emit("warning", progress, message=str(error))
        else:
            self._emit("checkpoint", progress, message=self.checkpoint.name)

    def _emit(
        self,
        event: str,
        progress: Progress,
        *,
        metrics: dict[str, float] | None = None,
        message: str = "",
        pace: float = 0.0,
    ) -> None:
        steps = self.settings.steps
        left = pace * (steps - progress.done)
        self.events.emit(event, message, step=progress.done, steps=steps, metrics=metrics, eta_s=left)


def _schedule(step: int, settings: TrainingSettings) -> float:
    warm = max(1.0, settings.warmup * settings.steps)
    left = max(0.0, (settings.steps - step) / max(1.0, settings.steps - warm))
    return min((step + 1) / warm, settings.final_lr_ratio + (1.0 - settings.final_lr_ratio) * left)


def _optimiser(model: nn.Module, backbone: nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    inner = list(backbone.parameters())
    inside = {id(parameter) for parameter in inner}
    heads = [parameter for parameter in model.parameters() if id(parameter) not in inside]
    groups: list[dict[str, Any]] = [{"params": inner, "base": settings.learning_rate}]
    if heads:
        groups.append({"params": heads, "base": settings.learning_rate * 10})
    if settings.optimiser == "rmsprop":
        return torch.optim.RMSprop(
            groups, lr=settings.learning_rate, alpha=0.9, eps=1e-7, weight_decay=settings.weight_decay
        )
    return torch.optim.AdamW(
        groups, lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
    )


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error of torch or Python says that memory ran out, on a CUDA card or on the machine."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return "can't allocate memory" in str(error) or "out of memory" in str(error).lower()


def run_or_load(
    weights: Path,
    *,
    fit: Callable[[Path], None],
    load: Callable[[Path], object],
    save: Callable[[Path], object],
    events: Events,
) -> None:
    """Load ``weights`` where they exist; else ``fit`` (which gets the path of its checkpoint) and save them.

    Raises TrainingError where they cannot be written; the checkpoint is kept then.
    """
    if weights.is_file():
        load(weights)
        events.emit("stage", "already trained")
        return
    events.check_cancelled()
    checkpoint = weights.with_suffix(".pt")
    weights.parent.mkdir(parents=True, exist_ok=True)
    fit(checkpoint)
    fresh = weights.with_suffix(".new")
    try:
        save(fresh)
        fresh.replace(weights)
    except (OSError, SafetensorError) as error:
        fresh.unlink(missing_ok=True)
        raise TrainingError(
            f"The weights of stage {events.stage} could not be written ({error}). Free some space on the disk, then "
            f"resume with --resume {events.run}."
        ) from error
    checkpoint.unlink(missing_ok=True)


def run_or_load_model(
    weights: Path, model: nn.Module, *, fit: Callable[[Path], None], events: Events
) -> None:
    """``run_or_load`` for a model whose weights are all its own."""
    run_or_load(
        weights,
        fit=fit,
        load=lambda path: model.load_state_dict(load_file(path)),
        save=lambda path: save_file(model.state_dict(), path),
        events=events,
    )
