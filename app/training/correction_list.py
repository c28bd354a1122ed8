"""The list of corrections: a check box, the sentence as a difference, and its origin."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QListView,
    QStyle,
    QStyleOptionButton,
    QStyleOptionViewItem,
)

from app.analysis.suggestions import DiffChunk, DiffPart, describe_change
from app.comparison.diff_text import diff_colours
from app.editor.positions import utf16_length
from app.history.version_strings import format_day
from app.widgets.kinds import glyph_path, kind_style
from app.widgets.labels import scaled_font, to_single_line
from app.widgets.list_rows import TwoLineDelegate
from app.widgets.theme import is_dark
from core.corrections import Correction, StoredCorrection, Verdict
from core.i18n import ntr, tr
from core.text.diff import TextEdit, find_edits
from core.types import Kind

VERDICTS = {Verdict.ACCEPTED: tr("Accepted"), Verdict.REJECTED: tr("Rejected")}
_CONTEXT_CHARACTERS = 200  # of unchanged text on either side of an edit


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A chunk of the difference, and whether its words had been marked."""

    chunk: DiffChunk
    is_marked: bool = False


@dataclass(frozen=True, slots=True)
class CorrectionFilter:
    """Which corrections are listed; None is any."""

    verdict: Verdict | None = None
    kind: Kind | None = None

    def accepts(self, correction: Correction) -> bool:
        """Whether a correction is listed."""
        return self.verdict in (None, correction.verdict) and self.kind in (None, correction.kind)


def sentence_parts(correction: Correction) -> list[SentencePart]:
    """The sentence on one line: unchanged, deleted and inserted words, and which were marked."""
    sentence = correction.sentence
    edits = _find_edits(correction)
    out = [(start, end) for start, end, _ in edits]
    new = {end: text for _, end, text in edits}
    is_marked = (correction.start, correction.end)
    ends = sorted({0, *(place for span in (*out, is_marked) for place in span), len(sentence)})
    parts: list[SentencePart] = []
    for start, end in pairwise(ends):
        parts += _new_parts(new.pop(start, ""), parts)
        is_deleted = any(first <= start and end <= last for first, last in out)
        was_marked = is_marked[0] <= start and end <= is_marked[1]
        parts += _old_parts(sentence[start:end], is_deleted=is_deleted, is_marked=was_marked)
    return _shorten([*parts, *_new_parts(new.pop(len(sentence), ""), parts)])


def details_text(entry: StoredCorrection) -> str:
    """The line below the sentence: verdict, kind, draft and day."""
    correction = entry.correction
    kind = kind_style(correction.kind, dark=False).label
    return " · ".join(
        [VERDICTS[correction.verdict], kind, to_single_line(entry.draft), format_day(entry.made_at)]
    )


def accessible_text(entry: StoredCorrection) -> str:
    """The text of a correction for screen readers."""
    correction = entry.correction
    edits = [
        (" ".join(correction.sentence[start:end].split()), " ".join(new.split()))
        for start, end, new in _find_edits(correction)
    ]
    changes = "; ".join(describe_change(old, new) for old, new in edits if old or new)
    summary = changes or f"“{to_single_line(correction.words)}”"
    return f"{details_text(entry).replace(' · ', ', ')}: {summary}. {to_single_line(correction.sentence)}"


def count_text(corrections: Sequence[StoredCorrection], checked: Collection[int]) -> str:
    """How many corrections there are per verdict, and how many are checked."""
    accepted = sum(entry.correction.verdict is Verdict.ACCEPTED for entry in corrections)
    return tr("{accepted} accepted, {rejected} rejected; {chosen} chosen").format(
        accepted=f"{accepted:,}",
        rejected=f"{len(corrections) - accepted:,}",
        chosen=f"{len(checked):,}",
    )


def usage_text(number: int) -> str:
    """How many corrections the next training uses."""
    template = ntr(
        "The next training run uses {n} correction.",
        "The next training run uses {n} corrections.",
        number,
    )
    return template.format(n=f"{number:,}")


