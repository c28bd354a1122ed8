"""``evenhand check`` and ``evenhand models``: the engine without a window."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn, TextIO

from core import json_report, terminal
from core.bundle import BundleError, load_bundle
from core.documents import Format, detect, parse
from core.engine import Engine, bundled_reader
from core.files import MAX_BYTES, FileError, TextFile, decode, read_text
from core.findings import KINDS, Kind
from core.guides import LexiconError
from core.reader import ReaderError
from core.report import Report

NOTHING_FOUND, FOUND, WRONG = 0, 1, 2
INTERRUPTED, CLOSED_PIPE = 130, 141
"""What a shell reports for a command that Ctrl-C or a closed pipe has ended."""

STANDARD_INPUT = "-"


def main(argv: Sequence[str]) -> int:
    """Run the command line ``argv`` (without the program's name) and return its exit code."""
    _open_streams()
    try:
        code = _run(argv)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard(sys.stdout)
        return CLOSED_PIPE
    except OSError as error:
        _discard(sys.stdout)
        return _fail(f"The answer cannot be written ({error.strerror or error}).")
    return code


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else WRONG
    try:
        return check(arguments) if arguments.command == "check" else list_models()
    except (BundleError, LexiconError) as error:
        return _fail(str(error))


def check(arguments: argparse.Namespace) -> int:
    """Check the files and print what is found. Raises BundleError and LexiconError."""
    as_json = arguments.format == "json"
    checker = _Checker(arguments)
    entries: list[dict[str, Any]] = []
    code = NOTHING_FOUND
    for path in arguments.files:
        try:
            checked = checker.check(path)
        except (FileError, ReaderError) as error:
            code = _fail(str(error), path)
            entries.append(json_report.error_entry(path, str(error)))
            continue
        if checked.report.findings:
            code = max(code, FOUND)
        if as_json:
            entries.append(json_report.file_entry(checked.report))
            for note in checked.report.notes:
                _say(note, path)
        else:
            print(checker.text_form(checked))
    if as_json:
        print(json_report.dump(entries))
    return code


def list_models() -> int:
    """Print the bundled models. Raises BundleError."""
    bundle = load_bundle(bundled_reader())
    print(bundle.title)
    rows = (
        ("role", bundle.role),
        ("run", bundle.run),
        ("folder", bundle.folder),
        ("card", bundle.card or "none"),
    )
    for name, value in rows:
        print(f"  {name:<6}  {value}")
    return NOTHING_FOUND


@dataclass(frozen=True, slots=True)
class _Checked:
    report: Report
    source: str


class _Checker:
    """Reads files one by one; the engine is opened for the first file that there is to read."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._engine: Engine | None = None
        self._input_taken = False

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = Engine.load()
        return self._engine

    def check(self, path: str) -> _Checked:
        """Raises FileError, ReaderError, BundleError and LexiconError."""
        file = self._read(path)
        wanted = self._arguments.input_format
        form = detect(path, file.text) if wanted == "auto" else Format(wanted)
        report = self.engine.analyse(
            parse(file.text, form),
            path=path,
            kinds=self._arguments.kinds,
            min_confidence=self._arguments.min_confidence,
            include_quotes=self._arguments.include_quotes,
        )
        return _Checked(replace(report, notes=(file.note,) if file.note else ()), file.text)

    def text_form(self, checked: _Checked) -> str:
        return terminal.render(
            checked.report,
            checked.source,
            lexicon=self.engine.lexicon,
            width=shutil.get_terminal_size().columns,
            colour=terminal.wants_colour(sys.stdout),
        )

    def _read(self, path: str) -> TextFile:
        if path != STANDARD_INPUT:
            return read_text(Path(path))
        if sys.stdin is None:
            raise FileError("Standard input is closed. Name a file instead.")
        if self._input_taken:
            raise FileError("Standard input can be read only once. Name it once.")
        self._input_taken = True
        try:
            return decode(sys.stdin.buffer.read(MAX_BYTES + 1))
        except OSError as error:
            reason = error.strerror or error
            raise FileError(f"Standard input cannot be read ({reason}). Name a file instead.") from error


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a call in one line."""

    def error(self, message: str) -> NoReturn:
        _say(f"{message} (see: {self.prog} --help)")
        sys.exit(WRONG)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="evenhand", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser(
        "check",
        help="print what is not neutral in files",
        description="Print what is not neutral in files. Exit code: 0 nothing found, 1 something found, "
        "2 the call or a file was wrong.",
        allow_abbrev=False,
    )
    checking.add_argument("files", metavar="FILE", nargs="+", help="a file, or - for standard input")
    checking.add_argument("--format", choices=("text", "json"), default="text", help="form of the answer")
    checking.add_argument(
        "--input-format",
        choices=("auto", *(form.value for form in Format)),
        default="auto",
        help="form of the files (default: from the name, then from the text)",
    )
    checking.add_argument(
        "--kinds",
        type=_kinds,
        default=KINDS,
        metavar="KIND,…",
        help=f"only these kinds of {', '.join(KINDS)}",
    )
    checking.add_argument(
        "--min-confidence",
        type=_probability,
        default=0.0,
        metavar="P",
        help="only findings at least this sure, from 0 to 1",
    )
    checking.add_argument(
        "--include-quotes", action="store_true", help="count what stands inside quotations, too"
    )
    models = commands.add_parser("models", help="show the models", allow_abbrev=False)
    models.add_argument("action", choices=("list",), help="list the models that come with Evenhand")
    return parser


def _kinds(text: str) -> tuple[Kind, ...]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in tuple(KINDS)]
    if unknown or not names:
        what = f"unknown kind {', '.join(unknown)}" if unknown else "no kind given"
        raise argparse.ArgumentTypeError(f"{what}; choose from {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind.value in names)


def _probability(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value


def _open_streams() -> None:
    """Write UTF-8 whatever the locale says; what goes to a stream that was closed before the start goes nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _discard(stream: TextIO) -> None:
    """Send what is still unwritten nowhere, so that the interpreter does not try again at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(message: str, path: str | None = None) -> int:
    _say(message, path)
    return WRONG


def _say(message: str, path: str | None = None) -> None:
    """One line on standard error; where that cannot be written, the answer and the exit code still count."""
    parts = ("evenhand", path, message) if path is not None else ("evenhand", message)
    try:
        print(": ".join(terminal.printable(part) for part in parts), file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
