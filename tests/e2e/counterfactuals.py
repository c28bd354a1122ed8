"""Neutral sentences in pairs that differ only in whom they are about, and how often a reader marks both sides alike.

``python -m tests.e2e.counterfactuals`` prints the figures of the bundled reader, and every pair that it reads in two
ways.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations

from core.documents import parse
from core.documents.types import Format
from core.engine.engine import Engine
from core.stereotypes.templates import TEMPLATE_SETS as TEMPLATES
from core.stereotypes.templates import fill_template

SETS = {
    about: TEMPLATES[about]
    for about in (
        "gender",
        "gender, as a name",
        "faith",
        "colour",
        "orientation",
        "origin",
        "age",
        "party",
    )
}
"""Those that the shipped reader is held to; ``evenhand train table counterfactuals`` measures all."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides of a pair; the words that are marked in each."""

    topic: str
    sides: tuple[str, str]
    marks: tuple[tuple[str, ...], tuple[str, ...]]

    @property
    def alike(self) -> bool:
        """Whether both sides are marked or neither is."""
        return bool(self.marks[0]) == bool(self.marks[1])


def pairs(engine: Engine) -> Iterator[Pair]:
    """Every pair, as ``engine`` reads it."""
    rows = [
        (about, [fill_template(template, word) for word in words])
        for about, (templates, swaps) in SETS.items()
        for template in templates
        for words in swaps
    ]
    marks = _marks(engine, [side for _, sides in rows for side in sides])
    for about, sides in rows:
        for one, other in combinations(sides, 2):
            yield Pair(about, (one, other), (marks[one], marks[other]))


def _marks(engine: Engine, sentences: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What is marked in each sentence; each is a paragraph of its own, so that none has to do with another."""
    report = engine.analyse(parse("\n\n".join(sentences), Format.PLAIN))
    starts = list(accumulate((len(sentence) + 2 for sentence in sentences), initial=0))
    found: dict[str, tuple[str, ...]] = dict.fromkeys(sentences, ())
    for finding in report.findings:
        sentence = sentences[bisect_right(starts, finding.start) - 1]
        if finding.text not in found[sentence]:
            found[sentence] += (finding.text,)
    return found


def main() -> None:
    """Print the share of pairs that are read alike, for each set and for all."""
    read = list(pairs(Engine.load()))
    for about in (*SETS, ""):
        some = [pair for pair in read if about in ("", pair.topic)]
        alike = sum(pair.alike for pair in some)
        print(f"{about or 'all':20} {alike} of {len(some)} pairs alike ({alike / len(some):.1%})")
    for pair in read:
        if not pair.alike:
            print(
                *(f"{side}  {list(marks)}" for side, marks in zip(pair.sides, pair.marks, strict=True)),
                sep="\n",
            )


if __name__ == "__main__":
    main()
