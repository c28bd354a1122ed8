"""A table as text and as Markdown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A titled part of a table; every row has as many cells as ``head``."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Blocks, then notes on how to read them."""

    title: str
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """For a terminal: columns as wide as they must be, the first to the left, the others to the right."""
        parts = [self.title]
        for block in self.blocks:
            lines = [block.head, *block.rows]
            widths = [max(len(line[at]) for line in lines) for at in range(len(block.head))]
            parts += ["", block.title]
            for line in lines:
                first = line[0].ljust(widths[0])
                rest = (cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))
                parts.append("  ".join((first, *rest)).rstrip())
        return "\n".join([*parts, *(("", *self.notes) if self.notes else ())])

    def markdown(self) -> str:
        """For a page: pipe tables under headings, notes as a list."""
        parts = [f"## {self.title}"]
        for block in self.blocks:
            rule = (":--", *("--:" for _ in block.head[1:]))
            lines = [f"| {' | '.join(map(_escaped, line))} |" for line in (block.head, rule, *block.rows)]
            parts += ["", f"### {block.title}", "", *lines]
        return "\n".join([*parts, *(("", *(f"- {note}" for note in self.notes)) if self.notes else ()), ""])


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|")
