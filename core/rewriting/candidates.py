"""Candidates for one sentence.

Which words may be reworded, and what the model's words and the table of known wordings make of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple, Protocol, TypeVar

from core.bundles.rewriter import RewriterBundle
from core.engine.cue_classes import read_table
from core.engine.spans import Span
from core.rewriting.edits import Passage, replace_words
from core.rewriting.guards import IsOrdinary, count_negations, count_numbers, is_acceptable
from core.rewriting.rewriter import Proposals, RewriteRequest
from core.text.diff import TextEdit
from core.text.english import (
    DETERMINERS,
    FUNCTION_WORDS,
    has_capitals,
    is_headline,
    is_all_capitals,
    is_sentence_start,
)
from core.text.tokens import WORD
from core.types import Kind

# Loaded words whose neutral ones are known from a table: proposals beside the model's, read again like them.


WORDINGS_FILE = "wordings.tsv"
KNOWN_PROBABILITIES = (0.4, 0.3, 0.2, 0.15)
"""What a known wording counts for, by its place in the table, where the model thinks it less likely."""


class KnownWording(NamedTuple):
    """Neutral words for a loaded one, in its form; ``verb``: it cannot go without another in its place."""

    words: tuple[str, ...]
    verb: bool


@cache
def load_known_wordings() -> dict[str, KnownWording]:
    """The table, by loaded word or phrase in lower case. Raises LexiconError."""
    from resources import ROOT

    rows = read_table(ROOT / "lexicons" / WORDINGS_FILE, ("loaded", "neutral", "part"))
    return {
        row.required("loaded"): KnownWording(
            tuple(row.required("neutral").split("|")), row.required("part") == "verb"
        )
        for row in rows
    }


# Candidates for one sentence: which words may be reworded, and what the model's words make of it.


FLAGGED, WIDENED, WHOLE = 0, 1, 2
"""What a candidate changes: the flagged words, a neighbour too, every finding of the sentence. The first come first."""


MIN_PROPOSAL_PROBABILITY = 0.02
"""Words that the model thinks less likely than this are not even read again."""

_MOST_SPLIT = 4
_ARTICLES = frozenset(("a", "an"))
_HYPHEN = re.compile(r"\s[-‐‑]\s")


T = TypeVar("T")


class Proposer(Protocol):
    """What a rewriter is to the rest: `core.rewriting.rewriter.Rewriter` is one."""

    @property
    def bundle(self) -> RewriterBundle: ...

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]: ...


@dataclass(frozen=True, slots=True)
class EditTarget:
    """Flagged words of a passage: ``text[start:end]``, and how sure the reader is of them."""

    start: int
    end: int
    kind: Kind
    confidence: float


class Origin(NamedTuple):
    """Where a candidate's words come from.

    ``likely``: how likely they are by the model or the table of known wordings; ``model``: by the model alone; ``out``:
    how likely the model would take the flagged words out; ``empty``: nothing takes their place; ``part``: only some of
    the flagged words go; ``best``: nothing likelier was proposed for the place.
    """

    likely: float
    model: float
    out: float
    empty: bool
    part: bool
    best: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to change a passage, guards passed, not yet read again. ``edit_targets`` are the stretches it rewords."""

    changes: tuple[TextEdit, ...]
    places: tuple[tuple[int, int], ...]
    tier: int
    origin: Origin
    text: str


def edit_targets(passage: Passage, spans: Sequence[Span]) -> list[EditTarget]:
    """Where ``spans`` may be reworded: cut at what must stay, whole words only.

    Spans on both sides of a hyphen with spaces, as tokenised text writes *award - winning*, are one place.
    """
    found: list[EditTarget] = []
    for span in spans:
        for start, end in _open_parts(passage, span.start, span.end):
            last = found[-1] if found else None
            if (
                last
                and _HYPHEN.fullmatch(passage.text, last.end, start)
                and passage.is_editable(last.start, end)
            ):
                surest = max(last.confidence, span.confidence)
                found[-1] = EditTarget(last.start, end, last.kind, surest)
            else:
                found.append(EditTarget(start, end, span.kind, span.confidence))
    return found


def edit_target_at(
    passage: Passage, start: int, end: int, *, kind: Kind, confidence: float
) -> EditTarget | None:
    """The place of the source span ``start:end`` in a passage, if it can be changed."""
    first, last = bisect_left(passage.offsets, start), bisect_left(passage.offsets, end)
    return EditTarget(first, last, kind, confidence) if passage.is_editable(first, last) else None


