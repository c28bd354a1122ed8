"""Hate speech by target identity (Yoder et al. 2022), the corpus of Feng et al. (2023), with its two splits.

The release holds Python objects, which are not opened here: a person writes each split as a table once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from training.corpora.base import CorpusFacts, open_file, tell
from training.corpora.grouped import Item, Parts, split
from training.corpora.reading import Unread, table

CLASSES = ("not hateful", "hateful")
SPLITS = ("identity", "demographic")
_HATE = {"true": 1, "false": 0, "1": 1, "0": 0}
_NAME = re.compile(r"'([^']+)'|\"([^\"]+)\"")

FACTS = CorpusFacts(
    key="hate-identities",
    name="Hate speech by target identity",
    home="https://osf.io/53tfs/",
    licence="none stated; each of the corpora that it is made of has terms of its own",
    files=tuple(f"hate_identities/{name}/{part}.csv" for name in SPLITS for part in ("train", "test")),
    person="Get the data at its home and write each of its two splits as tables: hate_identities/identity/train.csv "
    "and test.csv, and the same under hate_identities/demographic; columns text, hate (True or False) and "
    "target_groups (['muslims', 'women'], or nothing).",
)


def load(data: Path, name: str, *, say: Callable[[str], None] = tell) -> Parts:
    """One of SPLITS; a fifth of its train part is dev, as Table 1 of Feng et al. counts.

    Raises CorpusError where a file is not of the layout, or a part lacks one of the two classes.
    """
    train, test = (list(_rows(data, f"hate_identities/{name}/{part}.csv", say)) for part in ("train", "test"))
    rest, dev, _ = split(train, tenths=(2, 0))
    return Parts(rest, dev, tuple(test)).demand_classes(CLASSES, corpus=f"hate-{name}")


def _rows(data: Path, place: str, say: Callable[[str], None]) -> Iterator[Item]:
    path = open_file(data, place)
    unread, read = Unread(path, say, expected="a text, and hate True or False"), 0
    for number, row in table(path, columns=("text", "hate", "target_groups"), delimiter=","):
        label = _HATE.get(row["hate"].strip().lower())
        if label is None or not row["text"].strip():
            unread.add(number, f"hate is {row['hate'][:20]!r}" if label is None else "no text")
            continue
        read += 1
        names = (one or other for one, other in _NAME.findall(row["target_groups"]))
        yield Item(row["text"].strip(), label, tuple(dict.fromkeys(name.lower() for name in names)))
    unread.done(read)
