"""What this program is made of, and under which licences: a folder in a packaged program, else what is installed."""

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
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the program; ``licence`` is a short name, ``text`` all that its owners ask to be passed on."""

    name: str
    version: str
    licence: str
    text: str


def load_parts(folder: Path | None = None) -> list[Part]:
    """All parts by name, this program first: those of ``folder``, by default the program's own, if there is one.

    A source checkout has none, and shows what is installed for it. What cannot be read is left without a text.
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
    """What an installed distribution says about its licence. Raises PackageNotFoundError."""
    held = metadata.distribution(name)
    text = "\n\n".join(_read(path).strip() for path in _texts(held))
    return Part(held.metadata["Name"], held.version, _licence(held.metadata), text)


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
    """The licence of the Python that runs this; empty where it was installed without one."""
    places = (
        Path(sysconfig.get_path("stdlib"), "LICENSE.txt"),
        Path(sysconfig.get_config_var("installed_base") or "", "LICENSE.txt"),
        Path(f"/usr/share/doc/python{sysconfig.get_python_version()}/copyright"),
    )
    return next((_read(place) for place in places if place.is_file()), "")


def _python() -> Part:
    return Part("Python", sysconfig.get_config_var("py_version"), "PSF-2.0", python_licence())


def _installed() -> list[str]:
    """This distribution and all that it needs to run, as far as it is installed."""
    found: dict[str, str] = {}
    wanted = [NAME]
    while wanted:
        name = wanted.pop()
        try:
            held = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        found[name] = held.metadata["Name"]
        needed = (line for line in held.requires or () if not _OF_AN_EXTRA.search(line))
        wanted += [new for new in map(package_name, needed) if new not in found]
    return list(found.values())


def _texts(held: metadata.Distribution) -> list[Path]:
    """The files of licences and notices of a distribution, in its own order; a stem's code is none."""
    return [
        Path(str(file.locate()))
        for file in held.files or ()
        if file.name.lower().startswith(_TEXT) and not file.suffix.startswith(".py")
    ]


def _licence(facts: metadata.PackageMetadata) -> str:
    for said in (*facts.get_all("License-Expression", []), *facts.get_all("License", [])):
        if "\n" not in said and len(said) < _LONGEST_NAME:
            return str(said)
    classified = [one for one in facts.get_all("Classifier", []) if one.startswith("License ::")]
    return classified[0].rpartition(":: ")[2] if classified else ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
