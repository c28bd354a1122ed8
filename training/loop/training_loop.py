"""The one training loop.

Seeded batches, AdamW or RMSProp, bf16, resume to the same weights; and stages that run once and are loaded
afterwards.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from training.loop import checkpoints
from training.loop.batches import RowT, Stream, plan
from training.loop.checkpoints import CheckpointError, Progress
from training.loop.devices import autocast
from training.loop.events import Events, Trial

# The one training loop: a seeded plan of batches, AdamW or RMSProp, bf16, checkpoints, resume to the same result.


CHECKPOINT_EVERY_S = 180.0
_SHOW_EVERY_S = 10.0
_TRIAL_STEPS = 5
_EXAMS = tuple(range(6, 11))
"""Without ``judge_every`` a model is judged at so many tenths of its steps."""


class TrainingError(Exception):
    """Training cannot go on; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How one stage trains.

    ``steps`` batches of ``size`` rows, each taken in ``accumulate`` pieces; ``rate`` is the body's, heads take ten
    times it; it rises over ``warmup`` of the steps, then falls to ``floor`` of itself. With ``judge_every`` the model
    is judged each so many steps, and with ``patience`` it stops after so many judgements that were no better.
    ``optimiser``: ``rmsprop`` is Keras's (0.9 of the mean of squares is kept; ``decay`` is then a penalty).
    """

    steps: int
    size: int = 32
    rate: float = 1e-4
    warmup: float = 0.1
    floor: float = 0.0
    seed: int = 42
    decay: float = 0.01
    clip: float = 1.0
    accumulate: int = 1
    judge_every: int = 0
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
        raise TrainingError(f"{name} is no device. Say --device auto, cpu, cuda or cuda:0.") from error
    if device.index is not None and device.index >= max(1, torch.cuda.device_count()):
        raise TrainingError(f"There is no {name} here. Run again with --device cuda:0 or --device cpu.")
    return device


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

    ``loss_of`` gives the mean loss of some rows of a stream. Parameters outside ``body`` (by default all are inside)
    learn at ten times the rate. With a ``judge`` (a dev score, higher is better) the model ends with its best weights.

    Where memory runs out, batches are cut in halves and the step is taken again. Raises TrainingError if the loss is
    not a number or one row does not fit, and StoppedError if somebody stopped it.
    """
    if not any(stream.rows for stream in streams):
        raise TrainingError(f"There is nothing to learn from in stage {events.stage or 'train'}.")
    model.to(device).train()
    torch.manual_seed(settings.seed)
    stage = _Stage(
        model=model,
        streams=streams,
        settings=settings,
        loss_of=loss_of,
        device=device,
        events=events,
        optimiser=_optimiser(model, body or model, settings),
        checkpoint=checkpoint,
        judge=judge,
    )
    if events.trial is not None:
        stage.attempt(events.trial)
    else:
        stage.run()


