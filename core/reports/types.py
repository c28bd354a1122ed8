"""The files of one check: analysed, or failed with a message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.formats.loader import OpenedDocument
from core.types import Finding, Report, Suggestions


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """An analysed file: how it was opened, its report, and suggestions for its findings.

    ``words`` are those of its prose; ``term_dependent`` are findings that depend on the word itself, which are only
    looked for where the output is text.
    """

    report: Report
    opened: OpenedDocument
    suggestions: Mapping[Finding, Suggestions] = field(default_factory=dict)
    term_dependent: frozenset[Finding] = frozenset()
    words: int = 0


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be read, and why."""

    path: str
    message: str
