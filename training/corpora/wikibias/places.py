"""Where WIKIBIAS's files lie under the data folder, by all the names that they may have."""

from __future__ import annotations

import re
from pathlib import Path

from training.corpora.base import CorpusError, CorpusFacts, open_file

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


def generation(part: str) -> str:
    """The place of the generation pairs of ``part``: our name, since the release gives none."""
    return f"{ROOT}/generation.{part}.tsv"


_ALL = (
    *(_names(folder, part) for folder in (TAGS, CLASSES, TAG_KINDS, CLASS_KINDS) for part in PARTS),
    _names(CLASSES, AUTO),
    _auto_names(SOURCES),
    _auto_names(TARGETS),
    *((generation(part),) for part in PARTS),
)

FACTS = CorpusFacts(
    key="wikibias",
    name="WIKIBIAS",
    home="https://github.com/cs329yangzhong/WIKIBIAS",
    licence="none stated; text CC BY-SA (Wikipedia)",
    files=tuple(names[0] for names in _ALL),
    person="The corpus lies on its authors' drive: the repository's README links it. Download it there in a browser "
    "and put its four folders and the noisy_train files into wikibias/ (.tsv or .txt). The tables need tag_binary; "
    "types of bias come from either finegrained folder; generation pairs go under the names below.",
    folder=f"{ROOT}/{TAGS}",
    alternatives=_ALL,
)


def check_part(part: str, *, auto: bool = False) -> None:
    """Raise CorpusError for a part that WIKIBIAS has not."""
    if part not in PARTS and not (auto and part == AUTO):
        take = "train, auto, dev or test" if auto else "train, dev or test"
        raise CorpusError(f"WIKIBIAS has no part {part}. Take {take}.")


def place(data: Path, folder: str, part: str) -> Path | None:
    """The file of ``part`` in one of the four folders, None where there is none."""
    here = (data / name for name in _names(folder, part))
    return next((path for path in here if path.is_file()), None)


def opened(data: Path, folder: str, part: str) -> Path:
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


def is_here(data: Path) -> bool:
    """Whether the folder of tagged sentences, which the tables need, is under ``data``."""
    return (data / ROOT / TAGS).is_dir()


def auto_is_here(data: Path) -> bool:
    """Whether a file of AUTO's tagged sentences is under ``data``: one alone is an error to be told, not no AUTO."""
    return bool(auto_sources(data)) or auto_targets(data) is not None


def files_here(data: Path) -> list[Path]:
    """Every file of tags, labels and types that is under ``data``."""
    folders = (TAGS, CLASSES, TAG_KINDS, CLASS_KINDS)
    found = [place(data, folder, part) for folder in folders for part in (*PARTS, AUTO)]
    return [path for path in (*found, *auto_sources(data), auto_targets(data)) if path is not None]
