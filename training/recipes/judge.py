"""The recipe that makes a judge of ideology: an encoder, fine-tuned on the first 100 tokens of articles.

Two sides (liberal, conservative) are Liu et al. (2021), Section 5.1; three (left, center, right) are AllSides' ratings
(Baly et al. 2020). Names of outlets, addresses and datelines are masked. One training is examined twice: on articles of
houses it learnt from, as the paper does, and on houses it never saw. ``--base xlnet/xlnet-base-cased`` is the paper's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from training.batches import Stream
from training.calibration import judging_card
from training.calibration.judging import Masks
from training.calibration.judging_encoder import JudgedRow, JudgeModel, batch, begin, encoded, logits, save
from training.calibration.judging_texts import NAMES, Parts, Sides, Text, dealt, texts
from training.corpora import articles
from training.from_bundle import restore
from training.loop import Settings, train
from training.metrics import macro_f1
from training.model import load_base
from training.near import NearIndex
from training.running import Running
from training.stages import once_whole

SMALL_BASE = "sentence-transformers/all-MiniLM-L6-v2"
LEADS = 0.65
"""Share of the steps that read how articles begin, as they are judged by it; the others read what follows."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How much work a run does: steps, rows a step, articles at most, folds of houses, stretches of an article."""

    steps: int
    size: int = 32
    limit: int | None = None
    folds: int = 1
    stretches: int = 4


SCALES = {
    "smoke": Scale(steps=8, size=8, limit=400, stretches=2),
    "cpu": Scale(steps=450),
    "full": Scale(steps=4000, folds=5, stretches=8),
}


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asks of the recipe. ``reader``: a reader's bundle on this base, whose encoder it starts from."""

    data: Path
    sides: Sides = "two"
    base: str = SMALL_BASE
    reader: Path | None = None
    device: str = "auto"
    scale: str = "cpu"
    seed: int = 42
    rate: float = 1e-4
    name: str = "judge"
    version: str = field(default_factory=lambda: f"{date.today():%Y.%m.%d}")


def run(request: Request, running: Running) -> Path:
    """Train a judge for each fold of houses, examine them, keep the first fold's. Returns the judge's folder.

    Raises CorpusError where there are no articles of every side, and TrainingError where the base cannot be had.
    """
    folder, events = running.folder, running.events
    scale = SCALES[request.scale]
    found = articles.load(request.data, NearIndex(()), say=lambda message: events.say("stage", message))
    outlets = {article.outlet for article in found}
    if scale.limit is not None:
        found = random.Random(request.seed).sample(found, min(scale.limit, len(found)))
    labelled = texts(found, Masks(outlets), request.sides, stretches=scale.stretches)
    kept, tokenizer = _begin(request)
    scores: list[dict[str, float]] = []
    for fold in range(scale.folds):
        parts = dealt(labelled, fold=fold, seed=request.seed)
        model = kept if fold == 0 else _begin(request)[0]
        events.stage = f"fold {fold + 1}"
        once_whole(
            folder / f"fold-{fold + 1}.safetensors",
            model,
            fit=partial(_fit, model, tokenizer, parts, request, running),
            events=events,
        )
        if events.trial is not None:
            return folder
        scores.append(_examined(model, tokenizer, parts, running))
        events.say("eval", metrics=scores[-1])
    metrics = {name: sum(one[name] for one in scores) / len(scores) for name in scores[0]}
    running.keep("metrics.json", metrics)
    place = folder / "judge"
    told = running.told
    command = (
        f"evenhand train run judge --sides {request.sides} --scale {request.scale} --base {told['base']}"
    )
    facts = {
        "run": running.id,
        "base": told["base"],
        "scale": request.scale,
        "seed": request.seed,
        "command": f"{command} --seed {request.seed} --rate {request.rate}",
        "metrics": metrics,
    }
    save(place, kept, tokenizer, sides=request.sides, outlets=sorted(outlets), facts=facts)
    card = judging_card.write(request=running.told, run=running.id, metrics=metrics, folds=scale.folds)
    (place / "README.md").write_text(card, encoding="utf-8")
    events.say("end", str(place), metrics=metrics)
    return place


def _begin(request: Request) -> tuple[JudgeModel, Any]:
    torch.manual_seed(request.seed)
    classes = len(NAMES[request.sides])
    if request.reader is None:
        return begin(request.base, classes)
    reader, tokenizer = load_base(request.base)
    restore(request.reader, reader)
    return JudgeModel(reader.encoder, reader.bias.in_features, classes), tokenizer


def _fit(
    model: JudgeModel, tokenizer: Any, parts: Parts, request: Request, running: Running, checkpoint: Path
) -> None:
    scale, events, device = SCALES[request.scale], running.events, running.device
    leads = _rows([(one.stretches[0], one.label) for one in parts.learnt], tokenizer)
    further = _rows([(text, one.label) for one in parts.learnt for text in one.stretches[1:]], tokenizer)
    streams = [Stream("leads", leads, LEADS if further else 1.0)]
    streams += [Stream("further", further, 1 - LEADS)] if further else []
    counts = torch.bincount(
        torch.tensor([one.label for one in parts.learnt]), minlength=model.answer.out_features
    )
    weights = (counts.sum() / (len(counts) * counts.clamp(min=1))).to(device)
    pad = int(tokenizer.pad_token_id or 0)
    events.say("stage", f"a judge from {len(parts.learnt)} articles", steps=scale.steps)

    def loss(_: Stream[JudgedRow], some: Sequence[JudgedRow]) -> Tensor:
        ids, mask = batch(some, pad=pad, device=device)
        gold = torch.tensor([row.label for row in some], device=device)
        return functional.cross_entropy(model(ids, mask).float(), gold, weight=weights)

    train(
        model,
        streams,
        Settings(steps=scale.steps, size=scale.size, rate=request.rate, seed=request.seed),
        loss_of=loss,
        body=model.encoder,
        device=device,
        events=events,
        checkpoint=checkpoint,
    )


def _rows(labelled: Sequence[tuple[str, int]], tokenizer: Any) -> list[JudgedRow]:
    pieces = encoded([text for text, _ in labelled], tokenizer)
    return [JudgedRow(ids, label) for ids, (_, label) in zip(pieces, labelled, strict=True)]


def _examined(model: JudgeModel, tokenizer: Any, parts: Parts, running: Running) -> dict[str, float]:
    """Macro-F1 over the parts that were held out, and how many articles and houses each has."""
    held_out: dict[str, tuple[Text, ...]] = {
        "random": parts.random,
        "random_and_repeated": parts.random + parts.repeated,
        "grouped": parts.grouped,
    }
    scores = {
        "learnt_articles": float(len(parts.learnt)),
        "repeated_articles": float(len(parts.repeated)),
        "grouped_houses": float(len({one.house for one in parts.grouped})),
    }
    for name, part in held_out.items():
        rows = _rows([(one.stretches[0], one.label) for one in part], tokenizer)
        found = logits(model, rows, pad=int(tokenizer.pad_token_id or 0), device=running.device)
        scores[f"{name}_macro_f1"] = macro_f1([one.label for one in part], found.argmax(1).tolist())
        scores[f"{name}_articles"] = float(len(part))
    return scores
