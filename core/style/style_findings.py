"""Adds what the rules of style packs flag to the report of a document, beside the findings of the reader."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.documents import prose
from core.documents.suppression import is_suppressed
from core.documents.types import Document, Format, Sentence
from core.engine.sentence_cache import MAX_SENTENCES, SentenceKey, as_document, sentence_keys
from core.style.matcher import StyleMatcher
from core.types import Finding, Report, with_findings

_HEADING_MARKS = {Format.MARKDOWN: "#", Format.WIKITEXT: "="}
_UNDERLINE = re.compile(r"[^\n]*\n {0,3}(?:=+|-+)[ \t\r]*(?:\n|\Z)")
"""The rest of a line with the line under it that makes it a heading in Markdown."""


class StyleChecker:
    """Rules in use, and what they have flagged in sentences that were seen before."""

    def __init__(self, matcher: StyleMatcher) -> None:
        self.matcher = matcher
        self._known: dict[tuple[SentenceKey, bool], tuple[Finding, ...]] = {}

    def add_to(self, report: Report, document: Document, *, include_quotes: bool = False) -> Report:
        """The report of ``document`` with the findings of the rules in the sentences that were read.

        Where reader and rule mark the same place it is one finding of the reader, with the rule's note. The reader's
        findings are otherwise as they were.
        """
        if not self.matcher:
            return report
        sentences = [Sentence(one.start, one.end, one.quoted) for one in report.sentences]
        flagged = [
            finding
            for finding in self._findings(document, sentences)
            if (include_quotes or not finding.quoted)
            and not (document.suppressed and is_suppressed(document.suppressed, finding))
        ]
        return with_findings(report, merge_findings(report.findings, flagged)) if flagged else report

    def _findings(self, document: Document, sentences: Sequence[Sentence]) -> Iterator[Finding]:
        if len(self._known) > MAX_SENTENCES + len(sentences):
            self._known = {}
        for sentence, key in zip(sentences, sentence_keys(document, sentences, 0.0), strict=True):
            place = (key, is_heading(document, sentence.start))
            found = self._known.get(place)
            if found is None:
                alone = as_document(key, document)
                text = prose(alone, alone.sentences[0])
                found = self._known[place] = self.matcher.findings(alone, text, in_heading=place[1])
            for one in found:
                yield replace(one, start=one.start + sentence.start, end=one.end + sentence.start)


def is_heading(document: Document, start: int) -> bool:
    """Whether the sentence that begins at ``start`` is a heading, by the text (Markdown, wikitext) or by the file."""
    at = bisect_right(document.headings, start, key=lambda heading: heading[1])
    if at < len(document.headings) and document.headings[at][0] <= start:
        return True
    mark = _HEADING_MARKS.get(document.format)
    if mark is None:
        return False
    line = document.source.rfind("\n", 0, start) + 1
    if document.source[line : line + 4].lstrip(" ").startswith(mark):
        return True
    return document.format is Format.MARKDOWN and _UNDERLINE.match(document.source, start) is not None


def merge_findings(reader: Sequence[Finding], style: Sequence[Finding]) -> list[Finding]:
    """The findings of reader and rules (each sorted and disjoint) as one such list.

    Where both mark a place it is one finding of the reader with the rule's note; of several rules at its place the
    first has it.
    """
    merged = list(reader)
    alone = []
    at = 0
    for one in style:
        while at < len(reader) and reader[at].end <= one.start:
            at += 1
        if at == len(reader) or one.end <= reader[at].start:
            alone.append(one)
        elif merged[at].style is None:
            merged[at] = replace(reader[at], style=one.style)
    return sorted([*merged, *alone], key=lambda finding: finding.start)