def _find_edits(correction: Correction) -> list[TextEdit]:
    """(start, end, new words) of each edit, in code points of the sentence; empty for a rejected correction."""
    if correction.verdict is Verdict.REJECTED:
        return []
    return find_edits(correction.sentence, correction.rewritten)


def _old_parts(text: str, *, is_deleted: bool, is_marked: bool) -> list[SentencePart]:
    """A stretch of the old sentence; spaces around deleted words are not struck through."""
    words = text.strip() if is_deleted else ""
    if not words:
        return [SentencePart(DiffChunk(_to_line(text), DiffPart.EQUAL), is_marked)]
    first = text.index(words)
    parts = (
        (text[:first], DiffPart.EQUAL),
        (words, DiffPart.DELETED),
        (text[first + len(words) :], DiffPart.EQUAL),
    )
    return [
        SentencePart(DiffChunk(_to_line(part), how), is_marked and how is DiffPart.DELETED)
        for part, how in parts
        if part
    ]


def _new_parts(text: str, before: Sequence[SentencePart]) -> list[SentencePart]:
    """Inserted words, separated from the words that they replace."""
    if not text:
        return []
    needs_space = bool(before) and before[-1].chunk.part is DiffPart.DELETED
    return [
        *([SentencePart(DiffChunk(" ", DiffPart.EQUAL))] if needs_space else []),
        SentencePart(DiffChunk(_to_line(text), DiffPart.INSERTED)),
    ]


def _shorten(parts: list[SentencePart]) -> list[SentencePart]:
    """Shorten long unchanged stretches."""
    found: list[SentencePart] = []
    for number, correction in enumerate(parts):
        text = correction.chunk.text
        if correction.chunk.part is DiffPart.EQUAL and not correction.is_marked:
            first, last = number == 0, number == len(parts) - 1
            if first and len(text) > _CONTEXT_CHARACTERS:
                text = f"… {text[-_CONTEXT_CHARACTERS:].partition(' ')[2]}"
            elif last and len(text) > _CONTEXT_CHARACTERS:
                text = f"{text[:_CONTEXT_CHARACTERS].rpartition(' ')[0]} …"
            elif not first and not last and len(text) > 2 * _CONTEXT_CHARACTERS:
                start = text[:_CONTEXT_CHARACTERS].rpartition(" ")[0]
                text = f"{start} … {text[-_CONTEXT_CHARACTERS:].partition(' ')[2]}"
        if text:
            found.append(replace(correction, chunk=DiffChunk(text, correction.chunk.part)))
    return found


def _to_line(text: str) -> str:
    return to_single_line(f"|{text}|")[1:-1]


Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_BOX_SIZE = 17


class CorrectionsModel(QAbstractListModel):
    """All corrections, the listed ones, and the checked ones. ``checked_changed``: other ones are checked."""

    checked_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: list[StoredCorrection] = []
        self.listed: list[StoredCorrection] = []
        self.checked_ids: set[int] = set()
        self._filter = CorrectionFilter()

    def show(self, corrections: Sequence[StoredCorrection], checked: Collection[int]) -> None:
        """Set the corrections and the ids of the checked ones."""
        self.all = list(corrections)
        self.checked_ids = {entry.id for entry in corrections} & set(checked)
        self.filter(self._filter)
        self.checked_changed.emit()

    def filter(self, correction_filter: CorrectionFilter) -> None:
        """List only corrections that match."""
        self.beginResetModel()
        self._filter = correction_filter
        self.listed = [entry for entry in self.all if correction_filter.accepts(entry.correction)]
        self.endResetModel()

    def check_listed(self, *, checked: bool) -> None:
        """Check or uncheck all listed corrections."""
        listed = {entry.id for entry in self.listed}
        self.checked_ids = self.checked_ids | listed if checked else self.checked_ids - listed
        if self.listed:
            self.dataChanged.emit(self.index(0), self.index(len(self.listed) - 1))
        self.checked_changed.emit()

    def rowCount(self, _parent: Index | None = None) -> int:
        """Number of listed corrections."""
        return len(self.listed)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows are checkable."""
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """Display text, check state and accessible text."""
        if not index.isValid() or index.row() >= len(self.listed):
            return None
        entry = self.listed[index.row()]
        match role:
            case _Role.DisplayRole:
                return entry.correction.words
            case _Role.CheckStateRole:
                return Qt.CheckState.Checked if entry.id in self.checked_ids else Qt.CheckState.Unchecked
            case _Role.AccessibleTextRole:
                check_text = tr("chosen") if entry.id in self.checked_ids else tr("not chosen")
                return f"{check_text}, {accessible_text(entry)}"
        return None

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Check or uncheck a row."""
        if role != _Role.CheckStateRole or not index.isValid():
            return False
        number = self.listed[index.row()].id
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self.checked_ids.add(number)
        else:
            self.checked_ids.discard(number)
        self.dataChanged.emit(index, index, [role])
        self.checked_changed.emit()
        return True


