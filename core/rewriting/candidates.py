"""Rewriting candidates for one sentence, from the rewriter's proposals and a table of known replacements."""

from __future__ import annotations

import gzip
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, Protocol, TypeVar

from core.bundles.rewriter import RewriterBundle
from core.engine.cue_classes import read_table
from core.engine.spans import Span
from core.rewriting.edits import Passage, replace_words
from core.rewriting.guards import IsOrdinary, count_negations, count_numbers, find_refusal
from core.rewriting.refusals import Refusal
from core.rewriting.rewriter import AcceptanceRequest, Proposal, Proposals, RewriteRequest
from core.text.diff import TextEdit
from core.text.english import (
    DETERMINERS,
    FUNCTION_WORDS,
    PREPOSITIONS,
    has_capitals,
    is_all_capitals,
    is_headline,
    is_sentence_start,
)
from core.text.tokens import WORD
from core.types import Kind

REPLACEMENTS_FILE = "replacements.tsv"
ANNOTATED_FILE = "annotated_replacements.tsv.gz"
KNOWN_PROBABILITIES = (0.4, 0.3, 0.2, 0.15)
"""The least probability of a known replacement, by its position in the table, where annotators gave no others."""


class KnownReplacement(NamedTuple):
    """Neutral words for a loaded one, in the same form; ``verb``: it cannot be deleted without a replacement."""

    words: tuple[str, ...]
    verb: bool


@cache
def load_known_replacements() -> dict[str, KnownReplacement]:
    """The table of known replacements by loaded word or phrase in lower case. Raises LexiconError."""
    from resources import ROOT

    rows = read_table(ROOT / "lexicons" / REPLACEMENTS_FILE, ("loaded", "neutral", "part"))
    return {
        row.required("loaded"): KnownReplacement(
            tuple(row.required("neutral").split("|")), row.required("part") == "verb"
        )
        for row in rows
    }


@cache
def load_annotated_replacements() -> dict[str, dict[str, float]]:
    """What annotators put in the place of a loaded word or phrase in lower case, and how often, in [0, 1], most often
    first; "" takes it out.
    """
    from resources import ROOT

    lines = gzip.decompress((ROOT / "lexicons" / ANNOTATED_FILE).read_bytes()).decode().splitlines()[1:]
    found = {}
    for line in lines:
        loaded, replacements = line.split("\t")
        pairs = (one.partition(":") for one in replacements.split("|"))
        found[loaded] = {words: int(percent) / 100 for percent, _, words in pairs}
    return found


FLAGGED, WIDENED, WHOLE = 0, 1, 2
"""Tiers, best first: a candidate changes the marked words, also a neighbour, or every finding of the sentence."""


MIN_PROPOSAL_PROBABILITY = 0.02
"""Proposals below this probability are not used."""

_MOST_SPLIT = 4
_COMPOSED = 4
"""How many suggestions with several changes are tried."""

_REPORTS = frozenset(
    "said says say saying stated states reported reports criticized criticised criticize criticise criticizes "
    "criticises criticizing criticising".split()
)
"""What the rewriter says for a verb that it does not know."""
_LEAST_CHANGE = 0.02
_ARTICLES = frozenset(("a", "an"))
_HYPHEN = re.compile(r"\s[-‐‑]\s")


T = TypeVar("T")


class Proposer(Protocol):
    """The interface of a rewriter; `core.rewriting.rewriter.Rewriter` implements it."""

    @property
    def bundle(self) -> RewriterBundle: ...

    def propose(self, asks: Sequence[RewriteRequest], n: int) -> list[Proposals]: ...

    def judge_fit(self, requests: Sequence[RewriteRequest]) -> list[float]: ...

    def judge_acceptance(self, requests: Sequence[AcceptanceRequest]) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class EditTarget:
    """Marked words of a passage, ``text[start:end]``, with kind and confidence."""

    start: int
    end: int
    kind: Kind
    confidence: float


