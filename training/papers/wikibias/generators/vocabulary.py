"""Vocabulary with indices for out-of-vocabulary words of a source, and pairs as padded tensors."""

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

    def encode(self, words: Sequence[str], oov_words: dict[str, int] | None = None) -> list[int]:
        """Indices of ``words``; unknown ones are UNK, or their index in ``oov_words``."""
        others = oov_words or {}
        return [self._numbers.get(word, others.get(word, UNK)) for word in words]

    def oov_words(self, source: Sequence[str]) -> dict[str, int]:
        """Words of ``source`` outside the vocabulary, with indices after its end (Gu et al. 2016, section 3.2)."""
        unknown = dict.fromkeys(word for word in source if word not in self._numbers)
        return {word: len(self) + number for number, word in enumerate(unknown)}


@dataclass(frozen=True, slots=True)
class Row:
    """A pair as words. ``text`` is the original source."""

    text: str
    source: tuple[str, ...]
    target: tuple[str, ...]

    def __len__(self) -> int:
        """The number of words of the source."""
        return len(self.source)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs as padded tensors.

    ``source`` int64 [rows, S] are indices in the vocabulary; ``extended`` the same with further indices for words
    outside it; ``mask`` bool [rows, S] is true for words. ``decoder_input`` and ``target`` int64 [rows, T] are extended
    indices: the decoder's input, and the word to predict at each position. ``oov_words`` is the largest number of words
    outside the vocabulary in a source.
    """

    source: Tensor
    extended: Tensor
    mask: Tensor
    decoder_input: Tensor
    target: Tensor
    oov_words: int
    rows: tuple[Row, ...]


def rows_of(pairs: Sequence[SentencePair], *, max_words: int | None = None) -> list[Row]:
    """Pairs as words, without pairs that have a side of more than ``max_words`` words."""
    rows = [Row(pair.source, tuple(tokens(pair.source)), tuple(tokens(pair.target))) for pair in pairs]
    return [row for row in rows if max_words is None or max(len(row.source), len(row.target)) <= max_words]


def collate(rows: Sequence[Row], vocabulary: Vocabulary, *, device: str) -> Batch:
    """Rows as padded tensors."""
    oov_words = [vocabulary.oov_words(row.source) for row in rows]
    pairs = list(zip(rows, oov_words, strict=True))
    source = _padded([[*vocabulary.encode(row.source), EOS] for row in rows], device)
    extended = _padded([[*vocabulary.encode(row.source, others), EOS] for row, others in pairs], device)
    target = [[BOS, *vocabulary.encode(row.target, others), EOS] for row, others in pairs]
    whole = _padded(target, device)
    return Batch(
        source=source,
        extended=extended,
        mask=source != PAD,
        decoder_input=whole[:, :-1],
        target=whole[:, 1:],
        oov_words=max(len(others) for others in oov_words),
        rows=tuple(rows),
    )


def _padded(numbers: Sequence[Sequence[int]], device: str) -> Tensor:
    width = max(len(one) for one in numbers)
    return torch.tensor([[*one, *([PAD] * (width - len(one)))] for one in numbers], device=device)
