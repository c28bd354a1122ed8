"""From the many lines of an installer that failed to the one sentence that a person needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from core.language import tr

_DISK = re.compile(r"No space left on device|Errno 28\b|os error 28\b|not enough space|Disk quota exceeded")
_NETWORK = re.compile(
    r"Failed to establish a new connection|NewConnectionError|ConnectTimeoutError|ReadTimeoutError|NameResolutionError"
    r"|Temporary failure in name resolution|Network is unreachable|Connection refused|Connection broken"
    r"|error sending request|dns error|Failed to fetch|SSLError|ProxyError|Read timed out",
    re.IGNORECASE,
)
_MISSING = (
    re.compile(r"No matching distribution found for ([^\s;(]+)"),
    re.compile(r"[Bb]ecause (?:there (?:are|is) no versions? of )?([\w.-]+)[^ ]* (?:was|were) not found in"),
    re.compile(r"[Bb]ecause there (?:are|is) no versions? of ([\w.-]+)"),
    re.compile(r"[Bb]ecause only (?:the following versions? of )?([\w.-]+)"),
    re.compile(r"[Bb]ecause ([\w.-]+)(?:==\S+)? has no (?:usable )?wheels"),
)


def explained(lines: Sequence[str], code: int | None, *, wheels: Path | None, python: str) -> str:
    """Why the installer failed, and what to do. ``python`` is the version that the wheels must be for."""
    said = "\n".join(lines)
    if _DISK.search(said):
        return tr("The disk is full. Free some space and try again.")
    if wheels is None and _NETWORK.search(said):
        return tr(
            "What training needs could not be fetched: the network or the package index does not answer. Try again "
            "later, or name a folder with the wheels."
        )
    package = missing(lines)
    if package and wheels is not None:
        return tr(
            "The folder {folder} lacks a wheel of {package} for Python {python} on this system. Add it and try again."
        ).format(folder=wheels, package=package, python=python)
    if package:
        return tr("There is no {package} for Python {python} on this system.").format(
            package=package, python=python
        )
    last = next((line for line in reversed(lines) if line.strip()), "")
    return tr("The installer ended with code {code}: {line}").format(code=code, line=last.strip())


def missing(lines: Sequence[str]) -> str:
    """The package that could not be found, as the installer names it; empty if it was something else."""
    # uv breaks its sentences into lines that begin with a frame.
    said = " ".join(re.sub(r"^[\s│╰─▶×├|]+", "", line) for line in lines)
    for pattern in _MISSING:
        if found := pattern.search(said):
            return found[1].rstrip(".,")
    return ""
