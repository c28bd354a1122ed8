"""What the leaning must not be read from: who published a text.

Outlets' names, web addresses, datelines and by-lines are taken out before a text is read for its leaning, when a reader
is trained as well as here: a name would tell the rating that the reader learnt, whatever the text says.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.guides import LexiconError
from core.language import tr

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


def masked(text: str) -> str:
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
def outlets() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names that nothing else is called by, and those that are everyday words too. Raises LexiconError."""
    from resources import ROOT

    path = ROOT / "lexicons" / FILE
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
        at = lines.index(f"# {EVERYDAY}")
    except (OSError, ValueError) as error:
        said = tr("The list of outlets {file} cannot be read. Install Evenhand again.")
        raise LexiconError(said.format(file=path)) from error
    sure, shared = ([line for line in part if line and line[0] != "#"] for part in (lines[:at], lines[at:]))
    return tuple(sure), tuple(shared)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    sure, shared = outlets()
    written = {form for name in sure for form in (name, name.upper())}
    after = rf"{_AFTER}(?!\w)"
    return (
        re.compile(rf"{_AROUND}(?<!\w)(?=[A-Z])(?:{_any(written)}){after}"),
        re.compile(rf"{_AROUND}(?<!\w)(?=[A-Z])(?:{_any(set(shared))}){after}"),
    )


def _any(names: set[str]) -> str:
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    return "|".join(re.escape(name).replace(r"\ ", r"\s+").replace("'", "['’]") for name in longest_first)
