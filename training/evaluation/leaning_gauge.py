"""How reliable the gauge of political leaning is on publishers that no training saw, by the length of a text.

The texts are the beginnings of articles, from their first paragraph on; neutral Wikipedia sentences stand for what is
not political. The bundle reads them as the app does: masked, in windows. A last line scores sentences of outlets that
are in no corpus of articles. Two settings were chosen by this table: the fewest words for which a leaning is shown
(`core.engine.political_leaning.MIN_WORDS`) and the width of the interval (`core.reports.chart_data.INTERVAL_SCALE`).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.engine.cues import Lexicon
from core.engine.political_leaning import (
    MIN_WORDS,
    WeightedLeaning,
    leaning_windows,
    mask_publisher,
    split_parts,
    weight_leaning,
)
from core.engine.reader import Reader
from core.reports.chart_data import INTERVAL_SCALE, leaning_interval, leaning_uncertainty
from core.types import Leaning
from training.corpora import allsides, babe, wikipedia
from training.metrics.intervals import interval
from training.metrics.resampling import macro_f1
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CENTER, LEFT, RIGHT

LENGTHS = (10, 20, 40, 60, 100, 200, 0)
"""Words of a text; 0 is a whole article."""
ARTICLES_PER_PUBLISHER, SENTENCES = 12, 8
SENTENCES_PER_TEXT = 6
"""BABE has single sentences, which are too short to score: so many of one outlet are joined into a text."""
COVERAGE = 0.8
"""Share of articles whose outlet's rating should lie inside the interval."""
_RATINGS = (-1.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class GaugeReading:
    """The leaning of one text at one length. ``rating`` is 0 left, 1 center, 2 right; None: not political."""

    words: int
    rating: int | None
    leaning: WeightedLeaning | None
    publisher: str


def run(data: Path, folder: Path) -> str:
    """The table for the bundle in ``folder``, as text. Raises BundleError and CorpusError."""
    reader = Reader.load(folder)
    found = allsides.load(data, NearDuplicateIndex(babe.texts(data)))
    texts = [*_held_out_articles(found), *_neutral_texts(data)]
    readings = [
        GaugeReading(words, rating, _read_beginning(reader, sentences, words), publisher)
        for rating, publisher, sentences in texts
        for words in LENGTHS
        if rating is not None or words
    ]
    threshold = reader.bundle.thresholds.political
    lines = [
        f"{'words':>8}{'articles':>10}{'with leaning':>14}{'macro-F1, 95% by publisher':>26}"
        f"{'other texts with leaning':>26}"
    ]
    lines += [_row([one for one in readings if one.words == words], words, threshold) for words in LENGTHS]
    whole = [one for one in readings if not one.words and one.rating is not None and one.leaning is not None]
    lines.append(f"no leaning below {MIN_WORDS} words, or below a political probability of {threshold}")
    lines.append(
        _interval_line([(one.leaning.leaning, one.rating or 0) for one in whole if one.leaning is not None])
    )
    lines.append(
        _score_other_outlets(
            reader, _texts_of_other_outlets(data, {allsides.publisher_of(one.outlet) for one in found})
        )
    )
    return "\n".join(lines)


def interval_half_width(scored: Sequence[tuple[Leaning, int]]) -> float:
    """The factor of the uncertainty with which the interval covers the share COVERAGE of the ratings.

    The quantile of the ratings' distances in units of the uncertainty (split conformal prediction with a normalised
    score; Lei et al. 2018, section 5.2).
    """
    scores = sorted(
        abs(_RATINGS[rating] - (leaning.right - leaning.left)) / max(leaning_uncertainty(leaning), 1e-6)
        for leaning, rating in scored
    )
    at = min(len(scores) - 1, int(np.ceil(COVERAGE * (len(scores) + 1))) - 1)
    return scores[at]


def _interval_line(scored: Sequence[tuple[Leaning, int]]) -> str:
    held = [
        low <= _RATINGS[rating] <= high
        for leaning, rating in scored
        for _, low, high in [leaning_interval(leaning)]
    ]
    spans = [high - low for leaning, _ in scored for _, low, high in [leaning_interval(leaning)]]
    return (
        f"interval of {INTERVAL_SCALE} times the uncertainty: covers the rating of {np.mean(held):.3f} of "
        f"{len(scored)} articles, {np.mean(spans):.2f} wide on average (of 2); a coverage of {COVERAGE} needs "
        f"{interval_half_width(scored):.2f} times"
    )


def _row(readings: Sequence[GaugeReading], words: int, threshold: float) -> str:
    own = [one for one in readings if one.rating is not None]
    scored = [one for one in own if one.leaning is not None and one.leaning.political >= threshold]
    gold = np.array([one.rating or 0 for one in scored])
    found = np.array([_most_likely(one.leaning.leaning) for one in scored if one.leaning is not None])
    score = "–"
    if scored:
        known = interval(macro_f1, gold, found, groups=[one.publisher for one in scored])
        score = f"{known.value:.3f} [{known.low:.3f}, {known.high:.3f}]"
    other = [one for one in readings if one.rating is None]
    shown = sum(one.leaning is not None and one.leaning.political >= threshold for one in other)
    share = f"{shown / len(other):.3f}" if other else "–"
    return f"{words or 'all':>8}{len(own):>10}{len(scored) / max(1, len(own)):>14.3f}{score:>26}{share:>26}"


def _score_other_outlets(reader: Reader, texts: Sequence[tuple[int, str, list[str]]]) -> str:
    scored = [
        (rating, outlet, leaning.leaning)
        for rating, outlet, sentences in texts
        if (leaning := _read_beginning(reader, sentences, 0)) is not None
    ]
    if not scored:
        return "every outlet of BABE is in a corpus of articles"
    gold = np.array([rating for rating, _, _ in scored])
    outlets = [outlet for _, outlet, _ in scored]
    known = interval(macro_f1, gold, np.array([_most_likely(one) for _, _, one in scored]), strata=outlets)
    right = np.array([RIGHT if one.right > one.left else LEFT for _, _, one in scored])
    sides = gold != CENTER
    apart = macro_f1(gold[sides], right[sides], np.ones((1, int(sides.sum()))))
    return (
        f"{len(scored)} texts of {SENTENCES_PER_TEXT} sentences of {len(set(outlets))} BABE outlets that are in "
        "no corpus of articles: "
        f"macro-F1 {known.value:.3f} [{known.low:.3f}, {known.high:.3f}] by text, left and right alone {apart[0]:.3f}"
    )


def _most_likely(leaning: Leaning) -> int:
    return int(np.argmax((leaning.left, leaning.center, leaning.right)))


def _read_beginning(reader: Reader, sentences: Sequence[str], words: int) -> WeightedLeaning | None:
    """The leaning of the first ``words`` words of a text; of all of it for 0."""
    kept: list[str] = []
    left = words
    for sentence in sentences:
        split = sentence.split()
        kept.append(" ".join(split[:left]) if words else sentence)
        left -= len(split)
        if words and left <= 0:
            break
    return weight_leaning(reader, leaning_windows(map(split_parts, kept))[0])


def _held_out_articles(found: Sequence[allsides.Article]) -> list[tuple[int | None, str, list[str]]]:
    chooser = random.Random(7)
    texts: list[tuple[int | None, str, list[str]]] = []
    for name in sorted(
        {allsides.publisher_of(one.outlet) for one in found if allsides.is_held_out(one.outlet)}
    ):
        own = [one for one in found if allsides.publisher_of(one.outlet) == name]
        for one in chooser.sample(own, min(ARTICLES_PER_PUBLISHER, len(own))):
            texts.append((one.leaning, name, [mask_publisher(sentence) for sentence in one.whole]))
    return texts


def _neutral_texts(data: Path) -> list[tuple[int | None, str, list[str]]]:
    rows = wikipedia.load_wnc(data, KindFinder(Lexicon.load()), part="dev")
    neutral = [mask_publisher(row.text) for row in rows if not row.spans]
    random.Random(7).shuffle(neutral)
    joined = [neutral[at : at + SENTENCES] for at in range(0, len(neutral), SENTENCES)]
    return [(None, "", sentences) for sentences in joined]


def _texts_of_other_outlets(data: Path, known: set[str]) -> list[tuple[int, str, list[str]]]:
    """Rating, outlet and masked sentences of each text, of outlets whose publisher is not in ``known``."""
    by_outlet: dict[tuple[str, int], list[str]] = defaultdict(list)
    for text, outlet, rating in babe.rated_sentences(data):
        if allsides.publisher_of(outlet) not in known:
            by_outlet[outlet, rating].append(mask_publisher(text))
    chooser = random.Random(7)
    texts: list[tuple[int, str, list[str]]] = []
    for (outlet, rating), sentences in sorted(by_outlet.items()):
        chooser.shuffle(sentences)
        for at in range(0, len(sentences) - SENTENCES_PER_TEXT + 1, SENTENCES_PER_TEXT):
            texts.append((rating, outlet, sentences[at : at + SENTENCES_PER_TEXT]))
    return texts
