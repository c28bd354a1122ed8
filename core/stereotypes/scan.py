"""A reader's scores of a vocabulary, kept in its bundle: a draft's words need not be read one by one.

Lines of tabs, gzipped: the run of the reader, then a word and four figures of four decimals (bias, then the kinds).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from core.bundle import WORDS, Bundle
from core.findings import KINDS, Kind
from core.stereotypes.scores import WordScore


def write_scan(folder: Path, run: str, scores: Iterable[WordScore]) -> None:
    """Write the scores by the reader of ``run`` into its bundle, which is to be sealed then."""
    lines = [run]
    for score in scores:
        figures = [score.bias, *(score.kinds[kind] for kind in KINDS)]
        lines.append("\t".join([score.word, *(f"{figure:.4f}" for figure in figures)]))
    packed = gzip.compress("\n".join(lines).encode("utf-8"), mtime=0)
    (folder / WORDS).write_bytes(packed)


def scan_of(bundle: Bundle) -> Mapping[str, WordScore]:
    """The scores that were written into ``bundle``; none where there are none, or where another run made them."""
    return _read(bundle.words, bundle.run) if bundle.words is not None else {}


@lru_cache(maxsize=2)
def _read(path: Path, run: str) -> dict[str, WordScore]:
    try:
        made_by, *lines = gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")
        rows = [line.split("\t") for line in lines]
        scores = {word: WordScore(word, float(bias), _kinds(kinds)) for word, bias, *kinds in rows}
    except (OSError, ValueError, EOFError):
        return {}
    return scores if made_by == run else {}


def _kinds(figures: list[str]) -> dict[Kind, float]:
    return dict(zip(KINDS, map(float, figures), strict=True))
