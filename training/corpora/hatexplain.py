"""HateXplain (Mathew et al. 2021) in the layout of the multi-task release: posts with a label and whom they target.

The release maps the corpus's targets to five wider ones and has no split of its own. It stands in for the corpus of
Feng et al. (2023), which is `training.corpora.hate_identities`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from training.corpora.base import CorpusFacts, open_file, tell
from training.corpora.grouped import Item, Parts, split
from training.corpora.reading import Unread, table

CLASSES = ("not hateful", "hateful")
GROUPS = ("gender", "religion", "race", "economic", "minority")
_PLACE = "hatexplain/preprocessed.csv"
_LABELS = {"0": 0, "1": 0, "2": 1}
"""Normal, offensive, hate speech."""

FACTS = CorpusFacts(
    key="hatexplain",
    name="HateXplain",
    home="https://github.com/hate-alert/HateXplain",
    licence="MIT (corpus), Apache-2.0 (release as a table); the posts are their authors'",
    files=(_PLACE,),
    person="Take 92_HateXplain/preprocessed.csv from the multi-task release "
    "(https://github.com/Media-Bias-Group/magpie-multi-task) as its README says and put it into hatexplain/.",
)


def load(data: Path, *, say: Callable[[str], None] = tell) -> Parts:
    """All posts as 8:1:1; hate speech alone is what is to be detected.

    Raises CorpusError where the file is not of the layout, or a part lacks one of the two classes.
    """
    path = open_file(data, _PLACE)
    columns = [f"label_{group}" for group in GROUPS]
    unread = Unread(path, say, expected="a text, a label from 0 to 2, and five targets, 0 or 1 each")
    found = []
    for number, row in table(path, columns=("text", "label", *columns), delimiter=","):
        label, marks = _LABELS.get(row["label"].strip()), [row[column].strip() for column in columns]
        if label is None or set(marks) - {"0", "1"}:
            unread.add(number, f"label {row['label'][:20]!r}, targets {' '.join(marks)[:20]!r}")
        elif not row["text"].strip():
            unread.add(number, "no text")
        else:
            groups = tuple(group for group, mark in zip(GROUPS, marks, strict=True) if mark == "1")
            found.append(Item(row["text"].strip(), label, groups))
    unread.done(len(found))
    train, dev, test = split(found, tenths=(1, 1))
    return Parts(train, dev, test).demand_classes(CLASSES, corpus="hatexplain")
