"""The rewriter's ranking: a logistic model of which suggestions an editor would accept, and how good one must be.

    python -m training.rewriter.ranking BUNDLE --data DIR [--reader BUNDLE]

fits the ranking of a rewriter's bundle anew beside a reader, and leaves its weights as they are. Examples are the
suggestions that two annotators judged good or not (`training.rewriter.judged_suggestions`, of items that the rewriter
did not learn from); for featured statements every candidate counts as wrong. Three thresholds are chosen with it: how
likely sound English a candidate must be (``fit``), the score from which one is suggested (``offer``), and the score
from which one is taken without asking (``score``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from core.bundles.manifest import CARD, Evaluation
from core.bundles.rewriter import RankingFeatures, RankingModel, RewriterThresholds, bundled_rewriter
from core.documents import Format, parse
from core.engine.engine import Engine, bundled_reader
from core.rewriting.rewriter import Rewriter, SentenceTooLong
from core.rewriting.scoring import RankedCandidate
from core.rewriting.suggester import Suggester
from core.types import Finding, Kind
from training.corpora import wikipedia
from training.injection.dataset import is_clean_sentence, load_held_out_statements
from training.reader.export import read_bundle_json, seal_bundle, write_bundle_json
from training.rewriter import judged_suggestions, model_card
from training.rewriter.export import INITIAL_FIT_THRESHOLD
from training.rewriter.judged_suggestions import JudgedItem
from training.rewriter.model_card import FittedRanking
from training.text.near_duplicates import NearDuplicateIndex

STATEMENTS = 1500
"""Featured statements for training: most of a draft is neutral, every finding of the judged items is none."""

UNCHANGED = 0.97
"""The share of every other held-out featured statement that must stay unchanged."""

PRECISION, MOST_BROKEN = 0.65, 0.17
"""Of the first suggestions of judged items, the share that must be good, and that may be broken English."""

_STATEMENT_WEIGHT, _C, _FOLDS = 0.2, 0.3, 5
_PENALTIES = range(0, 101, 10)
_CONFIDENCE = 0.6
_OFFERS_FOR_FIT = 0.02
_FITS = (INITIAL_FIT_THRESHOLD, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, slots=True)
class LabelledCandidate:
    """A candidate, whether an editor would accept it, and whether it is sound English."""

    features: RankingFeatures
    shift: float
    is_good: bool
    is_sound: bool = True


Place = list[LabelledCandidate]
"""The candidates for one finding."""


def open_unfiltered(reader: Path, bundle: Path) -> Suggester:
    """A suggester that leaves no candidate out for its score or its fit, which are still to be weighed."""
    rewriter = Rewriter.load(bundle)
    fit = INITIAL_FIT_THRESHOLD if rewriter.bundle.thresholds.fit else 0.0
    rewriter.bundle = replace(rewriter.bundle, thresholds=RewriterThresholds(0.0, fit=fit))
    return Suggester(Engine.load(reader), rewriter)


def fit_ranking(
    suggester: Suggester,
    data: Path,
    *,
    limit: int | None = None,
    check_cancelled: Callable[[], None] = lambda: None,
) -> FittedRanking:
    """Fit a ranking for the rewriter and reader of a suggester of `open_unfiltered`.

    ``limit`` caps each source; ``check_cancelled`` is called before each text and may stop the work. Raises
    CorpusError.
    """

    def statements(texts: Iterable[str]) -> list[list[Place]]:
        found = []
        for text in texts:
            check_cancelled()
            found.append([[_wrong(one) for one in place] for place in rank_text(suggester, text)])
        return found

    held = load_held_out_statements(data)
    scored = NearDuplicateIndex([*held, *wikipedia.load_sentences(data, "dev")])
    neutral = [
        row.text
        for row in wikipedia.load_cw_hard(data)
        if row.group == "neutral_featured" and is_clean_sentence(row.text)
    ]
    apart = [text for text in dict.fromkeys(neutral) if not scored.has_near_duplicate(text)]
    judged: list[Place] = []
    for item in [one for one in judged_suggestions.load(data) if one.is_for_ranking][:limit]:
        check_cancelled()
        if place := judged_place(suggester, item):
            judged.append(place)
    fillers = [place for text in statements(apart[: limit or STATEMENTS]) for place in text]
    kept = statements(held[:limit])
    return choose(judged, fillers, kept)


def choose(
    judged: Sequence[Place], fillers: Sequence[Place], kept: Sequence[Sequence[Place]]
) -> FittedRanking:
    """The ranking fitted on ``judged`` and ``fillers``, and the thresholds; ``kept`` are held-out statements."""
    unpenalised = fit_logistic(judged, fillers)
    fit, offer, shares = select_offer(judged, _cross_validated(judged, fillers))
    choosing, other = kept[::2], kept[1::2]
    found = [
        (ranking := _with_penalty(unpenalised, penalty), select_score(ranking, choosing, fit=fit))
        for penalty in _PENALTIES
    ]
    shifts = [_total_shift(ranking, score, judged, fit=fit) / max(1, len(judged)) for ranking, score in found]
    at = next((at for at, shift in enumerate(shifts) if shift <= shifts[0] / 2), len(found) - 1)
    ranking, score = found[at]
    return FittedRanking(
        ranking=ranking,
        thresholds=RewriterThresholds(max(score, offer), offer, fit),
        judged=(sum(map(len, judged)), sum(one.is_good for place in judged for one in place)),
        offered=shares[0],
        good=shares[1],
        broken=shares[2],
        unchanged=(
            _unchanged_share(ranking, score, choosing, fit=fit),
            _unchanged_share(ranking, score, other, fit=fit),
        ),
        shift=(shifts[0], shifts[at]),
    )


def rank_text(suggester: Suggester, text: str) -> list[list[RankedCandidate]]:
    """The candidates for each finding in a text."""
    document = parse(text, Format.PLAIN)
    found: list[list[RankedCandidate]] = []
    for sentence in document.sentences:
        try:
            found += suggester.rank_sentence(document, sentence)[1]
        except SentenceTooLong:
            continue
    return found


def rank_item(suggester: Suggester, item: JudgedItem) -> list[RankedCandidate]:
    """The candidates for the finding of an item, best first."""
    words = item.text[item.start : item.end]
    finding = Finding(item.start, item.end, words, Kind.FRAMING, _CONFIDENCE, quoted=False)
    return suggester.rank_finding(parse(item.text, Format.PLAIN), finding)


def judged_place(suggester: Suggester, item: JudgedItem) -> Place:
    """The judged suggestions of an item that the rewriter proposes as well, and on which its annotators agree."""
    known = {one.text: one for one in item.suggestions}
    found: Place = []
    for one in rank_item(suggester, item):
        judged = known.get(one.candidate.text)
        if judged is not None and judged.is_good is not None:
            found.append(
                LabelledCandidate(one.features, one.shift, judged.is_good, judged.is_sound is not False)
            )
    return found


def write_ranking(bundle: Path, fitted: FittedRanking) -> None:
    """Write a ranking into the bundle and its card, and seal it again."""
    facts = read_bundle_json(bundle)
    facts["thresholds"] = {name: round(value, 6) for name, value in asdict(fitted.thresholds).items()}
    facts["ranking"] = {
        "offset": fitted.ranking.offset,
        "weights": fitted.ranking.weights._asdict(),
        "leaning": fitted.ranking.leaning,
    }
    new = [
        Evaluation(
            model_card.UNCHANGED,
            round(fitted.unchanged[1], 4),
            split="held-out statements that chose no threshold",
        ),
        Evaluation(model_card.GOOD, round(fitted.good, 4), split="judged findings, cross-validated"),
    ]
    names = {one.name for one in new}
    others = [score for score in facts.get("evaluation", ()) if score["name"] not in names]
    facts["evaluation"] = [*others, *(one.as_json() for one in new)]
    write_bundle_json(bundle, facts)
    seal_bundle(bundle, model_card.with_ranking((bundle / CARD).read_text(encoding="utf-8"), fitted))


def select_offer(
    judged: Sequence[Place], scores: Sequence[Sequence[float]]
) -> tuple[float, float, tuple[float, float, float]]:
    """The thresholds ``fit`` and ``offer`` with which most findings get an offer while first offers are good enough.

    A higher ``fit`` is taken where it costs `_OFFERS_FOR_FIT` of the offers at most. Where no pair reaches `PRECISION`
    and `MOST_BROKEN`, it is the one whose first offers are good most often. Returns both, and the shares of findings
    with an offer, of good first offers and of broken ones.
    """
    found = [
        (fit, offer, _first_offers(judged, scores, fit=fit, offer=offer))
        for fit in _FITS
        for offer in (step / 50 for step in range(50))
    ]
    enough = [one for one in found if one[2][1] >= PRECISION and one[2][2] <= MOST_BROKEN]
    if not enough:
        return max(found, key=lambda one: one[2][1])
    most = max(one[2][0] for one in enough)
    return max(
        (one for one in enough if one[2][0] >= most - _OFFERS_FOR_FIT), key=lambda one: (one[0], one[2][0])
    )


def _first_offers(
    judged: Sequence[Place], scores: Sequence[Sequence[float]], *, fit: float, offer: float
) -> tuple[float, float, float]:
    least = _log_odds(fit)
    firsts: list[LabelledCandidate] = []
    for place, values in zip(judged, scores, strict=True):
        there = [
            (value, at)
            for at, (one, value) in enumerate(zip(place, values, strict=True))
            if value >= offer and one.features.fit >= least
        ]
        if there:
            firsts.append(place[max(there)[1]])
    total = max(1, len(firsts))
    return (
        len(firsts) / max(1, len(judged)),
        sum(one.is_good for one in firsts) / total,
        sum(not one.is_sound for one in firsts) / total,
    )


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return float(np.log(bounded / (1 - bounded)))


def select_score(ranking: RankingModel, statements: Sequence[Sequence[Place]], *, fit: float = 0.0) -> float:
    """The lowest score, in hundredths, with which enough of the ``statements`` stay unchanged."""
    scores = (step / 100 for step in range(1, 100))
    return next(
        (score for score in scores if _unchanged_share(ranking, score, statements, fit=fit) >= UNCHANGED), 1.0
    )


def _wrong(one: RankedCandidate) -> LabelledCandidate:
    return LabelledCandidate(one.features, one.shift, is_good=False)


def fit_logistic(judged: Sequence[Place], fillers: Sequence[Place]) -> RankingModel:
    """The logistic model, without a penalty on the shift of leaning."""
    rows = [
        (candidate, weight)
        for places, weight in ((judged, 1.0), (fillers, _STATEMENT_WEIGHT))
        for place in places
        for candidate in place
    ]
    is_good = np.array([candidate.is_good for candidate, _ in rows])
    if is_good.all() or not is_good.any():
        return _unscaled(np.zeros(len(RankingFeatures._fields)), 0.0)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=_C, max_iter=5000))
    values = np.array([candidate.features for candidate, _ in rows])
    model.fit(values, is_good, logisticregression__sample_weight=[weight for _, weight in rows])
    scaler, logistic = model[0], model[1]
    weights = logistic.coef_[0] / scaler.scale_
    return _unscaled(weights, float(logistic.intercept_[0] - weights @ scaler.mean_))


def _cross_validated(judged: Sequence[Place], fillers: Sequence[Place]) -> list[list[float]]:
    """The score of each judged candidate by a model that was fitted without its finding."""
    if len(judged) < _FOLDS:
        model = fit_logistic(judged, fillers)
        return [[model.score(one.features, 0.0) for one in place] for place in judged]
    scores: list[list[float]] = [[] for _ in judged]
    numbers = np.arange(len(judged))
    for train, test in GroupKFold(_FOLDS).split(numbers, groups=numbers):
        model = fit_logistic([judged[at] for at in train], fillers)
        for at in test:
            scores[at] = [model.score(one.features, 0.0) for one in judged[at]]
    return scores


def _unscaled(weights: NDArray[np.float64], offset: float) -> RankingModel:
    return RankingModel(
        round(offset, 4), RankingFeatures(*(round(float(weight), 4) for weight in weights)), 0.0
    )


def _with_penalty(ranking: RankingModel, penalty: float) -> RankingModel:
    return RankingModel(ranking.offset, ranking.weights, float(penalty))


def _applied(
    ranking: RankingModel, score: float, places: Sequence[Place], *, fit: float
) -> list[LabelledCandidate]:
    least = _log_odds(fit)
    sound = [[one for one in place if one.features.fit >= least] for place in places]
    best = [max(place, key=lambda one: ranking.score(one.features, one.shift)) for place in sound if place]
    return [one for one in best if ranking.score(one.features, one.shift) >= score]


def _total_shift(ranking: RankingModel, score: float, places: Sequence[Place], *, fit: float) -> float:
    return sum(one.shift for one in _applied(ranking, score, places, fit=fit))


def _unchanged_share(
    ranking: RankingModel, score: float, statements: Sequence[Sequence[Place]], *, fit: float
) -> float:
    still = [not _applied(ranking, score, statement, fit=fit) for statement in statements]
    return sum(still) / max(1, len(still))


def main() -> None:
    """Fit the ranking of a bundle and write it into the bundle."""
    parser = argparse.ArgumentParser(description="Fit the ranking of a rewriter's bundle beside a reader.")
    parser.add_argument(
        "bundle", type=Path, nargs="?", default=bundled_rewriter(), help="folder of the rewriter"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--reader", type=Path, default=bundled_reader(), help="folder of the reader")
    options = parser.parse_args()
    fitted = fit_ranking(open_unfiltered(options.reader, options.bundle), options.data)
    write_ranking(options.bundle, fitted)
    print(json.dumps(asdict(fitted) | {"ranking": fitted.ranking.weights._asdict()}, indent=2))


if __name__ == "__main__":
    main()
