"""Counts of findings: those of the default sensitivity, whatever the slider marks, and how many of them are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.editor.biased_sentences import BiasedSentence
from core.types import ALL_KINDS, Finding, Kind


@dataclass(frozen=True, slots=True)
class FindingCounts:
    """``found`` findings of the draft at the default sensitivity, of these ``kinds``; ``shown`` of them are listed.

    ``less_certain``: listed findings that only a higher sensitivity marks.
    """

    found: int = 0
    shown: int = 0
    less_certain: int = 0
    kinds: tuple[tuple[Kind, int], ...] = tuple((kind, 0) for kind in ALL_KINDS)

    def of(self, kind: Kind) -> int:
        """The number of findings of a kind."""
        return dict(self.kinds)[kind]


def count_findings(counted: Sequence[Finding], listed: Sequence[Finding]) -> FindingCounts:
    """The counts of the findings ``counted`` at the default sensitivity, where ``listed`` are shown.

    Both are sorted and disjoint. Biased sentences are left out. The words of a finding can be more or fewer at another
    sensitivity: it is shown where a listed one has some of its words.
    """
    counted, listed = _findings(counted), _findings(listed)
    kinds = Counter(finding.kind for finding in counted)
    return FindingCounts(
        found=len(counted),
        shown=sum(1 for _ in overlapping(counted, listed)),
        less_certain=len(listed) - sum(1 for _ in overlapping(listed, counted)),
        kinds=tuple((kind, kinds[kind]) for kind in ALL_KINDS),
    )


def overlapping(findings: Sequence[Finding], others: Sequence[Finding]) -> Iterator[Finding]:
    """Those of ``findings`` that have words in common with one of ``others``; both are sorted."""
    at = 0
    for finding in findings:
        while at < len(others) and others[at].end <= finding.start:
            at += 1
        if at < len(others) and others[at].start < finding.end:
            yield finding


def _findings(mixed: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in mixed if not isinstance(finding, BiasedSentence)]
