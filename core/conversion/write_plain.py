"""Blocks as plain text: the words, the signs of lists, the addresses of links, and the footnotes at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.conversion.types import Block, CodeBlock, Content, Heading, ItemList, Paragraph, Quote, Runs, Table


def write_plain(content: Content) -> str:
    """The text of a plain text file with this content; every line ends with a line end."""
    writer = _Writer()
    parts = list(writer.blocks(content.blocks))
    parts += writer.notes()
    return "\n\n".join(parts) + "\n" if parts else ""


class _Writer:
    def __init__(self) -> None:
        self._notes: list[tuple[Block, ...]] = []

    def notes(self) -> Iterator[str]:
        """The footnotes that were referred to, each behind its number."""
        for number, blocks in enumerate(self._notes, 1):
            yield f"[{number}] " + "\n\n".join(self.blocks(blocks))

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Each block as its lines."""
        for block in blocks:
            match block:
                case Paragraph(runs) | Heading(_, runs):
                    yield self._runs(runs)
                case CodeBlock(text):
                    yield text
                case Quote(inner):
                    yield from self.blocks(inner)
                case ItemList():
                    yield "\n".join(self._items(block))
                case Table(rows):
                    lines = ("\t".join(self._runs(cell).replace("\n", " ") for cell in row) for row in rows)
                    yield "\n".join(lines)

    def _items(self, block: ItemList) -> Iterator[str]:
        for number, item in enumerate(block.items, block.start):
            sign = f"{number}. " if block.numbered else "- "
            text = "\n".join(self.blocks(item))
            yield sign + re.sub(r"\n(?=[^\n])", "\n" + " " * len(sign), text)

    def _runs(self, runs: Runs) -> str:
        parts: list[str] = []
        for number, run in enumerate(runs):
            if run.note is not None:
                self._notes.append(run.note)
                parts.append(f"[{len(self._notes)}]")
                continue
            parts.append(run.text)
            goes_on = number + 1 < len(runs) and runs[number + 1].link == run.link
            if run.link and not goes_on and not _says(run.text, run.link):
                parts.append(f" ({run.link})")
        return "".join(parts)


def _says(text: str, address: str) -> bool:
    """Whether a text is its address."""
    return text.strip() in (address, address.partition("://")[2], address.removeprefix("mailto:"))