def build_requests(
    passage: Passage, place: EditTarget, *, apart: Sequence[EditTarget]
) -> list[tuple[RewriteRequest, int]]:
    """What to ask the model for a place, with the tier of each: the words, some of them, and they with a neighbour.

    Of *sadly prohibited* the first word alone may be what is wrong. A neighbour that is a name, a number or a negation
    is not taken in, nor are the words of the places ``apart``.
    """
    left, right = _left(passage, place.start), _right(passage, place.end)
    if any(left < other.end <= place.start for other in apart):
        left = place.start
    if any(place.end <= other.start < right for other in apart):
        right = place.end
    asked = [(RewriteRequest(passage.text, place.start, place.end), FLAGGED)]
    words = [match.span() for match in WORD.finditer(passage.text, place.start, place.end)]
    if 2 <= len(words) <= _MOST_SPLIT:
        for start, end in (words[0], words[-1], (words[1][0], place.end), (place.start, words[-2][1])):
            ask = RewriteRequest(passage.text, start, end)
            if all(ask != other for other, _ in asked):
                asked.append((ask, FLAGGED))
    for start, end in ((left, place.end), (place.start, right), (left, right)):
        ask = RewriteRequest(passage.text, start, end)
        if all(ask != other for other, _ in asked):
            asked.append((ask, WIDENED))
    return asked


def build_candidates(
    passage: Passage,
    asked: Sequence[tuple[RewriteRequest, int]],
    *,
    answers: Sequence[Proposals],
    ordinary: IsOrdinary,
) -> list[Candidate]:
    """What the model's words make of the passage where the guards hold, each text once, best tier first.

    The first of ``asked`` are the flagged words as a whole. What the model thinks too unlikely is left out.
    """
    found: dict[str, Candidate] = {}
    whole = asked[0][0]
    out = dict(answers[0].items).get("", 0.0)
    for (ask, tier), answer in zip(asked, answers, strict=True):
        said = dict(answer.items)
        for words, likely in _proposed(passage.text[ask.start : ask.end], answer):
            if not _keeps_neighbours(passage.text, ask, whole, words=words):
                continue
            changes = replace_words(passage, ask.start, ask.end, words)
            text = passage.apply(changes)
            known = found.get(text)
            if known is None and not is_acceptable(passage, changes, ordinary=ordinary):
                continue
            origin = Origin(likely, said.get(words, 0.0), out, not words, ask != whole, False)
            reworded = (min(ask.start, whole.start), max(ask.end, whole.end))
            made = Candidate(changes, (reworded,), tier, origin, text)
            found[text] = made if known is None else _surer(known, made)
    most = max((candidate.origin.likely for candidate in found.values()), default=0.0)
    return [
        replace(candidate, origin=candidate.origin._replace(best=candidate.origin.likely >= most))
        for candidate in sorted(found.values(), key=lambda one: (one.tier, -one.origin.likely))
    ]


def _surer(one: Candidate, other: Candidate) -> Candidate:
    """The first of two with the same text, as likely as the likelier."""
    likely = max(one.origin.likely, other.origin.likely)
    model = max(one.origin.model, other.origin.model)
    return replace(one, origin=one.origin._replace(likely=likely, model=model))


def _proposed(flagged: str, answer: Proposals) -> list[tuple[str, float]]:
    """The model's words and those that are known for the flagged ones; a known verb is not taken out."""
    found = {words: likely for words, likely in answer.items if likely >= MIN_PROPOSAL_PROBABILITY}
    known = load_known_wordings().get(" ".join(flagged.lower().split()))
    if known is not None and known.verb:
        found.pop("", None)
    for words, likely in zip(known.words if known else (), KNOWN_PROBABILITIES, strict=False):
        found[words] = max(likely, found.get(words, 0.0))
    return list(found.items())


def _keeps_neighbours(text: str, ask: RewriteRequest, whole: RewriteRequest, *, words: str) -> bool:
    """Whether the words beside the flagged ones that tell something, and a determiner, are among the new ``words``.

    What a neighbour is taken in for is a preposition or a conjunction that no longer fits.
    """
    left, right = text[ask.start : max(ask.start, whole.start)], text[min(ask.end, whole.end) : ask.end]
    new = {word.lower() for word in WORD.findall(words)}
    beside = {word.lower() for word in (*WORD.findall(left), *WORD.findall(right))}
    return all(
        word in new or (word in _ARTICLES and new & _ARTICLES) or word in FUNCTION_WORDS - DETERMINERS
        for word in beside
    )