class Origin(NamedTuple):
    """What is known of the words of a candidate.

    ``likely``: their probability by the rewriter or the table of known replacements; ``model``: by the rewriter alone;
    ``out``: the probability of deleting the marked words; ``empty``: nothing replaces them; ``part``: only some of the
    marked words are replaced; ``best``: no likelier words were proposed for the target. These probabilities are given
    that the words change; ``keep`` is the rewriter's probability that they should stay, and ``taken`` that an editor
    would take the new ones (0.5 where it was not trained to say so).
    """

    likely: float
    model: float
    out: float
    empty: bool
    part: bool
    best: bool
    keep: float = 0.0
    taken: float = 0.5


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to change a passage, guards passed, not yet read again. ``edit_targets`` are the stretches it rewords."""

    changes: tuple[TextEdit, ...]
    places: tuple[tuple[int, int], ...]
    tier: int
    origin: Origin
    text: str


def edit_targets(passage: Passage, spans: Sequence[Span]) -> list[EditTarget]:
    """The targets in ``spans``: whole words that may be edited.

    Spans on both sides of a hyphen with spaces, as in tokenised *award - winning*, are one target.
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
    """The target for the source span ``start:end`` in a passage; None where it cannot be changed."""
    first, last = bisect_left(passage.offsets, start), bisect_left(passage.offsets, end)
    return EditTarget(first, last, kind, confidence) if passage.is_editable(first, last) else None


def build_requests(
    passage: Passage, target: EditTarget, *, apart: Sequence[EditTarget]
) -> list[tuple[RewriteRequest, int]]:
    """The requests for a target, each with its tier: all of its words, some of them, and with a neighbour.

    In *sadly prohibited* only the first word may be at fault. A neighbour that is a name, a number or a negation is not
    included, nor are the words of the targets ``apart``.
    """
    left, right = _left(passage, target.start), _right(passage, target.end)
    if any(left < other.end <= target.start for other in apart):
        left = target.start
    if any(target.end <= other.start < right for other in apart):
        right = target.end
    requests = [(RewriteRequest(passage.text, target.start, target.end), FLAGGED)]
    words = [match.span() for match in WORD.finditer(passage.text, target.start, target.end)]
    if 2 <= len(words) <= _MOST_SPLIT:
        for start, end in (words[0], words[-1], (words[1][0], target.end), (target.start, words[-2][1])):
            request = RewriteRequest(passage.text, start, end)
            if all(request != other for other, _ in requests):
                requests.append((request, FLAGGED))
    for start, end in ((left, target.end), (target.start, right), (left, right)):
        request = RewriteRequest(passage.text, start, end)
        if all(request != other for other, _ in requests):
            requests.append((request, WIDENED))
    return requests


def build_candidates(
    passage: Passage,
    requests: Sequence[tuple[RewriteRequest, int]],
    *,
    reports: bool,
    answers: Sequence[Proposals],
    ordinary: IsOrdinary,
    refused: dict[str, Refusal],
) -> list[Candidate]:
    """The acceptable candidates from ``answers``, each resulting text once, best tier first.

    The first of ``requests`` is for all the marked words. Proposals that are too unlikely are left out, and words of
    saying without ``reports``. The texts of others that are not acceptable are entered in ``refused``.
    """
    found: dict[str, Candidate] = {}
    whole = requests[0][0]
    changed = [_given_change(answer) for answer in answers]
    flagged = passage.text[whole.start : whole.end]
    out = max(dict(changed[0].items).get("", 0.0), _annotated(flagged).get("", 0.0))
    for (request, tier), answer in zip(requests, changed, strict=True):
        probabilities = dict(answer.items)
        asked = passage.text[request.start : request.end]
        for words, likely in _proposed(asked, answer):
            if not _keeps_neighbours(passage.text, request, whole, words=words):
                continue
            if words.lower() in _REPORTS and not reports:
                continue
            changes = replace_words(passage, request.start, request.end, words)
            text = passage.apply(changes)
            known = found.get(text)
            given = words in _annotated(asked)
            refusal = None if known else find_refusal(passage, changes, ordinary=ordinary, given=given)
            if refusal is not None:
                refused[text] = refusal
                continue
            model = probabilities.get(words, 0.0)
            origin = Origin(likely, model, out, not words, request != whole, False, changed[0].keep)
            reworded = (min(request.start, whole.start), max(request.end, whole.end))
            made = Candidate(changes, (reworded,), tier, origin, text)
            found[text] = made if known is None else _surer(known, made)
    most = max((candidate.origin.likely for candidate in found.values()), default=0.0)
    return [
        replace(candidate, origin=candidate.origin._replace(best=candidate.origin.likely >= most))
        for candidate in sorted(found.values(), key=lambda one: (one.tier, -one.origin.likely))
    ]


