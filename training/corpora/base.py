"""What every corpus module yields: one typed row, and the facts of the corpus for the card."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from core.findings import Kind

LEFT, CENTER, RIGHT, NOT_POLITICAL = range(4)


class CorpusError(Exception):
    """A corpus is missing or not in its published layout; the message names the file and what to do."""


@dataclass(frozen=True, slots=True)
class GoldSpan:
    """Biased words ``text[start:end]`` of an example, offsets in code points."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Example:
    """One text with whatever its corpus says of it; None where the corpus is silent.

    ``spans`` empty means: known to hold no biased words. ``bias`` is 0 or 1 (or a probability, from a teacher).
    ``leaning`` is 0 left, 1 center, 2 right, 3 not political. ``task`` and ``label`` are those of a related task
    with a head of its own. ``group`` keeps what must stay together in a split (an outlet, a pair).
    """

    text: str
    corpus: str
    spans: tuple[GoldSpan, ...] | None = None
    bias: float | None = None
    leaning: int | None = None
    task: str = ""
    label: int = 0
    group: str = ""


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """Where a corpus is at home, its terms, and the files that are read, by their place under the data folder."""

    name: str
    home: str
    licence: str
    files: tuple[str, ...]


def open_file(data: Path, relative: str) -> Path:
    """The path of a corpus file under ``data``.

    Raises CorpusError where it is missing.
    """
    path = data / relative
    if not path.is_file():
        raise CorpusError(
            f"{relative} is not in {data}. Put the corpus there in its published layout, "
            "or name another folder with --data or EVENHAND_DATA; `evenhand train data list` names its home."
        )
    return path


def published_checksums() -> dict[str, str]:
    """SHA-256 of every corpus file as its home publishes it."""
    lines = (Path(__file__).parent / "checksums.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines[1:])


def checksum(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
