"""The sensitivity of a reader: precision and recall at thresholds around its own, saved in its bundle and card.

The thresholds are evenly spaced in log-odds around the tuned one, so that the rule fits any reader. They are measured
with the bundle itself, as the app uses it: int8, the engine's decoder. Precision and recall are overlap scores over the
biased sides of WNC's dev pairs (the protocol of WIKIBIAS, section 3.2); findings per 1,000 words are counted over both
sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.bundles.reader import OperatingPoint
from core.engine.cues import Lexicon
from core.engine.reader import Reader
from training.corpora.wikipedia import load_wnc
from training.metrics import span_scores
from training.reader.dev_scores import span_tuples
from training.reader.export import read_bundle_json, replace_card_section, write_bundle_json
from training.text.edits import KindFinder
from training.types import Example

STEPS = range(-3, 4)
STEP = 0.7
"""Log-odds between two thresholds: with it the bundled reader loses about a tenth of its correct findings a step."""

COMMAND = "evenhand train table sensitivity --data DIR --save-results"
HEADING = "## Sensitivity"


def thresholds(tuned: float) -> list[float]:
    """The thresholds around ``tuned``, highest first, ``tuned`` itself among them."""
    odds = math.log(tuned / (1 - tuned))
    return [tuned if not step else round(1 / (1 + math.exp(step * STEP - odds)), 3) for step in STEPS]


def measure(folder: Path, rows: Sequence[Example]) -> list[OperatingPoint]:
    """Operating points of the bundle in ``folder`` on both sides of WNC's dev pairs. Raises BundleError."""
    reader = Reader.load(folder)
    texts = [row.text for row in rows]
    words = sum(len(text.split()) for text in texts)
    biased = [at for at, row in enumerate(rows) if row.spans]
    gold = span_tuples([rows[at].spans or () for at in biased])
    points = []
    for threshold in thresholds(reader.bundle.thresholds.span):
        found = span_tuples([reading.spans for reading in reader.read(texts, threshold=threshold)])
        _exact, overlap = span_scores([found[at] for at in biased], gold)
        marks = 1000 * sum(len(here) for here in found) / max(1, words)
        points.append(
            OperatingPoint(threshold, round(overlap.precision, 4), round(overlap.recall, 4), round(marks, 2))
        )
    return points


def run(data: Path, folder: Path, *, save_results: bool) -> str:
    """The table of the bundle in ``folder``; with ``save_results`` it is also written into the bundle and its card."""
    rows = load_wnc(data, KindFinder(Lexicon.load()), part="dev")
    points = measure(folder, rows)
    if save_results:
        write_curve(folder, points, pairs=len(rows) // 2)
    return "\n".join(
        [f"{'threshold':>9}{'precision':>11}{'recall':>8}{'marks/1000 words':>18}", *map(_row, points)]
    )


def write_curve(folder: Path, points: Sequence[OperatingPoint], *, pairs: int) -> None:
    """Write the points into a sealed bundle and its card, and seal it again."""
    write_bundle_json(
        folder, {**read_bundle_json(folder), "sensitivity": [asdict(point) for point in points]}
    )
    replace_card_section(folder, HEADING, _section(points, pairs))


def _row(point: OperatingPoint) -> str:
    cells = f"{point.threshold:>9.3f}{point.precision:>11.4f}{point.recall:>8.4f}"
    return f"{cells}{point.marks_per_1000_words:>18.2f}"


def _section(points: Sequence[OperatingPoint], pairs: int) -> str:
    rows = "\n".join(
        f"| {point.threshold:.3f} | {point.precision:.4f} | {point.recall:.4f} | {point.marks_per_1000_words:.2f} |"
        for point in points
    )
    return f"""
{HEADING}

Measured by `{COMMAND}` with this bundle (int8) on {pairs} dev
pairs of WNC: overlap precision and recall over the biased sides, marks for 1,000 words over both sides. The reader's
own threshold was chosen on these pairs, and each of their biased sides is known to hold words that an editor took
out: in other text fewer marks are right. Much of what editors took out there is a matter of house style.

| words count from | precision | recall | marks for 1,000 words |
|---|---|---|---|
{rows}
"""
