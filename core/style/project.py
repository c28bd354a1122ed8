"""``.evenhand.toml``: what a project folder says about the drafts in it.

It is looked for in the folder of a draft and upwards. It can name the packs, kinds and sensitivity of all drafts or of
those whose path matches a glob, words and patterns that are never marked, and the files that a folder is checked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import re2

from core.documents.suppression import AllowedPhrases
from core.i18n import tr
from core.style.packs import compile_pattern
from core.style.toml_source import StyleError, TomlSource
from core.types import ALL_KINDS, Finding, Kind

NAME = ".evenhand.toml"
MAX_SENSITIVITY = 12


@dataclass(frozen=True, slots=True)
class FileOptions:
    """What is said for some files. None: nothing is said."""

    packs: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    sensitivity: int | None = None
    quotations: bool | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """One project file. ``overrides`` are pairs of a glob and what holds for the files that it matches, the last first.

    ``without`` are keys of rules that are off; ``include`` and ``exclude`` are globs of the files of a folder.
    """

    path: Path
    options: FileOptions = FileOptions()
    overrides: tuple[tuple[str, FileOptions], ...] = ()
    without: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignored_words: AllowedPhrases = field(default_factory=AllowedPhrases)
    ignored_patterns: tuple[Any, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of the project."""
        return self.path.parent

    def options_for(self, file: Path) -> FileOptions:
        """What is said for a file: by the last override that says it, else for all files."""
        name = self._relative(file)
        said = [options for glob, options in self.overrides if matches_glob(name, glob)]
        said.append(self.options)
        return FileOptions(
            packs=next((one.packs for one in said if one.packs is not None), None),
            kinds=next((one.kinds for one in said if one.kinds is not None), None),
            sensitivity=next((one.sensitivity for one in said if one.sensitivity is not None), None),
            quotations=next((one.quotations for one in said if one.quotations is not None), None),
        )

    def is_wanted(self, file: Path) -> bool:
        """Whether a file of a folder is checked."""
        name = self._relative(file)
        if any(matches_glob(name, glob) for glob in self.exclude):
            return False
        return not self.include or any(matches_glob(name, glob) for glob in self.include)

    def ignores(self, finding: Finding, source: str) -> bool:
        """Whether the words of a finding are ignored by the project."""
        if self.ignored_words.covers(source, finding.start, finding.end):
            return True
        line_start = source.rfind("\n", 0, finding.start) + 1
        line_end = source.find("\n", finding.end)
        line = source[line_start : line_end if line_end >= 0 else len(source)]
        at, end = finding.start - line_start, finding.end - line_start
        return any(
            one.start() <= at and end <= one.end()
            for pattern in self.ignored_patterns
            for one in pattern.finditer(line)
        )

    def _relative(self, file: Path) -> str:
        try:
            return file.resolve().relative_to(self.folder.resolve()).as_posix()
        except ValueError:
            return file.name


def matches_glob(name: str, glob: str) -> bool:
    """Whether a path with ``/`` matches a glob: ``*`` within a name, ``**`` across folders; without ``/`` anywhere."""
    if "/" not in glob:
        return PurePosixPath(name).match(glob)
    return _match_parts(name.split("/"), glob.strip("/").split("/"))


def _match_parts(names: list[str], globs: list[str]) -> bool:
    if not globs:
        return not names
    if globs[0] == "**":
        return any(_match_parts(names[at:], globs[1:]) for at in range(len(names) + 1))
    return bool(names) and PurePosixPath(names[0]).match(globs[0]) and _match_parts(names[1:], globs[1:])


def find_project(file: Path) -> Project | None:
    """The project that a file belongs to; None without a project file. Raises StyleError."""
    try:
        folder = file.resolve().parent
        found = next((one / NAME for one in (folder, *folder.parents) if (one / NAME).is_file()), None)
    except OSError:
        return None
    return load_project(found) if found is not None else None


_OPTIONS = frozenset(("packs", "kinds", "sensitivity", "quotations"))
_KEYS = _OPTIONS | {"without", "include", "exclude", "ignore_words", "ignore_patterns", "files"}


def load_project(path: Path) -> Project:
    """Read a project file. Raises StyleError, which names the file, the line and the reason."""
    source = TomlSource.read(path)
    tables = source.tables
    problems = source.unknown_keys(tables, _KEYS)
    overrides = []
    for number, row in enumerate(source.rows("files")):
        place = ("files", number)
        problems += source.unknown_keys(row, _OPTIONS | {"match"}, place)
        overrides.append((source.text_of(row, "match", place, required=True), _options(source, row, place)))
    if problems:
        raise StyleError(problems[0])
    patterns = []
    for pattern in source.list_of(tables, "ignore_patterns"):
        try:
            patterns.append(compile_pattern(pattern))
        except re2.error as error:
            message = tr("the regular expression is not valid: {reason}").format(reason=error)
            raise StyleError(source.problem(message, "ignore_patterns")) from None
    return Project(
        path=path,
        options=_options(source, tables, None),
        overrides=tuple(reversed(overrides)),
        without=source.list_of(tables, "without"),
        include=source.list_of(tables, "include"),
        exclude=source.list_of(tables, "exclude"),
        ignored_words=AllowedPhrases(source.list_of(tables, "ignore_words")),
        ignored_patterns=tuple(patterns),
    )


def _options(source: TomlSource, table: dict[str, Any], place: tuple[str, int] | None) -> FileOptions:
    kinds = source.list_of(table, "kinds", place)
    for name in kinds:
        if name not in tuple(ALL_KINDS):
            message = tr("“{name}” is not a kind; the kinds are {kinds}").format(
                name=name, kinds=", ".join(ALL_KINDS)
            )
            raise StyleError(source.problem(message, "kinds", place))
    step = table.get("sensitivity")
    if step is not None and (
        not isinstance(step, int) or isinstance(step, bool) or abs(step) > MAX_SENSITIVITY
    ):
        message = tr("“sensitivity” must be a whole number from -{most} to {most}").format(
            most=MAX_SENSITIVITY
        )
        raise StyleError(source.problem(message, "sensitivity", place))
    return FileOptions(
        packs=source.list_of(table, "packs", place) if "packs" in table else None,
        kinds=tuple(kind for kind in ALL_KINDS if kind.value in kinds) if "kinds" in table else None,
        sensitivity=step,
        quotations=source.flag_of(table, "quotations", place),
    )
