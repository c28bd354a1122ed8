"""The leaning of a whole text, read in windows; nothing where the text is too short or not political."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.reader import Reader
from core.report import Leaning
from core.words import WORD

Part = tuple[str, int]
"""A stretch of one sentence, and how many words there are in it."""

WINDOW_WORDS = 100
MOST_WINDOWS = 12
WINDOW_CHARACTERS = 1500
FEWEST_WORDS = 60
"""Leaning is read from at most so many windows of this size, and not from a text with fewer words: of shorter ones on
dev data fewer are read right, and more that are not political get a leaning (`evenhand train table leaning-gauge`)."""

_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A text as its windows lean, each weighted by how political it is, and how political they are on average."""

    leaning: Leaning
    political: float


def leaning_of(
    reader: Reader, sentences: Iterable[Sequence[Part]], *, cancelled: Callable[[], bool] | None = None
) -> Leaning | None:
    """The leaning of consecutive sentences in `parts`; None where they are too short, or not political."""
    windows, words = leaning_windows(sentences)
    if words < FEWEST_WORDS:
        return None
    weighed = weigh(reader, windows, cancelled=cancelled)
    if weighed is None or weighed.political < reader.bundle.thresholds.political:
        return None
    return weighed.leaning


def weigh(
    reader: Reader, windows: Sequence[str], *, cancelled: Callable[[], bool] | None = None
) -> Weighed | None:
    """How the windows of a text lean, whether or not that is to be said; None where nothing has any weight."""
    readings = reader.read(windows, cancelled=cancelled)
    weights = [reading.political for reading in readings]
    total = math.fsum(weights)
    if not total:
        return None
    left, center, right = (
        math.fsum(reading.leaning[side] * weight for reading, weight in zip(readings, weights, strict=True))
        / total
        for side in range(3)
    )
    spread = statistics.pstdev(reading.leaning[2] - reading.leaning[0] for reading in readings)
    return Weighed(Leaning(left, center, right, spread), statistics.fmean(weights))


def leaning_windows(sentences: Iterable[Sequence[Part]]) -> tuple[list[str], int]:
    """Windows of consecutive sentences in `parts` to read the leaning from, and the number of words in all of them.

    A window is closed before the sentence that would take it past WINDOW_WORDS, so that an edit seldom moves
    the ends of later ones; a longer sentence is cut. Of more than MOST_WINDOWS, that many are taken evenly
    spread.
    """
    windows: list[str] = []
    held: list[str] = []
    size = words = 0
    for sentence in sentences:
        for part, count in sentence:
            if held and size + count > WINDOW_WORDS:
                windows.append(" ".join(held))
                held, size = [], 0
            held.append(part)
            size += count
            words += count
    if held:
        windows.append(" ".join(held))
    if len(windows) > MOST_WINDOWS:
        step = (len(windows) - 1) / (MOST_WINDOWS - 1)
        windows = [windows[round(number * step)] for number in range(MOST_WINDOWS)]
    return windows, words


def parts(text: str) -> tuple[Part, ...]:
    """One sentence in stretches of at most WINDOW_WORDS words."""
    starts = [match.start() for match in _TOKEN.finditer(text) if WORD.search(match.group())]
    edges = [*starts[::WINDOW_WORDS], len(text)]
    return tuple(
        (
            text[start : min(end, start + WINDOW_CHARACTERS)],
            min(WINDOW_WORDS, len(starts) - number * WINDOW_WORDS),
        )
        for number, (start, end) in enumerate(pairwise(edges))
    )
