"""The one tokenisation of the generators and of their scores, and the way back to the source's own characters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

_TOKEN = re.compile(r"\w+|[^\w\s]")
_NO_SPACE_BEFORE = frozenset(",.;:!?)]}%'’”")
_NO_SPACE_AFTER = frozenset("([{“'’")


def tokens(text: str) -> list[str]:
    """Lower-cased words and single marks: white space, and so the spaces around punctuation, do not matter."""
    return [match.group().lower() for match in _TOKEN.finditer(text)]


def put_back(source: str, words: Sequence[str]) -> str:
    """Generated ``words`` as a text in which every word that the source has at that place keeps its characters.

    White space between kept words is the source's, that after the first of them where they were no neighbours; before
    and after a new word it is one space, but none at the side on which a mark leans on its neighbour.
    """
    spans = [match.span() for match in _TOKEN.finditer(source)]
    old = [source[start:end].lower() for start, end in spans]
    kept: dict[int, int] = {}
    for block in SequenceMatcher(a=old, b=list(words), autojunk=False).get_matching_blocks():
        kept.update({block.b + number: block.a + number for number in range(block.size)})
    made: list[str] = []
    for at, word in enumerate(words):
        place = kept.get(at)
        if place is None:
            text, gap = word, _gap(made[-1] if made else "", word)
        else:
            start, end = spans[place]
            text, gap = source[start:end], source[spans[place - 1][1] if place else 0 : start]
            previous = kept.get(at - 1)
            if previous is None and text not in _NO_SPACE_BEFORE:
                gap = _gap(made[-1] if made else "", text)
            elif previous is not None and previous != place - 1 and text not in _NO_SPACE_BEFORE:
                gap = source[spans[previous][1] : spans[previous + 1][0]]
        if not made:
            gap = ""
        made += [gap, text]
    return "".join(made)


def _gap(before: str, word: str) -> str:
    return "" if not before or word in _NO_SPACE_BEFORE or before in _NO_SPACE_AFTER else " "
