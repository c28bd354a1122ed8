"""Training examples of the rewriter: a sentence with marked stretches, and what should stand in each of them.

The encoder reads the sentence, the decoder is prompted with the marked words; the target is only what replaces them. So
nothing else in the sentence can change, and a target is a few tokens long. A sentence is read once for all of its
questions.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from core.rewriting.rewriter import (
    ACCEPTANCE_QUESTION,
    ANSWER,
    DELETE,
    FIT_QUESTION,
    FITS,
    FITS_NOT,
    KEEP,
    NOT_TAKEN,
    SPECIAL_TOKENS,
    TAKEN,
    build_prompt,
    wordpiece_range,
)

WORD = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
MAX_TOKENS = 120
MASK = "[MASK]"
_ARTICLES = frozenset({"a", "an", "the"})
_MAX_CHANGED_SHARE = 0.5
_MAX_ANSWER_WORDS = 8


class Question(NamedTuple):
    """``text[start:end]`` is marked. ``answer`` is what replaces it: empty deletes it, None keeps it.

    With ``fits`` the question is another one: whether the marked words, or the gap between two words where the stretch
    is empty, are sound English in this sentence. Then there is no ``answer``. With ``taken`` it is whether an editor
    would take ``answer`` for the marked words.
    """

    start: int
    end: int
    answer: str | None
    fits: bool | None = None
    taken: bool | None = None


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A sentence with questions about disjoint stretches. ``masked``: the encoder does not see the marked words."""

    text: str
    questions: tuple[Question, ...]
    masked: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence as token ids, and for each question the prompt of the decoder and the answer with its end token."""

    ids: list[int]
    questions: tuple[tuple[list[int], list[int]], ...]

    def __len__(self) -> int:
        """The number of its tokens, without prompts and answers."""
        return len(self.ids)


def find_replacements(biased: str, neutral: str) -> list[tuple[int, int, str]]:
    """(start, end, answer) of each change of a pair, offsets into ``biased``; pure insertions are left out.

    An article on both sides of a change belongs to the sentence, not to the change, and so do equal words at its ends.
    A pair in which more than half of the words changed is a rewritten sentence and has none.
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
        if not any(any(map(str.isalpha, word)) for word in old[i1:i2]) or j2 - j1 > _MAX_ANSWER_WORDS:
            continue
        answer = neutral[right[j1].start() : right[j2 - 1].end()] if j2 > j1 else ""
        if re.sub(r"\W", "", answer).lower() != re.sub(r"\W", "", "".join(old[i1:i2])):
            found.append((left[i1].start(), left[i2 - 1].end(), answer))
    return found if changed <= _MAX_CHANGED_SHARE * max(1, len(old)) else []


def marked_pair(
    biased: str, neutral: str, chooser: random.Random, *, widened: float = 0.25, kept: int = 1
) -> Iterator[MarkedSentence]:
    """The biased side of a pair with its changes and ``kept`` words that stay, then the neutral side with the new words
    as ones that fit; nothing for a pair without changes.

    A share of the changes (``widened``) has the word before or after marked as well.
    """
    changes = find_replacements(biased, neutral)
    if not changes:
        return
    places = [(start, end) for start, end, _ in changes]
    asked = [Question(*change) for change in changes]
    asked = [widen(biased, one, chooser) if chooser.random() < widened else one for one in asked]
    yield MarkedSentence(
        biased, (*asked, *words_to_keep(biased, chooser, count=kept, apart=[one[:2] for one in asked]))
    )
    yield fitting_pair(
        neutral, places_after(places, [answer for *_, answer in changes], biased, neutral), chooser
    )


def fitting_pair(neutral: str, places: Sequence[tuple[int, int]], chooser: random.Random) -> MarkedSentence:
    """A sound sentence: the ``places`` fit, and so does one word or gap elsewhere; one word stays as it is."""
    fit = [Question(start, end, None, fits=True) for start, end in places]
    return MarkedSentence(
        neutral,
        (*fit, *sound_places(neutral, chooser, apart=places), *words_to_keep(neutral, chooser, apart=places)),
    )


def places_after(
    places: Sequence[tuple[int, int]], answers: Sequence[str], before: str, after: str
) -> list[tuple[int, int]]:
    """Where the ``answers`` stand in the sentence ``after`` the changes; those that cannot be found are left out."""
    found: list[tuple[int, int]] = []
    at = 0
    for (start, _), answer in zip(places, answers, strict=True):
        left = [match.group() for match in WORD.finditer(before[:start])][-2:]
        pattern = r"[\s\W]*".join(map(re.escape, [*left, *([answer] if answer else [])]))
        match = re.compile(pattern, re.IGNORECASE).search(after, at) if pattern else None
        if match is not None:
            first = match.end() - len(answer) if answer else match.end()
            found.append((first, match.end()))
            at = match.end()
    return found


