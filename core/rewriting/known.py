"""Loaded words whose neutral ones are known from a table: proposals beside the model's, read again like them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from core.guides import read_table

TABLE = "wordings.tsv"
LIKELY = (0.4, 0.3, 0.2, 0.15)
"""What a known wording counts for, by its place in the table, where the model thinks it less likely."""


class Known(NamedTuple):
    """Neutral words for a loaded one, in its form; ``verb``: it cannot go without another in its place."""

    words: tuple[str, ...]
    verb: bool


@cache
def known_wordings() -> dict[str, Known]:
    """The table, by loaded word or phrase in lower case. Raises LexiconError."""
    from resources import ROOT

    rows = read_table(ROOT / "lexicons" / TABLE, ("loaded", "neutral", "part"))
    return {
        row.required("loaded"): Known(
            tuple(row.required("neutral").split("|")), row.required("part") == "verb"
        )
        for row in rows
    }
