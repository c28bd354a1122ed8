"""How what an audit compares looks: a colour and a filling each, and a mark; the words beside it are never left out."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.audit.words import system_title
from app.parts.flow_layout import FlowLayout
from app.parts.theme import is_dark
from core.language import tr

# Grey, and vermilion, blue, purple and green of Okabe and Ito (2008), as light or dark as 3:1 asks for on each ground.
_COLOURS = {
    "vanilla": ("#63686E", "#A3A8AE"),
    "emb": ("#D55E00", "#E69F00"),
    "cls": ("#1A80C4", "#56B4E9"),
    "emb-token": ("#A8487F", "#E29AC2"),
    "token": ("#00805E", "#2DC9A0"),
}
_FILLINGS = {
    "vanilla": Qt.BrushStyle.SolidPattern,
    "emb": Qt.BrushStyle.BDiagPattern,
    "cls": Qt.BrushStyle.Dense4Pattern,
    "emb-token": Qt.BrushStyle.DiagCrossPattern,
    "token": Qt.BrushStyle.VerPattern,
}
_SAMPLE = 22


@dataclass(frozen=True, slots=True)
class Look:
    """A filling and the line around it."""

    brush: QBrush
    pen: QPen


def look(system: str, *, dark: bool) -> Look:
    """The look of a system on a dark or a light ground."""
    colour = QColor(_COLOURS.get(system, _COLOURS["vanilla"])[dark])
    return Look(QBrush(colour, _FILLINGS.get(system, Qt.BrushStyle.CrossPattern)), QPen(colour, 1))


class Legend(QWidget):
    """What the bars and the line across them are, side by side on as many lines as the width asks for."""

    def __init__(self) -> None:
        super().__init__()
        self._row = FlowLayout(spacing=14)
        self.setLayout(self._row)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_systems(self, systems: tuple[str, ...]) -> None:
        """Name these."""
        while (item := self._row.takeAt(0)) is not None:
            item.widget().hide()
            item.widget().deleteLater()
        for system in systems:
            self._row.addWidget(_Name(system_title(system), system))
        self._row.addWidget(_Name(tr("chance alone stays under this in 19 of 20 cases"), ""))
        self.updateGeometry()


class _Name(QWidget):
    """A piece of a bar, or of the line across it, and the name beside it."""

    def __init__(self, name: str, system: str) -> None:
        super().__init__()
        self._name, self._system = name, system
        self.setAccessibleName(name)
        metrics = self.fontMetrics()
        self.setFixedSize(_SAMPLE + 10 + metrics.horizontalAdvance(name), metrics.height() + 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw both."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        if self._system:
            shown = look(self._system, dark=is_dark(self.palette()))
            painter.setBrush(shown.brush)
            painter.setPen(shown.pen)
            painter.drawRect(QRectF(1, middle - 5, _SAMPLE - 2, 10))
        else:
            painter.setPen(chance_pen(self.palette()))
            painter.drawLine(QPointF(_SAMPLE / 2, middle - 7), QPointF(_SAMPLE / 2, middle + 7))
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(
            self.rect().adjusted(_SAMPLE + 6, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._name
        )
        painter.end()


def chance_pen(dress: QPalette) -> QPen:
    """The line that chance draws."""
    return QPen(dress.color(QPalette.ColorRole.WindowText), 2)
