"""The stages of the reader's recipe: what is asked, how much work it is, which corpora each stage learns from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import torch

from training import weak
from training.batches import Encoded, Stream, encode
from training.corpora import corrections
from training.corpora.base import NOT_POLITICAL, Example
from training.events import Events
from training.from_bundle import restore
from training.loop import Settings, train
from training.mixture import Mixture, injected_examples
from training.model import ReaderModel, load_base
from training.reader_loss import reader_loss
from training.stages import once_whole
from training.tuning import DevRows, selection_score

MAX_TOKENS = 128
SMALL_BASE = "thenlper/gte-small"
INJECTED_SHARE = 0.3
TEACHER_BASE = "sentence-transformers/all-mpnet-base-v2"
RELATED_SHARES = {
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


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps of each stage, rows a step, a cap on each corpus, whether to distil, and
    how much lower the int8 macro-F1 may be.
    """

    related_steps: int
    reader_steps: int
    further_steps: int
    size: int = 32
    limit: int | None = None
    distil: bool = False
    parity: float = 0.01


SCALES = {
    "smoke": Scale(related_steps=6, reader_steps=8, further_steps=4, size=8, limit=24, parity=0.5),
    "cpu": Scale(related_steps=1300, reader_steps=1500, further_steps=250),
    "full": Scale(related_steps=6000, reader_steps=6000, further_steps=2000, distil=True),
}


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe.

    ``injected``: a file of ``evenhand train data inject``, whose injected words are typed spans to learn from too.
    ``corrections``: a person's own corrections, as the window saves them.
    ``start``: a reader's bundle to go on from, instead of the related stage.
    """

    data: Path
    base: str = SMALL_BASE
    teacher: str = TEACHER_BASE
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42
    rate: float = 5e-5
    injected: Path | None = None
    corrections: Path | None = None
    start: Path | None = None
    name: str = "reader small"
    version: str = field(default_factory=lambda: f"{date.today():%Y.%m.%d}")


class Encoder:
    """Tokenises each list of examples once."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._done: dict[int, tuple[Sequence[Example], list[Encoded]]] = {}

    def __call__(self, examples: Sequence[Example]) -> list[Encoded]:
        if id(examples) not in self._done:
            self._done[id(examples)] = (examples, encode(examples, self._tokenizer, max_tokens=MAX_TOKENS))
        return self._done[id(examples)][1]


def related_streams(mixture: Mixture, encoder: Encoder) -> list[Stream[Encoded]]:
    """Every corpus but BABE."""
    streams = [
        Stream(task.name, encoder(rows), RELATED_SHARES[task.name], (task.name,), weight=0.7)
        for task, rows in mixture.related.items()
        if rows
    ]
    return [
        *streams,
        Stream("cw_hard", encoder(mixture.cw_hard), 0.2, ("bias",)),
        Stream("wnc", encoder(mixture.wnc), 0.2, ("spans", "bias")),
        Stream("gbnc", encoder(mixture.gbnc), 0.03, ("spans", "bias")),
        Stream("articles", encoder(mixture.articles), 0.08, ("leaning",), weight=0.7),
        Stream("not_political", encoder(mixture.not_political), 0.02, ("leaning",), weight=0.7),
    ]


def train_related(
    model: ReaderModel,
    mixture: Mixture,
    encoder: Encoder,
    settings: Settings,
    *,
    device: torch.device,
    events: Events,
    folder: Path,
) -> None:
    """Stage *related*; its weights are kept in ``folder/related.safetensors`` and reused if they are there."""
    model.add_related({task.name: task.classes for task in mixture.related})
    events.stage = "related"

    def fit(checkpoint: Path) -> None:
        events.say("stage", "related tasks", steps=settings.steps)
        train(
            model,
            related_streams(mixture, encoder),
            settings,
            loss_of=reader_loss(model, device),
            body=model.encoder,
            device=device,
            events=events,
            checkpoint=checkpoint,
        )

    once_whole(folder / "related.safetensors", model, fit=fit, events=events)


