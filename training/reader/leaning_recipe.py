"""``--init-from BUNDLE --ensemble-size 0 --head leaning``: fits the leaning head alone; nothing else changes.

The graph of the start reads the articles as the app reads a draft: from the first paragraph on, publisher names
masked, in windows, in int8. Publishers that every training holds out (`allsides.is_held_out`) are scored before and
after; the head is not fitted on them. Calibration is fitted on them, which changes no macro-F1: on windows and on
single sentences, as the app reads both; a single sentence says much less.
"""

from __future__ import annotations

import random
import re
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.bundles.manifest import LEANING_MACRO_F1, Evaluation
from core.bundles.reader import PlattScaling, ReaderBundle, load_reader_bundle
from core.engine.onnx_session import ReaderSession
from core.engine.political_leaning import leaning_windows, mask_publisher, split_parts
from training.corpora import allsides, babe, wikipedia
from training.loop.events import Events
from training.loop.runs import RunContext
from training.metrics import fit_scale, fit_temperature, macro_f1
from training.modeling import leaning_head
from training.modeling.leaning_head import LeaningHead, head_logits
from training.reader import leaning_classifier
from training.reader.export import read_bundle_json, seal_bundle, write_bundle_json
from training.reader.threshold_selection import political_odds
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CENTER, LEFT, NOT_POLITICAL, RIGHT

Floats = NDArray[np.float64]
MAX_PER_PUBLISHER, MAX_WINDOWS, MAX_OTHER, MAX_PAIRS = 250, 4, 1200, 2500
"""At most so many articles of a publisher, windows of an article, texts that are not political, and sentence pairs; the
smoke scale has fewer."""
SMOKE = (6, 1, 40, 40)
EQUAL_WEIGHT_LIMIT = 45
"""A held-out publisher counts as at most so many articles: each of its n articles counts EQUAL_WEIGHT_LIMIT / n."""
_STATEMENTS, _HELD_OUT = 3, 5
"""Statements of a text that is not political; one of so many such texts is held out."""
_DRY_RUN_ARTICLES = 6
"""Articles that a dry run reads."""
_LEANING = "political leaning"
_LEFT_RIGHT_MACRO_F1 = f"{_LEANING}, held-out publishers, left against right, macro-F1"
_REPORT_EVERY = 200
"""Windows between two progress events."""


@dataclass(frozen=True, slots=True)
class ArticleStates:
    """Articles as the graph encodes them: mean states [windows, d], the article of each window; class, publisher and
    topic of each article, and whether its publisher is held out. ``short`` [sentences, d] and ``shown`` are states
    and articles of single sentences, of those alone that are held out.
    """

    states: Floats
    owners: NDArray[np.int64]
    labels: NDArray[np.int64]
    publishers: tuple[str, ...]
    topics: tuple[str, ...]
    held: NDArray[np.bool_]
    short: Floats
    shown: NDArray[np.int64]


def refit_leaning_head(start: Path, data: Path, *, scale: str, seed: int, context: RunContext) -> Path:
    """Fit the head, write it into a copy of the bundle, and score it. Returns the bundle's folder.

    Raises CorpusError, BundleError and ValueError.
    """
    events = context.events
    events.stage = "leaning"
    bundle = load_reader_bundle(start)
    sizes = SMOKE if scale == "smoke" else (MAX_PER_PUBLISHER, MAX_WINDOWS, MAX_OTHER, MAX_PAIRS)
    found = allsides.load(
        data, NearDuplicateIndex(babe.texts(data)), on_message=lambda line: events.emit("stage", line)
    )
    apart = {article.sentences: article for article in found}.values()
    chosen = allsides.limit_per_group(
        apart, lambda article: allsides.publisher_of(article.outlet), most=sizes[0], seed=seed
    )
    other = _other(data, sizes[2], seed)
    if events.dry_run is not None:
        began = time.monotonic()
        _read(bundle, chosen[:_DRY_RUN_ARTICLES], [], sizes[1], events)
        events.dry_run.seconds += (time.monotonic() - began) / _DRY_RUN_ARTICLES * (len(chosen) + len(other))
        return context.folder
    read = _read(bundle, chosen, other, sizes[1], events)
    learnt = ~read.held
    known = np.flatnonzero(learnt).tolist()
    head = leaning_classifier.fit_leaning_head(
        _means(read.states, read)[learnt],
        read.labels[learnt].tolist(),
        [read.publishers[at] for at in known],
        [read.topics[at] for at in known],
        _edits(bundle, data, sizes[3], events),
    )
    made = context.folder / "bundle"
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(start, made)
    leaning_head.write_head_into_graph(made / bundle.graph.name, head)
    metrics: dict[str, float] = {}
    for prefix, folder in (("before_", start), ("", made)):
        head = leaning_head.read_leaning_head(folder / bundle.graph.name)
        scores = _scores(_means(_logits(head, read.states), read), read)
        metrics |= {f"{prefix}{name}": value for name, value in scores.items()}
    scales = _scales(head, read)
    _describe(made, bundle, scales, metrics, run_id=context.id, sizes=sizes)
    context.write_json("metrics.json", metrics)
    events.emit("end", str(made), metrics=metrics)
    return made


