"""The most frequent cues as bars: cue class, number of findings, and the words."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QWidget

from app.analysis.explanations import class_label, cue_classes
from app.charts.navigable_charts import NavigableChart
from app.widgets.kinds import kind_style
from app.widgets.labels import scaled_font
from core.i18n import ntr, tr
from core.reports.chart_data import CueCount, count_cues
from core.types import Finding

_BAR, _GAP, _SIDE = 10, 12, 4.0


class CueBars(NavigableChart[CueCount]):
    """A row per cue class, the most frequent first. ``cue_requested`` carries the ``CueCount`` of the activated row."""

    cue_requested = Signal(object)
    previous_key, next_key = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, parent: QWidget | None = None, *, limit: int = 5) -> None:
        self._limit = limit
        super().__init__(parent)
        self.setAccessibleName(tr("Most frequent cues"))
        self.activated.connect(lambda number: self.cue_requested.emit(self.items[number]))

    def show_findings(self, findings: tuple[Finding, ...]) -> None:
        """Count the cues of these findings. The keyboard focus stays on its class."""
        kinds = {key: one.kind for key, one in cue_classes().items()}
        cues = count_cues(findings, most=self._limit, kinds=kinds)
        self.show_items(cues, key=lambda cue: cue.category)

    def label(self, cue: CueCount) -> str:
        """The display name of a cue class."""
        return class_label(cue.category) if cue.category else tr("from context")

    def describe(self, number: int) -> str:
        """The text of a row."""
        cue = self.items[number]
        count = ntr("{count} finding", "{count} findings", cue.count).format(count=f"{cue.count:,}")
        kind = kind_style(cue.kind, dark=False).label
        return f"{self.label(cue)} ({kind}): {count}. {self._words(cue)}"

    def summary(self) -> str:
        """The text of the whole chart."""
        if not self.items:
            return tr("No findings.")
        return "; ".join(f"{self.label(cue)} {cue.count:,}" for cue in self.items)

    def item_rect(self, number: int, width: float) -> QRectF:
        """The rectangle of a row."""
        return QRectF(0, number * self._row(), width, self._row() - 2)

    def preferred_height(self) -> int:
        """The height of all rows, at least one."""
        return round(self._row() * max(1, len(self.items)))

    def draw(self, width: float, height: float) -> None:
        """Draw two lines of text with a bar between them per row."""
        if not self.items:
            self.add_text(tr("No findings."), QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        limit = max((cue.count for cue in self.items), default=1)
        bold_metrics = QFontMetricsF(scaled_font(self.font(), 1.0, bold=True))
        inside = width - 2 * _SIDE
        for number, cue in enumerate(self.items):
            top = number * self._row() + 3
            middle = top + self.line_height() / 2
            self.add_glyph(QRectF(_SIDE, middle - 5, 10, 10), cue.kind)
            count_text = f"{cue.count:,}"
            available = inside - 17 - bold_metrics.horizontalAdvance(count_text) - 6
            self.add_text(
                self.elide(self.label(cue), available), QPointF(_SIDE + 17, middle), anchor=(0, 0.5)
            )
            self.add_text(count_text, QPointF(width - _SIDE, middle), anchor=(1, 0.5), bold=True)
            bar = top + self.line_height() + 2
            self.add_track(QRectF(_SIDE, bar, inside, _BAR))
            self.add_kind(
                QRectF(_SIDE + 0.5, bar + 0.5, max(4.0, inside * cue.count / limit) - 1, _BAR - 1), cue.kind
            )
            words = self.elide(self._words(cue), inside)
            self.add_text(words, QPointF(_SIDE, bar + _BAR + 2), anchor=(0, 0), muted=True)
        self.draw_focus_frame(width, height)

    def _words(self, cue: CueCount) -> str:
        return " · ".join(
            f"{words}\u00a0×\u00a0{count}" if count > 1 else words for words, count in cue.words
        )

    def _row(self) -> float:
        return 2 * self.line_height() + _BAR + _GAP