def widen(text: str, question: Question, chooser: random.Random) -> Question:
    """The question with the word before or after the marked ones marked as well, if there is one."""
    start, end, answer = question.start, question.end, question.answer or ""
    if chooser.random() < 0.5:
        words = [match for match in WORD.finditer(text[:start]) if match.group().isalpha()]
        if words and text[words[-1].end() : start].isspace():
            first = words[-1]
            return Question(first.start(), end, f"{first.group()} {answer}".strip())
    elif (match := WORD.match(text, end + 1)) and match.group().isalpha() and text[end].isspace():
        return Question(start, match.end(), f"{answer} {match.group()}".strip())
    return question


def words_to_keep(
    text: str, chooser: random.Random, *, count: int = 1, apart: Sequence[tuple[int, int]] = ()
) -> Iterator[Question]:
    """Up to ``count`` words of a sentence that are to be kept, outside the ranges ``apart``."""
    words = [
        match
        for match in WORD.finditer(text)
        if match.group().isalpha() and len(match.group()) > 3 and _is_apart(*match.span(), apart)
    ]
    for match in chooser.sample(words, min(count, len(words))):
        yield Question(match.start(), match.end(), None)


def sound_places(
    text: str, chooser: random.Random, *, count: int = 1, apart: Sequence[tuple[int, int]] = ()
) -> Iterator[Question]:
    """Up to ``count`` stretches of one to three words, or gaps between two words, of a sound sentence."""
    words = list(WORD.finditer(text))
    for _ in range(count):
        if len(words) < 4:
            return
        first = chooser.randrange(1, len(words) - 1)
        last = min(len(words) - 1, first + chooser.choice((0, 1, 1, 1, 2, 3)))
        start = words[first].start()
        end = words[last - 1].end() if last > first else start
        if _is_apart(start, end, apart):
            yield Question(start, end, None, fits=True)


def _is_apart(start: int, end: int, apart: Sequence[tuple[int, int]]) -> bool:
    return all(end < first or start > last for first, last in apart)


def encode(sentences: Iterable[MarkedSentence], tokenizer: Any, *, max_tokens: int = MAX_TOKENS) -> list[Row]:
    """Sentences as tokens; those longer than ``max_tokens``, and those without a question, are left out.

    ``tokenizer`` is one of the ``tokenizers`` library.
    """
    listed = list(sentences)
    texts = tokenizer.encode_batch([one.text for one in listed], add_special_tokens=False)
    answers = iter(
        tokenizer.encode_batch(
            [question.answer or "" for one in listed for question in one.questions], add_special_tokens=False
        )
    )
    rows: list[Row] = []
    for sentence, text in zip(listed, texts, strict=True):
        given = [next(answers).ids for _ in sentence.questions]
        if len(text.ids) + 2 <= max_tokens and (row := _row(sentence, text, given, tokenizer.token_to_id)):
            rows.append(row)
    return rows


def _row(sentence: MarkedSentence, text: Any, answers: Sequence[list[int]], number: Any) -> Row | None:
    ranges = [wordpiece_range(text.offsets, one.start, one.end) for one in sentence.questions]
    wordpieces: list[str] = list(text.tokens)
    if sentence.masked:
        for at, (first, last) in sorted(enumerate(ranges), key=lambda item: -item[1][0]):
            wordpieces[first:last] = [MASK]
            shift = 1 - (last - first)
            ranges = [(a + shift, b + shift) if a > first else (a, b) for a, b in ranges]
            ranges[at] = (first, first + 1)
    questions = []
    for question, (first, last), answer in zip(sentence.questions, ranges, answers, strict=True):
        if first == last and question.fits is None:
            continue
        prompt = build_prompt(wordpieces, first, last, end=ANSWER if question.fits is None else FIT_QUESTION)
        asked = [number(piece) for piece in prompt]
        if question.taken is not None:
            asked += [*(answer or [number(DELETE)]), number(ACCEPTANCE_QUESTION)]
            target = [number(TAKEN if question.taken else NOT_TAKEN)]
        elif question.fits is not None:
            target = [number(FITS if question.fits else FITS_NOT)]
        elif question.answer is None:
            target = [number(KEEP), number(SPECIAL_TOKENS[1])]
        else:
            target = [*(answer or [number(DELETE)]), number(SPECIAL_TOKENS[1])]
        questions.append((asked, target))
    ids = [number(piece) for piece in (SPECIAL_TOKENS[0], *wordpieces, SPECIAL_TOKENS[1])]
    return Row(ids, tuple(questions)) if questions else None
