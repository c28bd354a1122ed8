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
MANIFEST = "bundle.json"
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


class ManifestFields:
    """Typed access to one object of the description, with errors that name the field."""

    def __init__(self, home: Path, data: object, path: str = "") -> None:
        self.folder = home
        self.path = path
        if not isinstance(data, dict):
            raise self.error("")
        self.data: dict[str, Any] = data

    def error(self, name: str) -> BundleError:
        full = ".".join(part for part in (self.path, name) if part) or tr("its top level")
        said = tr("in {file}, {part} is missing or wrong")
        return damaged_error(self.folder, said.format(file=MANIFEST, part=full))

    def get(self, name: str, kind: type[T]) -> T:
        value = self.data.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(name)
        return value

    def text(self, name: str) -> str:
        value = self.get(name, str).strip()
        if not value or not value.isprintable():
            raise self.error(name)
        return value

    def number(self, name: str, lowest: float, highest: float) -> float:
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(name)
        if not math.isfinite(value) or not lowest <= value <= highest:
            raise self.error(name)
        return float(value)

    def nested(self, name: str) -> ManifestFields:
        return ManifestFields(
            self.folder, self.data.get(name), ".".join(part for part in (self.path, name) if part)
        )

    def hashes(self) -> dict[str, object]:
        return {str(name): digest for name, digest in self.get("sha256", dict).items()}

    def run(self) -> str:
        run = self.text("run")
        try:
            uuid.UUID(run)
        except ValueError as error:
            raise self.error("run") from error
        return run

    def corpora(self) -> tuple[Corpus, ...]:
        entries = (ManifestFields(self.folder, item, "corpora") for item in self.get("corpora", list))
        return tuple(Corpus(entry.text("name"), entry.text("licence")) for entry in entries)


def read_manifest(home: Path, role: str | None = None) -> ManifestFields:
    """The description of the bundle in ``home``, which must be of ``role`` if one is named.

    Raises BundleError and OSError.
    """
    path = home / MANIFEST
    if path.stat().st_size > MAX_DESCRIPTION_BYTES:
        raise damaged_error(home, tr("{file} is too large").format(file=MANIFEST))
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged_error(home, tr("{file} is not JSON").format(file=MANIFEST)) from error
    fields = ManifestFields(home, data)
    made_for = fields.get("format", int)
    if made_for > FORMAT:
        said = tr("The model in {folder} was made for a newer Evenhand (format {format}). Update Evenhand.")
        raise BundleError(said.format(folder=home, format=made_for))
    if made_for != FORMAT:
        raise fields.error("format")
    found = fields.text("role")
    if found not in ROLES:
        unknown = tr("its role is {role!r}, and this Evenhand knows only {known}")
        raise refused_error(home, unknown.format(role=found, known=", ".join(ROLES)))
    if role is not None and found != role:
        raise refused_error(
            home, tr("it is a {found}, and a {role} is needed here").format(found=found, role=role)
        )
    return fields


def require_file(home: Path, name: str, hashes: Mapping[str, object]) -> Path:
    """The path of a file that the bundle needs, which must have its hash in the list."""
    if name not in hashes:
        raise damaged_error(home, tr("{name} has no checksum in {file}").format(name=name, file=MANIFEST))
    return resolve_inside(home, name)


def is_safe_path(name: str) -> bool:
    """Whether ``name`` is a relative path that leads nowhere outside, on any system."""
    shapes = (PurePosixPath(name), PureWindowsPath(name))
    strays = any(shape.is_absolute() or shape.drive or ".." in shape.parts for shape in shapes)
    return bool(name) and "\0" not in name and not strays


def resolve_inside(home: Path, name: str) -> Path:
    """``home / name``, refused if that is no plain relative path or if a link leads it out of the folder."""
    if not is_safe_path(name) or not (home / name).resolve().is_relative_to(home.resolve()):
        raise refused_error(home, tr("it names a file outside its folder ({name})").format(name=name))
    return home / name


def check_hashes(home: Path, hashes: Mapping[str, object]) -> None:
    """Raise BundleError unless every listed file is there, is no larger than the cap and is what it was."""
    for name, digest in hashes.items():
        path = resolve_inside(home, name)
        if not path.is_file():
            raise damaged_error(home, tr("{name} is missing").format(name=name))
        if path.stat().st_size > MAX_FILE_BYTES:
            size = MAX_FILE_BYTES // 1024 // 1024
            raise refused_error(home, tr("{name} is larger than {size} MB").format(name=name, size=size))
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            raise damaged_error(home, tr("{name} does not match its checksum").format(name=name))


def damaged_error(home: Path, reason: str) -> BundleError:
    said = tr("The model in {folder} is damaged: {reason}. {repair}")
    return BundleError(said.format(folder=home, reason=reason, repair=REPAIR))


def refused_error(home: Path, reason: str) -> BundleError:
    said = tr("The model in {folder} is refused: {reason}. Use another model.")
    return BundleError(said.format(folder=home, reason=reason))


def unreadable_error(home: Path, error: OSError) -> BundleError:
    """What to say where a file of the bundle cannot be read."""
    name = Path(error.filename).name if error.filename else tr("a file")
    said = tr("{name} cannot be read ({error})")
    return damaged_error(home, said.format(name=name, error=error.strerror or error))
