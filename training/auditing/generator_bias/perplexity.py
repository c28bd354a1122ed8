"""Fluency of generated texts: perplexity by an n-gram model that was fitted on other texts of the generator."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from training.loop.training_loop import TrainingError

# Perplexity by a separate n-gram language model, as Liu et al. (2021), Section 6.2, take it for fluency.
#
# They train KenLM on the vanilla generations of an attribute and do not say whether those are then read by the model that
# learnt them; ``training.auditing.generator_bias.perplexity`` has texts read only by models that did not.


ORDER = 3
PARTS = 5
START = "<s>"
_DISCOUNT = 0.5
"""Where no n-gram came once, or none twice, so that the counts tell none."""
_TOKEN = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")


def tokenize(text: str) -> tuple[str, ...]:
    """The words and marks of a text, in lower case."""
    return tuple(token.lower() for token in _TOKEN.findall(text))


@dataclass(frozen=True, slots=True)
class _Level:
    """The counts of n-grams of one length: of each, of each context, and how many words each context has."""

    counts: Mapping[tuple[str, ...], int]
    totals: Mapping[tuple[str, ...], int]
    followers: Mapping[tuple[str, ...], int]
    discount: float


class NgramModel:
    """Interpolated Kneser-Ney with one discount for each length (Chen and Goodman 1999).

    Lower lengths count in how many contexts a word was seen. Single words are interpolated with an even share for
    each word of the vocabulary and one more for all words outside it: that share is what an unknown word is given, so
    its probability is never zero. In a context that was never seen the shorter one answers alone. Texts are cut at a
    length, so their end is no event: the model says nothing of it.
    """

    def __init__(self, rows: Sequence[Sequence[str]], *, order: int = ORDER) -> None:
        """Learn from ``rows`` of tokens. Raises TrainingError where there is no token, or ``order`` is below 1."""
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
        """The sum of the log probabilities of all tokens, in nats; each row begins at the start of a text."""
        found = 0.0
        for row in rows:
            padded = (*(START,) * (self._order - 1), *row)
            for at, token in enumerate(row):
                found += self.log_probability(token, padded[at : at + self._order - 1])
        return found

    def perplexity(self, rows: Sequence[Sequence[str]]) -> float:
        """Perplexity over all tokens of ``rows``, unknown ones included. Raises TrainingError where there is none."""
        return _perplexity(self.log_likelihood(rows), sum(map(len, rows)))


def _counts(rows: Sequence[Sequence[str]], order: int) -> list[Counter[tuple[str, ...]]]:
    """The counts of n-grams that end in a token of a row, by length: of the longest as they stand, of each shorter one
    how many different words stand before it. One that begins a text has nothing before it but starts, and keeps its
    own count, as in KenLM.
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
    return _Level(counts, totals, followers, run_or_load / (run_or_load + 2 * twice) if run_or_load and twice else _DISCOUNT)


def _perplexity(log_likelihood: float, tokens: int) -> float:
    if not tokens:
        raise TrainingError("Texts without a word have no perplexity. Generate more text.")
    return math.exp(-log_likelihood / tokens)


# Perplexity of a system's texts beside those of the vanilla system, place by place.
#
# A text of another system is often a vanilla text with words replaced, or begins as one, since it is drawn with the same
# numbers. A model that learnt the vanilla text at a place may therefore read no text of that place.


def perplexities(vanilla: Sequence[str], own: Sequence[str], *, seed: int) -> tuple[float, float]:
    """Perplexity of the vanilla texts and of ``own``, both [places], by n-gram models of the vanilla texts.

    Each of five models learns the vanilla texts of four fifths of the places and reads what both have at the others.
    The paper (section 6.2) does not say what its models read. Raises TrainingError for fewer places than models, and
    where texts hold no token.
    """
    if len(vanilla) != len(own) or len(own) < PARTS:
        raise TrainingError(
            f"{len(own)} texts beside {len(vanilla)} of the vanilla system cannot be read in {PARTS} parts. "
            "Generate as many, and more."
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
    if not (before and after):
        raise TrainingError("Texts without a word have no perplexity. Generate more text.")
    return math.exp(-sums[0] / before), math.exp(-sums[1] / after)
