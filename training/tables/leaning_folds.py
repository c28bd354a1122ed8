"""Leaning over outlet-grouped folds: no outlet (nor another section of its house) is in both parts of a fold."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import numpy as np
import torch
from sklearn.model_selection import StratifiedGroupKFold

from training.batches import Stream, encode
from training.corpora import articles, babe
from training.corpora.base import Example
from training.events import Events
from training.loop import Settings, train
from training.metrics import macro_f1
from training.model import load_base
from training.near import NearIndex
from training.reading import read, softmax
from training.tables.cells import Cells, spread

FOLDS = 5
_TEST_ARTICLES = 60
_TEST_WINDOWS = 3


def run(data: Path, base: str, folder: Path, *, steps: int, device: torch.device) -> str:
    """Train and score each fold; returns the table as text. Scores: macro-F1 of windows and of whole articles."""
    cells = Cells(folder / "leaning_folds.json")
    found = articles.load(data, NearIndex(babe.texts(data)))
    houses = [articles.house(article.outlet) for article in found]
    labels = [article.leaning for article in found]
    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=42)
    for number, (train_at, test_at) in enumerate(splitter.split(found, labels, houses)):
        key = f"fold{number}"
        if key not in cells:
            parts = [found[at] for at in train_at], [found[at] for at in test_at]
            cells.put(key, _one_fold(*parts, base=base, steps=steps, device=device, name=key))
    rows = [cells[f"fold{number}"] for number in range(FOLDS)]
    lines = [f"{'fold':8}{'articles':>10}{'outlets':>9}{'window F1':>11}{'article F1':>12}"]
    for number, row in enumerate(rows):
        lines.append(
            f"{number:<8}{row['articles']:>10.0f}{row['outlets']:>9.0f}{row['window_f1']:>11.4f}{row['article_f1']:>12.4f}"
        )
    lines.append(f"window macro-F1  {spread([row['window_f1'] for row in rows])}")
    lines.append(f"article macro-F1 {spread([row['article_f1'] for row in rows])}")
    return "\n".join(lines)


def _one_fold(
    train_part: list[articles.Article],
    test_part: list[articles.Article],
    *,
    base: str,
    steps: int,
    device: torch.device,
    name: str,
) -> dict[str, float]:
    torch.manual_seed(42)
    model, tokenizer = load_base(base)
    windows = articles.windows(train_part, per_article=2, per_outlet=700, seed=42)
    stream = Stream("articles", encode(articles.even(windows, seed=42), tokenizer), 1.0, ("leaning",))
    train(model, [stream], Settings(steps=steps, rate=5e-5), device=device, events=Events(name))
    examples, owners, gold = _test_windows(test_part)
    chances = softmax(read(model, encode(examples, tokenizer), device=device).leaning[:, :3])
    window_gold = [gold[owner] for owner in owners]
    summed = np.zeros((len(gold), 3))
    np.add.at(summed, owners, chances)
    return {
        "articles": len(gold),
        "outlets": len({article.outlet for article in test_part}),
        "window_f1": macro_f1(window_gold, chances.argmax(axis=1).tolist()),
        "article_f1": macro_f1(gold, summed.argmax(axis=1).tolist()),
    }


def _test_windows(part: list[articles.Article]) -> tuple[list[Example], list[int], list[int]]:
    """Up to three windows, evenly spread, of at most 60 articles an outlet."""
    by_outlet: dict[str, list[articles.Article]] = defaultdict(list)
    for article in part:
        by_outlet[article.outlet].append(article)
    chooser = random.Random(7)
    examples: list[Example] = []
    owners: list[int] = []
    gold: list[int] = []
    for outlet in sorted(by_outlet):
        chosen = by_outlet[outlet]
        chooser.shuffle(chosen)
        for article in chosen[:_TEST_ARTICLES]:
            pieces = articles.cut(article.sentences)
            step = max(1, len(pieces) // _TEST_WINDOWS)
            for piece in pieces[::step][:_TEST_WINDOWS]:
                examples.append(Example(piece, "articles", leaning=article.leaning, group=outlet))
                owners.append(len(gold))
            gold.append(article.leaning)
    return examples, owners, gold
