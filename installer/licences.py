"""The licences of everything in a package, collected during the build.

A file of an unknown part, or a part without a licence text, fails the build.
"""

from __future__ import annotations

import json
import subprocess
import sysconfig
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import metadata
from pathlib import Path

from core.packaging.licences import Part, python_licence, read_distribution, write_parts
from installer.parts import DISTRIBUTIONS, Entry, is_of_system
from installer.project import ROOT, TITLE, facts

TEXTS = ROOT / "installer" / "texts"
APACHE = ROOT / "LICENSE"
_BUILDERS = ("pyinstaller", "pyinstaller-hooks-contrib")
"""Their boot loader and start-up modules are in the program."""
_QT = (TEXTS / "LGPL-3.0.txt", TEXTS / "GPL-3.0.txt", TEXTS / "Qt-base-parts.txt", TEXTS / "ICU.txt")
_GCC = (TEXTS / "GCC-exception.txt", TEXTS / "GPL-3.0.txt")
_NOTICES: dict[str, tuple[str, tuple[Path, ...]]] = {
    "ctranslate2": (
        "Copyright (c) 2018 SYSTRAN. Copyright (c) 2019 The OpenNMT Authors.\n\nIts library holds parts of oneDNN "
        "(Apache 2.0), Intel MKL and NVIDIA's CUDA runtime and comes with GCC's libgomp; their licences follow.",
        (TEXTS / "MIT.txt", APACHE, TEXTS / "Intel-MKL.txt", TEXTS / "NVIDIA-CUDA.txt", *_GCC),
    ),
    "tokenizers": ("Copyright 2018 The HuggingFace Team.", (APACHE, TEXTS / "MIT.txt")),
    "PySide6_Essentials": (
        "Qt for Python and Qt, copyright The Qt Company Ltd. and other contributors, under the LGPL 3. The libraries "
        "are separate files beside this program and may be replaced by others; their source code is at "
        "https://download.qt.io and https://code.qt.io. Licences of the parts of Qt follow.",
        _QT,
    ),
    "google-re2": (
        "Its library holds parts of Abseil, copyright The Abseil Authors (Apache 2.0); the licence follows.",
        (APACHE,),
    ),
    "PyYAML": (
        "Its library holds libyaml, copyright 2017-2020 Ingy döt Net and 2006-2016 Kirill Simonov (MIT).",
        (TEXTS / "MIT.txt",),
    ),
    "odfpy": (
        "Copyright (C) 2006-2014 Søren Roug, European Environment Agency, and other contributors; used under the "
        "Apache License 2.0, which follows.",
        (APACHE,),
    ),
    "spylls": (
        "Copyright Victor Shepelev and other contributors, under the Mozilla Public License 2.0; used unchanged. Its "
        "source code is at https://github.com/zverok/spylls. None of the dictionaries that come with it is included.",
        (),
    ),
    "shiboken6": ("Copyright The Qt Company Ltd.; see PySide6_Essentials.", _QT[:2]),
}
"""Notices and texts for distributions that lack them."""

_RULE = "\n\n" + "-" * 40 + "\n\n"
_Owner = Callable[[str], str]


class LicenceError(Exception):
    """A part cannot be distributed as it is. The message names it."""


def collect(entries: Iterable[Entry], folder: Path) -> None:
    """Write the licences of all parts into ``folder``, for `core.packaging.licences.load_parts`.

    ``entries`` are all bundled modules, libraries and data with their origin. Raises LicenceError.
    """
    entries = list(entries)
    check_owners(entries)
    system = {Path(source).resolve() for _place, source, _kind in entries if source and is_of_system(source)}
    found = [
        program_part(),
        _checked(Part("Python", sysconfig.get_config_var("py_version"), "PSF-2.0", python_licence())),
        *(distribution_part(name) for name in (*DISTRIBUTIONS, *_BUILDERS)),
        *system_parts(sorted(system)),
        *model_parts(ROOT / "resources" / "models"),
        lexicon_part(ROOT / "resources" / "lexicons"),
    ]
    write_parts(found, folder)