def _other(data: Path, most: int, seed: int) -> list[list[str]]:
    """Prose that is not political: statements of featured Wikipedia articles, a few joined."""
    pool = [example.text for example in wikipedia.load_cw_hard(data) if example.group == "neutral_featured"]
    random.Random(seed).shuffle(pool)
    return [pool[at : at + _STATEMENTS] for at in range(0, len(pool), _STATEMENTS)][:most]


def _read(
    bundle: ReaderBundle,
    chosen: Sequence[allsides.Article],
    other: Sequence[Sequence[str]],
    most: int,
    events: Events,
) -> ArticleStates:
    held = [allsides.is_held_out(article.outlet) for article in chosen]
    other_held = [number % _HELD_OUT == 0 for number in range(len(other))]
    whole = [article_windows(article, most) for article in chosen] + [[" ".join(some)] for some in other]
    single = [
        [mask_publisher(one) for one in _spread(article.whole, most)] if out else []
        for article, out in zip(chosen, held, strict=True)
    ] + [list(some) if out else [] for some, out in zip(other, other_held, strict=True)]
    texts, short = ([text for some in parted for text in some] for parted in (whole, single))
    events.emit(
        "stage",
        f"reading {len(texts)} windows of {len(chosen)} articles and {len(other)} other texts, and "
        f"{len(short)} sentences of those held out",
    )
    states = _states(bundle, [*texts, *short], events)
    publishers = [allsides.publisher_of(article.outlet) for article in chosen]
    return ArticleStates(
        states=states[: len(texts)],
        owners=np.repeat(np.arange(len(whole)), [len(some) for some in whole]),
        labels=np.array([article.leaning for article in chosen] + [NOT_POLITICAL] * len(other)),
        publishers=(*publishers, *(f"other {number}" for number in range(len(other)))),
        topics=(*(article.topic for article in chosen), *("" for _ in other)),
        held=np.array(held + other_held),
        short=states[len(texts) :],
        shown=np.repeat(np.arange(len(single)), [len(some) for some in single]),
    )


def _edits(bundle: ReaderBundle, data: Path, most: int, events: Events) -> Floats:
    """Shifts of sentence states by editors [pairs, d]: WNC's train pairs without near duplicates of a dev pair."""
    scored = NearDuplicateIndex(wikipedia.load_sides(data, "dev"))
    edited = [
        pair for pair in wikipedia.load_pairs(data, "train") if not scored.has_near_duplicate(pair.source)
    ][:most]
    events.emit("stage", f"reading {len(edited)} sentences before and after an editor made them neutral")
    texts = [mask_publisher(side) for pair in edited for side in (pair.source, pair.target)]
    states = _states(bundle, texts, events)
    return np.asarray(states[1::2] - states[::2])


def article_windows(article: allsides.Article, most: int) -> list[str]:
    """Windows of an article from its first paragraph on, as the app reads them; at most so many, evenly spread."""
    found, _ = leaning_windows(split_parts(mask_publisher(sentence)) for sentence in article.whole)
    return _spread(found, most)


def _spread(texts: Sequence[str], most: int) -> list[str]:
    """At most so many of the texts, the first and the last among them."""
    step = (len(texts) - 1) / max(1, most - 1)
    return list(texts) if len(texts) <= most else [texts[round(number * step)] for number in range(most)]


def _states(bundle: ReaderBundle, texts: Sequence[str], events: Events) -> Floats:
    graph = ReaderSession.open(bundle)
    graph.tokenizer.enable_truncation(bundle.max_tokens)
    found: list[NDArray[np.float32]] = []
    began = time.monotonic()
    pool = ThreadPoolExecutor(torch.get_num_threads())
    try:
        for state in pool.map(lambda text: graph.run(graph.tokenizer.encode(text).ids).meaning, texts):
            events.check_cancelled()
            found.append(state)
            if not len(found) % _REPORT_EVERY:
                left = (time.monotonic() - began) / len(found) * (len(texts) - len(found))
                events.emit("step", step=len(found), steps=len(texts), eta_s=left)
    finally:
        pool.shutdown(cancel_futures=True)
    return np.array(found, dtype=np.float64)


def _means(values: Floats, read: ArticleStates) -> Floats:
    """The mean of ``values`` [windows, n] over the windows of each article [articles, n]."""
    summed = np.zeros((len(read.labels), values.shape[1]))
    np.add.at(summed, read.owners, values)
    return np.asarray(summed / np.bincount(read.owners, minlength=len(read.labels))[:, None])


def _logits(head: LeaningHead, states: Floats) -> Floats:
    return head_logits(head, torch.from_numpy(states).float()).numpy().astype(np.float64)


