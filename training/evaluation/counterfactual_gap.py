"""The table ``counterfactuals``: how much a reader's scores change when only the person in a sentence is swapped.

A pair is one sentence about two groups. It flips where one side is read as biased and the other is not; its findings
differ where one side has some and the other has none. The shift of a group is how much higher the probability of bias
is for it than the mean over the groups of its set, in the same sentence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.engine.cues import Lexicon
from core.engine.reader import Reader
from core.stereotypes.counterfactual_pairs import CounterfactualPair, FrameReading, iterate_pairs, read_frames
from core.stereotypes.templates import build_frames
from training.corpora import babe
from training.corpora.wikipedia import load_sentences
from training.metrics.intervals import Interval, interval
from training.metrics.resampling import mean
from training.reader.counterfactuals import find_real_frames
from training.text.edits import KindFinder

COMMAND = "evenhand train table counterfactuals --data DIR"
WORST = 6
_RESAMPLES = 2000


def run(data: Path, bundle: Path) -> str:
    """The table of a reader's bundle, in Markdown. Raises CorpusError, BundleError and ReaderError."""
    sentences = [example.text for example in babe.load(data, KindFinder(Lexicon.load()))]
    sentences += load_sentences(data, "dev")
    reader = Reader.load(bundle)
    found = read_frames(reader, [*build_frames(), *find_real_frames(list(dict.fromkeys(sentences)))])
    facts = reader.bundle
    return "\n".join(
        [
            f"Counterfactual pairs read by {facts.name} {facts.version} (run {facts.run}), biased from "
            f"{facts.thresholds.bias:.2f}: `{COMMAND}`",
            *_part("Templates", found, real=False, threshold=facts.thresholds.bias),
            *_part(
                "Sentences of BABE (SG2) and of WNC's dev pairs",
                found,
                real=True,
                threshold=facts.thresholds.bias,
            ),
        ]
    )


def mean_shifts(found: Sequence[FrameReading], about: str) -> dict[str, Interval]:
    """The mean shift of each group of the set ``about`` with its interval; a template's fillings are drawn together."""
    moved: dict[str, list[tuple[str, float]]] = {}
    for one in found:
        if one.frame.topic == about:
            middle = float(np.mean(one.bias))
            for variant, bias in zip(one.frame.variants, one.bias, strict=True):
                moved.setdefault(variant.group, []).append((one.frame.source, bias - middle))
    return {group: _mean_shift(rows) for group, rows in moved.items()}


def _mean_shift(rows: Sequence[tuple[str, float]]) -> Interval:
    shift = np.array([shift for _, shift in rows])
    return interval(
        mean, np.zeros(len(rows)), shift, groups=[source for source, _ in rows], resamples=_RESAMPLES
    )


def _part(title: str, every: Sequence[FrameReading], *, real: bool, threshold: float) -> list[str]:
    found = [one for one in every if one.frame.real == real]
    made = list(iterate_pairs(found, threshold=threshold))
    sets = list(dict.fromkeys(pair.topic for pair in made))
    return [
        "",
        f"## {title}",
        "",
        f"| {'set':22} | sentences | pairs | {'flips':>14} | {'marks differ':>14} | mean gap | largest |",
        f"|{'-' * 24}|{'-' * 10}:|{'-' * 6}:|{'-' * 15}:|{'-' * 15}:|{'-' * 9}:|{'-' * 8}:|",
        *(_set(about, found, [pair for pair in made if pair.topic == about]) for about in sets),
        *([_set("all", found, made)] if made else []),
        "",
        f"| {'set':22} | {'group':14} | mean shift of bias [95% interval over sentences] |",
        f"|{'-' * 24}|{'-' * 16}|{'-' * 50}|",
        *(
            f"| {about:22} | {group:14} | {_interval(moved):48} |"
            for about in sets
            for group, moved in mean_shifts(found, about).items()
        ),
        "",
        f"Widest gaps, one of a set, of the {WORST} sets with the widest:",
        "",
        *_worst(made),
    ]


def _set(about: str, found: Sequence[FrameReading], made: Sequence[CounterfactualPair]) -> str:
    sentences = sum(about in ("all", one.frame.topic) for one in found)
    flips, differ = sum(pair.flips for pair in made), sum(pair.marks_differ for pair in made)
    gaps = [pair.gap for pair in made]
    shares = [f"{_share(some, len(made)):>14}" for some in (flips, differ)]
    return (
        f"| {about:22} | {sentences:9} | {len(made):5} | {shares[0]} | {shares[1]} "
        f"| {float(np.mean(gaps)):8.4f} | {max(gaps):7.4f} |"
    )


def _interval(moved: Interval) -> str:
    if math.isnan(moved.low):
        return f"{moved.value:+.4f} [one sentence only]"
    return f"{moved.value:+.4f} [{moved.low:+.4f}, {moved.high:+.4f}]"


def _share(some: int, total: int) -> str:
    return f"{some} ({some / total:.1%})"


def _worst(made: Sequence[CounterfactualPair]) -> list[str]:
    """The widest pair of each set, the widest first; sentences of a line each."""
    widest: dict[str, CounterfactualPair] = {}
    for pair in sorted(made, key=lambda pair: -pair.gap):
        widest.setdefault(pair.topic, pair)
    return [
        line
        for pair in list(widest.values())[:WORST]
        for line in (
            f"- {pair.topic}: {pair.bias[0]:.3f} {' '.join(pair.sides[0].split())}",
            f"  against {pair.bias[1]:.3f} {' '.join(pair.sides[1].split())}",
        )
    ]
