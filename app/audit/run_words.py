"""What is said of any run of the audit window: which it is, how far, how it ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.training.child_progress import Progress
from app.training.history_words import base_title
from app.training.recipes import scale_title
from app.training.retrain_words import duration
from app.training.status_marks import status_word
from app.versions.version_words import when
from core.language import tr
from core.runs.model import Run, Status


@dataclass(frozen=True, slots=True)
class Telling:
    """How the progress of one recipe is told.

    ``counts``: whether the steps that were told last are of the whole run, or of the stage that it is in; ``done`` what
    they are (done, of all); ``counted`` names the bar.
    """

    stage: Callable[[Progress], str]
    counts: Callable[[Progress], bool]
    done: Callable[[Progress], str]
    counted: str


def run_line(run: Run) -> str:
    """An audit in a line: of what, how it stands, since when."""
    return (
        f"{base_title(run.base)} · {scale_title(run.scale)} · {status_word(run.status)} · {when(run.made_at)}"
    )


def run_title(run: Run) -> str:
    """What is looked at."""
    said = tr("{models}, scale “{scale}”, seed {seed}")
    return said.format(models=base_title(run.base), scale=scale_title(run.scale), seed=run.seed)


def outcome(run: Run) -> str:
    """How an audit ended, with what can be done now."""
    match run.status:
        case Status.FINISHED:
            return tr("Finished.")
        case Status.PAUSED:
            return tr("Paused. Resume goes on where it stopped.")
        case Status.CANCELLED:
            return tr("Cancelled.")
        case Status.DIED:
            return tr(
                "It ended without a word: its process was killed, or the memory or the power gave out. Resume goes on "
                "where it stopped; if it ends again, choose a smaller model or another device."
            )
        case Status.FAILED:
            said = run.message.strip() or tr("The audit failed without saying why.")
            return said + " " + tr("The log holds the rest.")
    return ""


def done(telling: Telling, progress: Progress) -> str:
    """How much is there, and how long the rest takes."""
    eta_s = progress.eta_s
    said = telling.done(progress).format(done=f"{progress.step:,}", all=f"{progress.steps:,}")
    return tr("{done}, {time} left").format(done=said, time=duration(eta_s)) if eta_s > 0 else said
