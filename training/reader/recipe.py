"""The recipe of the reader, in one run: teacher, reader, fairness, leaning, calibration, export, card.

Stage *broad* trains on every corpus but BABE, so that its weights may start any scored BABE fold (multi-task
pre-training after MAGPIE, Horych et al. 2024). Stage *reader* reads gold spans and kinds, sentences in which every
span is marked, and BABE (`training.reader.stages`). A large teacher goes through both stages first; the small reader
also learns from its probabilities, on sentences without labels as well. Then the bias head is fitted so that the
person in a sentence does not change its score, and the leaning head on the finished encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch

from core.runs.recipes import NO_TEACHER, ReaderRequest
from training.corpora.user_data import corpora_of_model
from training.loop.events import Events
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingError, run_or_load_model
from training.modeling.reader import (
    ReaderModel,
    check_tokenizer,
    load_tokenizer,
    predict,
    predict_with_graph,
)
from training.reader import (
    invariance_fit,
    leaning_stage,
    model_card,
    quality_checks,
    sensitivity_curve,
)
from training.reader.charts import dev_metrics, write_run_metrics
from training.reader.dataset_mix import DatasetMix, load_dataset_mix
from training.reader.dev_scores import DevLogits, dev_rows, predict_dev
from training.reader.export import TunedParameters, seal_bundle, write_manifest, write_model
from training.reader.invariance_fit import TemplateGap
from training.reader.quality_checks import ParityError, demographic_scores, gold_kind_scores
from training.reader.stages import (
    MAX_TOKENS,
    SCALES,
    ExampleEncoder,
    train_stages,
)
from training.reader.threshold_selection import dev_scores, select_parameters


@dataclass(frozen=True, slots=True)
class ExportedReader:
    """The exported reader's logits on the dev rows, what was fitted to them, its scores and those of the checkpoint."""

    logits: DevLogits
    leaning: leaning_stage.LeaningFit
    tuned: TunedParameters
    scores: dict[str, float]


TEACHER_RATE = 0.5
"""The teacher's learning rate, as a share of the reader's: a larger encoder learns in smaller steps."""

__all__ = ["MAX_TOKENS", "SCALES", "check", "run"]


def fit_final_heads(
    model: ReaderModel,
    mixture: DatasetMix,
    encoder: ExampleEncoder,
    *,
    device: torch.device,
    events: Events,
) -> None:
    """Fit the bias head so that persons do not change its score, and the leaning head afresh."""
    events.stage = "people"
    shift = TemplateGap(encoder)
    before = shift(model, device=device)
    events.emit("stage", "the bias head, so that persons do not change its score")
    invariance_fit.fit_bias_head(
        model, encoder([*mixture.babe, *mixture.annotated, *mixture.wikibias_prose]), encoder, device=device
    )
    events.emit("eval", metrics={"shift_before": before, "shift": shift(model, device=device)})
    events.stage = "leaning"
    events.emit("stage", "the leaning head, on the finished encoder")
    leaning_stage.fit_head(model, mixture.leaning_texts, mixture.wnc, encoder, device=device)


def _check_teacher(base: str) -> None:
    """Raise TrainingError, which says how to do without one, for a teacher that cannot be loaded."""
    try:
        load_tokenizer(base)
    except TrainingError as error:
        raise TrainingError(f"{error} Or leave the teacher out: name none in its place.") from error


def check(request: ReaderRequest) -> None:
    """Accept every request: all options can be combined."""


def run(request: ReaderRequest, context: RunContext) -> Path:
    """Train, export, tune the exported model on dev data, check parity and write the card. Returns the bundle's folder.

    The export has fixed activation ranges, unless it then scores lower than the checkpoint.

    Raises CorpusError, TrainingError, or ParityError if the int8 model scores lower than the checkpoint.
    """
    folder, events, device = context.folder, context.events, context.device
    scale = SCALES[request.scale]

    def report(message: str) -> None:
        events.emit("stage", message)
        events.check_cancelled()

    mixture = load_dataset_mix(
        request.data,
        seed=request.seed,
        limit=scale.limit,
        corrections=request.corrections,
        own_pairs=request.pairs,
        unlabelled=request.teacher != NO_TEACHER,
        on_message=report,
    )
    check_tokenizer(request.base)
    teacher = None
    if request.teacher != NO_TEACHER:
        _check_teacher(request.teacher)
        teacher = train_stages(
            request.teacher,
            mixture,
            request,
            steps=scale.teacher_steps,
            folder=folder / "teacher",
            device=device,
            events=events,
            learning_rate=request.learning_rate * TEACHER_RATE,
            prefix="teacher ",
        )
    model, tokenizer = train_stages(
        request.base,
        mixture,
        request,
        steps=(scale.broad_steps, scale.reader_steps),
        folder=folder,
        device=device,
        events=events,
        teacher=teacher,
    )
    encoder = ExampleEncoder(tokenizer)
    rows = dev_rows(mixture, encoder)
    if events.dry_run is not None:
        return folder
    run_or_load_model(
        folder / "final.safetensors",
        model,
        fit=lambda _: fit_final_heads(model, mixture, encoder, device=device, events=events),
        events=events,
    )
    events.stage = "export"
    events.check_cancelled()
    before = predict_dev(rows, partial(predict, model, device=device))
    bundle = folder / "bundle"

    def export(*, fixed: bool) -> ExportedReader:
        """Write the bundle and tune it on dev data. Raises ParityError."""
        graph = write_model(bundle, model, tokenizer, fixed=fixed)
        logits = predict_dev(rows, partial(predict_with_graph, graph))
        leaning = leaning_stage.measure(
            mixture.leaning_texts, lambda texts: predict_with_graph(graph, encoder(texts))
        )
        scores = dev_scores(before, rows, select_parameters(before, rows, leaning))
        tuned = select_parameters(logits, rows, leaning)
        write_manifest(
            bundle,
            tuned=tuned,
            name=request.name,
            version=request.version,
            run=context.id,
            corpora=corpora_of_model(mixture.corpora, corrections=request.corrections, pairs=request.pairs),
            max_tokens=MAX_TOKENS,
        )
        seal_bundle(bundle, "")
        int8 = quality_checks.check_parity(bundle, rows, scores, max_drop=scale.parity)
        return ExportedReader(logits, leaning, tuned, {**scores, **int8})

    try:
        done = export(fixed=True)
    except ParityError as error:
        report(f"with fixed activation ranges: {error} Exporting with dynamic ones.")
        done = export(fixed=False)
    logits, leaning, tuned = done.logits, done.leaning, done.tuned
    kinds = gold_kind_scores(bundle, mixture.dev_wnc)
    posts = demographic_scores(bundle, mixture.dev_gbnc)
    apart = {"int8_apart": quality_checks.mean_bias_difference(before.babe, logits.babe)}
    metrics = {**done.scores, **apart, **kinds, **posts, **leaning.scores}
    context.write_json("metrics.json", metrics)
    seal_bundle(
        bundle,
        model_card.write_card(
            request=context.settings,
            run=context.id,
            mixture=mixture,
            metrics=metrics,
            tuned=tuned,
            leaning=leaning.curve,
        ),
        evaluation=model_card.evaluations(metrics),
        limitations=model_card.LIMITATIONS,
    )
    sensitivity_curve.write_curve(
        bundle, sensitivity_curve.measure(bundle, mixture.dev_wnc), pairs=len(mixture.dev_wnc) // 2
    )
    write_run_metrics(folder, dev_metrics(logits, rows, tuned, leaning))
    events.emit("end", str(bundle), metrics=metrics)
    return bundle
