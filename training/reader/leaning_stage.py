"""The leaning head, fitted on the finished encoder: its training texts, its calibration, and when a leaning is shown.

It reads articles as the app reads a draft: from the first paragraph on, publisher names masked, in windows. Speeches by
party and news sentences by outlet are further publishers. Publishers that every training holds out
(`allsides.is_held_out`) are in no fit; the head is calibrated on them, on windows and on single sentences, as the app
reads both. A leaning is shown from the confidence on with which it is right for seven in ten of their articles.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.bundles.reader import PlattScaling
from core.engine.political_leaning import leaning_windows, mask_publisher, split_parts
from training.corpora import allsides, political_texts
from training.corpora.political_texts import Side
from training.loop.batches import EncodedExample
from training.metrics import fit_scale, fit_temperature, macro_f1
from training.modeling import leaning_head
from training.modeling.reader import Logits, ReaderModel, political_odds, softmax
from training.reader import leaning_classifier
from training.types import CENTER, LEFT, NOT_POLITICAL, RIGHT, Example

Floats = NDArray[np.float64]
MAX_PER_PUBLISHER, MAX_WINDOWS, MAX_OTHER, MAX_EDITED_SIDES = 45, 2, 800, 3000
EQUAL_WEIGHT_LIMIT = 45
"""A held-out publisher counts as at most so many articles: each of its n articles counts EQUAL_WEIGHT_LIMIT / n."""
MIN_ACCURACY = 0.7
"""The share of held-out articles for which a leaning that is shown has to be right."""
MIN_SHOWN = 30
"""Held-out articles, counted by weight, that are needed to evaluate a confidence."""
NEVER = 1.0
_STATEMENTS, _HELD_OUT = 3, 5
_SIDES = {Side.LEFT: LEFT, Side.RIGHT: RIGHT}


@dataclass(frozen=True, slots=True)
class LeaningText:
    """One article, speech, or text that is not political, as the app reads it; dev data if ``is_held_out``."""

    windows: tuple[str, ...]
    sentences: tuple[str, ...]
    leaning: int
    publisher: str
    topic: str
    is_held_out: bool


@dataclass(frozen=True, slots=True)
class ConfidencePoint:
    """Of held-out articles with at least this ``confidence``: their share of all, and the share that is right
    (``accuracy``).
    """

    confidence: float
    coverage: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class LeaningFit:
    """What was measured on held-out texts: scaling, the confidence from which a leaning is shown, scores, the curve.

    ``answers`` [articles, 3] are the probabilities of left, center and right, ``gold`` [articles] the ratings.
    """

    leaning: PlattScaling
    political: PlattScaling
    threshold: float
    scores: dict[str, float]
    curve: tuple[ConfidencePoint, ...]
    answers: Floats
    gold: NDArray[np.int64]


def leaning_texts(
    articles: Iterable[allsides.Article],
    passages: Iterable[political_texts.Passage],
    pool: Iterable[Example],
    neutral: Sequence[str],
    *,
    seed: int,
    limit: int | None = None,
) -> list[LeaningText]:
    """Every text that the head learns from or is measured on; at most MAX_PER_PUBLISHER of a publisher.

    ``passages`` are speeches and books by side, ``pool`` news sentences with the leaning of their outlet, ``neutral``
    statements that are not political. Of outlets that are held out by their name, articles alone are taken: they
    measure the head.
    """
    apart = {article.sentences: article for article in articles}.values()
    most = limit or MAX_PER_PUBLISHER
    chosen = allsides.limit_per_group(
        apart, lambda one: allsides.publisher_of(one.outlet), most=most, seed=seed
    )
    found = [
        _text(
            article.whole, article.leaning, article.outlet, article.topic, windows=1 if limit else MAX_WINDOWS
        )
        for article in chosen
    ]
    found += _joined(
        (
            (example.text, example.leaning, example.group, example.topic)
            for example in pool
            if not allsides.is_held_out(example.group)
        ),
        most,
        seed,
    )
    found += _joined(
        (
            (passage.text, _SIDES[passage.side], f"{passage.corpus} {passage.side}", "")
            for passage in passages
            if passage.side in _SIDES
        ),
        most,
        seed,
    )
    statements = list(neutral)
    random.Random(seed).shuffle(statements)
    parts = [statements[at : at + _STATEMENTS] for at in range(0, len(statements), _STATEMENTS)]
    found += [
        LeaningText(
            (" ".join(some),), tuple(some), NOT_POLITICAL, f"other {number}", "", number % _HELD_OUT == 0
        )
        for number, some in enumerate(parts[: limit or MAX_OTHER])
    ]
    return found


def fit_head(
    model: ReaderModel,
    texts: Sequence[LeaningText],
    edited: Sequence[Example],
    encode: Callable[[Sequence[Example]], list[EncodedExample]],
    *,
    device: torch.device,
) -> None:
    """Fit the leaning head of ``model`` on the texts that are not held out; nothing else of it changes.

    ``edited`` are both sides of edited pairs: what an editor changes must not change the leaning.
    """
    known = [text for text in texts if not text.is_held_out]
    rows = encode([Example(window, "leaning") for text in known for window in text.windows])
    states = leaning_head.mean_states(model, rows, device=device).numpy().astype(np.float64)
    means = _means(states, [len(text.windows) for text in known])
    shifts = leaning_head.edit_shifts(model, encode(edited[:MAX_EDITED_SIDES]), device=device)
    head = leaning_classifier.fit_leaning_head(
        means,
        [text.leaning for text in known],
        [text.publisher for text in known],
        [text.topic for text in known],
        shifts.numpy().astype(np.float64),
    )
    leaning_head.set_head(model, head)


def measure(texts: Sequence[LeaningText], predict: Callable[[Sequence[Example]], Logits]) -> LeaningFit:
    """Calibrate and score a reader's leaning on the held-out texts; ``predict`` reads them with it."""
    held = [text for text in texts if text.is_held_out]
    whole = predict([Example(window, "leaning") for text in held for window in text.windows]).leaning
    short = predict([Example(sentence, "leaning") for text in held for sentence in text.sentences]).leaning
    sizes, counts = ([len(part) for part in parts] for parts in _parts(held))
    labels = np.array([text.leaning for text in held])
    few = _few(held)
    kept = np.concatenate([np.repeat(few, sizes), np.repeat(few, counts)])
    logits = np.concatenate([whole, short])[kept]
    gold = np.concatenate([np.repeat(labels, sizes), np.repeat(labels, counts)])[kept]
    is_political = gold != NOT_POLITICAL
    temperature = fit_temperature(logits[is_political][:, :NOT_POLITICAL], gold[is_political])
    other = np.resize(np.flatnonzero(~is_political), is_political.sum())
    odds = political_odds(logits[np.concatenate([np.flatnonzero(is_political), other])])
    political = PlattScaling(*fit_scale(odds, np.repeat([1.0, 0.0], [is_political.sum(), len(other)])))
    articles = labels != NOT_POLITICAL
    answers = _means(softmax(whole[:, :NOT_POLITICAL], temperature), sizes)[articles]
    publishers = [text.publisher for text, one in zip(held, articles, strict=True) if one]
    weights = _weights(publishers)
    curve = _confidence_curve(answers, labels[articles], weights)
    return LeaningFit(
        PlattScaling(temperature),
        political,
        _least_confidence(answers, labels[articles], weights),
        _scores(answers, labels[articles], weights),
        curve,
        answers,
        labels[articles],
    )


