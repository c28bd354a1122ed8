"""Rating sheets as CSV and HTML, and filled ones read and checked cell by cell."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from core.storage.files import FileError, read_text, write_bytes
from training.papers.rating_items import (
    Criterion,
    Plan,
    Protocol,
    SheetRow,
    dump_plan,
    instructions,
    load_plan,
)
from training.types import RatingError

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


def escape_formula(text: str) -> str:
    """``text`` with an apostrophe before a character that starts a formula in spreadsheets."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def texts(plan: Plan, showing: SheetRow) -> tuple[str, str]:
    """The two texts of a row, in the order of the sheet."""
    item = plan.items[showing.item]
    return (item.text, item.source) if showing.turned else (item.source, item.text)


def column_names(protocol: Protocol) -> list[str]:
    """The columns of a sheet."""
    return [ID, *protocol.columns, *(one.heading for one in protocol.criteria), COMMENT]


def to_csv(plan: Plan, rater: str) -> bytes:
    """A rater's sheet."""
    empty = [""] * (len(plan.protocol.criteria) + 1)
    rows = ([showing.id, *texts(plan, showing), *empty] for showing in plan.sheets[rater])
    return csv_bytes(column_names(plan.protocol), rows)


def csv_bytes(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A sheet in UTF-8 with a byte order mark, which spreadsheets need."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
    writer.writerow(heads)
    writer.writerows(map(escape_formula, row) for row in rows)
    return stream.getvalue().encode("utf-8-sig")


def to_html(plan: Plan, rater: str) -> bytes:
    """The same sheet for printing, without scripts or external resources."""
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in instructions(plan.protocol))
    rows = "".join(
        _section(plan, showing, number) for number, showing in enumerate(plan.sheets[rater], start=1)
    )
    page = (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(rater)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(rater)}</h1>{paragraphs}\n{rows}</body></html>\n"
    )
    return page.encode()


def write(plan: Plan, folder: Path) -> list[Path]:
    """Write the sheets of a plan, see ``write_sheets``."""
    sheets = {
        f"{rater}.{ending}": content
        for rater in plan.sheets
        for ending, content in (("csv", to_csv(plan, rater)), ("html", to_html(plan, rater)))
    }
    return write_sheets(folder, instructions=instructions(plan.protocol), key=dump_plan(plan), sheets=sheets)


def write_sheets(
    folder: Path, *, instructions: Sequence[str], key: str, sheets: Mapping[str, bytes]
) -> list[Path]:
    """Write key, instructions and sheets (by file name) into ``folder``; existing sheets are never overwritten.

    Raises RatingError where there are sheets already, and FileError.
    """
    raters = folder / RATERS
    if (folder / KEY).exists() or raters.exists():
        raise RatingError(f"{folder} holds rating sheets already. Name another folder with --out.")
    raters.mkdir(parents=True)
    written = [raters / "instructions.txt", folder / KEY]
    write_bytes(written[0], "\n\n".join(instructions).encode("utf-8-sig") + b"\n")
    write_bytes(written[1], key.encode())
    written[1].chmod(0o600)
    for name, content in sheets.items():
        write_bytes(raters / name, content)
        written.append(raters / name)
    return written


def _section(plan: Plan, showing: SheetRow, number: int) -> str:
    pairs = zip(plan.protocol.columns, texts(plan, showing), strict=True)
    shown = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in pairs)
    asked = "".join(_scale(one) for one in plan.protocol.criteria)
    return f"<section><h2>{number} · {showing.id}</h2><dl>{shown}</dl><p>{asked}</p></section>\n"


def _scale(one: Criterion) -> str:
    choices = " ".join(f"☐ {value}" for value in range(one.low, one.high + 1))
    return f'<span class="scale">{escape(one.name)}: {choices}</span> '


_MAX_FAULTS = 20
_WHOLE = re.compile(r"([+-]?\d{1,3})(?:[.,]0+)?", re.ASCII)
_BARE = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Rating:
    """One unblinded answer: about a source and its system's text, whatever their order in the sheet."""

    rater: str
    item: int
    criterion: str
    value: int
    again: bool


