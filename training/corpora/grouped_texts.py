"""Texts for detectors, with the groups by which their errors are counted (Feng et al. 2023, section 3).

Hate speech by target identity (Yoder et al. 2022) is the paper's corpus, with its two splits. The release holds Python
objects, which are not opened here: a person writes each split as a table once.

HateXplain (Mathew et al. 2021) is read in the layout of the multi-task release, which maps the targets to five wider
ones and has no split of its own. It is the proxy for the corpus of Yoder et al. where that is not available.

LIAR (Wang 2017) holds short statements rated by PolitiFact with the speaker's party. Feng et al. name it as their
corpus of misinformation and count 29,556 rows by news source; it has 12,836 statements and the speaker's party. The
three ratings that are rather false are the positive class.
"""

from __future__ import annotations

import csv
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.corpora.files import UnreadableRows, read_lines, read_table
from training.types import (
    DOWNLOAD_AGAIN,
    CorpusError,
    CorpusFacts,
    OnMessage,
    open_file,
    print_to_stderr,
    require_classes,
)

SPLIT_SEED = 42
_TENTHS = 10


@dataclass(frozen=True, slots=True)
class GroupedText:
    """A text, its ``label`` (1 is what is to be detected), and every group that it counts in."""

    text: str
    label: int
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupedSplit:
    """The training, dev and test texts."""

    train: tuple[GroupedText, ...]
    dev: tuple[GroupedText, ...]
    test: tuple[GroupedText, ...]

    def require_classes(self, names: Sequence[str], *, corpus: str) -> GroupedSplit:
        """These parts. Raises CorpusError unless each of them has rows of both classes."""
        for part, rows in (("train", self.train), ("dev", self.dev), ("test", self.test)):
            require_classes((row.label for row in rows), names, corpus=f"{corpus} ({part})")
        return self


def split_grouped(
    items: Sequence[GroupedText], *, tenths: tuple[int, int]
) -> tuple[tuple[GroupedText, ...], ...]:
    """Items in three parts: so many ``tenths`` are the second and the third, the rest the first.

    Each part has about the same share of both labels; equal texts stay in one part, whatever their labels. The same
    items always give the same parts.
    """
    same: defaultdict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(items):
        same[" ".join(item.text.lower().split())].append(at)
    strata: defaultdict[int, list[list[int]]] = defaultdict(list)
    for places in same.values():
        strata[items[places[0]].label].append(places)
    draw = random.Random(SPLIT_SEED)
    part_of: dict[int, int] = {}
    for label in sorted(strata):
        groups = strata[label]
        draw.shuffle(groups)
        count = sum(map(len, groups))
        ends = [count * tenths[0] / _TENTHS, count * sum(tenths) / _TENTHS]
        placed = 0
        for places in groups:
            part = 1 if placed < ends[0] else 2 if placed < ends[1] else 0
            part_of.update(dict.fromkeys(places, part))
            placed += len(places)
    return tuple(tuple(item for at, item in enumerate(items) if part_of[at] == part) for part in range(3))


HATE_IDENTITIES_CLASSES = ("not hateful", "hateful")
SPLITS = ("identity", "demographic")
_HATE = {"true": 1, "false": 0, "1": 1, "0": 0}
_NAME = re.compile(r"'([^']+)'|\"([^\"]+)\"")

HATE_IDENTITIES_FACTS = CorpusFacts(
    key="hate-identities",
    name="Hate speech by target identity",
    homepage="https://osf.io/53tfs/",
    licence="none stated; each of the corpora that it is made of has terms of its own",
    files=tuple(f"hate_identities/{name}/{part}.csv" for name in SPLITS for part in ("train", "test")),
    manual_steps="Get the data at its home and write each of its two splits as tables: "
    "hate_identities/identity/train.csv "
    "and test.csv, and the same under hate_identities/demographic; columns text, hate (True or False) and "
    "target_groups (['muslims', 'women'], or nothing).",
)


def load_hate_identities(data: Path, name: str, *, on_message: OnMessage = print_to_stderr) -> GroupedSplit:
    """One of SPLITS; a fifth of its train part is dev, as Table 1 of Feng et al. counts.

    Raises CorpusError where a file is not of the layout, or a part lacks one of the two classes.
    """
    train, test = (
        list(_rows(data, f"hate_identities/{name}/{part}.csv", on_message)) for part in ("train", "test")
    )
    rest, dev, _ = split_grouped(train, tenths=(2, 0))
    return GroupedSplit(rest, dev, tuple(test)).require_classes(
        HATE_IDENTITIES_CLASSES, corpus=f"hate-{name}"
    )


