"""WIKIBIAS (Zhong, Yang, Xu, Yang 2021) in the layouts of its release: labels, tagged sentences, pairs, AUTO.

All files lie under ``wikibias/``: the folders ``class_binary``, ``class_finegrained``, ``tag_binary`` and
``tag_finegrained`` with a train, dev and test file each; AUTO as ``noisy_train*.tsv`` and ``noisy_train_neg.tsv``,
beside them or in ``tag_binary``; and sentence pairs for generation. Rows that cannot be read are left out and
reported once, with their line and what was expected there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from core.types import Kind
from training.corpora import wikibias_files
from training.corpora.files import UnreadableRows, read_lines
from training.corpora.wikibias_files import (
    AUTO,
    CLASS_KINDS,
    CLASSES,
    FACTS,
    PARTS,
    ROOT,
    SOURCES,
    TAG_KINDS,
    TAGS,
    TARGETS,
    Block,
    NumberedBlock,
    auto_is_available,
    auto_sources,
    auto_targets,
    available_files,
    check_part,
    describe_part,
    find_part,
    is_available,
    open_part,
)
from training.corpora.wikipedia import SentencePair
from training.types import OUTSIDE, CorpusError, OnMessage, TaggedSentence, open_file, print_to_stderr

KIND_ORDER = (Kind.FRAMING, Kind.EPISTEMOLOGICAL, Kind.DEMOGRAPHIC)
"""The order of ``f|e|d``: that in which the paper names the types. The release's own words do not say it."""

_TYPES = re.compile(r"([01])\s*\|\s*([01])\s*\|\s*([01])")
_Label = TypeVar("_Label")


def read_labels(path: Path, on_message: OnMessage = print_to_stderr) -> list[tuple[str, bool]]:
    """The rows of a file of ``class_binary``."""
    return _read(path, {"0": False, "1": True}.get, "0 or 1", on_message)


def read_kinds(path: Path, on_message: OnMessage = print_to_stderr) -> list[tuple[str, frozenset[Kind]]]:
    """The rows of a file of ``class_finegrained``: which of the three types each sentence has."""
    return _read(path, _types, "f|e|d, each 0 or 1 (framing, epistemological, demographic)", on_message)


class Kinds:
    """The types of bias of sentences, found by their text; a part without fine-grained files knows none.

    ``class_finegrained`` goes before ``tag_finegrained``.
    """

    def __init__(self, data: Path, part: str, on_message: OnMessage = print_to_stderr) -> None:
        self._said: dict[str, set[frozenset[Kind]]] = defaultdict(set)
        classes, tags = find_part(data, CLASS_KINDS, part), find_part(data, TAG_KINDS, part)
        self._take(read_kinds(classes, on_message=on_message) if classes else ())
        self._take(
            row
            for row in (read_span_types(tags, on_message=on_message) if tags else ())
            if row[0] not in self._said
        )

    def _take(self, rows: Iterable[tuple[str, frozenset[Kind]]]) -> None:
        for text, kinds in list(rows):
            self._said[text].add(kinds)

    def of(self, tokens: Iterable[str], *, biased: bool) -> frozenset[Kind] | None:
        """The types of a sentence with this label, None where they are unknown or contradict it."""
        said = self._said.get(" ".join(tokens), set())
        fitting = [kinds for kinds in said if bool(kinds) == biased]
        return frozenset().union(*fitting) if fitting else None


def read_span_types(path: Path, on_message: OnMessage = print_to_stderr) -> list[tuple[str, frozenset[Kind]]]:
    """The sentences of a file of ``tag_finegrained`` with the types of their spans."""
    found = (
        slot.block
        for slot in wikibias_files.read_blocks(path, names=wikibias_files.FINE, on_message=on_message)
    )
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
    path: Path, label_of: Callable[[str], _Label | None], wanted: str, on_message: OnMessage
) -> list[tuple[str, _Label]]:
    expected = f"the sentence, two tabs, {wanted}"
    unread = UnreadableRows(path, on_message, what=("row", "rows"), at="line", expected=expected)
    found: list[tuple[str, _Label]] = []
    lines = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    for line in unread.reading(lines):
        text, tabs, written = line.rstrip("\r\n").rpartition("\t\t")
        label = label_of(written.strip())
        if not tabs:
            unread.leave_out("no two tabs")
        elif label is None:
            unread.leave_out(f"label {written.strip()[:40]!r}")
        elif not text.strip():
            unread.leave_out("an empty sentence")
        else:
            found.append((" ".join(text.split()), label))
    if not found:
        raise CorpusError(f"{path} contains no sentences. Expected: {expected}.")
    return found