def combine_candidates(
    passage: Passage, parts: Sequence[Candidate], *, ordinary: IsOrdinary
) -> Candidate | None:
    """The candidate that makes the changes of all ``parts``, unless they touch or the guards do not hold."""
    changes = tuple(sorted(change for part in parts for change in part.changes))
    if any(one.end >= other.start for one, other in pairwise(changes)):
        return None
    if not is_acceptable(passage, changes, ordinary=ordinary):
        return None
    origins = [part.origin for part in parts]
    origin = Origin(
        likely=min(one.likely for one in origins),
        model=min(one.model for one in origins),
        out=min(one.out for one in origins),
        empty=all(one.empty for one in origins),
        part=any(one.part for one in origins),
        best=all(one.best for one in origins),
    )
    reworded = tuple(sorted(place for part in parts for place in part.places))
    return Candidate(changes, reworded, WHOLE, origin, passage.apply(changes))


def build_combinations(options: Sequence[Sequence[T]], n: int) -> list[list[T]]:
    """One of each of the ``options``: the first of each, then with another for one of them, up to ``2n + 1``."""
    if not options or not all(options):
        return []
    first = [option[0] for option in options]
    found = [first]
    for rank in range(1, n + 1):
        found += (
            [*first[:at], option[rank], *first[at + 1 :]]
            for at, option in enumerate(options)
            if rank < len(option)
        )
    return found[: 2 * n + 1]


def shift_offset(at: int, changes: Sequence[TextEdit], *, end: bool) -> int:
    """Where ``text[at]`` is after ``changes``; inside one, at its start or its ``end``."""
    shift = 0
    for change in changes:
        grown = len(change.text) - (change.end - change.start)
        if change.end <= at:
            shift += grown
        elif change.start < at:
            return change.start + shift + (len(change.text) if end else 0)
    return at + shift


def only_removes(candidate: Candidate, old: Sequence[Span], new: Sequence[Span]) -> bool:
    """Whether of the findings ``old`` those that the candidate rewords are gone from ``new``, and none has come."""
    changes = candidate.changes

    def after(start: int, end: int) -> tuple[int, int]:
        return shift_offset(start, changes, end=False), shift_offset(end, changes, end=True)

    def touches(span: Span, places: Sequence[tuple[int, int]]) -> bool:
        return any(span.start < end and start < span.end for start, end in places)

    gone = [after(*place) for place in candidate.places]
    kept = [after(span.start, span.end) for span in old if not touches(span, candidate.places)]
    return all(touches(span, kept) and not touches(span, gone) for span in new)


def _open_parts(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The stretches of whole words in ``text[start:end]`` that may be changed."""
    run: list[tuple[int, int]] = []
    for word in [*WORD.finditer(passage.text, start, end), None]:
        if word is not None and run and passage.is_editable(run[0][0], word.end()):
            run.append(word.span())
            continue
        if run:
            yield run[0][0], run[-1][1]
        run = [word.span()] if word is not None and passage.is_editable(*word.span()) else []


def _left(passage: Passage, start: int) -> int:
    """Where the word before a place begins, if it may be taken in; else ``start``."""
    before = passage.text[:start]
    words = list(WORD.finditer(before, max(0, start - 60)))
    if (
        not words
        or not before[words[-1].end() :].isspace()
        or not passage.is_editable(words[-1].start(), start)
    ):
        return start
    return words[-1].start() if _may_join(passage, words[-1].group(), words[-1].start()) else start


def _right(passage: Passage, end: int) -> int:
    """Where the word after a place ends, if it may be taken in; else ``end``."""
    word = WORD.search(passage.text, end)
    if (
        word is None
        or not passage.text[end : word.start()].isspace()
        or not passage.is_editable(end, word.end())
    ):
        return end
    return word.end() if _may_join(passage, word.group(), word.start()) else end


def _may_join(passage: Passage, word: str, start: int) -> bool:
    """Whether a word is surely no name, number or negation; in a text whose case tells nothing, few are."""
    text = passage.text
    if count_numbers(word) or count_negations(word):
        return False
    if word.lower() in FUNCTION_WORDS:
        return (
            word.islower()
            or is_sentence_start(text, start)
            or not has_capitals(text)
            or is_all_capitals(text)
        )
    if not has_capitals(text) or is_all_capitals(text) or is_headline(text):
        return False
    return word.islower()
