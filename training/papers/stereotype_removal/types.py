"""What every part works on: labelled token rows, their split, lists of found words, and how a replacement is asked."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

URL = "<url>"
"""Stands for every address: an address is one page's name and hardly ever comes twice."""

Chance = Callable[[Sequence[str]], NDArray[np.float64]]
"""Is given texts of one word each; gives p(hateful | word) as [n], or p(class | word) as [n, classes]."""

_TOKEN = re.compile(
    r"(?P<url>https?:\S*|www\.\S+)|(?P<mention>(?<!\w)@\w+)|(?P<word>[^\W_]+(?:'[^\W_]+)*)", re.IGNORECASE
)
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class Labelled:
    """One text, its tokens as ``tokens`` gives them, and whether its corpus calls it hateful."""

    text: str
    tokens: tuple[str, ...]
    hateful: bool


@dataclass(frozen=True, slots=True)
class Split:
    """The three parts of a corpus."""

    train: tuple[Labelled, ...]
    dev: tuple[Labelled, ...]
    test: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class Detection:
    """The words that a strategy found, the most stereotyped first, each with its score."""

    strategy: str
    scored: tuple[tuple[str, float], ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The words alone, in their order."""
        return tuple(word for word, _ in self.scored)


class Replacer(Protocol):
    """A strategy of section 4.3: learns from the training rows what stands for a word, then rewrites token rows.

    The same tokens give the same answer, whatever was asked before. ``training_only`` says that the strategy rewrites
    the training rows and no others; all other strategies must also rewrite what the classifier is to read.
    """

    training_only: bool

    def fit(self, train: Sequence[Labelled], bsws: Sequence[str]) -> Self:
        """Learn what the words of ``bsws`` (in lower case, some of several words) become."""
        ...

    def __call__(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """The row with its words replaced; all other tokens stay. A term of several words becomes one token."""
        ...

    def many(self, rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """The same of many rows, faster than one by one."""
        ...

    def vectors(self) -> Mapping[str, NDArray[np.float32]]:
        """The embeddings of tokens that the strategy made up and knows a vector of; empty for most strategies."""
        ...


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, with the apostrophes inside them: *don't* is one, *feelin'* is ``feelin``.

    Character references (``&amp;``) are read first. A mention stays as it is, with its ``@``: section 3 of the paper
    shows classifiers that stereotype one. An address becomes ``URL``; the ``#`` of a hashtag, punctuation and emoji
    go. No token of a text looks like a tag but ``URL``.
    """
    plain = html.unescape(text).translate(_APOSTROPHES)
    return tuple(
        URL if match.lastgroup == "url" else match.group().lower() for match in _TOKEN.finditer(plain)
    )
