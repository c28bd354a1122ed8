"""Which files and lines are checked: folders and globs on the command line, and what a commit has changed."""

from __future__ import annotations

import os
import re
import subprocess
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.documents.format_specs import FORMATS
from core.reports.safe_text import LINE_END
from core.storage.files import FileError
from core.style.project import find_project
from core.types import STANDARD_INPUT, Finding

_SUFFIXES = frozenset(suffix for spec in FORMATS.values() for suffix in spec.suffixes)
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_GIT_TIMEOUT_S = 60


def expand(path: str) -> Iterator[str]:
    """The files that an argument names: itself, the files of a folder that can be read, or those of a glob.

    Of a folder, hidden files and what its project file leaves out are not among them. Raises FileError where a folder
    or a glob names no file, and StyleError for a project file that cannot be read.
    """
    place = Path(path)
    if path == STANDARD_INPUT or os.path.isfile(path):  # noqa: PTH113 - a name that is too long is no file
        yield path
    elif os.path.isdir(path):  # noqa: PTH112
        found = list(_files_in(place))
        if not found:
            endings = ", ".join(sorted(_SUFFIXES))
            raise FileError(f"There is no file to check in this folder. Evenhand reads {endings}.")
        yield from found
    elif any(sign in path for sign in "*?["):
        found_paths = Path(place.anchor).glob(place.relative_to(place.anchor).as_posix())
        names = sorted(str(one) for one in found_paths if one.is_file())
        if not names:
            raise FileError("No file matches this pattern.")
        yield from names
    else:
        yield path


def _files_in(folder: Path) -> Iterator[str]:
    project = find_project(folder / "any")
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(here) / name
            if name.startswith(".") or path.suffix.lower() not in _SUFFIXES:
                continue
            if project is None or project.is_wanted(path):
                yield str(path)


class ChangedLines:
    """The lines of files that differ from a Git revision."""

    def __init__(self, revision: str) -> None:
        self._revision = revision

    def of(self, path: str) -> list[tuple[int, int]]:
        """(first, last) of each changed stretch of lines, counted from 1; of a file that Git does not know, all.

        Raises FileError where there is no repository, no such revision, or no Git.
        """
        place = Path(path).absolute()
        self._run(place, "rev-parse", "--verify", "--quiet", f"{self._revision}^{{commit}}")
        if not self._run(place, "ls-files", "--", place.name):
            return [(1, 1 << 60)]
        diff = self._run(
            place, "diff", "--unified=0", "--no-color", "--no-ext-diff", self._revision, "--", place.name
        )
        found = []
        for first, count in _HUNK.findall(diff):
            length = int(count) if count else 1
            if length:
                found.append((int(first), int(first) + length - 1))
        return found

    def _run(self, place: Path, *arguments: str) -> bytes:
        call = ["git", "-C", str(place.parent), *arguments]
        try:
            done = subprocess.run(call, capture_output=True, timeout=_GIT_TIMEOUT_S, check=False)
        except FileNotFoundError:
            raise FileError("--changed-since needs Git, which is not installed.") from None
        except subprocess.TimeoutExpired:
            raise FileError("Git does not answer. Check without --changed-since.") from None
        if done.returncode:
            reason = done.stderr.decode(errors="replace").strip().splitlines()
            said = reason[-1] if reason else f"there is no commit {self._revision!r}"
            raise FileError(f"Git cannot say what has changed ({said}).")
        return done.stdout


def on_lines(findings: Sequence[Finding], source: str, lines: Sequence[tuple[int, int]]) -> list[Finding]:
    """The findings that touch one of the stretches of lines (counted from 1, first and last)."""
    ends = [match.end() for match in LINE_END.finditer(source)]
    kept = []
    for finding in findings:
        first = bisect_right(ends, finding.start) + 1
        last = bisect_right(ends, max(finding.start, finding.end - 1)) + 1
        if any(first <= stop and start <= last for start, stop in lines):
            kept.append(finding)
    return kept
