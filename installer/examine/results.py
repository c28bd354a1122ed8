"""What came out of the examinations: a line each, and a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Result:
    """One examination. ``told``: what was seen, or why it failed."""

    name: str
    passed: bool
    seconds: float
    told: str

    def line(self) -> str:
        """It as a line of the table."""
        outcome = "passed" if self.passed else "FAILED"
        return f"{self.name:<12} {outcome}  {self.seconds:>6.1f} s  {self.told}"


def keep(results: Sequence[Result], folder: Path, package: str) -> None:
    """Write ``results.json`` into ``folder``."""
    kept = {"package": package, "results": [asdict(result) for result in results]}
    (folder / "results.json").write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


def verdict(results: Sequence[Result]) -> tuple[str, int]:
    """The last line and the exit code."""
    failed = [result.name for result in results if not result.passed]
    if failed:
        return f"{len(failed)} of {len(results)} failed: {', '.join(failed)}", 1
    return f"all {len(results)} passed", 0
