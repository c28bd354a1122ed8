"""The recipe that trains an ideology classifier on the first 100 tokens of articles: an encoder and linear models.

Two sides (liberal, conservative) follow Liu et al. (2021), section 5.1; three (left, center, right) are the ratings of
AllSides (Baly et al. 2020). Names of outlets, addresses and datelines are masked. The classifier is evaluated twice: on
articles of publishers it was trained on, as in the paper, and on held-out publishers. The paper's base is ``--base
xlnet/xlnet-base-cased``. The encoder also learns the publisher of a text; its predictions and those of the linear
models are stacked on dev articles.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from core.runs.recipes import IdeologyClassifierRequest
from core.runs.trained_models import CLASSIFIER_FOLDER
from training.auditing.ideology_classifiers import model_card
from training.auditing.ideology_classifiers.ensemble import (
    Ensemble,
    Probabilities,
    StackingModel,
    encoder_probabilities,
    save_classifier,
)
from training.auditing.ideology_classifiers.linear import LinearModels, publisher_targets
from training.auditing.ideology_classifiers.masked_articles import PublisherMasks
from training.auditing.ideology_classifiers.modeling import (
    EncodedArticle,
    IdeologyEncoder,
    collate,
    encode_articles,
)
from training.auditing.ideology_classifiers.splits import (
    CLASS_NAMES,
    SegmentedArticle,
    Splits,
    segment_articles,
    split_articles,
)
from training.corpora import allsides
from training.loop.batches import Stream
from training.loop.runs import RunContext
from training.loop.training_loop import TrainingSettings, run_or_load_model, train
from training.metrics import macro_f1
from training.modeling.reader import load_base, load_bundle_weights
from training.text.near_duplicates import NearDuplicateIndex

LEAD_SHARE = 0.65
"""Share of the steps on first segments, which are what is predicted; the others read later segments."""
PUBLISHER_LOSS_WEIGHT = 0.5
"""Weight of the publisher loss relative to the side loss."""
EVALUATIONS = 5
"""Evaluations on dev articles per training; the best weights are kept."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps, batch size, most articles, publisher folds, segments of an article."""

    steps: int
    size: int = 32
    limit: int | None = None
    folds: int = 1
    segments: int = 12


SCALES = {
    "smoke": Scale(steps=8, size=8, limit=400, segments=2),
    "cpu": Scale(steps=1500),
    "full": Scale(steps=6000, folds=5),
}


def check(request: IdeologyClassifierRequest) -> None:
    """Every request that can be built can be run."""


def run(request: IdeologyClassifierRequest, context: RunContext) -> Path:
    """Train a classifier for each fold of publishers, evaluate all, save the first. Returns the classifier's folder.

    Raises CorpusError if a side has no articles, and TrainingError if the base is not available.
    """
    folder, events = context.folder, context.events
    scale = SCALES[request.scale]
    found = allsides.load(
        request.data, NearDuplicateIndex(()), on_message=lambda message: events.emit("stage", message)
    )
    outlets = {article.outlet for article in found}
    if scale.limit is not None:
        found = random.Random(request.seed).sample(found, min(scale.limit, len(found)))
    labelled = segment_articles(found, PublisherMasks(outlets), request.sides, segments=scale.segments)
    scores: list[dict[str, float]] = []
    kept: list[Ensemble] = []
    for fold in range(scale.folds):
        parts = split_articles(labelled, fold=fold, seed=request.seed)
        model, tokenizer = _initial_model(request, parts)
        events.stage = f"fold {fold + 1}"
        run_or_load_model(
            folder / f"fold-{fold + 1}.safetensors",
            model,
            fit=partial(_fit, model, tokenizer, parts, request, context),
            events=events,
        )
        if events.dry_run is not None:
            return folder
        ensemble, metrics_of_fold = _stack(model, tokenizer, parts, request, context)
        kept = kept or [ensemble]
        scores.append(metrics_of_fold)
        events.emit("eval", metrics=scores[-1])
    metrics = {name: sum(one[name] for one in scores) / len(scores) for name in scores[0]}
    context.write_json("metrics.json", metrics)
    place = folder / CLASSIFIER_FOLDER
    settings = context.settings
    command = f"evenhand train ideology-classifier --sides {request.sides} --scale {request.scale}"
    command += f" --base {settings['base']}"
    facts = {
        "run": context.id,
        "base": settings["base"],
        "scale": request.scale,
        "seed": request.seed,
        "command": f"{command} --seed {request.seed} --learning-rate {request.learning_rate}",
        "metrics": metrics,
    }
    save_classifier(place, kept[0], sides=request.sides, outlets=sorted(outlets), facts=facts)
    card = model_card.write_card(request=context.settings, run=context.id, metrics=metrics, folds=scale.folds)
    (place / "README.md").write_text(card, encoding="utf-8")
    events.emit("end", str(place), metrics=metrics)
    return place


def _initial_model(request: IdeologyClassifierRequest, parts: Splits) -> tuple[IdeologyEncoder, Any]:
    torch.manual_seed(request.seed)
    reader, tokenizer = load_base(request.base)
    if request.reader is not None:
        load_bundle_weights(request.reader, reader)
    shares = publisher_targets(parts.train, classes=len(CLASS_NAMES[request.sides])).shares
    return IdeologyEncoder(reader.encoder, reader.bias.in_features, torch.from_numpy(shares)), tokenizer


