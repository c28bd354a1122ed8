"""The bias per option as bars, before and after debiasing, with a line at what chance alone would show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.audit.audit_strings import BIAS_MEANINGS, KINDS, attribute_title, option_title, system_title
from app.audit.bar_chart import (
    LINE_OVERHANG,
    Bar,
    BarGroup,
    BarStyle,
    GroupedBarChart,
    chance_line_pen,
    system_style,
)
from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartSpec
from core.i18n import tr
from core.runs.generator_audit import OVERALL, Audit, BiasKind, BiasMetrics
from core.types import Report

_NONE = tr("Nothing has been measured yet.")


@dataclass(frozen=True, slots=True)
class OptionBiases:
    """The bias of one option by each measured method."""

    option: str
    biases: tuple[tuple[str, BiasMetrics], ...]


def collect_biases(audit: Audit, attribute: str, kind: BiasKind) -> list[OptionBiases]:
    """The biases of all options together, then of each measured option of an attribute."""
    found = []
    for option in (OVERALL, *audit.options[attribute]):
        parts = [(system, audit.part(system, attribute)) for system in audit.systems]
        biases = [
            (system, bias)
            for system, part in parts
            if part is not None and (bias := part.bias(kind, option)) is not None
        ]
        if biases:
            found.append(OptionBiases(option, tuple(biases)))
    return found


class BiasChart(GroupedBarChart):
    """A group of bars per option; the line across a bar is the upper limit of chance."""

    def __init__(self, kind: BiasKind, parent: QWidget | None = None) -> None:
        self._options: list[OptionBiases] = []
        super().__init__(_NONE, parent)
        self.setAccessibleName(KINDS[kind])

    def show_biases(self, groups: Sequence[OptionBiases], maximum: float) -> None:
        """Draw these biases."""
        self._options = list(groups)
        bar_groups = [
            BarGroup(
                option_title(group.option),
                tuple(
                    Bar(system_title(system), bias.value, f"{bias.value:.3f}", (bias.null_high,))
                    for system, bias in group.biases
                ),
            )
            for group in groups
        ]
        self.show_groups(bar_groups, maximum=maximum)

    def option_of(self, number: int) -> str:
        """The option of a group."""
        return self._options[number].option

    def describe(self, number: int) -> str:
        """The text of an option."""
        group = self._options[number]
        template = tr("{system} {value} (chance: below {chance})")
        values = "; ".join(
            template.format(
                system=system_title(system), value=f"{bias.value:.3f}", chance=f"{bias.null_high:.3f}"
            )
            for system, bias in group.biases
        )
        return f"{option_title(group.option)}: {values}."

    def bar_style(self, group: int, bar: int) -> BarStyle:
        """The style of the method."""
        return system_style(self._options[group].biases[bar][0], dark=self._dark)

    def draw_lines(self, bar: Bar, ground: QRectF) -> None:
        """Draw the upper limit of chance."""
        for end in bar.line_values:
            at = self.x_of(end, ground)
            top, bottom = ground.top() - LINE_OVERHANG, ground.bottom() + LINE_OVERHANG
            self.add_line(QPointF(at, top), QPointF(at, bottom), chance_line_pen(self.palette_in_use))


def greatest_value(audit: Audit) -> float:
    """The greatest value of all charts of an audit, which share one scale."""
    return max(
        (
            value
            for part in audit.parts
            for kind in KINDS
            for option in (OVERALL, *audit.options.get(part.attribute, ()))
            if (bias := part.bias(kind, option)) is not None
            for value in (bias.value, bias.null_high)
        ),
        default=1.0,
    )


def chart_specs(audit: Audit, *, first: str) -> dict[str, ChartSpec]:
    """All charts for the export; those of the attribute ``first`` come first."""
    names = sorted((part.attribute for part in audit.parts), key=lambda name: name != first)
    return {
        f"{kind}-{name}": _chart_spec(audit, name, kind) for name in dict.fromkeys(names) for kind in KINDS
    }


def _chart_spec(audit: Audit, attribute: str, kind: BiasKind) -> ChartSpec:
    """One chart for the export."""

    def fill(chart: Chart, _report: Report | None) -> None:
        assert isinstance(chart, BiasChart)
        chart.show_biases(collect_biases(audit, attribute, kind), greatest_value(audit))

    title = tr("{kind}: {attribute}, {generator}").format(
        kind=KINDS[kind], attribute=attribute_title(attribute), generator=audit.generator
    )
    line = tr("Line across a bar: chance alone stays below it in 19 of 20 cases.")
    return ChartSpec(title, lambda _: BiasChart(kind), fill, lambda *_: f"{BIAS_MEANINGS[kind]} {line}")
