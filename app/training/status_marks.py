"""A word and a small drawing for each way in which a run can stand: another shape each, in the colour of the text."""

from __future__ import annotations

from functools import cache

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

from core.language import tr
from core.runs.model import Status

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
