"""The political leaning of a whole text: read in windows from which publisher names are masked."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from core.engine.cue_classes import LexiconError
from core.engine.reader import Reader
from core.i18n import tr
from core.text.tokens import WORD
from core.types import Leaning, NoLeaning

# Publisher masking: names of outlets, web addresses, datelines and by-lines are removed before a text is read for its
# leaning, in training as well as here. With a name, the reader would only repeat the rating of that outlet.

FILE = "outlets.txt"
EVERYDAY = "everyday words"
"""The heading in the list above the names that are ordinary words, too."""

_DATE = r"(?:,?\s(?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)[a-z]*\.?\s\d{1,2})?"
_PLACE = r"[A-Z][A-Z.,'’ -]{5,40}(?:[A-Z][a-z]+\.?,?\s?){0,2}"
"""A place name in capitals; anything shorter may be an abbreviation (*NATO*)."""

_WORDS = r"[A-Z][\w.'’-]*(?:,?\s[A-Z][\w.'’-]*){0,4}"
_DATELINE = re.compile(
    rf"""^[^\w(]*(?:
        {_PLACE}{_DATE}\s*(?:\([^)]{{0,40}}\))?                    # NEW YORK, Conn., June 3 (AP)
        | {_WORDS}{_DATE}\s*\([^)]{{0,40}}\)                       # Washington (CNN)
        | \([^)]{{0,40}}\)                                       # (CNN)
    )\s*(?:--|[—–]|-(?=\s))\s*""",
    re.VERBOSE,
)
_EMPTIED = re.compile(rf"^{_WORDS}\s*\(\s*\)\s*")
_BYLINE = re.compile(
    r"^\W*(?:[Bb]y|BY|[A-Z][a-z]+ by)\s+[A-Z][\w.'’-]*(?:[\s,|]+(?:(?:and|for|of)\s+)?[A-Z][\w.'’-]*){0,11}[^\w.!?]*$"
)
_AROUND = r"(?:\b(?:[Tt]he|[Aa]n?)\s+)?@?"
_AFTER = (
    r"(?:\s+(?:News|NEWS|Channel|Network|Digital|Online|Radio|Television|TV|Magazine|magazine|newspaper|website))*"
    r"(?:['’]s?)?"
)
_ADDRESS = re.compile(
    rf"{_AROUND}(?:https?://\S+|\bwww\.\S+|(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|co\.uk)\b(?:/\S*)?)(?:['’]s?)?"
)
_CAPITAL_BEFORE = re.compile(r"(?<![.!?:;\"“])\b[A-Z][\w'’]*[\s-]+$")
_CAPITAL_AFTER = re.compile(r"^[\s-]+[A-Z]")
_GAPS = (
    (re.compile(r"[(\[“\"]\s*[)\]”\"]"), " "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s+([.,;:!?)\]])"), r"\1"),
    (re.compile(r"([(\[])\s+"), r"\1"),
    (re.compile(r"([,;:])(?:[,;:])+"), r"\1"),
    (re.compile(r"^[\s,;:.—–-]+"), ""),
)


def mask_publisher(text: str) -> str:
    """``text`` (a sentence or its beginning) without publisher names, addresses, dateline and by-line.

    A by-line becomes empty. Raises LexiconError where the list of outlets cannot be read.
    """
    names, everyday = _patterns()
    found = "" if _BYLINE.match(text) else _ADDRESS.sub(" ", _DATELINE.sub("", text, count=1))
    found = names.sub(" ", found)
    found = _EMPTIED.sub("", everyday.sub(_unless_in_a_name, found))
    if found == text:
        return text
    for pattern, put in _GAPS:
        found = pattern.sub(put, found)
    return found.strip()


def _unless_in_a_name(match: re.Match[str]) -> str:
    """Remove *Hill*, but not in *Capitol Hill*, and *Vice*, but not in *Vice President*."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    part = _CAPITAL_BEFORE.search(before[-40:]) or _CAPITAL_AFTER.match(after)
    return match.group() if part else " "


