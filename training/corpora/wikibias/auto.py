"""AUTO: the two sides of its pairs, joined by their order in the files of sources and of targets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from training.corpora.base import CorpusError, open_file, tell
from training.corpora.reading import Unread
from training.corpora.wikibias import blocks
from training.corpora.wikibias.blocks import Block
from training.corpora.wikibias.places import ROOT, SOURCES, TARGETS, auto_sources, auto_targets

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Sides:
    """A pair of AUTO and its number, counted from 0 over all places in the files."""

    number: int
    source: Block
    target: Block


def read(data: Path, say: Callable[[str], None] = tell) -> list[Sides]:
    """The pairs of AUTO of which both sides can be read and something, but not everything, was changed.

    A side that cannot be read takes the other with it: no sentence moves to another's partner. Raises CorpusError for
    a missing file, and where the sides have different numbers of sentences.
    """
    targets = auto_targets(data) or open_file(data, f"{ROOT}/{TARGETS}")
    sources = auto_sources(data) or [open_file(data, f"{ROOT}/{SOURCES}")]
    before = [slot for path in sources for slot in blocks.read(path, say=say)]
    after = blocks.read(targets, say=say)
    if len(before) != len(after):
        raise CorpusError(
            f"{targets} ({len(after):,} sentences) and its sources {', '.join(path.name for path in sources)} "
            f"({len(before):,}) have different numbers of sentences, so it cannot be told which belong together. Copy "
            "them again together."
        )
    unread = Unread(
        targets,
        say,
        what=("pair", "pairs"),
        at="line",
        use="used",
        expected="both sides readable, some words changed and some kept",
    )
    found: list[Sides] = []
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
        elif why := unfit(left.block.tokens, right.block.tokens):
            unread.add(right.line, why)
        else:
            found.append(Sides(number, left.block, right.block))
    unread.done(len(found))
    return found


def unfit(source: Iterable[str], target: Iterable[str]) -> str:
    """Why the tokens of two sentences are no revision: nothing or everything was changed; else empty."""
    before, after = list(source), list(target)
    if before == after:
        return "nothing was changed"
    return "" if share_words(before, after) else "everything was changed"


def share_words(source: Iterable[str], target: Iterable[str]) -> bool:
    """Whether some word, in whichever case, stands on both sides."""
    before, after = (set(_WORD.findall(" ".join(side).casefold())) for side in (source, target))
    return not before.isdisjoint(after)
