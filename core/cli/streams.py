"""What the commands read and how they speak: standard input once, one clear line on standard error."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from core.reports import terminal
from core.storage.files import MAX_BYTES, FileError, TextFile, decode, read_bytes

USAGE_ERROR = 2
STANDARD_INPUT = "-"


def read_input(path: str) -> TextFile:
    """The text of a file, or of standard input for ``-``. Raises FileError."""
    return decode(input_bytes(path), name=input_name(path))


def input_name(path: str) -> str:
    """What messages call a file, or standard input."""
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
    """Write UTF-8 whatever the locale says; what goes to a stream that was closed before the start goes nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def keep_line_ends() -> None:
    """Write line ends to standard output as they are, on Windows too."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(newline="")


def discard(stream: TextIO) -> None:
    """Send what is still unwritten nowhere, so that the interpreter does not try again at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def fail(message: str, path: str | None = None) -> int:
    """Say what is wrong; returns the exit code for it."""
    print_message(message, path)
    return USAGE_ERROR


def print_message(message: str, path: str | None = None) -> None:
    """One line on standard error; where that cannot be written, the answer and the exit code still count."""
    parts = ("evenhand", path, message) if path is not None else ("evenhand", message)
    try:
        print(": ".join(terminal.printable(part) for part in parts), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


class ProgressPrinter:
    """Tells every tenth of a file that comes on standard error, in one line each."""

    def __init__(self) -> None:
        self._last = ("", -1)

    def told(self, name: str, done: int, total: int) -> None:
        """A plain line where a new tenth, or of an unknown size a new megabyte, is reached."""
        step = done * 10 // total if total else done // 10**6
        if (name, step) != self._last:
            self._last = (name, step)
            of = f" of {total:,} ({step * 10}%)" if total else ""
            print(f"{name}: {done:,}{of} bytes", file=sys.stderr, flush=True)
