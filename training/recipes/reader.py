"""The recipe that makes the reader: related tasks first, then the reader's own corpora, then calibration and export.

Stage *related* learns from every corpus but BABE, so that its weights may start any scored BABE fold (multi-task
pre-training after MAGPIE, Horych et al. 2024). Stage *reader* adds BABE's sentences and words, and distant labels for
the words of biased statements. At full scale a large teacher goes through both stages first, and the small reader
also learns from its soft answers.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import torch

from core.bundle import load_bundle
from training import card, leaning, parity, sensitivity
from training.corpora import ALL, corrections, own_pairs
from training.dev_figures import dev_figures
from training.events import Events
from training.export import describe, seal, write_model
from training.figures import write_figures
from training.gold_kinds import demographic_scores, gold_kind_scores
from training.mixture import Mixture, gather
from training.model import ReaderModel
from training.reading import read, read_graph
from training.recipes.reader_stages import (
    MAX_TOKENS,
    SCALES,
    SMALL_BASE,
    TEACHER_BASE,
    Encoder,
    Request,
    Scale,
    dev_rows,
    train_stages,
)
from training.running import Running
from training.stages import once_whole
from training.tuning import DevRows, dev_scores, read_dev, tune

__all__ = ["MAX_TOKENS", "SCALES", "SMALL_BASE", "TEACHER_BASE", "Request", "Scale", "fit_leaning", "run"]


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
    """Train, export, tune what was exported on dev data, check parity and write the card. Returns the bundle's folder.

    Raises CorpusError, TrainingError, or ParityError if int8 reads differently from the checkpoint.
    """
    folder, events, device = running.folder, running.events, running.device
    scale = SCALES[request.scale]
    mixture = gather(
        request.data,
        seed=request.seed,
        limit=scale.limit,
        corrections=request.corrections,
        own_pairs=request.pairs,
        say=lambda message: events.say("stage", message),
    )
    teacher = None
    if scale.distil and request.start is None:
        large = folder / "teacher"
        made = train_stages(request.teacher, mixture, request, folder=large, device=device, events=events)
        teacher = (made.model, made.tokenizer)
    model, tokenizer, members = train_stages(
        request.base, mixture, request, folder=folder, device=device, events=events, teacher=teacher
    )
    encoder = Encoder(tokenizer)
    rows = dev_rows(mixture, encoder)
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
    logits = read_dev(rows, partial(read, model, device=device))
    scores = dev_scores(logits, rows, tune(logits, rows))
    bundle = folder / "bundle"
    graph = write_model(bundle, model, tokenizer)
    logits = read_dev(rows, partial(read_graph, graph))
    tuned = tune(logits, rows)
    corpora = [
        {"name": facts.name, "licence": facts.licence}
        for facts in (*ALL, *corrections.used(request.corrections), *own_pairs.used(request.pairs))
    ]
    describe(
        bundle,
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
        card.write(
            request=running.told,
            run=running.id,
            mixture=mixture,
            metrics=metrics,
            tuned=tuned,
            start_run=load_bundle(request.start).run if request.start else "",
            members=members,
        ),
    )
    sensitivity.put(bundle, sensitivity.measure(bundle, mixture.dev_wnc), pairs=len(mixture.dev_wnc) // 2)
    write_figures(folder, dev_figures(logits, rows, tuned))
    events.say("end", str(bundle), metrics=metrics)
    return bundle
