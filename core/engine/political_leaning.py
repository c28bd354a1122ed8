"""The political leaning of a whole text, read in windows without what names its publisher; none where the text is
too short or not political.
"""

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
from core.types import Leaning

# What the leaning must not be read from: who published a text.
#
# Outlets' names, web addresses, datelines and by-lines are taken out before a text is read for its leaning, when a reader
# is trained as well as here: a name would tell the rating that the reader learnt, whatever the text says.


FILE = "outlets.txt"
EVERYDAY = "everyday words"
"""The line of the list after which names are words too."""

_DATE = r"(?:,?\s(?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)[a-z]*\.?\s\d{1,2})?"
_PLACE = r"[A-Z][A-Z.,'’ -]{5,40}(?:[A-Z][a-z]+\.?,?\s?){0,2}"
"""A place in capitals; what has fewer letters may be an abbreviation (*NATO*)."""

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
    """``text`` (a sentence, or a stretch from the beginning of one) without what tells who published it.

    A text that holds none of that is given back as it is; a by-line leaves nothing. Raises LexiconError where the list
    of outlets cannot be read.
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
    """*Hill* is taken out, but not of *Capitol Hill*, and *Vice* not of *Vice President*."""
    before, after = match.string[: match.start()], match.string[match.end() :]
    part = _CAPITAL_BEFORE.search(before[-40:]) or _CAPITAL_AFTER.match(after)
    return match.group() if part else " "


@lru_cache(maxsize=1)
def load_outlets() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that nothing else is called by, and those that are everyday words too. Raises LexiconError."""
    from resources import ROOT

    path = ROOT / "lexicons" / FILE
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        at = lines.index(f"# {EVERYDAY}")
    except (OSError, ValueError) as error:
        message = tr("The list of outlets {file} cannot be read. Install Evenhand again.")
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


# The leaning of a whole text, read in windows; nothing where the text is too short or not political.


Part = tuple[str, int]
"""A stretch of one sentence, and how many words there are in it."""

WINDOW_WORDS = 100
MAX_WINDOWS = 12
WINDOW_CHARACTERS = 1500
MIN_WORDS = 60
"""Leaning is read from at most so many windows of this size, and not from a text with fewer words: of shorter ones on
dev data fewer are read right, and more that are not political get a leaning (`evenhand train table leaning-gauge`)."""

_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class WeightedLeaning:
    """A text as its windows lean, each weighted by how political it is, and how political they are on average."""

    leaning: Leaning
    political: float


def document_leaning(
    reader: Reader, sentences: Iterable[Sequence[Part]], *, cancelled: Callable[[], bool] | None = None
) -> Leaning | None:
    """The leaning of consecutive sentences in `split_parts`; None where they are too short, or not political."""
    windows, words = leaning_windows(sentences)
    if words < MIN_WORDS:
        return None
    weighed = weight_leaning(reader, windows, cancelled=cancelled)
    if weighed is None or weighed.political < reader.bundle.thresholds.political:
        return None
    return weighed.leaning


def weight_leaning(
    reader: Reader, windows: Sequence[str], *, cancelled: Callable[[], bool] | None = None
) -> WeightedLeaning | None:
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
    return WeightedLeaning(Leaning(left, center, right, spread), statistics.fmean(weights))


def leaning_windows(sentences: Iterable[Sequence[Part]]) -> tuple[list[str], int]:
    """Windows of consecutive sentences in `split_parts` to read the leaning from, and the number of words in all of them.

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
    if len(windows) > MAX_WINDOWS:
        step = (len(windows) - 1) / (MAX_WINDOWS - 1)
        windows = [windows[round(number * step)] for number in range(MAX_WINDOWS)]
    return windows, words


def split_parts(text: str) -> tuple[Part, ...]:
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
