"""The style of each kind of finding: colour, line style, shape and label, so that no single one is needed to tell them
apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPolygonF, QTextCharFormat

from core.i18n import tr
from core.types import Kind


@dataclass(frozen=True, slots=True)
class KindStyle:
    """The style of one kind in one theme. ``pen`` and ``brush`` are used in charts."""

    colour: QColor
    underline: QTextCharFormat.UnderlineStyle
    glyph: str
    label: str
    pen: Qt.PenStyle
    brush: Qt.BrushStyle


# From the palette of Okabe and Ito (2008): vermilion or orange, blue, reddish purple; and green. They are
# moved in lightness until all four stay apart for each colour-blindness (measured in test_kinds.py).
_COLOURS = {
    Kind.FRAMING: ("#D55E00", "#E69F00"),
    Kind.EPISTEMOLOGICAL: ("#1A80C4", "#3D96D6"),
    Kind.DEMOGRAPHIC: ("#6A1258", "#F2BEDF"),
    Kind.STYLE: ("#33591A", "#BFE896"),
}
_UNDERLINES = {
    Kind.FRAMING: QTextCharFormat.UnderlineStyle.WaveUnderline,
    Kind.EPISTEMOLOGICAL: QTextCharFormat.UnderlineStyle.DashUnderline,
    Kind.DEMOGRAPHIC: QTextCharFormat.UnderlineStyle.DotLine,
    Kind.STYLE: QTextCharFormat.UnderlineStyle.SingleUnderline,
}
_PENS = {
    Kind.FRAMING: Qt.PenStyle.SolidLine,
    Kind.EPISTEMOLOGICAL: Qt.PenStyle.DashLine,
    Kind.DEMOGRAPHIC: Qt.PenStyle.DotLine,
    Kind.STYLE: Qt.PenStyle.DashDotLine,
}
_BRUSHES = {
    Kind.FRAMING: Qt.BrushStyle.SolidPattern,
    Kind.EPISTEMOLOGICAL: Qt.BrushStyle.BDiagPattern,
    Kind.DEMOGRAPHIC: Qt.BrushStyle.Dense4Pattern,
    Kind.STYLE: Qt.BrushStyle.CrossPattern,
}
_GLYPHS = {Kind.FRAMING: "●", Kind.EPISTEMOLOGICAL: "◆", Kind.DEMOGRAPHIC: "▲", Kind.STYLE: "■"}
_LABELS = {
    Kind.FRAMING: tr("Framing"),
    Kind.EPISTEMOLOGICAL: tr("Epistemological"),
    Kind.DEMOGRAPHIC: tr("Demographic"),
    Kind.STYLE: tr("Style rule"),
}


def kind_style(kind: Kind, *, dark: bool) -> KindStyle:
    """The style of a kind on a dark or a light background (contrast at least 3:1, WCAG 2.2, 1.4.11)."""
    return KindStyle(
        colour=QColor(_COLOURS[kind][dark]),
        underline=_UNDERLINES[kind],
        glyph=_GLYPHS[kind],
        label=_LABELS[kind],
        pen=_PENS[kind],
        brush=_BRUSHES[kind],
    )


def glyph_path(kind: Kind, box: QRectF) -> QPainterPath:
    """The glyph of a kind as a path inside ``box``: fonts draw ● ◆ ▲ at very different sizes."""
    path = QPainterPath()
    if kind is Kind.FRAMING:
        inset = box.width() * 0.06
        path.addEllipse(box.adjusted(inset, inset, -inset, -inset))
        return path
    if kind is Kind.STYLE:
        inset = box.width() * 0.1
        path.addRect(box.adjusted(inset, inset, -inset, -inset))
        return path
    if kind is Kind.EPISTEMOLOGICAL:
        corners = [
            QPointF(box.center().x(), box.top()),
            QPointF(box.right(), box.center().y()),
            QPointF(box.center().x(), box.bottom()),
            QPointF(box.left(), box.center().y()),
        ]
    else:
        corners = [
            QPointF(box.center().x(), box.top()),
            QPointF(box.right(), box.bottom() - box.height() * 0.06),
            QPointF(box.left(), box.bottom() - box.height() * 0.06),
        ]
    path.addPolygon(QPolygonF(corners))
    path.closeSubpath()
    return path
