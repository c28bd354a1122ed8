"""The file format of corrections: a corpus that a person saves, or chooses for the next retraining.

The file is JSON lines in UTF-8. The first line is ``{"evenhand_corrections": 1}``, the number of this layout. Every
other line is one correction: ``{"verdict": "accepted" | "rejected", "kind": "framing" | "epistemological" |
"demographic", "sentence": str, "start": int, "end": int, "rewritten": str}``, where ``start`` and ``end`` are code
points of ``sentence`` and ``rewritten`` is empty for a rejected one. Drafts and dates are left out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.corrections.types import Correction, Verdict
from core.i18n import tr
from core.paths import data_folder
from core.storage.disk import make_private_folder, replace_file
from core.storage.files import FileError, describe_os_error
from core.types import KINDS, Kind

LAYOUT = 1
FILE = "corrections.jsonl"
_HEAD = "evenhand_corrections"


class CorpusFormatError(Exception):
    """A file is not a valid corpus of corrections, because of ``line`` for the reason ``why`` (without a full stop)."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(tr("Line {number}: {why}.").format(number=line, why=why))
        self.line = line
        self.why = why


def chosen_corpus_path() -> Path:
    """The path of the corpus for the next retraining, whether it exists or not."""
    return data_folder() / "corpora" / FILE


def chosen_corpus() -> Path | None:
    """The corpus that the person chose for the next retraining, or None."""
    place = chosen_corpus_path()
    return place if place.is_file() else None


def choose(corrections: Collection[Correction]) -> Path:
    """Write corrections as the corpus for the next retraining; returns its path. Raises FileError."""
    place = chosen_corpus_path()
    try:
        make_private_folder(place.parent)
    except OSError as error:
        raise _not_saved(place, error) from error
    write(place, corrections)
    return place


def remove_chosen() -> None:
    """Delete the corpus for the next retraining. Raises FileError."""
    place = chosen_corpus_path()
    try:
        place.unlink(missing_ok=True)
    except OSError as error:
        said = tr("{name} was not removed: {cause}.")
        raise FileError(said.format(name=place, cause=describe_os_error(error))) from error


def prune_chosen(there: Collection[Correction]) -> None:
    """Remove from the chosen corpus what is not in ``there``; an empty or damaged corpus is deleted.

    Raises FileError.
    """
    chosen = chosen_corpus()
    if chosen is None:
        return
    try:
        held = read(chosen)
    except CorpusFormatError:
        held = []
    known = set(there)
    left = [correction for correction in held if correction in known]
    if not left:
        remove_chosen()
    elif len(left) < len(held):
        write(chosen, left)


def write(path: Path, corrections: Iterable[Correction]) -> None:
    """Write a corpus atomically, readable by its owner only. Raises FileError."""
    rows = [{_HEAD: LAYOUT}, *map(asdict, corrections)]
    data = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode("utf-8")
    try:
        replace_file(Path(os.path.realpath(path)), data, mode=0o600)
    except (OSError, ValueError) as error:
        raise _not_saved(path, error) from error


def read(path: Path) -> list[Correction]:
    """The corrections of a corpus. Raises LayoutError for the first line that does not fit, and FileError."""
    try:
        with path.open("rb") as stream:
            return [correction for _, correction in parse_lines(stream)]
    except OSError as error:
        said = tr("{name} cannot be read: {cause}.")
        raise FileError(said.format(name=path.name, cause=describe_os_error(error))) from error


def parse_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, Correction]]:
    """The corrections of a file's lines, with the number of each line. Raises LayoutError."""
    empty = True
    for number, line in enumerate(lines, start=1):
        empty = False
        row = _row(number, line)
        if number == 1:
            _check_head(row)
        else:
            yield number, _correction(number, row)
    if empty:
        raise CorpusFormatError(1, tr("the file is empty"))


def _row(number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise CorpusFormatError(number, tr("it is not UTF-8")) from None
    except (ValueError, RecursionError):
        raise CorpusFormatError(number, tr("it is not complete JSON")) from None
    if not isinstance(row, dict):
        raise CorpusFormatError(number, tr("it is not a JSON object"))
    return row


def _check_head(row: dict[str, Any]) -> None:
    layout = row.get(_HEAD)
    if type(layout) is not int or layout < 1:
        raise CorpusFormatError(1, tr("the file does not say that it is a corpus of corrections"))
    if layout > LAYOUT:
        raise CorpusFormatError(
            1, tr("the file was written by a newer version of Evenhand; update Evenhand to use it")
        )


def _correction(number: int, row: dict[str, Any]) -> Correction:
    for name, form in (("sentence", str), ("rewritten", str), ("start", int), ("end", int)):
        if type(row.get(name)) is not form:
            raise CorpusFormatError(number, tr("“{name}” is missing or has the wrong type").format(name=name))
    for name, known in (("verdict", tuple(Verdict)), ("kind", KINDS)):
        if row.get(name) not in [member.value for member in known]:
            raise CorpusFormatError(number, tr("“{name}” has an unknown value").format(name=name))
    made = Correction(
        Verdict(row["verdict"]),
        Kind(row["kind"]),
        row["sentence"],
        row["start"],
        row["end"],
        row["rewritten"],
    )
    if not made.is_valid:
        raise CorpusFormatError(number, tr("its sentence, position and new words do not match"))
    return made


def _not_saved(path: Path, error: Exception) -> FileError:
    said = tr("{name} was not saved: {cause}.")
    return FileError(said.format(name=path.name, cause=describe_os_error(error)))
