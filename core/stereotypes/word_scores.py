"""The bias of words read alone (SPCPD), their pinned bias, and the scores of a vocabulary stored in a reader's bundle.

Badjatiya, Gupta and Varma 2019, section 4.1.3 and Equation 1: a word is bias sensitive (a BSW) where a classifier that
reads nothing else is confident of a class other than the neutral one.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from core.bundles.reader import WORD_SCORES, ReaderBundle
from core.engine.reader import Reader
from core.stereotypes.metrics import pb_asym, pb_mean, pb_sym
from core.types import KINDS, Kind

MIN_SENSITIVE_BIAS = 0.5
"""The bias from which a word read alone is bias sensitive (tau in the paper)."""


@dataclass(frozen=True, slots=True)
class WordScore:
    """A word, or a term of several words, read alone.

    ``bias`` is the calibrated probability that it is biased; ``kinds`` has for each kind the highest probability of a
    word in it. All in [0, 1]; 0 where there is no letter.
    """

    word: str
    bias: float
    kinds: Mapping[Kind, float]

    @property
    def sensitive(self) -> bool:
        """Whether it is a bias sensitive word."""
        return self.bias >= MIN_SENSITIVE_BIAS


@dataclass(frozen=True, slots=True)
class PinnedBias:
    """PB_mean, PB_sym and PB_asym of a list of words (Equations 3 to 5)."""

    mean: float
    sym: float
    asym: float


def score_words(
    reader: Reader,
    words: Sequence[str],
    *,
    stored: Mapping[str, WordScore] | None = None,
    cancelled: Callable[[], bool] | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> list[WordScore]:
    """A score for each of ``words``, in order; taken from ``stored`` or the reader's cache where possible.

    ``on_progress`` is called with the share that is read, in [0, 1]. Raises ReaderError, and Cancelled once
    ``cancelled()`` is true.
    """
    known = {word: found for word in words if stored and (found := _found(reader, word, stored))}
    missing = [word for word in dict.fromkeys(words) if word not in known]
    readings = reader.read(missing, cancelled=cancelled, on_progress=on_progress)
    for word, reading in zip(missing, readings, strict=True):
        known[word] = WordScore(word, reading.bias, dict(zip(KINDS, reading.kinds, strict=True)))
    return [known[word] for word in words]


def _found(reader: Reader, word: str, stored: Mapping[str, WordScore]) -> WordScore | None:
    """The stored score of ``word``; of its lower case where the reader ignores case."""
    found = stored.get(word) or (stored.get(word.lower()) if reader.ignores_case else None)
    return found and replace(found, word=word)


def pinned_bias(scores: Sequence[WordScore]) -> PinnedBias:
    """The pinned bias over ``scores``. Raises MetricError where there are none."""
    probabilities = [score.bias for score in scores]
    return PinnedBias(pb_mean(probabilities), pb_sym(probabilities), pb_asym(probabilities))


def write_word_scores(folder: Path, run: str, scores: Iterable[WordScore]) -> None:
    """Write the scores by the reader of ``run`` into its bundle, before it is sealed.

    A gzipped table with tabs: the run on the first line, then a word and four values (bias, then the kinds) per line.
    """
    lines = [run]
    for score in scores:
        figures = [score.bias, *(score.kinds[kind] for kind in KINDS)]
        lines.append("\t".join([score.word, *(f"{figure:.4f}" for figure in figures)]))
    packed = gzip.compress("\n".join(lines).encode("utf-8"), mtime=0)
    (folder / WORD_SCORES).write_bytes(packed)


def load_word_scores(bundle: ReaderBundle) -> Mapping[str, WordScore]:
    """The scores stored in ``bundle``; none where it has none, or where they are of another run."""
    return _read(bundle.word_scores, bundle.run) if bundle.word_scores is not None else {}


@lru_cache(maxsize=2)
def _read(path: Path, run: str) -> dict[str, WordScore]:
    try:
        made_by, *lines = gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")
        rows = [line.split("\t") for line in lines]
        scores = {word: WordScore(word, float(bias), _kinds(kinds)) for word, bias, *kinds in rows}
    except (OSError, ValueError, EOFError):
        return {}
    return scores if made_by == run else {}


def _kinds(figures: list[str]) -> dict[Kind, float]:
    return dict(zip(KINDS, map(float, figures), strict=True))
