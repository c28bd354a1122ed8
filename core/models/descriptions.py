"""What is known of a model without opening it.

Its manifest, its card with the main metrics, and whether its files are there.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

from core.bundles.manifest import CARD, BundleError, read_manifest
from core.i18n import tr
from core.models.active import bundled_folder
from core.models.installation import load_bundle
from core.models.types import Figure, InstalledModel, ModelError
from core.runs.types import Run, Status

# The main figures of a model, read from the tables of its card: by them two models are told apart at a glance.


MOST = 3
_MAIN = {
    "reader": (
        "BABE, sentence, macro-F1 (int8)",
        "BABE, sentence, macro-F1",
        "WNC, spans, overlap F1 (int8)",
        "WNC, spans, overlap F1",
        "houses held out, windows, leaning macro-F1",
    ),
    "rewriter": (
        "edits answered as the editor did, first wording",
        "edits answered as the editor did, among three wordings",
        "ROC-AUC of KEEP",
    ),
}
_ROW = re.compile(r"^\|([^|\n]+)\|[ \t]*(-?\d+(?:\.\d+)?)[ \t]*\|[ \t]*$", re.MULTILINE)
_CHECKED_ON = re.compile(r"\s*\((?:int8|checkpoint)\)$")
_MOST_CHARACTERS = 200_000


def main_figures(card: Path | None, role: str) -> tuple[Figure, ...]:
    """Up to ``MOST`` figures of a card: those that tell most of its role, else the first; none where it has none."""
    try:
        text = card.read_text(encoding="utf-8", errors="replace")[:_MOST_CHARACTERS] if card else ""
    except OSError:
        return ()
    rows = [Figure(name.strip(), float(value)) for name, value in _ROW.findall(text)]
    rows = [row for row in rows if row.name and row.name.isprintable() and math.isfinite(row.value)]
    chosen: dict[str, Figure] = {}
    for wanted in _MAIN.get(role, ()):
        for row in rows:
            if row.name.startswith(wanted):
                chosen.setdefault(_CHECKED_ON.sub("", row.name), row)
    picked = tuple(Figure(name, row.value) for name, row in chosen.items())
    return (picked or tuple(rows))[:MOST]


# What is known of a model without opening it: its description, its card, and whether its files are there.


BUNDLE = "bundle"
"""The folder in a run's folder that holds the model it made."""

_STATES = {
    Status.RUNNING: tr("is still running. Wait until it is finished"),
    Status.PAUSED: tr("is paused. Resume it and wait until it is finished"),
    Status.FAILED: tr("failed. Start it again"),
    Status.CANCELLED: tr("was cancelled. Start another one"),
    Status.DIED: tr("ended without a word. Resume it and wait until it is finished"),
}


def bundled_model(role: str, *, active: bool) -> InstalledModel:
    """The model of a role that came with the program."""
    folder = bundled_folder(role)
    return inspect_model(InstalledModel(None, role, "", "", folder=folder, source="bundled", active=active))


def run_model_folder(run: Run) -> Path:
    """The folder of the model that a run made. Raises ShelfError where it is not finished or made none."""
    if run.status is not Status.FINISHED:
        said = tr("The run {id} {state}.")
        raise ModelError(said.format(id=run.id[:8], state=_STATES[run.status]))
    if not (run.folder / BUNDLE).is_dir():
        said = tr("The run {id} has no model: {folder} is not there. Use another run.")
        raise ModelError(said.format(id=run.id[:8], folder=run.folder / BUNDLE))
    return run.folder / BUNDLE


def inspect_model(known: InstalledModel) -> InstalledModel:
    """A model with what its folder says now; where that cannot be read, as it is known, and why."""
    folder = known.folder
    card = folder / CARD if (folder / CARD).is_file() else None
    known = replace(known, name=known.name or known.role, card=card, figures=main_figures(card, known.role))
    try:
        fields = read_manifest(folder, known.role)
        known = replace(
            known, name=fields.text("name"), version=fields.text("version"), run=known.run or fields.run()
        )
        lost = [file for file in fields.hashes() if not (folder / file).is_file()]
    except BundleError as error:
        return replace(known, problem=str(error))
    except OSError:
        return replace(known, problem=_missing(folder, known.role))
    if lost:
        return replace(known, problem=tr("{name} is missing").format(name=min(lost)) + ".")
    return known


def _missing(folder: Path, role: str) -> str:
    try:
        load_bundle(folder, role)
    except BundleError as error:
        return str(error)
    return ""
