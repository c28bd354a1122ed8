"""How much a reader marks, measured: precision and recall at thresholds around its own, kept in its bundle and card.

The stops lie evenly in log-odds around the threshold that the reader was tuned for, so that the rule fits any reader.
They are measured with the bundle itself, as the app reads: int8, the engine's own decoder. Precision and recall are
overlap scores over the biased sides of WNC's dev pairs (the protocol of WIKIBIAS, section 3.2); marks for 1,000 words
are counted over both sides.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from core.bundles.reader import OperatingPoint
from core.engine.cues import Lexicon
from core.engine.reader import Reader
from training.corpora.wikipedia import load_wnc
from training.metrics import span_scores
from training.reader.export import seal
from training.reader.threshold_selection import as_tuples
from training.text.edits import KindFinder
from training.types import Example

STEPS = range(-3, 4)
STEP = 0.7
"""Log-odds between two stops: with it the shipped reader loses about one of ten right marks a step."""

COMMAND = "evenhand train table sensitivity --data DIR --write"
HEADING = "## Sensitivity"
_SECTION = re.compile(rf"\n{HEADING}\n.*?(?=\n## |\Z)", re.DOTALL)


def thresholds(tuned: float) -> list[float]:
    """The stops around ``tuned``, highest first, ``tuned`` itself among them."""
    odds = math.log(tuned / (1 - tuned))
    return [tuned if not step else round(1 / (1 + math.exp(step * STEP - odds)), 3) for step in STEPS]


def measure(folder: Path, rows: Sequence[Example]) -> list[OperatingPoint]:
    """Read both sides of WNC's dev pairs with the bundle in ``folder`` at each stop. Raises BundleError."""
    reader = Reader.load(folder)
    texts = [row.text for row in rows]
    words = sum(len(text.split()) for text in texts)
    biased = [at for at, row in enumerate(rows) if row.spans]
    gold = as_tuples([rows[at].spans or () for at in biased])
    stops = []
    for threshold in thresholds(reader.bundle.thresholds.span):
        found = as_tuples([reading.spans for reading in reader.read(texts, threshold=threshold)])
        _exact, overlap = span_scores([found[at] for at in biased], gold)
        marks = 1000 * sum(len(here) for here in found) / max(1, words)
        stops.append(
            OperatingPoint(threshold, round(overlap.precision, 4), round(overlap.recall, 4), round(marks, 2))
        )
    return stops


def run(data: Path, folder: Path, *, write: bool) -> str:
    """The table for the bundle in ``folder``; with ``write`` it goes into the bundle and its card as well."""
    rows = load_wnc(data, KindFinder(Lexicon.load()), part="dev")
    stops = measure(folder, rows)
    if write:
        put(folder, stops, pairs=len(rows) // 2)
    return "\n".join(
        [f"{'threshold':>9}{'precision':>11}{'recall':>8}{'marks/1000 words':>18}", *map(_row, stops)]
    )


def put(folder: Path, stops: Sequence[OperatingPoint], *, pairs: int) -> None:
    """Write the stops into the description of a sealed bundle and into its card, and seal it again."""
    listing = folder / "bundle.json"
    facts = json.loads(listing.read_text(encoding="utf-8"))
    hashes = facts.pop("sha256")
    facts["sensitivity"] = [asdict(stop) for stop in stops]
    listing.write_text(json.dumps({**facts, "sha256": hashes}, indent=2) + "\n", encoding="utf-8")
    card = (folder / "README.md").read_text(encoding="utf-8")
    seal(folder, _SECTION.sub("", card).rstrip("\n") + "\n" + _section(stops, pairs))


def _row(stop: OperatingPoint) -> str:
    figures = f"{stop.threshold:>9.3f}{stop.precision:>11.4f}{stop.recall:>8.4f}"
    return f"{figures}{stop.marks_per_1000_words:>18.2f}"


def _section(stops: Sequence[OperatingPoint], pairs: int) -> str:
    rows = "\n".join(
        f"| {stop.threshold:.3f} | {stop.precision:.4f} | {stop.recall:.4f} | {stop.marks_per_1000_words:.2f} |"
        for stop in stops
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
