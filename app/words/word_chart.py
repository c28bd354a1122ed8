"""The most stereotyped words as a bar chart, with a button to save it as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPalette
from PySide6.QtWidgets import QWidget

from app.charts.base_charts import Chart
from app.charts.chart_sections import ChartSpec, make_export_button, show_export_menu
from app.charts.navigable_charts import NavigableChart
from app.widgets.labels import ElidedLabel, scaled_font, to_single_line
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import plain_text
from app.words.word_rows import accessible_text, key_of, most_likely_kind, most_stereotyped
from core.i18n import tr
from core.types import Report

if TYPE_CHECKING:
    from core.stereotypes.word_effects import WordEffect


TITLE = tr("Most stereotyped words")
NOTE = tr(
    "How biased the model rates each word alone, from 0 to 1. This shows a bias of the model, not of "
    "the word."
)
MAX_EXPORTED_ROWS = 12
"""Rows of an exported chart."""
_NONE = tr("No words.")
_SIDE, _GAP, _MAX_WORD_SHARE = 4.0, 6.0, 0.5


class WordChart(NavigableChart["WordEffect"]):
    """A row per word: its most likely kind, the word, its score as a bar from 0 to 1 and as a number.

    ``word_requested`` carries the ``WordEffect`` of the activated row.
    """

    word_requested = Signal(object)
    previous_key, next_key = Qt.Key.Key_Up, Qt.Key.Key_Down

    def __init__(self, parent: QWidget | None = None, *, max_words: int = 5) -> None:
        self._max_words = max_words
        self._all_words: Sequence[WordEffect] = ()
        super().__init__(parent)
        self.setAccessibleName(TITLE)
        self.activated.connect(lambda number: self.word_requested.emit(self.items[number]))

    def show_words(self, words: Sequence[WordEffect]) -> None:
        """Draw the words with the highest scores. The keyboard focus stays on its word."""
        self._all_words = words
        self.show_items(most_stereotyped(words, self._max_words), key=key_of)

    def set_max_words(self, max_words: int) -> None:
        """Limit the number of rows."""
        if max_words != self._max_words:
            self._max_words = max_words
            self.show_words(self._all_words)

    def describe(self, number: int) -> str:
        """The text of a row."""
        return accessible_text(self.items[number])

    def summary(self) -> str:
        """The text of the whole chart."""
        return "; ".join(f"{to_single_line(word.word)} {word.score.bias:.2f}" for word in self.items) or _NONE

    def item_rect(self, number: int, width: float) -> QRectF:
        """The rectangle of a row."""
        return QRectF(0, number * self._row_height(), width, self._row_height())

    def preferred_height(self) -> int:
        """The height of all rows, at least one."""
        return round(self._row_height() * max(1, len(self.items)) + 2)

    def draw(self, width: float, height: float) -> None:
        """Draw a line per word."""
        if not self.items:
            self.add_text(_NONE, QPointF(_SIDE, 2), anchor=(0, 0), muted=True)
        score_width = self.text_width("0.00")
        inner_width = width - 2 * _SIDE - 16 - score_width - 2 * _GAP
        widest = max((self.text_width(to_single_line(word.word)) for word in self.items), default=0.0)
        available = min(widest + 2, inner_width * _MAX_WORD_SHARE)
        for number, word in enumerate(self.items):
            top = number * self._row_height()
            middle = top + self._row_height() / 2
            self.add_glyph(QRectF(_SIDE, middle - 5, 10, 10), most_likely_kind(word)[0])
            left = _SIDE + 16
            self.add_text(
                self.elide(to_single_line(word.word), available), QPointF(left, middle), anchor=(0, 0.5)
            )
            bar = QRectF(left + available + _GAP, middle - 5, inner_width - available, 10)
            self.add_track(bar)
            filled = QRectF(bar.left(), bar.top(), max(2.0, bar.width() * word.score.bias), bar.height())
            self.add_bar(filled, self.colour(QPalette.ColorRole.Accent))
            self.add_text(
                f"{word.score.bias:.2f}", QPointF(width - _SIDE, middle), anchor=(1, 0.5), bold=True
            )
        self.draw_focus_frame(width, height)

    def _row_height(self) -> float:
        return self.line_height() + 7


def chart_spec(words: Sequence[WordEffect]) -> ChartSpec:
    """The chart of these words for the export."""

    def fill(chart: Chart, _report: Report) -> None:
        assert isinstance(chart, WordChart)
        chart.show_words(words)

    return ChartSpec(TITLE, lambda _: WordChart(max_words=MAX_EXPORTED_ROWS), fill, lambda *_: NOTE)


class WordChartSection(QWidget):
    """The chart with its title and menu. ``export_requested``: it is to be saved as a picture."""

    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = WordChart()
        title = ElidedLabel()
        title.setText(TITLE)
        title.setForegroundRole(QPalette.ColorRole.WindowText)
        title.setToolTip(plain_text(NOTE))
        title.setFont(scaled_font(self.font(), 1.0, bold=True))
        export_button = make_export_button(TITLE, self.export_requested.emit)
        head = make_row((title, 1), (export_button, Qt.AlignmentFlag.AlignTop), spacing=4)
        make_column(head, self.chart, parent=self, spacing=4, margins=(10, 0, 10, 8))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The context menu of the chart."""
        show_export_menu(self, event, self.export_requested.emit)
