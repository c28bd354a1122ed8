"""The results of the examinations, and the errors that end one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


class FailedError(Exception):
    """The package does not do what it should. The message says what was seen instead."""


class CannotExamineError(Exception):
    """The examination cannot run here. The message says what is missing and how to get it."""


def check(holds: bool, otherwise: str) -> None:
    """Raise FailedError with this message where something does not hold."""
    if not holds:
        raise FailedError(otherwise)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one examination. ``summary``: what was seen, or why it failed."""

    name: str
    passed: bool
    seconds: float
    summary: str

    def line(self) -> str:
        """The result as a line of the table."""
        outcome = "passed" if self.passed else "FAILED"
        return f"{self.name:<12} {outcome}  {self.seconds:>6.1f} s  {self.summary}"


def write_results(results: Sequence[Result], folder: Path, package: str) -> None:
    """Write ``results.json`` into ``folder``."""
    kept = {"package": package, "results": [asdict(result) for result in results]}
    (folder / "results.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


def verdict(results: Sequence[Result]) -> tuple[str, int]:
    """The last line and the exit code."""
    failed = [result.name for result in results if not result.passed]
    if failed:
        return f"{len(failed)} of {len(results)} failed: {', '.join(failed)}", 1
    return f"all {len(results)} passed", 0
