"""What both modes of the calibration learn from: texts of two sides, and the words that tell the sides apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.corpora.base import CorpusError

COUNT = 250
"""Bias words for either ideology (section 5.2.1)."""
LEAST_TEXTS = 5
"""A word of fewer texts is a text's own."""
WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)*", re.IGNORECASE)
"""A word as it is written, with the apostrophes inside it but without a possessive 's."""
_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Sides:
    """Texts by the ideology of who published them. What names the outlet should have been taken out."""

    liberal: tuple[str, ...]
    conservative: tuple[str, ...]

    def demand_both(self) -> None:
        """Raise CorpusError where a side has no text."""
        for name, texts in (("liberal", self.liberal), ("conservative", self.conservative)):
            if not any(text.strip() for text in texts):
                raise CorpusError(
                    f"The corpus has no {name} text: nothing tells the sides apart. Give texts of both sides."
                )


@dataclass(frozen=True, slots=True)
class BiasWords:
    """w^L and w^C of the paper (section 4), those first that tell their side best."""

    liberal: tuple[str, ...]
    conservative: tuple[str, ...]

    def __post_init__(self) -> None:
        """Raise CorpusError for a list without words."""
        if not (self.liberal and self.conservative):
            raise CorpusError("A list of bias words is empty. Give words of both sides.")


def bias_words(sides: Sides, *, count: int = COUNT) -> BiasWords:
    """The ``count`` words of each side with the greatest difference of mean TF-IDF weight between the sides.

    The paper says "using TF-IDF" (section 4) and no more. Taken here: single words of three letters at least, without
    scikit-learn's list of English stop words, in ``LEAST_TEXTS`` texts or more; each is given as it is written most
    often (``Trump``, ``abortion``). Ties by the word. Raises CorpusError for a one-sided corpus and where a side has
    fewer words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    sides.demand_both()
    texts = [*sides.liberal, *sides.conservative]
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for word in _words(text):
            forms[word.lower()][word] += 1
    vectorizer = TfidfVectorizer(
        analyzer=lambda text: [word.lower() for word in _words(text)],
        sublinear_tf=True,
        min_df=min(LEAST_TEXTS, len(texts)),
    )
    try:
        weights = vectorizer.fit_transform(texts)
    except ValueError as error:
        raise _too_few(0, count) from error
    border = len(sides.liberal)
    apart = np.asarray(weights[:border].mean(0) - weights[border:].mean(0)).ravel()
    named = vectorizer.get_feature_names_out()
    liberal, conservative = (_first(named, sign * apart, count) for sign in (1, -1))
    return BiasWords(*(tuple(_usual(forms[word]) for word in side) for side in (liberal, conservative)))


def _words(text: str) -> list[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    found = (match.group() for match in WORD.finditer(text))
    return [word for word in found if len(word) >= _LETTERS and word.lower() not in ENGLISH_STOP_WORDS]


def _first(named: Sequence[str], scores: NDArray[np.float64], count: int) -> list[str]:
    ranked = sorted((-score, word) for score, word in zip(scores.tolist(), named, strict=True) if score > 0)
    if len(ranked) < count:
        raise _too_few(len(ranked), count)
    return [word for _, word in ranked[:count]]


def _usual(forms: Counter[str]) -> str:
    """The form that is written most often; of equals the first in the alphabet."""
    return min(forms, key=lambda form: (-forms[form], form))


def _too_few(found: int, count: int) -> CorpusError:
    return CorpusError(
        f"Only {found} words tell one side from the other, and {count} are wanted. Give more texts or ask for fewer."
    )
