"""The stages of the reader's recipe: scales, the corpora that each stage samples and how often, and its training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file

from core.runs.recipes import ReaderRequest
from training.corpora import user_data
from training.loop import checkpoints
from training.loop.batches import EncodedExample, Stream, encode
from training.loop.events import Events
from training.loop.training_loop import TrainingSettings, run_or_load_model, train
from training.modeling.reader import ReaderModel, load_base, load_bundle_weights, reader_loss
from training.reader import pseudo_labels
from training.reader.counterfactuals import swapped_examples, template_examples
from training.reader.dataset_mix import DatasetMix, injected_examples
from training.reader.invariance_fit import TemplateGap
from training.reader.threshold_selection import DevRows, selection_score
from training.types import NOT_POLITICAL, Example

MAX_TOKENS = 128
AUXILIARY_SAMPLING = {
    "persuasion": 0.08,
    "loaded_language": 0.08,
    "subjectivity": 0.05,
    "sentiment": 0.03,
    "news_bias": 0.06,
    "news_subjectivity": 0.03,
    "group_bias": 0.05,
    "stereotype": 0.03,
    "climate_stance": 0.02,
    "fact_or_feeling": 0.04,
}
READER_SAMPLING = {
    "babe": 0.34,
    "wnc": 0.28,
    "gbnc": 0.05,
    "cw_hard": 0.09,
    "articles": 0.15,
    "not_political": 0.03,
    "tagged": 0.06,
    "injected": 0.3,
}
CONTINUED_SAMPLING = {
    "babe": 0.34,
    "wnc_spans": 0.34,
    "wnc_bias": 0.16,
    "gbnc": 0.03,
    "cw_hard": 0.1,
    "articles": 0.04,
    "not_political": 0.01,
    "tagged": 0.05,
    "injected": 0.1,
    "templates": 0.12,
    "swapped": 0.08,
}
"""A reader that goes on knows leaning and BABE; it learns more of edited spans, and to read alike of whom it is.

Spans of WNC's pairs are learnt from biased sides alone: an editor who mended one span says nothing of the
others' words. The bias of a sentence is learnt from both, or all of Wikipedia would seem biased. (In READER_SHARES,
with which the shipped reader began, both sides teach both.)
"""


class ExampleEncoder:
    """Tokenises each list of examples once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._done: dict[int, tuple[Sequence[Example], list[EncodedExample]]] = {}

    def __call__(self, examples: Sequence[Example]) -> list[EncodedExample]:
        if id(examples) not in self._done:
            self._done[id(examples)] = (examples, encode(examples, self._tokenizer, max_tokens=MAX_TOKENS))
        return self._done[id(examples)][1]


def auxiliary_streams(mixture: DatasetMix, encoder: ExampleEncoder) -> list[Stream[EncodedExample]]:
    """Every corpus but BABE."""
    streams = [
        Stream(task.name, encoder(rows), AUXILIARY_SAMPLING[task.name], (task.name,), loss_weight=0.7)
        for task, rows in mixture.related.items()
        if rows
    ]
    return [
        *streams,
        Stream("cw_hard", encoder(mixture.cw_hard), 0.2, ("bias",)),
        Stream("wnc", encoder(mixture.wnc), 0.2, ("spans", "bias")),
        Stream("gbnc", encoder(mixture.gbnc), 0.03, ("spans", "bias")),
        Stream("articles", encoder(mixture.articles), 0.08, ("leaning",), loss_weight=0.7),
        Stream("not_political", encoder(mixture.not_political), 0.02, ("leaning",), loss_weight=0.7),
    ]


