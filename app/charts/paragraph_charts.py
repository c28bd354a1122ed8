"""Charts by paragraph in reading order: bias, political leaning with its uncertainty, kinds."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QColor, QPainterPath, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.charts.navigable_charts import NavigableChart
from app.widgets.kinds import kind_style
from core.i18n import ntr, tr
from core.reports.chart_data import ParagraphBar, leaning_interval, paragraph_bars
from core.reports.descriptions import (
    describe_bias_chart,
    describe_leaning,
    describe_leaning_chart,
    explain_missing_leaning,
    format_probabilities,
    paragraph_numbers,
)
from core.types import KINDS, NoLeaning, Report

_Role = QPalette.ColorRole
_MIN_STEP = 5.0
_MAX_BAR_WIDTH = 40.0
_SIDE = 6.0


class ParagraphChart(NavigableChart[ParagraphBar]):
    """Bars over paragraph numbers; paragraphs are grouped if there are too many.

    Subclasses have a ``title`` and a ``unit``, the label of the axis. ``location_requested`` carries the code point of
    the first paragraph of the activated bar.
    """

    title: str
    unit: str

    location_requested = Signal(int)
    scale: tuple[float, float] = (0.0, 1.0)

    def __init__(self, parent: QWidget | None = None, *, plot: int = 90) -> None:
        self._plot = plot
        self._left = self._top = 0.0
        self._report: Report | None = None
        super().__init__(parent)
        self.setAccessibleName(self.title)
        self.activated.connect(lambda number: self.location_requested.emit(self.items[number].start))

    def ticks(self) -> list[tuple[float, str]]:
        """Values of the axis with their labels, from below."""
        raise NotImplementedError

    def draw_bar(self, bar: ParagraphBar, span: tuple[float, float]) -> None:
        """Draw a bar between the left and right pixel of ``span``."""
        raise NotImplementedError

    def empty_message(self) -> str:
        """The text for an empty chart; empty if there is something to draw."""
        return "" if self.items else tr("There are no paragraphs.")

    def show_report(self, report: Report) -> None:
        """Show the paragraphs of a report. The keyboard focus stays on the bar with the same start."""
        self._report = report
        self._group()

    def item_rect(self, number: int, width: float) -> QRectF:
        """The full height over a bar."""
        step = self._step(width)
        return QRectF(self._left + step * number, self._top, step, self._plot)

    def preferred_height(self) -> int:
        """The label, the plot, the paragraph numbers and their label."""
        self._measure_margins()
        return round(self._top + self._plot + 2 * self.line_height() + 8)

    def draw(self, width: float, height: float) -> None:
        """Draw the axis, the bars and the numbers."""
        self._group_for_export(width)
        self.add_text(self.elide(self.unit, width - 2 * _SIDE), QPointF(_SIDE, 4), anchor=(0, 0), muted=True)
        if empty_message := self.empty_message():
            shown = self.elide(empty_message, width - 2 * _SIDE)
            self.add_text(
                shown, QPointF(width / 2, self._y(sum(self.scale) / 2)), anchor=(0.5, 0.5), muted=True
            )
            self.draw_focus_frame(width, height)
            return
        for value, name in self.ticks():
            y = self._y(value)
            self.add_line(QPointF(self._left, y), QPointF(width - _SIDE, y), self.line_pen())
            self.add_text(name, QPointF(self._left - 5, y), anchor=(1, 0.5), muted=True)
        step = self._step(width)
        bar_width = min(_MAX_BAR_WIDTH, max(1.0, step * 0.76))
        for number, bar in enumerate(self.items):
            left = self._left + step * number + (step - bar_width) / 2
            self.draw_bar(bar, (left, left + bar_width))
        self._draw_numbers(width, step)
        self.draw_focus_frame(width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need other groups."""
        super().resizeEvent(event)
        self._group()

    def _group(self) -> None:
        if self._report is None:
            return
        self._measure_margins()
        at = self.items[self.current].start if self.current is not None and self.items else None
        self.items = paragraph_bars(self._report, most=self._max_bars(float(self.width())))
        keep = [number for number, bar in enumerate(self.items) if at is not None and bar.start <= at]
        self.refresh(keep=keep[-1] if keep else None)

    def _group_for_export(self, width: float) -> None:
        """Group the paragraphs for the width of an exported picture."""
        if self._report is not None and self.for_export:
            self.items = paragraph_bars(self._report, most=self._max_bars(width))

    def _max_bars(self, width: float) -> int:
        return max(1, int((width - self._left - _SIDE) / _MIN_STEP))

    def _draw_numbers(self, width: float, step: float) -> None:
        top = self._top + self._plot + 3
        widest = self.text_width(f"{self.items[-1].first:,}") + 10
        every = max(1, -(-int(widest) // max(1, int(step))))
        for number in range(0, len(self.items), every):
            middle = self._left + step * (number + 0.5)
            self.add_text(f"{self.items[number].first:,}", QPointF(middle, top), anchor=(0.5, 0), muted=True)
        middle = (self._left + width - _SIDE) / 2
        size = self.items[0].last - self.items[0].first + 1
        name = tr("Paragraph") if size == 1 else tr("Paragraph, in groups of {n}").format(n=size)
        self.add_text(name, QPointF(middle, top + self.line_height()), anchor=(0.5, 0), muted=True)

    def _step(self, width: float) -> float:
        return max(1.0, width - self._left - _SIDE) / max(1, len(self.items))

    def _measure_margins(self) -> None:
        """Compute the margins left of and above the plot from the font."""
        self._left = _SIDE + 5 + max((self.text_width(name) for _, name in self.ticks()), default=0.0)
        self._top = 6 + 2 * self.line_height()

    def _y(self, value: float) -> float:
        low, high = self.scale
        return self._top + self._plot * (high - value) / (high - low)


class BiasByParagraph(ParagraphChart):
    """Mean bias of each paragraph; a bar is filled if a sentence of it reads as biased."""

    title, unit = tr("Bias by paragraph"), tr("Mean bias, 0 (neutral) to 1")

    def ticks(self) -> list[tuple[float, str]]:
        """From neutral to biased."""
        return [(0.0, "0"), (0.5, "0.5"), (1.0, "1")]

    def draw_bar(self, bar: ParagraphBar, span: tuple[float, float]) -> None:
        """Draw a filled or an outlined bar."""
        accent = self.colour(_Role.Accent)
        ground = QColor(accent.red(), accent.green(), accent.blue(), 30)
        top = min(self._y(bar.bias), self._y(0) - 1.5)
        box = QRectF(span[0] + 0.5, top, max(1.0, span[1] - span[0] - 1), self._y(0) - top)
        self.add_bar(box, accent if bar.biased else ground, pen=QPen(accent, 1))

    def describe(self, number: int) -> str:
        """The text of a bar."""
        bar = self.items[number]
        if not bar.sentences:
            return tr("{which}: only quotations, which are not counted.").format(
                which=_capitalize(paragraph_numbers(bar))
            )
        biased = ntr(
            "{biased} of {count} sentence reads as biased",
            "{biased} of {count} sentences read as biased",
            bar.sentences,
        ).format(biased=f"{bar.biased:,}", count=f"{bar.sentences:,}")
        return tr("{which}: mean bias {bias:.2f}; {biased}.").format(
            which=_capitalize(paragraph_numbers(bar)), bias=bar.bias, biased=biased
        )

    def summary(self) -> str:
        """The text of the whole chart."""
        return describe_bias_chart(self.items)


class LeaningByParagraph(ParagraphChart):
    """The political leaning of each paragraph with an error bar."""

    title, unit = tr("Political leaning by paragraph"), tr("Resembles outlets, −1 (left) to +1 (right)")
    scale = (-1.0, 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Left, center and right."""
        return [(-1.0, tr("left")), (0.0, tr("center")), (1.0, tr("right"))]

    def empty_message(self) -> str:
        """Most texts have no leaning."""
        message = super().empty_message()
        if message or any(bar.leaning for bar in self.items):
            return message
        reasons = {bar.no_leaning for bar in self.items}
        if NoLeaning.UNABLE in reasons:
            return tr("The reader cannot tell.")
        if NoLeaning.UNSURE in reasons:
            return tr("Too short or not political, or the reader cannot tell.")
        return tr("Too short, or not political.")

    def draw_bar(self, bar: ParagraphBar, span: tuple[float, float]) -> None:
        """Draw a point and its interval, if there is a leaning."""
        if bar.leaning is None:
            return
        value, low, high = leaning_interval(bar.leaning)
        middle = sum(span) / 2
        reach = min(5.0, (span[1] - span[0]) / 2)
        pen = QPen(self.colour(_Role.PlaceholderText), 1.5)
        self.add_line(QPointF(middle, self._y(low)), QPointF(middle, self._y(high)), pen)
        for end in (low, high) if reach >= 3 else ():
            self.add_line(QPointF(middle - reach, self._y(end)), QPointF(middle + reach, self._y(end)), pen)
        dot = QPainterPath()
        dot.addEllipse(QPointF(middle, self._y(value)), reach, reach)
        self.add_shape(dot, brush=self.colour(_Role.Accent), pen=QPen(self.colour(_Role.Window), 1))

    def describe(self, number: int) -> str:
        """The text of a paragraph."""
        bar = self.items[number]
        if bar.leaning is None:
            return f"{_capitalize(paragraph_numbers(bar))}: {explain_missing_leaning(bar.no_leaning)}"
        _, low, high = leaning_interval(bar.leaning)
        unsure = tr("interval {low:+.2f} to {high:+.2f}").format(low=low, high=high)
        probabilities = format_probabilities(bar.leaning)
        return f"{_capitalize(paragraph_numbers(bar))}: {describe_leaning(bar.leaning)} {probabilities}; {unsure}."

    def summary(self) -> str:
        """The text of the whole chart."""
        return describe_leaning_chart(self.items)


class KindsByParagraph(ParagraphChart):
    """Findings of each paragraph as stacked bars; kinds differ in colour and pattern."""

    title, unit = tr("Kinds by paragraph"), tr("Findings")

    def ticks(self) -> list[tuple[float, str]]:
        """Zero and the maximum."""
        return [(0.0, "0"), (self.scale[1], f"{self.scale[1]:.0f}")]

    def empty_message(self) -> str:
        """The text for a draft without findings."""
        found = any(any(bar.kinds.values()) for bar in self.items)
        return super().empty_message() or ("" if found else tr("No findings."))

    def preferred_height(self) -> int:
        """One more line for the legend."""
        return super().preferred_height() + round(self.line_height() + 6)

    def draw(self, width: float, height: float) -> None:
        """Draw the chart and its legend."""
        self._group_for_export(width)
        self.scale = (0.0, float(max([1, *(sum(bar.kinds.values()) for bar in self.items)])))
        super().draw(width, height)
        left, side = _SIDE, self.line_height() * 0.7
        top = height - self.line_height() - 2
        for kind in KINDS:
            name = kind_style(kind, dark=False).label
            self.add_kind(QRectF(left, top + (self.line_height() - side) / 2, side, side), kind)
            self.add_glyph(QRectF(left + side + 5, top + (self.line_height() - 9) / 2, 9, 9), kind)
            available = width - left - side - 19 - _SIDE
            self.add_text(self.elide(name, available), QPointF(left + side + 18, top), anchor=(0, 0))
            left += side + 32 + self.text_width(name)

    def draw_bar(self, bar: ParagraphBar, span: tuple[float, float]) -> None:
        """Draw a stacked bar."""
        bottom = self._y(0)
        unit = self._plot / self.scale[1]
        for kind in KINDS:
            size = unit * bar.kinds.get(kind, 0)
            if size:
                self.add_kind(
                    QRectF(span[0] + 0.5, bottom - size, max(1.0, span[1] - span[0] - 1), size), kind
                )
            bottom -= size

    def describe(self, number: int) -> str:
        """The text of a bar."""
        bar = self.items[number]
        counts = ", ".join(
            f"{kind_style(kind, dark=False).label} {count:,}" for kind, count in bar.kinds.items() if count
        )
        none = tr("no findings")
        return f"{_capitalize(paragraph_numbers(bar))}: {counts or none}."

    def summary(self) -> str:
        """The text of the whole chart."""
        totals = {kind: sum(bar.kinds.get(kind, 0) for bar in self.items) for kind in KINDS}
        counts = ", ".join(
            f"{kind_style(kind, dark=False).label} {count:,}" for kind, count in totals.items()
        )
        bars = ntr("{count} bar", "{count} bars", len(self.items)).format(count=f"{len(self.items):,}")
        return tr("{bars}; in total {counts}.").format(bars=bars, counts=counts)


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
