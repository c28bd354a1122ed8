"""Classification files: a sentence and its label a line, two tabs between; and the types of bias in a sentence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from core.findings import Kind
from training.corpora.base import CorpusError, tell
from training.corpora.reading import Unread, lines
from training.corpora.wikibias import blocks
from training.corpora.wikibias.places import CLASS_KINDS, CLASSES, TAG_KINDS, check_part, opened, place

KIND_ORDER = (Kind.FRAMING, Kind.EPISTEMOLOGICAL, Kind.DEMOGRAPHIC)
"""The order of ``f|e|d``: that in which the paper names the types. The release's own words do not say it."""

_TYPES = re.compile(r"([01])\s*\|\s*([01])\s*\|\s*([01])")
_Label = TypeVar("_Label")


def load_labels(data: Path, part: str, say: Callable[[str], None] = tell) -> list[tuple[str, bool]]:
    """Sentences of ``class_binary`` with whether they are biased; ``part`` is train, auto, dev or test.

    Raises CorpusError for a missing file, and for one of which nothing can be read.
    """
    check_part(part, auto=True)
    return read_labels(opened(data, CLASSES, part), say=say)


def read_labels(path: Path, say: Callable[[str], None] = tell) -> list[tuple[str, bool]]:
    """The rows of a file of ``class_binary``."""
    return _read(path, {"0": False, "1": True}.get, "0 or 1", say)


def read_kinds(path: Path, say: Callable[[str], None] = tell) -> list[tuple[str, frozenset[Kind]]]:
    """The rows of a file of ``class_finegrained``: which of the three types each sentence has."""
    return _read(path, _types, "f|e|d, each 0 or 1 (framing, epistemological, demographic)", say)


class Kinds:
    """The types of bias of sentences, found by their text; a part without fine-grained files knows none.

    ``class_finegrained`` goes before ``tag_finegrained``.
    """

    def __init__(self, data: Path, part: str, say: Callable[[str], None] = tell) -> None:
        self._said: dict[str, set[frozenset[Kind]]] = defaultdict(set)
        classes, tags = place(data, CLASS_KINDS, part), place(data, TAG_KINDS, part)
        self._take(read_kinds(classes, say=say) if classes else ())
        self._take(row for row in (tagged_kinds(tags, say=say) if tags else ()) if row[0] not in self._said)

    def _take(self, rows: Iterable[tuple[str, frozenset[Kind]]]) -> None:
        for text, kinds in list(rows):
            self._said[text].add(kinds)

    def of(self, tokens: Iterable[str], *, biased: bool) -> frozenset[Kind] | None:
        """The types of a sentence with this label, None where nobody has said or what was said does not fit it."""
        said = self._said.get(" ".join(tokens), set())
        fitting = [kinds for kinds in said if bool(kinds) == biased]
        return frozenset().union(*fitting) if fitting else None


def tagged_kinds(path: Path, say: Callable[[str], None] = tell) -> list[tuple[str, frozenset[Kind]]]:
    """The sentences of a file of ``tag_finegrained`` with the types of their spans."""
    found = (slot.block for slot in blocks.read(path, names=blocks.FINE, say=say))
    return [
        (" ".join(block.tokens), frozenset(Kind(tag[2:]) for tag in block.tags if tag.startswith("B-")))
        for block in found
        if block is not None
    ]


def _types(label: str) -> frozenset[Kind] | None:
    found = _TYPES.fullmatch(label)
    if found is None:
        return None
    return frozenset(kind for kind, said in zip(KIND_ORDER, found.groups(), strict=True) if said == "1")


def _read(
    path: Path, label_of: Callable[[str], _Label | None], wanted: str, say: Callable[[str], None]
) -> list[tuple[str, _Label]]:
    expected = f"the sentence, two tabs, {wanted}"
    unread = Unread(path, say, what=("row", "rows"), at="line", expected=expected)
    found: list[tuple[str, _Label]] = []
    bad = 0
    for number, line in enumerate(lines(path), start=1):
        if not line.strip():
            continue
        text, tabs, written = line.rstrip("\r\n").rpartition("\t\t")
        label = label_of(written.strip())
        if tabs and text.strip() and label is not None:
            found.append((" ".join(text.split()), label))
            continue
        bad += 1
        if not tabs:
            unread.add(number, "no two tabs")
        else:
            unread.add(number, f"label {written.strip()[:40]!r}" if label is None else "an empty sentence")
    if not found and not bad:
        raise CorpusError(f"{path} holds no sentences. Expected: {expected}.")
    unread.done(len(found))
    return found
