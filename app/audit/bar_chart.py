"""Grouped bar charts of audits: the series styles (colour, fill, mark), and bars with name and value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from app.audit.audit_strings import system_title
from app.charts.navigable_charts import WalkChart
from app.widgets.flow_layout import FlowLayout
from app.widgets.labels import scaled
from app.widgets.theme import is_dark
from core.i18n import tr

# How what an audit compares looks: a colour and a filling each, and a mark; the words beside it are never left out.


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


# Bars in groups: for each group its name, and below it a bar with its name and its figure for each thing compared.


_BAR, _ABOVE, _BELOW, _SIDE, _GAP, STICKS_OUT = 11, 6, 4, 4.0, 6.0, 2.0
_FIGURE = "0.000"


@dataclass(frozen=True, slots=True)
class Bar:
    """What is compared: its ``name``, its ``value`` as a bar and as ``shown``, and ``ends``: where lines cross it."""

    name: str
    value: float
    shown: str
    ends: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Bars:
    """A group by its title, and quiet words behind it."""

    title: str
    bars: tuple[Bar, ...]
    more: str = ""


class GroupBars(WalkChart):
    """All bars have one measure: ``most`` is as long as one can be.

    Subclasses give ``look``, ``draw_ends`` and ``told``.
    """

    back, forward = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, nothing: str, parent: QWidget | None = None) -> None:
        self._nothing = nothing
        self._shown: list[Bars] = []
        self._most = 1.0
        super().__init__(parent)

    def look(self, group: int, bar: int) -> Look:
        """How a bar is filled."""
        raise NotImplementedError

    def draw_ends(self, bar: Bar, ground: QRectF) -> None:
        """Draw the lines across a bar."""
        raise NotImplementedError

    def show_bars(self, shown: Sequence[Bars], *, most: float) -> None:
        """Draw these. The keyboard stays on its group."""
        at = self._shown[self.current].title if self.current is not None else None
        self._shown, self._most = list(shown), most if most > 0 else 1.0
        keep = [number for number, group in enumerate(self._shown) if group.title == at]
        self.refresh(keep=keep[0] if keep else None)

    def count(self) -> int:
        """How many groups there are."""
        return len(self._shown)

    def summary(self) -> str:
        """The whole chart in words."""
        return " ".join(self.told(number) for number in range(self.count())) or self._nothing

    def box(self, number: int, width: float) -> QRectF:
        """A group."""
        top = sum(self._height(group) for group in self._shown[:number])
        return QRectF(0, top, width, self._height(self._shown[number]))

    def wanted_height(self) -> int:
        """As high as its groups, and a line at least."""
        return round(max(self.line() + 4, sum(map(self._height, self._shown))) + 2)

    def draw(self, width: float, height: float) -> None:
        """For each group its title, and below it a bar each with its figure."""
        if not self._shown:
            self.add_text(self._nothing, QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        names = [bar.name for group in self._shown for bar in group.bars]
        room = min(max(map(self.advance, names), default=0.0), 0.36 * width)
        left = _SIDE + room + _GAP
        longest = max(20.0, width - left - self.advance(_FIGURE) - _GAP - _SIDE)
        top = 0.0
        for number, group in enumerate(self._shown):
            self._draw_title(group, QPointF(_SIDE, top + _ABOVE), width - 2 * _SIDE)
            at = top + _ABOVE + self.line() + 2
            for place, bar in enumerate(group.bars):
                self._draw_bar(
                    bar, self.look(number, place), QRectF(left, at, longest, self._step()), room=room
                )
                at += self._step()
            top += self._height(group)
        self.draw_focus(width, height)

    def along(self, value: float, ground: QRectF) -> float:
        """Where a value lies on the ground of a bar, in pixels of the chart."""
        return ground.left() + ground.width() * max(0.0, min(1.0, value / self._most))

    def _go(self, number: int) -> None:
        """Keep the part in view where the chart is higher than the page."""
        super()._go(number)
        page = self.parentWidget()
        while page is not None and not isinstance(page, QScrollArea):
            page = page.parentWidget()
        if page is not None:
            box = self.box(number, float(self.width()))
            middle = self.mapTo(page.widget(), box.center().toPoint())
            page.ensureVisible(middle.x(), middle.y(), 0, round(box.height()))

    def _draw_title(self, group: Bars, at: QPointF, room: float) -> None:
        strong = QFontMetricsF(scaled(self.font(), 1.0, bold=True))
        left = room - self.advance(group.more) - _GAP
        title = strong.elidedText(group.title, Qt.TextElideMode.ElideRight, max(0.0, left))
        self.add_text(title, at, anchor=(0, 0), bold=True)
        behind = at + QPointF(strong.horizontalAdvance(title) + _GAP, 0)
        self.add_text(group.more, behind, anchor=(0, 0), muted=True)

    def _draw_bar(self, bar: Bar, look: Look, box: QRectF, *, room: float) -> None:
        middle = box.center().y()
        self.add_text(
            self.elided(bar.name, room, where=Qt.TextElideMode.ElideMiddle),
            QPointF(box.left() - _GAP - room, middle),
            anchor=(0, 0.5),
            muted=True,
        )
        ground = QRectF(box.left(), middle - _BAR / 2, box.width(), _BAR)
        self.add_ground(ground)
        length = max(1.5, self.along(bar.value, ground) - ground.left())
        self.add_bar(QRectF(ground.left(), ground.top(), length, _BAR), look.brush, pen=look.pen)
        self.draw_ends(bar, ground)
        self.add_text(bar.shown, QPointF(box.right() + _GAP, middle), anchor=(0, 0.5))

    def _step(self) -> float:
        return max(self.line(), _BAR + 2 * STICKS_OUT + 2)

    def _height(self, group: Bars) -> float:
        return _ABOVE + self.line() + 2 + len(group.bars) * self._step() + _BELOW
