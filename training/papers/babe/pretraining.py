"""Pre-training for BABE's Table 5: distant labels of headlines, auxiliary tasks, and distillation from a teacher.

The first two are trained once for each encoder and saved. None of them sees a sentence of BABE outside the fold's
training part, nor a near-duplicate of one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from safetensors.torch import save_file

from training.corpora import allsides, babe
from training.loop.batches import EncodedExample, Stream
from training.loop.events import Events
from training.loop.training_loop import TrainingSettings, run_or_load, train
from training.modeling.encoders import EncoderSource
from training.modeling.reader import reader_loss
from training.reader import pseudo_labels
from training.reader.dataset_mix import SPLIT_SEED, load_dataset_mix
from training.reader.sentence_classifier import LEARNING_RATE, MAX_TOKENS, Classifier, new_classifier
from training.reader.stages import ExampleEncoder, train_broad_stage
from training.text.near_duplicates import NearDuplicateIndex
from training.types import Example

DISTANT_BATCH_SIZE = 64
AUXILIARY_BATCH_SIZE = 32
_SEED = 42
_TEACHER_SHARE = 0.5
"""Share of the student's steps on unlabelled sentences."""


def train_distant(
    source: EncoderSource,
    data: Path,
    folder: Path,
    *,
    limit: int | None,
    device: torch.device,
    events: Events,
) -> Path:
    """Encoder weights after one epoch of headlines with the ratings of their outlets as labels (BABE, section 4.3)."""
    weights = folder / f"distant-{source.key}-{_short(source)}-{limit or 'all'}.safetensors"
    if weights.is_file():
        return weights
    events.stage = f"distant {source.key}"
    examples = babe.load_headlines(data, NearDuplicateIndex(babe.texts(data)))
    examples = examples if limit is None else random.Random(_SEED).sample(examples, min(limit, len(examples)))
    classifier = new_classifier(source.place, seed=_SEED)
    model, rows = classifier.model, classifier.rows(examples)
    settings = TrainingSettings(
        steps=-(-len(rows) // DISTANT_BATCH_SIZE),
        batch_size=DISTANT_BATCH_SIZE,
        learning_rate=LEARNING_RATE,
        weight_decay=0.0,
        seed=_SEED,
    )

    def fit(checkpoint: Path) -> None:
        events.emit("stage", f"{len(rows)} headlines", steps=settings.steps)
        train(
            model,
            [Stream("headlines", rows, 1.0, ("bias",))],
            settings,
            loss_fn=reader_loss(model, device),
            backbone=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
        )

    def save(path: Path) -> None:
        save_file({name: value.contiguous() for name, value in model.encoder.state_dict().items()}, path)

    run_or_load(weights, fit=fit, load=lambda _: None, save=save, events=events)
    return weights


def train_auxiliary(
    source: EncoderSource,
    data: Path,
    folder: Path,
    *,
    steps: int,
    limit: int | None,
    device: torch.device,
    events: Events,
) -> Path:
    """A reader's weights after training on auxiliary bias tasks (after MAGPIE, Horych et al. 2024)."""
    place = folder / f"related-{source.key}-{_short(source)}-{steps}-{limit or 'all'}"
    weights = place / "broad.safetensors"
    if not weights.is_file():
        events.stage = f"related {source.key}"
        classifier = new_classifier(source.place, seed=_SEED)
        mixture = load_dataset_mix(
            data, seed=SPLIT_SEED, limit=limit, on_message=lambda message: events.emit("stage", message)
        )
        train_broad_stage(
            classifier.model,
            mixture,
            ExampleEncoder(classifier.tokenizer),
            TrainingSettings(
                steps=steps, batch_size=AUXILIARY_BATCH_SIZE, learning_rate=LEARNING_RATE, seed=_SEED
            ),
            device=device,
            events=events,
            folder=place,
        )
    return weights


def _short(source: EncoderSource) -> str:
    return source.digest.rpartition("/")[2][:16]


def unlabelled_sentences(data: Path, count: int) -> list[Example]:
    """At most ``count`` sentences of news articles, none of them a near-duplicate of a sentence of BABE."""
    scored = NearDuplicateIndex(babe.texts(data))
    found = [text for article in allsides.load(data, scored) for text in article.sentences]
    random.Random(_SEED).shuffle(found)
    chosen: list[Example] = []
    for text in found:
        if len(chosen) == count:
            break
        if not scored.has_near_duplicate(text):
            chosen.append(Example(text, "prose"))
    return chosen


def distillation_streams(
    student: Classifier,
    teacher: Classifier,
    train: Sequence[Example],
    unlabelled: Sequence[Example],
    *,
    device: torch.device,
) -> list[Stream[EncodedExample]]:
    """The fold's training part with its labels, and unlabelled sentences, both with the teacher's soft labels.

    The teacher was trained on the training part of the same fold only.
    """
    streams = [
        Stream("babe", student.rows(train), 1.0 - _TEACHER_SHARE, ("bias", "spans")),
        Stream("prose", student.rows(unlabelled), _TEACHER_SHARE),
    ]
    labeler = pseudo_labels.PseudoLabeler(
        teacher.model, teacher.tokenizer, device=device, max_tokens=MAX_TOKENS
    )
    return [replace(stream, rows=labeler(stream.rows)) for stream in streams]
