"""A report's page cut into parts that are laid out one by one: a long text laid out whole would stop the window.

Rich text knows a part of HTML only: the style sheet goes, charts become objects, tables get the widths of columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

LINES, ROWS = 16, 12
"""Lines of a draft and rows of a table in one part."""

EMPTY = "<p></p>\n"

# Percents of the page for the columns of each table.
_COLUMNS = {
    "figures": (38, 62),
    "findings": (5, 15, 15, 8, 6, 51),
    "findings suggested": (5, 13, 15, 8, 6, 30, 23),
    "changes": (50, 50),
}
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_TABLE = re.compile(r'<table class="([a-z ]+)">(.*?</tr>)', re.DOTALL)
_CELL = re.compile(r"<t[hd]\b")


def parts(pieces: Iterable[str]) -> Iterator[str]:
    """HTML that can stand alone, in the order of the page, from the ``pieces`` of ``core.reports.html_report``."""
    opening, closing, most = "", "", 0
    held: list[str] = []
    for piece in pieces:
        if piece.startswith("<table") and piece.endswith("<tbody>\n"):
            opening, closing, most = _with_widths(piece), "</tbody></table>", ROWS
        elif piece.startswith("</tbody>") or (closing and piece.startswith("</div>")):
            if held:
                yield opening + "".join(held) + closing
            opening, closing, most, held = "", "", 0, []
        elif closing:
            # An empty line is seen by the space between paragraphs.
            held += [] if piece == EMPTY else [piece]
            if len(held) == most:
                yield opening + "".join(held) + closing
                held = []
        elif piece.startswith('<div class="draft"'):
            opening, closing, most = piece, "</div>", LINES
        else:
            yield _with_widths(_STYLE.sub("", piece))


def _with_widths(html: str) -> str:
    return _TABLE.sub(_widened, html)


def _widened(match: re.Match[str]) -> str:
    widths = iter(_COLUMNS.get(match[1], ()))
    row = _CELL.sub(lambda cell: f'{cell.group()} width="{next(widths, 10)}%"', match[2])
    return f'<table class="{match[1]}" width="100%">{row}'
