"""The words panel: order and filter, a chart, the list of all words, and the sentences of the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.widgets.labels import ElidedLabel, WrapLabel, scaled_font
from app.widgets.list_rows import CopyableListView
from app.words.sentence_list import WordSentences
from app.words.word_chart import WordsChartSection
from app.words.word_list import WordsDelegate, WordsModel
from app.words.word_rows import ORDERS, Filter, admitted, as_text, key_of
from core.i18n import tr

if TYPE_CHECKING:
    from core.stereotypes.word_effects import SentenceEffect, WordEffect


# The head of the words panel: how many words, their order, and which of them are shown.


class WordsHead(QWidget):
    """``changed``: another ``Filter`` is chosen."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(tr("Words"))
        self._title.setFont(scaled_font(self.font(), 1.15, bold=True))
        self._state = ElidedLabel()
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.order = QComboBox()
        for name, (label, _) in ORDERS.items():
            self.order.addItem(label, name)
        self.order.setAccessibleName(tr("Order of the words"))
        self.order.setToolTip(tr("What the words are sorted by"))
        self.order.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.order.setMinimumWidth(60)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a word"))
        self.search.setAccessibleName(tr("Find a word"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(40)
        self.identity = QToolButton()
        self.identity.setText(tr("Identity terms"))
        self.identity.setCheckable(True)
        self.identity.setProperty("filter", True)
        self.identity.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.identity.setAccessibleName(tr("Identity terms only"))
        self.identity.setToolTip(tr("Show only words that name a group of people"))
        self._lay_out()
        self.order.currentIndexChanged.connect(self._touched)
        self.search.textChanged.connect(self._touched)
        self.identity.toggled.connect(self._touched)

    @property
    def filter(self) -> Filter:
        """What is shown, in which order; setting it moves the controls, and tells ``changed``."""
        return Filter(self.search.text(), self.identity.isChecked(), str(self.order.currentData()))

    @filter.setter
    def filter(self, wanted: Filter) -> None:
        if wanted == self.filter:
            return
        controls = (self.search, self.identity, self.order)
        blocked = [QSignalBlocker(control) for control in controls]
        self.search.setText(wanted.find)
        self.identity.setChecked(wanted.identity)
        self.order.setCurrentIndex(max(0, self.order.findData(wanted.order)))
        for one in blocked:
            one.unblock()
        self._touched()

    def show_state(self, shown: int, known: int, message: str) -> None:
        """How many words are shown of those that are known, and what is being done."""
        counted = tr("Words {shown:,}") if shown == known else tr("Words {shown:,} of {known:,}")
        self._title.setText(counted.format(shown=shown, known=known) if known else tr("Words"))
        self._state.setText(message)

    def _touched(self) -> None:
        self.changed.emit(self.filter)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self._title)
        first.addWidget(self._state, 1)
        first.addWidget(self.order)
        second.addWidget(self.search, 1)
        second.addWidget(self.identity)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 8)
        column.setSpacing(8)
        for line in (first, second):
            line.setSpacing(6)
            column.addLayout(line)


# The words panel: a chart of the most stereotyped words, the list of all, and the sentences of the chosen one.


EMPTY = tr("There is no word to look at yet.")
_HIDDEN = tr("No word fits. Find less, or show all words.")
_HALF = 1000
_ROWS = ((560, 5), (400, 3), (0, 0))
"""Rows of the chart in a panel of so many pixels of height: where there is little, the lists have its room too."""


