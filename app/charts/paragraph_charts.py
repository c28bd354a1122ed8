"""Charts by paragraph in reading order: bias, leaning with its uncertainty, kinds."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QColor, QPainterPath, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.charts.navigable_charts import WalkChart
from app.widgets.kinds import look
from core.i18n import ntr, tr
from core.reports.chart_data import ParagraphBar, lean, paragraph_bars
from core.reports.descriptions import bias_in_words, leaning_in_words, no_leaning, resemblance, shares, where
from core.types import KINDS, Report

_Role = QPalette.ColorRole
_NARROWEST = 5.0
_WIDEST = 40.0
_SIDE = 6.0


class ParagraphChart(WalkChart):
    """Bars over paragraph numbers. A text with more paragraphs than there is room for is drawn in groups.

    ``place_wanted``: the code point at which the chosen bar's first paragraph begins.
    """

    place_wanted = Signal(int)
    scale: tuple[float, float] = (0.0, 1.0)

    def __init__(self, parent: QWidget | None = None, *, plot: int = 90) -> None:
        self._plot = plot
        self._left = self._top = 0.0
        self._report: Report | None = None
        self._bars: tuple[ParagraphBar, ...] = ()
        super().__init__(parent)
        self.setAccessibleName(self.title())
        self.chosen.connect(lambda number: self.place_wanted.emit(self._bars[number].start))

    def title(self) -> str:
        """What the chart shows."""
        raise NotImplementedError

    def unit(self) -> str:
        """What its axis counts."""
        raise NotImplementedError

    def ticks(self) -> list[tuple[float, str]]:
        """Values of the axis and their names, from below."""
        raise NotImplementedError

    def draw_bar(self, bar: ParagraphBar, slot: tuple[float, float]) -> None:
        """Draw one bar between the pixels of ``slot``, left and right."""
        raise NotImplementedError

    def missing(self) -> str:
        """What is said where there is nothing to draw; empty where there is something."""
        return "" if self._bars else tr("There is no paragraph to show.")

    @property
    def bars(self) -> tuple[ParagraphBar, ...]:
        """The bars as they are drawn."""
        return self._bars

    def show_report(self, report: Report) -> None:
        """Show the paragraphs of a report. The keyboard stays on the bar with the same beginning."""
        self._report = report
        self._group()

    def count(self) -> int:
        """How many bars there are."""
        return len(self._bars)

    def box(self, number: int, width: float) -> QRectF:
        """The whole height over a bar."""
        step = self._step(width)
        return QRectF(self._left + step * number, self._top, step, self._plot)

    def wanted_height(self) -> int:
        """The unit, the plot, the numbers and their name."""
        self._measure()
        return round(self._top + self._plot + 2 * self.line() + 8)

    def draw(self, width: float, height: float) -> None:
        """The axis, the bars, the numbers."""
        self._bars_for(width)
        self.add_text(
            self.elided(self.unit(), width - 2 * _SIDE), QPointF(_SIDE, 4), anchor=(0, 0), muted=True
        )
        if missing := self.missing():
            shown = self.elided(missing, width - 2 * _SIDE)
            self.add_text(
                shown, QPointF(width / 2, self._y(sum(self.scale) / 2)), anchor=(0.5, 0.5), muted=True
            )
            self.draw_focus(width, height)
            return
        for value, name in self.ticks():
            y = self._y(value)
            self.add_line(QPointF(self._left, y), QPointF(width - _SIDE, y), self.line_pen())
            self.add_text(name, QPointF(self._left - 5, y), anchor=(1, 0.5), muted=True)
        step = self._step(width)
        thick = min(_WIDEST, max(1.0, step * 0.76))
        for number, bar in enumerate(self._bars):
            left = self._left + step * number + (step - thick) / 2
            self.draw_bar(bar, (left, left + thick))
        self._draw_numbers(width, step)
        self.draw_focus(width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for other groups."""
        super().resizeEvent(event)
        self._group()

    def _group(self) -> None:
        if self._report is None:
            return
        self._measure()
        at = self._bars[self.current].start if self.current is not None and self._bars else None
        self._bars = paragraph_bars(self._report, most=self._room(float(self.width())))
        keep = [number for number, bar in enumerate(self._bars) if at is not None and bar.start <= at]
        self.refresh(keep=keep[-1] if keep else None)

    def _bars_for(self, width: float) -> None:
        """The bars that a picture of that width has room for."""
        if self._report is not None and self.pictured:
            self._bars = paragraph_bars(self._report, most=self._room(width))

    def _room(self, width: float) -> int:
        return max(1, int((width - self._left - _SIDE) / _NARROWEST))

    def _draw_numbers(self, width: float, step: float) -> None:
        top = self._top + self._plot + 3
        widest = self.advance(f"{self._bars[-1].first:,}") + 10
        every = max(1, -(-int(widest) // max(1, int(step))))
        for number in range(0, len(self._bars), every):
            middle = self._left + step * (number + 0.5)
            self.add_text(f"{self._bars[number].first:,}", QPointF(middle, top), anchor=(0.5, 0), muted=True)
        middle = (self._left + width - _SIDE) / 2
        size = self._bars[0].last - self._bars[0].first + 1
        name = tr("Paragraph") if size == 1 else tr("Paragraph, in groups of {n}").format(n=size)
        self.add_text(name, QPointF(middle, top + self.line()), anchor=(0.5, 0), muted=True)

    def _step(self, width: float) -> float:
        return max(1.0, width - self._left - _SIDE) / max(1, len(self._bars))

    def _measure(self) -> None:
        """What the font asks for: the room left of the plot and above it."""
        self._left = _SIDE + 5 + max((self.advance(name) for _, name in self.ticks()), default=0.0)
        self._top = 6 + 2 * self.line()

    def _y(self, value: float) -> float:
        low, high = self.scale
        return self._top + self._plot * (high - value) / (high - low)


class BiasByParagraph(ParagraphChart):
    """Mean bias of each paragraph; a filled bar holds a sentence that reads as biased."""

    def title(self) -> str:
        """What the chart shows."""
        return tr("Bias by paragraph")

    def unit(self) -> str:
        """What its axis counts."""
        return tr("Mean bias, 0 (neutral) to 1")

    def ticks(self) -> list[tuple[float, str]]:
        """From neutral to biased."""
        return [(0.0, "0"), (0.5, "0.5"), (1.0, "1")]

    def draw_bar(self, bar: ParagraphBar, slot: tuple[float, float]) -> None:
        """Filled or outlined."""
        accent = self.colour(_Role.Accent)
        ground = QColor(accent.red(), accent.green(), accent.blue(), 30)
        top = min(self._y(bar.bias), self._y(0) - 1.5)
        box = QRectF(slot[0] + 0.5, top, max(1.0, slot[1] - slot[0] - 1), self._y(0) - top)
        self.add_bar(box, accent if bar.biased else ground, pen=QPen(accent, 1))

    def told(self, number: int) -> str:
        """A bar in words."""
        bar = self._bars[number]
        if not bar.sentences:
            return tr("{which}: quotations only, which do not count.").format(which=_capital(where(bar)))
        biased = ntr(
            "{biased} of {count} sentence reads as biased",
            "{biased} of {count} sentences read as biased",
            bar.sentences,
        ).format(biased=f"{bar.biased:,}", count=f"{bar.sentences:,}")
        return tr("{which}: mean bias {bias:.2f}; {biased}.").format(
            which=_capital(where(bar)), bias=bar.bias, biased=biased
        )

    def summary(self) -> str:
        """The whole chart in words."""
        return bias_in_words(self._bars)


class LeaningByParagraph(ParagraphChart):
    """Whose wording each paragraph resembles, with a line as long as the reader is unsure."""

    scale = (-1.0, 1.0)

    def title(self) -> str:
        """What the chart shows."""
        return tr("Leaning of the wording by paragraph")

    def unit(self) -> str:
        """What its axis counts."""
        return tr("Resembles outlets, −1 (left) to +1 (right)")

    def ticks(self) -> list[tuple[float, str]]:
        """The three sides."""
        return [(-1.0, tr("left")), (0.0, tr("center")), (1.0, tr("right"))]

    def missing(self) -> str:
        """Most texts have no leaning that could be told."""
        known = any(bar.leaning for bar in self._bars)
        return super().missing() or ("" if known else tr("Too short, or not political."))

    def draw_bar(self, bar: ParagraphBar, slot: tuple[float, float]) -> None:
        """A point and its interval; nothing where there is no leaning."""
        if bar.leaning is None:
            return
        value, low, high = lean(bar.leaning)
        middle = sum(slot) / 2
        reach = min(5.0, (slot[1] - slot[0]) / 2)
        pen = QPen(self.colour(_Role.PlaceholderText), 1.5)
        self.add_line(QPointF(middle, self._y(low)), QPointF(middle, self._y(high)), pen)
        for end in (low, high) if reach >= 3 else ():
            self.add_line(QPointF(middle - reach, self._y(end)), QPointF(middle + reach, self._y(end)), pen)
        dot = QPainterPath()
        dot.addEllipse(QPointF(middle, self._y(value)), reach, reach)
        self.add_shape(dot, brush=self.colour(_Role.Accent), pen=QPen(self.colour(_Role.Window), 1))

    def told(self, number: int) -> str:
        """A paragraph in words."""
        bar = self._bars[number]
        if bar.leaning is None:
            return f"{_capital(where(bar))}: {no_leaning()}"
        _, low, high = lean(bar.leaning)
        unsure = tr("unsure from {low:+.2f} to {high:+.2f}").format(low=low, high=high)
        return f"{_capital(where(bar))}: {resemblance(bar.leaning)} {shares(bar.leaning)}; {unsure}."

    def summary(self) -> str:
        """The whole chart in words."""
        return leaning_in_words(self._bars)


class KindsByParagraph(ParagraphChart):
    """Findings of each paragraph, one part of the bar for each kind, told apart by colour and filling."""

    def title(self) -> str:
        """What the chart shows."""
        return tr("Kinds by paragraph")

    def unit(self) -> str:
        """What its axis counts."""
        return tr("Findings")

    def ticks(self) -> list[tuple[float, str]]:
        """None, and the most."""
        return [(0.0, "0"), (self.scale[1], f"{self.scale[1]:.0f}")]

    def missing(self) -> str:
        """A text without findings."""
        found = any(any(bar.kinds.values()) for bar in self._bars)
        return super().missing() or ("" if found else tr("No findings."))

    def wanted_height(self) -> int:
        """A line more: what the fillings stand for."""
        return super().wanted_height() + round(self.line() + 6)

    def draw(self, width: float, height: float) -> None:
        """The chart and its key."""
        self._bars_for(width)
        self.scale = (0.0, float(max([1, *(sum(bar.kinds.values()) for bar in self._bars)])))
        super().draw(width, height)
        left, side = _SIDE, self.line() * 0.7
        top = height - self.line() - 2
        for kind in KINDS:
            name = look(kind, dark=False).label
            self.add_kind(QRectF(left, top + (self.line() - side) / 2, side, side), kind)
            self.add_glyph(QRectF(left + side + 5, top + (self.line() - 9) / 2, 9, 9), kind)
            room = width - left - side - 19 - _SIDE
            self.add_text(self.elided(name, room), QPointF(left + side + 18, top), anchor=(0, 0))
            left += side + 32 + self.advance(name)

    def draw_bar(self, bar: ParagraphBar, slot: tuple[float, float]) -> None:
        """One part on the other."""
        bottom = self._y(0)
        unit = self._plot / self.scale[1]
        for kind in KINDS:
            size = unit * bar.kinds.get(kind, 0)
            if size:
                self.add_kind(
                    QRectF(slot[0] + 0.5, bottom - size, max(1.0, slot[1] - slot[0] - 1), size), kind
                )
            bottom -= size

    def told(self, number: int) -> str:
        """A bar in words."""
        bar = self._bars[number]
        counts = ", ".join(
            f"{look(kind, dark=False).label} {count:,}" for kind, count in bar.kinds.items() if count
        )
        none = tr("no findings")
        return f"{_capital(where(bar))}: {counts or none}."

    def summary(self) -> str:
        """The whole chart in words."""
        totals = {kind: sum(bar.kinds.get(kind, 0) for bar in self._bars) for kind in KINDS}
        counts = ", ".join(f"{look(kind, dark=False).label} {count:,}" for kind, count in totals.items())
        bars = ntr("{count} bar", "{count} bars", len(self._bars)).format(count=f"{len(self._bars):,}")
        return tr("{bars}; in all {counts}.").format(bars=bars, counts=counts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
