"""What the rewriter is asked, and what it should answer: one flagged stretch of a sentence at a time.

The encoder reads the sentence as it is, the decoder is prompted with the flagged words; the answer is only what should
stand in their place. So nothing else of the sentence can be changed, and an answer is a few tokens long.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from core.rewriting.marks import KEEP, OUT, prompt, touched

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
MOST_TOKENS = 120
_ARTICLES = frozenset({"a", "an", "the"})
_MOST_CHANGED = 0.5
_LONGEST = 8


@dataclass(frozen=True, slots=True)
class Ask:
    """``text[start:end]`` is flagged. ``answer`` are the words that should stand there: empty takes them out.

    None leaves them as they are.
    """

    text: str
    start: int
    end: int
    answer: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """An ask as token ids: the framed sentence, the decoder's prompt, and the answer, ended."""

    ids: list[int]
    prompt: list[int]
    labels: list[int]

    def __len__(self) -> int:
        """Its tokens, without the answer."""
        return len(self.ids)


def changes(biased: str, neutral: str) -> list[tuple[int, int, str]]:
    """(start, end, answer) of each change of a pair, offsets into ``biased``; pure insertions are left out.

    An article that stands on both sides of a change belongs to the sentence, not to the change, and so do equal
    words at its ends. Pairs in which more than half of the words changed are rewritten sentences and give none.
    """
    left, right = list(WORD.finditer(biased)), list(WORD.finditer(neutral))
    old, new = ([match.group().lower() for match in side] for side in (left, right))
    found: list[tuple[int, int, str]] = []
    changed = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes():
        if tag in ("equal", "insert"):
            continue
        changed += i2 - i1
        if j2 > j1 and old[i1] in _ARTICLES and new[j1] in _ARTICLES and i2 - i1 > 1:
            i1, j1 = i1 + 1, j1 + 1
        if not any(any(map(str.isalpha, word)) for word in old[i1:i2]) or j2 - j1 > _LONGEST:
            continue
        answer = neutral[right[j1].start() : right[j2 - 1].end()] if j2 > j1 else ""
        if re.sub(r"\W", "", answer).lower() != re.sub(r"\W", "", "".join(old[i1:i2])):
            found.append((left[i1].start(), left[i2 - 1].end(), answer))
    return found if changed <= _MOST_CHANGED * max(1, len(old)) else []


def of_pair(biased: str, neutral: str, chooser: random.Random, *, widened: float = 0.25) -> Iterator[Ask]:
    """The changes of a pair, some of them (``widened``) with the word before or after among the flagged ones."""
    for start, end, answer in changes(biased, neutral):
        yield Ask(biased, start, end, answer)
        if chooser.random() < widened:
            yield _widened(biased, start, end, answer, before=chooser.random() < 0.5)


def _widened(text: str, start: int, end: int, answer: str, *, before: bool) -> Ask:
    if before:
        words = [match for match in WORD.finditer(text[:start]) if match.group().isalpha()]
        if words and text[words[-1].end() : start].isspace():
            first = words[-1]
            return Ask(text, first.start(), end, f"{first.group()} {answer}".strip())
    elif (match := WORD.match(text, end + 1)) and match.group().isalpha() and text[end].isspace():
        return Ask(text, start, match.end(), f"{answer} {match.group()}".strip())
    return Ask(text, start, end, answer)


def kept(
    text: str, chooser: random.Random, *, count: int = 1, apart: Sequence[tuple[int, int]] = ()
) -> Iterator[Ask]:
    """Words of a sentence that are well as they are: ``count`` stretches of one or two that touch none ``apart``."""
    words = [
        match
        for match in WORD.finditer(text)
        if match.group().isalpha()
        and len(match.group()) > 3
        and all(match.end() <= start or match.start() >= end for start, end in apart)
    ]
    for match in chooser.sample(words, min(count, len(words))):
        yield Ask(text, match.start(), match.end(), None)


def encode(asks: Iterable[Ask], tokenizer: Any, *, most: int = MOST_TOKENS) -> list[Row]:
    """Asks as tokens; sentences longer than ``most`` are left out. ``tokenizer``: of the ``tokenizers`` library."""
    listed = list(asks)
    texts = tokenizer.encode_batch([ask.text for ask in listed], add_special_tokens=False)
    answers = tokenizer.encode_batch([ask.answer or "" for ask in listed], add_special_tokens=False)
    number = tokenizer.token_to_id
    rows: list[Row] = []
    for ask, text, answer in zip(listed, texts, answers, strict=True):
        first, last = touched(text.offsets, ask.start, ask.end)
        if last == first or len(text.ids) + 2 > most:
            continue
        target = [number(KEEP)] if ask.answer is None else answer.ids or [number(OUT)]
        asked = [number(piece) for piece in prompt(text.tokens, first, last)]
        rows.append(Row([number("[CLS]"), *text.ids, number("[SEP]")], asked, [*target, number("[SEP]")]))
    return rows
