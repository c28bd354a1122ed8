"""The list of recorded corrections: a check box, the sentence as a difference, and where it came from."""

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

from app.analysis.suggestions import Part, Piece, described
from app.comparison.diff_text import colour_of
from app.editor.positions import TextMap, edits_between, utf16_length
from app.history.version_strings import day
from app.widgets.kinds import glyph_path, look
from app.widgets.labels import scaled, showable
from app.widgets.list_rows import TwoLineRows
from app.widgets.theme import is_dark
from core.corrections import Correction, Kept, Verdict
from core.i18n import ntr, tr
from core.types import Kind

# What is said of corrections, and how a sentence and its new wording become pieces to draw. Nothing here draws.


VERDICTS = {Verdict.ACCEPTED: tr("Accepted"), Verdict.REJECTED: tr("Rejected")}
_AROUND = 200  # characters of an unchanged stretch that are shown on a side of a change


@dataclass(frozen=True, slots=True)
class Marked:
    """A piece of a sentence, and whether its words were marked."""

    piece: Piece
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which corrections are listed; None is any."""

    verdict: Verdict | None = None
    kind: Kind | None = None

    def admits(self, correction: Correction) -> bool:
        """Whether a correction is listed."""
        return self.verdict in (None, correction.verdict) and self.kind in (None, correction.kind)


def pieces(correction: Correction) -> list[Marked]:
    """The sentence on one line: what stayed, what went out and what came in, and which words were marked."""
    sentence = correction.sentence
    edits = _edits(correction)
    out = [(start, end) for start, end, _ in edits]
    new = {end: text for _, end, text in edits}
    marked = (correction.start, correction.end)
    ends = sorted({0, *(place for span in (*out, marked) for place in span), len(sentence)})
    made: list[Marked] = []
    for start, end in pairwise(ends):
        made += _in(new.pop(start, ""), made)
        gone = any(first <= start and end <= last for first, last in out)
        was_marked = marked[0] <= start and end <= marked[1]
        made += _old(sentence[start:end], gone=gone, marked=was_marked)
    return _shortened([*made, *_in(new.pop(len(sentence), ""), made)])


def told(kept: Kept) -> str:
    """What stands below the sentence: verdict, kind, draft and day."""
    one = kept.correction
    kind = look(one.kind, dark=False).label
    return " · ".join([VERDICTS[one.verdict], kind, showable(kept.draft), day(kept.made_at)])


def aloud(kept: Kept) -> str:
    """A correction as a screen reader says it."""
    one = kept.correction
    edits = [
        (" ".join(one.sentence[start:end].split()), " ".join(new.split())) for start, end, new in _edits(one)
    ]
    changes = "; ".join(described(old, new) for old, new in edits if old or new)
    what = changes or f"“{showable(one.words)}”"
    return f"{told(kept).replace(' · ', ', ')}: {what}. {showable(one.sentence)}"


def counted(corrections: Sequence[Kept], chosen: Collection[int]) -> str:
    """How many there are of each verdict, and how many are chosen."""
    accepted = sum(one.correction.verdict is Verdict.ACCEPTED for one in corrections)
    return tr("{accepted} accepted, {rejected} rejected; {chosen} chosen").format(
        accepted=f"{accepted:,}",
        rejected=f"{len(corrections) - accepted:,}",
        chosen=f"{len(chosen):,}",
    )


def in_use(number: int) -> str:
    """That the next retraining uses so many."""
    some = ntr(
        "{n} correction is used in the next retraining.",
        "{n} corrections are used in the next retraining.",
        number,
    )
    return some.format(n=f"{number:,}")


def _edits(correction: Correction) -> list[tuple[int, int, str]]:
    """(start, end, new words) of each change, in code points of the sentence; nothing for a rejected one."""
    if correction.verdict is Verdict.REJECTED:
        return []
    points = TextMap(correction.sentence)
    return [
        (points.to_code_point(start), points.to_code_point(end), new)
        for start, end, new in edits_between(correction.sentence, correction.rewritten)
    ]


def _old(text: str, *, gone: bool, marked: bool) -> list[Marked]:
    """Words of the sentence as it was; the space around those that went out is not struck through."""
    words = text.strip() if gone else ""
    if not words:
        return [Marked(Piece(_line(text), Part.KEPT), marked)]
    first = text.index(words)
    parts = (text[:first], Part.KEPT), (words, Part.OUT), (text[first + len(words) :], Part.KEPT)
    return [Marked(Piece(_line(part), how), marked and how is Part.OUT) for part, how in parts if part]


def _in(text: str, before: Sequence[Marked]) -> list[Marked]:
    """New words, apart from the old ones in whose place they stand."""
    if not text:
        return []
    apart = bool(before) and before[-1].piece.part is Part.OUT
    return [*([Marked(Piece(" ", Part.KEPT))] if apart else []), Marked(Piece(_line(text), Part.IN))]


def _shortened(made: list[Marked]) -> list[Marked]:
    """Long stretches that nothing happened in are cut; the words around what happened stay."""
    found: list[Marked] = []
    for number, one in enumerate(made):
        text = one.piece.text
        if one.piece.part is Part.KEPT and not one.marked:
            first, last = number == 0, number == len(made) - 1
            if first and len(text) > _AROUND:
                text = f"… {text[-_AROUND:].partition(' ')[2]}"
            elif last and len(text) > _AROUND:
                text = f"{text[:_AROUND].rpartition(' ')[0]} …"
            elif not first and not last and len(text) > 2 * _AROUND:
                text = f"{text[:_AROUND].rpartition(' ')[0]} … {text[-_AROUND:].partition(' ')[2]}"
        if text:
            found.append(replace(one, piece=Piece(text, one.piece.part)))
    return found


def _line(text: str) -> str:
    return showable(f"|{text}|")[1:-1]


# The rows of the corrections: a box to take each in or out, the sentence as a difference, and what it came from.


Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole
_BOX = 17


class CorrectionsModel(QAbstractListModel):
    """All corrections, those of them that are listed, and those that are chosen. ``chosen_changed``: other ones are."""

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: list[Kept] = []
        self.shown: list[Kept] = []
        self.chosen: set[int] = set()
        self._wanted = Wanted()

    def show(self, corrections: Sequence[Kept], chosen: Collection[int]) -> None:
        """Hold these, of which those with the numbers ``chosen`` are chosen."""
        self.all = list(corrections)
        self.chosen = {one.id for one in corrections} & set(chosen)
        self.filter(self._wanted)
        self.chosen_changed.emit()

    def filter(self, wanted: Wanted) -> None:
        """List only what is wanted."""
        self.beginResetModel()
        self._wanted = wanted
        self.shown = [one for one in self.all if wanted.admits(one.correction)]
        self.endResetModel()

    def choose_shown(self, *, chosen: bool) -> None:
        """Choose all that is listed, or nothing of it."""
        listed = {one.id for one in self.shown}
        self.chosen = self.chosen | listed if chosen else self.chosen - listed
        if self.shown:
            self.dataChanged.emit(self.index(0), self.index(len(self.shown) - 1))
        self.chosen_changed.emit()

    def rowCount(self, _parent: Index | None = None) -> int:
        """How many are listed."""
        return len(self.shown)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows have a box."""
        return super().flags(index) | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        """The words of a row, its box, and all of it for a screen reader."""
        if not index.isValid() or index.row() >= len(self.shown):
            return None
        kept = self.shown[index.row()]
        match role:
            case _Role.DisplayRole:
                return kept.correction.words
            case _Role.CheckStateRole:
                return Qt.CheckState.Checked if kept.id in self.chosen else Qt.CheckState.Unchecked
            case _Role.AccessibleTextRole:
                taken = tr("chosen") if kept.id in self.chosen else tr("not chosen")
                return f"{taken}, {aloud(kept)}"
        return None

    def setData(self, index: Index, value: Any, role: int = _Role.EditRole) -> bool:
        """Take a row in or out."""
        if role != _Role.CheckStateRole or not index.isValid():
            return False
        number = self.shown[index.row()].id
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self.chosen.add(number)
        else:
            self.chosen.discard(number)
        self.dataChanged.emit(index, index, [role])
        self.chosen_changed.emit()
        return True


