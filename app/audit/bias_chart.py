"""A bias by option as bars, before and after calibration, with what chance alone would show as a line across each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.audit.audit_strings import KINDS, MEANINGS, attribute_title, option_title, system_title
from app.audit.bar_chart import STICKS_OUT, Bar, Bars, GroupBars, Look, chance_pen, look
from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartRow
from core.i18n import tr
from core.runs.generator_audit import OVERALL, Audit, Bias, Kind
from core.types import Report

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


class BiasBars(GroupBars):
    """A group of bars for each option; the line across a bar is what chance alone shows."""

    def __init__(self, kind: Kind, parent: QWidget | None = None) -> None:
        self._groups: list[Group] = []
        super().__init__(_NONE, parent)
        self.setAccessibleName(KINDS[kind])

    def show_groups(self, groups: Sequence[Group], most: float) -> None:
        """Draw these."""
        self._groups = list(groups)
        shown = [
            Bars(
                option_title(group.option),
                tuple(
                    Bar(system_title(system), bias.value, f"{bias.value:.3f}", (bias.null_high,))
                    for system, bias in group.biases
                ),
            )
            for group in groups
        ]
        self.show_bars(shown, most=most)

    def option_at(self, number: int) -> str:
        """The option of a group."""
        return self._groups[number].option

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

    def look(self, group: int, bar: int) -> Look:
        """That of a system."""
        return look(self._groups[group].biases[bar][0], dark=self._dark)

    def draw_ends(self, bar: Bar, ground: QRectF) -> None:
        """What chance alone stays under."""
        for end in bar.ends:
            at = self.along(end, ground)
            top, bottom = ground.top() - STICKS_OUT, ground.bottom() + STICKS_OUT
            self.add_line(QPointF(at, top), QPointF(at, bottom), chance_pen(self.dress))


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
