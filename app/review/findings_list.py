"""The list of findings: a model over the report, and a delegate that paints two lines a row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QStringListModel,
    Qt,
)
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QPainter,
    QPalette,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyleOptionViewItem

from app.analysis.explanations import class_label
from app.editor.positions import utf16_length
from app.widgets.kinds import glyph_path, look
from app.widgets.labels import percent, scaled, showable
from app.widgets.list_rows import TwoLineRows
from app.widgets.theme import is_dark
from core.i18n import tr
from core.types import Finding, SentenceReading

Index = QModelIndex | QPersistentModelIndex
Key = tuple[str, int]
"""The fingerprint of a finding, and which one of equals it is."""

_CONTEXT = 160  # characters of a sentence kept on either side of the words: more is never seen


@dataclass(frozen=True, slots=True)
class Context:
    """The words of a finding and what stands before and after them in their sentence."""

    before: str
    words: str
    after: str


def context_of(finding: Finding, source: str, sentence: SentenceReading | None) -> Context:
    """A finding in its sentence (or in its line's neighbourhood where no sentence is known), on one line."""
    start = max(sentence.start if sentence else 0, finding.start - _CONTEXT)
    end = min(sentence.end if sentence else len(source), finding.end + _CONTEXT)
    before, after = source[start : finding.start], source[finding.end : end]
    return Context(
        before=showable(f"{before}|")[:-1],
        words=showable(finding.text),
        after=showable(f"|{after}")[1:],
    )


def facts_of(finding: Finding, *, on_word: bool = False) -> str:
    """Kind, class of the first cue, guide: the second line of a row. ``on_word``: it leans on the word itself."""
    facts = [look(finding.kind, dark=False).label, *_reasons(finding)]
    return " · ".join([tr("leans on the word itself"), *facts] if on_word else facts)


def spoken(finding: Finding, *, on_word: bool = False) -> str:
    """A finding as a screen reader says it: kind, words, confidence, and why it may be there."""
    said = tr("{kind}: {words}, confidence {confidence} percent").format(
        kind=look(finding.kind, dark=False).label,
        words=showable(finding.text),
        confidence=round(100 * finding.confidence),
    )
    return ", ".join([said, *([tr("leans on the word itself")] if on_word else []), *_reasons(finding)])


def _reasons(finding: Finding) -> list[str]:
    cue = finding.why[0] if finding.why else None
    parts = [class_label(cue.category), cue.source] if cue else [tr("from context")]
    if finding.quoted:
        parts.append(tr("in a quotation"))
    return [showable(part) for part in parts if part]


class IssuesModel(QStringListModel):
    """Findings in the order of the text, those that lean on their word below the others where that is wanted.

    A new report changes only the rows that differ.
    The base class counts the rows: a view asks for their number once for every row, and asking Python is slow.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: list[Finding] = []
        self._on_word: Collection[Finding] = frozenset()
        self._sunk = 0
        self._source = ""
        self._sentences: Sequence[SentenceReading] = ()
        self._sentence_starts: list[int] = []

    def show(
        self,
        findings: Sequence[Finding],
        source: str,
        sentences: Sequence[SentenceReading],
        *,
        on_word: Collection[Finding] = frozenset(),
        sinking: bool = False,
    ) -> None:
        """Replace the rows, keeping those at both ends whose fingerprints are the same.

        ``on_word``: the findings that lean on their word; with ``sinking`` they come after all others.
        """
        low = {finding.start for finding in on_word} if sinking else set()
        sunk = [finding for finding in findings if finding.start in low] if low else []
        above = [finding for finding in findings if finding.start not in low] if sunk else findings
        old, new = self._findings, [*above, *sunk]
        self._on_word, self._sunk = on_word, len(sunk)
        same_above = _common(old, new)
        same_below = _common(old[same_above:][::-1], new[same_above:][::-1])
        self._source, self._sentences = source, sentences
        self._sentence_starts = [sentence.start for sentence in sentences]
        if len(old) - same_below > same_above:
            self._findings = new[:same_above] + (new[-same_below:] if same_below else [])
            self.removeRows(same_above, len(old) - same_below - same_above)
        self._findings = new
        if len(new) - same_below > same_above:
            self.insertRows(same_above, len(new) - same_below - same_above)
        if new:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def flags(self, _index: Index) -> Qt.ItemFlag:
        """Rows can be chosen and nothing else."""
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def finding(self, row: int) -> Finding:
        """The finding in a row."""
        return self._findings[row]

    def on_word(self, row: int) -> bool:
        """Whether the finding in a row leans on its word."""
        return self._findings[row] in self._on_word

    def key(self, row: int) -> Key | None:
        """A name for a row that survives an edit, or None where there is no such row."""
        if not 0 <= row < len(self._findings):
            return None
        name = _name(self._findings[row])
        return name, sum(_name(other) == name for other in self._findings[: row + 1])

    def row_of_key(self, key: Key | None) -> int | None:
        """The row that has this name now; None where none has."""
        if key is None:
            return None
        same = (row for row, finding in enumerate(self._findings) if _name(finding) == key[0])
        return next(islice(same, key[1] - 1, None), None)

    def row_of(self, finding: Finding) -> int | None:
        """The row of this finding, or of the nearest one of its fingerprint; None where neither is listed."""
        border = len(self._findings) - self._sunk
        for first, last in ((0, border), (border, len(self._findings))):
            after = bisect_right(self._findings, finding.start, first, last, key=lambda other: other.start)
            if after > first and self._findings[after - 1] == finding:
                return after - 1
        same = [row for row, other in enumerate(self._findings) if _name(other) == _name(finding)]
        return min(same, key=lambda row: abs(self._findings[row].start - finding.start), default=None)

    def context(self, row: int) -> Context:
        """The words of a row in their sentence."""
        finding = self._findings[row]
        at = bisect_right(self._sentence_starts, finding.start) - 1
        holds = at >= 0 and self._sentences[at].end >= finding.end
        return context_of(finding, self._source, self._sentences[at] if holds else None)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Words for the eye, and kind, words and confidence for a screen reader."""
        if not index.isValid() or index.row() >= len(self._findings):
            return None
        finding = self._findings[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return showable(finding.text)
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(finding, on_word=self.on_word(index.row()))
            case Qt.ItemDataRole.AccessibleDescriptionRole | Qt.ItemDataRole.ToolTipRole:
                context, facts = (
                    self.context(index.row()),
                    facts_of(finding, on_word=self.on_word(index.row())),
                )
                return f"{facts}\n{context.before}{context.words}{context.after}"
        return None


def _name(finding: Finding) -> str:
    return finding.fingerprint or f"{finding.kind.value}\x1f{finding.text}"


def _common(left: Sequence[Finding], right: Sequence[Finding]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one is not other and _name(one) != _name(other):
            break
        count += 1
    return count


class IssuesDelegate(TwoLineRows):
    """Paints a row: glyph, the words bold in their sentence, confidence; below them kind, class and guide."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the list's font and palette."""
        model = index.model()
        assert isinstance(model, IssuesModel)
        finding = model.finding(index.row())
        colours = option.palette
        kind = look(finding.kind, dark=is_dark(colours))
        with self._row(painter, option) as row:
            metrics = QFontMetricsF(option.font)
            side = metrics.ascent() * 0.85
            top = row.top() + (metrics.height() - side) / 2
            painter.fillPath(glyph_path(finding.kind, QRectF(row.left(), top, side, side)), kind.colour)

            small = scaled(option.font, 0.92)
            below = QFontMetricsF(small)
            left = row.left() + side + 8
            right = percent(finding.confidence)
            room = row.right() - left - below.horizontalAdvance(right) - 10
            painter.setPen(colours.color(QPalette.ColorRole.Text))
            draw_context(painter, option.font, QPointF(left, row.top()), room, model.context(index.row()))

            painter.setFont(small)
            painter.setPen(colours.color(QPalette.ColorRole.PlaceholderText))
            first = QRectF(row.left(), row.top(), row.width(), metrics.height())
            painter.drawText(first, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
            second = QRectF(
                left, row.top() + metrics.height() + self._LEADING, row.right() - left, below.height()
            )
            facts = facts_of(finding, on_word=model.on_word(index.row()))
            facts = below.elidedText(facts, Qt.TextElideMode.ElideRight, second.width())
            painter.drawText(second, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, facts)


def draw_context(painter: QPainter, font: QFont, at: QPointF, room: float, context: Context) -> None:
    """Draw the sentence on one line, the words bold and always in sight, cut evenly on both sides of them.

    One layout for the whole line, so that right-to-left text keeps its order.
    """
    if room <= 0:
        return
    bold = QFont(font)
    bold.setBold(True)
    metrics, bold_metrics = QFontMetricsF(font), QFontMetricsF(bold)
    words = bold_metrics.elidedText(context.words, Qt.TextElideMode.ElideRight, room)
    spare = max(0.0, room - bold_metrics.horizontalAdvance(words))
    before_room = max(spare * 0.4, spare - metrics.horizontalAdvance(context.after))
    before = metrics.elidedText(context.before, Qt.TextElideMode.ElideLeft, before_room)
    if before != context.before:
        before = "… " + before.partition(" ")[2]
        before = before if metrics.horizontalAdvance(before) <= before_room else ""
    after_room = max(0.0, spare - metrics.horizontalAdvance(before))
    after = metrics.elidedText(context.after, Qt.TextElideMode.ElideRight, after_room)

    layout = QTextLayout(before + words + after, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    layout.setTextOption(option)
    strong = QTextCharFormat()
    strong.setFontWeight(QFont.Weight.Bold)
    marked = QTextLayout.FormatRange()
    marked.start, marked.length, marked.format = utf16_length(before), utf16_length(words), strong
    layout.setFormats([marked])
    layout.beginLayout()
    layout.createLine().setLineWidth(room)
    layout.endLayout()
    layout.draw(painter, at)