def _given_change(answer: Proposals) -> Proposals:
    """The proposals with their probabilities given that the words change, since they are marked."""
    share = max(1.0 - answer.keep, _LEAST_CHANGE)
    return Proposals(
        answer.keep,
        tuple(Proposal(one.words, min(1.0, one.probability / share)) for one in answer.items),
    )


def _surer(one: Candidate, other: Candidate) -> Candidate:
    """The first of two with the same text, with the higher probabilities of both."""
    likely = max(one.origin.likely, other.origin.likely)
    model = max(one.origin.model, other.origin.model)
    return replace(one, origin=one.origin._replace(likely=likely, model=model))


def _proposed(flagged: str, answer: Proposals) -> list[tuple[str, float]]:
    """The proposed, the annotated and the known words for the marked ones; only annotators delete a known verb."""
    found = dict(answer.items)
    annotated, known = _annotated(flagged), _known(flagged)
    if known is not None and known.verb:
        found.pop("", None)
    others = 1.0 - max(annotated.values(), default=0.0)
    listed = zip(known.words if known else (), KNOWN_PROBABILITIES, strict=False)
    for words, likely in (*annotated.items(), *((words, others * likely) for words, likely in listed)):
        found[words] = max(likely, found.get(words, 0.0))
    for words, likely in _composed(flagged):
        found.setdefault(words, likely)
    return [(words, likely) for words, likely in found.items() if likely >= MIN_PROPOSAL_PROBABILITY]


def _annotated(flagged: str) -> dict[str, float]:
    return load_annotated_replacements().get(" ".join(flagged.lower().split()), {})


def _composed(flagged: str) -> list[tuple[str, float]]:
    """The likeliest words with two or more of the marked ones replaced or taken out, each as annotators do alone.

    Function words stay, and so do words before a preposition, which may be a part of them (*caved in*).
    """
    words = flagged.split()
    if not 2 <= len(words) <= _MOST_SPLIT:
        return []
    choices = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        is_function_word = word.lower() in FUNCTION_WORDS and not word.endswith("ly")
        fixed = is_function_word or following.lower() in PREPOSITIONS
        choices.append([(word, 1.0), *(() if fixed else _annotated(word).items())])
    found: dict[str, float] = {}
    for chosen in product(*choices):
        changed = [share for (new, share), old in zip(chosen, words, strict=True) if new != old]
        text = " ".join(new for new, _ in chosen if new)
        if len(changed) >= 2 and not FUNCTION_WORDS.issuperset(text.lower().split()):
            found[text] = max(prod(changed), found.get(text, 0.0))
    return sorted(found.items(), key=lambda one: -one[1])[:_COMPOSED]


def _known(flagged: str) -> KnownReplacement | None:
    return load_known_replacements().get(" ".join(flagged.lower().split()))


def may_report(passage: Passage, target: EditTarget) -> bool:
    """Whether a word of saying may stand for the marked words: for *slammed* it may, for *poisoned* not."""
    flagged = passage.text[target.start : target.end]
    known = _known(flagged)
    given = (*_annotated(flagged), *(known.words if known else ()))
    return target.kind is Kind.EPISTEMOLOGICAL or any(words.lower() in _REPORTS for words in given)