@lru_cache(maxsize=1)
def load_outlets() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of outlets: the unambiguous ones, and those that are ordinary words, too. Raises LexiconError."""
    from resources import ROOT

    path = ROOT / "lexicons" / FILE
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        at = lines.index(f"# {EVERYDAY}")
    except (OSError, ValueError) as error:
        message = tr("The list of outlets {file} cannot be read. Reinstall Evenhand.")
        raise LexiconError(message.format(file=path)) from error
    sure, shared = ([line for line in part if line and line[0] != "#"] for part in (lines[:at], lines[at:]))
    return tuple(sure), tuple(shared)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    sure, shared = load_outlets()
    written = {form for name in sure for form in (name, name.upper())}
    after = rf"{_AFTER}(?!\w)"
    return (
        re.compile(rf"{_AROUND}(?<!\w)(?=[A-Z])(?:{_any(written)}){after}"),
        re.compile(rf"{_AROUND}(?<!\w)(?=[A-Z])(?:{_any(set(shared))}){after}"),
    )


def _any(names: set[str]) -> str:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace(r"\ ", r"\s+").replace("'", "['’]") for name in longest_first)


Part = tuple[str, int]
"""A part of one sentence, and its number of words."""

WINDOW_WORDS = 100
MAX_WINDOWS = 12
WINDOW_CHARACTERS = 1500
MIN_WORDS = 60
"""Leaning is read from at most `MAX_WINDOWS` windows of `WINDOW_WORDS`, and only from texts with at least `MIN_WORDS`:
on shorter ones accuracy falls, and more texts that are not political get a leaning (`evenhand train table
leaning-gauge`)."""

_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class WeightedLeaning:
    """The mean leaning of a text's windows, weighted by how political each is, and their mean ``political``."""

    leaning: Leaning
    political: float


def document_leaning(
    reader: Reader, sentences: Iterable[Sequence[Part]], *, cancelled: Callable[[], bool] | None = None
) -> Leaning | NoLeaning:
    """The leaning of consecutive sentences (from `split_parts`), or why there is none."""
    thresholds = reader.bundle.thresholds
    if thresholds.leaning >= 1:
        return NoLeaning.UNABLE
    windows, words = leaning_windows(sentences)
    if words < MIN_WORDS:
        return NoLeaning.SHORT
    found = weight_leaning(reader, windows, cancelled=cancelled)
    if found is None or found.political < thresholds.political:
        return NoLeaning.UNPOLITICAL
    return found.leaning if is_confident(found.leaning, thresholds.leaning) else NoLeaning.UNSURE


def is_confident(leaning: Leaning, least: float) -> bool:
    """Whether the likeliest side is as likely as ``least`` (`Thresholds.leaning`); with 1 it never is."""
    return least < 1 and max(leaning.left, leaning.center, leaning.right) >= least


def weight_leaning(
    reader: Reader, windows: Sequence[str], *, cancelled: Callable[[], bool] | None = None
) -> WeightedLeaning | None:
    """The weighted leaning of windows, without a threshold; None where all weights are 0."""
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
    return WeightedLeaning(Leaning(left, center, right, spread), statistics.fmean(weights))


def leaning_windows(sentences: Iterable[Sequence[Part]]) -> tuple[list[str], int]:
    """Windows of consecutive sentences (from `split_parts`), and the number of words in all sentences.

    A window ends before the sentence that would take it past WINDOW_WORDS, so that an edit seldom moves later windows;
    a longer sentence is cut. Of more than MAX_WINDOWS windows, evenly spaced ones are taken.
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
    if len(windows) > MAX_WINDOWS:
        step = (len(windows) - 1) / (MAX_WINDOWS - 1)
        windows = [windows[round(number * step)] for number in range(MAX_WINDOWS)]
    return windows, words


def split_parts(text: str) -> tuple[Part, ...]:
    """One sentence in parts of at most WINDOW_WORDS words."""
    starts = [match.start() for match in _TOKEN.finditer(text) if WORD.search(match.group())]
    edges = [*starts[::WINDOW_WORDS], len(text)]
    return tuple(
        (
            text[start : min(end, start + WINDOW_CHARACTERS)],
            min(WINDOW_WORDS, len(starts) - number * WINDOW_WORDS),
        )
        for number, (start, end) in enumerate(pairwise(edges))
    )
