"""What an encoder learns before BABE: which outlets a headline comes from (distant), or related bias tasks.

Each is done once for an encoder and kept; neither sees a sentence of BABE nor a near-duplicate of one.
"""

from __future__ import annotations

import random
from pathlib import Path

import torch
from safetensors.torch import save_file

from training.babe.classifier import RATE, start
from training.batches import Stream
from training.corpora import babe, headlines
from training.encoders import Source
from training.events import Events
from training.loop import Settings, train
from training.mixture import MIXTURE_SEED, gather
from training.near import NearIndex
from training.reader_loss import reader_loss
from training.recipes.reader_stages import train_related
from training.recipes.reader_streams import Encoder
from training.stages import once

DISTANT_SIZE = 64
RELATED_SIZE = 32
_SEED = 42


def distant(
    source: Source, data: Path, folder: Path, *, limit: int | None, device: torch.device, events: Events
) -> Path:
    """Encoder weights after one epoch of headlines at batch 64, their labels those of their outlets (section 4.3)."""
    weights = folder / f"distant-{source.key}-{_short(source)}-{limit or 'all'}.safetensors"
    if weights.is_file():
        return weights
    events.stage = f"distant {source.key}"
    examples = headlines.load(data, NearIndex(babe.texts(data)))
    examples = examples if limit is None else random.Random(_SEED).sample(examples, min(limit, len(examples)))
    classifier = start(source.place, seed=_SEED)
    model, rows = classifier.model, classifier.rows(examples)
    settings = Settings(
        steps=-(-len(rows) // DISTANT_SIZE), size=DISTANT_SIZE, rate=RATE, decay=0.0, seed=_SEED
    )

    def fit(checkpoint: Path) -> None:
        events.say("stage", f"{len(rows)} headlines", steps=settings.steps)
        train(
            model,
            [Stream("headlines", rows, 1.0, ("bias",))],
            settings,
            loss_of=reader_loss(model, device),
            body=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
        )

    def save(path: Path) -> None:
        save_file({name: value.contiguous() for name, value in model.encoder.state_dict().items()}, path)

    once(weights, fit=fit, load=lambda _: None, save=save, events=events)
    return weights


def related(
    source: Source,
    data: Path,
    folder: Path,
    *,
    steps: int,
    limit: int | None,
    device: torch.device,
    events: Events,
) -> Path:
    """A reader's weights after the related stage of its recipe (after MAGPIE, Horych et al. 2024)."""
    place = folder / f"related-{source.key}-{_short(source)}-{steps}-{limit or 'all'}"
    weights = place / "related.safetensors"
    if not weights.is_file():
        events.stage = f"related {source.key}"
        classifier = start(source.place, seed=_SEED)
        mixture = gather(
            data, seed=MIXTURE_SEED, limit=limit, say=lambda message: events.say("stage", message)
        )
        train_related(
            classifier.model,
            mixture,
            Encoder(classifier.tokenizer),
            Settings(steps=steps, size=RELATED_SIZE, rate=RATE, seed=_SEED),
            device=device,
            events=events,
            folder=place,
        )
    return weights


def _short(source: Source) -> str:
    return source.mark.rpartition("/")[2][:16]
