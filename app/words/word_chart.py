"""The most stereotyped words as bars, with a title and the way to save the chart as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartRow
from app.charts.navigable_charts import WalkChart
from app.widgets.labels import ElidedLabel, scaled, showable
from app.words.word_rows import key_of, likeliest, most_stereotyped, spoken
from core.i18n import tr
from core.types import Report

if TYPE_CHECKING:
    from core.stereotypes.word_effects import WordEffect


# The words that the model reads as most biased alone, as bars.


TITLE = tr("Most stereotyped words")
NOTE = tr(
    "How biased the model reads each word alone, from 0 to 1. That is the model's habit, not a verdict on the word."
)
PICTURED = 12
"""The most rows of a chart that is kept as a picture."""
_NONE = tr("No words.")
_SIDE, _GAP, _WORD = 4.0, 6.0, 0.5


class WordBars(WalkChart):
    """One row a word: its likeliest kind, the word, its score as a bar from 0 to 1 and as a number.

    ``word_wanted``: the ``WordEffect`` of the chosen row.
    """

    word_wanted = Signal(object)
    back, forward = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, parent: QWidget | None = None, *, most: int = 5) -> None:
        self._most = most
        self._known: Sequence[WordEffect] = ()
        self._words: list[WordEffect] = []
        super().__init__(parent)
        self.setAccessibleName(TITLE)
        self.chosen.connect(lambda number: self.word_wanted.emit(self._words[number]))

    def show_words(self, words: Sequence[WordEffect]) -> None:
        """Draw the highest of these. The keyboard stays on its word."""
        self._known = words
        at = key_of(self._words[self.current]) if self.current is not None else None
        self._words = most_stereotyped(words, self._most)
        keep = [number for number, word in enumerate(self._words) if key_of(word) == at]
        self.refresh(keep=keep[0] if keep else None)

    def show_most(self, most: int) -> None:
        """Draw so many rows at most."""
        if most != self._most:
            self._most = most
            self.show_words(self._known)

    def count(self) -> int:
        """How many rows there are."""
        return len(self._words)

    def told(self, number: int) -> str:
        """A row in words."""
        return spoken(self._words[number])

    def summary(self) -> str:
        """The whole chart in words."""
        return "; ".join(f"{showable(word.word)} {word.score.bias:.2f}" for word in self._words) or _NONE

    def box(self, number: int, width: float) -> QRectF:
        """A whole row."""
        return QRectF(0, number * self._row(), width, self._row())

    def wanted_height(self) -> int:
        """As many rows as there are, one at least."""
        return round(self._row() * max(1, len(self._words)) + 2)

    def draw(self, width: float, height: float) -> None:
        """A line for each word."""
        if not self._words:
            self.add_text(_NONE, QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        figures = self.advance("0.00")
        inside = width - 2 * _SIDE - 16 - figures - 2 * _GAP
        widest = max((self.advance(showable(word.word)) for word in self._words), default=0.0)
        room = min(widest + 2, inside * _WORD)
        for number, word in enumerate(self._words):
            top = number * self._row()
            middle = top + self._row() / 2
            self.add_glyph(QRectF(_SIDE, middle - 5, 10, 10), likeliest(word)[0])
            left = _SIDE + 16
            self.add_text(self.elided(showable(word.word), room), QPointF(left, middle), anchor=(0, 0.5))
            bar = QRectF(left + room + _GAP, middle - 5, inside - room, 10)
            self.add_ground(bar)
            filled = QRectF(bar.left(), bar.top(), max(2.0, bar.width() * word.score.bias), bar.height())
            self.add_bar(filled, self.colour(QPalette.ColorRole.Accent))
            self.add_text(
                f"{word.score.bias:.2f}", QPointF(width - _SIDE, middle), anchor=(1, 0.5), bold=True
            )
        self.draw_focus(width, height)

    def _row(self) -> float:
        return self.line() + 7


def chart_row(words: Sequence[WordEffect]) -> ChartRow:
    """These words as a chart to keep as a picture."""

    def fill(chart: Chart, _report: Report) -> None:
        assert isinstance(chart, WordBars)
        chart.show_words(words)

    return ChartRow(TITLE, lambda _: WordBars(most=PICTURED), fill, lambda *_: NOTE)


# The chart of the words panel with its title and the way to keep it as a picture.


class WordsChartSection(QWidget):
    """``export_wanted``: the chart is to be kept as a picture."""

    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = WordBars()
        title = ElidedLabel()
        title.setText(TITLE)
        title.setForegroundRole(QPalette.ColorRole.WindowText)
        title.setToolTip(NOTE)
        title.setFont(scaled(self.font(), 1.0, bold=True))
        more = QToolButton()
        more.setText("⋯")
        more.setAutoRaise(True)
        more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        more.setAccessibleName(tr("Save the chart: {title}").format(title=TITLE))
        more.setToolTip(tr("Save this chart as a picture"))
        more.clicked.connect(lambda: self.export_wanted.emit())
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(title, 1)
        head.addWidget(more, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 0, 10, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.bars)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the chart, by the pointer or the Menu key."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("&Save as picture…")).triggered.connect(lambda: self.export_wanted.emit())
        menu.popup(event.globalPos())
        event.accept()
