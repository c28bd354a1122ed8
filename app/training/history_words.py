"""The history of runs in words: how a run stands, when, how long, and what its metrics are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from app.parts.labels import showable
from app.training.recipes import recipe_title, scale_title
from app.training.status_marks import status_word
from app.versions.version_words import when
from core.language import tr
from core.runs.model import Run, Status

SHORT = 8
"""Characters of an id that are shown: a person tells runs apart by them."""


def short(run: Run) -> str:
    """The beginning of a run's id."""
    return run.id[:SHORT]


def base_title(base: str) -> str:
    """What base models are called where there is little room: of a folder or hub name its last part."""
    return ", ".join(PurePath(one).name or one for one in base.split(", "))


def metric_title(name: str) -> str:
    """What a metric is called."""
    return showable(name.replace("_", " "))


def lasted(seconds: float | None) -> str:
    """A time in hours, minutes and seconds; nothing where it is not known."""
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def figure(value: float | None) -> str:
    """A metric as it is shown; nothing where a run has none."""
    if value is None:
        return ""
    return f"{value:.4f}" if abs(value) < 100 else f"{value:,.1f}"


def title(run: Run) -> str:
    """A run in a line: what, how it stands, since when."""
    return f"{recipe_title(run.recipe)} {short(run)} · {status_word(run.status)} · {when(run.made_at)}"


def spoken(run: Run, metrics: Sequence[str]) -> str:
    """All of a row, for those who do not see it."""
    parts = [status_word(run.status), recipe_title(run.recipe), when(run.made_at), scale_title(run.scale)]
    parts += [base_title(run.base), run.device, lasted(run.seconds)]
    parts += [f"{metric_title(name)} {figure(run.result[name])}" for name in metrics if name in run.result]
    return showable(", ".join(part for part in parts if part))


def explained(run: Run) -> str:
    """Why a run stands as it does, and what can be done; nothing where that is plain."""
    if run.status is Status.DIED:
        return tr(
            "Its process ended without a word: it was killed, the memory ran out, or the computer went off. "
            "Resume goes on from the last checkpoint."
        )
    if run.status is Status.PAUSED:
        return tr("Resume goes on from the last checkpoint.")
    return showable(run.message) if run.status in (Status.FAILED, Status.CANCELLED) else ""
