"""``--start BUNDLE --trainings 0 --head leaning``: the leaning head alone is fitted anew; all else stays to the bit.

The start's own graph reads the articles, as the app reads a draft: from the first paragraph on, masked, in its windows,
in int8. Houses that every training holds out (`articles.held_out`) are read before and after. Only the scales are
fitted on them, which moves no macro-F1: their figures are those of a head that neither learnt nor was chosen there.
"""

from __future__ import annotations

import json
import random
import shutil
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

from core.bundle import Bundle, Scale, load_bundle
from core.leaning_masks import masked
from core.leaning_reading import leaning_windows, parts
from training import leaning_graph, leaning_linear
from training.corpora import articles, babe, cw_hard
from training.corpora.base import LEFT, NOT_POLITICAL
from training.events import Events
from training.export import seal
from training.metrics import fit_scale, fit_temperature, macro_f1
from training.near import NearIndex
from training.running import Running
from training.tuning import political_odds

Floats = NDArray[np.float64]
PER_HOUSE, WINDOWS, OTHER = 45, 4, 1200
"""Articles of a house, windows of an article, and texts that are not political, at most; the smoke scale has fewer."""
SMOKE = (6, 1, 40)
_STATEMENTS = 3
_TRIED = 6
"""Articles that a dry run reads."""


@dataclass(frozen=True, slots=True)
class Read:
    """Articles as the graph reads them: mean states [windows, d], the article of each window, class and house."""

    states: Floats
    owners: NDArray[np.int64]
    labels: NDArray[np.int64]
    houses: tuple[str, ...]
    held: NDArray[np.bool_]


def run(start: Path, data: Path, *, scale: str, seed: int, running: Running) -> Path:
    """Fit, put and measure. Returns the bundle's folder. Raises CorpusError, BundleError and ValueError."""
    events = running.events
    events.stage = "leaning"
    bundle = load_bundle(start)
    sizes = SMOKE if scale == "smoke" else (PER_HOUSE, WINDOWS, OTHER)
    found = articles.load(data, NearIndex(babe.texts(data)), say=lambda line: events.say("stage", line))
    chosen, other = _chosen(found, most=sizes[0], seed=seed), _other(data, sizes[2], seed)
    if events.trial is not None:
        began = time.monotonic()
        _read(bundle, chosen[:_TRIED], [], sizes[1], events)
        events.trial.seconds += (time.monotonic() - began) / _TRIED * (len(chosen) + len(other))
        return running.folder
    read = _read(bundle, chosen, other, sizes[1], events)
    learnt = ~read.held
    means = _means(read)
    told = (means[learnt], read.labels[learnt].tolist(), [read.houses[at] for at in np.flatnonzero(learnt)])
    strength = leaning_linear.chosen(*told, seed=seed)
    head = leaning_linear.fit(*told, strength=strength)
    made = running.folder / "bundle"
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(start, made)
    leaning_graph.put(made / bundle.graph.name, head)
    metrics = {
        **{f"before_{name}": value for name, value in _scores(_answers(bundle.graph, read), read).items()},
        **_scores(_answers(made / bundle.graph.name, read), read),
    }
    scales = _scales(_answers(made / bundle.graph.name, read), read)
    _describe(made, bundle, scales, metrics, run_id=running.id, most=sizes[1], strength=strength)
    metrics["strength"] = strength
    running.keep("metrics.json", metrics)
    events.say("end", str(made), metrics=metrics)
    return made


def _chosen(found: Sequence[articles.Article], *, most: int, seed: int) -> list[articles.Article]:
    """At most so many articles of each house, none twice."""
    by_house: dict[str, list[articles.Article]] = defaultdict(list)
    for article in {article.sentences: article for article in found}.values():
        by_house[articles.house(article.outlet)].append(article)
    chooser = random.Random(seed)
    return [
        article
        for name in sorted(by_house)
        for article in chooser.sample(by_house[name], min(most, len(by_house[name])))
    ]


def _other(data: Path, most: int, seed: int) -> list[str]:
    """Prose that is not political: statements of featured Wikipedia articles, a few together."""
    pool = [example.text for example in cw_hard.load(data) if example.group == "neutral_featured"]
    random.Random(seed).shuffle(pool)
    joined = [" ".join(pool[at : at + _STATEMENTS]) for at in range(0, len(pool), _STATEMENTS)]
    return joined[:most]


