"""A rewriter's bundle (a CTranslate2 folder with its tokenizer), checked before anything of it is run, and the
logistic ranking model that it brings.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.bundles.manifest import (
    CARD,
    DESCRIPTION,
    Corpus,
    Fields,
    MissingBundleError,
    check_hashes,
    describe,
    inside,
    listed,
    refused,
    unreadable,
)
from core.i18n import tr
from core.paths import models_folder

# Which of several wordings is shown first, and which is good enough to be taken unasked.
#
# A logistic model of whether an editor would choose the wording, fitted by the rewriter's recipe on the edits of pairs
# (`training.rewriter.ranking`), and a price on moving the sentence's leaning.


class Evidence(NamedTuple):
    """What is known of a wording. Probabilities stand as log-odds.

    ``confidence``: that the flagged words are biased; ``bias``: that the sentence is; ``drop``: by how much that falls;
    ``likely``: of the new words, by the model or the table of known ones; ``model``: by the model alone; ``out``: that
    the model would take the words out; ``empty``: 1 where nothing takes their place; ``part``: 1 where only some of
    the flagged words go; ``wide``: 1 where a neighbour is reworded, too; ``best``: 1 where no words are likelier;
    ``others``: the sentence's other findings; ``meaning``: the cosine of what it says before and after.
    """

    confidence: float
    bias: float
    drop: float
    likely: float
    model: float
    out: float
    empty: float
    part: float
    wide: float
    best: float
    others: float
    meaning: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """``offset`` and ``weights`` (one for each of `Evidence`) of the logistic model, in log-odds.

    ``leaning`` is what a shift of the sentence's leaning (`lean`) by 1 costs, in log-odds.
    """

    offset: float
    weights: Evidence
    leaning: float

    def score(self, evidence: Evidence, shift: float) -> float:
        """How good a wording is, in [0, 1]; without a ``shift``, how likely an editor would choose it."""
        odds = self.offset + sum(weight * value for weight, value in zip(self.weights, evidence, strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds - self.leaning * shift))))


PLAIN = Ranking(
    offset=0.0,
    weights=Evidence(0.1, 0.0, 0.1, 0.5, 0.5, 0.0, 0.0, -1.0, -1.0, 0.5, 0.0, 0.0),
    leaning=30.0,
)
"""For a rewriter whose bundle brings none: set by hand, mostly how likely its words are."""


# A rewriter's bundle: a CTranslate2 folder with its tokenizer, checked before anything of it is run.


GRAPH = "model.bin"
PARTS = (GRAPH, "config.json", "shared_vocabulary.json")
"""What CTranslate2 opens in a folder; all of it must have a checksum."""

STRAY = ("source_vocabulary", "target_vocabulary", "vmap")
_MOST = 1000.0
"""The largest weight that a ranking may have."""

GET = tr("Reinstall Evenhand, or make one with: evenhand train run rewriter")


UNFITTED = 0.2
"""The least score where a bundle names none."""


@dataclass(frozen=True, slots=True)
class RewriterThresholds:
    """``score``: from which score on, in [0, 1], a sentence is reworded unasked."""

    score: float


@dataclass(frozen=True, slots=True)
class RewriterBundle:
    """A checked bundle. ``max_tokens`` counts the pieces of a sentence and its frame."""

    folder: Path
    name: str
    role: str
    version: str
    max_tokens: int
    graph: Path
    tokenizer: Path
    card: Path | None
    thresholds: RewriterThresholds
    ranking: Ranking
    run: str
    corpora: tuple[Corpus, ...]

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}"


def bundled_rewriter() -> Path:
    """The folder of the rewriter that comes with Evenhand. It may not be there."""
    return models_folder() / "rewriter"


def load_rewriter_bundle(folder: Path | str) -> RewriterBundle:
    """Read the rewriter's bundle in ``folder`` and check its description and its files' hashes.

    Raises BundleError if something is missing, does not match, lies outside the folder or is larger than the
    caps, or if it is no rewriter.
    """
    home = Path(folder)
    if not (home / DESCRIPTION).is_file():
        said = tr(
            "There is no rewriter in {folder}, so no other wording can be proposed; findings go on working. {get}"
        )
        raise MissingBundleError(said.format(folder=home, get=GET))
    try:
        fields = describe(home, "rewriter")
        bundle = _bundle(fields)
        check_hashes(home, fields.hashes())
    except OSError as error:
        raise unreadable(home, error) from error
    return bundle


def _bundle(fields: Fields) -> RewriterBundle:
    home, hashes = fields.home, fields.hashes()
    graph, *_rest = [listed(home, name, hashes) for name in PARTS]
    if fields.text("graph") != GRAPH:
        raise fields.wrong("graph")
    strays = [path.name for path in home.iterdir() if path.name.startswith(STRAY) and path.name not in hashes]
    if strays:
        raise refused(home, tr("{name} has no checksum").format(name=min(strays)))
    fitted = "ranking" in fields.data
    return RewriterBundle(
        folder=home,
        name=fields.text("name"),
        role=fields.text("role"),
        version=fields.text("version"),
        max_tokens=int(fields.number("max_tokens", 8, 4096)),
        graph=graph,
        tokenizer=listed(home, fields.text("tokenizer"), hashes),
        card=inside(home, CARD) if (home / CARD).is_file() else None,
        thresholds=RewriterThresholds(
            fields.inside("thresholds").number("score", 0, 1) if fitted else UNFITTED
        ),
        ranking=_ranking(fields.inside("ranking")) if fitted else PLAIN,
        run=fields.run(),
        corpora=fields.corpora(),
    )


def _ranking(fields: Fields) -> Ranking:
    weights = fields.inside("weights")
    return Ranking(
        offset=fields.number("offset", -_MOST, _MOST),
        weights=Evidence(*(weights.number(name, -_MOST, _MOST) for name in Evidence._fields)),
        leaning=fields.number("leaning", 0, _MOST),
    )
