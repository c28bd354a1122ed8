"""LIAR (Wang 2017): short statements that PolitiFact judged, with the speaker's party.

Feng et al. (2023) name it as their corpus of misinformation and count 29,556 rows by news source, which it has not:
12,836 statements and the party of the speaker are what it has. The three judgements that are rather false are what is
to be detected.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from training.corpora.base import AGAIN, CorpusError, CorpusFacts, open_file, tell
from training.corpora.grouped import Item, Parts
from training.corpora.reading import Unread, lines

CLASSES = ("rather true", "rather false")
PARTIES = ("democrat", "republican", "none")
OTHER = "other"
"""Parties and kinds of speakers beside PARTIES: a few rows each."""
_FILES = ("liar/train.tsv", "liar/valid.tsv", "liar/test.tsv")
_LABELS = {"pants-fire": 1, "false": 1, "barely-true": 1, "half-true": 0, "mostly-true": 0, "true": 0}
_COLUMNS = 14
_LABEL, _TEXT, _PARTY = 1, 2, 7

FACTS = CorpusFacts(
    key="liar",
    name="LIAR",
    home="https://www.cs.ucsb.edu/~william/data/liar_dataset.zip",
    licence="none stated; for research, the judgements are PolitiFact's",
    files=_FILES,
    person="Download the archive at its home and put train.tsv, valid.tsv and test.tsv into liar/.",
)


def load(data: Path, *, say: Callable[[str], None] = tell) -> Parts:
    """The official parts. Raises CorpusError where a file is not of the layout, or a part lacks one of both classes."""
    train, dev, test = (_part(open_file(data, place), say) for place in _FILES)
    return Parts(train, dev, test).demand_classes(CLASSES, corpus="liar")


def _part(path: Path, say: Callable[[str], None]) -> tuple[Item, ...]:
    unread = Unread(path, say, expected=f"{_COLUMNS} columns, the second a judgement, the third a statement")
    found = []
    try:
        # Statements hold quotation marks as they are: nothing is quoted.
        rows = list(csv.reader(lines(path), delimiter="\t", quoting=csv.QUOTE_NONE))
    except csv.Error as error:
        raise CorpusError(f"{path} is no table ({error}). {AGAIN}") from error
    for number, row in enumerate(rows, start=1):
        label = _LABELS.get(row[_LABEL].strip()) if len(row) == _COLUMNS else None
        if label is None or not row[_TEXT].strip():
            unread.add(number, f"{len(row)} columns" if len(row) != _COLUMNS else "no judgement or statement")
            continue
        party = row[_PARTY].strip().lower()
        found.append(Item(row[_TEXT].strip(), label, (party if party in PARTIES else OTHER,)))
    unread.done(len(found))
    return tuple(found)
