"""A reader's bundle: its calibration, thresholds and sensitivity curve, checked before its graph is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from core.bundles.manifest import (
    MANIFEST,
    REPAIR,
    Bundle,
    ManifestFields,
    MissingBundleError,
    check_hashes,
    read_manifest,
    refused_error,
    unreadable_error,
)
from core.bundles.onnx_checks import GraphError, check_graph
from core.i18n import tr
from core.types import GUIDE_CLASSES, LABELS

LEANINGS = ("left", "center", "right")
MAX_OPERATING_POINTS = 25
WORD_SCORES = "words.tsv.gz"
"""The file with the scores of a vocabulary (`core.stereotypes.word_scores`)."""


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What was measured with words marked from a probability of ``threshold`` on.

    ``precision`` is the share of marks that touch words which editors removed, ``recall`` the share of those words that
    a mark touches; both in [0, 1].
    """

    threshold: float
    precision: float
    recall: float
    marks_per_1000_words: float


@dataclass(frozen=True, slots=True)
class SensitivityCurve:
    """The operating points of a reader, the most precise first; ``default`` is the index of the tuned one."""

    points: tuple[OperatingPoint, ...]
    default: int

    @property
    def lowest(self) -> int:
        """The most precise point, counted from the default: 0 or less."""
        return -self.default

    @property
    def highest(self) -> int:
        """The point that marks most, counted from the default: 0 or more."""
        return len(self.points) - 1 - self.default

    def at(self, step: int) -> OperatingPoint:
        """The point ``step`` away from the default, or the last one in that direction."""
        return self.points[self.default + max(self.lowest, min(self.highest, step))]


def build_curve(points: Sequence[OperatingPoint], tuned: float) -> SensitivityCurve:
    """A curve around the threshold ``tuned``. Raises ValueError unless thresholds fall strictly and include it."""
    thresholds = [point.threshold for point in points]
    if any(one <= other for one, other in pairwise(thresholds)):
        raise ValueError("the thresholds do not fall")
    return SensitivityCurve(tuple(points), thresholds.index(tuned))


def threshold_at(curve: SensitivityCurve | None, step: int) -> float | None:
    """The threshold ``step`` points from the default; None for the reader's own."""
    return curve.at(step).threshold if curve is not None and step else None


def out_of_ten(share: float) -> int:
    """A share in [0, 1] as "so many out of ten": 0 and 10 only for exactly none and all."""
    tenths = round(10 * share)
    return max(1, min(9, tenths)) if 0 < share < 1 else tenths


@dataclass(frozen=True, slots=True)
class PlattScaling:
    """A calibrated logit is ``logit / temperature + offset`` (Platt scaling; Guo et al. 2017, section 4)."""

    temperature: float
    offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """The scaling of each output of the reader; spans and leaning have no offset.

    ``cue_offset`` is added to the log-odds that a word is biased where the cue lists have it; 0 for readers of earlier
    versions.
    """

    spans: PlattScaling
    bias: PlattScaling
    leaning: PlattScaling
    political: PlattScaling
    cue_offset: float = 0.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Calibrated probabilities from which a word, a sentence and a text count; each in [0, 1].

    ``leaning``: the least probability of its likeliest side with which the leaning of a text is shown; below it nothing
    can be said. 0 for readers that do not state it, 1 for those that can never say. ``demographic``: a demographic span
    counts from this confidence on, where it is above ``span``.
    """

    span: float
    bias: float
    political: float
    leaning: float = 0.0
    demographic: float = 0.0

    @property
    def demographic_margin(self) -> float:
        """How much more than the span threshold in use a demographic span needs."""
        return max(0.0, self.demographic - self.span)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderBundle(Bundle):
    """A checked reader.

    ``sensitivity`` is None where only its own threshold was measured, ``word_scores`` where it has no scores of a
    vocabulary.
    """

    calibration: Calibration
    thresholds: Thresholds
    sensitivity: SensitivityCurve | None = None
    word_scores: Path | None = None


def load_reader_bundle(folder: Path | str) -> ReaderBundle:
    """Read the reader in ``folder``; check its manifest, the hashes of its files and its graph.

    Raises BundleError if something is missing, does not match, lies outside the folder or is larger than the caps, if
    the graph has external data or custom operators, or if it is no reader.
    """
    home = Path(folder)
    if not (home / MANIFEST).is_file():
        message = tr("There is no model in {folder}: {file} is missing. {repair}")
        raise MissingBundleError(message.format(folder=home, file=MANIFEST, repair=REPAIR))
    try:
        fields = read_manifest(home, "reader")
        bundle = _bundle(fields)
        check_hashes(home, fields.hashes())
        try:
            check_graph(bundle.graph.read_bytes())
        except GraphError as error:
            reason = tr("{name} cannot be used: {error}")
            raise refused_error(home, reason.format(name=bundle.graph.name, error=error)) from error
    except OSError as error:
        raise unreadable_error(home, error) from error
    return bundle


def _bundle(fields: ManifestFields) -> ReaderBundle:
    labels = fields.nested("labels")
    if (
        labels.get("spans", list) != list(LABELS)
        or labels.get("leaning", list) != list(LEANINGS)
        or ("classes" in labels.data and labels.get("classes", list) != list(GUIDE_CLASSES))
    ):
        raise refused_error(
            fields.folder, tr("its labels are not the ones that this version of Evenhand reads")
        )
    thresholds = _thresholds(fields.nested("thresholds"))
    return ReaderBundle(
        **fields.common(),
        calibration=_calibration(fields.nested("calibration")),
        thresholds=thresholds,
        sensitivity=_sensitivity(fields, thresholds.span),
        word_scores=fields.folder / WORD_SCORES if WORD_SCORES in fields.hashes() else None,
    )


def _calibration(fields: ManifestFields) -> Calibration:
    def scaling(name: str, *, offset: bool) -> PlattScaling:
        part = fields.nested(name)
        shift = part.number("offset", -1e3, 1e3) if offset else 0.0
        return PlattScaling(part.number("temperature", 1e-3, 1e3), shift)

    return Calibration(
        spans=scaling("spans", offset=False),
        bias=scaling("bias", offset=True),
        leaning=scaling("leaning", offset=False),
        political=scaling("political", offset=True),
        cue_offset=fields.number("cue_offset", -10, 10) if "cue_offset" in fields.data else 0.0,
    )


def _thresholds(fields: ManifestFields) -> Thresholds:
    return Thresholds(
        span=fields.number("span", 0, 1),
        bias=fields.number("bias", 0, 1),
        political=fields.number("political", 0, 1),
        leaning=fields.number("leaning", 0, 1) if "leaning" in fields.data else 0.0,
        demographic=fields.number("demographic", 0, 1) if "demographic" in fields.data else 0.0,
    )


def _sensitivity(fields: ManifestFields, tuned: float) -> SensitivityCurve | None:
    if "sensitivity" not in fields.data:
        return None
    points = [
        OperatingPoint(
            entry.number("threshold", 0, 1),
            entry.number("precision", 0, 1),
            entry.number("recall", 0, 1),
            entry.number("marks_per_1000_words", 0, 1000),
        )
        for entry in fields.entries("sensitivity", most=MAX_OPERATING_POINTS)
    ]
    try:
        return build_curve(points, tuned)
    except ValueError as error:
        raise fields.error("sensitivity") from error