def reader_streams(mixture: Mixture, encoder: Encoder, tagged: Sequence[Encoded]) -> list[Stream[Encoded]]:
    """The reader's own corpora; ``tagged`` are biased statements with distant word labels."""
    streams = [
        Stream("babe", encoder(mixture.babe), 0.34, ("spans", "bias")),
        Stream("wnc", encoder(mixture.wnc), 0.28, ("spans", "bias")),
        Stream("gbnc", encoder(mixture.gbnc), 0.05, ("spans", "bias")),
        Stream("cw_hard", encoder(mixture.cw_hard), 0.09, ("bias",)),
        Stream("articles", encoder(mixture.articles), 0.15, ("leaning",), weight=0.7),
        Stream("not_political", encoder(mixture.not_political), 0.03, ("leaning",), weight=0.7),
    ]
    return [*streams, Stream("tagged", tagged, 0.06, ("spans",), weight=0.5)] if tagged else streams


def train_stages(
    base: str,
    mixture: Mixture,
    request: Request,
    *,
    folder: Path,
    device: torch.device,
    events: Events,
    teacher: tuple[ReaderModel, Any] | None = None,
) -> tuple[ReaderModel, Any]:
    """Both stages on one base; finished ones are taken from ``folder``. Returns the model and its tokenizer."""
    scale = SCALES[request.scale]
    torch.manual_seed(request.seed)
    model, tokenizer = load_base(base)
    encoder = Encoder(tokenizer)
    if request.start is None:
        settings = Settings(steps=scale.related_steps, size=scale.size, rate=request.rate, seed=request.seed)
        train_related(model, mixture, encoder, settings, device=device, events=events, folder=folder)
    else:
        restore(request.start, model)
    events.stage = "reader"

    def fit(checkpoint: Path) -> None:
        _fit_reader(
            model,
            mixture,
            request,
            encoder,
            device=device,
            events=events,
            teacher=teacher,
            checkpoint=checkpoint,
        )

    once_whole(folder / "reader.safetensors", model, fit=fit, events=events)
    return model, tokenizer


def _fit_reader(
    model: ReaderModel,
    mixture: Mixture,
    request: Request,
    encoder: Encoder,
    *,
    device: torch.device,
    events: Events,
    teacher: tuple[ReaderModel, Any] | None,
    checkpoint: Path,
) -> None:
    scale = SCALES[request.scale]
    biased = [example for example in mixture.cw_hard if example.bias]
    tagged = weak.tag_biased(model, encoder(biased), device=device)
    steps = scale.reader_steps if request.start is None else scale.further_steps
    events.say("stage", f"reader; {len(tagged)} statements with distant word labels", steps=steps)
    streams = reader_streams(mixture, encoder, tagged)
    if request.injected is not None:
        made = injected_examples(request.injected, limit=scale.limit)
        streams.append(Stream("injected", encoder(made), INJECTED_SHARE, ("spans", "bias"), weight=0.7))
    if teacher is not None:
        events.say("stage", "reading every row with the teacher")
        streams = [
            weak.with_teacher(stream, *teacher, device=device, max_tokens=MAX_TOKENS) for stream in streams
        ]
    if mixture.corrections:  # After the teacher, who could contradict the person.
        share = corrections.share_of(len(mixture.corrections), steps=steps, size=scale.size)
        streams.append(Stream("corrections", encoder(mixture.corrections), share, ("spans", "bias")))
    rows = dev_rows(mixture, encoder)
    train(
        model,
        streams,
        Settings(steps=steps, size=scale.size, rate=request.rate, seed=request.seed + 1),
        loss_of=reader_loss(model, device),
        body=model.encoder,
        device=device,
        events=events,
        checkpoint=checkpoint,
        judge=lambda: selection_score(model, rows, device=device),
    )


def dev_rows(mixture: Mixture, encoder: Encoder) -> DevRows:
    """The dev parts as tokens."""
    return DevRows(
        babe=encoder(mixture.dev_babe),
        wnc=encoder(mixture.dev_wnc),
        articles=encoder(mixture.dev_articles),
        other=encoder(_other_dev(mixture)),
    )


def _other_dev(mixture: Mixture) -> list[Example]:
    """Prose that is not political, for fitting: neutral sides of WNC's dev pairs stand for an encyclopedia."""
    return [
        Example(example.text, "other", leaning=NOT_POLITICAL)
        for example in mixture.dev_wnc
        if not example.spans
    ]
