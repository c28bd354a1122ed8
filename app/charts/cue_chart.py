"""The most frequent cues as bars: the class, how many findings it explains, and with which words."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from app.analysis.explanations import class_label, cue_classes
from app.charts.navigable_charts import WalkChart
from app.widgets.kinds import look
from app.widgets.labels import scaled
from core.i18n import ntr, tr
from core.reports.chart_data import CueCount, cue_counts
from core.types import Finding

_BAR, _GAP, _SIDE = 10, 12, 4.0


class CueBars(WalkChart):
    """One row a class, the most frequent first. ``cue_wanted``: the ``CueCount`` of the chosen row."""

    cue_wanted = Signal(object)
    back, forward = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, parent: QWidget | None = None, *, most: int = 5) -> None:
        self._most = most
        self._cues: tuple[CueCount, ...] = ()
        super().__init__(parent)
        self.setAccessibleName(self.title())
        self.chosen.connect(lambda number: self.cue_wanted.emit(self._cues[number]))

    def title(self) -> str:
        """What the chart shows."""
        return tr("Most frequent cues")

    @property
    def cues(self) -> tuple[CueCount, ...]:
        """The rows as they are drawn."""
        return self._cues

    def show_findings(self, findings: tuple[Finding, ...]) -> None:
        """Count the cues of these findings. The keyboard stays on its class."""
        at = self._cues[self.current].category if self.current is not None else None
        kinds = {key: one.kind for key, one in cue_classes().items()}
        self._cues = cue_counts(findings, most=self._most, kinds=kinds)
        keep = [number for number, cue in enumerate(self._cues) if cue.category == at]
        self.refresh(keep=keep[0] if keep else None)

    def label(self, cue: CueCount) -> str:
        """The class as a person reads it."""
        return class_label(cue.category) if cue.category else tr("from context")

    def count(self) -> int:
        """How many rows there are."""
        return len(self._cues)

    def told(self, number: int) -> str:
        """A row in words."""
        cue = self._cues[number]
        count = ntr("{count} finding", "{count} findings", cue.count).format(count=f"{cue.count:,}")
        kind = look(cue.kind, dark=False).label
        return f"{self.label(cue)} ({kind}): {count}. {self._words(cue)}"

    def summary(self) -> str:
        """The whole chart in words."""
        if not self._cues:
            return tr("No findings.")
        return "; ".join(f"{self.label(cue)} {cue.count:,}" for cue in self._cues)

    def box(self, number: int, width: float) -> QRectF:
        """A whole row."""
        return QRectF(0, number * self._row(), width, self._row() - 2)

    def wanted_height(self) -> int:
        """As many rows as there are, one at least."""
        return round(self._row() * max(1, len(self._cues)))

    def draw(self, width: float, height: float) -> None:
        """Two lines of text with a bar between them for each row."""
        if not self._cues:
            self.add_text(tr("No findings."), QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        most = max((cue.count for cue in self._cues), default=1)
        strong = QFontMetricsF(scaled(self.font(), 1.0, bold=True))
        inside = width - 2 * _SIDE
        for number, cue in enumerate(self._cues):
            top = number * self._row() + 3
            middle = top + self.line() / 2
            self.add_glyph(QRectF(_SIDE, middle - 5, 10, 10), cue.kind)
            figure = f"{cue.count:,}"
            room = inside - 17 - strong.horizontalAdvance(figure) - 6
            self.add_text(self.elided(self.label(cue), room), QPointF(_SIDE + 17, middle), anchor=(0, 0.5))
            self.add_text(figure, QPointF(width - _SIDE, middle), anchor=(1, 0.5), bold=True)
            bar = top + self.line() + 2
            self.add_ground(QRectF(_SIDE, bar, inside, _BAR))
            self.add_kind(
                QRectF(_SIDE + 0.5, bar + 0.5, max(4.0, inside * cue.count / most) - 1, _BAR - 1), cue.kind
            )
            words = self.elided(self._words(cue), inside)
            self.add_text(words, QPointF(_SIDE, bar + _BAR + 2), anchor=(0, 0), muted=True)
        self.draw_focus(width, height)

    def _words(self, cue: CueCount) -> str:
        return " · ".join(
            f"{words}\u00a0×\u00a0{count}" if count > 1 else words for words, count in cue.words
        )

    def _row(self) -> float:
        return 2 * self.line() + _BAR + _GAP
