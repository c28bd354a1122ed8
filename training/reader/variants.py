"""Training sentences in another spelling, or about the other political side: their labels stay the same.

A reader that learned *favour* in one context and *favor* in another marks them differently, and one that saw *far-left*
more often as a smear than *far-right* does not treat both sides alike. Each variant changes whole words by the pairs
of ``word_pairs.tsv``; a sentence in which nothing changes has no variant.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from core.text.diff import TextEdit, apply_edits, find_edits
from training.types import Example

_TABLE = Path(__file__).with_name("word_pairs.tsv")
_TOKEN = re.compile(r"\w+|\W")


def respell(text: str) -> str | None:
    """The text in the other of British and American spelling; None where no word differs or it mixes both.

    A text in American spelling may come out in forms that are rare, never in wrong ones: only listed words change.
    """
    return apply_edits(text, edits) if (edits := _respelling(text)) else None


def mirror_sides(text: str) -> str | None:
    """The text with the words of the political left and right swapped; None where it has none."""
    return apply_edits(text, edits) if (edits := _swaps(text, "sides")) else None


def variant_examples(examples: Sequence[Example]) -> list[Example]:
    """Every variant of the examples, in either way, each after its original."""
    made: list[Example] = []
    for example in examples:
        for edits in (_respelling(example.text), _swaps(example.text, "sides")):
            if edits:
                made += [example, _edited(example, edits)]
    return made


def with_text(example: Example, text: str) -> Example:
    """``example`` with another text, its spans and known ranges at the words that stand in their place.

    A span whose words changed covers what they became; one whose words are gone goes too.
    """
    return _edited(example, _aligned(example.text, text))


def _aligned(old: str, new: str) -> list[TextEdit]:
    """The edits from ``old`` to ``new``: word by word where only words changed, as words may trade places."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    pairs = list(zip(before, after, strict=False))
    if len(before) != len(after) or any(a != b and not (_is_word(a) and _is_word(b)) for a, b in pairs):
        return find_edits(old, new)
    edits: list[TextEdit] = []
    at = 0
    for word, other in pairs:
        if word != other:
            edits.append(TextEdit(at, at + len(word), other))
        at += len(word)
    return edits


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"


def _edited(example: Example, edits: Sequence[TextEdit]) -> Example:
    """``example`` after sorted, disjoint edits."""

    def moved(at: int, *, is_end: bool) -> int:
        shift = 0
        for edit in edits:
            is_inserted_behind = is_end and edit.start == at
            if edit.end <= at and not is_inserted_behind:
                shift += len(edit.text) - (edit.end - edit.start)
            elif edit.start < at:
                return edit.start + shift + (len(edit.text) if is_end else 0)
        return at + shift

    def kept(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        return [(moved(start, is_end=False), moved(end, is_end=True)) for start, end in ranges]

    spans = example.spans
    if spans:
        places = kept((span.start, span.end) for span in spans)
        spans = tuple(
            replace(span, start=start, end=end)
            for span, (start, end) in zip(spans, places, strict=True)
            if start < end
        )
    known = example.labelled_ranges and tuple(kept(example.labelled_ranges))
    return replace(example, text=apply_edits(example.text, edits), spans=spans, labelled_ranges=known)


@cache
def _tables() -> dict[str, tuple[dict[str, str], re.Pattern[str]]]:
    with _TABLE.open(encoding="utf-8", newline="") as stream:
        rows = [tuple(row.values()) for row in csv.DictReader(stream, delimiter="\t")]
    spelling = [(one, other) for name, one, other in rows if name == "spelling"]
    sides = [(one, other) for name, one, other in rows if name == "side"]
    both: dict[str, str] = {}
    for one, other in sides:
        both.setdefault(one, other)
        both.setdefault(other, one)
    words = {
        "british": dict(spelling),
        "american": {other: one for one, other in reversed(spelling)},
        "sides": both,
    }
    return {name: (table, _pattern(table)) for name, table in words.items()}


def _pattern(words: Sequence[str] | dict[str, str]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest))})(?![\w-])", re.IGNORECASE)


def _respelling(text: str) -> list[TextEdit]:
    british, american = _swaps(text, "british"), _swaps(text, "american")
    return [] if british and american else british or american


def _swaps(text: str, name: str) -> list[TextEdit]:
    """The words of ``text`` that a table pairs with another, each as an edit in the case in which it stands."""
    table, pattern = _tables()[name]
    edits: list[TextEdit] = []
    for match in pattern.finditer(text):
        word = table.get(match[0].casefold())  # None: a rare letter that the pattern takes for a plain one
        if word is not None and word != match[0].casefold():
            edits.append(TextEdit(match.start(), match.end(), _in_case_of(match[0], word)))
    return edits


def _in_case_of(seen: str, word: str) -> str:
    if seen.isupper() and len(seen) > 1:
        return word.upper()
    return word.title() if seen[0].isupper() else word