_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class PairSides:
    """A pair of AUTO and its number, counted from 0 over all places in the files."""

    number: int
    source: Block
    target: Block


def read_pair_sides(data: Path, on_message: OnMessage = print_to_stderr) -> list[PairSides]:
    """The pairs of AUTO of which both sides can be read and something, but not everything, was changed.

    A side that cannot be read takes the other with it: no sentence moves to another's partner. Raises CorpusError for
    a missing file, and where the sides have different numbers of sentences.
    """
    targets = auto_targets(data) or open_file(data, f"{ROOT}/{TARGETS}")
    sources = auto_sources(data) or [open_file(data, f"{ROOT}/{SOURCES}")]
    before = [slot for path in sources for slot in wikibias_files.read_blocks(path, on_message=on_message)]
    after = wikibias_files.read_blocks(targets, on_message=on_message)
    if len(before) != len(after):
        raise CorpusError(
            f"{targets} ({len(after):,} sentences) and its sources {', '.join(path.name for path in sources)} "
            f"({len(before):,}) have different numbers of sentences, so it cannot be told which belong together. Copy "
            "them again together."
        )
    unread = UnreadableRows(
        targets,
        on_message,
        what=("pair", "pairs"),
        at="line",
        use="used",
        expected="both sides readable, some words changed and some kept",
    )
    found: list[PairSides] = []
    for number, (left, right) in enumerate(zip(before, after, strict=True)):
        if left.block is None or right.block is None:
            lost = (
                "neither side"
                if left.block is right.block
                else "the source"
                if left.block is None
                else "the target"
            )
            unread.add(right.line, f"{lost} can{'' if lost.startswith('n') else 'not'} be read")
        elif why := pair_problem(left.block.tokens, right.block.tokens):
            unread.add(right.line, why)
        else:
            found.append(PairSides(number, left.block, right.block))
    unread.done(len(found))
    return found


def pair_problem(source: Iterable[str], target: Iterable[str]) -> str:
    """Why the tokens of two sentences are no revision: nothing or everything was changed; else empty."""
    before, after = list(source), list(target)
    if before == after:
        return "nothing was changed"
    return "" if share_words(before, after) else "everything was changed"


def share_words(source: Iterable[str], target: Iterable[str]) -> bool:
    """Whether some word, in whichever case, stands on both sides."""
    before, after = (set(_WORD.findall(" ".join(side).casefold())) for side in (source, target))
    return not before.isdisjoint(after)


_EXPECTED = "source, tab, target, with some words changed and some kept"


def load(data: Path, part: str, on_message: OnMessage = print_to_stderr) -> list[SentencePair]:
    """Generation pairs of ``part`` (train, dev or test).

    The release says nothing of their files: here they are ``wikibias/generation.PART.tsv``, one pair a line, source
    and target, a tab between. Raises CorpusError for a missing file, and for one of which nothing can be read.
    """
    check_part(part)
    path = open_file(data, describe_part(part))
    unread = UnreadableRows(
        path, on_message, what=("pair", "pairs"), at="line", use="used", expected=_EXPECTED
    )
    found: list[SentencePair] = []
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.rstrip("\r\n").split("\t")]
        if why := _unfit(columns):
            unread.add(number, why)
        else:
            found.append(SentencePair(columns[0], columns[1], f"wikibias-{part}-{number}"))
    unread.done(len(found))
    if not found:
        raise CorpusError(f"{path} contains no pairs. Expected: {_EXPECTED}.")
    return found


def _unfit(columns: list[str]) -> str:
    if len(columns) != 2:
        return f"{len(columns)} column{'s' if len(columns) > 1 else ''} instead of 2"
    if not all(columns):
        return f"the {'target' if columns[0] else 'source'} is empty"
    return pair_problem(columns[0].split(), columns[1].split())


