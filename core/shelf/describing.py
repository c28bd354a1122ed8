"""What is known of a model without opening it: its description, its card, and whether its files are there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from core.bundle_files import CARD, BundleError, describe
from core.language import tr
from core.runs.model import Run, Status
from core.shelf.active import bundled_folder
from core.shelf.copying import checked
from core.shelf.figures import main_figures
from core.shelf.model import Installed, ShelfError

BUNDLE = "bundle"
"""The folder in a run's folder that holds the model it made."""

_STATES = {
    Status.RUNNING: tr("is still running. Wait until it is finished"),
    Status.PAUSED: tr("is paused. Resume it and wait until it is finished"),
    Status.FAILED: tr("failed. Start it again"),
    Status.CANCELLED: tr("was cancelled. Start another one"),
    Status.DIED: tr("ended without a word. Resume it and wait until it is finished"),
}


def bundled(role: str, *, active: bool) -> Installed:
    """The model of a role that came with the program."""
    folder = bundled_folder(role)
    return described(Installed(None, role, "", "", folder=folder, source="bundled", active=active))


def model_of(run: Run) -> Path:
    """The folder of the model that a run made. Raises ShelfError where it is not finished or made none."""
    if run.status is not Status.FINISHED:
        said = tr("The run {id} {state}.")
        raise ShelfError(said.format(id=run.id[:8], state=_STATES[run.status]))
    if not (run.folder / BUNDLE).is_dir():
        said = tr("The run {id} has no model: {folder} is not there. Use another run.")
        raise ShelfError(said.format(id=run.id[:8], folder=run.folder / BUNDLE))
    return run.folder / BUNDLE


def described(known: Installed) -> Installed:
    """A model with what its folder says now; where that cannot be read, as it is known, and why."""
    folder = known.folder
    card = folder / CARD if (folder / CARD).is_file() else None
    known = replace(known, name=known.name or known.role, card=card, figures=main_figures(card, known.role))
    try:
        fields = describe(folder, known.role)
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
        checked(folder, role)
    except BundleError as error:
        return str(error)
    return ""