def _fit(
    model: IdeologyEncoder,
    tokenizer: Any,
    parts: Splits,
    request: IdeologyClassifierRequest,
    context: RunContext,
    checkpoint: Path,
) -> None:
    scale, events, device = SCALES[request.scale], context.events, context.device
    pairs = list(
        zip(
            parts.train,
            publisher_targets(parts.train, classes=len(CLASS_NAMES[request.sides])).numbers,
            strict=True,
        )
    )
    leads = _encode_rows([(one.segments[0], one.label, publisher) for one, publisher in pairs], tokenizer)
    further = _encode_rows(
        [(text, one.label, publisher) for one, publisher in pairs for text in one.segments[1:]], tokenizer
    )
    streams = [Stream("leads", leads, LEAD_SHARE if further else 1.0)]
    streams += [Stream("further", further, 1 - LEAD_SHARE)] if further else []
    labels = torch.tensor([one.label for one in parts.train])
    counts = torch.bincount(labels, minlength=model.answer.out_features)
    weights = (counts.sum() / (len(counts) * counts.clamp(min=1))).to(device)
    pad = int(tokenizer.pad_token_id or 0)
    events.emit("stage", f"an ideology classifier from {len(parts.train)} articles", steps=scale.steps)

    def loss(_: Stream[EncodedArticle], some: Sequence[EncodedArticle]) -> Tensor:
        ids, mask = collate(some, pad=pad, device=device)
        side, publisher = model(ids, mask)
        sides = torch.tensor([row.label for row in some], device=device)
        of = torch.tensor([row.publisher for row in some], device=device)
        of_side = functional.cross_entropy(side.float(), sides, weight=weights)
        return of_side + PUBLISHER_LOSS_WEIGHT * functional.cross_entropy(publisher.float(), of)

    def score() -> float:
        read = encoder_probabilities(model, tokenizer, _first_segments(parts.dev), device=device)
        return _score(sum(read[1:], read[0]), parts.dev)

    train(
        model,
        streams,
        TrainingSettings(
            steps=scale.steps,
            batch_size=scale.size,
            learning_rate=request.learning_rate,
            seed=request.seed,
            eval_every=max(1, scale.steps // EVALUATIONS),
        ),
        loss_fn=loss,
        backbone=model.encoder,
        device=device,
        events=events,
        checkpoint=checkpoint,
        eval_fn=score,
    )


def _encode_rows(pairs: Sequence[tuple[str, int, int]], tokenizer: Any) -> list[EncodedArticle]:
    pieces = encode_articles([text for text, _, _ in pairs], tokenizer)
    return [
        EncodedArticle(ids, label, publisher)
        for ids, (_, label, publisher) in zip(pieces, pairs, strict=True)
    ]


def _stack(
    model: IdeologyEncoder,
    tokenizer: Any,
    parts: Splits,
    request: IdeologyClassifierRequest,
    context: RunContext,
) -> tuple[Ensemble, dict[str, float]]:
    """The stacked classifier, and its macro-F1 on the articles held out from training and stacking.

    Also the scores of encoder and linear models alone, and the number of articles and publishers in each part.
    """
    context.events.emit("stage", "linear models and stacking")
    words = LinearModels.fit(parts.train, classes=len(CLASS_NAMES[request.sides]), seed=request.seed)

    def read(part: Sequence[SegmentedArticle]) -> tuple[Probabilities, Probabilities]:
        leads = _first_segments(part)
        return encoder_probabilities(model, tokenizer, leads, device=context.device), words.probabilities(
            leads
        )

    of_dev = read(parts.dev)
    blend = StackingModel.fit([*of_dev[0], *of_dev[1]], [one.label for one in parts.dev], seed=request.seed)
    scores = {
        "learnt_articles": float(len(parts.train)),
        "dev_articles": float(len(parts.dev)),
        "repeated_articles": float(len(parts.repeated)),
        "grouped_houses": float(len({one.publisher for one in parts.grouped})),
    }
    held_out = {
        "random": parts.random,
        "random_and_repeated": parts.random + parts.repeated,
        "grouped": parts.grouped,
    }
    for name, part in held_out.items():
        by_model, by_words = read(part)
        scores[f"{name}_macro_f1"] = _score(blend.probabilities([*by_model, *by_words]), part)
        scores[f"{name}_encoder_macro_f1"] = _score(sum(by_model[1:], by_model[0]), part)
        scores[f"{name}_words_macro_f1"] = _score(sum(by_words[1:], by_words[0]), part)
        scores[f"{name}_articles"] = float(len(part))
    return Ensemble(model, tokenizer, words, blend), scores


def _first_segments(part: Sequence[SegmentedArticle]) -> list[str]:
    return [one.segments[0] for one in part]


def _score(probabilities: NDArray[np.float64], part: Sequence[SegmentedArticle]) -> float:
    return macro_f1([one.label for one in part], probabilities.argmax(axis=1).tolist())
