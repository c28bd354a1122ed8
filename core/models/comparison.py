"""What another reader changes on a text: findings gained, lost and altered, and the bias before and after."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.types import Finding, Report, SentenceReading


@dataclass(frozen=True, slots=True)
class FindingChange:
    """One change: ``before`` is None for a finding that is gained, ``after`` for one that is lost."""

    before: Finding | None
    after: Finding | None
    sentence: str


@dataclass(frozen=True, slots=True)
class ReadingChanges:
    """What changes between two readings of the same text, in the order of the text.

    ``altered`` findings overlap an earlier one but mark other words or another kind; ``same`` counts the rest. Bias is
    the mean over the sentences that count, in [0, 1]; ``biased_before`` and ``biased_after`` of ``sentences`` are
    biased.
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
        """Whether no finding changed."""
        return not (self.gained or self.lost or self.altered)


def compare_readings(
    source: str, before: Report, after: Report, *, counts: Callable[[Finding], bool] = lambda _: True
) -> ReadingChanges:
    """Compare two reports on ``source``; findings for which ``counts`` is false are left out of both."""
    old, new = ([one for one in report.findings if counts(one)] for report in (before, after))
    places = {(one.start, one.end, one.kind): one for one in old}
    same = {key for one in new if (key := (one.start, one.end, one.kind)) in places}
    gone = [one for one in old if (one.start, one.end, one.kind) not in same]
    added = [one for one in new if (one.start, one.end, one.kind) not in same]
    pairs = _overlapping_pairs(gone, added)
    paired_old, paired_new = {one for one, _ in pairs}, {one for _, one in pairs}

    def change(was: Finding | None, becomes: Finding | None) -> FindingChange:
        at = was or becomes
        assert at is not None
        return FindingChange(was, becomes, _sentence(source, after.sentences, at))

    return ReadingChanges(
        gained=tuple(change(None, one) for one in added if one not in paired_new),
        lost=tuple(change(one, None) for one in gone if one not in paired_old),
        altered=tuple(change(was, becomes) for was, becomes in pairs),
        same=len(same),
        bias_before=before.summary.bias,
        bias_after=after.summary.bias,
        biased_before=before.summary.biased_sentences,
        biased_after=after.summary.biased_sentences,
        sentences=after.summary.sentences,
    )


def _overlapping_pairs(gone: Sequence[Finding], added: Sequence[Finding]) -> list[tuple[Finding, Finding]]:
    """Each of ``gone`` with the first of ``added`` that overlaps it; both are sorted and disjoint."""
    pairs: list[tuple[Finding, Finding]] = []
    at = 0
    for one in gone:
        while at < len(added) and added[at].end <= one.start:
            at += 1
        if at < len(added) and added[at].start < one.end:
            pairs.append((one, added[at]))
            at += 1
    return pairs


def _sentence(source: str, sentences: Sequence[SentenceReading], at: Finding) -> str:
    number = bisect_right(sentences, at.start, key=lambda sentence: sentence.start) - 1
    if number < 0:
        return at.text
    return source[sentences[number].start : sentences[number].end]
