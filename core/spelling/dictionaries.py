"""The dictionaries of this computer: pairs of ``.aff`` and ``.dic`` files, as hunspell and LibreOffice keep them.

Nothing is downloaded, and no dictionary comes with the program.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from core.i18n import tr
from core.paths import NoHomeError, data_folder

FOLDER = "dictionaries"
"""The folder in the data folder into which a person can put dictionaries."""

VARIABLE = "EVENHAND_DICTIONARIES"
"""The environment variable that names a folder to search instead of the usual ones."""

_CODE = re.compile(r"[a-z]{2,3}(?:[_-][A-Za-z]+)*")
_LINUX = (
    "/usr/share/hunspell",
    "/usr/share/myspell",
    "/usr/share/myspell/dicts",
    "/usr/local/share/hunspell",
    "/run/current-system/sw/share/hunspell",
    "/run/host/usr/share/hunspell",
)
_LINUX_OFFICES = (
    "/usr/lib/libreoffice",
    "/usr/lib64/libreoffice",
    "/opt/libreoffice*",
    "/snap/libreoffice/current/lib/libreoffice",
)
_MAC = ("/Library/Spelling", "/opt/homebrew/share/hunspell", "/usr/local/share/hunspell")
_MAC_EXTENSIONS = "/Applications/LibreOffice.app/Contents/Resources/extensions"
_PREFERRED = ("en_US", "en_GB")


def find_dictionaries() -> dict[str, Path]:
    """The ``.aff`` file of each dictionary, by its code (``en_US``), in alphabetical order; no file is opened.

    If several folders have a dictionary with the same code, the first of ``dictionary_folders`` wins.
    """
    found: dict[str, Path] = {}
    for folder in dictionary_folders():
        with suppress(OSError):
            for path in sorted(folder.glob("*.aff")):
                code = path.stem.replace("-", "_")
                if _CODE.fullmatch(path.stem) and path.is_file() and path.with_suffix(".dic").is_file():
                    found.setdefault(code, path)
    return dict(sorted(found.items()))


def choose_dictionary(found: Mapping[str, Path], wanted: str, locale: str) -> str:
    """The code of the dictionary to use: ``wanted`` if it was found, else an English one; empty if there is none.

    Among several English ones, that of the locale (``en_AU``) comes first, then en_US and en_GB.
    """
    if wanted in found:
        return wanted
    english = [code for code in found if code.partition("_")[0] == "en"]
    return next((code for code in (locale, *_PREFERRED, *english) if code in english), "")


def what_to_install() -> str:
    """A message for a person on whose computer no English dictionary was found."""
    try:
        folder = str(data_folder() / FOLDER)
    except NoHomeError:
        folder = FOLDER
    if sys.platform in ("win32", "darwin"):
        said = tr(
            "No English dictionary was found: install LibreOffice, which includes one, or put en_US.aff and "
            "en_US.dic into {folder}."
        )
    else:
        said = tr(
            "No English dictionary was found: install one for Hunspell (often the package hunspell-en-us), or "
            "put en_US.aff and en_US.dic into {folder}."
        )
    return said.format(folder=folder)


def dictionary_folders() -> list[Path]:
    """The folders to search, the person's own first; some may not exist."""
    if named := os.environ.get(VARIABLE):
        return [Path(named)]
    folders = [*_own_folders(), *map(Path, filter(None, os.environ.get("DICPATH", "").split(os.pathsep)))]
    if sys.platform == "win32":
        folders += _windows_folders()
    elif sys.platform == "darwin":
        folders += [*map(Path, _MAC), *_extensions(Path(_MAC_EXTENSIONS))]
    else:
        folders += map(Path, _LINUX)
        for office in _LINUX_OFFICES:
            for place in sorted(Path("/").glob(office.lstrip("/"))):
                folders += _extensions(place / "share" / "extensions")
    return folders


def _own_folders() -> Iterator[Path]:
    with suppress(NoHomeError):
        yield data_folder() / FOLDER
    with suppress(RuntimeError):
        home = Path.home()
        if sys.platform == "darwin":
            yield home / "Library" / "Spelling"
        elif sys.platform != "win32":
            yield home / ".local" / "share" / "hunspell"


def _windows_folders() -> Iterator[Path]:
    yield Path("C:/Hunspell")
    for variable in ("ProgramFiles", "ProgramFiles(x86)", "ProgramW6432"):
        programs = os.environ.get(variable)
        for office in sorted(Path(programs).glob("LibreOffice*")) if programs else ():
            yield from _extensions(office / "share" / "extensions")


def _extensions(folder: Path) -> list[Path]:
    """The folders of the dictionaries that come with a LibreOffice installation."""
    return sorted(folder.glob("dict-*"))