class WordsPanel(QWidget):
    """Shows words and their sentences; what is wanted of them is asked for by signals.

    ``location_requested``: the ``SentenceEffect`` to go to; ``word_requested``: the ``WordEffect``. ``effects_requested``: the
    ``WordEffect`` whose sentences are to be read without it. ``export_requested``: the chart as a picture.
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
        self._known = False
        self.head = WordsHead()
        self.chart = WordsChartSection()
        self._state = ElidedLabel()
        self._model = WordsModel(self)
        self.list = CopyableListView(
            tr("Words"),
            tr("Each word with the bias that the model reads in it alone. Enter shows it in the text."),
        )
        self.list.setModel(self._model)
        self.list.setItemDelegate(WordsDelegate(self.list))
        self.sentences = WordSentences()
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setContentsMargins(16, 16, 16, 16)
        self._lay_out()
        self.head.changed.connect(lambda _: self._fill())
        self.chart.bars.word_requested.connect(self.choose)
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
        """All words that are known, also those that the filter hides."""
        return self._rows

    @property
    def chosen(self) -> WordEffect | None:
        """The word whose sentences are shown."""
        return self._model.word(self.list.currentIndex().row())

    @property
    def message(self) -> str:
        """The state that is said; empty where there is none."""
        return self._message

    def show_rows(self, rows: Sequence[WordEffect], source: str) -> None:
        """Show the words of ``source`` in the place of those before; the chosen one stays so."""
        self._rows, self._source, self._effects, self._known = rows, source, {}, True
        self._message = ""
        self.chart.bars.show_words(rows)
        self._fill()

    def show_effects(self, word: str, effects: Sequence[SentenceEffect]) -> None:
        """Show the sentences of a word for which they were wanted."""
        self._effects[word.casefold()] = effects
        if (row := self.chosen) is not None and key_of(row) == word.casefold():
            self._show_sentences()

    def refresh(self) -> None:
        """Show the sentences of the chosen word again, and want them if they are not known."""
        self._show_sentences()

    def clear(self, message: str = "") -> None:
        """No words; ``message`` says why."""
        self._rows, self._source, self._effects, self._known = (), "", {}, False
        self._message = message
        self.chart.bars.show_words(())
        self._fill()

    def set_message(self, text: str) -> None:
        """Say a state: above the words while there are some, in their place where there are none."""
        self._message = text
        self._show_state()

    def choose(self, word: WordEffect) -> None:
        """Show the sentences of this word; a filter that hides it is taken away."""
        if self._model.row_of(key_of(word)) is None:
            self.head.filter = Filter(order=self.head.filter.order)
        if (row := self._model.row_of(key_of(word))) is not None:
            self.list.setCurrentIndex(self._model.index(row))

    def copy_word(self) -> None:
        """Put the chosen word and what is known of it on the clipboard."""
        if (row := self.chosen) is not None:
            QGuiApplication.clipboard().setText(as_text([row]))

    def copy_words(self) -> None:
        """Put all words that are shown on the clipboard."""
        QGuiApplication.clipboard().setText(as_text(admitted(self._rows, self.head.filter)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the room to the lists where there is little."""
        super().resizeEvent(event)
        self._show_state()

    def _lay_out(self) -> None:
        below = _Pages()
        self._pages = QStackedLayout(below)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(self.sentences)
        self.split.setSizes([_HALF, _HALF])
        self.split.handle(1).setAccessibleName(tr("Room for the words and their sentences"))
        self._pages.addWidget(self.split)
        self._pages.addWidget(self._placeholder)
        whole = _Column(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        whole.addWidget(self.chart)
        whole.addWidget(below, 1)

    def _fill(self) -> None:
        """Bring the rows to the words and the filter; what was chosen and on top stays so."""
        kept = self.chosen
        shown = admitted(self._rows, self.head.filter)
        top, shift = self.list.top_row()
        on_top = self._model.word(top) if top or shift else None
        self._model.show(shown)
        row = self._model.row_of(key_of(kept)) if kept is not None else None
        if shown:
            self.list.setCurrentIndex(self._model.index(row or 0))
        if on_top is not None and (row := self._model.row_of(key_of(on_top))) is not None:
            self.list.set_top_row(row, shift)
        self._show_sentences()
        self._show_state()

    def _show_sentences(self) -> None:
        row = self.chosen
        if row is None:
            self.sentences.clear()
            return
        effects = row.effects or self._effects.get(key_of(row))
        self.sentences.show_word(row, effects, self._source)
        if effects is None:
            self.effects_requested.emit(row)

    def _show_state(self) -> None:
        shown = self._model.rowCount()
        self.head.show_state(shown, len(self._rows), self._message if shown else "")
        most = next(rows for height, rows in _ROWS if self.height() >= height)
        self.chart.bars.show_most(most)
        room = self.height() >= self.minimumSizeHint().height() + self.chart.sizeHint().height()
        self.chart.setVisible(bool(self._rows and most and room))
        self._placeholder.setText(self._message or (_HIDDEN if self._rows else EMPTY if self._known else ""))
        self._pages.setCurrentIndex(0 if shown else 1)

    def _go_to(self) -> None:
        if (row := self.chosen) is not None:
            self.word_requested.emit(row)

    def _show_menu(self, row: int, place: QPoint) -> None:
        """What can be done with a word of the list."""
        self.list.setCurrentIndex(self._model.index(row))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Go there"), self._go_to)
        menu.addSeparator()
        menu.addAction(tr("Copy"), self.copy_word)
        menu.addAction(tr("Copy all shown"), self.copy_words)
        menu.popup(place)


class _Column(QVBoxLayout):
    """Asks for no room for the chart, which goes where there is little: else it would keep the panel high."""

    def minimumSize(self) -> QSize:
        """What all but the chart needs."""
        size, chart = super().minimumSize(), self.itemAt(1)
        if chart is not None and not chart.isEmpty():
            size.setHeight(size.height() - chart.minimumSize().height())
        return size


class _Pages(QWidget):
    """What is as high as the room that it is given: a scrolled dock shall not make it as high as its labels like."""

    def hasHeightForWidth(self) -> bool:
        """No."""
        return False
