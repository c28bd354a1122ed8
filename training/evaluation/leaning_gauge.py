"""What the leaning gauge is worth on houses that no training saw: by the length of a text, and how wide its band is.

The texts are the beginnings of articles, from their first paragraph on, and neutral sentences of Wikipedia in the
place of what is not political. They are read as the app reads them: masked, in windows, by the bundle itself. Beside
them, sentences of outlets that are in no corpus of articles, some together; their leaning nobody learnt. Chosen by
this table: the fewest words of a text that has a leaning (`core.engine.political_leaning.MIN_WORDS`), and how wide
the band is (`core.reports.chart_data.INTERVAL_SCALE`).
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
PER_HOUSE, SENTENCES = 12, 8
TOGETHER = 6
"""Sentences of BABE in one text: they come alone, and of a sentence alone little can be told."""
COVERED = 0.8
"""Share of the articles whose outlet's rating is to lie in the band."""
_RATINGS = (-1.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class GaugeReading:
    """A text of a length as the reader weighs it, its rating (0 left, 1 center, 2 right; None: not political), and
    the house that published it.
    """

    words: int
    rating: int | None
    weighed: WeightedLeaning | None
    house: str


def run(data: Path, folder: Path) -> str:
    """The table for the bundle in ``folder``, as text. Raises BundleError and CorpusError."""
    reader = Reader.load(folder)
    found = allsides.load(data, NearDuplicateIndex(babe.texts(data)))
    texts = [*_articles(found), *_other(data)]
    heard = [
        GaugeReading(words, rating, _weighed(reader, sentences, words), house)
        for rating, house, sentences in texts
        for words in LENGTHS
        if rating is not None or words
    ]
    threshold = reader.bundle.thresholds.political
    lines = [
        f"{'words':>8}{'articles':>10}{'with leaning':>14}{'macro-F1, 95% by house':>26}"
        f"{'other texts with leaning':>26}"
    ]
    lines += [_row([one for one in heard if one.words == words], words, threshold) for words in LENGTHS]
    whole = [one for one in heard if not one.words and one.rating is not None and one.weighed is not None]
    lines.append(f"silent below {MIN_WORDS} words, and below {threshold} political")
    lines.append(_band([(one.weighed.leaning, one.rating or 0) for one in whole if one.weighed is not None]))
    lines.append(_elsewhere(reader, _unheard_of(data, {allsides.publisher_of(one.outlet) for one in found})))
    return "\n".join(lines)


def interval_half_width(told: Sequence[tuple[Leaning, int]], *, covered: float = COVERED) -> float:
    """By how much the uncertainty must be multiplied so that the band holds this share of the ratings.

    The quantile of the ratings' distances in units of the uncertainty (split conformal prediction with a normalised
    score; Lei et al. 2018, section 5.2).
    """
    scores = sorted(
        abs(_RATINGS[rating] - (leaning.right - leaning.left)) / max(leaning_uncertainty(leaning), 1e-6)
        for leaning, rating in told
    )
    at = min(len(scores) - 1, int(np.ceil(covered * (len(scores) + 1))) - 1)
    return scores[at]


def _band(told: Sequence[tuple[Leaning, int]]) -> str:
    held = [
        low <= _RATINGS[rating] <= high
        for leaning, rating in told
        for _, low, high in [leaning_interval(leaning)]
    ]
    spans = [high - low for leaning, _ in told for _, low, high in [leaning_interval(leaning)]]
    return (
        f"band {INTERVAL_SCALE} times as wide as the reader is unsure: holds the rating of {np.mean(held):.3f} "
        f"of {len(told)} "
        f"articles, {np.mean(spans):.2f} wide on average (of 2); {COVERED} need {interval_half_width(told):.2f} times"
    )


def _row(heard: Sequence[GaugeReading], words: int, threshold: float) -> str:
    own = [one for one in heard if one.rating is not None]
    told = [one for one in own if one.weighed is not None and one.weighed.political >= threshold]
    gold = np.array([one.rating or 0 for one in told])
    found = np.array([_likeliest(one.weighed.leaning) for one in told if one.weighed is not None])
    score = "–"
    if told:
        known = interval(macro_f1, gold, found, groups=[one.house for one in told])
        score = f"{known.value:.3f} [{known.low:.3f}, {known.high:.3f}]"
    other = [one for one in heard if one.rating is None]
    said = sum(one.weighed is not None and one.weighed.political >= threshold for one in other)
    share = f"{said / len(other):.3f}" if other else "–"
    return f"{words or 'all':>8}{len(own):>10}{len(told) / max(1, len(own)):>14.3f}{score:>26}{share:>26}"


def _elsewhere(reader: Reader, texts: Sequence[tuple[int, str, list[str]]]) -> str:
    told = [
        (rating, outlet, weighed.leaning)
        for rating, outlet, sentences in texts
        if (weighed := _weighed(reader, sentences, 0)) is not None
    ]
    if not told:
        return "no outlet of BABE is in no corpus of articles"
    gold = np.array([rating for rating, _, _ in told])
    outlets = [outlet for _, outlet, _ in told]
    known = interval(macro_f1, gold, np.array([_likeliest(one) for _, _, one in told]), strata=outlets)
    right = np.array([RIGHT if one.right > one.left else LEFT for _, _, one in told])
    sides = gold != CENTER
    apart = macro_f1(gold[sides], right[sides], np.ones((1, int(sides.sum()))))
    return (
        f"{len(told)} texts of {TOGETHER} sentences of {len(set(outlets))} outlets in no corpus of articles (BABE's): "
        f"macro-F1 {known.value:.3f} [{known.low:.3f}, {known.high:.3f}] by text, left and right alone {apart[0]:.3f}"
    )


def _likeliest(leaning: Leaning) -> int:
    return int(np.argmax((leaning.left, leaning.center, leaning.right)))


def _weighed(reader: Reader, sentences: Sequence[str], words: int) -> WeightedLeaning | None:
    """The beginning of a text, cut at a word; all of it for 0 words."""
    kept: list[str] = []
    left = words
    for sentence in sentences:
        split = sentence.split()
        kept.append(" ".join(split[:left]) if words else sentence)
        left -= len(split)
        if words and left <= 0:
            break
    return weight_leaning(reader, leaning_windows(map(split_parts, kept))[0])


def _articles(found: Sequence[allsides.Article]) -> list[tuple[int | None, str, list[str]]]:
    chooser = random.Random(7)
    texts: list[tuple[int | None, str, list[str]]] = []
    for name in sorted(
        {allsides.publisher_of(one.outlet) for one in found if allsides.is_held_out(one.outlet)}
    ):
        own = [one for one in found if allsides.publisher_of(one.outlet) == name]
        for one in chooser.sample(own, min(PER_HOUSE, len(own))):
            texts.append((one.leaning, name, [mask_publisher(sentence) for sentence in one.whole]))
    return texts


def _other(data: Path) -> list[tuple[int | None, str, list[str]]]:
    rows = wikipedia.load_wnc(data, KindFinder(Lexicon.load()), part="dev")
    plain = [mask_publisher(row.text) for row in rows if not row.spans]
    random.Random(7).shuffle(plain)
    joined = [plain[at : at + SENTENCES] for at in range(0, len(plain), SENTENCES)]
    return [(None, "", sentences) for sentences in joined]


def _unheard_of(data: Path, known: set[str]) -> list[tuple[int, str, list[str]]]:
    """Rating, outlet and masked sentences of each text, of outlets whose houses are not ``known``."""
    by_outlet: dict[tuple[str, int], list[str]] = defaultdict(list)
    for text, outlet, rating in babe.rated_sentences(data):
        if allsides.publisher_of(outlet) not in known:
            by_outlet[outlet, rating].append(mask_publisher(text))
    chooser = random.Random(7)
    texts: list[tuple[int, str, list[str]]] = []
    for (outlet, rating), sentences in sorted(by_outlet.items()):
        chooser.shuffle(sentences)
        for at in range(0, len(sentences) - TOGETHER + 1, TOGETHER):
            texts.append((rating, outlet, sentences[at : at + TOGETHER]))
    return texts
