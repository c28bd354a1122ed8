"""A tagger against what raters marked: the partial F1 of WIKIBIAS's Table 9."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from training.metrics.intervals import Interval, interval
from training.metrics.resampling import span_f1
from training.metrics.tags import tag_counts
from training.ratings.span_marks import majority
from training.ratings.span_sheets import SpanRatings
from training.wikibias.domain_tags import bio, tokens
from training.wikibias.domains import Group, Tagger, grouped
from training.wikibias.model import Tagged

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Rated:
    """Partial F1 in [0, 1] on the rated sentences of one side; sentences are drawn for its interval."""

    f1: Interval
    sentences: int
    raters: int


def partial(ratings: SpanRatings, tagger: Tagger, *, seed: int = 0) -> Mapping[Group, Rated]:
    """Partial F1 of a tagger on every side that raters answered for, as the authors count (``metrics.tags``).

    Gold is what more than one rater marked, or the only one who answered. All rated sentences count, so that a span in
    one without bias costs precision; the paper does not say whether it does so.
    """
    items = [at for at in range(len(ratings.plan.items)) if ratings.votes(at)]
    texts = [ratings.plan.items[at].text for at in items]
    found = dict(zip(items, tagger(texts), strict=True))
    scores: dict[Group, Rated] = {}
    for group, here in grouped(items, of=lambda at: ratings.plan.items[at]).items():
        gold, answers = [], []
        for at in here:
            text = ratings.plan.items[at].text
            truth = bio(text, majority(text, ratings.votes(at)))
            gold.append(Tagged(tokens(text), truth, biased=True, original=True))
            answers.append(bio(text, found[at]))
        counts = tag_counts(gold, answers)["authors_partial"]
        f1 = interval(span_f1, np.zeros(len(here)), counts, resamples=_RESAMPLES, seed=seed)
        scores[group] = Rated(f1, len(here), max(len(ratings.votes(at)) for at in here))
    return scores
