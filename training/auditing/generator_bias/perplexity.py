"""Fluency of generated texts: perplexity by n-gram models of other texts of the generator.

Liu et al. (2021), section 6.2, train KenLM on the vanilla texts of an attribute and do not say whether the same texts
are then scored. Here texts are only scored by models that were not trained on them: a text of another system is often a
vanilla text with replaced words, or begins like one, because both use the same random numbers. A model trained on the
vanilla text of a prompt and sample therefore scores no text of the same one.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.loop.training_loop import TrainingError

ORDER = 3
PARTS = 5
START = "<s>"
_DISCOUNT = 0.5
"""Used where the counts do not determine the discount: no n-gram occurs once, or none twice."""
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def tokenize(text: str) -> tuple[str, ...]:
    """The words and punctuation marks of a text, in lower case."""
    return tuple(token.lower() for token in _TOKEN.findall(text))


@dataclass(frozen=True, slots=True)
class _Level:
    """The counts of n-grams of one length: per n-gram, per context, and the number of distinct words per context."""

    counts: Mapping[tuple[str, ...], int]
    totals: Mapping[tuple[str, ...], int]
    followers: Mapping[tuple[str, ...], int]
    discount: float


class NgramModel:
    """Interpolated Kneser-Ney with one discount per length (Chen and Goodman 1999).

    Lower orders count the contexts of a word. Unigrams are interpolated with a uniform distribution over the vocabulary
    and one unknown word, so that no probability is zero. In an unseen context the lower order is used alone. Texts are
    cut at a fixed length, so the model has no end symbol.
    """

    def __init__(self, rows: Sequence[Sequence[str]], *, order: int = ORDER) -> None:
        """Train on ``rows`` of tokens. Raises TrainingError if there is no token, or if ``order`` is below 1."""
        if order < 1 or not any(rows):
            raise TrainingError(
                "An n-gram model needs an order of 1 or more and a text that is not empty. Generate more text."
            )
        self._order = order
        self.vocabulary = frozenset(token for row in rows for token in row)
        self._levels = [_level(counts) for counts in _counts(rows, order)]

    def log_probability(self, token: str, context: Sequence[str]) -> float:
        """The natural logarithm of p(token | the last ``order`` - 1 tokens of ``context``)."""
        chance = 1.0 / (len(self.vocabulary) + 1)
        known = tuple(context)[max(0, len(context) - self._order + 1) :]
        for length in range(len(known) + 1):
            level, before = self._levels[length], known[len(known) - length :]
            total = level.totals.get(before, 0)
            if not total:
                break
            seen = max(level.counts.get((*before, token), 0) - level.discount, 0.0)
            chance = (seen + level.discount * level.followers[before] * chance) / total
        return math.log(chance)

    def log_likelihood(self, rows: Sequence[Sequence[str]]) -> float:
        """The sum of the log probabilities of all tokens, in nats; each row is a text from its beginning."""
        found = 0.0
        for row in rows:
            padded = (*(START,) * (self._order - 1), *row)
            for at, token in enumerate(row):
                found += self.log_probability(token, padded[at : at + self._order - 1])
        return found

    def perplexity(self, rows: Sequence[Sequence[str]]) -> float:
        """Perplexity over all tokens of ``rows``, unknown ones included. Raises TrainingError if there is none."""
        return _perplexity(self.log_likelihood(rows), sum(map(len, rows)))


def _counts(rows: Sequence[Sequence[str]], order: int) -> list[Counter[tuple[str, ...]]]:
    """The counts of n-grams that end in a token of a row, by length: of the longest the frequencies, of shorter ones
    the number of distinct words before them. An n-gram at the beginning of a text keeps its frequency, as in KenLM.
    """
    padded = [(*(START,) * (order - 1), *row) for row in rows]
    found: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(order)]
    for row in padded:
        found[-1].update(row[at : at + order] for at in range(len(row) - order + 1))
    for length in range(order - 1, 0, -1):
        shorter = found[length - 1]
        for gram, count in found[length].items():
            shorter[gram[1:]] += count if gram[1] == START else 1
    return found


def _level(counts: Counter[tuple[str, ...]]) -> _Level:
    totals: Counter[tuple[str, ...]] = Counter()
    followers: Counter[tuple[str, ...]] = Counter()
    for gram, count in counts.items():
        totals[gram[:-1]] += count
        followers[gram[:-1]] += 1
    run_or_load = sum(count == 1 for count in counts.values())
    twice = sum(count == 2 for count in counts.values())
    return _Level(
        counts,
        totals,
        followers,
        run_or_load / (run_or_load + 2 * twice) if run_or_load and twice else _DISCOUNT,
    )


def _perplexity(log_likelihood: float, tokens: int) -> float:
    if not tokens:
        raise TrainingError("Texts without a word have no perplexity. Generate more text.")
    return math.exp(-log_likelihood / tokens)


def perplexities(vanilla: Sequence[str], own: Sequence[str], *, seed: int) -> tuple[float, float]:
    """Perplexity of the vanilla texts and of ``own``, both [texts], by n-gram models of the vanilla texts.

    Five-fold cross-validation: each model is trained on the vanilla texts of four fifths of the indices and scores the
    texts of both at the others. Raises TrainingError if there are fewer texts than folds, and if they hold no token.
    """
    if len(vanilla) != len(own) or len(own) < PARTS:
        raise TrainingError(
            f"{len(own)} texts and {len(vanilla)} vanilla texts cannot be split in {PARTS} folds. "
            "Generate as many of both, and more."
        )
    learnt, read = [tokenize(text) for text in vanilla], [tokenize(text) for text in own]
    order = list(range(len(own)))
    random.Random(seed).shuffle(order)
    sums = [0.0, 0.0]
    for part in range(PARTS):
        held_out = set(order[part::PARTS])
        model = NgramModel([row for at, row in enumerate(learnt) if at not in held_out])
        for side, rows in enumerate((learnt, read)):
            sums[side] += model.log_likelihood([rows[at] for at in sorted(held_out)])
    before, after = (sum(map(len, rows)) for rows in (learnt, read))
    return _perplexity(sums[0], before), _perplexity(sums[1], after)
