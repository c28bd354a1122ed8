"""The stages of the reader's recipe: scales, the corpora that each stage samples and how often, and its training.

The *broad* stage trains on every corpus but BABE: edits of Wikipedia's editors, statements and news sentences that are
biased or not, spans that resemble bias, auxiliary tasks. The *reader* stage trains on the most informative data: spans
with gold kinds, sentences in which every span is marked (those with a rare kind more often), BABE, neutral sentences,
and variants about another side or group, or in another spelling, with the same labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from core.runs.recipes import ReaderRequest
from core.types import Kind
from training.corpora import user_data
from training.loop.batches import EncodedExample, Stream, encode
from training.loop.events import Events
from training.loop.training_loop import TrainingSettings, run_or_load_model, train
from training.modeling.dropout import share_dropout
from training.modeling.reader import ReaderModel, load_base, reader_loss
from training.reader import pseudo_labels
from training.reader.counterfactuals import swapped_examples, template_examples
from training.reader.dataset_mix import DatasetMix, injected_examples
from training.reader.dev_scores import dev_rows, selection_score
from training.reader.neutral_mentions import neutral_mention_examples
from training.reader.variants import variant_examples
from training.types import Example

MAX_TOKENS = 128
AUXILIARY_SAMPLING = {
    "persuasion": 0.04,
    "loaded_language": 0.04,
    "subjectivity": 0.03,
    "sentiment": 0.02,
    "news_bias": 0.03,
    "news_subjectivity": 0.02,
    "group_bias": 0.03,
    "stereotype": 0.02,
    "climate_stance": 0.01,
    "fact_or_feeling": 0.02,
}
BROAD_SAMPLING = {
    "wnc": 0.45,
    "anno_lexical": 0.14,
    "cw_hard": 0.1,
    "opinions": 0.1,
    "gbnc": 0.02,
    "articles": 0.04,
    "not_political": 0.01,
}
READER_SAMPLING = {
    "wikibias": 0.26,
    "annotated": 0.22,
    "annotated_corpora": 0.38,
    "epistemological": 0.05,
    "demographic": 0.05,
    "babe": 0.12,
    "wnc": 0.12,
    "cw_hard": 0.03,
    "anno_lexical": 0.04,
    "gbnc": 0.02,
    "variants": 0.04,
    "swapped": 0.03,
    "templates": 0.05,
    "neutral_mentions": 0.04,
    "injected": 0.1,
}
"""Relative weights: a stream whose corpus is not there is left out, and the others are sampled the more."""
UNLABELLED_SAMPLING = 0.3
"""The weight of unlabelled sentences, which have the teacher's probabilities alone."""
TEACHER_STREAMS = frozenset(
    ("wikibias", "annotated_corpora", "babe", "wnc", "cw_hard", "anno_lexical", "gbnc", "unlabelled")
)
"""The streams that a teacher labels too. The others are marked in full, or the user's own data, or counterfactuals."""
_ALL = ("spans", "classes", "bias")


class ExampleEncoder:
    """Tokenises each list of examples once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._done: dict[int, tuple[Sequence[Example], list[EncodedExample]]] = {}

    def __call__(self, examples: Sequence[Example]) -> list[EncodedExample]:
        if id(examples) not in self._done:
            self._done[id(examples)] = (examples, encode(examples, self._tokenizer, max_tokens=MAX_TOKENS))
        return self._done[id(examples)][1]


def broad_streams(mixture: DatasetMix, encoder: ExampleEncoder) -> list[Stream[EncodedExample]]:
    """Every corpus but BABE and the annotated sentences, whose news may resemble BABE's."""
    streams = [
        Stream(task.name, encoder(rows), AUXILIARY_SAMPLING[task.name], (task.name,), loss_weight=0.7)
        for task, rows in mixture.auxiliary.items()
    ]
    for name, rows, tasks in (
        ("wnc", mixture.wnc, ("spans", "bias")),
        ("anno_lexical", mixture.anno_lexical, ("bias",)),
        ("cw_hard", mixture.cw_hard, ("bias",)),
        ("opinions", mixture.opinions, ("spans",)),
        ("gbnc", mixture.gbnc, ("spans", "bias")),
        ("articles", mixture.articles, ("leaning",)),
        ("not_political", mixture.not_political, ("leaning",)),
    ):
        streams.append(Stream(name, encoder(rows), BROAD_SAMPLING[name], tasks))
    return [stream for stream in streams if stream.rows]