def check_owners(entries: Iterable[Entry], site: Path | None = None) -> None:
    """Raise LicenceError for an entry from ``site`` that belongs to no known distribution."""
    site = site or Path(sysconfig.get_path("purelib"))
    known = {top for name in (*DISTRIBUTIONS, *_BUILDERS) for top in _top_folders(name)}
    for place, source, _kind in entries:
        path = Path(source or "")
        if path.is_relative_to(site) and path.relative_to(site).parts[0] not in known:
            raise LicenceError(f"{place} belongs to no part that installer.parts.DISTRIBUTIONS names.")


def program_part() -> Part:
    """The licence of this program."""
    about = facts()
    return Part(TITLE, about.version, about.licence, APACHE.read_text(encoding="utf-8"))


def distribution_part(name: str) -> Part:
    """A distribution with its licence text. Raises LicenceError where there is none."""
    part = read_distribution(name)
    notice, files = _NOTICES.get(name, ("", ()))
    texts = [notice, part.text, *(path.read_text(encoding="utf-8") for path in files), crates(name)]
    return _checked(
        replace(part, text=_RULE.join(text.strip() for text in texts if text.strip())), notice=notice
    )


def crates(name: str) -> str:
    """The components linked into a distribution, from its bill of materials: name, version and licence, one a line."""
    boms = (file for file in metadata.distribution(name).files or () if file.name.endswith(".cyclonedx.json"))
    lines = []
    for bom in boms:
        for one in json.loads(Path(str(bom.locate())).read_text(encoding="utf-8")).get("components", ()):
            terms = ", ".join(
                term.get("expression") or term.get("license", {}).get("id", "")
                for term in one.get("licenses", ())
            )
            lines.append(f"{one['name']} {one.get('version', '')}  {terms}".rstrip())
    return "\n".join(["Linked into it:", "", *sorted(lines)]) if lines else ""


def system_parts(
    libraries: Iterable[Path], owner: _Owner | None = None, documents: Path = Path("/usr/share/doc")
) -> list[Part]:
    """The included libraries of the build machine, by package. Raises LicenceError."""
    owner = owner or _debian_owner
    found = {}
    for library in libraries:
        package = owner(str(library))
        name, _, version = package.partition(" ")
        text = documents / name / "copyright"
        if not package or not text.is_file():
            raise LicenceError(f"{library} has no copyright file. Leave it out, or install it anew.")
        found[name] = Part(name, version, "", text.read_text(encoding="utf-8", errors="replace"))
    return [found[name] for name in sorted(found)]


def model_parts(folder: Path) -> list[Part]:
    """The models with their cards, which name the training corpora and their terms."""
    found = []
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        manifest = json.loads((place / "bundle.json").read_text(encoding="utf-8"))
        terms = "; ".join(dict.fromkeys(corpus["licence"] for corpus in manifest["corpora"]))
        card = (place / "README.md").read_text(encoding="utf-8")
        licence = f"{facts().licence}; texts: {terms}"
        found.append(_checked(Part(f"Model {manifest['name']}", manifest["version"], licence, card)))
    return found


def lexicon_part(folder: Path) -> Part:
    """The word lists: our own, except the hypernyms from WordNet."""
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("README.md", "hypernyms.LICENSE.txt")]
    return _checked(Part("Word lists", facts().version, f"{facts().licence}; WordNet", _RULE.join(texts)))


def _checked(part: Part, *, notice: str = "") -> Part:
    if not part.text.strip() or part.text.strip() == notice:
        raise LicenceError(f"There is no licence text for {part.name}. Put one into installer/texts.")
    return part


def _top_folders(name: str) -> set[str]:
    return {file.parts[0] for file in metadata.distribution(name).files or ()}


def _debian_owner(path: str) -> str:
    """``package version`` of a file, empty where dpkg does not know it."""
    # Where /lib is a link to /usr/lib, dpkg may know the file by either name.
    for name in (path, path.removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
        package = done.stdout.partition(":")[0]
        if done.returncode == 0 and package:
            show = ["dpkg-query", "-W", "-f=${Version}\\n", package]
            version = subprocess.run(show, capture_output=True, text=True, check=True).stdout
            return f"{package} {version.splitlines()[0]}"
    return ""