def _text(
    sentences: Sequence[str], leaning: int, outlet: str, topic: str, *, windows: int = MAX_WINDOWS
) -> LeaningText:
    masked = [mask_publisher(sentence) for sentence in sentences]
    found, _ = leaning_windows(split_parts(sentence) for sentence in masked)
    return LeaningText(
        tuple(_spread(found, windows)),
        tuple(_spread(masked, windows)),
        leaning,
        allsides.publisher_of(outlet),
        topic,
        allsides.is_held_out(outlet),
    )


def _joined(rows: Iterable[tuple[str, int | None, str, str]], most: int, seed: int) -> list[LeaningText]:
    """Sentences of one article, or of one corpus and side, as texts of one window; none is held out."""
    groups: dict[tuple[str, int, str], list[str]] = defaultdict(list)
    for text, leaning, outlet, article in rows:
        if leaning is not None:
            groups[outlet, leaning, article].append(text)
    made: list[LeaningText] = []
    for (outlet, leaning, article), sentences in groups.items():
        windows, _ = leaning_windows(split_parts(mask_publisher(sentence)) for sentence in sentences)
        pieces = windows if article else _every_window(sentences)
        publisher = allsides.publisher_of(outlet)
        made += [LeaningText((window,), (), leaning, publisher, "", False) for window in pieces]
    return allsides.limit_per_group(made, lambda one: one.publisher, most=most, seed=seed)


