"""A reader's bundle, checked before anything of it is run.

Its labels, thresholds and calibration, and the measured sensitivity curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from core.bundles.manifest import (
    CARD,
    MANIFEST,
    REPAIR,
    Corpus,
    ManifestFields,
    MissingBundleError,
    check_hashes,
    read_manifest,
    refused_error,
    require_file,
    resolve_inside,
    unreadable_error,
)
from core.bundles.onnx_checks import GraphError, check_graph
from core.i18n import tr
from core.types import LABELS

# How much a reader marks, and what that costs: its measured stops from only the surest words to all that might be.


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What was measured with words counted from ``threshold`` on.

    ``precision`` is the share of marks that touch words which editors took out, ``recall`` the share of those words
    that a mark touches; both in [0, 1].
    """

    threshold: float
    precision: float
    recall: float
    marks_per_1000_words: float


@dataclass(frozen=True, slots=True)
class SensitivityCurve:
    """The stops of a reader, the surest first; ``default`` is the one that its spans were tuned for."""

    points: tuple[OperatingPoint, ...]
    default: int

    @property
    def lowest(self) -> int:
        """The surest stop, counted from the default: 0 or less."""
        return -self.default

    @property
    def highest(self) -> int:
        """The stop that marks most, counted from the default: 0 or more."""
        return len(self.points) - 1 - self.default

    def at(self, step: int) -> OperatingPoint:
        """The stop ``step`` away from the default, or the last one in that direction."""
        return self.points[self.default + max(self.lowest, min(self.highest, step))]


def build_curve(stops: Sequence[OperatingPoint], tuned: float) -> SensitivityCurve:
    """A curve around the threshold ``tuned``. Raises ValueError unless thresholds fall strictly and hold it."""
    thresholds = [stop.threshold for stop in stops]
    if any(one <= other for one, other in pairwise(thresholds)):
        raise ValueError("the thresholds do not fall")
    return SensitivityCurve(tuple(stops), thresholds.index(tuned))


def threshold_at(curve: SensitivityCurve | None, step: int) -> float | None:
    """The threshold to read with, ``step`` stops from the default; None for the reader's own."""
    return curve.at(step).threshold if curve is not None and step else None


def out_of_ten(share: float) -> int:
    """A share of one as "so many of ten", never none or all where it is not."""
    tenths = round(10 * share)
    if 0 < share < 1:
        return max(1, min(9, tenths))
    return tenths


# A reader's bundle: the folder that a trained reader lives in, checked before anything of it is run.


LEANINGS = ("left", "center", "right")
MAX_OPERATING_POINTS = 25
WORD_SCORES = "words.tsv.gz"


@dataclass(frozen=True, slots=True)
class PlattScaling:
    """A calibrated logit is ``logit / temperature + offset`` (Platt scaling; Guo et al. 2017, section 4)."""

    temperature: float
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """One scale for each answer of the reader; spans and leaning have no offset."""

    spans: PlattScaling
    bias: PlattScaling
    leaning: PlattScaling
    political: PlattScaling


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Calibrated probabilities from which a word, a sentence and a text count; each in [0, 1]."""

    span: float
    bias: float
    political: float


@dataclass(frozen=True, slots=True)
class ReaderBundle:
    """A checked bundle. ``graph``, ``tokenizer`` and ``card`` (if there is one) lie inside ``folder``.

    ``sensitivity`` is None where nobody measured other thresholds than its own, ``words`` where no vocabulary was
    scanned (`core.stereotypes.word_scores`).
    """

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
    sensitivity: SensitivityCurve | None = None
    words: Path | None = None

    @property
    def title(self) -> str:
        """Name and version, as shown to a person."""
        return f"{self.name} {self.version}"


def load_reader_bundle(folder: Path | str) -> ReaderBundle:
    """Read the reader's bundle in ``folder`` and check its description, its files' hashes and its graph.

    Raises BundleError if something is missing, does not match, lies outside the folder or is larger than the
    caps, if the graph has external data or custom operators, or if it is no reader.
    """
    home = Path(folder)
    if not (home / MANIFEST).is_file():
        said = tr("There is no model in {folder}: {file} is missing. {repair}")
        raise MissingBundleError(said.format(folder=home, file=MANIFEST, repair=REPAIR))
    try:
        fields = read_manifest(home, "reader")
        bundle = _bundle(fields)
        check_hashes(home, fields.hashes())
        try:
            check_graph(bundle.graph.read_bytes())
        except GraphError as error:
            said = tr("{name} cannot be used: {error}")
            raise refused_error(home, said.format(name=bundle.graph.name, error=error)) from error
    except OSError as error:
        raise unreadable_error(home, error) from error
    return bundle


def _bundle(fields: ManifestFields) -> ReaderBundle:
    home = fields.folder
    labels = fields.nested("labels")
    if labels.get("spans", list) != list(LABELS) or labels.get("leaning", list) != list(LEANINGS):
        raise refused_error(home, tr("its labels are not those that this Evenhand reads"))
    hashes = fields.hashes()
    thresholds = _thresholds(fields.nested("thresholds"))
    return ReaderBundle(
        folder=home,
        name=fields.text("name"),
        role=fields.text("role"),
        version=fields.text("version"),
        max_tokens=int(fields.number("max_tokens", 8, 4096)),
        graph=require_file(home, fields.text("graph"), hashes),
        tokenizer=require_file(home, fields.text("tokenizer"), hashes),
        card=resolve_inside(home, CARD) if (home / CARD).is_file() else None,
        calibration=_calibration(fields.nested("calibration")),
        thresholds=thresholds,
        run=fields.run(),
        corpora=fields.corpora(),
        sensitivity=_sensitivity(fields, thresholds.span),
        words=home / WORD_SCORES if WORD_SCORES in hashes else None,
    )


def _calibration(fields: ManifestFields) -> Calibration:
    def scale(name: str, *, offset: bool) -> PlattScaling:
        part = fields.nested(name)
        shift = part.number("offset", -1e3, 1e3) if offset else 0.0
        return PlattScaling(part.number("temperature", 1e-3, 1e3), shift)

    return Calibration(
        spans=scale("spans", offset=False),
        bias=scale("bias", offset=True),
        leaning=scale("leaning", offset=False),
        political=scale("political", offset=True),
    )


def _thresholds(fields: ManifestFields) -> Thresholds:
    return Thresholds(*(fields.number(name, 0, 1) for name in ("span", "bias", "political")))


def _sensitivity(fields: ManifestFields, tuned: float) -> SensitivityCurve | None:
    if "sensitivity" not in fields.data:
        return None
    entries = fields.get("sensitivity", list)
    if not 0 < len(entries) <= MAX_OPERATING_POINTS:
        raise fields.error("sensitivity")
    stops = []
    for number, entry in enumerate(entries):
        part = ManifestFields(fields.folder, entry, f"sensitivity[{number}]")
        threshold, precision, recall = (
            part.number(name, 0, 1) for name in ("threshold", "precision", "recall")
        )
        stops.append(
            OperatingPoint(threshold, precision, recall, part.number("marks_per_1000_words", 0, 1000))
        )
    try:
        return build_curve(stops, tuned)
    except ValueError as error:
        raise fields.error("sensitivity") from error
