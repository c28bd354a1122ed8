"""Findings that a person has passed over: they stay away from text, panels and counts while the draft is open."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from app.editor import TextPane
from app.marks import Mark, Marks
from app.worker import Reading
from core.findings import Finding
from core.report import count_kinds


class Ignored:
    """Known by their place, which moves with the text; by fingerprint where their words were lost and came back."""

    def __init__(self, pane: TextPane) -> None:
        self._pane = pane
        self._findings: list[Finding] = []

    def __len__(self) -> int:
        return len(self._findings)

    def add(self, mark: Mark) -> None:
        """Pass over the finding of ``mark``, a mark of the present text."""
        self._findings.append(mark.finding)
        self._pane.keep_in_place(Marks([*self._pane.kept, mark]))

    def clear(self) -> None:
        """Pass over none."""
        self._findings = []
        self._pane.keep_in_place(Marks())

    def without(self, reading: Reading) -> Reading:
        """``reading``, of the present text, without the findings that are passed over."""
        if not self._findings or reading.report is None or reading.marks is None:
            return reading
        placed = {(mark.start, mark.end): mark for mark in self._pane.kept}
        lost = Counter(finding.fingerprint for finding in self._findings)
        lost.subtract(mark.finding.fingerprint for mark in placed.values())
        gone: set[Finding] = set()
        for mark in reading.marks:
            known = placed.get((mark.start, mark.end))
            if known is not None and known.finding.kind == mark.finding.kind:
                gone.add(mark.finding)
            elif lost[mark.finding.fingerprint] > 0:
                lost[mark.finding.fingerprint] -= 1
                placed[mark.start, mark.end] = mark
                gone.add(mark.finding)
        if not gone:
            return reading
        self._pane.keep_in_place(Marks(placed.values()))
        findings = tuple(finding for finding in reading.report.findings if finding not in gone)
        summary = replace(reading.report.summary, kinds=count_kinds(findings))
        report = replace(reading.report, findings=findings, summary=summary)
        return replace(reading, report=report, marks=reading.marks.keep(lambda finding: finding not in gone))