@dataclass(slots=True, kw_only=True)
class _Stage(Generic[RowT]):
    model: nn.Module
    streams: Sequence[Stream[RowT]]
    settings: Settings
    loss_of: Callable[[Stream[RowT], Sequence[RowT]], Tensor]
    device: torch.device
    events: Events
    optimiser: torch.optim.Optimizer
    checkpoint: Path | None
    judge: Callable[[], float] | None

    def run(self) -> None:
        """All steps that are left."""
        settings, events = self.settings, self.events
        planned = plan(self.streams, steps=settings.steps, size=settings.size, seed=settings.seed)
        progress = self._resumed()
        exams = self._exams()
        first, losses = progress.done, _Losses()
        started = saved = shown = time.monotonic()
        pause = CHECKPOINT_EVERY_S if settings.checkpoint_every_s is None else settings.checkpoint_every_s
        while progress.done < settings.steps and not progress.stopped:
            at, indices = planned[progress.done]
            losses.add(self.streams[at].name, self._step(progress, self.streams[at], indices))
            now = time.monotonic()
            if now - shown > _SHOW_EVERY_S or progress.done == settings.steps:
                shown = now
                pace = (now - started) / (progress.done - first)
                self._say("step", progress, metrics=losses.means(), pace=pace)
            if self.judge is not None and progress.done in exams:
                self._judge(progress, self.judge)
            if now - saved > pause:
                saved = now
                self._save(progress)
            events.obey(keep=lambda: self._save(progress))
        if progress.best is not None:
            self.model.load_state_dict(progress.best)

    def attempt(self, trial: Trial) -> None:
        """Take a few steps from all over the plan and one judgement, and say what the whole would take."""
        settings = self.settings
        planned = plan(self.streams, steps=settings.steps, size=settings.size, seed=settings.seed)
        progress = Progress(parts=settings.accumulate)
        chosen = [planned[round(at * (len(planned) - 1) / _TRIAL_STEPS)] for at in range(_TRIAL_STEPS + 1)]
        began = time.monotonic()
        for number, (at, indices) in enumerate(chosen):
            if number == 1:  # The first step pays for what is set up once.
                began = time.monotonic()
            self._step(progress, self.streams[at], indices)
        trial.seconds += (time.monotonic() - began) / _TRIAL_STEPS * settings.steps
        if self.judge is not None:
            began = time.monotonic()
            self.judge()
            trial.seconds += (time.monotonic() - began) * len(self._exams())
        weights = sum(value.numel() * value.element_size() for value in self.model.state_dict().values())
        trial.checkpoint_bytes = max(trial.checkpoint_bytes, 4 * weights)

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
        nn.utils.clip_grad_norm_(self.model.parameters(), self.settings.clip)
        self.optimiser.step()
        self.optimiser.zero_grad()
        progress.done += 1
        return value

    def _gradients(self, stream: Stream[RowT], rows: Sequence[RowT], progress: Progress) -> float:
        """Gradients of a batch, piece by piece; a piece counts by its rows. Returns the batch's loss."""
        piece = -(-len(rows) // progress.parts)
        total = 0.0
        for start in range(0, len(rows), piece):
            part = rows[start : start + piece]
            with autocast(self.device):
                loss = self.loss_of(stream, part) * (stream.weight * len(part) / len(rows))
            value = float(loss.detach())
            if not math.isfinite(value):
                raise TrainingError(
                    f"The loss is not a number at step {progress.done} ({stream.name}). Run again with a lower --rate."
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
        self.events.say(
            "warning",
            f"Memory ran out: batches of {self.settings.size} are now taken in {progress.parts} pieces.",
            step=progress.done,
            steps=self.settings.steps,
        )

    def _exams(self) -> set[int]:
        if self.judge is None:
            return set()
        steps, every = self.settings.steps, self.settings.judge_every
        if every:
            return {*range(every, steps, every), steps}
        return {round(steps * tenth / 10) for tenth in _EXAMS}

    def _judge(self, progress: Progress, judge: Callable[[], float]) -> None:
        score = judge()
        self.model.train()
        self._say("eval", progress, metrics={"dev": score})
        if progress.best is None or score > progress.score:
            progress.score, progress.misses = score, 0
            state = self.model.state_dict()
            progress.best = {name: value.detach().cpu().clone() for name, value in state.items()}
        else:
            progress.misses += 1
            progress.stopped = 0 < self.settings.patience <= progress.misses

    def _resumed(self) -> Progress:
        fresh = Progress(parts=self.settings.accumulate)
        if self.checkpoint is None:
            return fresh
        try:
            found = checkpoints.resume(self.checkpoint, self.model, self.optimiser)
        except CheckpointError as error:
            raise TrainingError(str(error)) from error
        if found is not None:
            self._say("checkpoint", found, message=f"resumed at step {found.done}")
        return found or fresh

    def _save(self, progress: Progress) -> None:
        if self.checkpoint is None:
            return
        try:
            checkpoints.save(self.checkpoint, self.model, self.optimiser, progress)
        except CheckpointError as error:
            self._say("warning", progress, message=str(error))
        else:
            self._say("checkpoint", progress, message=self.checkpoint.name)

    def _say(
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
        self.events.say(event, message, step=progress.done, steps=steps, metrics=metrics, eta_s=left)


class _Losses:
    """The losses of each stream since they were last told."""

    def __init__(self) -> None:
        self._found: dict[str, list[float]] = {}

    def add(self, stream: str, loss: float) -> None:
        self._found.setdefault(stream, []).append(loss)

    def means(self) -> dict[str, float]:
        means = {f"loss_{name}": sum(found) / len(found) for name, found in self._found.items()}
        self._found.clear()
        return means


def _schedule(step: int, settings: Settings) -> float:
    warm = max(1.0, settings.warmup * settings.steps)
    left = max(0.0, (settings.steps - step) / max(1.0, settings.steps - warm))
    return min((step + 1) / warm, settings.floor + (1.0 - settings.floor) * left)


def _optimiser(model: nn.Module, body: nn.Module, settings: Settings) -> torch.optim.Optimizer:
    slow = list(body.parameters())
    inside = {id(parameter) for parameter in slow}
    heads = [parameter for parameter in model.parameters() if id(parameter) not in inside]
    groups: list[dict[str, Any]] = [{"params": slow, "base": settings.rate}]
    if heads:
        groups.append({"params": heads, "base": settings.rate * 10})
    if settings.optimiser == "rmsprop":
        return torch.optim.RMSprop(groups, lr=settings.rate, alpha=0.9, eps=1e-7, weight_decay=settings.decay)
    return torch.optim.AdamW(groups, lr=settings.rate, weight_decay=settings.decay, fused=True)


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error of torch, or of Python, says that memory ran out: on a card, or on the machine."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    return "can't allocate memory" in str(error) or "out of memory" in str(error).lower()


# A stage of a recipe is done once: its finished weights lie in the run's folder, and a resumed run takes them.


def once(
    weights: Path,
    *,
    fit: Callable[[Path], None],
    load: Callable[[Path], None],
    save: Callable[[Path], None],
    events: Events,
) -> None:
    """Load ``weights`` where they are there, else fit (given the place of its checkpoint) and save them.

    Raises TrainingError where they cannot be written; the checkpoint stays then.
    """
    if weights.is_file():
        load(weights)
        events.say("stage", "already trained")
        return
    events.obey()
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
            f"go on with --resume {events.run}."
        ) from error
    checkpoint.unlink(missing_ok=True)


def once_whole(weights: Path, model: nn.Module, *, fit: Callable[[Path], None], events: Events) -> None:
    """``once`` for a model whose weights are all its own."""
    once(
        weights,
        fit=fit,
        load=lambda path: model.load_state_dict(load_file(path)) and None,
        save=lambda path: save_file(model.state_dict(), path),
        events=events,
    )
