"""The packs at hand: those that come with Evenhand and the person's own; which of them are used for a draft."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

from core.documents.types import Document, Format
from core.i18n import tr
from core.paths import NoHomeError, data_folder
from core.style.matcher import StyleMatcher
from core.style.packs import SUFFIX, StylePack, load_pack
from core.style.project import FileOptions, Project, find_project
from core.style.style_findings import StyleChecker
from core.style.toml_source import StyleError
from core.types import Kind, Report, with_findings

_KEPT = 8
"""So many combinations of packs are kept."""

FOLDER = "style"
"""The folder of the person's own packs in the data folder."""


def bundled_folder() -> Path:
    """The folder of the packs that come with Evenhand."""
    from resources import ROOT

    return ROOT / "style"


def own_folder() -> Path:
    """The folder of the person's own packs. It may not exist yet. Raises NoHomeError."""
    return data_folder() / FOLDER


def pack_paths() -> dict[str, Path]:
    """The files of all packs by id; an own pack takes the place of a bundled one of the same name."""
    folders = [bundled_folder()]
    with suppress(NoHomeError):
        folders.append(own_folder())
    return {path.stem: path for folder in folders for path in sorted(folder.glob(f"*{SUFFIX}"))}


def find_pack(name: str, beside: Path) -> Path | None:
    """The file of a pack named by its id, or by a path from the folder ``beside``; None where there is none."""
    if name.endswith(SUFFIX) or "/" in name or "\\" in name:
        path = beside / name
        return path if path.is_file() else None
    return pack_paths().get(name)


@dataclass(frozen=True, slots=True)
class DraftStyle:
    """The rules for a draft, what its project says for it, and the project; None where it belongs to none.

    ``problems`` are sentences on packs and rules that cannot be used.
    """

    checker: StyleChecker
    problems: tuple[str, ...]
    options: FileOptions
    project: Project | None = None

    def complete(
        self, report: Report, document: Document, *, kinds: Collection[Kind], include_quotes: bool
    ) -> Report:
        """The report with the findings of the rules, if they are among ``kinds``, without what the project ignores."""
        if Kind.STYLE in kinds:
            report = self.checker.add_to(report, document, include_quotes=include_quotes)
        if self.project is None:
            return report
        kept = [one for one in report.findings if not self.project.ignores(one, document.source)]
        return with_findings(report, kept) if len(kept) < len(report.findings) else report


class StyleLibrary:
    """Opens packs and keeps them until their files change. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._packs: dict[Path, tuple[tuple[int, int], StylePack]] = {}
        self._checkers: dict[tuple[object, ...], StyleChecker] = {}

    def pack(self, path: Path) -> StylePack:
        """The pack in a file. Raises StyleError."""
        try:
            state = path.stat()
            stamp = (state.st_mtime_ns, state.st_size)
        except OSError:
            stamp = (0, 0)
        with self._lock:
            known = self._packs.get(path)
            if known is None or known[0] != stamp:
                known = stamp, load_pack(path, find=pack_paths().get)
                self._packs[path] = known
            return known[1]

    def default_packs(self, form: Format, choices: Mapping[str, bool]) -> tuple[str, ...]:
        """The ids of the packs for drafts of a format: those chosen, and those that are on by default in it."""
        wanted = []
        for name, path in pack_paths().items():
            try:
                on = choices[name] if name in choices else form.value in self.pack(path).formats
            except StyleError:
                continue
            wanted += [name] if on else []
        return tuple(wanted)

    def packs_for(
        self, path: Path | None, form: Format, *, choices: Mapping[str, bool]
    ) -> tuple[Path, tuple[str, ...]]:
        """The packs for a draft, named by id or by path from the folder that comes first.

        They are those that its project names; else those of the person's ``choices`` (by pack: on or off) and those
        that are on by default in the format. Raises StyleError for a project file that cannot be read.
        """
        project, options = _project_options(path)
        if project is not None and options.packs is not None:
            return project.folder, options.packs
        return Path(), self.default_packs(form, choices)

    def for_draft(
        self,
        path: Path | None,
        form: Format,
        *,
        packs: Sequence[str] | None = None,
        choices: Mapping[str, bool] | None = None,
        draft_choices: Mapping[str, bool] | None = None,
        without: Sequence[str] = (),
    ) -> DraftStyle:
        """The rules for a draft, and what its project says.

        They are those of ``packs``, named by id or by path from the working folder; else those of `packs_for`, with the
        ``draft_choices`` of this draft (by pack: on or off). ``without`` are rules that the person has switched off. A
        pack that cannot be used is a problem, and the others work. Raises StyleError for a project file that cannot be
        read.
        """
        project, options = _project_options(path)
        beside, wanted = Path(), packs
        if wanted is None:
            beside, wanted = self.packs_for(path, form, choices=choices or {})
            own = draft_choices or {}
            more = [name for name in pack_paths() if own.get(name) and name not in wanted]
            wanted = [*(name for name in wanted if own.get(name, True)), *more]
        off = (*without, *(project.without if project is not None else ()))
        checker, problems = self._checker(wanted, beside, off)
        return DraftStyle(checker, problems, options, project)

    def _checker(
        self, names: Sequence[str], beside: Path, without: tuple[str, ...]
    ) -> tuple[StyleChecker, tuple[str, ...]]:
        used: list[StylePack] = []
        problems: list[str] = []
        for name in names:
            path = find_pack(name, beside)
            if path is None:
                problems.append(tr("There is no style pack “{name}”.").format(name=name))
                continue
            try:
                used.append(self.pack(path))
                problems += used[-1].problems
            except StyleError as error:
                problems.append(str(error))
        key = (*(id(pack) for pack in used), without)
        with self._lock:
            if key not in self._checkers:
                self._checkers = dict(list(self._checkers.items())[1 - _KEPT :])
                self._checkers[key] = StyleChecker(StyleMatcher(used, without=without))
            return self._checkers[key], tuple(problems)


def _project_options(path: Path | None) -> tuple[Project | None, FileOptions]:
    """The project of a draft and what it says for it. Raises StyleError."""
    project = find_project(path) if path is not None else None
    return project, project.options_for(path) if project is not None and path is not None else FileOptions()
