"""Metrics of generated sentences: BLEU, exact match and paired bootstrap, over one reversible tokenisation."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

# The one tokenisation of the generators and of their scores, and the way back to the source's own characters.


_TOKEN = re.compile(r"\w+|[^\w\s]")
_NO_SPACE_BEFORE = frozenset(",.;:!?)]}%'’”")
_NO_SPACE_AFTER = frozenset("([{“'’")


def tokens(text: str) -> list[str]:
    """Lower-cased words and single marks: white space, and so the spaces around punctuation, do not matter."""
    return [match.group().lower() for match in _TOKEN.finditer(text)]


def restore_source_text(source: str, words: Sequence[str]) -> str:
    """Generated ``words`` as a text: words kept from the source keep its characters and its white space.

    Between two kept words that were not adjacent, the white space is that after the first one. A new word has one space
    on either side, except where a punctuation mark is attached to its neighbour.
    """
    spans = [match.span() for match in _TOKEN.finditer(source)]
    old = [source[start:end].lower() for start, end in spans]
    kept: dict[int, int] = {}
    for block in SequenceMatcher(a=old, b=list(words), autojunk=False).get_matching_blocks():
        kept.update({block.b + number: block.a + number for number in range(block.size)})
    made: list[str] = []
    for at, word in enumerate(words):
        place = kept.get(at)
        if place is None:
            text, gap = word, _gap(made[-1] if made else "", word)
        else:
            start, end = spans[place]
            text, gap = source[start:end], source[spans[place - 1][1] if place else 0 : start]
            previous = kept.get(at - 1)
            if previous is None and text not in _NO_SPACE_BEFORE:
                gap = _gap(made[-1] if made else "", text)
            elif previous is not None and previous != place - 1 and text not in _NO_SPACE_BEFORE:
                gap = source[spans[previous][1] : spans[previous + 1][0]]
        if not made:
            gap = ""
        made += [gap, text]
    return "".join(made)


def _gap(before: str, word: str) -> str:
    return "" if not before or word in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER else " "


# Scores of generated sentences: BLEU, exact match, and whether a difference holds on another draw of them.


Floats = NDArray[np.float64]
_ORDERS = 4


@dataclass(frozen=True, slots=True)
class SentenceStats:
    """What each sentence contributes to the corpus scores: ``exact`` [rows], 1.0 where it equals the reference; and
    ``counts`` [rows, 10]: hits and total of 1- to 4-grams, the lengths of the sentence and of its reference.
    """

    exact: Floats
    counts: Floats


def sentence_stats(predicted: Sequence[str], references: Sequence[str]) -> SentenceStats:
    """The stats of sentences against their ``references``, over `tokens` (case and spacing do not matter)."""
    rows = [(tokens(one), tokens(other)) for one, other in zip(predicted, references, strict=True)]
    return SentenceStats(
        np.array([float(one == other) for one, other in rows]),
        np.array([_counts(one, other) for one, other in rows], dtype=np.float64),
    )


def _counts(predicted: Sequence[str], reference: Sequence[str]) -> list[int]:
    """After Papineni et al. 2002, section 2.1, as NLTK counts: a sentence shorter than n has one n-gram, not none."""
    row: list[int] = []
    for order in range(1, _ORDERS + 1):
        here, there = (
            Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))
            for words in (predicted, reference)
        )
        row += [(here & there).total(), max(1, here.total())]
    return [*row, len(predicted), len(reference)]


def bleu(predicted: Sequence[str], references: Sequence[str]) -> float:
    """NLTK's corpus BLEU, in percent, over the shared tokens, one reference each."""
    from nltk.translate.bleu_score import corpus_bleu

    return 100.0 * float(
        corpus_bleu([[tokens(reference)] for reference in references], [tokens(one) for one in predicted])
    )


def bleu_of(totals: Floats) -> Floats:
    """Corpus BLEU in percent from summed counts [..., 10]."""
    hits, grams = totals[..., 0:8:2], totals[..., 1:8:2]
    with np.errstate(divide="ignore"):
        precision = np.log(hits / grams).mean(-1)
    length, reference = totals[..., 8], totals[..., 9]
    short = np.minimum(0.0, 1.0 - reference / np.maximum(length, 1.0))
    return np.asarray(100.0 * np.exp(precision + short))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system against another: differences in percent points, and the share of resamples in which it is no better."""

    exact: float
    exact_p: float
    bleu: float
    bleu_p: float


def compare(
    system: SentenceStats, other: SentenceStats, *, resamples: int = 10_000, seed: int = 42
) -> Comparison:
    """Paired bootstrap over sentences (Koehn 2004): each resample takes the same sentences of both."""
    rows = len(system.exact)
    draw = np.random.default_rng(seed).multinomial(rows, np.full(rows, 1 / rows), size=resamples)
    drawn = draw.astype(np.float64)
    exact = 100.0 * (system.exact - other.exact)
    differences = drawn @ exact / rows
    blue = bleu_of(drawn @ system.counts) - bleu_of(drawn @ other.counts)
    return Comparison(
        exact=float(exact.mean()),
        exact_p=float((differences <= 0).mean()),
        bleu=float(bleu_of(system.counts.sum(0)) - bleu_of(other.counts.sum(0))),
        bleu_p=float((blue <= 0).mean()),
    )


def share(flags: Sequence[bool]) -> float:
    """The percentage of true ``flags``; NaN where there are none."""
    return 100.0 * sum(flags) / len(flags) if flags else math.nan
