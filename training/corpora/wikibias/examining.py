"""What can be read of the files of WIKIBIAS that are here, file by file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sized
from functools import partial
from pathlib import Path

from training.corpora.base import CorpusError
from training.corpora.wikibias import auto, labels, pairs, tagged
from training.corpora.wikibias.places import (
    AUTO,
    CLASS_KINDS,
    CLASSES,
    PARTS,
    ROOT,
    TAG_KINDS,
    TAGS,
    auto_is_here,
    generation,
    place,
)

Say = Callable[[str], None]
_Look = tuple[str, str, Callable[[Say], Sized]]


def examine(data: Path) -> list[str]:
    """Read every file that is here: a line with what it holds, and a line for whatever is wrong in it."""
    found: list[str] = []
    for name, what, read in _looks(data):
        said: list[str] = []
        try:
            found.append(f"{name}: {len(read(said.append)):,} {what}")
        except CorpusError as error:
            said.append(str(error))
        found += [line for line in said if line not in found]
    return found


def _looks(data: Path) -> Iterator[_Look]:
    """The name of each file that is here, what it holds, and how it is read."""
    for part in PARTS:
        if path := place(data, TAGS, part):
            yield _named(data, path), "tagged sentences", partial(tagged.load_tagged, data, part)
    if auto_is_here(data):
        yield f"{ROOT}, AUTO", "pairs of tagged sentences", partial(auto.read, data)
    for part in (*PARTS, AUTO):
        if path := place(data, CLASSES, part):
            yield _named(data, path), "labelled sentences", partial(labels.read_labels, path)
        if path := place(data, CLASS_KINDS, part):
            yield _named(data, path), "sentences with types of bias", partial(labels.read_kinds, path)
        if path := place(data, TAG_KINDS, part):
            yield (
                _named(data, path),
                "sentences with tagged types of bias",
                partial(labels.tagged_kinds, path),
            )
    for part in PARTS:
        if (data / generation(part)).is_file():
            yield generation(part), "pairs", partial(pairs.load, data, part)


def _named(data: Path, path: Path) -> str:
    return path.relative_to(data).as_posix()