class CorrectionRows(QListView):
    """The list. Space takes the chosen rows in or out, Delete asks to remove them (``delete_wanted``)."""

    delete_wanted = Signal()

    def __init__(self, model: CorrectionsModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(_Rows(self))
        self.setAccessibleName(tr("Corrections"))
        self.setProperty("outlined", "true")
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # Each row is laid out to know its height: thousands would hold the window up.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(50)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setMouseTracking(True)
        self.setMinimumHeight(220)

    def chosen_rows(self) -> list[Kept]:
        """The rows that are selected, in their order."""
        model = self.model()
        assert isinstance(model, CorrectionsModel)
        return [model.shown[row] for row in sorted(index.row() for index in self.selectedIndexes())]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space turns the boxes of all selected rows into what the present one becomes; Delete asks."""
        if event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            on = self.currentIndex().data(_Role.CheckStateRole) is Qt.CheckState.Checked
            state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
            for index in self.selectedIndexes() or [self.currentIndex()]:
                self.model().setData(index, state, _Role.CheckStateRole)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)


class _Rows(TwoLineRows):
    """Paints a row, as high as its sentence needs."""

    def __init__(self, view: CorrectionRows) -> None:
        super().__init__(view)
        self._view = view
        self._sample = QCheckBox()
        self._heights: dict[tuple[int, int, str], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The lines of the sentence and one below, with air."""
        kept = _kept(index)
        width = self._view.viewport().width()
        key = (kept.id, width, option.font.key())
        if key not in self._heights:
            if len(self._heights) > 4 * len(_model(index).shown) + 100:
                self._heights.clear()
            text = sentence_layout(kept.correction, option.font, option.palette, self._room(width))
            below = QFontMetricsF(scaled(option.font, 0.92)).height()
            self._heights[key] = round(text.boundingRect().height() + self._LEADING + below + 2 * self._PAD_Y)
        return QSize(80, self._heights[key])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the box, the sentence and what it came from."""
        kept = _kept(index)
        with self._row(painter, option):
            self._draw_box(painter, option, index)
            left = option.rect.left() + self._left()
            top = option.rect.top() + self._PAD_Y
            width = self._room(option.rect.width())
            layout = sentence_layout(kept.correction, option.font, option.palette, width)
            layout.draw(painter, QPointF(left, top))
            small = scaled(option.font, 0.92)
            metrics = QFontMetricsF(small)
            line = QRectF(left, top + layout.boundingRect().height() + self._LEADING, width, metrics.height())
            self._draw_facts(painter, option, line, kept)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A click at the box takes the row in or out."""
        if isinstance(event, QMouseEvent) and event.type() in (
            QEvent.Type.MouseButtonRelease,
            QEvent.Type.MouseButtonDblClick,
        ):
            inside = event.position().x() < option.rect.left() + self._left()
            if inside and event.button() == Qt.MouseButton.LeftButton:
                on = index.data(_Role.CheckStateRole) is Qt.CheckState.Checked
                state = Qt.CheckState.Unchecked if on else Qt.CheckState.Checked
                return model.setData(index, state, _Role.CheckStateRole)
        return False

    def _left(self) -> int:
        return self._PAD_X + _BOX + 9

    def _room(self, width: int) -> float:
        return max(60.0, width - self._left() - self._PAD_X)

    def _draw_box(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        box = QStyleOptionButton()
        box.initFrom(self._sample)
        line = QFontMetricsF(option.font).height()
        top = option.rect.top() + self._PAD_Y + (line - _BOX) / 2
        box.rect = QRectF(option.rect.left() + self._PAD_X, top, _BOX, _BOX).toRect()
        on = index.data(_Role.CheckStateRole) is Qt.CheckState.Checked
        box.state = QStyle.StateFlag.State_Enabled | (
            QStyle.StateFlag.State_On if on else QStyle.StateFlag.State_Off
        )
        self._sample.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_IndicatorCheckBox, box, painter, self._sample
        )

    def _draw_facts(self, painter: QPainter, option: QStyleOptionViewItem, line: QRectF, kept: Kept) -> None:
        colours, one = option.palette, kept.correction
        small = scaled(option.font, 0.92)
        metrics = QFontMetricsF(small)
        side = metrics.ascent() * 0.82
        icon = QRectF(line.left(), line.top() + (line.height() - side) / 2, side, side)
        _draw_verdict(painter, one.verdict, icon, colours)
        glyph = icon.translated(side + 5, 0)
        painter.fillPath(glyph_path(one.kind, glyph), look(one.kind, dark=is_dark(colours)).colour)
        line.setLeft(glyph.right() + 7)
        painter.setFont(small)
        painter.setPen(colours.color(QPalette.ColorRole.PlaceholderText))
        said = metrics.elidedText(told(kept), Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, said)


def sentence_layout(one: Correction, font: QFont, palette: QPalette, width: float) -> QTextLayout:
    """The sentence in lines of at most ``width`` pixels: the difference, and the marked words underlined as in text."""
    made = pieces(one)
    layout = QTextLayout("".join(part.piece.text for part in made), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    dark = is_dark(palette)
    kind = look(one.kind, dark=dark)
    ranges = []
    at = 0
    for part in made:
        ink = QTextCharFormat()
        if part.piece.part is Part.KEPT:
            ink.setForeground(palette.color(QPalette.ColorRole.Text))
        else:
            colour, ground = colour_of(part.piece.part, dark=dark)
            ink.setForeground(colour)
            ink.setBackground(ground)
            ink.setFontStrikeOut(part.piece.part is Part.OUT)
        if part.piece.part is Part.IN or (part.marked and part.piece.part is Part.KEPT):
            ink.setFontWeight(QFont.Weight.Bold)
        if part.marked:
            ink.setUnderlineStyle(kind.underline)
            ink.setUnderlineColor(kind.colour)
        run = QTextLayout.FormatRange()
        run.start, run.length, run.format = at, utf16_length(part.piece.text), ink
        at += run.length
        ranges.append(run)
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
    """A tick or a cross in the colour of the text."""
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


def _model(index: Index) -> CorrectionsModel:
    model = index.model()
    assert isinstance(model, CorrectionsModel)
    return model


def _kept(index: Index) -> Kept:
    return _model(index).shown[index.row()]