def _scores(answers: Floats, read: ArticleStates) -> dict[str, float]:
    """Macro-F1 of left, center and right, and of right against left, over the articles of held-out publishers."""
    held = read.held & (read.labels != NOT_POLITICAL)
    gold, found = read.labels[held], answers[held][:, :NOT_POLITICAL]
    sizes = Counter(read.publishers)
    weights = np.array(
        [min(1.0, EQUAL_WEIGHT_LIMIT / sizes[read.publishers[at]]) for at in np.flatnonzero(held)]
    )
    sides = gold != CENTER
    right = found[sides][:, RIGHT] > found[sides][:, LEFT]
    return {
        "held_out_articles": float(held.sum()),
        "held_out_macro_f1": macro_f1(gold.tolist(), found.argmax(axis=1).tolist(), weights=weights),
        "held_out_left_right_macro_f1": macro_f1(
            (gold[sides] != LEFT).astype(int).tolist(), right.astype(int).tolist(), weights=weights[sides]
        ),
    }


def _scales(head: LeaningHead, read: ArticleStates) -> dict[str, PlattScaling]:
    """Calibration for both windows and single sentences, on at most EQUAL_WEIGHT_LIMIT articles of a held-out
    publisher.

    Texts that are not political are repeated until there are as many of them: a draft may be either.
    """
    counted = Counter[str]()
    few = np.zeros(len(read.labels), dtype=np.bool_)
    for at in np.flatnonzero(read.held):
        counted[read.publishers[at]] += 1
        few[at] = counted[read.publishers[at]] <= EQUAL_WEIGHT_LIMIT
    owners = np.concatenate([read.owners, read.shown])
    kept = few[owners]
    logits = _logits(head, np.concatenate([read.states, read.short])[kept])
    labels = read.labels[owners[kept]]
    leaning = labels != NOT_POLITICAL
    other = np.resize(np.flatnonzero(~leaning), leaning.sum())
    odds = political_odds(logits[np.concatenate([np.flatnonzero(leaning), other])])
    return {
        "leaning": PlattScaling(fit_temperature(logits[leaning][:, :NOT_POLITICAL], labels[leaning])),
        "political": PlattScaling(*fit_scale(odds, np.repeat([1.0, 0.0], [leaning.sum(), len(other)]))),
    }


def _describe(
    made: Path,
    start: ReaderBundle,
    scales: dict[str, PlattScaling],
    metrics: dict[str, float],
    *,
    run_id: str,
    sizes: tuple[int, int, int, int],
) -> None:
    facts = read_bundle_json(made)
    facts["calibration"] |= {name: asdict(scale) for name, scale in scales.items()}
    facts |= {"version": f"{date.today():%Y.%m.%d}", "run": run_id}
    write_bundle_json(made, facts)
    rows = "\n".join(f"| {name.replace('_', ' ')} | {value:.4f} |" for name, value in sorted(metrics.items()))
    told = (made / "README.md").read_text(encoding="utf-8").partition("\n")[2]
    card = _OWN.sub("", f"# {facts['name']} {facts['version']}\n{told}").rstrip("\n")
    section = _SECTION.format(
        start=start.run,
        run=run_id,
        articles=sizes[0],
        most=sizes[1],
        equal_weight_limit=EQUAL_WEIGHT_LIMIT,
        rows=rows,
    )
    seal_bundle(made, f"{card}\n{section}", evaluation=_evaluations(start, metrics))


def _evaluations(start: ReaderBundle, metrics: dict[str, float]) -> list[Evaluation]:
    """The scores of the start, with those of the new head in place of its own."""
    articles = round(metrics["held_out_articles"])
    own = [
        Evaluation(name, round(metrics[metric], 4), split="dev", n=articles)
        for name, metric in (
            (LEANING_MACRO_F1, "held_out_macro_f1"),
            (_LEFT_RIGHT_MACRO_F1, "held_out_left_right_macro_f1"),
        )
    ]
    kept = [score for score in start.evaluation if not score.name.startswith(_LEANING)]
    return [*kept[:2], *own, *kept[2:]]


_OWN = re.compile(r"\n## The leaning head\n.*?(?=\n## |\Z)", re.DOTALL)
"""The section of an earlier fit."""
_SECTION = """
## The leaning head

Fitted by run `{run}` (`evenhand train reader --init-from BUNDLE --ensemble-size 0 --head leaning`), on at most
{articles} articles of a publisher, without what names the publisher: a linear discriminant that ignores what separates
publishers and topics, and what changes where an editor makes a sentence neutral (WNC's train pairs);
`training.reader.leaning_classifier`. How strongly was chosen on folds of the publishers that the encoder was trained
on,
and on those that are held out, so that the scores here are dev scores, and optimistic. Everything else in the graph is,
to the bit, that of run `{start}`; what the other sections say of a leaning head applies to that run's.
Over articles of publishers that no training saw, read in at most {most} windows each; a publisher with more than
{equal_weight_limit} articles counts as if it had {equal_weight_limit}; *before* is the head of the start:

| dev metric | value |
|---|---|
{rows}
"""
