"""What is known of a model without opening it: its manifest, its main scores, and whether its files are there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.bundles.manifest import CARD, BundleError, read_manifest
from core.i18n import tr
from core.models.active import bundled_folder
from core.models.installation import load_bundle
from core.models.types import InstalledModel, ModelError
from core.runs.types import Run, Status

MAX_MAIN_METRICS = 3
BUNDLE = "bundle"
"""The folder in a run's folder that holds its model."""

_NOT_FINISHED = {
    Status.RUNNING: tr("is still running. Wait until it is finished"),
    Status.PAUSED: tr("is paused. Resume it and wait until it is finished"),
    Status.FAILED: tr("failed. Start it again"),
    Status.CANCELLED: tr("was cancelled. Start another one"),
    Status.DIED: tr("ended unexpectedly. Resume it and wait until it is finished"),
}


def bundled_model(role: str, *, active: bool) -> InstalledModel:
    """The model of a role that comes with the program."""
    folder = bundled_folder(role)
    return inspect_model(InstalledModel(None, role, "", "", folder=folder, source="bundled", active=active))


def run_model_folder(run: Run) -> Path:
    """The folder of the model of a run. Raises ModelError where the run is not finished or has no model."""
    if run.status is not Status.FINISHED:
        message = tr("The run {id} {state}.")
        raise ModelError(message.format(id=run.id[:8], state=_NOT_FINISHED[run.status]))
    if not (run.folder / BUNDLE).is_dir():
        message = tr("The run {id} has no model: {folder} does not exist. Use another run.")
        raise ModelError(message.format(id=run.id[:8], folder=run.folder / BUNDLE))
    return run.folder / BUNDLE


def inspect_model(known: InstalledModel) -> InstalledModel:
    """A model completed from its manifest; where that cannot be read, as it is known, with its ``problem``."""
    folder = known.folder
    card = folder / CARD if (folder / CARD).is_file() else None
    known = replace(known, name=known.name or known.role, card=card)
    try:
        fields = read_manifest(folder, known.role)
        known = replace(
            known,
            name=fields.text("name"),
            version=fields.text("version"),
            run=known.run or fields.run_id(),
            main_metrics=fields.evaluation()[:MAX_MAIN_METRICS],
        )
        missing = [file for file in fields.hashes() if not (folder / file).is_file()]
    except BundleError as error:
        return replace(known, problem=str(error))
    except OSError:
        return replace(known, problem=_why_unreadable(folder, known.role))
    if missing:
        return replace(known, problem=tr("{name} is missing").format(name=min(missing)) + ".")
    return known


def _why_unreadable(folder: Path, role: str) -> str:
    try:
        load_bundle(folder, role)
    except BundleError as error:
        return str(error)
    return ""
