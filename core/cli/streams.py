"""Reading files and standard input, and printing messages: one line each, on standard error."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn, TextIO

from core.reports import terminal
from core.storage.files import MAX_BYTES, FileError, TextFile, decode, read_bytes
from core.types import STANDARD_INPUT

USAGE_ERROR = 2


def read_input(path: str) -> TextFile:
    """The text of a file, or of standard input for ``-``. Raises FileError."""
    return decode(input_bytes(path), name=input_name(path))


def input_name(path: str) -> str:
    """The name of a file, or of standard input, in messages."""
    return "standard input" if path == STANDARD_INPUT else Path(path).name or path


def input_bytes(path: str) -> bytes:
    """The bytes of a file of at most 50 MB, or of standard input for ``-``. Raises FileError."""
    if path != STANDARD_INPUT:
        return read_bytes(Path(path))
    if sys.stdin is None:
        raise FileError("Standard input is closed. Name a file instead.")
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or error
        raise FileError(f"Standard input cannot be read ({reason}). Name a file instead.") from error


def open_streams() -> None:
    """Make both streams write UTF-8 whatever the locale says; a stream that was closed at the start discards its
    output.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def keep_line_ends() -> None:
    """Write line ends to standard output unchanged, on Windows too."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(newline="")


def discard(stream: TextIO) -> None:
    """Discard unwritten output, so that the interpreter does not try to flush it when it exits."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def fail(message: str, path: str | None = None) -> int:
    """Print an error message and return the exit code for it."""
    print_message(message, path)
    return USAGE_ERROR


def print_message(message: str, path: str | None = None) -> None:
    """Print one line on standard error; nothing where that cannot be written."""
    parts = ("evenhand", path, message) if path is not None else ("evenhand", message)
    try:
        print(": ".join(terminal.printable(part) for part in parts), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


class CommandParser(argparse.ArgumentParser):
    """Prints what is wrong with a call in one line."""

    def error(self, message: str) -> NoReturn:
        print_message(f"{message} (see: {self.prog} --help)")
        sys.exit(USAGE_ERROR)


class ProgressPrinter:
    """Prints a line on standard error for every tenth of a download."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def update(self, name: str, done: int, total: int) -> None:
        """Print a line at each new tenth, or at each new megabyte where the total is unknown (0)."""
        step = done * 10 // total if total else done // 10**6
        if (name, step) != self._last:
            self._last = (name, step)
            of = f" of {total:,} ({step * 10}%)" if total else ""
            print(f"{name}: {done:,}{of} bytes", file=sys.stderr, flush=True)
