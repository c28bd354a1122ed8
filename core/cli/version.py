"""The version of the program."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The version of the program, ``0`` where it is not installed."""
    try:
        return version("evenhand")
    except PackageNotFoundError:
        return "0"
