"""The rewriter's ranking: a logistic model of which wordings editors chose, and how good one must be to be taken.

    python -m training.rewriter.ranking BUNDLE --data DIR [--reader BUNDLE]

fits the ranking of a rewriter's bundle anew beside a reader, and leaves its weights as they are. Every wording that the
engine would offer for WNC's train pairs is an example, right where it leaves what the editor left; for featured
statements every one is wrong. Both models train_sentences from the same pairs, so that they are surer there than
elsewhere.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from core.bundles.manifest import CARD, Evaluation
from core.bundles.rewriter import RankingFeatures, RankingModel, bundled_rewriter
from core.documents import Format, parse
from core.engine.engine import Engine, bundled_reader
from core.rewriting.edits import Passage
from core.rewriting.rewriter import SentenceTooLong
from core.rewriting.scoring import RankedCandidate
from core.rewriting.suggester import Suggester
from core.text.diff import TextEdit, apply_edits
from training.corpora import wikipedia
from training.injection.dataset import is_clean_sentence, load_held_out_statements
from training.metrics.generation import tokens
from training.reader.export import read_bundle_json, seal_bundle, write_bundle_json
from training.rewriter import model_card
from training.rewriter.examples import find_replacements
from training.text.near_duplicates import NearDuplicateIndex

STATEMENTS = 2500
"""Featured statements for training, each weighted threefold: most of a draft is neutral, none of the pairs is."""

UNCHANGED = 0.97
"""The share of every other held-out featured statement that must stay unchanged."""

_NEUTRAL_WEIGHT, _C = 3.0, 0.1
_PENALTIES = range(0, 101, 10)


@dataclass(frozen=True, slots=True)
class LabelledWording:
    """A candidate wording, and whether it is the editor's."""

    evidence: RankingFeatures
    shift: float
    is_correct: bool


Sentence = list[list[LabelledWording]]
"""The wordings of each finding of a sentence."""


@dataclass(frozen=True, slots=True)
class FittedRanking:
    """A ranking, the score from which a sentence is rewritten without asking, and what they were fitted on.

    ``unchanged`` are the shares of held-out featured statements that stay unchanged, in the half that chose the score
    and
    in the other; ``shift`` is the mean shift of leaning on train pairs, without and with its penalty.
    """

    ranking: RankingModel
    score: float
    candidates: int
    correct: int
    unchanged: tuple[float, float]
    shift: tuple[float, float]


def fit_ranking(
    suggester: Suggester,
    data: Path,
    *,
    limit: int | None = None,
    check_cancelled: Callable[[], None] = lambda: None,
) -> FittedRanking:
    """Fit a ranking for the suggester's rewriter and reader.

    ``limit`` caps each source; ``check_cancelled`` is called before each text and may stop the work. Raises
    CorpusError.
    """

    def candidates(source: str, target: str) -> list[Sentence]:
        check_cancelled()
        return labelled_wordings(suggester, source, target)

    held = load_held_out_statements(data)
    scored = NearDuplicateIndex([*held, *wikipedia.load_sides(data, "dev")])
    texts = [
        row.text
        for row in wikipedia.load_cw_hard(data)
        if row.group == "neutral_featured" and is_clean_sentence(row.text)
    ]
    apart = [text for text in dict.fromkeys(texts) if not scored.has_near_duplicate(text)][
        : limit or STATEMENTS
    ]
    edited = [
        pair for pair in wikipedia.load_pairs(data, "train") if not scored.has_near_duplicate(pair.source)
    ][:limit]
    train_sentences = [sentence for pair in edited for sentence in candidates(pair.source, pair.target)]
    neutral = [sentence for text in apart for sentence in candidates(text, text)]
    kept = [candidates(text, text) for text in held[:limit]]
    choosing, other = kept[::2], kept[1::2]
    unpenalised = _logistic(train_sentences, neutral)
    found = [
        (ranking := _with_penalty(unpenalised, penalty), select_score(ranking, choosing))
        for penalty in _PENALTIES
    ]
    shifts = [_total_shift(ranking, score, train_sentences) / max(1, len(edited)) for ranking, score in found]
    chosen = next((at for at, shift in enumerate(shifts) if shift <= shifts[0] / 2), len(found) - 1)
    ranking, score = found[chosen]
    everything = [wording for sentence in train_sentences for place in sentence for wording in place]
    return FittedRanking(
        ranking=ranking,
        score=score,
        candidates=len(everything),
        correct=sum(wording.is_correct for wording in everything),
        unchanged=(_unchanged_share(ranking, score, choosing), _unchanged_share(ranking, score, other)),
        shift=(shifts[0], shifts[chosen]),
    )


