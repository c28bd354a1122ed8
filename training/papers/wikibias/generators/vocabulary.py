"""Words and their numbers, with numbers for a source's unknown words, and pairs as padded tensors."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from training.corpora.wikipedia import SentencePair
from training.metrics.generation import tokens

# Words and their numbers; words of a source that have none get a number for as long as that source is worked on.


PAD, UNK, BOS, EOS = range(4)
_SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")


class Vocabulary:
    """The most frequent words of the training pairs."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = (*_SPECIAL, *words)
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def build(cls, sentences: Iterable[Sequence[str]], *, size: int) -> Vocabulary:
        """At most ``size`` words, the most frequent first, ties by spelling."""
        counts = Counter(word for sentence in sentences for word in sentence)
        ranked = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(ranked[: max(0, size - len(_SPECIAL))])

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read what ``save`` wrote."""
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def save(self, path: Path) -> None:
        """Write the words as JSON."""
        path.write_text(json.dumps(self.words[len(_SPECIAL) :], ensure_ascii=False), encoding="utf-8")

    def encode(self, words: Sequence[str], strangers: dict[str, int] | None = None) -> list[int]:
        """Numbers of ``words``; unknown ones are UNK, or their number among ``strangers``."""
        others = strangers or {}
        return [self._numbers.get(word, others.get(word, UNK)) for word in words]

    def strangers(self, source: Sequence[str]) -> dict[str, int]:
        """Words of ``source`` outside the vocabulary, numbered on from its end (Gu et al. 2016, section 3.2)."""
        unknown = dict.fromkeys(word for word in source if word not in self._numbers)
        return {word: len(self) + number for number, word in enumerate(unknown)}


# From pairs to tensors: sources and targets as numbers, padded, with numbers for the source's own unknown words.


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as words. ``text`` is the source as it came."""

    text: str
    source: tuple[str, ...]
    target: tuple[str, ...]

    def __len__(self) -> int:
        """Words of its source."""
        return len(self.source)


@dataclass(frozen=True, slots=True)
class Batch:
    """``source`` int64 [rows, S] in the vocabulary; ``extended`` the same with numbers for strangers; ``mask`` bool
    [rows, S], true for words; ``given`` and ``target`` int64 [rows, T], extended: what the decoder is told and what
    it must say next. ``strangers`` is the greatest number of unknown words of a source.
    """

    source: Tensor
    extended: Tensor
    mask: Tensor
    given: Tensor
    target: Tensor
    strangers: int
    rows: tuple[Row, ...]


def rows_of(pairs: Sequence[SentencePair], *, longest: int | None = None) -> list[Row]:
    """Pairs as words; with ``longest``, pairs with a longer side are left out."""
    rows = [Row(pair.source, tuple(tokens(pair.source)), tuple(tokens(pair.target))) for pair in pairs]
    return [row for row in rows if longest is None or max(len(row.source), len(row.target)) <= longest]


def collate(rows: Sequence[Row], vocabulary: Vocabulary, *, device: str) -> Batch:
    """Pad rows to their longest."""
    strangers = [vocabulary.strangers(row.source) for row in rows]
    pairs = list(zip(rows, strangers, strict=True))
    source = _padded([[*vocabulary.encode(row.source), EOS] for row in rows], device)
    extended = _padded([[*vocabulary.encode(row.source, others), EOS] for row, others in pairs], device)
    target = [[BOS, *vocabulary.encode(row.target, others), EOS] for row, others in pairs]
    whole = _padded(target, device)
    return Batch(
        source=source,
        extended=extended,
        mask=source != PAD,
        given=whole[:, :-1],
        target=whole[:, 1:],
        strangers=max(len(others) for others in strangers),
        rows=tuple(rows),
    )


def _padded(numbers: Sequence[Sequence[int]], device: str) -> Tensor:
    width = max(len(one) for one in numbers)
    return torch.tensor([[*one, *([PAD] * (width - len(one)))] for one in numbers], device=device)