def _keeps_neighbours(text: str, request: RewriteRequest, whole: RewriteRequest, *, words: str) -> bool:
    """Whether content words and determiners next to the marked words are among the new ``words``.

    Neighbours are included only so that a preposition or conjunction that no longer fits can change.
    """
    left, right = (
        text[request.start : max(request.start, whole.start)],
        text[min(request.end, whole.end) : request.end],
    )
    new = {word.lower() for word in WORD.findall(words)}
    beside = {word.lower() for word in (*WORD.findall(left), *WORD.findall(right))}
    return all(
        word in new or (word in _ARTICLES and new & _ARTICLES) or word in FUNCTION_WORDS - DETERMINERS
        for word in beside
    )


def combine_candidates(
    passage: Passage, parts: Sequence[Candidate], *, ordinary: IsOrdinary
) -> Candidate | None:
    """The candidate with the changes of all ``parts``, each acceptable; None where they touch or are not together."""
    changes = tuple(sorted(change for part in parts for change in part.changes))
    if any(one.end >= other.start for one, other in pairwise(changes)):
        return None
    if find_refusal(passage, changes, ordinary=ordinary, given=True) is not None:
        return None
    origins = [part.origin for part in parts]
    origin = Origin(
        likely=min(one.likely for one in origins),
        model=min(one.model for one in origins),
        out=min(one.out for one in origins),
        empty=all(one.empty for one in origins),
        part=any(one.part for one in origins),
        best=all(one.best for one in origins),
        keep=max(one.keep for one in origins),
        taken=min(one.taken for one in origins),
    )
    reworded = tuple(sorted(target for part in parts for target in part.places))
    return Candidate(changes, reworded, WHOLE, origin, passage.apply(changes))


def build_combinations(options: Sequence[Sequence[T]], n: int) -> list[list[T]]:
    """Combinations with one of each of the ``options``: the first of each, then with one of them varied; up to ``2n +
    1``.
    """
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
    """The offset of ``text[at]`` after ``changes``; inside one, its start or its ``end``."""
    shift = 0
    for change in changes:
        grown = len(change.text) - (change.end - change.start)
        if change.end <= at:
            shift += grown
        elif change.start < at:
            return change.start + shift + (len(change.text) if end else 0)
    return at + shift


def removes_findings(candidate: Candidate, new: Sequence[Span]) -> bool:
    """Whether no finding in ``new`` touches what the candidate reworded. One on words that stood there before may come:
    they are what they were.
    """
    return not any(
        span.start < end and start < span.end for span in new for start, end in new_places(candidate)
    )


def new_places(candidate: Candidate) -> list[tuple[int, int]]:
    """Where the reworded stretches stand in the candidate's text."""
    changes = candidate.changes
    return [
        (shift_offset(start, changes, end=False), shift_offset(end, changes, end=True))
        for start, end in candidate.places
    ]


def _open_parts(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The runs of whole words in ``text[start:end]`` that may be changed."""
    run: list[tuple[int, int]] = []
    for word in [*WORD.finditer(passage.text, start, end), None]:
        if word is not None and run and passage.is_editable(run[0][0], word.end()):
            run.append(word.span())
            continue
        if run:
            yield run[0][0], run[-1][1]
        run = [word.span()] if word is not None and passage.is_editable(*word.span()) else []


def _left(passage: Passage, start: int) -> int:
    """The start of the word before a target, if it may be included; else ``start``."""
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
    """The end of the word after a target, if it may be included; else ``end``."""
    word = WORD.search(passage.text, end)
    if (
        word is None
        or not passage.text[end : word.start()].isspace()
        or not passage.is_editable(end, word.end())
    ):
        return end
    return word.end() if _may_join(passage, word.group(), word.start()) else end


def _may_join(passage: Passage, word: str, start: int) -> bool:
    """Whether a word is certainly no name, number or negation; in text without informative case, few words are."""
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
