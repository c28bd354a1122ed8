"""The lower part of the words panel: the score of a word, and its sentences with the word replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPalette, QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QStyleOptionViewItem, QWidget

from app.review.findings_list import SentenceContext, draw_context
from app.widgets.labels import WrapLabel, scaled_font, to_single_line
from app.widgets.layouts import make_column
from app.widgets.list_rows import CopyableListView, Index, RowListModel, TwoLineDelegate, paint_bar
from app.words.word_rows import (
    bias_change,
    effects_as_text,
    explain_score,
    sentence_accessible_text,
    word_title,
)
from core.i18n import tr

if TYPE_CHECKING:
    from core.stereotypes.word_effects import SentenceEffect, WordEffect


_BARS_HELP = tr("Solid bar: the current sentence. Hatched bar: with the word replaced.")
_READING = tr("Analysing the sentences without this word …")
_NO_REPLACEMENT = tr("No more general word is known for this one, so there is nothing to compare.")


class SentenceList(QWidget):
    """The sentences of one word. ``location_requested`` carries the ``SentenceEffect`` to go to."""

    location_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = WrapLabel(bold=True)
        self._meaning = WrapLabel(muted=True)
        self._model = SentencesModel(self)
        self.list = CopyableListView(
            tr("Sentences with this word"),
            " ".join([_BARS_HELP, tr("Enter shows the sentence in the draft.")]),
        )
        self.list.setModel(self._model)
        self.list.setItemDelegate(SentencesDelegate(self.list))
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._placeholder.setContentsMargins(12, 8, 12, 8)
        self._lay_out()
        self.list.clicked.connect(lambda index: self._go_to(index.row()))
        self.list.enter_pressed.connect(self._go_to)
        self.list.copy_requested.connect(self.copy)
        self.list.menu_requested.connect(self._show_menu)

    def minimumSizeHint(self) -> QSize:
        """The header at the current width, and one row."""
        width = super().minimumSizeHint().width()
        return QSize(width, self._layout.minimumHeightForWidth(max(width, self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The height of the header depends on the width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    @property
    def effects(self) -> list[SentenceEffect]:
        """The sentences that are shown."""
        found = (self._model.effect(row) for row in range(self._model.rowCount()))
        return [effect for effect in found if effect is not None]

    def show_word(self, word: WordEffect, effects: Sequence[SentenceEffect] | None, source: str) -> None:
        """Show a word of ``source``; ``effects`` is None while they are being computed."""
        self._title.setText(word_title(word, effects or ()))
        self._meaning.setText(explain_score(word))
        row = self.list.currentIndex().row()
        self._model.show(effects or (), source)
        if effects and row >= 0:
            self.list.setCurrentIndex(self._model.index(min(row, len(effects) - 1)))
        self._placeholder.setText(_READING if effects is None else _NO_REPLACEMENT)
        self._pages.setCurrentIndex(0 if effects else 1)

    def clear(self) -> None:
        """Show no word."""
        self._model.show((), "")
        for label in (self._title, self._meaning, self._placeholder):
            label.setText("")
        self._pages.setCurrentIndex(1)

    def copy(self) -> None:
        """Copy the selected sentence with its numbers to the clipboard."""
        if (effect := self._model.effect(self.list.currentIndex().row())) is not None:
            QGuiApplication.clipboard().setText(effects_as_text([effect]))

    def copy_all(self) -> None:
        """Copy all sentences with their numbers to the clipboard."""
        QGuiApplication.clipboard().setText(effects_as_text(self.effects))

    def _go_to(self, row: int) -> None:
        if (effect := self._model.effect(row)) is not None:
            self.location_requested.emit(effect)

    def _show_menu(self, row: int, place: QPoint) -> None:
        """The context menu of a sentence."""
        self.list.setCurrentIndex(self._model.index(row))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Show in draft"), lambda: self._go_to(row))
        menu.addSeparator()
        menu.addAction(tr("Copy"), self.copy)
        menu.addAction(tr("Copy all"), self.copy_all)
        menu.popup(place)

    def _lay_out(self) -> None:
        header = make_column(self._title, self._meaning, spacing=3, margins=(10, 6, 10, 6))
        body = QWidget()
        self._pages = QStackedLayout(body)
        self._pages.addWidget(self.list)
        self._pages.addWidget(self._placeholder)
        self._layout = make_column(header, (body, 1), parent=self, spacing=0)


_CONTEXT_CHARACTERS = 160  # on either side of the word; more is never visible


class SentencesModel(RowListModel):
    """The sentences of one word in the order of the text."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            parent, shown=lambda row: to_single_line(row.before), spoken=sentence_accessible_text
        )
        self._source = ""

    def show(self, rows: Sequence[SentenceEffect], source: str) -> None:
        """Replace the sentences; their offsets refer to ``source``."""
        self._source = source
        self._set_rows(rows, [row.before for row in rows])

    def effect(self, row: int) -> SentenceEffect | None:
        """The sentence in a row, or None."""
        effect: SentenceEffect | None = self._row_at(row)
        return effect

    def context(self, row: int) -> SentenceContext:
        """The word of a row with the text around it."""
        effect = self._rows[row]
        before = self._source[max(effect.start, effect.word_start - _CONTEXT_CHARACTERS) : effect.word_start]
        after = self._source[effect.word_end : min(effect.end, effect.word_end + _CONTEXT_CHARACTERS)]
        header = to_single_line(self._source[effect.word_start : effect.word_end])
        return SentenceContext(to_single_line(f"{before}|")[:-1], header, to_single_line(f"|{after}")[1:])


class SentencesDelegate(TwoLineDelegate):
    """Paints the word in its sentence; below, both bias values as numbers and bars, the current one above."""

    _PAD_X, _PAD_Y, _LEADING = 10, 6, 2

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the list's font and palette."""
        model = index.model()
        assert isinstance(model, SentencesModel)
        effect = model.effect(index.row())
        if effect is None:
            return
        with self.row_painting(painter, option) as row:
            painter.setPen(option.palette.color(QPalette.ColorRole.Text))
            draw_context(painter, option.font, row.topLeft(), row.width(), model.context(index.row()))
            small = scaled_font(option.font, 0.92)
            metrics = QFontMetricsF(small)
            top = row.bottom() - metrics.height()
            painter.setFont(small)
            painter.setPen(option.palette.color(QPalette.ColorRole.PlaceholderText))
            bias_text = bias_change(effect)
            painter.drawText(QPointF(row.left(), top + metrics.ascent()), bias_text)
            left = row.left() + metrics.horizontalAdvance("0.00 → 0.00") + 10
            if left < row.right() - 20:
                width, bar_height = row.right() - left, max(4.0, (metrics.height() - 3) / 2)
                bars = ((effect.bias_before, top, False), (effect.bias_after, top + bar_height + 2, True))
                for share, at, hatched in bars:
                    box = QRectF(left, at, width, bar_height - 1)
                    paint_bar(painter, box, share, colours=option.palette, hatched=hatched)
