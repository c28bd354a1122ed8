"""A stage of a recipe is done once: its finished weights lie in the run's folder, and a resumed run takes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from training.events import Events
from training.loop import TrainingError


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
