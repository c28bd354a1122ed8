"""Sentence pairs for generation: those of the generation files, and those of AUTO."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from training.corpora.base import CorpusError, open_file, tell
from training.corpora.pairs import Pair
from training.corpora.reading import Unread, lines
from training.corpora.wikibias import auto
from training.corpora.wikibias.places import check_part, generation

_EXPECTED = "source, tab, target, with some words changed and some kept"


def load(data: Path, part: str, say: Callable[[str], None] = tell) -> list[Pair]:
    """Generation pairs of ``part`` (train, dev or test).

    The release says nothing of their files: here they are ``wikibias/generation.PART.tsv``, one pair a line, source
    and target, a tab between. Raises CorpusError for a missing file, and for one of which nothing can be read.
    """
    check_part(part)
    path = open_file(data, generation(part))
    unread = Unread(path, say, what=("pair", "pairs"), at="line", use="used", expected=_EXPECTED)
    found: list[Pair] = []
    bad = 0
    for number, line in enumerate(lines(path), start=1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.rstrip("\r\n").split("\t")]
        if why := _unfit(columns):
            bad += 1
            unread.add(number, why)
        else:
            found.append(Pair(columns[0], columns[1], f"wikibias-{part}-{number}"))
    if not found and not bad:
        raise CorpusError(f"{path} holds no pairs. Expected: {_EXPECTED}.")
    unread.done(len(found))
    return found


def load_auto(data: Path, say: Callable[[str], None] = tell) -> list[Pair]:
    """Pairs of AUTO, their tokens joined by spaces. Raises CorpusError as ``auto.read``."""
    return [
        Pair(" ".join(sides.source.tokens), " ".join(sides.target.tokens), f"wikibias-auto-{sides.number}")
        for sides in auto.read(data, say=say)
    ]


def _unfit(columns: list[str]) -> str:
    if len(columns) != 2:
        return f"{len(columns)} column{'s' if len(columns) > 1 else ''} instead of 2"
    if not all(columns):
        return f"the {'target' if columns[0] else 'source'} is empty"
    return auto.unfit(columns[0].split(), columns[1].split())
