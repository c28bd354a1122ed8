"""Growth: drafts of 10 to 100,000 sentences, read whole once, then again after one word was put into one sentence.

Each size has a process of its own, so that its memory is its own. Parsing counts. The second reading is the window's:
``core.documents.incremental.IncrementalParser``, a warm engine, and no search for garbage meanwhile
(``app.main_window.garbage_collection``).
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.documents import Format
from core.documents.incremental import IncrementalParser
from core.engine.engine import Engine
from tests.benchmarks.beside.child import Ready, Work, peak
from tests.benchmarks.beside.contenders import Contender, Measured, compare, python
from tests.benchmarks.beside.figures import exponent
from tests.benchmarks.beside.text import draft, sentences

SIZES = (10, 100, 1_000, 10_000, 100_000)
EDITS = 5
FITTED = 3
"""Sizes, the largest, from which the exponents are taken."""


@dataclass(frozen=True, slots=True)
class Grown:
    """The readings of drafts of several sizes, and how their times grow (1: linear, 0: not at all)."""

    sizes: tuple[int, ...]
    measured: tuple[Measured, ...]

    def first(self, at: int) -> float:
        """Seconds of the first reading of the draft of the size at this place."""
        return self.measured[at].told[0]["whole"]

    def again(self, at: int) -> list[float]:
        """Seconds of each reading after an edit."""
        told = self.measured[at].told[0]
        return [told[f"edit {number}"] for number in range(EDITS)]

    @property
    def first_exponent(self) -> float:
        """How the time of the first reading grows."""
        return self._exponent([self.first(at) for at in range(len(self.sizes))])

    @property
    def again_exponent(self) -> float:
        """How the time after an edit grows."""
        return self._exponent([statistics.median(self.again(at)) for at in range(len(self.sizes))])

    def _exponent(self, times: Sequence[float]) -> float:
        """Over the largest sizes: in the smallest, what is done once for every draft weighs most."""
        return exponent(self.sizes[-FITTED:], times[-FITTED:])


def measure(sizes: Sequence[int], told: Callable[[str], None]) -> Grown:
    """Read a draft of each of ``sizes`` once. ``told`` hears which."""
    found = []
    for size in sizes:
        told(f"{size:,} sentences")
        found += compare(
            [Contender(f"{size:,} sentences", "read whole, then after an edit", python("growth:ours", size))],
            1,
        )
    return Grown(tuple(sizes), tuple(found))


def ours(size: str) -> Ready:
    """Run 0 warms with a short draft; run 1 reads the one that is measured."""
    engine = Engine.load()

    def prepare(number: int) -> Work:
        lines = sentences(int(size) if number else 20, seed=number)
        text = draft(lines)
        parser = IncrementalParser()
        before = peak()

        def work() -> dict[str, float]:
            began = time.perf_counter()
            found = len(engine.analyse(parser.parse(text, Format.PLAIN)).findings)
            whole = time.perf_counter() - began
            edits = {f"edit {at}": seconds for at, seconds in enumerate(_edits(engine, parser, lines))}
            return {"whole": whole, "found": float(found), "before": before, **edits}

        return work

    return Ready(engine.name, prepare)


def _edits(engine: Engine, parser: IncrementalParser, lines: list[str]) -> Iterator[float]:
    """Seconds of each reading after a word was put into one of ``lines``, which change."""
    chance = random.Random(len(lines))
    gc.disable()
    for _ in range(EDITS):
        at = chance.randrange(len(lines))
        lines[at] = f"{lines[at].removesuffix('.')} in {chance.randint(2, 10**6)} shameful ways."
        edited = draft(lines)
        began = time.perf_counter()
        engine.analyse(parser.parse(edited, Format.PLAIN))
        yield time.perf_counter() - began
    gc.enable()
