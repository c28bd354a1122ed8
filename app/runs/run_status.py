"""The status of a run as a word and an icon, and the strings that describe a run: title, duration, metrics."""

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

from app.history.version_strings import when
from app.runs.recipes import recipe_title, scale_title
from app.widgets.labels import showable
from core.i18n import tr
from core.runs.types import Run, Status

# A word and a small drawing for each way in which a run can stand: another shape each, in the colour of the text.


_SIZES = (14, 16, 20, 24, 28, 32, 48)
_FILLED = (Status.RUNNING, Status.PAUSED, Status.CANCELLED)


def status_word(status: Status) -> str:
    """How a run stands, in a word."""
    return {
        Status.RUNNING: tr("running"),
        Status.PAUSED: tr("paused"),
        Status.FINISHED: tr("finished"),
        Status.FAILED: tr("failed"),
        Status.CANCELLED: tr("cancelled"),
        Status.DIED: tr("died"),
    }[status]


def status_icon(status: Status) -> QIcon:
    """The mark of a status in the colours of the theme: a triangle runs, bars are paused, a tick is finished, a cross
    failed, a square was cancelled, a broken line died.
    """
    palette = QGuiApplication.palette()
    roles = (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText)
    return _icon(status, *(palette.color(role).name() for role in roles))


@cache
def _icon(status: Status, plain: str, chosen: str) -> QIcon:
    made = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, plain), (QIcon.Mode.Selected, chosen)):
        for size in _SIZES:
            made.addPixmap(_drawn(status, size, QColor(colour)), mode)
    return made


def _drawn(status: Status, size: int, colour: QColor) -> QPixmap:
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
    """The shape in a square of one by one."""
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


# The history of runs in words: how a run stands, when, how long, and what its metrics are called.


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