def load_tagged(data: Path, part: str, on_message: OnMessage = print_to_stderr) -> list[TaggedSentence]:
    """The sentences of ``tag_binary`` of ``part`` (train, dev or test), in the order of their file.

    Types of bias come from the fine-grained files, by text. The release does not say how the sides of a pair are
    found: an Original right before a Neutral with which it shares a word is taken for one; any other sentence has a
    group of its own. A label that says biased where nothing is tagged, or the reverse, is kept as it stands, label and
    tags, since the test part has to stay whole to be compared; their number is reported.
    Raises CorpusError for a missing file, and for one of which nothing can be read.
    """
    check_part(part)
    path = open_part(data, TAGS, part)
    slots = wikibias_files.read_blocks(path, on_message=on_message)
    kinds = Kinds(data, part, on_message)
    groups = _groups(slots)
    found = [
        _tagged(slot.block, group=f"wikibias-{part}-{group}", kinds=kinds)
        for slot, group in zip(slots, groups, strict=True)
        if slot.block is not None
    ]
    _report_contradictions(path, found, on_message)
    return found


def load_auto_tagged(data: Path, on_message: OnMessage = print_to_stderr) -> list[TaggedSentence]:
    """Both sides of AUTO's pairs, the Original first; they share their group.

    A source is labelled biased there also where words were only added, so that nothing in it is tagged. Raises
    CorpusError as ``read_pair_sides``.
    """
    kinds = Kinds(data, AUTO, on_message)
    return [
        _tagged(block, group=f"wikibias-auto-{sides.number}", kinds=kinds, original=original)
        for sides in read_pair_sides(data, on_message=on_message)
        for block, original in ((sides.source, True), (sides.target, False))
    ]


def _tagged(block: Block, *, group: str, kinds: Kinds, original: bool | None = None) -> TaggedSentence:
    return TaggedSentence(
        block.tokens,
        block.tags,
        biased=block.biased,
        original=block.original if original is None else original,
        group=group,
        kinds=kinds.of(block.tokens, biased=block.biased),
    )


def _groups(slots: Sequence[NumberedBlock]) -> list[int]:
    """A number for each place in a file: the same for the two sides of a pair."""
    found: list[int] = []
    for number, slot in enumerate(slots):
        before = slots[number - 1].block if number else None
        block = slot.block
        paired = before is not None and block is not None and before.original and not block.original
        if paired and before and block and share_words(before.tokens, block.tokens):
            found.append(number - 1)
        else:
            found.append(number)
    return found


def _report_contradictions(path: Path, sentences: Sequence[TaggedSentence], on_message: OnMessage) -> None:
    marked = [(sentence.biased, any(tag != OUTSIDE for tag in sentence.tags)) for sentence in sentences]
    bare, tagged = marked.count((True, False)), marked.count((False, True))
    if bare or tagged:
        on_message(
            f"{path}: label and tags contradict each other, kept as they stand: labelled biased without a tagged word "
            f"{bare:,}, labelled neutral with one {tagged:,}."
        )


_Look = tuple[str, str, Callable[[OnMessage], Sized]]


def describe_files(data: Path) -> list[str]:
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
        if path := find_part(data, TAGS, part):
            yield _named(data, path), "tagged sentences", partial(load_tagged, data, part)
    if auto_is_available(data):
        yield f"{ROOT}, AUTO", "pairs of tagged sentences", partial(read_pair_sides, data)
    for part in (*PARTS, AUTO):
        if path := find_part(data, CLASSES, part):
            yield _named(data, path), "labelled sentences", partial(read_labels, path)
        if path := find_part(data, CLASS_KINDS, part):
            yield _named(data, path), "sentences with types of bias", partial(read_kinds, path)
        if path := find_part(data, TAG_KINDS, part):
            yield (
                _named(data, path),
                "sentences with tagged types of bias",
                partial(read_span_types, path),
            )
    for part in PARTS:
        if (data / describe_part(part)).is_file():
            yield describe_part(part), "pairs", partial(load, data, part)


def _named(data: Path, path: Path) -> str:
    return path.relative_to(data).as_posix()


__all__ = (
    "FACTS",
    "PARTS",
    "auto_is_available",
    "available_files",
    "describe_files",
    "is_available",
    "load",
    "load_auto_tagged",
    "load_tagged",
)
