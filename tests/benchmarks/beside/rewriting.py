"""Rewriting: one ask after the other, ours beside ``transformers.generate`` with the same weights, beam and thread."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path

from core.rewriting.rewriter import BEAM_SIZE, Rewriter, RewriteRequest
from core.rewriting.suggester import PROPOSALS_PER_TARGET
from core.text.tokens import WORD
from tests.benchmarks.beside.child import Ready, Work
from tests.benchmarks.beside.contenders import Contender, Measured, compare, python, read_text, write_text
from tests.benchmarks.beside.text import sentences

OURS, SAME = "rewriter", "transformers.generate"


def measure(folder: Path, *, count: int, runs: int, told: Callable[[str], None]) -> list[Measured]:
    """Ask ``count`` times in each run, each time about the middle word of another sentence."""
    rewriter = Rewriter.load()
    lines = iter(sentences(3 * count * (runs + 1)))
    asks = (RewriteRequest(line, *_middle(line)) for line in lines)
    for number in range(runs + 1):
        taken = list(islice(asks, count))
        sources = [rewriter._source(ask) for ask in taken]
        write_text(folder, number, {"asks": [tuple(ask) for ask in taken], "sources": sources})
    return compare(
        [
            Contender(
                OURS,
                f"{PROPOSALS_PER_TARGET} proposals for one place, beam {BEAM_SIZE}, one thread",
                python("rewriting:ours", folder),
                count,
            ),
            Contender(
                SAME, "the same weights, fp32, beam and thread", python("rewriting:same", folder), count
            ),
        ],
        runs,
        told=told,
    )


def ours(folder: str) -> Ready:
    """``core.rewriting.rewriter``."""
    rewriter = Rewriter.load()

    def prepare(number: int) -> Work:
        asks = [RewriteRequest(*ask) for ask in read_text(folder, number)["asks"]]

        def work() -> None:
            for ask in asks:
                rewriter.propose([ask], PROPOSALS_PER_TARGET)

        return work

    return Ready(f"{rewriter.bundle.title}, ctranslate2 {version('ctranslate2')}", prepare)


def same(folder: str) -> Ready:
    """The bundle's weights, multiplied out, in torch."""
    from core.bundles.rewriter import bundled_rewriter
    from tests.benchmarks.rewriter_speed import _peer

    peer = _peer(bundled_rewriter())

    def prepare(number: int) -> Work:
        sources = read_text(folder, number)["sources"]

        def work() -> None:
            for source in sources:
                peer(*source)

        return work

    return Ready(f"transformers {version('transformers')}, torch {version('torch')}", prepare)


def _middle(line: str) -> tuple[int, int]:
    words = list(WORD.finditer(line))
    return words[len(words) // 2].span()
