"""Political leaning over publisher-grouped folds: no publisher is in both parts of a fold.

The encoder is the frozen base, which never saw a rating. The head is fitted like the reader's. An article is read in up
to three windows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sklearn.model_selection import StratifiedGroupKFold

from core.engine.cues import Lexicon
from training.corpora import allsides, babe, wikipedia
from training.loop.batches import EncodedExample, encode
from training.loop.events import Events
from training.loop.result_cache import ScoreCache, format_mean_std
from training.metrics import macro_f1
from training.modeling import leaning_head
from training.modeling.reader import load_base, softmax
from training.reader import leaning_classifier
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import Example

FOLDS = 5
ARTICLES_PER_OUTLET = 60
WINDOWS_PER_ARTICLE = 3


def run(data: Path, base: str, folder: Path, *, device: torch.device) -> str:
    """Fit and score each fold; returns the table as text. Scores: macro-F1 of windows and of whole articles."""
    cells = ScoreCache(folder / "leaning_folds.json")
    if "fold0" not in cells:
        _all_folds(cells, data, base, device)
    rows = [cells[f"fold{number}"] for number in range(FOLDS)]
    lines = [f"{'fold':8}{'articles':>10}{'outlets':>9}{'window F1':>11}{'article F1':>12}"]
    for number, row in enumerate(rows):
        counts = f"{number:<8}{row['articles']:>10.0f}{row['outlets']:>9.0f}"
        lines.append(f"{counts}{row['window_f1']:>11.4f}{row['article_f1']:>12.4f}")
    lines.append(f"window macro-F1  {format_mean_std([row['window_f1'] for row in rows])}")
    lines.append(f"article macro-F1 {format_mean_std([row['article_f1'] for row in rows])}")
    return "\n".join(lines)


def _all_folds(cells: ScoreCache, data: Path, base: str, device: torch.device) -> None:
    events = Events("leaning-folds")
    found = allsides.limit_per_group(
        allsides.load(data, NearDuplicateIndex(babe.texts(data))),
        lambda article: article.outlet,
        most=ARTICLES_PER_OUTLET,
        seed=7,
    )
    events.emit("stage", f"{len(found)} articles; reading their windows")
    model, tokenizer = load_base(base)
    examples: list[Example] = []
    owners: list[int] = []
    for at, article in enumerate(found):
        chunks = allsides.split_windows(article.sentences)
        step = max(1, len(chunks) // WINDOWS_PER_ARTICLE)
        for chunk in chunks[::step][:WINDOWS_PER_ARTICLE]:
            examples.append(
                Example(chunk, "articles", leaning=article.leaning, group=article.outlet, topic=article.topic)
            )
            owners.append(at)
    windows = encode(examples, tokenizer)
    states = leaning_head.mean_states(model, windows, device=device)
    edited = encode(wikipedia.load_wnc(data, KindFinder(Lexicon.load()), part="train"), tokenizer)
    edits = leaning_head.edit_shifts(model, edited, device=device)
    publishers = [allsides.publisher_of(article.outlet) for article in found]
    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=42)
    splits = list(splitter.split(found, [article.leaning for article in found], publishers))
    scored: list[dict[str, float]] = []
    for number, (train_at, test_at) in enumerate(splits):
        known, unknown = (_windows_of(set(part.tolist()), owners) for part in (train_at, test_at))
        head = leaning_classifier.fit_leaning_head_on_rows(
            states[known], [windows[at] for at in known], edits
        )
        chances = softmax(leaning_head.head_logits(head, states[unknown])[:, :3].numpy().astype(np.float64))
        scored.append(_score(chances, [windows[at] for at in unknown], [owners[at] for at in unknown]))
        scored[-1]["outlets"] = len({found[at].outlet for at in test_at})
        events.emit("eval", f"fold {number}", metrics=scored[-1])
    for number, row in reversed(list(enumerate(scored))):
        cells.put(f"fold{number}", row)


def _windows_of(chosen: set[int], owners: Sequence[int]) -> list[int]:
    return [at for at, owner in enumerate(owners) if owner in chosen]


def _score(chances: np.ndarray, rows: Sequence[EncodedExample], owners: Sequence[int]) -> dict[str, float]:
    gold = [int(row.example.leaning or 0) for row in rows]
    summed: dict[int, np.ndarray] = defaultdict(lambda: np.zeros(3))
    truth: dict[int, int] = {}
    for owner, label, chance in zip(owners, gold, chances, strict=True):
        summed[owner] += chance
        truth[owner] = label
    found = [int(summed[owner].argmax()) for owner in truth]
    return {
        "articles": float(len(truth)),
        "window_f1": macro_f1(gold, chances.argmax(axis=1).tolist()),
        "article_f1": macro_f1(list(truth.values()), found),
    }
