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
    MANIFEST,
    Corpus,
    ManifestFields,
    MissingBundleError,
    check_hashes,
    read_manifest,
    refused_error,
    require_file,
    resolve_inside,
    unreadable_error,
)
from core.i18n import tr
from core.paths import models_folder

# Which of several wordings is shown first, and which is good enough to be taken unasked.
#
# A logistic model of whether an editor would choose the wording, fitted by the rewriter's recipe on the edits of pairs
# (`training.rewriter.ranking`), and a price on moving the sentence's leaning.


class RankingFeatures(NamedTuple):
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
class RankingModel:
    """``offset`` and ``weights`` (one for each of `RankingFeatures`) of the logistic model, in log-odds.

    ``leaning`` is what a shift of the sentence's leaning (`lean`) by 1 costs, in log-odds.
    """

    offset: float
    weights: RankingFeatures
    leaning: float

    def score(self, evidence: RankingFeatures, shift: float) -> float:
        """How good a wording is, in [0, 1]; without a ``shift``, how likely an editor would choose it."""
        odds = self.offset + sum(weight * value for weight, value in zip(self.weights, evidence, strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds - self.leaning * shift))))


DEFAULT_RANKING = RankingModel(
    offset=0.0,
    weights=RankingFeatures(0.1, 0.0, 0.1, 0.5, 0.5, 0.0, 0.0, -1.0, -1.0, 0.5, 0.0, 0.0),
    leaning=30.0,
)
"""For a rewriter whose bundle brings none: set by hand, mostly how likely its words are."""


# A rewriter's bundle: a CTranslate2 folder with its tokenizer, checked before anything of it is run.


GRAPH = "model.bin"
MODEL_FILES = (GRAPH, "config.json", "shared_vocabulary.json")
"""What CTranslate2 opens in a folder; all of it must have a checksum."""

VOCABULARY_PREFIXES = ("source_vocabulary", "target_vocabulary", "vmap")
_MOST = 1000.0
"""The largest weight that a ranking may have."""

HOW_TO_GET = tr("Reinstall Evenhand, or make one with: evenhand train run rewriter")


DEFAULT_SCORE_THRESHOLD = 0.2
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
    ranking: RankingModel
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
    if not (home / MANIFEST).is_file():
        said = tr(
            "There is no rewriter in {folder}, so no other wording can be proposed; findings go on working. {get}"
        )
        raise MissingBundleError(said.format(folder=home, get=HOW_TO_GET))
    try:
        fields = read_manifest(home, "rewriter")
        bundle = _bundle(fields)
        check_hashes(home, fields.hashes())
    except OSError as error:
        raise unreadable_error(home, error) from error
    return bundle


def _bundle(fields: ManifestFields) -> RewriterBundle:
    home, hashes = fields.folder, fields.hashes()
    graph, *_rest = [require_file(home, name, hashes) for name in MODEL_FILES]
    if fields.text("graph") != GRAPH:
        raise fields.error("graph")
    strays = [
        path.name
        for path in home.iterdir()
        if path.name.startswith(VOCABULARY_PREFIXES) and path.name not in hashes
    ]
    if strays:
        raise refused_error(home, tr("{name} has no checksum").format(name=min(strays)))
    fitted = "ranking" in fields.data
    return RewriterBundle(
        folder=home,
        name=fields.text("name"),
        role=fields.text("role"),
        version=fields.text("version"),
        max_tokens=int(fields.number("max_tokens", 8, 4096)),
        graph=graph,
        tokenizer=require_file(home, fields.text("tokenizer"), hashes),
        card=resolve_inside(home, CARD) if (home / CARD).is_file() else None,
        thresholds=RewriterThresholds(
            fields.nested("thresholds").number("score", 0, 1) if fitted else DEFAULT_SCORE_THRESHOLD
        ),
        ranking=_ranking(fields.nested("ranking")) if fitted else DEFAULT_RANKING,
        run=fields.run(),
        corpora=fields.corpora(),
    )


def _ranking(fields: ManifestFields) -> RankingModel:
    weights = fields.nested("weights")
    return RankingModel(
        offset=fields.number("offset", -_MOST, _MOST),
        weights=RankingFeatures(*(weights.number(name, -_MOST, _MOST) for name in RankingFeatures._fields)),
        leaning=fields.number("leaning", 0, _MOST),
    )
