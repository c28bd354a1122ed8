"""Findings as annotations of GitHub Actions: one workflow command a line, which the service shows beside the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.engine.cues import Lexicon
from core.reports.finding_notes import describe_finding
from core.reports.terminal import line_columns
from core.reports.types import CheckedFile, FailedFile

_LEVELS = {"error": "error", "warning": "warning", "suggestion": "notice"}


def annotation_lines(files: Sequence[CheckedFile | FailedFile], lexicon: Lexicon) -> Iterator[str]:
    """A command for each finding, and for each file that could not be checked.

    Lines and columns count from 1, and are left out for files that are no plain text.
    """
    for file in files:
        if isinstance(file, FailedFile):
            yield f"::error file={_property(file.path)}::{_data(file.message)}"
            continue
        findings = file.report.findings
        starts = line_columns(file.opened.text, [one.start for one in findings])
        ends = line_columns(file.opened.text, [one.end for one in findings])
        for finding, first, last in zip(findings, starts, ends, strict=True):
            note = describe_finding(finding, lexicon)
            level = _LEVELS[finding.style.severity] if finding.style else "warning"
            place = f"file={_property(file.report.path)}"
            if file.opened.container is None:
                place += f",line={first[0]},endLine={last[0]},col={first[1]}"
                place += f",endColumn={last[1]}" if first[0] == last[0] else ""
            yield f"::{level} {place},title={_property(note.title)}::{_data(note.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