class CorrectionListView(QListView):
    """The list view. Space toggles the selected rows; Delete emits ``delete_requested``."""

    delete_requested = Signal()

    def __init__(self, model: CorrectionsModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_CorrectionDelegate(self))
        self.setAccessibleName(tr("Corrections"))
        self.setProperty("outlined", "true")
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # The height of a row needs its layout; thousands at once would block the window.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(50)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMouseTracking(True)
        self.setMinimumHeight(220)

    def selected_entries(self) -> list[StoredCorrection]:
        """The selected corrections in display order."""
        model = self.model()
        assert isinstance(model, CorrectionsModel)
        return [model.listed[row] for row in sorted(index.row() for index in self.selectedIndexes())]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space sets all selected rows to the new state of the current one; Delete asks."""
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            on = self.currentIndex().data(_Role.CheckStateRole) is Qt.CheckState.Checked
            state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
            for index in self.selectedIndexes() or [self.currentIndex()]:
                self.model().setData(index, state, _Role.CheckStateRole)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_requested.emit()
        else:
            super().keyPressEvent(event)


class _CorrectionDelegate(TwoLineDelegate):
    """Paints a row as high as its sentence needs."""

    def __init__(self, view: CorrectionListView) -> None:
        super().__init__(view)
        self._view = view
        self._sample = QCheckBox()
        self._heights: dict[tuple[int, int, str], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The lines of the sentence and the line below, with padding."""
        entry = _entry_at(index)
        width = self._view.viewport().width()
        key = (entry.id, width, option.font.key())
        if key not in self._heights:
            if len(self._heights) > 4 * len(_model_of(index).listed) + 100:
                self._heights.clear()
            text = sentence_layout(entry.correction, option.font, option.palette, self._text_width(width))
            below = QFontMetricsF(scaled_font(option.font, 0.92)).height()
            self._heights[key] = round(text.boundingRect().height() + self._LEADING + below + 2 * self._PAD_Y)
        return QSize(80, self._heights[key])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the check box, the sentence and the line below."""
        entry = _entry_at(index)
        with self.row_painting(painter, option):
            self._draw_box(painter, option, index)
            left = option.rect.left() + self._text_left()
            top = option.rect.top() + self._PAD_Y
            width = self._text_width(option.rect.width())
            layout = sentence_layout(entry.correction, option.font, option.palette, width)
            layout.draw(painter, QPointF(left, top))
            small = scaled_font(option.font, 0.92)
            metrics = QFontMetricsF(small)
            line = QRectF(left, top + layout.boundingRect().height() + self._LEADING, width, metrics.height())
            self._draw_facts(painter, option, line, entry)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A click on the check box toggles the row."""
        if isinstance(event, QMouseEvent) and event.type() in (
            QEvent.Type.MouseButtonRelease,
            QEvent.Type.MouseButtonDblClick,
        ):
            inside = event.position().x() < option.rect.left() + self._text_left()
            if inside and event.button() == Qt.MouseButton.LeftButton:
                on = index.data(_Role.CheckStateRole) is Qt.CheckState.Checked
                state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
                return model.setData(index, state, _Role.CheckStateRole)
        return False

    def _text_left(self) -> int:
        return self._PAD_X + _BOX_SIZE + 9

    def _text_width(self, width: int) -> float:
        return max(60.0, width - self._text_left() - self._PAD_X)

    def _draw_box(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box = QStyleOptionButton()
        box.initFrom(self._sample)
        line = QFontMetricsF(option.font).height()
        top = option.rect.top() + self._PAD_Y + (line - _BOX_SIZE) / 2
        box.rect = QRectF(option.rect.left() + self._PAD_X, top, _BOX_SIZE, _BOX_SIZE).toRect()
        on = index.data(_Role.CheckStateRole) is Qt.CheckState.Checked
        box.state = QStyle.StateFlag.State_Enabled | (
            QStyle.StateFlag.State_On if on else QStyle.StateFlag.State_Off
        )
        self._sample.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_IndicatorCheckBox, box, painter, self._sample
        )

    def _draw_facts(
        self, painter: QPainter, option: QStyleOptionViewItem, line: QRectF, entry: StoredCorrection
    ) -> None:
        colours, correction = option.palette, entry.correction
        small = scaled_font(option.font, 0.92)
        metrics = QFontMetricsF(small)
        side = metrics.ascent() * 0.82
        icon = QRectF(line.left(), line.top() + (line.height() - side) / 2, side, side)
        _draw_verdict(painter, correction.verdict, icon, colours)
        glyph = icon.translated(side + 5, 0)
        painter.fillPath(
            glyph_path(correction.kind, glyph), kind_style(correction.kind, dark=is_dark(colours)).colour
        )
        line.setLeft(glyph.right() + 7)
        painter.setFont(small)
        painter.setPen(colours.color(QPalette.ColorRole.PlaceholderText))
        text = metrics.elidedText(details_text(entry), Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def sentence_layout(correction: Correction, font: QFont, palette: QPalette, width: float) -> QTextLayout:
    """The sentence laid out in ``width`` pixels: the difference, with marked words underlined as in the editor."""
    parts = sentence_parts(correction)
    layout = QTextLayout("".join(part.chunk.text for part in parts), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    dark = is_dark(palette)
    kind = kind_style(correction.kind, dark=dark)
    ranges = []
    at = 0
    for part in parts:
        char_format = QTextCharFormat()
        if part.chunk.part is DiffPart.EQUAL:
            char_format.setForeground(palette.color(QPalette.ColorRole.Text))
        else:
            colour, ground = diff_colours(part.chunk.part, dark=dark)
            char_format.setForeground(colour)
            char_format.setBackground(ground)
            char_format.setFontStrikeOut(part.chunk.part is DiffPart.DELETED)
        if part.chunk.part is DiffPart.INSERTED or (part.is_marked and part.chunk.part is DiffPart.EQUAL):
            char_format.setFontWeight(QFont.Weight.Bold)
        if part.is_marked:
            char_format.setUnderlineStyle(kind.underline)
            char_format.setUnderlineColor(kind.colour)
        format_range = QTextLayout.FormatRange()
        format_range.start, format_range.length, format_range.format = (
            at,
            utf16_length(part.chunk.text),
            char_format,
        )
        at += format_range.length
        ranges.append(format_range)
    layout.setFormats(ranges)
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    return layout


def _draw_verdict(painter: QPainter, verdict: Verdict, box: QRectF, colours: QPalette) -> None:
    """A tick or a cross in the text colour."""
    pen = QPen(colours.color(QPalette.ColorRole.Text), max(1.4, box.width() / 7))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    inner = box.adjusted(box.width() * 0.1, box.height() * 0.1, -box.width() * 0.1, -box.height() * 0.1)
    if verdict is Verdict.ACCEPTED:
        corner = QPointF(inner.left() + inner.width() * 0.36, inner.bottom() - inner.height() * 0.08)
        painter.drawPolyline(
            [QPointF(inner.left(), inner.top() + inner.height() * 0.58), corner, inner.topRight()]
        )
    else:
        painter.drawLine(inner.topLeft(), inner.bottomRight())
        painter.drawLine(inner.topRight(), inner.bottomLeft())


def _model_of(index: Index) -> CorrectionsModel:
    model = index.model()
    assert isinstance(model, CorrectionsModel)
    return model


def _entry_at(index: Index) -> StoredCorrection:
    return _model_of(index).listed[index.row()]
