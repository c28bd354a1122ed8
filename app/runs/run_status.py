"""The status of a run as text and icon, and other short strings of a run: title, duration, metrics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import PurePath

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QIcon,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
    QPolygonF,
)

from app.history.version_strings import format_time
from app.widgets.labels import to_single_line
from core.i18n import tr
from core.runs.recipes import RECIPES, SCALES, recipe_name
from core.runs.types import Run, Status

_SIZES = (14, 16, 20, 24, 28, 32, 48)
_FILLED = (Status.RUNNING, Status.PAUSED, Status.CANCELLED)


def status_text(status: Status) -> str:
    """The name of a status."""
    return {
        Status.RUNNING: tr("running"),
        Status.PAUSED: tr("paused"),
        Status.FINISHED: tr("finished"),
        Status.FAILED: tr("failed"),
        Status.CANCELLED: tr("cancelled"),
        Status.DIED: tr("died"),
    }[status]


def status_icon(status: Status) -> QIcon:
    """The icon of a status: a triangle for running, bars for paused, a tick for finished, a cross for failed, a square
    for cancelled, a broken line for died.
    """
    palette = QGuiApplication.palette()
    roles = (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText)
    return _icon(status, *(palette.color(role).name() for role in roles))


@cache
def _icon(status: Status, normal: str, selected: str) -> QIcon:
    icon = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, normal), (QIcon.Mode.Selected, selected)):
        for size in _SIZES:
            icon.addPixmap(_draw_icon(status, size, QColor(colour)), mode)
    return icon


def _draw_icon(status: Status, size: int, colour: QColor) -> QPixmap:
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size, size)
    if status in _FILLED:
        painter.fillPath(_path(status), colour)
    else:
        pen = QPen(colour, 0.12)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(_path(status), pen)
    painter.end()
    return pixmap


def _path(status: Status) -> QPainterPath:
    """The shape in a unit square."""
    path = QPainterPath()
    match status:
        case Status.RUNNING:
            path.addPolygon(QPolygonF([QPointF(0.25, 0.15), QPointF(0.85, 0.5), QPointF(0.25, 0.85)]))
        case Status.PAUSED:
            path.addRect(QRectF(0.22, 0.18, 0.2, 0.64))
            path.addRect(QRectF(0.58, 0.18, 0.2, 0.64))
        case Status.FINISHED:
            _lines(path, (0.16, 0.54), (0.4, 0.78), (0.84, 0.24))
        case Status.FAILED:
            _lines(path, (0.22, 0.22), (0.78, 0.78))
            _lines(path, (0.78, 0.22), (0.22, 0.78))
        case Status.CANCELLED:
            path.addRect(QRectF(0.22, 0.22, 0.56, 0.56))
        case Status.DIED:
            _lines(path, (0.06, 0.5), (0.3, 0.5), (0.42, 0.18), (0.56, 0.82), (0.64, 0.5))
            _lines(path, (0.84, 0.5), (0.94, 0.5))
    return path


def _lines(path: QPainterPath, first: tuple[float, float], *others: tuple[float, float]) -> None:
    path.moveTo(*first)
    for point in others:
        path.lineTo(*point)


ID_LENGTH = 8
"""Characters of an id that are shown."""


def recipe_title(name: str) -> str:
    """The title of a recipe; its name if it is unknown."""
    recipe = RECIPES.get(recipe_name(name))
    return recipe.title if recipe else name


def scale_title(name: str) -> str:
    """The title of a scale; its name if it is unknown."""
    return SCALES[name].title if name in SCALES else name


def short_id(run: Run) -> str:
    """The first characters of the id of a run."""
    return run.id[:ID_LENGTH]


def base_title(base: str) -> str:
    """Base models without their folder or hub owner."""
    return ", ".join(PurePath(base_model).name or base_model for base_model in base.split(", "))


def metric_title(name: str) -> str:
    """The display name of a metric."""
    return to_single_line(name.replace("_", " "))


def format_duration(seconds: float | None) -> str:
    """A duration in hours, minutes and seconds; empty if unknown."""
    if seconds is None:
        return ""
    minutes, remaining = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{remaining:02}" if hours else f"{minutes}:{remaining:02}"


def format_metric(value: float | None) -> str:
    """A metric as text; empty if the run has none."""
    if value is None:
        return ""
    return f"{value:.4f}" if abs(value) < 100 else f"{value:,.1f}"


def run_summary(run: Run) -> str:
    """A run in a line: recipe, id, status and start."""
    return (
        f"{recipe_title(run.recipe)} {short_id(run)} · {status_text(run.status)} · {format_time(run.made_at)}"
    )


def run_accessible_text(run: Run, metrics: Sequence[str]) -> str:
    """The text of a row for screen readers."""
    parts = [
        status_text(run.status),
        recipe_title(run.recipe),
        format_time(run.made_at),
        scale_title(run.scale),
    ]
    parts += [base_title(run.base), run.device, format_duration(run.seconds)]
    parts += [
        f"{metric_title(name)} {format_metric(run.result[name])}" for name in metrics if name in run.result
    ]
    return to_single_line(", ".join(part for part in parts if part))


def explain_status(run: Run) -> str:
    """Why a run has this status and what can be done; may be empty."""
    if run.status is Status.DIED:
        return tr(
            "Its process ended unexpectedly: it was killed, memory ran out, or the computer was switched off. "
            "Resume continues from the last checkpoint."
        )
    if run.status is Status.PAUSED:
        return tr("Resume continues from the last checkpoint.")
    return to_single_line(run.message) if run.status in (Status.FAILED, Status.CANCELLED) else ""