def _every_window(sentences: Sequence[str], size: int = 4) -> list[str]:
    return [" ".join(map(mask_publisher, sentences[at : at + size])) for at in range(0, len(sentences), size)]


def _spread(texts: Sequence[str], most: int) -> list[str]:
    """At most so many of the texts, the first and the last among them."""
    step = (len(texts) - 1) / max(1, most - 1)
    return list(texts) if len(texts) <= most else [texts[round(number * step)] for number in range(most)]


def _parts(texts: Sequence[LeaningText]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    return [text.windows for text in texts], [text.sentences for text in texts]


def _means(values: Floats, sizes: Sequence[int]) -> Floats:
    """The mean of ``values`` [windows, n] over the windows of each text [texts, n]."""
    owners = np.repeat(np.arange(len(sizes)), sizes)
    summed = np.zeros((len(sizes), values.shape[1]))
    np.add.at(summed, owners, values)
    return np.asarray(summed / np.maximum(1, np.array(sizes))[:, None])


def _few(texts: Sequence[LeaningText]) -> NDArray[np.bool_]:
    """At most EQUAL_WEIGHT_LIMIT texts of a publisher."""
    counted = Counter[str]()
    few = np.zeros(len(texts), dtype=np.bool_)
    for at, text in enumerate(texts):
        counted[text.publisher] += 1
        few[at] = counted[text.publisher] <= EQUAL_WEIGHT_LIMIT
    return few


def _weights(publishers: Sequence[str]) -> Floats:
    sizes = Counter(publishers)
    return np.array([min(1.0, EQUAL_WEIGHT_LIMIT / sizes[one]) for one in publishers])


def _scores(answers: Floats, gold: NDArray[np.int64], weights: Floats) -> dict[str, float]:
    """Macro-F1 of left, center and right, and of right against left, over the articles of held-out publishers."""
    sides = gold != CENTER
    right = answers[sides][:, RIGHT] > answers[sides][:, LEFT]
    return {
        "leaning_articles": float(len(gold)),
        "leaning_macro_f1": macro_f1(gold.tolist(), answers.argmax(axis=1).tolist(), weights=weights),
        "leaning_left_right_macro_f1": macro_f1(
            (gold[sides] != LEFT).astype(int).tolist(), right.astype(int).tolist(), weights=weights[sides]
        ),
    }


def _confidence_curve(
    answers: Floats, gold: NDArray[np.int64], weights: Floats
) -> tuple[ConfidencePoint, ...]:
    confidence, right = answers.max(axis=1), answers.argmax(axis=1) == gold
    points = []
    for least in np.arange(35, 100, 5) / 100:
        shown = weights * (confidence >= least)
        if shown.sum() > 0:
            points.append(
                ConfidencePoint(
                    float(least),
                    float(shown.sum() / weights.sum()),
                    float((shown * right).sum() / shown.sum()),
                )
            )
    return tuple(points)


def _least_confidence(answers: Floats, gold: NDArray[np.int64], weights: Floats) -> float:
    """The least confidence from which on the shown leanings are right often enough; NEVER where there is none."""
    confidence, right = answers.max(axis=1), answers.argmax(axis=1) == gold
    for least in np.arange(34, 100) / 100:
        shown = weights * (confidence >= least)
        if shown.sum() < MIN_SHOWN:
            break
        if (shown * right).sum() / shown.sum() >= MIN_ACCURACY:
            return float(least)
    return NEVER