def _read(
    bundle: Bundle, chosen: Sequence[articles.Article], other: Sequence[str], most: int, events: Events
) -> Read:
    texts: list[str] = []
    owners: list[int] = []
    for at, article in enumerate(chosen):
        taken = windows(article, most)
        texts += taken
        owners += [at] * len(taken)
    texts += other
    owners += range(len(chosen), len(chosen) + len(other))
    events.say(
        "stage", f"reading {len(texts)} windows of {len(chosen)} articles and {len(other)} other texts"
    )
    houses = [articles.house(article.outlet) for article in chosen]
    fifth = [number % 5 == 0 for number in range(len(other))]
    return Read(
        states=_states(bundle, texts, events),
        owners=np.array(owners),
        labels=np.array([article.leaning for article in chosen] + [NOT_POLITICAL] * len(other)),
        houses=(*houses, *(f"other {number}" for number in range(len(other)))),
        held=np.array([articles.held_out(article.outlet) for article in chosen] + fifth),
    )


def windows(article: articles.Article, most: int) -> list[str]:
    """Windows of an article from its first paragraph on, as the app reads them; at most so many, evenly spread."""
    found, _ = leaning_windows(parts(masked(sentence)) for sentence in article.whole)
    step = (len(found) - 1) / max(1, most - 1)
    return found if len(found) <= most else [found[round(number * step)] for number in range(most)]


def _states(bundle: Bundle, texts: Sequence[str], events: Events) -> Floats:
    tokenizer = Tokenizer.from_file(str(bundle.tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(bundle.max_tokens)
    session = InferenceSession(str(bundle.graph), providers=["CPUExecutionProvider"])
    found = []
    for text in texts:
        events.obey()
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        found.append(session.run(["meaning"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0])
    return np.array(found, dtype=np.float64)


def _means(read: Read) -> Floats:
    summed = np.zeros((len(read.labels), read.states.shape[1]))
    np.add.at(summed, read.owners, read.states)
    return np.asarray(summed / np.bincount(read.owners, minlength=len(read.labels))[:, None])


def _answers(graph: Path, read: Read) -> Floats:
    """Logits [articles, 4] of the head in a graph, means over windows, with its weights as int8 leaves them."""
    head = leaning_graph.held(graph)
    hidden = np.tanh(read.states @ head.layer.weight.detach().numpy().T + head.layer.bias.detach().numpy())
    logits = hidden @ head.output.weight.detach().numpy().T + head.output.bias.detach().numpy()
    summed = np.zeros((len(read.labels), logits.shape[1]))
    np.add.at(summed, read.owners, logits)
    return np.asarray(summed / np.bincount(read.owners, minlength=len(read.labels))[:, None])


def _scores(answers: Floats, read: Read) -> dict[str, float]:
    """Macro-F1 of left, center and right, and right minus left apart, over the articles of houses held out."""
    held = read.held & (read.labels != NOT_POLITICAL)
    gold = read.labels[held]
    sides = gold != 1
    found = answers[held][:, :3]
    right = found[sides][:, 2] > found[sides][:, 0]
    return {
        "held_out_articles": float(held.sum()),
        "held_out_macro_f1": macro_f1(gold.tolist(), found.argmax(axis=1).tolist()),
        "held_out_left_right_macro_f1": macro_f1(
            (gold[sides] != LEFT).astype(int).tolist(), right.astype(int).tolist()
        ),
    }


def _scales(answers: Floats, read: Read) -> dict[str, Scale]:
    held = read.held & (read.labels != NOT_POLITICAL)
    political = np.asarray(read.labels[read.held] != NOT_POLITICAL, dtype=np.float64)
    return {
        "leaning": Scale(fit_temperature(answers[held][:, :3], read.labels[held])),
        "political": Scale(*fit_scale(political_odds(answers[read.held]), political)),
    }


def _describe(
    made: Path,
    start: Bundle,
    scales: dict[str, Scale],
    metrics: dict[str, float],
    *,
    run_id: str,
    most: int,
    strength: float,
) -> None:
    listing = made / "bundle.json"
    facts: dict[str, Any] = json.loads(listing.read_text(encoding="utf-8"))
    facts["calibration"] |= {name: asdict(scale) for name, scale in scales.items()}
    facts |= {"version": f"{date.today():%Y.%m.%d}", "run": run_id}
    listing.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value:.4f} |" for name, value in sorted(metrics.items()))
    card = (made / "README.md").read_text(encoding="utf-8").rstrip("\n")
    told = _SECTION.format(start=start.run, run=run_id, most=most, strength=strength, rows=rows)
    seal(made, f"{card}\n{told}")


_SECTION = """
## The leaning head

Fitted anew by run `{run}` (`evenhand train run reader --start BUNDLE --trainings 0 --head leaning`): a linear one, on
articles without what tells who published them, its inverse penalty ({strength:g}) chosen by folds of the houses that it
learnt from. Everything else in the graph is, to the bit, that of run `{start}`. Over articles of houses that no
training saw, read in at most {most} windows each; *before* is the head of the start:

| dev figure | value |
|---|---|
{rows}
"""
