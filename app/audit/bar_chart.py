"""Grouped bar charts of audits: styles of the bars, legend, and bars with name and value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from app.audit.audit_strings import system_title
from app.charts.navigable_charts import NavigableChart
from app.widgets.flow_layout import FlowLayout, remove_widgets
from app.widgets.labels import scaled_font
from app.widgets.theme import is_dark
from core.i18n import tr

# Grey, and vermilion, blue, purple and green of Okabe and Ito (2008), as light or dark as 3:1 asks for on each ground.
_COLOURS = {
    "vanilla": ("#63686E", "#A3A8AE"),
    "emb": ("#D55E00", "#E69F00"),
    "cls": ("#1A80C4", "#56B4E9"),
    "emb-token": ("#A8487F", "#E29AC2"),
    "token": ("#00805E", "#2DC9A0"),
}
_FILL_PATTERNS = {
    "vanilla": Qt.BrushStyle.SolidPattern,
    "emb": Qt.BrushStyle.BDiagPattern,
    "cls": Qt.BrushStyle.Dense4Pattern,
    "emb-token": Qt.BrushStyle.DiagCrossPattern,
    "token": Qt.BrushStyle.VerPattern,
}
_SAMPLE = 22


@dataclass(frozen=True, slots=True)
class BarStyle:
    """Brush and outline of a bar."""

    brush: QBrush
    pen: QPen


def system_style(system: str, *, dark: bool) -> BarStyle:
    """The style of a debiasing method in a light or a dark theme: colour and pattern."""
    colour = QColor(_COLOURS.get(system, _COLOURS["vanilla"])[dark])
    return BarStyle(QBrush(colour, _FILL_PATTERNS.get(system, Qt.BrushStyle.CrossPattern)), QPen(colour, 1))


class Legend(QWidget):
    """The legend of bars and reference line, in wrapping rows."""

    def __init__(self) -> None:
        super().__init__()
        self._row = FlowLayout(spacing=14)
        self.setLayout(self._row)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_systems(self, systems: tuple[str, ...]) -> None:
        """Show these methods."""
        remove_widgets(self._row)
        for system in systems:
            self._row.addWidget(_LegendEntry(system_title(system), system))
        self._row.addWidget(_LegendEntry(tr("upper limit of chance (95%)"), ""))
        self.updateGeometry()


class _LegendEntry(QWidget):
    """A sample of a bar or of the reference line, and its name."""

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
            groups = system_style(self._system, dark=is_dark(self.palette()))
            painter.setBrush(groups.brush)
            painter.setPen(groups.pen)
            painter.drawRect(QRectF(1, middle - 5, _SAMPLE - 2, 10))
        else:
            painter.setPen(chance_line_pen(self.palette()))
            painter.drawLine(QPointF(_SAMPLE / 2, middle - 7), QPointF(_SAMPLE / 2, middle + 7))
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(
            self.rect().adjusted(_SAMPLE + 6, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._name
        )
        painter.end()


def chance_line_pen(palette: QPalette) -> QPen:
    """The pen of the reference line."""
    return QPen(palette.color(QPalette.ColorRole.WindowText), 2)


_BAR, _ABOVE, _BELOW, _SIDE, _GAP, LINE_OVERHANG = 11, 6, 4, 4.0, 6.0, 2.0
_VALUE_SAMPLE = "0.000"


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: name, value, the value as text, and the values at which lines cross it."""

    name: str
    value: float
    value_text: str
    line_values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class BarGroup:
    """A titled group of bars, with a muted note behind the title."""

    title: str
    bars: tuple[Bar, ...]
    note: str = ""


