"""Charts of a report as inline SVG: shapes and real text, no scripts, no external references.

Every shape has its colour for a light background; a style sheet may override it by class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from core.i18n import tr
from core.reports.chart_data import ParagraphBar, leaning_interval
from core.reports.descriptions import describe_bias_chart, describe_leaning_chart
from core.reports.safe_text import GLYPHS, kind_name
from core.types import Kind

WIDTH = 720
_LEFT, _RIGHT, _TOP, _FOOT = 78, 12, 12, 46
_PLOT = 150
_CAPPED = 8.0
_MOST_TICKS = 12
KIND_COLOURS = {Kind.FRAMING: "#d55e00", Kind.EPISTEMOLOGICAL: "#1a80c4", Kind.DEMOGRAPHIC: "#6a1258"}
"""The colours of app/widgets/kinds.py on a light background."""
_PALE, _BIASED, _LINE, _INK, _MUTED = "#eef5f4", "#0b7a75", "#cfcfc9", "#202327", "#63686e"


def bias_by_paragraph(bars: Sequence[ParagraphBar], *, name: str) -> str:
    """The bias of each paragraph, from 0 to 1; bars with a biased sentence are filled."""
    plot = _Plot(len(bars), low=0.0, high=1.0)
    plot.scale((0.0, 0.5, 1.0), lambda value: f"{value:g}")
    for number, bar in enumerate(bars):
        left, width = plot.slot(number)
        top = plot.y(bar.bias)
        style, colour = ("bar biased", _BIASED) if bar.biased else ("bar", _PALE)
        plot.add(_rect(left, top, width, plot.y(0) - top, style, colour, stroke=_BIASED))
    plot.numbers(bars)
    plot.label(tr("Mean bias (0 to 1)"))
    return plot.svg(tr("Bias by paragraph"), describe_bias_chart(bars), name)


def leaning_by_paragraph(bars: Sequence[ParagraphBar], *, name: str) -> str:
    """Whose wording each paragraph resembles, from left (-1) to right (+1), each with its interval."""
    plot = _Plot(len(bars), low=-1.0, high=1.0)
    plot.scale((-1.0, 0.0, 1.0), lambda value: (tr("right"), tr("center"), tr("left"))[round(1 - value)])
    for number, bar in enumerate(bars):
        if bar.leaning is None:
            continue
        left, width = plot.slot(number)
        value, low, high = leaning_interval(bar.leaning)
        middle = left + width / 2
        plot.add(_stroke(middle, plot.y(high), middle, plot.y(low), "whisker", _MUTED, 1.5))
        for end in (low, high) if width >= _CAPPED else ():
            plot.add(_stroke(middle - 3, plot.y(end), middle + 3, plot.y(end), "whisker", _MUTED, 1.5))
        radius = min(4.5, max(2.0, width / 2))
        plot.add(
            f'<circle cx="{middle:.1f}" cy="{plot.y(value):.1f}" r="{radius:.1f}" class="dot" fill="{_BIASED}"/>'
        )
    plot.numbers(bars)
    plot.label(tr("Resembles"))
    return plot.svg(tr("Political leaning by paragraph"), describe_leaning_chart(bars), name)


def kinds(counts: Mapping[Kind, int], *, name: str) -> str:
    """The number of findings of each kind, with glyph and name."""
    row, bar_left, bar_right = 30, 190, WIDTH - 70
    most = max(1, *counts.values())
    shapes = []
    for number, (kind, count) in enumerate(counts.items()):
        middle = _TOP + row * number + row / 2
        width = (bar_right - bar_left) * count / most
        shapes += [
            _text(14, middle + 5, GLYPHS[kind], "start", f"k {kind.value}", KIND_COLOURS[kind]),
            _text(34, middle + 5, kind_name(kind), "start", "ink", _INK),
            _rect(bar_left, middle - 9, max(width, 1), 18, f"k {kind.value}", KIND_COLOURS[kind]),
            _text(bar_left + width + 8, middle + 5, f"{count:,}", "start", "ink", _INK),
        ]
    description = ", ".join(f"{kind_name(kind)} {count:,}" for kind, count in counts.items())
    return _svg(shapes, 2 * _TOP + row * len(counts), tr("Findings by kind"), description, name)


class _Plot:
    """Bars side by side over an axis of paragraph numbers, in pixels, y downwards."""

    def __init__(self, count: int, *, low: float, high: float) -> None:
        self._step = (WIDTH - _LEFT - _RIGHT) / max(1, count)
        self._low, self._high = low, high
        self._shapes: list[str] = []

    def add(self, shape: str) -> None:
        self._shapes.append(shape)

    def slot(self, number: int) -> tuple[float, float]:
        width = min(40.0, max(1.0, self._step * 0.78))
        return _LEFT + self._step * number + (self._step - width) / 2, width

    def y(self, value: float) -> float:
        return _TOP + _PLOT * (self._high - value) / (self._high - self._low)

    def scale(self, values: Sequence[float], label: Callable[[float], str]) -> None:
        for value in values:
            self.add(_stroke(_LEFT, self.y(value), WIDTH - _RIGHT, self.y(value), "grid", _LINE, 1))
            self.add(_text(_LEFT - 6, self.y(value) + 4, label(value), "end", "muted", _MUTED))

    def numbers(self, bars: Sequence[ParagraphBar]) -> None:
        every = max(1, -(-len(bars) // _MOST_TICKS))
        for number in range(0, len(bars), every):
            left, width = self.slot(number)
            label = f"{bars[number].first:,}"
            self.add(_text(left + width / 2, _TOP + _PLOT + 16, label, "middle", "muted", _MUTED))
        middle = (_LEFT + WIDTH - _RIGHT) / 2
        self.add(_text(middle, _TOP + _PLOT + 36, tr("Paragraph"), "middle", "ink", _INK))

    def label(self, text: str) -> None:
        middle = _TOP + _PLOT / 2
        turned = f'transform="rotate(-90 14 {middle:.0f})"'
        self.add(_text(14, middle, text, "middle", "ink", _INK, turned))

    def svg(self, title: str, description: str, name: str) -> str:
        return _svg(self._shapes, _TOP + _PLOT + _FOOT, title, description, name)


def _svg(shapes: Sequence[str], height: float, title: str, description: str, name: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" role="img" aria-labelledby="{name}-t {name}-d" font-family="sans-serif" '
        f'font-size="13"><title id="{name}-t">{escape(title)}</title><desc id="{name}-d">{escape(description)}</desc>'
        f"{''.join(shapes)}</svg>"
    )


def _rect(
    x: float, y: float, width: float, height: float, style: str, fill: str, *, stroke: str = "none"
) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{max(0.0, height):.1f}"'
    return f'<rect {box} class="{style}" fill="{fill}" stroke="{stroke}"/>'


def _stroke(x1: float, y1: float, x2: float, y2: float, style: str, colour: str, width: float) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} class="{style}" stroke="{colour}" stroke-width="{width:g}"/>'


def _text(x: float, y: float, text: str, anchor: str, style: str, colour: str, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} class="{style}" fill="{colour}" {more}>{escape(text)}</text>'
