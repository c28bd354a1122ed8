"""Protects who pastes a very long word, a run of blanks or an unfinished table: what reads a draft takes time in
proportion to its length.

Times are compared with each other only: a text of four times the length takes about four times as long, where quadratic
work takes sixteen. A core of runs is tried with the other tests, all of them with ``pytest -m slow``.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.reliability.long_texts import CORE_RUNS, READS, RUNS, Reads, long_texts
from tests.reliability.tiny_models import Models

LENGTH, LONGEST = 1_000, 8_000
MEASURABLE_S = 0.04
"""Work that takes less, in four times the longest text, says nothing by its ratio."""

MOST = 9.0
"""Between linear (4) and quadratic (16)."""

TRIES = 4


@pytest.fixture(scope="module")
def models(tiny_bundle: Path, tiny_rewriter: Path) -> Models:
    return Models.load(tiny_bundle, tiny_rewriter)


def cost(reads: Reads, text: str, models: Models) -> float:
    """The processor time that reading the text takes."""
    begin = time.process_time()
    reads(text, models)
    return time.process_time() - begin


def growth(reads: Reads, unit: str, shape: int, models: Models) -> float:
    """How many times longer a text of four times the length takes; 0 where it takes too little time to tell."""
    length = LENGTH

    def spent(times: int) -> float:
        return cost(reads, long_texts(unit, times * length)[shape], models)

    while (longest := spent(4)) < MEASURABLE_S:
        length *= 2
        if length > LONGEST:
            return 0
    ratio = longest / spent(1)
    for _ in range(TRIES):
        if ratio <= MOST:
            break
        # Once more, since other processes and the first use of something take time too.
        ratio = min(spent(4), spent(4)) / max(spent(1), spent(1))
    return ratio


def check(name: str, runs: tuple[str, ...], shapes: range, models: Models) -> None:
    grown = {
        (run, shape): ratio
        for run in runs
        for shape in shapes
        if (ratio := growth(READS[name], RUNS[run], shape, models)) > MOST
    }
    assert grown == {}


@pytest.mark.parametrize("name", READS)
def test_time_grows_with_the_length(name: str, models: Models) -> None:
    check(name, CORE_RUNS, range(1), models)


@pytest.mark.slow
@pytest.mark.parametrize("name", READS)
def test_time_grows_with_the_length_of_any_run(name: str, models: Models) -> None:
    check(name, tuple(RUNS), range(len(long_texts("a", 1))), models)


def test_quadratic_work_is_noticed(models: Models) -> None:
    def backtracks(text: str, _: Models) -> list[str]:
        return re.findall(r"\w*n't", text)

    # A pause of the machine while the short text is read makes a single ratio too small.
    assert any(growth(backtracks, "a", 0, models) > MOST for _ in range(TRIES))
    assert 0 < growth(lambda text, _: [re.findall(r"\w", text) for _ in range(30)], "a", 0, models) <= MOST
