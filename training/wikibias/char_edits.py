"""The heuristic for raw text: offsets into the sentence before its revision, in place of `training.diff.edits`."""

from __future__ import annotations

from typing import Any

from training.diff import Edit, words
from training.wikibias.pairing import THRESHOLD, Change, revise
from training.wikibias.phrases import idle
from training.wikibias.subtrees import trees


def char_edits(before: str, after: str, *, nlp: Any = None, threshold: float = THRESHOLD) -> tuple[Edit, ...]:
    """The biased stretches of ``before`` by Appendix C, offsets in code points, articles and numbers off both ends.

    ``nlp`` is a spaCy pipeline with a parser; without it the sub-tree step is left out. Empty where nothing tells of
    bias, and where more than 60% of the words changed.
    """
    places, others = words(before), words(after)
    old, new = [before[a:b] for a, b in places], [after[a:b] for a, b in others]
    parsed = None
    if nlp is not None:
        first, second = trees((old, new), nlp)
        parsed = (first, second)
    found = []
    for change in revise(old, new, trees=parsed, threshold=threshold).spans:
        start, end = _trimmed(change, old)
        if start < end:
            at, to = places[start][0], places[end - 1][1]
            put = " ".join(new[change.after_start : change.after_end])
            found.append(Edit(at, to, before[at:to], put))
    return tuple(found)


def _trimmed(change: Change, tokens: list[str]) -> tuple[int, int]:
    start, end = change.start, change.end
    while start < end and idle(tokens[start].lower()):
        start += 1
    while start < end and idle(tokens[end - 1].lower()):
        end -= 1
    return start, end
