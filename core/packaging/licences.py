"""The parts of this program and their licences: from a folder in a packaged program, else from installed packages."""

from __future__ import annotations

import json
import re
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import resources
from core.training_env.project import NAME, package_name

INDEX = "parts.json"
"""In the folder: a list of ``name``, ``version``, ``licence`` and ``file``."""

_TEXT = ("licen", "copying", "notice", "thirdpartynotices")
_OF_AN_EXTRA = re.compile(r"\bextra\s*==")
_MAX_NAME = 80


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the program; ``licence`` is a short name, ``text`` the full licence and notices."""

    name: str
    version: str
    licence: str
    text: str


def load_parts(folder: Path | None = None) -> list[Part]:
    """All parts by name, this program first: from ``folder`` (by default the program's own) or installed packages.

    A source checkout has no such folder. Texts that cannot be read are empty.
    """
    folder = resources.ROOT / "licences" if folder is None else folder
    try:
        rows = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        found = [
            Part(row["name"], row["version"], row["licence"], _read(folder / Path(row["file"]).name))
            for row in rows
        ]
    except (OSError, ValueError, LookupError, TypeError):
        found = [_python(), *map(read_distribution, _installed())]
    return sorted(found, key=lambda part: (part.name.lower() != NAME, part.name.lower()))


def read_distribution(name: str) -> Part:
    """The licence of an installed distribution. Raises PackageNotFoundError."""
    distribution = metadata.distribution(name)
    text = "\n\n".join(_read(path).strip() for path in _texts(distribution))
    return Part(distribution.metadata["Name"], distribution.version, _licence(distribution.metadata), text)


def write_parts(found: Sequence[Part], folder: Path) -> None:
    """Write the folder that `load_parts` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for part in found:
        name = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in part.name)
        (folder / f"{name}.txt").write_text(part.text, encoding="utf-8", newline="\n")
        rows.append(
            {"name": part.name, "version": part.version, "licence": part.licence, "file": f"{name}.txt"}
        )
    (folder / INDEX).write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def python_licence() -> str:
    """The licence of the running Python; empty where it was installed without one."""
    places = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(sysconfig.get_config_var("installed_base") or "", "LICENSE.txt"),
        Path(f"/usr/share/doc/python{sysconfig.get_python_version()}/copyright"),
    )
    return next((_read(place) for place in places if place.is_file()), "")


def _python() -> Part:
    return Part("Python", sysconfig.get_config_var("py_version"), "PSF-2.0", python_licence())


def _installed() -> list[str]:
    """This distribution and its installed dependencies."""
    found: dict[str, str] = {}
    wanted = [NAME]
    while wanted:
        name = wanted.pop()
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        found[name] = distribution.metadata["Name"]
        needed = (line for line in distribution.requires or () if not _OF_AN_EXTRA.search(line))
        wanted += [new for new in map(package_name, needed) if new not in found]
    return list(found.values())


def _texts(distribution: metadata.Distribution) -> list[Path]:
    """The licence and notice files of a distribution, in its order; Python files are not among them."""
    return [
        Path(str(file.locate()))
        for file in distribution.files or ()
        if file.name.lower().startswith(_TEXT) and not file.suffix.startswith(".py")
    ]


def _licence(facts: metadata.PackageMetadata) -> str:
    for licence in (*facts.get_all("License-Expression", []), *facts.get_all("License", [])):
        if "\n" not in licence and len(licence) < _MAX_NAME:
            return str(licence)
    classified = [one for one in facts.get_all("Classifier", []) if one.startswith("License ::")]
    return classified[0].rpartition(":: ")[2] if classified else ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
