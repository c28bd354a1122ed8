"""Files of WIKIBIAS: where they are, by all names that they may have, and the five-line blocks of the tagging files.

A block is ``sentence ||| label``, two lines of parts of speech (not read) and the line of tags, each with ``|||
Original`` or ``||| Neutral``, then a blank line. A line that ends in ``||| 0`` or ``||| 1`` starts a sentence even
where the blank line before it was lost; after any other fault, reading continues behind the next blank line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from training.corpora.files import UnreadableRows, read_lines
from training.types import CorpusError, CorpusFacts, OnMessage, open_file, print_to_stderr

ROOT = "wikibias"
PARTS = ("train", "dev", "test")
AUTO = "auto"
"""The part of the classification files that is labelled automatically."""

CLASSES, CLASS_KINDS = "class_binary", "class_finegrained"
TAGS, TAG_KINDS = "tag_binary", "tag_finegrained"
SOURCES, TARGETS = "noisy_train.tsv", "noisy_train_neg.tsv"
_STEMS = {
    "train": ("train", "train_manual"),
    "dev": ("dev",),
    "test": ("test",),
    AUTO: ("train_auto",),
}
_ENDS = (".tsv", ".txt")
_DIGITS = re.compile(r"(\d+)")
_CLASS_TRAIN = ("train_manual", "train")


def _names(folder: str, part: str) -> tuple[str, ...]:
    """The places that the file of ``part`` may have, the usual one first."""
    stems = _CLASS_TRAIN if part == "train" and folder == CLASSES else _STEMS[part]
    return tuple(f"{ROOT}/{folder}/{stem}{end}" for end in _ENDS for stem in stems)


def _auto_names(name: str) -> tuple[str, ...]:
    return f"{ROOT}/{name}", f"{ROOT}/{TAGS}/{name}"


def describe_part(part: str) -> str:
    """The place of the generation pairs of ``part``: our name, since the release gives none."""
    return f"{ROOT}/generation.{part}.tsv"


_ALL = (
    *(_names(folder, part) for folder in (TAGS, CLASSES, TAG_KINDS, CLASS_KINDS) for part in PARTS),
    _names(CLASSES, AUTO),
    _auto_names(SOURCES),
    _auto_names(TARGETS),
    *((describe_part(part),) for part in PARTS),
)

FACTS = CorpusFacts(
    key="wikibias",
    name="WIKIBIAS",
    homepage="https://github.com/cs329yangzhong/WIKIBIAS",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=tuple(names[0] for names in _ALL),
    manual_steps="The corpus lies on its authors' drive: the repository's README links it. Download it there in "
    "a browser "
    "and put its four folders and the noisy_train files into wikibias/ (.tsv or .txt). The tables need tag_binary; "
    "types of bias come from either finegrained folder; generation pairs go under the names below.",
    folder=f"{ROOT}/{TAGS}",
    alternatives=_ALL,
)


def check_part(part: str) -> None:
    """Raise CorpusError for a part that WIKIBIAS does not have."""
    if part not in PARTS:
        raise CorpusError(f"WIKIBIAS has no part {part}. Take train, dev or test.")


def find_part(data: Path, folder: str, part: str) -> Path | None:
    """The file of ``part`` in one of the four folders, None where there is none."""
    here = (data / name for name in _names(folder, part))
    return next((path for path in here if path.is_file()), None)


def open_part(data: Path, folder: str, part: str) -> Path:
    """The file of ``part``. Raises CorpusError where it is missing or empty."""
    names = _names(folder, part)
    return open_file(data, next((name for name in names if (data / name).is_file()), names[0]))


def auto_sources(data: Path) -> list[Path]:
    """AUTO's files of sources, those with numbers in their names by number; none where there are none."""
    for name in _auto_names(SOURCES):
        folder = (data / name).parent
        found = [path for path in folder.glob("noisy_train*.tsv") if path.name != TARGETS and path.is_file()]
        if found:
            return sorted(found, key=_by_number)
    return []


def auto_targets(data: Path) -> Path | None:
    """AUTO's file of targets."""
    return next((path for name in _auto_names(TARGETS) if (path := data / name).is_file()), None)


def _by_number(path: Path) -> list[tuple[int, str]]:
    return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in _DIGITS.split(path.stem)]


def is_available(data: Path) -> bool:
    """Whether the folder of tagged sentences, which the tables need, is under ``data``."""
    return (data / ROOT / TAGS).is_dir()


def auto_is_available(data: Path) -> bool:
    """Whether a file of AUTO's tagged sentences is under ``data``: one alone means that AUTO is incomplete."""
    return bool(auto_sources(data)) or auto_targets(data) is not None


def available_files(data: Path) -> list[Path]:
    """Every file of tags, labels and types that is under ``data``."""
    folders = (TAGS, CLASSES, TAG_KINDS, CLASS_KINDS)
    found = [find_part(data, folder, part) for folder in folders for part in (*PARTS, AUTO)]
    return [path for path in (*found, *auto_sources(data), auto_targets(data)) if path is not None]


BINARY = {"bias": "bias"}
"""The one name after ``B-`` and ``I-`` in binary tags."""
FINE = {name: kind for kind in ("framing", "epistemological", "demographic") for name in (kind, kind[0])}
"""Names of types of bias in fine-grained tags: whole, or their first letter."""

