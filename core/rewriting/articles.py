"""A or an: by the sound that a word begins with, as far as its letters tell."""

from __future__ import annotations

import re

_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_YOU = re.compile(
    r"eu(?!$)|ewe|u(?:ni(?!n|m|d|ll)|s[aeu]|t[eio]|biq|bisoft|k|ra|ru|ri|ga|[^a-z]|$)|once|one(?!r|i)|ouija",
    re.IGNORECASE,
)
"""Vowels that are said like the beginning of *you* or *won*."""

_SPELT = frozenset("aefhilmnorsx")
_INITIALS = frozenset(
    "eu fbi fda fcc ftc mp mba mri msnbc nba nfl nhl npr nra ngo nypd hiv hbo hr html lgbt lgbtq lsd rpg rna rv "
    "sms sos ssd sec snp suv xml nsa mc mvp mdma nhs".split()
)
"""Said letter by letter also where a text has no capitals."""

_SAID_AS_WORDS = frozenset(
    "nato nasa fifa fema nafta nascar hamas hezbollah lego laser radar sars salt seal seato swat saudi "
    "rico mers mash scuba sim".split()
)


def article_for(word: str) -> str:
    """``a`` or ``an``, for the word or number that follows it."""
    lower = word.lower()
    if lower[:1].isdigit():
        number = re.match(r"\d+", lower)
        digits = number.group() if number else ""
        return "an" if digits.startswith("8") or digits in ("11", "18") else "a"
    first = re.split(r"[-‐‑'’.]", lower, maxsplit=1)[0]
    capitals = len(first) > 1 and word[: len(first)].isupper() and first not in _SAID_AS_WORDS
    if len(first) == 1 or first in _INITIALS or (capitals and len(first) <= 5):
        return "an" if first[:1] in _SPELT else "a"
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if lower[:1] in tuple("aeiouàáâäæèéêëìíîïòóôöœùúûü") and not _YOU.match(lower) else "a"
