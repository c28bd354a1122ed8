"""The manifest of a model bundle (``bundle.json``), read and checked before anything in the bundle is run."""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

from core.i18n import tr
from core.storage.files import sha256_of

FORMAT = 1
ROLES = ("reader", "rewriter")
MAX_FILE_BYTES = 512 * 1024 * 1024
MAX_MANIFEST_BYTES = 1024 * 1024
MAX_EVALUATIONS, MAX_LIMITATIONS = 64, 16
MAX_NAME, MAX_SPLIT, MAX_LIMITATION = 120, 60, 400
"""Characters of the name of a score, of its split, and of one sentence on a model's limitations."""
CARD = "README.md"
MANIFEST = "bundle.json"
REPAIR = tr("Reinstall Evenhand or import the model again.")

LEANING_MACRO_F1 = "political leaning, held-out publishers, macro-F1"
"""The `Evaluation` that a report quotes beside a political leaning; the classes are left, center and right."""

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


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One measured score of a model.

    ``name`` says what was measured, in words for a person. ``lower`` and ``upper`` bound the 95% confidence interval;
    either both are known or neither. ``split`` names the data ("dev"); ``n`` is the number of items scored.
    """

    name: str
    value: float
    lower: float | None = None
    upper: float | None = None
    split: str = ""
    n: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The entry in ``bundle.json``, without what is not known."""
        return {name: value for name, value in asdict(self).items() if value not in (None, "")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """What all checked bundles have. ``graph``, ``tokenizer`` and ``card`` (if there is one) lie inside ``folder``.

    ``run`` is the id of the training run that made the model. ``evaluation`` lists its scores, the most telling first;
    ``limitations`` are sentences on what it cannot do. Both are empty where the bundle does not say.
    """

    folder: Path
    name: str
    role: str
    version: str
    max_tokens: int
    graph: Path
    tokenizer: Path
    card: Path | None
    run: str
    corpora: tuple[Corpus, ...]
    evaluation: tuple[Evaluation, ...] = ()
    limitations: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}"

    def score(self, name: str) -> float | None:
        """The value of one of its evaluations; None where the bundle does not have it."""
        return next((one.value for one in self.evaluation if one.name == name), None)


class ManifestFields:
    """Typed access to one JSON object of a manifest. Every method raises BundleError, naming the field."""

    def __init__(self, folder: Path, data: object, path: str = "") -> None:
        self.folder = folder
        self.path = path
        if not isinstance(data, dict):
            raise self.error("")
        self.data: dict[str, Any] = data

    def error(self, name: str) -> BundleError:
        """The error to raise about a field."""
        full = self._path_of(name) or tr("its top level")
        reason = tr("in {file}, {part} is missing or wrong")
        return damaged_error(self.folder, reason.format(file=MANIFEST, part=full))

    def get(self, name: str, kind: type[T]) -> T:
        """The field, which must be of this type."""
        value = self.data.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(name)
        return value

    def text(self, name: str, *, longest: int | None = None) -> str:
        """A text that is not empty, printable and on one line."""
        value = self.get(name, str).strip()
        if not value or not value.isprintable() or (longest is not None and len(value) > longest):
            raise self.error(name)
        return value

    def number(self, name: str, lowest: float = -math.inf, highest: float = math.inf) -> float:
        """A finite number in these bounds."""
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(name)
        if not math.isfinite(value) or not lowest <= value <= highest:
            raise self.error(name)
        return float(value)

    def nested(self, name: str) -> ManifestFields:
        """The object in a field."""
        return ManifestFields(self.folder, self.data.get(name), self._path_of(name))

    def entries(self, name: str, *, most: int | None = None) -> Iterator[ManifestFields]:
        """The objects of a list, at most so many."""
        values = self.get(name, list)
        if most is not None and len(values) > most:
            raise self.error(name)
        for number, value in enumerate(values):
            yield ManifestFields(self.folder, value, self._path_of(f"{name}[{number}]"))

    def hashes(self) -> dict[str, object]:
        """The SHA-256 of each file, by its name."""
        return {str(name): digest for name, digest in self.get("sha256", dict).items()}

    def run_id(self) -> str:
        """The id of the training run, a UUID."""
        run = self.text("run")
        try:
            uuid.UUID(run)
        except ValueError as error:
            raise self.error("run") from error
        return run

    def evaluation(self) -> tuple[Evaluation, ...]:
        """The scores of the model; none where the bundle has none."""
        if "evaluation" not in self.data:
            return ()
        return tuple(entry._evaluation() for entry in self.entries("evaluation", most=MAX_EVALUATIONS))

    def limitations(self) -> tuple[str, ...]:
        """Sentences on what the model cannot do, under the key ``limits``, the former word; none where the bundle has
        none.
        """
        found = self.get("limits", list) if "limits" in self.data else []
        if len(found) > MAX_LIMITATIONS:
            raise self.error("limits")
        sentences = ManifestFields(
            self.folder, {str(number): one for number, one in enumerate(found)}, "limits"
        )
        return tuple(sentences.text(number, longest=MAX_LIMITATION) for number in sentences.data)

    def common(self) -> dict[str, Any]:
        """The arguments that every `Bundle` takes."""
        hashes = self.hashes()
        return {
            "folder": self.folder,
            "name": self.text("name"),
            "role": self.text("role"),
            "version": self.text("version"),
            "max_tokens": int(self.number("max_tokens", 8, 4096)),
            "graph": require_file(self.folder, self.text("graph"), hashes),
            "tokenizer": require_file(self.folder, self.text("tokenizer"), hashes),
            "card": resolve_inside(self.folder, CARD) if (self.folder / CARD).is_file() else None,
            "run": self.run_id(),
            "corpora": tuple(
                Corpus(entry.text("name"), entry.text("licence")) for entry in self.entries("corpora")
            ),
            "evaluation": self.evaluation(),
            "limitations": self.limitations(),
        }

    def _evaluation(self) -> Evaluation:
        lower, upper = (self.number(name) if name in self.data else None for name in ("lower", "upper"))
        if (lower is None) != (upper is None) or (lower is not None and upper is not None and lower > upper):
            raise self.error("upper")
        return Evaluation(
            name=self.text("name", longest=MAX_NAME),
            value=self.number("value"),
            lower=lower,
            upper=upper,
            split=self.text("split", longest=MAX_SPLIT) if "split" in self.data else "",
            n=int(self.number("n", 0, 1e12)) if "n" in self.data else None,
        )

    def _path_of(self, name: str) -> str:
        return ".".join(part for part in (self.path, name) if part)