class GroupedBarChart(NavigableChart[BarGroup]):
    """Groups of bars on one scale up to a maximum.

    Subclasses implement ``bar_style``, ``draw_lines`` and ``describe``.
    """

    previous_key, next_key = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, empty_text: str, parent: QWidget | None = None) -> None:
        self._empty_text = empty_text
        self._maximum = 1.0
        super().__init__(parent)

    def bar_style(self, group: int, bar: int) -> BarStyle:
        """The style of a bar."""
        raise NotImplementedError

    def draw_lines(self, bar: Bar, ground: QRectF) -> None:
        """Draw the lines across a bar."""
        raise NotImplementedError

    def show_groups(self, groups: Sequence[BarGroup], *, maximum: float) -> None:
        """Draw these groups. The keyboard focus stays on its group."""
        self._maximum = maximum if maximum > 0 else 1.0
        self.show_items(groups, key=lambda group: group.title)

    def summary(self) -> str:
        """The text of the whole chart."""
        return " ".join(self.describe(number) for number in range(self.count())) or self._empty_text

    def item_rect(self, number: int, width: float) -> QRectF:
        """The rectangle of a group."""
        top = sum(self._group_height(group) for group in self.items[:number])
        return QRectF(0, top, width, self._group_height(self.items[number]))

    def preferred_height(self) -> int:
        """The height of all groups, at least one line."""
        return round(max(self.line_height() + 4, sum(map(self._group_height, self.items))) + 2)

    def draw(self, width: float, height: float) -> None:
        """Draw the title of each group and its bars with their values."""
        if not self.items:
            self.add_text(self._empty_text, QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        names = [bar.name for group in self.items for bar in group.bars]
        name_width = min(max(map(self.text_width, names), default=0.0), 0.36 * width)
        left = _SIDE + name_width + _GAP
        max_bar_width = max(20.0, width - left - self.text_width(_VALUE_SAMPLE) - _GAP - _SIDE)
        top = 0.0
        for number, group in enumerate(self.items):
            self._draw_title(group, QPointF(_SIDE, top + _ABOVE), width - 2 * _SIDE)
            at = top + _ABOVE + self.line_height() + 2
            for place, bar in enumerate(group.bars):
                self._draw_bar(
                    bar,
                    self.bar_style(number, place),
                    QRectF(left, at, max_bar_width, self._bar_step()),
                    name_width=name_width,
                )
                at += self._bar_step()
            top += self._group_height(group)
        self.draw_focus_frame(width, height)

    def x_of(self, value: float, ground: QRectF) -> float:
        """The x coordinate of a value on the track of a bar."""
        return ground.left() + ground.width() * max(0.0, min(1.0, value / self._maximum))

    def _set_current(self, number: int) -> None:
        """Scroll the page to the current group."""
        super()._set_current(number)
        page = self.parentWidget()
        while page is not None and not isinstance(page, QScrollArea):
            page = page.parentWidget()
        if page is not None and (content := page.widget()) is not None:
            item_rect = self.item_rect(number, float(self.width()))
            middle = self.mapTo(content, item_rect.center().toPoint())
            page.ensureVisible(middle.x(), middle.y(), 0, round(item_rect.height()))

    def _draw_title(self, group: BarGroup, at: QPointF, name_width: float) -> None:
        strong = QFontMetricsF(scaled_font(self.font(), 1.0, bold=True))
        left = name_width - self.text_width(group.note) - _GAP
        title = strong.elidedText(group.title, Qt.TextElideMode.ElideRight, max(0.0, left))
        self.add_text(title, at, anchor=(0, 0), bold=True)
        behind = at + QPointF(strong.horizontalAdvance(title) + _GAP, 0)
        self.add_text(group.note, behind, anchor=(0, 0), muted=True)

    def _draw_bar(self, bar: Bar, system_style: BarStyle, item_rect: QRectF, *, name_width: float) -> None:
        middle = item_rect.center().y()
        self.add_text(
            self.elide(bar.name, name_width, where=Qt.TextElideMode.ElideMiddle),
            QPointF(item_rect.left() - _GAP - name_width, middle),
            anchor=(0, 0.5),
            muted=True,
        )
        ground = QRectF(item_rect.left(), middle - _BAR / 2, item_rect.width(), _BAR)
        self.add_track(ground)
        length = max(1.5, self.x_of(bar.value, ground) - ground.left())
        self.add_bar(
            QRectF(ground.left(), ground.top(), length, _BAR), system_style.brush, pen=system_style.pen
        )
        self.draw_lines(bar, ground)
        self.add_text(bar.value_text, QPointF(item_rect.right() + _GAP, middle), anchor=(0, 0.5))

    def _bar_step(self) -> float:
        return max(self.line_height(), _BAR + 2 * LINE_OVERHANG + 2)

    def _group_height(self, group: BarGroup) -> float:
        return _ABOVE + self.line_height() + 2 + len(group.bars) * self._bar_step() + _BELOW