def _rows(data: Path, place: str, on_message: OnMessage) -> Iterator[GroupedText]:
    path = open_file(data, place)
    unread = UnreadableRows(path, on_message, expected="a text, and hate True or False")
    for row in unread.reading(read_table(path, columns=("text", "hate", "target_groups"), delimiter=",")):
        label = _HATE.get(row["hate"].strip().lower())
        if label is None or not row["text"].strip():
            unread.leave_out(f"hate is {row['hate'][:20]!r}" if label is None else "no text")
            continue
        names = (one or other for one, other in _NAME.findall(row["target_groups"]))
        yield GroupedText(row["text"].strip(), label, tuple(dict.fromkeys(name.lower() for name in names)))


HATEXPLAIN_CLASSES = ("not hateful", "hateful")
HATEXPLAIN_GROUPS = ("gender", "religion", "race", "economic", "minority")
_PLACE = "hatexplain/preprocessed.csv"
_HATEXPLAIN_LABELS = {"0": 0, "1": 0, "2": 1}
"""Normal, offensive, hate speech."""

HATEXPLAIN_FACTS = CorpusFacts(
    key="hatexplain",
    name="HateXplain",
    homepage="https://github.com/hate-alert/HateXplain",
    licence="MIT (corpus), Apache-2.0 (release as a table); the posts are their authors'",
    files=(_PLACE,),
    manual_steps="Take 92_HateXplain/preprocessed.csv from the multi-task release "
    "(https://github.com/Media-Bias-Group/magpie-multi-task) as its README says and put it into hatexplain/.",
)


def load_hatexplain(data: Path, *, on_message: OnMessage = print_to_stderr) -> GroupedSplit:
    """All posts as 8:1:1; hate speech alone is what is to be detected.

    Raises CorpusError where the file is not of the layout, or a part lacks one of the two classes.
    """
    path = open_file(data, _PLACE)
    columns = [f"label_{group}" for group in HATEXPLAIN_GROUPS]
    unread = UnreadableRows(
        path, on_message, expected="a text, a label from 0 to 2, and five targets, 0 or 1 each"
    )
    found = []
    for row in unread.reading(read_table(path, columns=("text", "label", *columns), delimiter=",")):
        label = _HATEXPLAIN_LABELS.get(row["label"].strip())
        marks = [row[column].strip() for column in columns]
        if label is None or set(marks) - {"0", "1"}:
            unread.leave_out(f"label {row['label'][:20]!r}, targets {' '.join(marks)[:20]!r}")
        elif not row["text"].strip():
            unread.leave_out("no text")
        else:
            groups = tuple(group for group, mark in zip(HATEXPLAIN_GROUPS, marks, strict=True) if mark == "1")
            found.append(GroupedText(row["text"].strip(), label, groups))
    train, dev, test = split_grouped(found, tenths=(1, 1))
    return GroupedSplit(train, dev, test).require_classes(HATEXPLAIN_CLASSES, corpus="hatexplain")


LIAR_CLASSES = ("rather true", "rather false")
PARTIES = ("democrat", "republican", "none")
OTHER = "other"
"""Parties and kinds of speakers beside PARTIES: a few rows each."""
_FILES = ("liar/train.tsv", "liar/valid.tsv", "liar/test.tsv")
_LIAR_LABELS = {"pants-fire": 1, "false": 1, "barely-true": 1, "half-true": 0, "mostly-true": 0, "true": 0}
_COLUMNS = 14
_LABEL, _TEXT, _PARTY = 1, 2, 7

LIAR_FACTS = CorpusFacts(
    key="liar",
    name="LIAR",
    homepage="https://www.cs.ucsb.edu/~william/data/liar_dataset.zip",
    licence="none stated; for research, the judgements are PolitiFact's",
    files=_FILES,
    manual_steps="Download the archive at its home and put train.tsv, valid.tsv and test.tsv into liar/.",
)


def load_liar(data: Path, *, on_message: OnMessage = print_to_stderr) -> GroupedSplit:
    """The official parts. Raises CorpusError where a file is not of the layout, or a part lacks one of both classes."""
    train, dev, test = (_part(open_file(data, place), on_message) for place in _FILES)
    return GroupedSplit(train, dev, test).require_classes(LIAR_CLASSES, corpus="liar")


def _part(path: Path, on_message: OnMessage) -> tuple[GroupedText, ...]:
    unread = UnreadableRows(
        path, on_message, expected=f"{_COLUMNS} columns, the second a judgement, the third a statement"
    )
    found = []
    try:
        # Statements hold quotation marks as they are: nothing is quoted.
        rows = list(csv.reader(read_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE))
    except csv.Error as error:
        raise CorpusError(f"{path} is not a table ({error}). {DOWNLOAD_AGAIN}") from error
    for row in unread.reading(enumerate(rows, start=1)):
        label = _LIAR_LABELS.get(row[_LABEL].strip()) if len(row) == _COLUMNS else None
        if label is None or not row[_TEXT].strip():
            unread.leave_out(f"{len(row)} columns" if len(row) != _COLUMNS else "no judgement or statement")
            continue
        party = row[_PARTY].strip().lower()
        found.append(GroupedText(row[_TEXT].strip(), label, (party if party in PARTIES else OTHER,)))
    return tuple(found)
