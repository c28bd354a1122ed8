"""Sentences that read as biased although none of their words is marked: they are reached and listed like findings."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from core.types import Finding, Kind, Report, fingerprint


@dataclass(frozen=True, slots=True)
class BiasedSentence(Finding):
    """A whole sentence in the place of a finding; its ``confidence`` is its bias, and its ``kind`` says nothing."""


def sentences_without_findings(report: Report, source: str, *, include_quotes: bool) -> list[BiasedSentence]:
    """The sentences of ``source`` that read as biased and hold no finding of ``report``, in order.

    Those that are quoted are left out, unless quotations are read as well.
    """
    starts = [finding.start for finding in report.findings]
    found = []
    for sentence in report.sentences:
        at = bisect_left(starts, sentence.start)
        if not sentence.biased or (sentence.quoted and not include_quotes):
            continue
        if at == len(starts) or starts[at] >= sentence.end:
            text = source[sentence.start : sentence.end]
            # Two neighbours that no words have tell it from a finding of the same words.
            known_as = fingerprint(Kind.FRAMING, text, "\x1e", "\x1e")
            found.append(
                BiasedSentence(
                    sentence.start,
                    sentence.end,
                    text,
                    Kind.FRAMING,
                    sentence.bias,
                    sentence.quoted,
                    fingerprint=known_as,
                )
            )
    return found