def reader_streams(
    mixture: DatasetMix,
    encoder: ExampleEncoder,
    tagged: Sequence[EncodedExample],
    shares: Mapping[str, float],
) -> list[Stream[EncodedExample]]:
    """The streams of the corpora in ``shares``; ``tagged`` are biased statements with pseudo-labelled words."""
    both = ("spans", "bias")
    streams = [
        Stream("babe", encoder(mixture.babe), shares["babe"], both),
        Stream("gbnc", encoder(mixture.gbnc), shares["gbnc"], both),
        Stream("cw_hard", encoder(mixture.cw_hard), shares["cw_hard"], ("bias",)),
        Stream("articles", encoder(mixture.articles), shares["articles"], ("leaning",), loss_weight=0.7),
        Stream(
            "not_political",
            encoder(mixture.not_political),
            shares["not_political"],
            ("leaning",),
            loss_weight=0.7,
        ),
    ]
    if tagged:
        streams.append(Stream("tagged", tagged, shares["tagged"], ("spans",), loss_weight=0.5))
    pairs = encoder(mixture.wnc)
    if "wnc" in shares:
        return [*streams, Stream("wnc", pairs, shares["wnc"], both)]
    biased = [row for row in pairs if row.example.spans]
    return [
        *streams,
        Stream("wnc_spans", biased, shares["wnc_spans"], ("spans",)),
        Stream("wnc_bias", pairs, shares["wnc_bias"], ("bias",)),
    ]


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps of each stage, the number of continued trainings, the batch size, a cap on each
    corpus, whether to distil, and by how much the int8 macro-F1 may be lower.
    """

    related_steps: int
    reader_steps: int
    further_steps: int
    members: int = 2
    size: int = 32
    limit: int | None = None
    distil: bool = False
    parity: float = 0.01


SCALES = {
    "smoke": Scale(related_steps=6, reader_steps=8, further_steps=4, size=8, limit=24, parity=0.5),
    "cpu": Scale(related_steps=1300, reader_steps=1500, further_steps=300),
    "full": Scale(related_steps=6000, reader_steps=6000, further_steps=2000, distil=True),
}


class TrainedReader(NamedTuple):
    """A trained reader and its tokenizer; ``members`` are the trainings whose weights were averaged."""

    model: ReaderModel
    tokenizer: Any
    members: tuple[str, ...] = ()


def train_auxiliary_stage(
    model: ReaderModel,
    mixture: DatasetMix,
    encoder: ExampleEncoder,
    settings: TrainingSettings,
    *,
    device: torch.device,
    events: Events,
    folder: Path,
) -> None:
    """Stage *related*: the auxiliary tasks. Its weights are ``folder/related.safetensors``, loaded if they exist."""
    model.add_auxiliary_heads({task.name: task.classes for task in mixture.related})
    events.stage = "related"

    def fit(checkpoint: Path) -> None:
        events.emit("stage", "related tasks", steps=settings.steps)
        train(
            model,
            auxiliary_streams(mixture, encoder),
            settings,
            loss_fn=reader_loss(model, device),
            backbone=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
        )

    run_or_load_model(folder / "related.safetensors", model, fit=fit, events=events)


def train_stages(
    base: str,
    mixture: DatasetMix,
    request: ReaderRequest,
    *,
    folder: Path,
    device: torch.device,
    events: Events,
    teacher: tuple[ReaderModel, Any] | None = None,
) -> TrainedReader:
    """All stages on one base; finished ones are loaded from ``folder``."""
    scale = SCALES[request.scale]
    torch.manual_seed(request.seed)
    model, tokenizer = load_base(base)
    encoder = ExampleEncoder(tokenizer)
    rows = dev_rows(mixture, encoder)
    own = partial(
        _own_streams, model, mixture, request, encoder, device=device, events=events, teacher=teacher
    )

    def judge() -> float:
        return selection_score(model, rows, device=device)

    def fit(checkpoint: Path, *, streams: list[Stream[EncodedExample]], seed: int, judged: bool) -> None:
        steps = scale.reader_steps if request.init_from is None else scale.further_steps
        train(
            model,
            streams,
            TrainingSettings(
                steps=steps, batch_size=scale.size, learning_rate=request.learning_rate, seed=seed
            ),
            loss_fn=reader_loss(model, device),
            backbone=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
            eval_fn=judge if judged else None,
        )

    if request.init_from is None:
        settings = TrainingSettings(
            steps=scale.related_steps,
            batch_size=scale.size,
            learning_rate=request.learning_rate,
            seed=request.seed,
        )
        train_auxiliary_stage(model, mixture, encoder, settings, device=device, events=events, folder=folder)
        events.stage = "reader"
        run_or_load_model(
            folder / "reader.safetensors",
            model,
            fit=lambda checkpoint: fit(
                checkpoint, streams=own(READER_SAMPLING), seed=request.seed + 1, judged=True
            ),
            events=events,
        )
        return TrainedReader(model, tokenizer)
    load_bundle_weights(request.init_from, model)
    start = folder / "start.safetensors"
    count = scale.members if request.ensemble_size is None else request.ensemble_size
    members = [folder / f"further-{number}.safetensors" for number in range(1, count + 1)]
    events.stage = "further"
    run_or_load_model(start, model, fit=lambda _: None, events=events)
    if not members:
        return TrainedReader(model, tokenizer, (start.stem,))
    streams = own(CONTINUED_SAMPLING)
    for number, weights in enumerate(members, start=1):
        model.load_state_dict(load_file(start))
        run_or_load_model(
            weights,
            model,
            fit=partial(fit, streams=streams, seed=request.seed + number, judged=False),
            events=events,
        )
    if events.dry_run is not None:
        return TrainedReader(model, tokenizer)
    shift = TemplateGap(encoder)
    fair = partial(shift, model, device=device)
    taken = checkpoints.greedy_soup(model, [start, *members], eval_fn=lambda: judge() - fair(), events=events)
    events.emit("stage", f"the mean of {', '.join(taken)}")
    return TrainedReader(model, tokenizer, taken)


def _own_streams(
    model: ReaderModel,
    mixture: DatasetMix,
    request: ReaderRequest,
    encoder: ExampleEncoder,
    shares: Mapping[str, float],
    *,
    device: torch.device,
    events: Events,
    teacher: tuple[ReaderModel, Any] | None,
) -> list[Stream[EncodedExample]]:
    """The streams of the reader's own stage; ``model`` in its present state gives the pseudo labels of words."""
    scale = SCALES[request.scale]
    biased = [example for example in mixture.cw_hard if example.bias]
    tagged = pseudo_labels.add_pseudo_spans(model, encoder(biased), device=device)
    steps = scale.reader_steps if request.init_from is None else scale.further_steps
    events.emit("stage", f"{len(tagged)} statements with pseudo-labelled words")
    streams = reader_streams(mixture, encoder, tagged, shares)
    if request.injected is not None:
        made = injected_examples(request.injected, limit=scale.limit)
        tasks = ("spans", "bias") if request.init_from is None else ("spans",)
        streams.append(Stream("injected", encoder(made), shares["injected"], tasks, loss_weight=0.7))
    if request.init_from is not None:
        for name, made, tasks in (
            ("templates", template_examples(seed=request.seed), ("spans", "bias")),
            ("swapped", swapped_examples([*mixture.babe, *mixture.cw_hard], seed=request.seed), ("bias",)),
        ):
            streams.append(Stream(name, encoder(made[: scale.limit]), shares[name], tasks))
    if teacher is not None:
        events.emit("stage", "predicting every row with the teacher")
        streams = [
            pseudo_labels.add_teacher_labels(stream, *teacher, device=device, max_tokens=MAX_TOKENS)
            for stream in streams
        ]
    for name, own in (("corrections", mixture.corrections), ("pairs", mixture.own_pairs)):
        if own:  # After the teacher, whose predictions could contradict the user.
            share = user_data.sampling_weight(len(own), steps=steps, size=scale.size)
            streams.append(Stream(name, encoder(own), share, ("spans", "bias")))
    return streams


def dev_rows(mixture: DatasetMix, encoder: ExampleEncoder) -> DevRows:
    """The dev parts as tokens."""
    return DevRows(
        babe=encoder(mixture.dev_babe),
        wnc=encoder(mixture.dev_wnc),
        articles=encoder(mixture.dev_articles),
        other=encoder(_other_dev(mixture)),
    )


def _other_dev(mixture: DatasetMix) -> list[Example]:
    """Prose that is not political, for fitting: neutral sides of WNC's dev pairs."""
    return [
        Example(example.text, "other", leaning=NOT_POLITICAL)
        for example in mixture.dev_wnc
        if not example.spans
    ]
