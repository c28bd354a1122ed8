"""Identity terms (words for groups of people, ours and those of Badjatiya et al. 2019) and nouns for persons."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.engine.cue_classes import LexiconError
from core.i18n import tr

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

PERSON_NOUNS = frozenset(form for noun in _NOUNS.split() for form in (noun, _PLURALS.get(noun, f"{noun}s")))
"""Nouns that certainly refer to people, singular and plural: what follows "Black" where it is no colour."""


IDENTITY_TERMS_FILE = "identity_terms.json"
GROUPS = ("gender", "orientation", "faith", "origin", "colour", "age", "disability", "party")
_FIELDS = {"term", "group", "plural", "adjective", "general", "sure", "paper"}


@dataclass(frozen=True, slots=True)
class IdentityTerm:
    """A noun for a person, or an adjective where there is no noun, with its capitals; it may be several words.

    ``plural`` and ``adjective`` are its other forms, empty where English has none; the adjective may be the same word.
    ``general`` is the noun that generalises it ("believer", "parent", mostly "person"). ``is_unambiguous`` is False
    where the word often does not refer to a person ("black", "old"); the file says ``sure``. ``paper`` is the word of
    Table 3 of Badjatiya et al. to which it corresponds, else empty.
    """

    term: str
    group: str
    plural: str
    adjective: str
    general: str
    is_unambiguous: bool = True
    paper: str = ""

    @property
    def is_noun(self) -> bool:
        """Whether the term itself is a noun for a person."""
        return bool(self.plural)

    @property
    def forms(self) -> tuple[str, ...]:
        """Term, plural and adjective, each once."""
        return tuple(dict.fromkeys(form for form in (self.term, self.plural, self.adjective) if form))


@cache
def load_identity_terms(path: Path | None = None) -> tuple[IdentityTerm, ...]:
    """The identity terms, by group. Raises LexiconError where the file is missing or malformed."""
    if path is None:
        from resources import ROOT

        path = ROOT / "lexicons" / IDENTITY_TERMS_FILE
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["terms"]
        terms = tuple(_term(row) for row in rows)
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = tr("The identity terms in {path} cannot be read ({error}). Reinstall Evenhand.")
        raise LexiconError(message.format(path=path, error=error)) from error
    return terms


def _term(row: dict[str, Any]) -> IdentityTerm:
    if unknown := row.keys() - _FIELDS:
        raise ValueError(f"{', '.join(sorted(unknown))}?")
    term = IdentityTerm(
        term=row["term"],
        group=row["group"],
        plural=row.get("plural", ""),
        adjective=row.get("adjective", ""),
        general=row.get("general", "person"),
        is_unambiguous=row.get("sure", True),
        paper=row.get("paper", ""),
    )
    if term.group not in GROUPS or not (term.plural or term.adjective):
        raise ValueError(term.term)
    return term
