"""Whether the paper's ranking of Table 7 comes out again: pair by pair, with a paired bootstrap over test sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from training.metrics.significance import Compared
from training.tables.cells import Cell
from training.tables.layout import Block
from training.wikibias.scoring import compared
from training.wikibias.systems import RANKING, ROWS

HEAD = ("the lower first", "published", "ours", "difference", "95%", "p", "as in the paper?")
_ROWS = ROWS["wikibias-7"]
_CHANCE = 0.05


def ranking(lines: Mapping[str, Sequence[Cell]], *, where: str) -> list[Block]:
    """A block with a line for each pair whose cells learnt from the same material with the same seeds; else none.

    The exact F1 are of the hits of all common seeds together.
    """
    rows: list[tuple[str, ...]] = []
    tally = {"yes": 0, "open": 0, "no": 0}
    for lower, higher in RANKING:
        seeds = _common(lines.get(lower, ()), lines.get(higher, ()))
        if not seeds:
            continue
        ours = [[_of_seed(lines[key], seed) for seed in seeds] for key in (lower, higher)]
        found = compared([cell.counts for cell in ours[1]], [cell.counts for cell in ours[0]])
        told = _verdict(found)
        tally[told.partition(",")[0]] += 1
        rows.append(_line(lower, higher, ours, found, told))
    if not rows:
        return []
    summary = f"{tally['yes']} of {len(rows)} pairs, {tally['open']} open, {tally['no']} not"
    return [Block(f"{where}: is the paper's ranking by exact F1 reproduced? {summary}", HEAD, tuple(rows))]


def _line(
    lower: str, higher: str, ours: Sequence[Sequence[Cell]], found: Compared, told: str
) -> tuple[str, ...]:
    published = [_ROWS[key].published[0] for key in (lower, higher)]
    means = [100 * sum(cell.values["authors_exact_f1"] for cell in side) / len(side) for side in ours]
    gap = found.difference
    return (
        f"{_ROWS[lower].title} < {_ROWS[higher].title}",
        " < ".join(f"{figure:.1f}" for figure in published if figure is not None),
        f"{means[0]:.1f}, {means[1]:.1f}",
        f"{100 * gap.value:+.1f}",
        f"[{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]",
        f"{found.p:.3f}",
        told,
    )


def _verdict(found: Compared) -> str:
    """Yes or no where the interval of the difference leaves 0 out and p is below 0.05, else open."""
    gap = found.difference
    if (gap.low > 0.0 or gap.high < 0.0) and found.p < _CHANCE:
        return "yes" if gap.value > 0.0 else "no, the other way round"
    return f"open, {'as' if gap.value > 0.0 else 'not as'} in the paper but within chance"


def _common(one: Sequence[Cell], other: Sequence[Cell]) -> list[int]:
    """The seeds that both have for the same test sentences."""
    places = [
        {(cell.seed, cell.scale, cell.facts.get("material")) for cell in side if cell.counts}
        for side in (one, other)
    ]
    return sorted(seed for seed, _, _ in places[0] & places[1])


def _of_seed(cells: Sequence[Cell], seed: int) -> Cell:
    return next(cell for cell in cells if cell.seed == seed)
