"""Injected pairs as JSON lines, packed with xz where the name ends so."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import IO

from core.types import Kind
from training.types import CorpusError, InjectedEdit, InjectedPair


def write_injected(path: Path, rows: Iterable[InjectedPair]) -> int:
    """Write the rows and return their number; the file appears under its name only once it is whole."""
    count = 0
    part = path.with_name(path.name + ".part")
    with _open(part, "wt", packed=path.suffix == ".xz") as stream:
        for row in rows:
            stream.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
            count += 1
    part.replace(path)
    return count


def read_injected(path: Path) -> list[InjectedPair]:
    """The rows of a file that ``write_injected`` made. Raises CorpusError where it is missing or damaged."""
    if not path.is_file():
        raise CorpusError(f"{path} is not there. Make it with `evenhand train data inject`.")
    rows: list[InjectedPair] = []
    try:
        with _open(path, "rt", packed=path.suffix == ".xz") as stream:
            for line in stream:
                entry = json.loads(line)
                edits = (InjectedEdit(**{**edit, "kind": Kind(edit["kind"])}) for edit in entry["edits"])
                rows.append(InjectedPair(**{**entry, "edits": tuple(edits)}))
    except (lzma.LZMAError, EOFError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(
            f"{path}, line {len(rows) + 1} is not an injected pair. Make it again with `evenhand train data inject`."
        ) from error
    return rows


def _open(path: Path, mode: str, *, packed: bool) -> IO[str]:
    if packed:
        return lzma.open(path, mode, encoding="utf-8")  # type: ignore[return-value]
    return path.open(mode.removesuffix("t"), encoding="utf-8")
