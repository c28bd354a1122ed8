"""The words panel: filter bar, chart, the list of words, and the sentences of the selected one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.widgets.form_fields import make_search_field
from app.widgets.labels import ElidedLabel, make_placeholder, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.list_rows import CopyableListView
from app.widgets.plain_text import PlainLabel
from app.words.sentence_list import SentenceList
from app.words.word_chart import WordChartSection
from app.words.word_list import WordsDelegate, WordsModel
from app.words.word_rows import ORDERS, WordFilter, filter_words, key_of, words_as_text
from core.i18n import tr

if TYPE_CHECKING:
    from core.stereotypes.word_effects import SentenceEffect, WordEffect


class WordFilterBar(QWidget):
    """Order, search and filter. ``changed`` carries the new ``WordFilter``."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = PlainLabel(tr("Words"))
        self._title.setFont(scaled_font(self.font(), 1.15, bold=True))
        self._status = ElidedLabel()
        self._status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.order = QComboBox()
        for name, (label, _) in ORDERS.items():
            self.order.addItem(label, name)
        self.order.setAccessibleName(tr("Order of the words"))
        self.order.setToolTip(tr("What the words are sorted by"))
        self.order.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.order.setMinimumWidth(60)
        self.search = make_search_field(tr("Find a word"))
        self.search.setMinimumWidth(40)
        self.identity_terms_only = QToolButton()
        self.identity_terms_only.setText(tr("Identity terms"))
        self.identity_terms_only.setCheckable(True)
        self.identity_terms_only.setProperty("filter", True)
        self.identity_terms_only.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.identity_terms_only.setAccessibleName(tr("Identity terms only"))
        self.identity_terms_only.setToolTip(tr("Show only words that name a group of people"))
        self._lay_out()
        self.order.currentIndexChanged.connect(self._emit_changed)
        self.search.textChanged.connect(self._emit_changed)
        self.identity_terms_only.toggled.connect(self._emit_changed)

    @property
    def filter(self) -> WordFilter:
        """The filter; setting it updates the controls and emits ``changed``."""
        return WordFilter(
            self.search.text(), self.identity_terms_only.isChecked(), str(self.order.currentData())
        )

    @filter.setter
    def filter(self, word_filter: WordFilter) -> None:
        if word_filter == self.filter:
            return
        controls = (self.search, self.identity_terms_only, self.order)
        blocked = [QSignalBlocker(control) for control in controls]
        self.search.setText(word_filter.query)
        self.identity_terms_only.setChecked(word_filter.identity_terms_only)
        self.order.setCurrentIndex(max(0, self.order.findData(word_filter.order)))
        for blocker in blocked:
            blocker.unblock()
        self._emit_changed()

    def show_status(self, shown: int, known: int, message: str) -> None:
        """Show how many words are listed, and a message."""
        counted = tr("Words {shown:,}") if shown == known else tr("Words {shown:,} of {known:,}")
        self._title.setText(counted.format(shown=shown, known=known) if known else tr("Words"))
        self._status.setText(message)

    def _emit_changed(self) -> None:
        self.changed.emit(self.filter)

    def _lay_out(self) -> None:
        head = make_row(self._title, (self._status, 1), self.order, spacing=6)
        search = make_row((self.search, 1), self.identity_terms_only, spacing=6)
        make_column(head, search, parent=self, spacing=8, margins=(10, 10, 10, 8))


EMPTY = tr("There are no words yet.")
_NO_MATCH = tr("No word matches. Change the search or the filter.")
_SPLIT_SIZE = 1000
_CHART_ROWS = ((560, 5), (400, 3), (0, 0))
"""Minimum height of the panel in pixels, and the rows of the chart at that height."""


