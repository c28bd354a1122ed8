"""Words and their numbers; words of a source that have none get a number for as long as that source is worked on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

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
