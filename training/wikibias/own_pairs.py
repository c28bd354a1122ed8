"""A person's own pairs, before and after a revision: read from a file, whatever is wrong in it, and tagged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.cues import Lexicon
from training.corpora.base import CorpusError
from training.kinds import KindFinder
from training.wikibias.model import Tagged
from training.wikibias.pairing import State
from training.wikibias.stand_in import revisions, sides, tokens

WHY = {
    State.SAME: "nothing changed; both sides are the same words",
    State.REWRITTEN: "everything changed (more than 60% of the words); expected an edited sentence, not another one",
}
"""What is wrong with a pair that gives no sentences."""

_HEADS = frozenset({"before", "after", "biased", "neutral", "source", "target", "original"})
_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class OwnPair:
    """Both sides, and the number of their line."""

    number: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class OwnTagged:
    """The sentences of pairs, both sides together, the number of spans in them, and the pairs that gave none."""

    sentences: tuple[Tagged, ...]
    spans: int
    unusable: tuple[tuple[OwnPair, State], ...]


def read_pairs(path: Path) -> tuple[list[OwnPair], list[tuple[int, str]]]:
    """The pairs of a tab-separated UTF-8 file, with or without a header, and what is wrong with which other line.

    Empty lines are passed over. Raises CorpusError where there is no such file.
    """
    if not path.is_file():
        raise CorpusError(f"{path} is not there. Name a file of pairs, one a line: before, tab, after.")
    pairs: list[OwnPair] = []
    wrong: list[tuple[int, str]] = []
    for number, raw in enumerate(path.read_bytes().split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r")
        except UnicodeDecodeError as error:
            wrong.append(
                (number, f"byte 0x{error.object[error.start]:02x} is not UTF-8; expected text in UTF-8")
            )
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if not any(cells) or (number == 1 and _HEADS.issuperset(cell.lower() for cell in cells)):
            continue
        if len(cells) != _COLUMNS:
            wrong.append((number, f"not two columns but {len(cells)}; expected: before, tab, after"))
        elif not all(tokens(cell) for cell in cells):
            side = "before" if not tokens(cells[0]) else "after"
            wrong.append((number, f"the side {side} is empty; expected a sentence on both sides of the tab"))
        elif "\0" in line:
            wrong.append((number, "holds zero bytes; expected text in UTF-8"))
        else:
            pairs.append(OwnPair(number, *cells))
    return pairs, wrong


def tagged_pairs(pairs: Sequence[OwnPair], nlp: Any) -> OwnTagged:
    """Both sides of each usable pair, tagged by the heuristic; ``nlp`` as in ``stand_in.revisions``."""
    kinds = KindFinder(Lexicon.load())
    sentences = [(tokens(pair.before), tokens(pair.after)) for pair in pairs]
    made: list[Tagged] = []
    unusable: list[tuple[OwnPair, State]] = []
    spans = 0
    found = revisions(sentences, nlp)
    for pair, (before, after), revision in zip(pairs, sentences, found, strict=True):
        if revision.state in WHY:
            unusable.append((pair, revision.state))
            continue
        spans += len(revision.spans)
        made += sides(before, after, revision, group=f"own-{pair.number}", kinds=kinds)
    return OwnTagged(tuple(made), spans, tuple(unusable))
