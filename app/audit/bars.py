"""A bias by option as bars, before and after calibration, with what chance alone would show as a line across each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from app.audit.looks import chance_pen, look
from app.audit.words import KINDS, MEANINGS, attribute_title, option_title, system_title
from app.figures.charts import Chart
from app.figures.charts_walk import WalkChart
from app.figures.dashboard_sections import ChartRow
from core.language import tr
from core.report import Report
from core.runs.audit import OVERALL, Audit, Bias, Kind

_BAR, _ABOVE, _BELOW, _SIDE, _GAP, _STICKS_OUT = 11, 6, 4, 4.0, 6.0, 2.0
_NONE = tr("Nothing has been measured yet.")


@dataclass(frozen=True, slots=True)
class Group:
    """The bias of one option by each system that was measured."""

    option: str
    biases: tuple[tuple[str, Bias], ...]


def groups_of(audit: Audit, attribute: str, kind: Kind) -> list[Group]:
    """The options of an attribute, and all together first; those that were not measured are left out."""
    found = []
    for option in (OVERALL, *audit.options[attribute]):
        parts = [(system, audit.part(system, attribute)) for system in audit.systems]
        biases = [
            (system, bias)
            for system, part in parts
            if part is not None and (bias := part.bias(kind, option)) is not None
        ]
        if biases:
            found.append(Group(option, tuple(biases)))
    return found


class BiasBars(WalkChart):
    """A group of bars for each option. All charts of an audit have one measure: ``most`` is as long as a bar can be."""

    back, forward = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, kind: Kind, parent: QWidget | None = None) -> None:
        self._kind = kind
        self._groups: list[Group] = []
        self._most = 1.0
        super().__init__(parent)
        self.setAccessibleName(KINDS[kind])

    def show_groups(self, groups: Sequence[Group], most: float) -> None:
        """Draw these. The keyboard stays on its option."""
        at = self._groups[self.current].option if self.current is not None else None
        self._groups, self._most = list(groups), most if most > 0 else 1.0
        keep = [number for number, group in enumerate(self._groups) if group.option == at]
        self.refresh(keep=keep[0] if keep else None)

    def option_at(self, number: int) -> str:
        """The option of a group."""
        return self._groups[number].option

    def count(self) -> int:
        """How many options there are."""
        return len(self._groups)

    def told(self, number: int) -> str:
        """An option in words."""
        group = self._groups[number]
        said = tr("{system} {value} (chance alone: under {chance})")
        each = "; ".join(
            said.format(
                system=system_title(system), value=f"{bias.value:.3f}", chance=f"{bias.null_high:.3f}"
            )
            for system, bias in group.biases
        )
        return f"{option_title(group.option)}: {each}."

    def summary(self) -> str:
        """The whole chart in words."""
        return " ".join(self.told(number) for number in range(self.count())) or _NONE

    def box(self, number: int, width: float) -> QRectF:
        """A group."""
        top = sum(self._height(group) for group in self._groups[:number])
        return QRectF(0, top, width, self._height(self._groups[number]))

    def wanted_height(self) -> int:
        """As high as its groups, and a line at least."""
        return round(max(self.line() + 4, sum(map(self._height, self._groups))) + 2)

    def draw(self, width: float, height: float) -> None:
        """For each option its name, and below it a bar a system with its figure."""
        if not self._groups:
            self.add_text(_NONE, QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        names = [system_title(system) for group in self._groups for system, _ in group.biases]
        room = min(max(map(self.advance, names), default=0.0), 0.36 * width)
        left = _SIDE + room + _GAP
        longest = max(20.0, width - left - self.advance("0.000") - _GAP - _SIDE)
        top = 0.0
        for group in self._groups:
            self.add_text(
                self.elided(option_title(group.option), width - 2 * _SIDE),
                QPointF(_SIDE, top + _ABOVE),
                anchor=(0, 0),
                bold=True,
            )
            at = top + _ABOVE + self.line() + 2
            for system, bias in group.biases:
                self._draw_bar(system, bias, QRectF(left, at, longest, self._step()), room=room)
                at += self._step()
            top += self._height(group)
        self.draw_focus(width, height)

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

    def _draw_bar(self, system: str, bias: Bias, box: QRectF, *, room: float) -> None:
        middle, shown = box.center().y(), look(system, dark=self._dark)
        self.add_text(
            self.elided(system_title(system), room),
            QPointF(box.left() - _GAP - room, middle),
            anchor=(0, 0.5),
            muted=True,
        )
        ground = QRectF(box.left(), middle - _BAR / 2, box.width(), _BAR)
        self.add_ground(ground)
        filled = QRectF(ground.left(), ground.top(), max(1.5, self._along(bias.value, ground)), _BAR)
        self.add_bar(filled, shown.brush, pen=shown.pen)
        chance = ground.left() + self._along(bias.null_high, ground)
        self.add_line(
            QPointF(chance, ground.top() - _STICKS_OUT),
            QPointF(chance, ground.bottom() + _STICKS_OUT),
            chance_pen(self.dress),
        )
        self.add_text(f"{bias.value:.3f}", QPointF(box.right() + _GAP, middle), anchor=(0, 0.5))

    def _along(self, value: float, ground: QRectF) -> float:
        return ground.width() * min(1.0, value / self._most)

    def _step(self) -> float:
        return max(self.line(), _BAR + 2 * _STICKS_OUT + 2)

    def _height(self, group: Group) -> float:
        return _ABOVE + self.line() + 2 + len(group.biases) * self._step() + _BELOW


def longest(audit: Audit) -> float:
    """The greatest figure of all charts of an audit: all have one measure."""
    return max(
        (
            figure
            for part in audit.parts
            for kind in KINDS
            for option in (OVERALL, *audit.options.get(part.attribute, ()))
            if (bias := part.bias(kind, option)) is not None
            for figure in (bias.value, bias.null_high)
        ),
        default=1.0,
    )


def chart_rows(audit: Audit, *, first: str) -> dict[str, ChartRow]:
    """All charts, to keep as pictures; those of the attribute ``first`` stand first."""
    names = sorted((part.attribute for part in audit.parts), key=lambda name: name != first)
    return {
        f"{kind}-{name}": _chart_row(audit, name, kind) for name in dict.fromkeys(names) for kind in KINDS
    }


def _chart_row(audit: Audit, attribute: str, kind: Kind) -> ChartRow:
    """One chart, to keep as a picture."""

    def fill(chart: Chart, _report: Report | None) -> None:
        assert isinstance(chart, BiasBars)
        chart.show_groups(groups_of(audit, attribute, kind), longest(audit))

    title = tr("{kind}: {attribute}, {generator}").format(
        kind=KINDS[kind], attribute=attribute_title(attribute), generator=audit.generator
    )
    line = tr("The line across a bar: chance alone stays under it in 19 of 20 cases.")
    return ChartRow(title, lambda _: BiasBars(kind), fill, lambda *_: f"{MEANINGS[kind]} {line}")
