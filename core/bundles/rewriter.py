"""A rewriter's bundle: a CTranslate2 folder with its tokenizer and the model that ranks its suggestions, checked before
anything in it is run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.bundles.manifest import (
    MANIFEST,
    Bundle,
    ManifestFields,
    MissingBundleError,
    check_hashes,
    read_manifest,
    refused_error,
    require_file,
    unreadable_error,
)
from core.i18n import tr
from core.paths import models_folder

GRAPH = "model.bin"
MODEL_FILES = (GRAPH, "config.json", "shared_vocabulary.json")
"""What CTranslate2 opens in a folder; each must have a checksum."""

DEFAULT_SCORE_THRESHOLD = 0.2
"""The score from which a sentence is rewritten where a bundle names none."""

_VOCABULARY_PREFIXES = ("source_vocabulary", "target_vocabulary", "vmap")
_MAX_WEIGHT = 1000.0
_LATER_FEATURES = frozenset(("fit", "keep", "taken", "class_fluency", "word_fluency"))
"""Features that bundles of earlier releases have no weight for."""


class RankingFeatures(NamedTuple):
    """What is known of a candidate. Probabilities are log-odds, but for ``keep``.

    ``confidence``: that the marked words are biased; ``bias``: that the sentence is; ``drop``: by how much that falls;
    ``likely``: of the new words, by the rewriter or the table of known replacements; ``model``: by the rewriter alone;
    ``out``: that the rewriter would delete the words; ``empty``: 1 where nothing replaces them; ``part``: 1 where only
    some of the marked words are replaced; ``wide``: 1 where a neighbour is replaced as well; ``best``: 1 where no other
    is likelier; ``others``: the number of other findings in the sentence; ``meaning``: the cosine similarity of the
    sentence before and after; ``fit``: that the new words are sound English where they stand; ``keep``: that the
    rewriter would keep the marked words; ``taken``: that an editor would take the new ones, as the rewriter judges;
    ``class_fluency`` and ``word_fluency``: how usual the new words are where they stand (`core.rewriting.fluency`).
    ``likely``, ``model`` and ``out`` are given that they change.
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
    fit: float = 0.0
    keep: float = 0.0
    taken: float = 0.0
    class_fluency: float = 0.0
    word_fluency: float = 0.0


@dataclass(frozen=True, slots=True)
class RankingModel:
    """A logistic model of whether an editor would accept a candidate, with a penalty on moving the political leaning.

    ``offset`` and ``weights`` are in log-odds; ``leaning`` is the penalty for a shift of 1 on the scale from left (-1)
    to right (1). Fitted by `training.rewriter.ranking` on the edits of sentence pairs.
    """

    offset: float
    weights: RankingFeatures
    leaning: float

    def score(self, features: RankingFeatures, shift: float) -> float:
        """How good a candidate is, in [0, 1]; with ``shift`` 0, the probability that an editor would accept it."""
        odds = self.offset + sum(weight * value for weight, value in zip(self.weights, features, strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds - self.leaning * shift))))


DEFAULT_RANKING = RankingModel(
    offset=0.0,
    weights=RankingFeatures(0.1, 0.0, 0.1, 0.5, 0.5, 0.0, 0.0, -1.0, -1.0, 0.5, 0.0, 0.0, keep=-3.0),
    leaning=30.0,
)
"""For a bundle without a ranking: set by hand, mostly by how likely the words are."""


@dataclass(frozen=True, slots=True)
class RewriterThresholds:
    """``score``: from which score on, in [0, 1], a sentence is rewritten without being asked; ``offer``: from which on
    a candidate is suggested; ``fit``: the least probability of being sound English (0: the model was not trained to say
    it).
    """

    score: float
    offer: float = 0.0
    fit: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriterBundle(Bundle):
    """A checked rewriter.

    ``max_tokens`` counts the wordpieces of a sentence and its two special tokens; ``judges_acceptance``: whether the
    model was trained to say if an editor would accept a candidate.
    """

    thresholds: RewriterThresholds
    ranking: RankingModel
    judges_acceptance: bool = False


def bundled_rewriter() -> Path:
    """The folder of the rewriter that comes with Evenhand. It may not be there."""
    return models_folder() / "rewriter"


def load_rewriter_bundle(folder: Path | str) -> RewriterBundle:
    """Read the rewriter in ``folder``; check its manifest and the hashes of its files.

    Raises BundleError if something is missing, does not match, lies outside the folder or is larger than the caps, or
    if it is no rewriter.
    """
    home = Path(folder)
    if not (home / MANIFEST).is_file():
        message = tr(
            "There is no rewriter in {folder}, so there are no suggestions. Findings still work. {get}"
        )
        advice = tr("Reinstall Evenhand, or train one with: evenhand train rewriter")
        raise MissingBundleError(message.format(folder=home, get=advice))
    try:
        fields = read_manifest(home, "rewriter")
        bundle = _bundle(fields)
        check_hashes(home, fields.hashes())
    except OSError as error:
        raise unreadable_error(home, error) from error
    return bundle


def _bundle(fields: ManifestFields) -> RewriterBundle:
    home, hashes = fields.folder, fields.hashes()
    for name in MODEL_FILES:
        require_file(home, name, hashes)
    if fields.text("graph") != GRAPH:
        raise fields.error("graph")
    unlisted = [
        path.name
        for path in home.iterdir()
        if path.name.startswith(_VOCABULARY_PREFIXES) and path.name not in hashes
    ]
    if unlisted:
        raise refused_error(home, tr("{name} has no checksum").format(name=min(unlisted)))
    given = fields.nested("thresholds")
    later = {name: given.number(name, 0, 1) for name in ("offer", "fit") if name in given.data}
    if "ranking" in fields.data:
        score, ranking = given.number("score", 0, 1), _ranking(fields.nested("ranking"))
    else:
        score, ranking = DEFAULT_SCORE_THRESHOLD, DEFAULT_RANKING
    thresholds = RewriterThresholds(score, **later)
    # The former word for suggestions: installed bundles have this key.
    judges_acceptance = fields.data.get("judges_wordings", False)
    if not isinstance(judges_acceptance, bool):
        raise fields.error("judges_wordings")
    return RewriterBundle(
        **fields.common(), thresholds=thresholds, ranking=ranking, judges_acceptance=judges_acceptance
    )


def _ranking(fields: ManifestFields) -> RankingModel:
    weights = fields.nested("weights")
    return RankingModel(
        offset=fields.number("offset", -_MAX_WEIGHT, _MAX_WEIGHT),
        weights=RankingFeatures(
            **{
                name: weights.number(name, -_MAX_WEIGHT, _MAX_WEIGHT)
                for name in RankingFeatures._fields
                if name in weights.data or name not in _LATER_FEATURES
            }
        ),
        leaning=fields.number("leaning", 0, _MAX_WEIGHT),
    )
