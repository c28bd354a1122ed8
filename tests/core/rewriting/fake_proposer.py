"""Rewriters without a model: one that says what it is told, and one that proposes the worst it can think of."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.bundles.rewriter import DEFAULT_RANKING, RewriterBundle, RewriterThresholds
from core.rewriting.rewriter import AcceptanceRequest, Proposal, Proposals, RewriteRequest, SentenceTooLong

NOWHERE = Path("nowhere")
NOISE = (
    "said",
    "new",
    "policy",
    "never",
    "not",
    "12",
    "london",
    "the",
    "of",
    ",",
    "''",
    "[[law]]",
    "law. new",
    "—",
    "i",
)


def bundle(*, score: float = 0.2) -> RewriterBundle:
    """A bundle with this threshold, the plain ranking and no files."""
    return RewriterBundle(
        folder=NOWHERE,
        name="fake",
        role="rewriter",
        version="1",
        max_tokens=400,
        graph=NOWHERE,
        tokenizer=NOWHERE,
        card=None,
        thresholds=RewriterThresholds(score),
        ranking=DEFAULT_RANKING,
        run="6f0d8c52-2f1c-4b5e-9d3a-0c3f7a1e9b42",
        corpora=(),
    )


class Told:
    """Answers by the flagged words: (words, probability) each; anything else is kept."""

    def __init__(
        self,
        answers: Mapping[str, Sequence[tuple[str, float]]],
        *,
        keep: Mapping[str, float] | None = None,
        most: int = 1000,
    ) -> None:
        self.bundle = bundle()
        self.answers = answers
        self.keep = keep or {}
        self.most = most
        self.runs = 0

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]:
        """The answers, in one run."""
        self.runs += 1
        if any(len(ask.text) > self.most for ask in asks):
            raise SentenceTooLong
        words = [ask.text[ask.start : ask.end] for ask in asks]
        return [
            Proposals(
                self.keep.get(one, 0.0 if one in self.answers else 1.0),
                tuple(Proposal(*answer) for answer in self.answers.get(one, ()))[:n],
            )
            for one in words
        ]

    def judge_fit(self, requests: Sequence[RewriteRequest]) -> list[float]:
        """Everything is sound English."""
        return [1.0] * len(requests)

    def judge_acceptance(self, requests: Sequence[AcceptanceRequest]) -> list[float]:
        """Every suggestion is as good as the next."""
        return [0.5] * len(requests)


class Nasty:
    """Drops, swaps and adds words at random: numbers, names and negations first."""

    def __init__(self, seed: int) -> None:
        self.bundle = bundle()
        self.random = random.Random(seed)

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]:
        """``n`` suggestions for each ask."""
        return [
            Proposals(0.0, tuple(Proposal(self._words(ask), 0.9 / (at + 2)) for at in range(n)))
            for ask in asks
        ]

    def judge_fit(self, requests: Sequence[RewriteRequest]) -> list[float]:
        """Everything is sound English."""
        return [1.0] * len(requests)

    def judge_acceptance(self, requests: Sequence[AcceptanceRequest]) -> list[float]:
        """Every suggestion is as good as the next."""
        return [0.5] * len(requests)

    def _words(self, ask: RewriteRequest) -> str:
        chooser = self.random
        words = ask.text[ask.start : ask.end].lower().split()
        words = [word for word in words if chooser.random() < 0.4]
        if chooser.random() < 0.5:
            words.insert(chooser.randint(0, len(words)), chooser.choice(NOISE))
        if chooser.random() < 0.2:
            words.append(chooser.choice(ask.text.lower().split()))
        if chooser.random() < 0.3:
            chooser.shuffle(words)
        return " ".join(words)
