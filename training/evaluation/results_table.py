"""A table of results, as text for a terminal and as Markdown for a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


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