def reader_streams(
    mixture: DatasetMix, encoder: ExampleEncoder, *, injected: Path | None, limit: int | None, seed: int
) -> list[Stream[EncodedExample]]:
    """The streams of the reader's own stage. ``injected`` is a file of injected pairs, or None."""
    gold = [*mixture.annotated, *mixture.babe, *mixture.wikibias_prose]
    kinds = [*mixture.annotated, *mixture.annotated_corpora, *mixture.wikibias, *mixture.gbnc]
    streams = [
        Stream(name, encoder(rows), READER_SAMPLING[name], tasks)
        for name, rows, tasks in (
            ("wikibias", mixture.wikibias, _ALL),
            ("annotated", mixture.annotated, _ALL),
            ("annotated_corpora", mixture.annotated_corpora, _ALL),
            ("epistemological", _with_kind(kinds, Kind.EPISTEMOLOGICAL), _ALL),
            ("demographic", _with_kind(kinds, Kind.DEMOGRAPHIC), _ALL),
            ("babe", mixture.babe, _ALL),
            ("wnc", mixture.wnc, _ALL),
            ("cw_hard", mixture.cw_hard, _ALL),
            ("anno_lexical", mixture.anno_lexical, _ALL),
            ("gbnc", mixture.gbnc, _ALL),
            ("variants", variant_examples(gold)[:limit], _ALL),
            ("swapped", swapped_examples([*gold, *mixture.cw_hard], seed=seed)[:limit], _ALL),
            ("templates", template_examples(seed=seed)[:limit], _ALL),
            ("neutral_mentions", neutral_mention_examples(seed=seed)[:limit], _ALL),
            ("injected", injected_examples(injected, limit=limit) if injected else [], ("spans",)),
        )
    ]
    return [stream for stream in streams if stream.rows]


