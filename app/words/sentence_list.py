"""The lower part of the words panel: what the score of a word means, and its sentences with the word replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QStyleOptionViewItem, QVBoxLayout, QWidget

from app.review.findings_list import Context, draw_context
from app.widgets.labels import WrapLabel, scaled, showable
from app.widgets.list_rows import CopyRows, Index, RowsModel, TwoLineRows, paint_bar
from app.words.word_rows import change_of, effect_spoken, effects_as_text, meaning, title_of
from core.i18n import tr

if TYPE_CHECKING:
    from core.stereotypes.word_effects import SentenceEffect, WordEffect


# The lower part of the words panel: what the score of a word means, and each of its sentences without it.


_BARS = tr("Full bar: the sentence as it stands. Hatched bar: with the word replaced.")
_READING = tr("Reading its sentences without the word …")
_NOTHING = tr("No more general word is known for it, so there is nothing to compare.")


class WordSentences(QWidget):
    """The sentences of one word. ``place_wanted``: the ``SentenceEffect`` that a click or Enter went to."""

    place_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = WrapLabel()
        self._title.setFont(scaled(self.font(), 1.0, bold=True))
        self._meaning = WrapLabel(muted=True)
        self._model = SentencesModel(self)
        self.list = CopyRows(tr("Sentences with this word"), " ".join([_BARS, tr("Enter goes there.")]))
        self.list.setModel(self._model)
        self.list.setItemDelegate(SentencesDelegate(self.list))
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._placeholder.setContentsMargins(12, 8, 12, 8)
        self._lay_out()
        self.list.clicked.connect(lambda index: self._go_to(index.row()))
        self.list.entered_by_key.connect(self._go_to)
        self.list.copy_wanted.connect(self.copy)
        self.list.menu_wanted.connect(self._show_menu)

    def minimumSizeHint(self) -> QSize:
        """All of the words at the present width, and a row."""
        width = super().minimumSizeHint().width()
        return QSize(width, self.layout().minimumHeightForWidth(max(width, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """With another width the words need another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def effects(self) -> list[SentenceEffect]:
        """The sentences that are shown."""
        found = (self._model.effect(row) for row in range(self._model.rowCount()))
        return [effect for effect in found if effect is not None]

    def show_word(self, word: WordEffect, effects: Sequence[SentenceEffect] | None, source: str) -> None:
        """Show a word of ``source``; None for ``effects`` that are not known yet."""
        self._title.setText(title_of(word, effects or ()))
        self._meaning.setText(meaning(word))
        row = self.list.currentIndex().row()
        self._model.show(effects or (), source)
        if effects and row >= 0:
            self.list.setCurrentIndex(self._model.index(min(row, len(effects) - 1)))
        self._placeholder.setText(_READING if effects is None else _NOTHING)
        self._pages.setCurrentIndex(0 if effects else 1)

    def clear(self) -> None:
        """No word."""
        self._model.show((), "")
        for label in (self._title, self._meaning, self._placeholder):
            label.setText("")
        self._pages.setCurrentIndex(1)

    def copy(self) -> None:
        """Put the chosen sentence with its numbers on the clipboard."""
        if (effect := self._model.effect(self.list.currentIndex().row())) is not None:
            QGuiApplication.clipboard().setText(effects_as_text([effect]))

    def copy_all(self) -> None:
        """Put all sentences with their numbers on the clipboard."""
        QGuiApplication.clipboard().setText(effects_as_text(self.effects))

    def _go_to(self, row: int) -> None:
        if (effect := self._model.effect(row)) is not None:
            self.place_wanted.emit(effect)

    def _show_menu(self, row: int, place: QPoint) -> None:
        """What can be done with a sentence of the list."""
        self.list.setCurrentIndex(self._model.index(row))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Go there"), lambda: self._go_to(row))
        menu.addSeparator()
        menu.addAction(tr("Copy"), self.copy)
        menu.addAction(tr("Copy all"), self.copy_all)
        menu.popup(place)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setContentsMargins(10, 6, 10, 6)
        words.setSpacing(3)
        words.addWidget(self._title)
        words.addWidget(self._meaning)
        below = QWidget()
        self._pages = QStackedLayout(below)
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._placeholder)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(words)
        whole.addWidget(below, 1)


# The sentences of a word: each with its bias as it stands and with the word replaced, as numbers and bars.


_AROUND = 160  # characters of a sentence kept on either side of the word: more is never seen


class SentencesModel(RowsModel):
    """The sentences of one word, in the order of the text that they were read in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, shown=lambda row: showable(row.before), spoken=effect_spoken)
        self._source = ""

    def show(self, rows: Sequence[SentenceEffect], source: str) -> None:
        """Replace the rows, which are of ``source``."""
        self._source = source
        self._put(rows, [row.before for row in rows])

    def effect(self, row: int) -> SentenceEffect | None:
        """The sentence in a row; None where there is no such row."""
        return self._at(row)

    def context(self, row: int) -> Context:
        """The word of a row in its sentence."""
        one = self._rows[row]
        before = self._source[max(one.start, one.at - _AROUND) : one.at]
        after = self._source[one.to : min(one.end, one.to + _AROUND)]
        words = showable(self._source[one.at : one.to])
        return Context(showable(f"{before}|")[:-1], words, showable(f"|{after}")[1:])


class SentencesDelegate(TwoLineRows):
    """Paints a row: the word in its sentence; below, both numbers and a bar for each, that of now above."""

    _PAD_X, _PAD_Y, _LEADING = 10, 6, 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the list's font and palette."""
        model = index.model()
        assert isinstance(model, SentencesModel)
        effect = model.effect(index.row())
        if effect is None:
            return
        with self._row(painter, option) as row:
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            draw_context(painter, option.font, row.topLeft(), row.width(), model.context(index.row()))
            small = scaled(option.font, 0.92)
            metrics = QFontMetricsF(small)
            top = row.bottom() - metrics.height()
            painter.setFont(small)
            painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
            figures = change_of(effect)
            painter.drawText(QPointF(row.left(), top + metrics.ascent()), figures)
            left = row.left() + metrics.horizontalAdvance("0.00 → 0.00") + 10
            if left < row.right() - 20:
                width, high = row.right() - left, max(4.0, (metrics.height() - 3) / 2)
                bars = ((effect.bias_before, top, False), (effect.bias_after, top + high + 2, True))
                for share, at, hatched in bars:
                    box = QRectF(left, at, width, high - 1)
                    paint_bar(painter, box, share, colours=option.palette, hatched=hatched)
