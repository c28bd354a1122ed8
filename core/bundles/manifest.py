"""What every model bundle is checked for before anything of it is run: its description, its files, their hashes."""

from __future__ import annotations

import hashlib
import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

from core.i18n import tr

FORMAT = 1
ROLES = ("reader", "rewriter")
MAX_FILE_BYTES = 512 * 1024 * 1024
MAX_DESCRIPTION_BYTES = 1024 * 1024
CARD = "README.md"
DESCRIPTION = "bundle.json"
REPAIR = tr("Reinstall Evenhand or import the model again.")

T = TypeVar("T")


class BundleError(Exception):
    """A bundle is missing, damaged or not acceptable. The message says what to do."""


class MissingBundleError(BundleError):
    """There is no bundle. The message says how to get one."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus that the model was trained on."""

    name: str
    licence: str


class Fields:
    """Typed access to one object of the description, with errors that name the field."""

    def __init__(self, home: Path, data: object, path: str = "") -> None:
        self.home = home
        self.path = path
        if not isinstance(data, dict):
            raise self.wrong("")
        self.data: dict[str, Any] = data

    def wrong(self, name: str) -> BundleError:
        full = ".".join(part for part in (self.path, name) if part) or tr("its top level")
        said = tr("in {file}, {part} is missing or wrong")
        return damaged(self.home, said.format(file=DESCRIPTION, part=full))

    def get(self, name: str, kind: type[T]) -> T:
        value = self.data.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.wrong(name)
        return value

    def text(self, name: str) -> str:
        value = self.get(name, str).strip()
        if not value or not value.isprintable():
            raise self.wrong(name)
        return value

    def number(self, name: str, lowest: float, highest: float) -> float:
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(name)
        if not math.isfinite(value) or not lowest <= value <= highest:
            raise self.wrong(name)
        return float(value)

    def inside(self, name: str) -> Fields:
        return Fields(self.home, self.data.get(name), ".".join(part for part in (self.path, name) if part))

    def hashes(self) -> dict[str, object]:
        return {str(name): digest for name, digest in self.get("sha256", dict).items()}

    def run(self) -> str:
        run = self.text("run")
        try:
            uuid.UUID(run)
        except ValueError as error:
            raise self.wrong("run") from error
        return run

    def corpora(self) -> tuple[Corpus, ...]:
        entries = (Fields(self.home, item, "corpora") for item in self.get("corpora", list))
        return tuple(Corpus(entry.text("name"), entry.text("licence")) for entry in entries)


def describe(home: Path, role: str | None = None) -> Fields:
    """The description of the bundle in ``home``, which must be of ``role`` if one is named.

    Raises BundleError and OSError.
    """
    path = home / DESCRIPTION
    if path.stat().st_size > MAX_DESCRIPTION_BYTES:
        raise damaged(home, tr("{file} is too large").format(file=DESCRIPTION))
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(home, tr("{file} is not JSON").format(file=DESCRIPTION)) from error
    fields = Fields(home, data)
    made_for = fields.get("format", int)
    if made_for > FORMAT:
        said = tr("The model in {folder} was made for a newer Evenhand (format {format}). Update Evenhand.")
        raise BundleError(said.format(folder=home, format=made_for))
    if made_for != FORMAT:
        raise fields.wrong("format")
    found = fields.text("role")
    if found not in ROLES:
        unknown = tr("its role is {role!r}, and this Evenhand knows only {known}")
        raise refused(home, unknown.format(role=found, known=", ".join(ROLES)))
    if role is not None and found != role:
        raise refused(home, tr("it is a {found}, and a {role} is needed here").format(found=found, role=role))
    return fields


def listed(home: Path, name: str, hashes: Mapping[str, object]) -> Path:
    """The path of a file that the bundle needs, which must have its hash in the list."""
    if name not in hashes:
        raise damaged(home, tr("{name} has no checksum in {file}").format(name=name, file=DESCRIPTION))
    return inside(home, name)


def is_plain(name: str) -> bool:
    """Whether ``name`` is a relative path that leads nowhere outside, on any system."""
    shapes = (PurePosixPath(name), PureWindowsPath(name))
    strays = any(shape.is_absolute() or shape.drive or ".." in shape.parts for shape in shapes)
    return bool(name) and "\0" not in name and not strays


def inside(home: Path, name: str) -> Path:
    """``home / name``, refused if that is no plain relative path or if a link leads it out of the folder."""
    if not is_plain(name) or not (home / name).resolve().is_relative_to(home.resolve()):
        raise refused(home, tr("it names a file outside its folder ({name})").format(name=name))
    return home / name


def check_hashes(home: Path, hashes: Mapping[str, object]) -> None:
    """Raise BundleError unless every listed file is there, is no larger than the cap and is what it was."""
    for name, digest in hashes.items():
        path = inside(home, name)
        if not path.is_file():
            raise damaged(home, tr("{name} is missing").format(name=name))
        if path.stat().st_size > MAX_FILE_BYTES:
            size = MAX_FILE_BYTES // 1024 // 1024
            raise refused(home, tr("{name} is larger than {size} MB").format(name=name, size=size))
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            raise damaged(home, tr("{name} does not match its checksum").format(name=name))


def damaged(home: Path, reason: str) -> BundleError:
    said = tr("The model in {folder} is damaged: {reason}. {repair}")
    return BundleError(said.format(folder=home, reason=reason, repair=REPAIR))


def refused(home: Path, reason: str) -> BundleError:
    said = tr("The model in {folder} is refused: {reason}. Use another model.")
    return BundleError(said.format(folder=home, reason=reason))


def unreadable(home: Path, error: OSError) -> BundleError:
    """What to say where a file of the bundle cannot be read."""
    name = Path(error.filename).name if error.filename else tr("a file")
    said = tr("{name} cannot be read ({error})")
    return damaged(home, said.format(name=name, error=error.strerror or error))
