"""This project as installed into a training environment: the checkout itself, or the wheel that the program brings."""

from __future__ import annotations

import re
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from email.parser import HeaderParser
from pathlib import Path

import resources
from core.i18n import tr
from core.training_env.types import Project, SetupError

NAME = "evenhand"
EXTRA = "train"
GUI_REQUIREMENTS = {"pyside6", "pyside6-essentials", "pyside6-addons", "pyqtgraph"}
"""Requirements of the project that training does not need."""

_WHEEL = re.compile(rf"{NAME}-([^-]+)-.*\.whl")
_EXTRA = re.compile(r"""(?<!\s)\s*+(?:\band\s+)?\bextra\s*==\s*["']([\w.-]+)["']""")


def this_project(wheels: Path | None = None) -> Project:
    """The project that runs here; its wheel may also be in the folder ``wheels``. Raises SetupError."""
    checkout = _checkout()
    if checkout is not None:
        return _from_checkout(checkout)
    wheel = _wheel_in(_brought()) or (_wheel_in(wheels) if wheels else None)
    if wheel is None:
        raise SetupError(
            tr(
                "This installation lacks the Evenhand wheel that training needs. Put evenhand-….whl into the "
                "wheel folder that you choose, or reinstall Evenhand."
            )
        )
    return _from_wheel(wheel)


def current_project_key() -> str:
    """The ``key`` of the project that runs here; empty where it is not known."""
    checkout = _checkout()
    if checkout is not None:
        return str(checkout)
    wheel = _wheel_in(_brought())
    return _key(wheel) if wheel else ""


def package_name(requirement: str) -> str:
    """The normalised package name of a requirement (``scikit-learn``)."""
    found = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", requirement)
    return re.sub(r"[-_.]+", "-", found[1]).lower() if found else ""


def _checkout() -> Path | None:
    root = resources.ROOT.parent
    is_one = not getattr(sys, "frozen", False) and (root / "pyproject.toml").is_file()
    return root if is_one and (root / "training").is_dir() else None


def _brought() -> Path:
    return Path(sys.executable).parent / "wheels"


def _wheel_in(folder: Path) -> Path | None:
    try:
        found = [path for path in folder.iterdir() if _WHEEL.fullmatch(path.name)]
    except OSError:
        return None
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def _key(wheel: Path) -> str:
    return f"{wheel.name} {wheel.stat().st_size}"


def _from_checkout(root: Path) -> Project:
    try:
        facts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        needed = [*facts["dependencies"], *facts["optional-dependencies"][EXTRA]]
        return Project(facts["version"], root, _for_training(needed), str(root))
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SetupError(
            tr("{path} does not say what training needs. Restore it.").format(path=root / "pyproject.toml")
        ) from error


def _from_wheel(wheel: Path) -> Project:
    try:
        with zipfile.ZipFile(wheel) as archive:
            place = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            facts = HeaderParser().parsestr(archive.read(place).decode("utf-8"))
        needed = [kept for line in facts.get_all("Requires-Dist", []) if (kept := _of_the_extra(line))]
        return Project(str(facts["Version"]), wheel, _for_training(needed), _key(wheel))
    except (OSError, zipfile.BadZipFile, StopIteration, ValueError) as error:
        raise SetupError(
            tr("{path} is damaged. Reinstall Evenhand, or replace the file.").format(path=wheel)
        ) from error


def _of_the_extra(requirement: str) -> str:
    """A requirement from a wheel's metadata without the marker of our extra; empty if it belongs to another extra."""
    what, _, marker = requirement.partition(";")
    found = _EXTRA.search(marker)
    if found is None:
        return requirement
    if found[1] != EXTRA:
        return ""
    rest = _EXTRA.sub("", marker).strip()
    return f"{what.strip()}; {rest}" if rest else what.strip()


def _for_training(requirements: Iterable[str]) -> tuple[str, ...]:
    without = GUI_REQUIREMENTS | {NAME}
    return tuple(one for one in requirements if package_name(one) not in without)
