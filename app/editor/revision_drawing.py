"""How tracked changes are drawn: a colour for each author, lines under words, a mark where words were deleted.

And comments: a ground behind their words, or a bar between two letters.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.editor.underlines import Pens, draw_tint
from core.revisions.types import RevisionKind

# On a light and a dark background, 4.5:1 and more as the colour of text; on pure white and black 7:1 and more.
_AUTHORS = (
    ("#B3261E", "#FF8A80"),
    ("#5B3FB0", "#B9A2FF"),
    ("#00696B", "#4FD8D0"),
    ("#8A4B00", "#F0B45A"),
    ("#A1106F", "#FF8FD0"),
    ("#4A5A00", "#C3D95A"),
)
_HIGH_CONTRAST_AUTHORS = (
    ("#8C0F0A", "#FFB4AB"),
    ("#43268F", "#D6CAFF"),
    ("#004B4D", "#7DF2EA"),
    ("#5C3200", "#FFD08A"),
    ("#700A4D", "#FFBCE3"),
    ("#364200", "#DDF07A"),
)
AUTHOR_COLOURS = len(_AUTHORS)
_COMMENT, _HIGH_CONTRAST_COMMENT = ("#E0A800", "#F2C230"), ("#6B5000", "#FFE08A")
_COMMENT_GROUND, _COMMENT_BAR = 0.2, 0.85
COLOURED = (RevisionKind.INSERTED, RevisionKind.MOVED)
"""Words of these kinds have the colour of their author; those whose look alone was changed keep their own."""
_DASHES = {RevisionKind.MOVED: [4.0, 2.0], RevisionKind.FORMATTED: [6.0, 2.5, 1.0, 2.5]}


def author_colour(author: int, pens: Pens) -> QColor:
    """The colour of an author by the number among those of a file; it comes again for the seventh one."""
    table = _HIGH_CONTRAST_AUTHORS if pens.high_contrast else _AUTHORS
    return QColor(table[author % AUTHOR_COLOURS][pens.dark])


def draw_revision_line(
    painter: QPainter,
    kind: RevisionKind,
    ends: tuple[float, float],
    *,
    baseline: float,
    size: float,
    pens: Pens,
    colour: QColor,
) -> None:
    """Draw the line under words of a revision: double if they were inserted or moved, beneath that of a finding.

    ``ends``: left and right; ``size`` is the font's ascent in pixels.
    """
    left, right = ends
    width = pens.width(size)
    thin = max(1.0, width / 2)
    pen = QPen(colour, thin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if kind in _DASHES:
        pen.setDashPattern(_DASHES[kind])
    painter.setPen(pen)
    # On whole pixels: between two of them a thin line is faint.
    y = round(baseline + max(3.0, size * 0.2) + 1.6 * width) + thin / 2
    for number in range(2 if kind in COLOURED else 1):
        at = y + number * int(thin + 2)
        painter.drawLine(QPointF(left, at), QPointF(right, at))


def draw_revision_place(
    painter: QPainter, x: float, *, baseline: float, size: float, colour: QColor, struck: bool
) -> None:
    """Draw where words are missing: a wedge at the top of the line that points between two letters.

    ``struck``: they were deleted, so a stroke goes over it.
    """
    half, height = wedge_half_width(size), size * 0.26
    top = baseline - size
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corners = [QPointF(x - half, top), QPointF(x + half, top), QPointF(x, top + height)]
    painter.drawPolygon(QPolygonF(corners))
    if struck:
        thick = max(1.6, size * 0.1)
        reach = half * 1.7
        painter.drawRect(round(x - reach), round(top - thick), round(2 * reach), round(thick))


def draw_comment(painter: QPainter, box: QRectF, pens: Pens, *, is_place: bool) -> None:
    """Draw the ground of commented words, or the bar of a comment that is at a place between two letters."""
    colour = QColor((_HIGH_CONTRAST_COMMENT if pens.high_contrast else _COMMENT)[pens.dark])
    if is_place:
        draw_tint(painter, box, colour, _COMMENT_BAR)
    else:
        draw_tint(painter, box, colour, _COMMENT_GROUND, outlined=pens.high_contrast)


def wedge_half_width(size: float) -> float:
    """Half of the width of a wedge, for text with an ascent of ``size``."""
    return max(3.0, size * 0.22)
