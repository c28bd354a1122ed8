"""The recipe that makes the reader: related tasks first, then the reader's own corpora, then calibration and export.

Stage *related* learns from every corpus but BABE, so that its weights may start any scored BABE fold (multi-task
pre-training after MAGPIE, Horych et al. 2024). Stage *reader* adds BABE's sentences and words, and distant labels for
the words of biased statements. At full scale a large teacher goes through both stages first, and the small reader
also learns from its soft answers.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from core.bundles.reader import load_reader_bundle
from core.runs.recipes import ReaderRequest
from training.corpora import ALL, user_data
from training.loop.events import Events
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError, run_or_load_model
from training.metrics import macro_f1
from training.modeling import leaning_head
from training.modeling.reader import ReaderModel, read, read_graph
from training.reader import (
    invariance_fit,
    leaning_classifier,
    leaning_recipe,
    model_card,
    quality_checks,
    sensitivity_curve,
)
from training.reader.charts import dev_figures, write_figures
from training.reader.dataset_mix import Mixture, gather
from training.reader.export import Tuned, describe, seal, write_model
from training.reader.invariance_fit import TemplateShift
from training.reader.quality_checks import demographic_scores, gold_kind_scores
from training.reader.stages import (
    MAX_TOKENS,
    SCALES,
    Encoder,
    dev_rows,
    train_stages,
)
from training.reader.threshold_selection import DevLogits, DevRows, dev_scores, read_dev, tune
from training.types import NOT_POLITICAL

__all__ = ["MAX_TOKENS", "SCALES", "check", "fit_leaning", "run"]


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
    events.emit("stage", "the leaning head, on the finished encoder")
    chosen = leaning_head.thin(encoder(mixture.articles), seed=seed)
    train_rows = [*chosen, *encoder(mixture.not_political)[: len(chosen) // 4]]
    edits = leaning_head.edits(model, encoder(mixture.wnc), device=device)
    head = leaning_classifier.fit_rows(
        leaning_head.features(model, train_rows, device=device), train_rows, edits
    )
    leaning_head.put(model, head)
    answers = leaning_head.answers(head, leaning_head.features(model, rows.articles, device=device))
    gold = [int(row.example.leaning or 0) for row in rows.articles]
    score = macro_f1(gold, answers[:, :NOT_POLITICAL].argmax(1).tolist())
    events.emit("eval", metrics={"dev_leaning_macro_f1": score})


def fit_heads(
    model: ReaderModel,
    mixture: Mixture,
    encoder: Encoder,
    rows: DevRows,
    *,
    request: ReaderRequest,
    device: torch.device,
    events: Events,
) -> None:
    """The heads that are fitted last: that of bias reads people alike, and that of leaning is made afresh.

    Where a reader goes on without a training, its encoder is the old one, and so is its leaning head.
    """
    events.stage = "people"
    shift = TemplateShift(encoder)
    before = shift(model, device=device)
    events.emit("stage", "the bias head, so that people read alike")
    invariance_fit.fit(model, encoder([*mixture.babe, *mixture.wnc, *mixture.gbnc]), encoder, device=device)
    events.emit("eval", metrics={"shift_before": before, "shift": shift(model, device=device)})
    if not request.keeps_encoder:
        fit_leaning(model, mixture, encoder, rows, seed=request.seed, device=device, events=events)


def _tuned(logits: DevLogits, rows: DevRows, request: ReaderRequest) -> Tuned:
    """What dev data say; of heads that are the start's, what its bundle says."""
    found = tune(logits, rows)
    if request.init_from is None or not request.keeps_encoder:
        return found
    kept = load_reader_bundle(request.init_from)
    return Tuned(
        replace(kept.calibration, bias=found.calibration.bias),
        replace(kept.thresholds, bias=found.thresholds.bias),
    )


def check(request: ReaderRequest) -> None:
    """Raise TrainingError for options that do not go together."""
    if request.ensemble_size is not None and (request.init_from is None or request.ensemble_size < 0):
        raise TrainingError(
            "--ensemble-size is the number of trainings, 0 or more, that continue from a reader. "
            "Name it with --init-from BUNDLE."
        )
    if request.head != "bias" and not request.keeps_encoder:
        raise TrainingError("--head leaning fits that head alone. Add --init-from BUNDLE --ensemble-size 0.")


def run(request: ReaderRequest, context: RunContext) -> Path:
    """Train, export, tune what was exported on dev data, check parity and write the card. Returns the bundle's folder.

    Raises CorpusError, TrainingError, or ParityError if int8 reads differently from the checkpoint.
    """
    if request.head == "leaning" and request.init_from is not None:
        return leaning_recipe.run(
            request.init_from, request.data, scale=request.scale, seed=request.seed, context=context
        )
    folder, events, device = context.folder, context.events, context.device
    scale = SCALES[request.scale]
    mixture = gather(
        request.data,
        seed=request.seed,
        limit=scale.limit,
        corrections=request.corrections,
        own_pairs=request.pairs,
        on_message=lambda message: events.emit("stage", message),
    )
    teacher = None
    if scale.distil and request.init_from is None:
        large = folder / "teacher"
        made = train_stages(request.teacher, mixture, request, folder=large, device=device, events=events)
        teacher = (made.model, made.tokenizer)
    model, tokenizer, members = train_stages(
        request.base, mixture, request, folder=folder, device=device, events=events, teacher=teacher
    )
    encoder = Encoder(tokenizer)
    rows = dev_rows(mixture, encoder)
    if events.dry_run is not None:
        return folder
    run_or_load_model(
        folder / "final.safetensors",
        model,
        fit=lambda _: fit_heads(model, mixture, encoder, rows, request=request, device=device, events=events),
        events=events,
    )
    events.stage = "export"
    events.check_cancelled()
    before = read_dev(rows, partial(read, model, device=device))
    tuned_on = partial(_tuned, rows=rows, request=request)
    scores = dev_scores(before, rows, tuned_on(before))
    bundle = folder / "bundle"
    graph = write_model(bundle, model, tokenizer)
    logits = read_dev(rows, partial(read_graph, graph))
    tuned = tuned_on(logits)
    corpora = [
        {"name": facts.name, "licence": facts.licence}
        for facts in (
            *ALL,
            *user_data.corrections_facts(request.corrections),
            *user_data.pairs_facts(request.pairs),
        )
    ]
    describe(
        bundle,
        tuned=tuned,
        name=request.name,
        version=request.version,
        run=context.id,
        corpora=corpora,
        max_tokens=MAX_TOKENS,
    )
    seal(bundle, "")
    int8 = quality_checks.check(bundle, rows, scores, most=scale.parity)
    kinds = gold_kind_scores(bundle, mixture.dev_wnc)
    posts = demographic_scores(bundle, mixture.dev_gbnc)
    apart = {"int8_apart": quality_checks.apart(before.babe, logits.babe)}
    metrics = {**scores, **int8, **apart, **kinds, **posts}
    context.write_json("metrics.json", metrics)
    seal(
        bundle,
        model_card.write(
            request=context.settings,
            run=context.id,
            mixture=mixture,
            metrics=metrics,
            tuned=tuned,
            start_run=load_reader_bundle(request.init_from).run if request.init_from else "",
            members=members,
        ),
        evaluation=model_card.evaluations(metrics),
        limits=model_card.LIMITS,
    )
    sensitivity_curve.write_curve(
        bundle, sensitivity_curve.measure(bundle, mixture.dev_wnc), pairs=len(mixture.dev_wnc) // 2
    )
    write_figures(folder, dev_figures(logits, rows, tuned))
    events.emit("end", str(bundle), metrics=metrics)
    return bundle
