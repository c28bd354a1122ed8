"""Text that was taken out of a docx, odt or html file: every line is a paragraph, and nothing in it is mark-up."""

from __future__ import annotations

from core.documents.masks import Layout, Span, addresses, even_lines, merge


def lay_out(source: str) -> Layout:
    """Addresses are masked; every line that is not blank is a block."""
    text = even_lines(source)
    blocks: list[Span] = []
    position = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            blocks.append((position, position + len(line)))
        position += len(line) + 1
    return Layout(merge(addresses(text)), tuple(blocks))
