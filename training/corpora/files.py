"""Corpus files as lines and rows: UTF-8, plain or packed with xz; whatever is wrong is one clear CorpusError."""

from __future__ import annotations

import csv
import json
import lzma
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from training.types import DOWNLOAD_AGAIN, CorpusError, CorpusFacts, OnMessage, print_to_stderr

Row = dict[str, str]
RowT = TypeVar("RowT")
_NAMED = 3


def read_lines(path: Path) -> Iterator[str]:
    """Lines of a text file with their ends; a byte order mark at the start is taken off.

    Raises CorpusError with the row's number for what is not UTF-8, and for a damaged or truncated packed file.
    """
    number = 0
    packed = path.suffix == ".xz"
    try:
        with lzma.open(path, "rb") if packed else path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                    raise CorpusError(f"{path}, row 1: encoded as UTF-16, not as UTF-8. {DOWNLOAD_AGAIN}")
                if b"\0" in raw:
                    raise CorpusError(
                        f"{path}, row {number}: holds zero bytes, so it is not a text. {DOWNLOAD_AGAIN}"
                    )
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        wrong = error.object[error.start]
        raise CorpusError(
            f"{path}, row {number}: byte 0x{wrong:02x} is not UTF-8; the file was saved in another encoding. "
            f"{DOWNLOAD_AGAIN}"
        ) from error
    except EOFError as error:
        raise CorpusError(f"{path}, after row {number}: the file is truncated. {DOWNLOAD_AGAIN}") from error
    except lzma.LZMAError as error:
        raise CorpusError(
            f"{path}, after row {number}: the file is damaged ({error}). {DOWNLOAD_AGAIN}"
        ) from error


def read_table(path: Path, *, columns: Sequence[str], delimiter: str) -> Iterator[tuple[int, Row]]:
    """Rows of a table with a header that names at least ``columns``, each with the number of its first line.

    Raises CorpusError for other columns, for a row with too few or too many cells, and where there is no row.
    """
    records = _records(path, delimiter)
    _, header = next(records, (1, []))
    check_columns(path, header, columns)
    number = 1
    for number, cells in records:
        if len(cells) != len(header):
            raise cell_count_error(path, number, len(cells), len(header), last=next(records, None) is None)
        yield number, dict(zip(header, cells, strict=True))
    if number == 1:
        raise CorpusError(f"{path} contains no rows. {DOWNLOAD_AGAIN}")


def check_columns(path: Path, header: Sequence[str], columns: Sequence[str]) -> None:
    """Raise CorpusError unless a table's header names every one of ``columns``."""
    missing = [column for column in columns if column not in header]
    if missing:
        raise CorpusError(
            f"{path}, row 1: no column {', '.join(missing)}; the file was altered, or is another one. {DOWNLOAD_AGAIN}"
        )


def cell_count_error(path: Path, number: int, cells: int, wanted: int, *, last: bool) -> CorpusError:
    """The error for a row with the wrong number of cells: where a short one is the last, the file was cut off."""
    why = "the file is truncated" if last and cells < wanted else "the file was altered"
    return CorpusError(f"{path}, row {number}: {cells} columns instead of {wanted}; {why}. {DOWNLOAD_AGAIN}")


def _records(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(read_lines(path), delimiter=delimiter, strict=True)
    first = 1
    try:
        for cells in reader:
            number, first = first, reader.line_num + 1
            if cells:
                yield number, cells
    except csv.Error as error:
        cut = "unexpected end" in str(error)
        why = "the file ends inside it, so it is truncated" if cut else f"not a row of a table ({error})"
        raise CorpusError(f"{path}, row {first}: {why}. {DOWNLOAD_AGAIN}") from error


class UnreadableRows:
    """Counts the rows of a file that cannot be read, and reports them in one line.

    ``what`` is the singular and plural of what is left out, ``at`` what numbers it, ``use`` what it cannot be used for;
    ``expected`` says what a good one looks like.
    """

    def __init__(
        self,
        path: Path,
        on_message: OnMessage = print_to_stderr,
        *,
        what: tuple[str, str] = ("row", "rows"),
        at: str = "row",
        use: str = "read",
        expected: str = "",
    ) -> None:
        self._path = path
        self._say = on_message
        self._one, self._many = what
        self._at = at
        self._use = use
        self._expected = f" Expected: {expected}." if expected else ""
        self._rows: list[tuple[int, str]] = []
        self._number = 0

    def reading(self, rows: Iterable[tuple[int, RowT]]) -> Iterator[RowT]:
        """The rows without their numbers. After the last one ``done`` reports which of them were left out."""
        count = 0
        for self._number, row in rows:
            count += 1
            yield row
        self.done(count - len(self._rows))

    def leave_out(self, why: str) -> None:
        """Count the present row of ``reading``; ``why`` goes after its number."""
        self.add(self._number, why)

    def add(self, number: int, why: str) -> None:
        """Count a row; ``why`` goes after its number."""
        self._rows.append((number, why))

    def done(self, readable: int) -> None:
        """Report what was counted. Raises CorpusError where not one row was ``readable``."""
        count = len(self._rows)
        if not count:
            return
        named = "; ".join(f"{self._at} {number}: {why}" for number, why in self._rows[:_NAMED])
        listed = f"({named}{'; …' if count > _NAMED else ''}).{self._expected}"
        if not readable:
            raise CorpusError(
                f"{self._path}: not one of {count:,} {self._many} can be {self._use} {listed} {DOWNLOAD_AGAIN}"
            )
        rows, are = (self._one, "is") if count == 1 else (self._many, "are")
        self._say(f"{self._path}: {count:,} {rows} cannot be {self._use} and {are} left out {listed}")


def read_json_rows(
    path: Path,
    parse: Callable[[dict[str, Any]], RowT],
    *,
    expected: str,
    on_message: OnMessage = print_to_stderr,
) -> list[RowT]:
    """What ``parse`` makes of the JSON object on each line. Lines that it cannot read are left out and reported once.

    Raises CorpusError where there is no line that can be read.
    """
    unread = UnreadableRows(path, on_message, expected=expected)
    found: list[RowT] = []
    lines = ((number, line) for number, line in enumerate(read_lines(path), start=1) if line.strip())
    for line in unread.reading(lines):
        try:
            found.append(parse(json.loads(line)))
        except (json.JSONDecodeError, RecursionError):
            unread.leave_out("no JSON")
        except KeyError as error:
            unread.leave_out(f"no {error.args[0]}")
        except ValueError as error:
            unread.leave_out(str(error))
        except (TypeError, AttributeError, LookupError):
            unread.leave_out("another layout")
    if not found:
        raise CorpusError(f"{path} contains no rows. {DOWNLOAD_AGAIN}")
    return found


def ignore_message(_: str) -> None:
    """Ignores messages, for a corpus that is read a second time."""


class OptionalCorpora:
    """Loads corpora that a run can do without; ``missing`` says what it then does not learn, ``absent`` which they are.

    A part without which its corpus is still used has no facts.
    """

    def __init__(self, on_message: OnMessage) -> None:
        self._on_message = on_message
        self.missing: list[str] = []
        self.absent: list[CorpusFacts] = []

    def __call__(
        self, load: Callable[[], list[RowT]], what: str, facts: CorpusFacts | None = None
    ) -> list[RowT]:
        try:
            return load()
        except CorpusError as error:
            if facts is not None:
                self.absent.append(facts)
            self.missing.append(what if facts is None else f"{facts.name}: {what}")
            self._on_message(f"The run goes on without {what}. {error}")
            return []
