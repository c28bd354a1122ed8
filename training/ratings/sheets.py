"""A rater's sheet as CSV for a spreadsheet, and as HTML for printing."""

from __future__ import annotations

import csv
import io
from html import escape
from pathlib import Path

from core.files import write_bytes
from training.ratings.items import Plan, Showing, to_json
from training.ratings.protocols import Criterion, Protocol, RatingError, instructions

KEY = "key.json"
RATERS = "raters"
ID, COMMENT = "id", "comment"
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")

_STYLE = """
body { font: 11pt/1.4 system-ui, sans-serif; max-width: 46em; margin: 2em auto; color: #111; background: #fff; }
section { break-inside: avoid; border-top: 1px solid #888; padding: .6em 0; }
h2 { font-size: 1em; margin: 0 0 .3em; }
dl { margin: 0; } dt { font-weight: bold; } dd { margin: 0 0 .4em 1.5em; }
.scale { white-space: nowrap; margin-right: 1.2em; }
"""


def guarded(text: str) -> str:
    """``text`` so that no spreadsheet takes it for a formula: an apostrophe before what could begin one."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def texts(plan: Plan, showing: Showing) -> tuple[str, str]:
    """The two texts of a row, in the order in which this rater sees them."""
    item = plan.items[showing.item]
    return (item.text, item.source) if showing.turned else (item.source, item.text)


def headings(protocol: Protocol) -> list[str]:
    """The columns of a sheet."""
    return [ID, *protocol.columns, *(one.heading for one in protocol.criteria), COMMENT]


def as_csv(plan: Plan, rater: str) -> bytes:
    """A rater's sheet: UTF-8 with a byte order mark, by which spreadsheets know it."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
    writer.writerow(headings(plan.protocol))
    for showing in plan.sheets[rater]:
        empty = [""] * (len(plan.protocol.criteria) + 1)
        writer.writerow([showing.id, *map(guarded, texts(plan, showing)), *empty])
    return stream.getvalue().encode("utf-8-sig")


def as_html(plan: Plan, rater: str) -> bytes:
    """The same sheet for paper: a page without scripts or anything from elsewhere."""
    told = "".join(f"<p>{escape(line)}</p>" for line in instructions(plan.protocol))
    rows = "".join(
        _section(plan, showing, number) for number, showing in enumerate(plan.sheets[rater], start=1)
    )
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(rater)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(rater)}</h1>{told}\n{rows}</body></html>\n"
    )
    return page.encode()


def write(plan: Plan, folder: Path) -> list[Path]:
    """Write key, instructions and sheets into ``folder``; never over sheets that may be filled.

    Raises RatingError where there is a key already, and FileError.
    """
    raters = folder / RATERS
    if (folder / KEY).exists() or raters.exists():
        raise RatingError(f"{folder} holds rating sheets already. Name another folder with --out.")
    raters.mkdir(parents=True)
    told = "\n\n".join(instructions(plan.protocol))
    key = folder / KEY
    written = [raters / "instructions.txt", key]
    write_bytes(written[0], f"{told}\n".encode("utf-8-sig"))
    write_bytes(key, to_json(plan).encode())
    key.chmod(0o600)
    for rater in plan.sheets:
        for ending, content in (("csv", as_csv(plan, rater)), ("html", as_html(plan, rater))):
            path = raters / f"{rater}.{ending}"
            write_bytes(path, content)
            written.append(path)
    return written


def _section(plan: Plan, showing: Showing, number: int) -> str:
    pairs = zip(plan.protocol.columns, texts(plan, showing), strict=True)
    shown = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
    asked = "".join(_scale(one) for one in plan.protocol.criteria)
    return f"<section><h2>{number} · {showing.id}</h2><dl>{shown}</dl><p>{asked}</p></section>\n"


def _scale(one: Criterion) -> str:
    choices = " ".join(f"☐ {value}" for value in range(one.low, one.high + 1))
    return f'<span class="scale">{escape(one.name)}: {choices}</span> '
