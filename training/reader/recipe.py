"""The recipe of the reader: auxiliary tasks first, then the reader's own corpora, then calibration and export.

Stage *related* trains on every corpus but BABE, so that its weights may start any scored BABE fold (multi-task
pre-training after MAGPIE, Horych et al. 2024). Stage *reader* adds BABE's sentences and words, and pseudo labels for
the words of biased statements. At full scale a large teacher goes through both stages first, and the small reader
also learns from its probabilities.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import torch

from core.bundles.reader import load_reader_bundle
from core.runs.recipes import ReaderRequest
from training.corpora import ALL, allsides
from training.corpora.user_data import corpora_of_model
from training.loop.events import Events
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError, run_or_load_model
from training.metrics import macro_f1
from training.modeling import leaning_head
from training.modeling.reader import ReaderModel, check_tokenizer, predict, predict_with_graph
from training.reader import (
    invariance_fit,
    leaning_classifier,
    leaning_recipe,
    model_card,
    quality_checks,
    sensitivity_curve,
)
from training.reader.charts import dev_metrics, write_run_metrics
from training.reader.dataset_mix import DatasetMix, load_dataset_mix
from training.reader.export import TunedParameters, seal_bundle, write_manifest, write_model
from training.reader.invariance_fit import TemplateGap
from training.reader.quality_checks import demographic_scores, gold_kind_scores
from training.reader.stages import (
    MAX_TOKENS,
    SCALES,
    ExampleEncoder,
    dev_rows,
    train_stages,
)
from training.reader.threshold_selection import DevLogits, DevRows, dev_scores, predict_dev, select_parameters
from training.types import NOT_POLITICAL

__all__ = ["MAX_TOKENS", "SCALES", "check", "fit_leaning_stage", "run"]

MAX_PER_OUTLET = 150
"""Windows of an outlet that the leaning head is fitted on."""


def fit_leaning_stage(
    model: ReaderModel,
    mixture: DatasetMix,
    encoder: ExampleEncoder,
    rows: DevRows,
    *,
    seed: int,
    device: torch.device,
    events: Events,
) -> None:
    """Stage *leaning*: fit the leaning head afresh on the finished encoder; nothing else of the model changes."""
    events.stage = "leaning"
    events.emit("stage", "the leaning head, on the finished encoder")
    chosen = allsides.limit_per_group(
        encoder(mixture.articles), lambda row: row.example.group, most=MAX_PER_OUTLET, seed=seed
    )
    train_rows = [*chosen, *encoder(mixture.not_political)[: len(chosen) // 4]]
    edits = leaning_head.edit_shifts(model, encoder(mixture.wnc), device=device)
    head = leaning_classifier.fit_leaning_head_on_rows(
        leaning_head.mean_states(model, train_rows, device=device), train_rows, edits
    )
    leaning_head.set_head(model, head)
    answers = leaning_head.head_logits(head, leaning_head.mean_states(model, rows.articles, device=device))
    gold = [int(row.example.leaning or 0) for row in rows.articles]
    score = macro_f1(gold, answers[:, :NOT_POLITICAL].argmax(1).tolist())
    events.emit("eval", metrics={"dev_leaning_macro_f1": score})


def fit_final_heads(
    model: ReaderModel,
    mixture: DatasetMix,
    encoder: ExampleEncoder,
    rows: DevRows,
    *,
    request: ReaderRequest,
    device: torch.device,
    events: Events,
) -> None:
    """Fit the bias head so that persons do not change its score, and the leaning head afresh.

    Where only one head is fitted, the encoder is that of the start, and so is the leaning head.
    """
    events.stage = "people"
    shift = TemplateGap(encoder)
    before = shift(model, device=device)
    events.emit("stage", "the bias head, so that persons do not change its score")
    invariance_fit.fit_bias_head(
        model, encoder([*mixture.babe, *mixture.wnc, *mixture.gbnc]), encoder, device=device
    )
    events.emit("eval", metrics={"shift_before": before, "shift": shift(model, device=device)})
    if not request.keeps_encoder:
        fit_leaning_stage(model, mixture, encoder, rows, seed=request.seed, device=device, events=events)


def _tuned(logits: DevLogits, rows: DevRows, request: ReaderRequest) -> TunedParameters:
    """The parameters selected on dev data; for heads of the start, those of its bundle."""
    found = select_parameters(logits, rows)
    if request.init_from is None or not request.keeps_encoder:
        return found
    kept = load_reader_bundle(request.init_from)
    return TunedParameters(
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
    """Train, export, tune the exported model on dev data, check parity and write the card. Returns the bundle's folder.

    Raises CorpusError, TrainingError, or ParityError if the int8 model scores lower than the checkpoint.
    """
    if request.head == "leaning" and request.init_from is not None:
        return leaning_recipe.refit_leaning_head(
            request.init_from, request.data, scale=request.scale, seed=request.seed, context=context
        )
    folder, events, device = context.folder, context.events, context.device
    scale = SCALES[request.scale]
    mixture = load_dataset_mix(
        request.data,
        seed=request.seed,
        limit=scale.limit,
        corrections=request.corrections,
        own_pairs=request.pairs,
        on_message=lambda message: events.emit("stage", message),
    )
    check_tokenizer(request.base)
    teacher = None
    if scale.distil and request.init_from is None:
        large = folder / "teacher"
        made = train_stages(request.teacher, mixture, request, folder=large, device=device, events=events)
        teacher = (made.model, made.tokenizer)
    model, tokenizer, members = train_stages(
        request.base, mixture, request, folder=folder, device=device, events=events, teacher=teacher
    )
    encoder = ExampleEncoder(tokenizer)
    rows = dev_rows(mixture, encoder)
    if events.dry_run is not None:
        return folder
    run_or_load_model(
        folder / "final.safetensors",
        model,
        fit=lambda _: fit_final_heads(
            model, mixture, encoder, rows, request=request, device=device, events=events
        ),
        events=events,
    )
    events.stage = "export"
    events.check_cancelled()
    before = predict_dev(rows, partial(predict, model, device=device))
    tuned_on = partial(_tuned, rows=rows, request=request)
    scores = dev_scores(before, rows, tuned_on(before))
    bundle = folder / "bundle"
    graph = write_model(bundle, model, tokenizer)
    logits = predict_dev(rows, partial(predict_with_graph, graph))
    tuned = tuned_on(logits)
    write_manifest(
        bundle,
        tuned=tuned,
        name=request.name,
        version=request.version,
        run=context.id,
        corpora=corpora_of_model(ALL, corrections=request.corrections, pairs=request.pairs),
        max_tokens=MAX_TOKENS,
    )
    seal_bundle(bundle, "")
    int8 = quality_checks.check_parity(bundle, rows, scores, max_drop=scale.parity)
    kinds = gold_kind_scores(bundle, mixture.dev_wnc)
    posts = demographic_scores(bundle, mixture.dev_gbnc)
    apart = {"int8_apart": quality_checks.mean_bias_difference(before.babe, logits.babe)}
    metrics = {**scores, **int8, **apart, **kinds, **posts}
    context.write_json("metrics.json", metrics)
    seal_bundle(
        bundle,
        model_card.write_card(
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
    write_run_metrics(folder, dev_metrics(logits, rows, tuned))
    events.emit("end", str(bundle), metrics=metrics)
    return bundle