def read(folder: Path, *, partial: bool) -> tuple[Plan, list[Rating]]:
    """The plan and all ratings of a folder. Raises RatingError with one line for each fault, at most twenty.

    With ``partial`` empty cells, missing rows and missing sheets are ignored.
    """
    plan = load_plan(folder / KEY)
    faults: list[str] = []
    ratings: list[Rating] = []
    for rater in plan.sheets:
        path = folder / RATERS / f"{rater}.csv"
        if path.is_file():
            ratings += _sheet(path, plan, rater, partial=partial, faults=faults)
        elif not partial:
            faults.append(
                f"{path}: it is missing. Put the filled sheet there, or score without it with --partial."
            )
    if faults:
        left = len(faults) - _MAX_FAULTS
        raise RatingError("\n".join([*faults[:_MAX_FAULTS], *([f"… and {left} more."] if left > 0 else [])]))
    if not ratings:
        raise RatingError(f"No cell is filled in {folder / RATERS}. Let the raters fill their sheets first.")
    return plan, ratings


def _sheet(path: Path, plan: Plan, rater: str, *, partial: bool, faults: list[str]) -> list[Rating]:
    known = {showing.id: showing for showing in plan.sheets[rater]}
    wanted = [ID, *plan.protocol.columns, *(one.heading for one in plan.protocol.criteria)]
    ratings: list[Rating] = []
    seen: set[str] = set()
    try:
        for where, row in read_rows(path, wanted):
            showing = _showing(row, known, seen, plan, where=where, faults=faults)
            if showing is None:
                continue
            seen.add(showing.id)
            for one in plan.protocol.criteria:
                value = _answer(
                    (row[one.heading] or "").strip(), one, where=where, partial=partial, faults=faults
                )
                if value is not None:
                    turned = -1 if one.sided and showing.turned else 1
                    ratings.append(Rating(rater, showing.item, one.name, turned * value, showing.again))
    except RatingError as error:
        faults.append(str(error))
        return ratings
    if not partial:
        lost = [name for name in known if name not in seen]
        faults.extend(
            f"{path}: the row {name} is missing. Put it back from a copy of the sheet." for name in lost
        )
    return ratings


def read_rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[str, dict[str, str | None]]]:
    """Where each row of a filled sheet stands, and its cells by column.

    Raises RatingError for a file that cannot be read, and one without the columns ``wanted``.
    """
    try:
        text = read_text(path).text
    except FileError as error:
        raise RatingError(str(error)) from error
    # Many spreadsheets write semicolons or tabs.
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    missing = [name for name in wanted if name not in (reader.fieldnames or ())]
    if missing:
        raise RatingError(f"{path}, line 1: no column {missing[0]!r}. Give the columns the names they had.")
    try:
        for row in reader:
            yield f"{path}, line {reader.line_num}", row
    except csv.Error as error:
        raise RatingError(
            f"{path}, line {reader.line_num}: {error}. Save the sheet as CSV once more."
        ) from error


def _showing(
    row: dict[str, str | None],
    known: Mapping[str, SheetRow],
    seen: Collection[str],
    plan: Plan,
    *,
    where: str,
    faults: list[str],
) -> SheetRow | None:
    """The row of the plan for a row of a file; None for an empty row and for a fault, which is appended."""
    name = (row[ID] or "").strip().upper()
    showing = known.get(name)
    if showing is None:
        if any(cell.strip() for cell in row.values() if isinstance(cell, str)):
            faults.append(f"{where}: {name!r} is no id of this sheet. Give the row the id it had.")
        return None
    if name in seen:
        faults.append(f"{where}: {name} occurs twice. Delete one of the two rows.")
        return None
    if not _same_texts(row, plan, showing):
        faults.append(
            f"{where}: the sentences are not those of {name}. Undo the sorting or the change; rows must stay whole."
        )
        return None
    return showing


def _answer(cell: str, one: Criterion, *, where: str, partial: bool, faults: list[str]) -> int | None:
    if not cell:
        if not partial:
            faults.append(f"{where}: {one.name} is empty. Fill it, or score what is there with --partial.")
        return None
    number = _WHOLE.fullmatch(cell.lstrip("'").replace("−", "-").replace("–", "-"))
    if number is None or not one.low <= int(number[1]) <= one.high:
        faults.append(f"{where}: {one.name} is {cell!r}. Give a whole number from {one.low} to {one.high}.")
        return None
    return int(number[1])


def _same_texts(row: dict[str, str | None], plan: Plan, showing: SheetRow) -> bool:
    """Compares ASCII letters and digits only: spreadsheets change quotation marks, and some lose other alphabets."""
    shown = zip(plan.protocol.columns, texts(plan, showing), strict=True)
    return all(
        to_ascii_alphanumerics(row[name] or "") == to_ascii_alphanumerics(text) for name, text in shown
    )


def to_ascii_alphanumerics(text: str) -> str:
    """ASCII letters and digits only, in lower case."""
    return _BARE.sub("", text.lower())
