"""LDNOOBW: a list of obscene English words and phrases, which are never taken for bias sensitive words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from training.bsw.model import tokens
from training.corpora.base import AGAIN, CorpusError, CorpusFacts, Download, open_file
from training.corpora.reading import lines

_PLACE = "badwords/en.txt"

FACTS = CorpusFacts(
    key="badwords",
    name="Obscene words (LDNOOBW)",
    home="https://github.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words",
    licence="CC BY 4.0",
    files=(_PLACE,),
    downloads=(
        Download(
            "https://raw.githubusercontent.com/LDNOOBW/List-of-Dirty-Naughty-Obscene-and-Otherwise-Bad-Words/"
            "master/en",
            _PLACE,
        ),
    ),
)


ALSO = frozenset(
    "arse cocksucker dickhead dipshit douche douchebag dumbass dyke fucc goddamn hoe idiot jackass moron nicca niggah "
    "nigguh prick retard retarded scumbag shithead stfu thot wanker wtf".split()
)
"""Obvious ones that the list lacks and the corpora are full of: *hoe(s)* is in every sixth of Davidson's tweets."""
_ENDINGS = ("s", "z", "es", "ed", "er", "ers", "in", "ing")


@dataclass(frozen=True, slots=True)
class BadWords:
    """``entries`` as the list has them, in lower case; ``single`` are the tokens that count as abusive.

    The latter are the entries of one token and ``ALSO``, both with their endings too (*-s*, *-ed*, *-ing*, …).
    """

    entries: frozenset[str]
    single: frozenset[str]


def load(data: Path) -> BadWords:
    """The list, one entry a line; entries without a word in them (a sign) are passed over.

    Raises CorpusError where there is no entry.
    """
    path = open_file(data, _PLACE)
    split = {entry: pieces for line in lines(path) if (pieces := tokens(entry := line.strip().lower()))}
    if not split:
        raise CorpusError(f"{path} holds no words. {AGAIN}")
    single = {pieces[0] for pieces in split.values() if len(pieces) == 1}
    return BadWords(
        frozenset(split), frozenset(form for word in (*single, *ALSO) for form in (word, *_forms(word)))
    )


def _forms(word: str) -> list[str]:
    """The word with every ending, with its last letter left out (*rap-ed*), doubled (*slut-t-ed*) and as *-ies*."""
    stems = (word, word + word[-1], word[:-1] if word.endswith("e") else word)
    forms = [stem + ending for stem in stems for ending in _ENDINGS]
    return [*forms, word[:-1] + "ies"] if word.endswith("y") else forms