def _with_kind(examples: Sequence[Example], kind: Kind) -> list[Example]:
    """The examples in which a span is of a kind that is rare, so that it is read more often."""
    return [example for example in examples if any(span.kind is kind for span in example.spans or ())]


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps of both stages for the reader and for its teacher, sentences without labels that
    the teacher reads, the batch size, a cap on each corpus, and by how much the int8 macro-F1 may be lower.
    """

    broad_steps: int
    reader_steps: int
    teacher_steps: tuple[int, int] = (0, 0)
    unlabelled: int = 0
    size: int = 32
    limit: int | None = None
    parity: float = 0.01


SCALES = {
    "smoke": Scale(
        broad_steps=6, reader_steps=8, teacher_steps=(3, 3), unlabelled=24, size=8, limit=24, parity=0.5
    ),
    "cpu": Scale(broad_steps=600, reader_steps=4500, teacher_steps=(700, 1700), unlabelled=60_000),
    "full": Scale(broad_steps=6000, reader_steps=8000, teacher_steps=(6000, 6000), unlabelled=120_000),
}


class TrainedReader(NamedTuple):
    """A trained reader and its tokenizer."""

    model: ReaderModel
    tokenizer: Any


def train_broad_stage(
    model: ReaderModel,
    mixture: DatasetMix,
    encoder: ExampleEncoder,
    settings: TrainingSettings,
    *,
    device: torch.device,
    events: Events,
    folder: Path,
    name: str = "broad",
) -> None:
    """Stage *broad*, shown as ``name``. Its weights are ``folder/broad.safetensors``, loaded if they exist."""
    model.add_auxiliary_heads({task.name: task.classes for task, rows in mixture.auxiliary.items() if rows})
    events.stage = name

    def fit(checkpoint: Path) -> None:
        events.emit("stage", "corpora that resemble bias, and auxiliary tasks", steps=settings.steps)
        train(
            model,
            broad_streams(mixture, encoder),
            settings,
            loss_fn=reader_loss(model, device),
            backbone=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
        )

    run_or_load_model(folder / "broad.safetensors", model, fit=fit, events=events)


def train_stages(
    base: str,
    mixture: DatasetMix,
    request: ReaderRequest,
    *,
    steps: tuple[int, int],
    folder: Path,
    device: torch.device,
    events: Events,
    teacher: TrainedReader | None = None,
    learning_rate: float | None = None,
    prefix: str = "",
) -> TrainedReader:
    """Both stages on one base, ``steps`` each; finished ones are loaded from ``folder``.

    ``prefix`` stands before the names of the stages in the events: two models have curves of their own.
    """
    scale = SCALES[request.scale]
    torch.manual_seed(request.seed)
    model, tokenizer = load_base(base)
    architecture = str(model.encoder.config.model_type)  # type: ignore[union-attr]
    if device.type == "cpu" and architecture in ("bert", "mpnet"):
        share_dropout(model.encoder)
    encoder = ExampleEncoder(tokenizer)
    rows = dev_rows(mixture, encoder)

    def settings(count: int, seed: int) -> TrainingSettings:
        return TrainingSettings(
            steps=count,
            batch_size=scale.size,
            learning_rate=learning_rate or request.learning_rate,
            seed=seed,
        )

    train_broad_stage(
        model,
        mixture,
        encoder,
        settings(steps[0], request.seed),
        device=device,
        events=events,
        folder=folder,
        name=f"{prefix}broad",
    )
    events.stage = f"{prefix}reader"

    def fit(checkpoint: Path) -> None:
        train(
            model,
            _streams(mixture, request, encoder, steps[1], with_unlabelled=teacher is not None),
            settings(steps[1], request.seed + 1),
            loss_fn=distillation_loss(model, teacher, device),
            backbone=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
            eval_fn=lambda: selection_score(model, rows, device=device),
        )

    run_or_load_model(folder / "reader.safetensors", model, fit=fit, events=events)
    return TrainedReader(model, tokenizer)


def distillation_loss(
    model: ReaderModel, teacher: TrainedReader | None, device: torch.device
) -> Callable[[Stream[EncodedExample], Sequence[EncodedExample]], Tensor]:
    """The reader's loss; with a teacher also against its probabilities in `TEACHER_STREAMS`."""
    loss = reader_loss(model, device)
    if teacher is None:
        return loss
    labeler = pseudo_labels.PseudoLabeler(*teacher, device=device, max_tokens=MAX_TOKENS)

    def of_batch(stream: Stream[EncodedExample], rows: Sequence[EncodedExample]) -> Tensor:
        return loss(stream, labeler(rows) if stream.name in TEACHER_STREAMS else rows)

    return of_batch


def _streams(
    mixture: DatasetMix,
    request: ReaderRequest,
    encoder: ExampleEncoder,
    steps: int,
    *,
    with_unlabelled: bool,
) -> list[Stream[EncodedExample]]:
    """The streams of the reader's own stage; with a teacher also sentences that it alone labels."""
    scale = SCALES[request.scale]
    streams = reader_streams(
        mixture, encoder, injected=request.injected, limit=scale.limit, seed=request.seed
    )
    if with_unlabelled:
        unlabelled = mixture.unlabelled[: scale.unlabelled]
        streams.append(Stream("unlabelled", encoder(unlabelled), UNLABELLED_SAMPLING))
    for name, own in (("corrections", mixture.corrections), ("pairs", mixture.own_pairs)):
        if own:
            share = user_data.sampling_weight(len(own), steps=steps, size=scale.size)
            streams.append(Stream(name, encoder(own), share, ("spans", "bias")))
    return streams
