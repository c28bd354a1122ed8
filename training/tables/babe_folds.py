"""BABE SG2, sentence label, five stratified folds (shuffle, seed 42), without selection on the scored fold.

Every fold starts from the related stage, which never saw a sentence of BABE nor a near-duplicate of one. The number
of epochs is fixed beforehand; the scored fold is read once, after training.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold

from core.cues import Lexicon
from training.batches import Stream, encode
from training.corpora import babe, related
from training.corpora.base import Example
from training.events import Events
from training.kinds import KindFinder
from training.loop import Settings, train
from training.metrics import span_scores
from training.model import load_base
from training.near import NearIndex
from training.published import BABE_TABLE_5
from training.reader_loss import reader_loss
from training.reading import read, spans_of
from training.recipes.reader import MAX_TOKENS
from training.tables.cells import Cells, spread
from training.tuning import as_tuples, biased_only

FOLDS = 5
SIZE = 32
_SPAN_THRESHOLD = 0.4


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run: base encoder, weights of the related stage (None: start from the base), seeds and epochs."""

    base: str
    related: Path | None
    seeds: tuple[int, ...] = (1, 2, 3)
    epochs: int = 3
    rate: float = 5e-5
    only: tuple[int, ...] = tuple(range(FOLDS))


def run(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> str:
    """Train and score every fold and seed; returns the table as text."""
    cells = Cells(folder / f"babe_folds_{'related' if plan.related else 'plain'}.json")
    examples = babe.load(data, KindFinder(Lexicon.load()))
    labels = [int(example.bias or 0) for example in examples]
    splits = list(StratifiedKFold(FOLDS, shuffle=True, random_state=42).split(examples, labels))
    for seed in plan.seeds:
        for number in plan.only:
            key = f"seed{seed}-fold{number}"
            if key not in cells:
                train_at, test_at = splits[number]
                scored = [examples[at] for at in test_at]
                index = NearIndex(example.text for example in scored)
                rest = [examples[at] for at in train_at if not index.near(examples[at].text)]
                cells.put(key, _one(rest, scored, plan=plan, seed=seed, device=device, name=key))
    return _table(cells, plan)


def _one(
    rest: list[Example], scored: list[Example], *, plan: Plan, seed: int, device: torch.device, name: str
) -> dict[str, float]:
    torch.manual_seed(seed)
    model, tokenizer = load_base(plan.base)
    if plan.related is not None:
        model.add_related({task.name: task.classes for task in related.TASKS})
        model.load_state_dict(load_file(plan.related))
    rows = encode(rest, tokenizer, max_tokens=MAX_TOKENS)
    steps = plan.epochs * -(-len(rows) // SIZE)
    settings = Settings(steps=steps, size=SIZE, rate=plan.rate, seed=seed)
    stream = Stream("babe", rows, 1.0, ("bias", "spans"))
    train(
        model,
        [stream],
        settings,
        loss_of=reader_loss(model, device),
        body=model.encoder,
        device=device,
        events=Events(name),
    )
    test_rows = encode(scored, tokenizer, max_tokens=MAX_TOKENS)
    logits = read(model, test_rows, device=device)
    gold = [int(example.bias or 0) for example in scored]
    found = (logits.bias > 0).astype(int)
    spans = spans_of(logits, test_rows, threshold=_SPAN_THRESHOLD)
    exact, overlap = span_scores(*biased_only(as_tuples(spans), test_rows))
    return {
        "train": len(rest),
        "macro_f1": float(f1_score(gold, found, average="macro")),
        "weighted_f1": float(f1_score(gold, found, average="weighted")),
        "accuracy": float(np.mean(found == np.array(gold))),
        "span_exact_f1": exact.f1,
        "span_overlap_f1": overlap.f1,
    }


def _table(cells: Cells, plan: Plan) -> str:
    lines = [f"{'seed':6}{'fold':6}{'train':>7}{'macro-F1':>10}{'weighted':>10}{'exact':>8}{'overlap':>9}"]
    done: list[dict[str, float]] = []
    for seed in plan.seeds:
        for number in plan.only:
            row = cells[f"seed{seed}-fold{number}"]
            done.append(row)
            lines.append(
                f"{seed:<6}{number:<6}{row['train']:>7.0f}{row['macro_f1']:>10.4f}{row['weighted_f1']:>10.4f}"
                f"{row['span_exact_f1']:>8.3f}{row['span_overlap_f1']:>9.3f}"
            )
    lines.append(f"macro-F1 over {len(done)} runs: {spread([row['macro_f1'] for row in done])}")
    lines.append(f"weighted F1:              {spread([row['weighted_f1'] for row in done])}")
    lines.append(f"words, exact F1:          {spread([row['span_exact_f1'] for row in done])}")
    lines.append(f"words, overlap F1:        {spread([row['span_overlap_f1'] for row in done])}")
    lines.append("Published (BABE, Table 5, macro-F1 with early stopping on the scored fold):")
    lines.extend(f"  {system:24}{figure:.3f}" for system, figure in BABE_TABLE_5.items())
    return "\n".join(lines)