_LINES = 4
_PARTED = re.compile(r"(?:(.*)\s)?\|\|\|\s+(\S+)")
_LABELS = {"0": False, "1": True}
_SIDES = {"original": True, "neutral": False}
_Numbered = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Block:
    """A sentence as its file has it; ``tags`` are ``O`` or ``B-`` and ``I-`` with a name."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    biased: bool
    original: bool


@dataclass(frozen=True, slots=True)
class NumberedBlock:
    """A place of a sentence in its file: its first line, and the sentence, None where it cannot be read."""

    line: int
    block: Block | None


@dataclass(slots=True)
class _Chunk:
    """Lines that stand together; ``parted`` where a blank line stood among them."""

    rows: list[_Numbered] = field(default_factory=list)
    parted: bool = False


class _UnfitError(Exception):
    """Why a sentence cannot be read, and the line where that shows."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def read_blocks(
    path: Path, *, names: Mapping[str, str] = BINARY, on_message: OnMessage = print_to_stderr
) -> list[NumberedBlock]:
    """Every sentence of a tagging file in its place; what cannot be read is reported once.

    ``names`` are what may stand after ``B-`` and ``I-``, in lower case, with the name that it gets. Raises CorpusError
    where nothing can be read.
    """
    unread = UnreadableRows(
        path, on_message, what=("sentence", "sentences"), at="line", expected=describe_layout(names)
    )
    slots: list[NumberedBlock] = []
    for chunk in _chunks(path):
        try:
            block = _block(chunk, names)
        except _UnfitError as error:
            unread.add(error.line, str(error))
            block = None
        slots.append(NumberedBlock(chunk.rows[0][0], block))
    if not slots:
        raise CorpusError(f"{path} contains no sentences. Expected: {describe_layout(names)}.")
    unread.done(sum(slot.block is not None for slot in slots))
    return slots


def describe_layout(names: Mapping[str, str]) -> str:
    """What a sentence looks like, in words."""
    tags = ", ".join(f"{begin}-{name}" for name in names for begin in "BI")
    return (
        "five lines a sentence, being the sentence ||| 0 or 1, two lines of parts of speech ||| Original or Neutral, "
        f"the tags ({tags}, O; one a token, an I only behind its B) ||| Original or Neutral, and a blank line"
    )


def _chunks(path: Path) -> Iterator[_Chunk]:
    """The lines of each sentence. Those behind a blank line inside one are put to it, so that it counts once."""
    held = _Chunk()
    for rows in _together(path):
        inside = held.rows and len(held.rows) + len(rows) <= _LINES
        if inside and _begins(held.rows[0][1]) and not _begins(rows[0][1]):
            held.rows += rows
            held.parted = True
            continue
        if held.rows:
            yield held
        held = _Chunk(rows)
    if held.rows:
        yield held


def _together(path: Path) -> Iterator[list[_Numbered]]:
    rows: list[_Numbered] = []
    for number, line in enumerate(read_lines(path), start=1):
        if rows and (not line.strip() or _begins(line)):
            yield rows
            rows = []
        if line.strip():
            rows.append((number, line))
    if rows:
        yield rows


def _begins(line: str) -> bool:
    line = line.rstrip()
    if not line.endswith(tuple(_LABELS)):  # nearly every line: looked at before the pattern, which is slow
        return False
    parted = _PARTED.fullmatch(line.strip())
    return parted is not None and parted[2] in _LABELS


def _block(chunk: _Chunk, names: Mapping[str, str]) -> Block:
    first = chunk.rows[0][0]
    if chunk.parted:
        raise _UnfitError(first, "a blank line inside it")
    if len(chunk.rows) != _LINES:
        count = len(chunk.rows)
        raise _UnfitError(first, f"{count} line{'s' if count > 1 else ''} instead of 4 and a blank one")
    (head, text, label), *_, (last, written, side) = [_parted(number, line) for number, line in chunk.rows]
    if label not in _LABELS:
        raise _UnfitError(head, f"label {_short(label)} instead of 0 or 1")
    if side.lower() not in _SIDES:
        raise _UnfitError(last, f"{_short(side)} instead of Original or Neutral")
    if not text.strip():
        raise _UnfitError(head, "an empty sentence")
    tags = written.split()
    return Block(
        _tokens(text, len(tags), last), _canonical(tags, names, last), _LABELS[label], _SIDES[side.lower()]
    )


def _parted(number: int, line: str) -> tuple[int, str, str]:
    parted = _PARTED.fullmatch(line.strip())
    if parted is None:
        raise _UnfitError(number, "no ' ||| ' with one word after it")
    return number, parted[1] or "", parted[2]


def _tokens(text: str, count: int, line: int) -> tuple[str, ...]:
    """The tokens of a sentence with ``count`` tags: a no-break space parts them, or is inside one, as that fits."""
    found = text.split()
    if len(found) != count:
        spaced = [token for token in text.split(" ") if token.strip()]
        if len(spaced) != count:
            raise _UnfitError(line, f"{count} {'tag' if count == 1 else 'tags'} for {len(found)} tokens")
        found = spaced
    return tuple(map(sys.intern, found))


def _canonical(tags: list[str], names: Mapping[str, str], line: int) -> tuple[str, ...]:
    found: list[str] = []
    inside = ""
    for at, tag in enumerate(tags, start=1):
        if tag in ("O", "o"):
            inside = ""
            found.append("O")
            continue
        begin, _, name = tag.partition("-")
        begin, name = begin.upper(), names.get(name.lower(), "")
        if begin not in ("B", "I") or not name:
            raise _UnfitError(line, f"unknown tag {_short(tag)}")
        if begin == "I" and inside != name:
            raise _UnfitError(line, f"{_short(tag)} at token {at} without a B before it")
        inside = name
        found.append(sys.intern(f"{begin}-{name}"))
    return tuple(found)


def _short(text: str) -> str:
    return repr(text[:40])
