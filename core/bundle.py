"""A model bundle: the folder that a trained reader lives in, checked before anything of it is run."""

from __future__ import annotations

import hashlib
import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

from core.onnx_check import GraphError, check_graph
from core.spans import LABELS

FORMAT = 1
ROLES = ("reader",)
LEANINGS = ("left", "center", "right")
MAX_FILE_BYTES = 512 * 1024 * 1024
MAX_DESCRIPTION_BYTES = 1024 * 1024
CARD = "README.md"
REPAIR = "Reinstall Evenhand or import the model again."

T = TypeVar("T")


class BundleError(Exception):
    """A bundle is missing, damaged or not acceptable. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A calibrated logit is ``logit / temperature + offset`` (Platt scaling; Guo et al. 2017, section 4)."""

    temperature: float
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """One scale for each answer of the reader; spans and leaning have no offset."""

    spans: Scale
    bias: Scale
    leaning: Scale
    political: Scale


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Calibrated probabilities from which a word, a sentence and a text count; each in [0, 1]."""

    span: float
    bias: float
    political: float


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus that the model was trained on."""

    name: str
    licence: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """A checked bundle. ``graph``, ``tokenizer`` and ``card`` (if there is one) lie inside ``folder``."""

    folder: Path
    name: str
    role: str
    version: str
    max_tokens: int
    graph: Path
    tokenizer: Path
    card: Path | None
    calibration: Calibration
    thresholds: Thresholds
    run: str
    corpora: tuple[Corpus, ...]

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}"


def load_bundle(folder: Path | str) -> Bundle:
    """Read the bundle in ``folder`` and check its description, its files' hashes and its graph.

    Raises BundleError if something is missing, does not match, lies outside the folder or is larger than the
    caps, or if the graph has external data or custom operators.
    """
    home = Path(folder)
    try:
        bundle, hashes = _read_description(home)
        for name, digest in hashes.items():
            _check_hash(home, name, digest)
        try:
            check_graph(bundle.graph.read_bytes())
        except GraphError as error:
            raise _refused(home, f"{bundle.graph.name} cannot be used: {error}") from error
    except OSError as error:
        reason = error.strerror or str(error)
        name = Path(error.filename).name if error.filename else "a file"
        raise _damaged(home, f"{name} cannot be read ({reason})") from error
    return bundle


def _read_description(home: Path) -> tuple[Bundle, dict[str, str]]:
    path = home / "bundle.json"
    if not path.is_file():
        raise BundleError(f"There is no model in {home}: bundle.json is missing. {REPAIR}")
    if path.stat().st_size > MAX_DESCRIPTION_BYTES:
        raise _damaged(home, "bundle.json is too large")
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _damaged(home, "bundle.json is not JSON") from error
    fields = _Fields(home, data)
    made_for = fields.get("format", int)
    if made_for > FORMAT:
        raise BundleError(
            f"The model in {home} was made for a newer Evenhand (format {made_for}). Update Evenhand."
        )
    if made_for != FORMAT:
        raise fields.wrong("format")
    role = fields.text("role")
    if role not in ROLES:
        raise _refused(home, f"its role is {role!r}, and this Evenhand knows only {', '.join(ROLES)}")
    labels = fields.inside("labels")
    if labels.get("spans", list) != list(LABELS) or labels.get("leaning", list) != list(LEANINGS):
        raise _refused(home, "its labels are not those that this Evenhand reads")
    hashes = {str(name): digest for name, digest in fields.get("sha256", dict).items()}
    run = fields.text("run")
    try:
        uuid.UUID(run)
    except ValueError as error:
        raise fields.wrong("run") from error
    bundle = Bundle(
        folder=home,
        name=fields.text("name"),
        role=role,
        version=fields.text("version"),
        max_tokens=int(fields.number("max_tokens", 8, 4096)),
        graph=_listed(home, fields.text("graph"), hashes),
        tokenizer=_listed(home, fields.text("tokenizer"), hashes),
        card=inside(home, CARD) if (home / CARD).is_file() else None,
        calibration=_calibration(fields.inside("calibration")),
        thresholds=_thresholds(fields.inside("thresholds")),
        run=run,
        corpora=tuple(
            Corpus(entry.text("name"), entry.text("licence"))
            for entry in (_Fields(home, item, "corpora") for item in fields.get("corpora", list))
        ),
    )
    return bundle, hashes


def _calibration(fields: _Fields) -> Calibration:
    def scale(name: str, *, offset: bool) -> Scale:
        part = fields.inside(name)
        shift = part.number("offset", -1e3, 1e3) if offset else 0.0
        return Scale(part.number("temperature", 1e-3, 1e3), shift)

    return Calibration(
        spans=scale("spans", offset=False),
        bias=scale("bias", offset=True),
        leaning=scale("leaning", offset=False),
        political=scale("political", offset=True),
    )


def _thresholds(fields: _Fields) -> Thresholds:
    return Thresholds(*(fields.number(name, 0, 1) for name in ("span", "bias", "political")))


def _listed(home: Path, name: str, hashes: Mapping[str, str]) -> Path:
    """The path of a file that the bundle names, which must have its hash in the list."""
    if name not in hashes:
        raise _damaged(home, f"{name} has no checksum in bundle.json")
    return inside(home, name)


def inside(home: Path, name: str) -> Path:
    """``home / name``, refused if that is no plain relative path or if a link leads it out of the folder."""
    shapes = (PurePosixPath(name), PureWindowsPath(name))
    strays = any(shape.is_absolute() or shape.drive or ".." in shape.parts for shape in shapes)
    plain = name and "\0" not in name and not strays
    if not plain or not (home / name).resolve().is_relative_to(home.resolve()):
        raise _refused(home, f"it names a file outside its folder ({name})")
    return home / name


def _check_hash(home: Path, name: str, digest: object) -> None:
    path = inside(home, name)
    if not path.is_file():
        raise _damaged(home, f"{name} is missing")
    if path.stat().st_size > MAX_FILE_BYTES:
        raise _refused(home, f"{name} is larger than {MAX_FILE_BYTES // 1024 // 1024} MB")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != digest:
        raise _damaged(home, f"{name} does not match its checksum")


def _damaged(home: Path, reason: str) -> BundleError:
    return BundleError(f"The reader in {home} is damaged: {reason}. {REPAIR}")


def _refused(home: Path, reason: str) -> BundleError:
    return BundleError(f"The model in {home} is refused: {reason}. Use another model.")


class _Fields:
    """Typed access to one object of the description, with errors that name the field."""

    def __init__(self, home: Path, data: object, path: str = "") -> None:
        self.home = home
        self.path = path
        if not isinstance(data, dict):
            raise self.wrong("")
        self.data: dict[str, Any] = data

    def wrong(self, name: str) -> BundleError:
        full = ".".join(part for part in (self.path, name) if part) or "its top level"
        return _damaged(self.home, f"in bundle.json, {full} is missing or wrong")

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

    def inside(self, name: str) -> _Fields:
        return _Fields(self.home, self.data.get(name), ".".join(part for part in (self.path, name) if part))
