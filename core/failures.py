"""Errors that nobody expected, in words that hold nothing of what was worked on."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_PANIC = "PanicException"


def is_failure(error: BaseException) -> bool:
    """Whether something went wrong, and nobody asked for the end: an exception, or a panic of a library in Rust.

    The bindings derive a panic from BaseException, and every library has a class of its own for it.
    """
    return isinstance(error, Exception) or type(error).__name__ == _PANIC


def describe_failure(error: BaseException) -> str:
    """Its type and where it was raised: ``ValueError in core/text/diff.py:12``. Its message could quote a draft."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_ROOT)] or frames
    if not own:
        return type(error).__name__
    path = Path(own[-1].filename)
    place = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else path.name
    return f"{type(error).__name__} in {place}:{own[-1].lineno}"


@contextmanager
def failures_as(make_error: Callable[[], Exception], *kept: type[BaseException]) -> Iterator[None]:
    """Turn what goes wrong in the ``with`` block into an error with a message; errors of the kinds ``kept`` stay."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, kept) or not is_failure(error):
            raise
        raise make_error() from error
