"""What another reader would change on a text: findings gained, lost and marked otherwise, and how biased it reads."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.types import Finding, Report, SentenceReading


@dataclass(frozen=True, slots=True)
class FindingChange:
    """One change: ``before`` is None for what is gained, ``after`` for what is lost; ``sentence`` holds it."""

    before: Finding | None
    after: Finding | None
    sentence: str


@dataclass(frozen=True, slots=True)
class ReadingChanges:
    """What changes between two readings of the same text, in the order of the text.

    ``altered`` findings touch one of before, but name other words or another kind; ``same`` counts the rest. Bias is
    the mean over the sentences that count, in [0, 1]; ``biased`` of ``sentences`` read biased.
    """

    gained: tuple[FindingChange, ...]
    lost: tuple[FindingChange, ...]
    altered: tuple[FindingChange, ...]
    same: int
    bias_before: float
    bias_after: float
    biased_before: int
    biased_after: int
    sentences: int

    @property
    def is_empty(self) -> bool:
        """Whether every finding stays as it is."""
        return not (self.gained or self.lost or self.altered)


def compare_readings(
    source: str, before: Report, after: Report, *, counts: Callable[[Finding], bool] = lambda _: True
) -> ReadingChanges:
    """Compare two reports on ``source``; findings that do not count are left out of both."""
    old, new = ([one for one in report.findings if counts(one)] for report in (before, after))
    places = {(one.start, one.end, one.kind): one for one in old}
    same = {key for one in new if (key := (one.start, one.end, one.kind)) in places}
    left = [one for one in old if (one.start, one.end, one.kind) not in same]
    come = [one for one in new if (one.start, one.end, one.kind) not in same]
    pairs = _touching(left, come)
    met_old, met_new = {one for one, _ in pairs}, {one for _, one in pairs}

    def change(was: Finding | None, becomes: Finding | None) -> FindingChange:
        at = was or becomes
        assert at is not None
        return FindingChange(was, becomes, _sentence(source, after.sentences, at))

    return ReadingChanges(
        gained=tuple(change(None, one) for one in come if one not in met_new),
        lost=tuple(change(one, None) for one in left if one not in met_old),
        altered=tuple(change(was, becomes) for was, becomes in pairs),
        same=len(same),
        bias_before=before.summary.bias,
        bias_after=after.summary.bias,
        biased_before=before.summary.biased_sentences,
        biased_after=after.summary.biased_sentences,
        sentences=after.summary.sentences,
    )


def _touching(left: Sequence[Finding], come: Sequence[Finding]) -> list[tuple[Finding, Finding]]:
    """Each of ``left`` with the first of ``come`` that shares a character with it; both are sorted and disjoint."""
    pairs: list[tuple[Finding, Finding]] = []
    at = 0
    for one in left:
        while at < len(come) and come[at].end <= one.start:
            at += 1
        if at < len(come) and come[at].start < one.end:
            pairs.append((one, come[at]))
            at += 1
    return pairs


def _sentence(source: str, sentences: Sequence[SentenceReading], at: Finding) -> str:
    number = bisect_right(sentences, at.start, key=lambda sentence: sentence.start) - 1
    if number < 0:
        return at.text
    return source[sentences[number].start : sentences[number].end]