def read_manifest(folder: Path, role: str | None = None) -> ManifestFields:
    """The manifest of the bundle in ``folder``, which must be of ``role`` if one is given.

    Raises BundleError and OSError.
    """
    path = folder / MANIFEST
    if path.stat().st_size > MAX_MANIFEST_BYTES:
        raise damaged_error(folder, tr("{file} is too large").format(file=MANIFEST))
    try:
        data = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged_error(folder, tr("{file} is not JSON").format(file=MANIFEST)) from error
    fields = ManifestFields(folder, data)
    version = fields.get("format", int)
    if version > FORMAT:
        message = tr(
            "The model in {folder} was made for a newer version of Evenhand (format {format}). Update Evenhand."
        )
        raise BundleError(message.format(folder=folder, format=version))
    if version != FORMAT:
        raise fields.error("format")
    found = fields.text("role")
    if found not in ROLES:
        reason = tr("its role is {role!r}, and this version of Evenhand knows only {known}")
        raise refused_error(folder, reason.format(role=found, known=", ".join(ROLES)))
    if role is not None and found != role:
        reason = tr("it is a {found}, and a {role} is needed here")
        raise refused_error(folder, reason.format(found=found, role=role))
    return fields


def require_file(folder: Path, name: str, hashes: Mapping[str, object]) -> Path:
    """The path of a file that the bundle needs. Raises BundleError where it has no hash in the list."""
    if name not in hashes:
        raise damaged_error(folder, tr("{name} has no checksum in {file}").format(name=name, file=MANIFEST))
    return resolve_inside(folder, name)


def is_safe_path(name: str) -> bool:
    """Whether ``name`` is a relative path that stays inside its folder, on any system."""
    shapes = (PurePosixPath(name), PureWindowsPath(name))
    strays = any(shape.is_absolute() or shape.drive or ".." in shape.parts for shape in shapes)
    return bool(name) and "\0" not in name and not strays


def resolve_inside(folder: Path, name: str) -> Path:
    """``folder / name``. Raises BundleError where the name, or a link, leads out of the folder."""
    if not is_safe_path(name) or not (folder / name).resolve().is_relative_to(folder.resolve()):
        raise refused_error(folder, tr("it names a file outside its folder ({name})").format(name=name))
    return folder / name


def check_hashes(folder: Path, hashes: Mapping[str, object]) -> None:
    """Raise BundleError unless every listed file is there, is no larger than the cap and matches its hash."""
    for name, digest in hashes.items():
        path = resolve_inside(folder, name)
        if not path.is_file():
            raise damaged_error(folder, tr("{name} is missing").format(name=name))
        if path.stat().st_size > MAX_FILE_BYTES:
            size = MAX_FILE_BYTES // 1024 // 1024
            raise refused_error(folder, tr("{name} is larger than {size} MB").format(name=name, size=size))
        if sha256_of(path) != digest:
            raise damaged_error(folder, tr("{name} does not match its checksum").format(name=name))


def damaged_error(folder: Path, reason: str) -> BundleError:
    """The error for a bundle that is incomplete or changed; ``reason`` has no full stop."""
    message = tr("The model in {folder} is damaged: {reason}. {repair}")
    return BundleError(message.format(folder=folder, reason=reason, repair=REPAIR))


def refused_error(folder: Path, reason: str) -> BundleError:
    """The error for a bundle that may not be used here; ``reason`` has no full stop."""
    message = tr("The model in {folder} is refused: {reason}. Use another model.")
    return BundleError(message.format(folder=folder, reason=reason))


def unreadable_error(folder: Path, error: OSError) -> BundleError:
    """The error for a bundle of which a file cannot be read."""
    name = Path(error.filename).name if error.filename else tr("a file")
    reason = tr("{name} cannot be read ({error})")
    return damaged_error(folder, reason.format(name=name, error=error.strerror or error))
