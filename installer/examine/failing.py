"""What ends an examination: it failed, or it could not be made."""

from __future__ import annotations


class FailedError(Exception):
    """What is examined does not do what it must. The message says what was seen instead."""


class CannotExamineError(Exception):
    """The examination itself cannot be made here. The message says what is missing and how to get it."""


def check(holds: bool, otherwise: str) -> None:
    """Raise FailedError with this message where something does not hold."""
    if not holds:
        raise FailedError(otherwise)
