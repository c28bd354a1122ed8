"""A person's own pairs: a sentence before and after it was made neutral, one pair a line, a tab between.

The words that were changed or taken out are spans (``training.wikibias.char_edits``), of the kind that ``KindFinder``
gives them; the sentence before is biased, the one after is well as it is. A sentence that was changed a second time was
not well after the first: it counts as biased, and of its first form only the changed words are known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.encodable import encodable
from training.corpora.base import CorpusError, CorpusFacts, Example, GoldSpan, tell
from training.corpora.pairs import Pair
from training.corpora.reading import Unread
from training.diff import Edit
from training.kinds import KindFinder
from training.near import NearIndex
from training.wikibias.char_edits import char_edits
from training.wikibias.own_pairs import WHY, read_pairs
from training.wikibias.pairing import revise
from training.wikibias.stand_in import tokens

NAME = "pairs"
FACTS = CorpusFacts(
    key=NAME,
    name="Own pairs",
    home="a file of the person's own, sentences before and after",
    licence="the person's own text",
    files=(),
)

_EXPECTED = "the sentence before, a tab, the sentence after, with some words changed and some kept"
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Revised:
    """A pair, the number of its line, and its edits (at least one; offsets into ``before``)."""

    line: int
    before: str
    after: str
    edits: tuple[Edit, ...]


def read(path: Path, say: Callable[[str], None] = tell) -> list[Revised]:
    """The pairs of a file, each once. Lines that teach nothing are told through ``say`` by number and left out.

    Raises CorpusError where the file cannot be read or holds no pair to learn from.
    """
    try:
        pairs, wrong = read_pairs(path)
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read: {error.strerror or error}. Name a file of your own pairs."
        ) from error
    found: dict[tuple[str, str], Revised] = {}
    for pair in pairs:
        before, after = encodable(pair.before), encodable(pair.after)
        if max(len(before), len(after)) > _LONGEST:
            wrong.append((pair.number, f"longer than {_LONGEST:,} characters; expected one sentence a side"))
        elif edits := char_edits(before, after):
            found.setdefault((before, after), Revised(pair.number, before, after, edits))
        else:
            wrong.append((pair.number, _taught_nothing(before, after)))
    wrong.sort()
    if not found:
        first = "".join(f" (line {number}: {why})" for number, why in wrong[:1])
        raise CorpusError(f"{path} holds no pair to learn from{first}. Expected in each line: {_EXPECTED}.")
    unread = Unread(path, say, what=("line", "lines"), at="line", use="used", expected=_EXPECTED)
    for number, why in wrong:
        unread.add(number, why)
    unread.done(len(found))
    return list(found.values())


def load(
    path: Path, scored: NearIndex, kinds: KindFinder, say: Callable[[str], None] = tell
) -> list[Example]:
    """Examples for the reader, both sides of each pair; a pair near a scored sentence is left out.

    Raises CorpusError as ``read`` does.
    """
    pairs = _apart(path, scored, say)
    changed = {pair.before for pair in pairs}
    texts: dict[str, list[Revised]] = {}
    for pair in pairs:
        texts.setdefault(pair.before, []).append(pair)
    return [example for some in texts.values() for example in _examples(some, changed, kinds)]


def load_pairs(path: Path, scored: NearIndex, say: Callable[[str], None] = tell) -> list[Pair]:
    """The pairs for the rewriter, without those near a scored sentence. Raises CorpusError as ``read`` does."""
    return [Pair(pair.before, pair.after, f"{NAME}-{pair.line}") for pair in _apart(path, scored, say)]


def used(path: Path | None) -> tuple[CorpusFacts, ...]:
    """The facts of this corpus for the card and the bundle of a model that learnt from it."""
    return () if path is None else (FACTS,)


def _apart(path: Path, scored: NearIndex, say: Callable[[str], None]) -> list[Revised]:
    pairs = read(path, say)
    kept = [pair for pair in pairs if not (scored.near(pair.before) or scored.near(pair.after))]
    if len(kept) < len(pairs):
        say(
            f"{path}: {len(pairs) - len(kept):,} of {len(pairs):,} pairs are near a scored sentence and left out."
        )
    return kept


def _examples(pairs: list[Revised], changed: set[str], kinds: KindFinder) -> list[Example]:
    """What the pairs of one sentence teach."""
    text, group = pairs[0].before, f"{NAME}-{pairs[0].line}"
    spans: list[GoldSpan] = []
    for edit in sorted((edit for pair in pairs for edit in pair.edits), key=lambda one: (one.start, one.end)):
        if not spans or edit.start >= spans[-1].end:
            spans.append(GoldSpan(edit.start, edit.end, kinds.of(edit.before, edit.after)))
    clean = [pair.after for pair in pairs if pair.after not in changed]
    known = None if len(clean) == len(pairs) else tuple((span.start, span.end) for span in spans)
    before = Example(text, NAME, spans=tuple(spans), bias=1.0, group=group, known=known)
    return [before, *(Example(other, NAME, spans=(), bias=0.0, group=group) for other in clean)]


def _taught_nothing(before: str, after: str) -> str:
    state = revise(tokens(before), tokens(after)).state
    return WHY.get(state, "nothing changed but what says nothing of bias")