class WordsPanel(QWidget):
    """Shows words and their sentences.

    ``location_requested``: go to this ``SentenceEffect``; ``word_requested``: go to this ``WordEffect``;
    ``effects_requested``: compute the sentences of this ``WordEffect``; ``export_requested``: save the chart as a
    picture.
    """

    location_requested = Signal(object)
    word_requested = Signal(object)
    effects_requested = Signal(object)
    export_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[WordEffect] = ()
        self._source = ""
        self._effects: dict[str, Sequence[SentenceEffect]] = {}
        self._message = ""
        self._is_loaded = False
        self.filter_bar = WordFilterBar()
        self.chart = WordChartSection()
        self._status = ElidedLabel()
        self._model = WordsModel(self)
        self.list = CopyableListView(
            tr("Words"),
            tr("Each word with the bias that the model gives it alone. Enter shows the word in the draft."),
        )
        self.list.setModel(self._model)
        self.list.setItemDelegate(WordsDelegate(self.list))
        self.sentences = SentenceList()
        self._placeholder = make_placeholder()
        self._lay_out()
        self.filter_bar.changed.connect(lambda _: self._update_rows())
        self.chart.chart.word_requested.connect(self.choose)
        self.chart.export_requested.connect(self.export_requested)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._show_sentences())
        self.list.enter_pressed.connect(lambda _: self._go_to())
        self.list.doubleClicked.connect(lambda _: self._go_to())
        self.list.copy_requested.connect(self.copy_word)
        self.list.menu_requested.connect(self._show_menu)
        self.sentences.location_requested.connect(self.location_requested)
        self.setFocusProxy(self.list)
        self.clear()

    def sizeHint(self) -> QSize:
        """Room for a few words and sentences."""
        return QSize(300, 420)

    @property
    def rows(self) -> Sequence[WordEffect]:
        """All words, including those that the filter hides."""
        return self._rows

    @property
    def chosen(self) -> WordEffect | None:
        """The selected word."""
        return self._model.word(self.list.currentIndex().row())

    @property
    def message(self) -> str:
        """The status message; may be empty."""
        return self._message

    def show_rows(self, rows: Sequence[WordEffect], source: str) -> None:
        """Show the words of ``source``; the selection stays."""
        self._rows, self._source, self._effects, self._is_loaded = rows, source, {}, True
        self._message = ""
        self.chart.chart.show_words(rows)
        self._update_rows()

    def show_effects(self, word: str, effects: Sequence[SentenceEffect]) -> None:
        """Show the requested sentences of a word."""
        self._effects[word.casefold()] = effects
        if (row := self.chosen) is not None and key_of(row) == word.casefold():
            self._show_sentences()

    def refresh(self) -> None:
        """Show the sentences of the selected word again, and request them if they are unknown."""
        self._show_sentences()

    def clear(self, message: str = "") -> None:
        """Remove all words; ``message`` says why."""
        self._rows, self._source, self._effects, self._is_loaded = (), "", {}, False
        self._message = message
        self.chart.chart.show_words(())
        self._update_rows()

    def set_message(self, text: str) -> None:
        """Show a status message above the words, or in their place if there are none."""
        self._message = text
        self._update_status()

    def choose(self, word: WordEffect) -> None:
        """Select a word; a filter that hides it is cleared."""
        if self._model.find_row(key_of(word)) is None:
            self.filter_bar.filter = WordFilter(order=self.filter_bar.filter.order)
        if (row := self._model.find_row(key_of(word))) is not None:
            self.list.setCurrentIndex(self._model.index(row))

    def copy_word(self) -> None:
        """Copy the selected word and its numbers to the clipboard."""
        if (row := self.chosen) is not None:
            QGuiApplication.clipboard().setText(words_as_text([row]))

    def copy_words(self) -> None:
        """Copy all listed words to the clipboard."""
        QGuiApplication.clipboard().setText(words_as_text(filter_words(self._rows, self.filter_bar.filter)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the chart if the panel is low."""
        super().resizeEvent(event)
        self._update_status()

    def _lay_out(self) -> None:
        below = _PageStack()
        self._pages = QStackedLayout(below)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(self.sentences)
        self.split.setSizes([_SPLIT_SIZE, _SPLIT_SIZE])
        self.split.handle(1).setAccessibleName(tr("Divider between words and sentences"))
        self._pages.addWidget(self.split)
        self._pages.addWidget(self._placeholder)
        layout = _Column(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.filter_bar)
        layout.addWidget(self.chart)
        layout.addWidget(below, 1)

    def _update_rows(self) -> None:
        """Apply the filter; selection and scroll position stay."""
        previous = self.chosen
        shown = filter_words(self._rows, self.filter_bar.filter)
        top, shift = self.list.top_row()
        on_top = self._model.word(top) if top or shift else None
        self._model.show(shown)
        row = self._model.find_row(key_of(previous)) if previous is not None else None
        if shown:
            self.list.setCurrentIndex(self._model.index(row or 0))
        if on_top is not None and (row := self._model.find_row(key_of(on_top))) is not None:
            self.list.set_top_row(row, shift)
        self._show_sentences()
        self._update_status()

    def _show_sentences(self) -> None:
        row = self.chosen
        if row is None:
            self.sentences.clear()
            return
        effects = row.effects or self._effects.get(key_of(row))
        self.sentences.show_word(row, effects, self._source)
        if effects is None:
            self.effects_requested.emit(row)

    def _update_status(self) -> None:
        shown = self._model.rowCount()
        self.filter_bar.show_status(shown, len(self._rows), self._message if shown else "")
        max_rows = next(rows for height, rows in _CHART_ROWS if self.height() >= height)
        self.chart.chart.set_max_words(max_rows)
        available = self.height() >= self.minimumSizeHint().height() + self.chart.sizeHint().height()
        self.chart.setVisible(bool(self._rows and max_rows and available))
        self._placeholder.setText(
            self._message or (_NO_MATCH if self._rows else EMPTY if self._is_loaded else "")
        )
        self._pages.setCurrentIndex(0 if shown else 1)

    def _go_to(self) -> None:
        if (row := self.chosen) is not None:
            self.word_requested.emit(row)

    def _show_menu(self, row: int, place: QPoint) -> None:
        """The context menu of a word."""
        self.list.setCurrentIndex(self._model.index(row))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Show in draft"), self._go_to)
        menu.addSeparator()
        menu.addAction(tr("Copy"), self.copy_word)
        menu.addAction(tr("Copy all shown"), self.copy_words)
        menu.popup(place)


class _Column(QVBoxLayout):
    """A column that reserves no room for the chart, which is hidden in a low panel."""

    def minimumSize(self) -> QSize:
        """The minimum size without the chart."""
        size, chart = super().minimumSize(), self.itemAt(1)
        if chart is not None and not chart.isEmpty():
            size.setHeight(size.height() - chart.minimumSize().height())
        return size


class _PageStack(QWidget):
    """Takes the height that it is given: in a scrolled dock it must not grow to the height of its labels."""

    def hasHeightForWidth(self) -> bool:
        """No."""
        return False
