"""What the hate-speech corpora share: rows for `training.bsw`, and a split that keeps duplicates together."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from training.bsw.model import Labelled, Split, tokens
from training.corpora.base import need_classes, open_file
from training.corpora.reading import Unread, table

CLASSES = ("neutral", "hateful")
_PARTS = 10
"""One part in so many is dev, one is test."""


def read(
    data: Path,
    place: str,
    *,
    classes: Mapping[str, bool],
    columns: tuple[str, str],
    corpus: str,
    say: Callable[[str], None],
) -> list[Labelled]:
    """The rows of a table with a column of ``classes`` (hateful or not) and one of texts, in the order of the file.

    Raises CorpusError where the file is not of the layout, and where one of the two classes is missing.
    """
    path, (label, text) = open_file(data, place), columns
    unread = Unread(path, say, expected=f"{text}, and {label} {', '.join(classes)}")
    found = []
    for number, row in table(path, columns=columns, delimiter=","):
        hateful = classes.get(row[label].strip())
        if hateful is None:
            unread.add(number, f"{label} is {row[label][:40]!r}")
        elif not row[text].strip():
            unread.add(number, "no text")
        else:
            found.append(labelled(row[text], hateful))
    unread.done(len(found))
    need_both(found, corpus=corpus)
    return found


def labelled(text: str, hateful: bool) -> Labelled:
    """A row of a corpus."""
    return Labelled(text, tokens(text), hateful)


def need_both(rows: Sequence[Labelled], *, corpus: str) -> None:
    """Raise CorpusError unless rows of both classes are there."""
    need_classes((int(row.hateful) for row in rows), CLASSES, corpus=corpus)


def split(rows: Sequence[Labelled], *, seed: int) -> Split:
    """Train, dev and test as 8:1:1, each with about the same share of hateful rows; the rows keep their order.

    Rows of the same tokens stay in one part, whatever their labels: a classifier cannot tell them apart.
    """
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        groups[row.tokens].append(place)
    strata: dict[bool, list[list[int]]] = {False: [], True: []}
    for group in groups.values():
        strata[rows[group[0]].hateful].append(group)
    draw = random.Random(seed)
    part_of: dict[int, int] = {}
    for stratum in strata.values():
        draw.shuffle(stratum)
        wanted = round(sum(map(len, stratum)) / _PARTS)
        part, filled = 0, 0
        for group in stratum:
            if part < 2 and filled >= wanted:
                part, filled = part + 1, 0
            filled += len(group)
            part_of.update(dict.fromkeys(group, part))
    dev, test, train = (
        tuple(row for place, row in enumerate(rows) if part_of[place] == part) for part in range(3)
    )
    return Split(train, dev, test)
