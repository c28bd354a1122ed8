"""The recipe that makes the reader: related tasks first, then the reader's own corpora, then calibration and export.

Stage *related* learns from every corpus but BABE, so that its weights may start any scored BABE fold (multi-task
pre-training after MAGPIE, Horych et al. 2024). Stage *reader* adds BABE's sentences and words, and distant labels for
the words of biased statements. At full scale a large teacher goes through both stages first, and the small reader
also learns from its soft answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from training import card, leaning, parity, sensitivity, weak
from training.batches import Encoded, Stream, encode
from training.corpora import ALL
from training.corpora.base import NOT_POLITICAL, Example
from training.events import Events
from training.export import seal, write_bundle
from training.from_bundle import restore
from training.gold_kinds import demographic_scores, gold_kind_scores
from training.loop import Settings, train
from training.mixture import Mixture, gather, injected_examples
from training.model import ReaderModel, load_base
from training.reader_loss import reader_loss
from training.running import Running
from training.stages import once_whole
from training.tuning import DevRows, dev_scores, read_dev, selection_score, tune

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
    start: Path | None = None
    name: str = "reader small"
    version: str = "1.0"


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
    rows = _dev_rows(mixture, encoder)
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


def fit_leaning(
    model: ReaderModel,
    mixture: Mixture,
    encoder: Encoder,
    rows: DevRows,
    *,
    seed: int,
    device: torch.device,
    events: Events,
) -> None:
    """Stage *leaning*: fit the leaning head afresh on the finished encoder; nothing else of the model changes."""
    events.stage = "leaning"
    events.say("stage", "the leaning head, on the finished encoder")
    chosen = leaning.thin(encoder(mixture.articles), seed=seed)
    other = encoder(mixture.not_political)[: len(chosen) // 4]
    train_rows = [*chosen, *other]
    states = leaning.features(model, train_rows, device=device)
    dev_states = leaning.features(model, rows.articles, device=device)
    head = leaning.fit((states, train_rows), (dev_states, rows.articles), seed=seed)
    leaning.put(model, head)
    events.say("eval", metrics={"dev_leaning_macro_f1": head.score})


def run(request: Request, running: Running) -> Path:
    """Train, tune on dev data, export, check parity and write the card. Returns the bundle's folder.

    Raises CorpusError, TrainingError, or ParityError if int8 reads differently from the checkpoint.
    """
    folder, events, device = running.folder, running.events, running.device
    scale = SCALES[request.scale]
    mixture = gather(
        request.data, seed=request.seed, limit=scale.limit, say=lambda message: events.say("stage", message)
    )
    teacher = None
    if scale.distil:
        large = folder / "teacher"
        teacher = train_stages(request.teacher, mixture, request, folder=large, device=device, events=events)
    model, tokenizer = train_stages(
        request.base, mixture, request, folder=folder, device=device, events=events, teacher=teacher
    )
    encoder = Encoder(tokenizer)
    rows = _dev_rows(mixture, encoder)
    if events.trial is not None:
        return folder
    once_whole(
        folder / "final.safetensors",
        model,
        fit=lambda _: fit_leaning(
            model, mixture, encoder, rows, seed=request.seed, device=device, events=events
        ),
        events=events,
    )
    events.stage = "export"
    events.obey()
    logits = read_dev(model, rows, device=device)
    tuned = tune(logits, rows)
    scores = dev_scores(logits, rows, tuned)
    bundle = folder / "bundle"
    corpora = [{"name": facts.name, "licence": facts.licence} for facts in ALL]
    write_bundle(
        bundle,
        model,
        tokenizer,
        tuned=tuned,
        name=request.name,
        version=request.version,
        run=running.id,
        corpora=corpora,
        max_tokens=MAX_TOKENS,
    )
    seal(bundle, "")
    int8 = parity.check(bundle, rows, scores, most=scale.parity)
    kinds = gold_kind_scores(bundle, mixture.dev_wnc)
    posts = demographic_scores(bundle, mixture.dev_gbnc)
    metrics = {**scores, **int8, **kinds, **posts}
    running.keep("metrics.json", metrics)
    seal(
        bundle,
        card.write(request=running.told, run=running.id, mixture=mixture, metrics=metrics, tuned=tuned),
    )
    sensitivity.put(bundle, sensitivity.measure(bundle, mixture.dev_wnc), pairs=len(mixture.dev_wnc) // 2)
    events.say("end", str(bundle), metrics=metrics)
    return bundle


def _dev_rows(mixture: Mixture, encoder: Encoder) -> DevRows:
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
