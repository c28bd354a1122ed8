"""WIKIBIAS (Zhong, Yang, Xu, Yang 2021) for those who have it: sentence pairs for generation, and the pairs of AUTO.

Its format description says nothing of the generation files: here they are ``wikibias/generation.{train,dev,test}.tsv``,
one pair a line, source and target, a tab between. AUTO is described as tagging files, five lines a sentence (it and its
label; two of parts of speech; the tags; a blank line), the sources in ``wikibias/noisy_train*.tsv`` and the targets, in
the same order, in ``wikibias/noisy_train_neg.tsv``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest
from pathlib import Path

from training.corpora.base import AGAIN, CorpusError, CorpusFacts, open_file
from training.corpora.pairs import Pair
from training.corpora.reading import lines

PARTS = ("train", "dev", "test")
_BAR = " ||| "
_TAGS = frozenset({"B-bias", "I-bias", "O"})
_TARGETS = "noisy_train_neg.tsv"

FACTS = CorpusFacts(
    key="wikibias",
    name="WIKIBIAS",
    home="https://github.com/cs329yangzhong/WIKIBIAS",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=(
        *(f"wikibias/generation.{part}.tsv" for part in PARTS),
        "wikibias/noisy_train.tsv",
        f"wikibias/{_TARGETS}",
    ),
    person="The corpus lies on its authors' drive: the repository's README links it. Download it there in a browser "
    "and put the files into wikibias/ under these names.",
)


def load(data: Path, part: str) -> Iterator[Pair]:
    """Generation pairs of ``part`` (train, dev or test).

    Raises CorpusError for a missing file, and with the line's number for a row that is not two columns.
    """
    if part not in PARTS:
        raise CorpusError(f"WIKIBIAS has no part {part}. Take train, dev or test.")
    path = open_file(data, f"wikibias/generation.{part}.tsv")
    for number, line in enumerate(lines(path), start=1):
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 2 or not all(columns):
            raise CorpusError(f"{path}, line {number}: not a pair (source, tab, target). {AGAIN}")
        yield Pair(columns[0], columns[1], f"wikibias-{part}-{number}")


def load_auto(data: Path) -> Iterator[Pair]:
    """Pairs of AUTO: the sentences of the tagging files of sources and of targets, joined by their order.

    Raises CorpusError for a missing or damaged file, and where the sides have different numbers of sentences.
    """
    targets = open_file(data, f"wikibias/{_TARGETS}")
    open_file(data, "wikibias/noisy_train.tsv")
    sources = sorted(path for path in targets.parent.glob("noisy_train*.tsv") if path.name != _TARGETS)
    both = zip_longest(chain.from_iterable(map(_tagged, sources)), _tagged(targets))
    for number, (source, target) in enumerate(both):
        if source is None or target is None:
            raise CorpusError(
                f"{targets} and the sources beside it have different numbers of sentences; copy them again together."
            )
        yield Pair(source, target, f"wikibias-auto-{number}")


def _tagged(path: Path) -> Iterator[str]:
    """The sentences of a tagging file."""
    block: list[str] = []
    number = 0
    for number, line in enumerate(lines(path), start=1):
        if line.strip():
            block.append(line)
        elif block:
            yield _sentence(block, path, number - len(block))
            block = []
    if block:
        yield _sentence(block, path, number - len(block) + 1)


def _sentence(block: list[str], path: Path, first: int) -> str:
    """The sentence of one instance, whose first line has the number ``first``."""
    sentence = block[0].partition(_BAR)[0].strip()
    tags = block[-1].partition(_BAR)[0].split()
    if (
        len(block) != 4
        or not sentence
        or any(_BAR not in line for line in block)
        or not _TAGS.issuperset(tags)
        or len(tags) != len(sentence.split())
    ):
        raise CorpusError(
            f"{path}, line {first}: not a tagged sentence (sentence, two lines of parts of speech, tags, each with "
            f"'{_BAR.strip()}', then a blank line). {AGAIN}"
        )
    return sentence
