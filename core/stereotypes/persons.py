"""Nouns that surely tell of people, in both numbers: what stands behind "Black" where it is no colour."""

from __future__ import annotations

_NOUNS = (
    "activist adult American artist athlete author boy candidate child citizen community couple customer employee "
    "family friend girl group immigrant journalist kid lawmaker leader lawyer male female minority mother father man "
    "neighbor neighbour official parent patient person player politician protester pupil refugee representative "
    "resident senator student teacher teenager victim voter woman worker writer youth"
)
_PLURALS = {
    "child": "children", "community": "communities", "family": "families", "minority": "minorities", "man": "men",
    "woman": "women", "person": "people", "youth": "youths",
}  # fmt: skip

PERSONS = frozenset(form for noun in _NOUNS.split() for form in (noun, _PLURALS.get(noun, f"{noun}s")))