def write_ranking(bundle: Path, fitted: FittedRanking) -> None:
    """Write a ranking into the bundle and its card, and seal it again."""
    facts = read_bundle_json(bundle)
    facts["thresholds"] = {"score": fitted.score}
    facts["ranking"] = {
        "offset": fitted.ranking.offset,
        "weights": fitted.ranking.weights._asdict(),
        "leaning": fitted.ranking.leaning,
    }
    unchanged = Evaluation(
        model_card.UNCHANGED,
        round(fitted.unchanged[1], 4),
        split="held-out statements that chose no threshold",
    )
    others = [score for score in facts.get("evaluation", ()) if score["name"] != unchanged.name]
    facts["evaluation"] = [*others, unchanged.as_json()]
    write_bundle_json(bundle, facts)
    seal_bundle(
        bundle,
        model_card.with_ranking(
            (bundle / CARD).read_text(encoding="utf-8"),
            counts=(fitted.correct, fitted.candidates),
            score=fitted.score,
            leaning=fitted.ranking.leaning,
            unchanged=fitted.unchanged,
            shift=fitted.shift,
        ),
    )


def labelled_wordings(suggester: Suggester, source: str, target: str) -> list[Sentence]:
    """The candidates for each sentence of ``source``; correct is the wording of ``target``."""
    document = parse(source, Format.PLAIN)
    edits = [TextEdit(*edit) for edit in find_replacements(source, target)]
    found: list[Sentence] = []
    for sentence in document.sentences:
        try:
            read, places = suggester.rank_wordings(document, sentence)
        except SentenceTooLong:
            continue
        found.append(
            [
                [
                    LabelledWording(one.evidence, one.shift, _is_correct(source, read.passage, one, edits))
                    for one in place
                ]
                for place in places
            ]
        )
    return found


def select_score(ranking: RankingModel, statements: Sequence[Sequence[Sentence]]) -> float:
    """The lowest score, in hundredths, with which enough of the ``statements`` stay unchanged."""
    scores = (step / 100 for step in range(1, 100))
    return next((score for score in scores if _unchanged_share(ranking, score, statements) >= UNCHANGED), 1.0)


def _is_correct(source: str, passage: Passage, wording: RankedCandidate, edits: Sequence[TextEdit]) -> bool:
    """Whether the wording and the editor's other edits give the editor's sentence."""
    own = passage.edits(wording.candidate.changes)
    start, end = own[0].start, own[-1].end
    others = [edit for edit in edits if edit.end <= start or end <= edit.start]
    made, wanted = apply_edits(source, sorted([*own, *others])), apply_edits(source, edits)
    return len(others) < len(edits) and tokens(made) == tokens(wanted)


def _logistic(edited: Sequence[Sentence], neutral: Sequence[Sentence]) -> RankingModel:
    """The logistic model, without a penalty on the shift of leaning."""
    rows = [
        (wording, weight)
        for sentences, weight in ((edited, 1.0), (neutral, _NEUTRAL_WEIGHT))
        for sentence in sentences
        for place in sentence
        for wording in place
    ]
    is_correct = np.array([wording.is_correct for wording, _ in rows])
    if is_correct.all() or not is_correct.any():
        return _unscaled(np.zeros(len(RankingFeatures._fields)), 0.0)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=_C, max_iter=5000))
    values = np.array([wording.evidence for wording, _ in rows])
    model.fit(values, is_correct, logisticregression__sample_weight=[weight for _, weight in rows])
    scaler, logistic = model[0], model[1]
    weights = logistic.coef_[0] / scaler.scale_
    return _unscaled(weights, float(logistic.intercept_[0] - weights @ scaler.mean_))


def _unscaled(weights: NDArray[np.float64], offset: float) -> RankingModel:
    return RankingModel(
        round(offset, 4), RankingFeatures(*(round(float(weight), 4) for weight in weights)), 0.0
    )


def _with_penalty(ranking: RankingModel, penalty: float) -> RankingModel:
    return RankingModel(ranking.offset, ranking.weights, float(penalty))


def _applied(ranking: RankingModel, score: float, sentence: Sentence) -> list[LabelledWording]:
    best = [max(place, key=lambda one: ranking.score(one.evidence, one.shift)) for place in sentence if place]
    return [one for one in best if ranking.score(one.evidence, one.shift) >= score]


def _total_shift(ranking: RankingModel, score: float, sentences: Sequence[Sentence]) -> float:
    return sum(one.shift for sentence in sentences for one in _applied(ranking, score, sentence))


def _unchanged_share(ranking: RankingModel, score: float, statements: Sequence[Sequence[Sentence]]) -> float:
    still = [
        not any(_applied(ranking, score, sentence) for sentence in statement) for statement in statements
    ]
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
    fitted = fit_ranking(Suggester.load(Engine.load(options.reader), options.bundle), options.data)
    write_ranking(options.bundle, fitted)
    print(json.dumps(asdict(fitted) | {"ranking": fitted.ranking.weights._asdict()}, indent=2))


if __name__ == "__main__":
    main()
