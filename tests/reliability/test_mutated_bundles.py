"""Protects who imports a model of others: it works, or it is refused in a sentence, and nothing of it ends the program.

A sample of each role runs with the other tests; with ``-m slow`` a thousand of each (``EVENHAND_BUNDLES`` names another
number). Every bundle is damaged in another way and has checksums that are right again. Its import and its use are those
of the program; a process that such a bundle ends is one line that is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = 24
MANY = int(os.environ.get("EVENHAND_BUNDLES", "1000"))
AT_ONCE = 25
ROLES = pytest.mark.parametrize("role", ["reader", "rewriter"])


def outcomes(role: str, seeds: range) -> dict[int, str]:
    """What became of each bundle; where one ended the process, that is said of it and the next are tried."""
    found: dict[int, str] = {}
    first = seeds.start
    while first < seeds.stop:
        done = subprocess.run(
            [sys.executable, "-m", "tests.reliability.mutated_bundles", role, str(first), str(seeds.stop)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        for line in done.stdout.splitlines():
            seed, _, outcome = line.partition(" ")
            found[int(seed)] = outcome
        first = max(found, default=first - 1) + 1
        if first < seeds.stop:
            found[first] = f"crashed the program ({done.returncode}): {done.stderr[-400:]}"
            first += 1
    return found


def check(role: str, seeds: range) -> Counter[str]:
    parts = [
        range(start, min(start + AT_ONCE, seeds.stop)) for start in range(seeds.start, seeds.stop, AT_ONCE)
    ]
    found: dict[int, str] = {}
    with ThreadPoolExecutor(2) as pool:
        for part in pool.map(lambda part: outcomes(role, part), parts):
            found |= part
    assert sorted(found) == list(seeds)
    wrong = [
        f"{role} {seed}: {outcome}" for seed, outcome in found.items() if outcome not in ("refused", "works")
    ]
    assert not wrong, "\n".join(wrong[:20])
    return Counter(found.values())


@ROLES
def test_a_sample_of_mutated_bundles_works_or_is_refused(role: str) -> None:
    counted = check(role, range(SAMPLE))
    assert counted["works"]
    assert counted["refused"]


@pytest.mark.slow
@ROLES
def test_a_thousand_mutated_bundles_work_or_are_refused(role: str) -> None:
    print(role, check(role, range(SAMPLE, SAMPLE + MANY)))
