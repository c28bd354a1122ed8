"""The files of one check: read, with what was found in them, or failed, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.formats.loader import Opened
from core.types import Finding, Report, Suggestions


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that was read: how it was opened, and what was found and suggested in its text.

    ``on_word``: the findings that lean on their word, where the answer is for a person at a terminal.
    """

    report: Report
    opened: Opened
    suggestions: Mapping[Finding, Suggestions]
    on_word: frozenset[Finding] = frozenset()


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that could not be read, and why."""

    path: str
    message: str
