"""Decoding token probabilities into spans of whole words.

The engine and training share this code, so that measured scores are those of the app.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.text.tokens import WORD
from core.types import GUIDE_CLASSES, KINDS, LABELS, Kind

_ARTICLES = ("a", "an", "the")
_CLASSES = tuple(GUIDE_CLASSES)
_CLASSES_OF = {
    kind: [at for at, name in enumerate(_CLASSES) if GUIDE_CLASSES[name] is kind] for kind in KINDS
}
_LARGEST = 60_000.0
"""Sums of logits are cut off here: they are kept as float16, which ends at 65,504."""


@dataclass(frozen=True, slots=True)
class Span:
    """Biased words ``text[start:end]`` of one sentence; ``confidence`` is in [0, 1].

    ``guide_class`` is a name in `GUIDE_CLASSES`, empty where the reader does not tell the class.
    """

    start: int
    end: int
    kind: Kind
    confidence: float
    guide_class: str = ""


@dataclass(frozen=True, slots=True)
class WordClasses:
    """Class logits of the words of a text that may be part of a span.

    ``words`` are their numbers, ascending; ``logits`` [words, 23] are sums over the tokens of each word, so that the
    largest sum over a span is the largest mean over its tokens.
    """

    words: NDArray[np.uint16]
    logits: NDArray[np.float16]

    def name(self, first: int, last: int, kind: Kind) -> str:
        """The class of words ``first`` to ``last`` among those of ``kind``; empty where none of them is here."""
        start, end = np.searchsorted(self.words, (first, last + 1))
        if start == end:
            return ""
        sums = self.logits[start:end].sum(axis=0, dtype=np.float32)
        classes = _CLASSES_OF[kind]
        return _CLASSES[classes[int(sums[classes].argmax())]]


NO_CLASSES = WordClasses(np.zeros(0, dtype=np.uint16), np.zeros((0, len(_CLASSES)), dtype=np.float16))


def word_probabilities(
    probabilities: NDArray[np.float32], offsets: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]
) -> NDArray[np.float32]:
    """Label probabilities of each word: those of its sub-token with the lowest probability of O.

    ``probabilities`` is [tokens, 7]; ``offsets`` are the tokens' (start, end), (0, 0) for special tokens, ascending.
    Returns [words, 7]; a word without a token (cut off) is O with probability 1.
    """
    gathered = np.zeros((len(words), len(LABELS)), dtype=np.float32)
    gathered[:, 0] = 1.0
    for index, tokens in enumerate(_tokens_of_words(offsets, words)):
        for at in tokens:
            if probabilities[at, 0] < gathered[index, 0]:
                gathered[index] = probabilities[at]
    return gathered


def raise_cue_odds(
    scores: NDArray[np.float32], cues: NDArray[np.bool_], offset: float
) -> NDArray[np.float32]:
    """``scores`` [words, 7] with the log-odds of bias raised by ``offset`` for the words that are ``cues`` [words].

    A word that style guides list is biased more often than the model says of it. The labels of bias keep their shares.
    """
    if not offset or not cues.any():
        return scores
    raised = scores.copy()
    biased = 1.0 - scores[cues, 0]
    odds = np.exp(offset) * biased
    after = odds / (odds + scores[cues, 0])
    raised[cues, 1:] *= (after / np.maximum(biased, np.finfo(np.float32).tiny))[:, None]
    raised[cues, 0] = 1.0 - after
    return raised


def word_classes(
    logits: NDArray[np.float32],
    offsets: Sequence[tuple[int, int]],
    words: Sequence[tuple[int, int]],
    marked: NDArray[np.bool_],
) -> WordClasses:
    """The class logits of the ``marked`` words, from those of the tokens, [tokens, 23]."""
    numbers = np.flatnonzero(marked).tolist()
    if not numbers:
        return NO_CLASSES
    tokens = _tokens_of_words(offsets, [words[number] for number in numbers])
    sums = np.stack([logits[own].sum(axis=0) for own in tokens])
    return WordClasses(np.array(numbers, dtype=np.uint16), sums.clip(-_LARGEST, _LARGEST).astype(np.float16))


def _tokens_of_words(
    offsets: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]
) -> Iterator[list[int]]:
    """The numbers of the tokens of each word; both are ascending."""
    token = 0
    for start, end in words:
        while token < len(offsets) and offsets[token][1] <= start:
            token += 1
        own = []
        at = token
        while at < len(offsets) and offsets[at][0] < end:
            if offsets[at][1] > start:
                own.append(at)
            at += 1
        yield own


def decode(
    probabilities: NDArray[np.float32],
    offsets: Sequence[tuple[int, int]],
    text: str,
    *,
    threshold: float,
    demographic_margin: float = 0.0,
    cues: NDArray[np.bool_] | None = None,
    cue_offset: float = 0.0,
) -> list[Span]:
    """Spans of a sentence, from the label probabilities of its tokens; see `decode_words` and `raise_cue_odds`."""
    words = [match.span() for match in WORD.finditer(text)]
    scores = word_probabilities(probabilities, offsets, words)
    return decode_words(
        scores if cues is None else raise_cue_odds(scores, cues, cue_offset),
        text,
        threshold=threshold,
        demographic_margin=demographic_margin,
    )


def decode_words(
    scores: NDArray[Any],
    text: str,
    *,
    threshold: float,
    demographic_margin: float = 0.0,
    classes: WordClasses = NO_CLASSES,
) -> list[Span]:
    """Spans of a sentence: runs of words whose bias probability (1 - O) reaches ``threshold``.

    ``scores`` is [words, 7], a row for each `WORD` of ``text``. Punctuation ends a run, and so does a word that is
    likelier to begin a span of another kind than to continue this one. A hyphen between spaces, as in tokenised text
    (``self - proclaimed``), does not end it where the next word is likelier to continue. Articles at either end of a
    run are left out. The kind of a run is the one with the highest total probability over its words; its confidence is
    the highest of its words; its guide class is the likeliest one of its kind by ``classes``. A demographic span needs
    ``demographic_margin`` more than ``threshold``. Spans are sorted, disjoint and cover whole words.
    """
    words = [match.span() for match in WORD.finditer(text)]
    biased = 1.0 - scores[:, 0]
    kinds = scores[:, 1::2] + scores[:, 2::2]
    spans: list[Span] = []
    run: list[int] = []

    def is_article(at: int) -> bool:
        start, end = words[at]
        return end - start <= 3 and text[start:end].lower() in _ARTICLES

    def close() -> None:
        while run and is_article(run[0]):
            run.pop(0)
        while run and is_article(run[-1]):
            run.pop()
        if run:
            kind = KINDS[int(kinds[run].sum(axis=0).argmax())]
            confidence = float(biased[run].max())
            if kind is not Kind.DEMOGRAPHIC or confidence >= threshold + demographic_margin:
                named = classes.name(run[0], run[-1], kind)
                spans.append(Span(words[run[0]][0], words[run[-1]][1], kind, confidence, named))
            run.clear()

    for index, (start, _end) in enumerate(words):
        if biased[index] < threshold:
            close()
            continue
        if run:
            gap = text[words[run[-1]][1] : start]
            begins = scores[index, 1::2].sum() > scores[index, 2::2].sum()
            changed = kinds[index].argmax() != kinds[run[-1]].argmax()
            touching = gap.isspace() or (gap.strip() == "-" and not begins)
            if not touching or (begins and changed):
                close()
        run.append(index)
    close()
    return spans
