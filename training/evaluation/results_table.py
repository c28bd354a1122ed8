"""A table of results, as text for a terminal and as Markdown for a page, and the plan of its cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Block:
    """A titled part of a table; every row has as many cells as ``header``."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self, level: int) -> str:
        """A pipe table under its title, a heading of ``level``."""
        return "\n".join((f"{'#' * level} {self.title}", "", *pipe_table(self.header, self.rows), ""))


@dataclass(frozen=True, slots=True)
class Table:
    """Blocks, then notes on how to read them."""

    title: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal: padded columns, the first aligned to the left, the others to the right."""
        parts = [self.title]
        for block in self.blocks:
            lines = [block.header, *block.rows]
            widths = [max(len(line[at]) for line in lines) for at in range(len(block.header))]
            parts += ["", block.title]
            for line in lines:
                first = line[0].ljust(widths[0])
                rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
                parts.append("  ".join((first, *rest)).rstrip())
        return "\n".join([*parts, *(("", *self.notes) if self.notes else ())])

    def markdown(self, level: int = 2) -> str:
        """For a page: pipe tables, the title as a heading of ``level``, notes as a list."""
        parts = [f"{'#' * level} {self.title}\n", *(block.markdown(level + 1) for block in self.blocks)]
        return "\n".join([*parts, *(f"- {note}" for note in self.notes), *([""] if self.notes else [])])


def pipe_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table, the first column aligned to the left, the others to the right."""
    rule = (":--", *("--:" for _ in header[1:]))
    return [f"| {' | '.join(map(_escape, line))} |" for line in (header, rule, *rows)]


def _escape(cell: str) -> str:
    return cell.replace("|", "\\|")


@dataclass(frozen=True, slots=True)
class TablePlan:
    """Which cells of a table are computed and shown.

    ``encoders`` are folders by key of ``training.modeling.encoders.ENCODERS``; other encoders are loaded by their hub
    name. Empty ``rows`` and ``seeds`` are those of the ``scale``. ``ignore_cache`` computes again what the results of
    the repository hold; ``show`` computes nothing, and shows ``seeds`` only where some are named; ``save_results``
    writes every cell to ``results`` (default: the results file of the paper).
    """

    encoders: Mapping[str, Path] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    scale: str = "cpu"
    spacy: str = "en_core_web_sm"
    ignore_cache: bool = False
    show: bool = False
    save_results: bool = False
    results: Path = Path()
