"""The list of findings: its model, and the delegate that paints two lines per row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
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

from app.analysis.explanations import class_label, guide_classes
from app.editor.biased_sentences import BiasedSentence
from app.editor.positions import utf16_length
from app.widgets.kinds import glyph_path, kind_style
from app.widgets.labels import format_percent, scaled_font, to_single_line
from app.widgets.list_rows import TwoLineDelegate
from app.widgets.plain_text import plain_text
from app.widgets.theme import is_dark
from core.documents import Format, parse
from core.documents.format_specs import extracts_text
from core.documents.prose_view import view_prose
from core.i18n import tr
from core.types import Finding, Kind, SentenceReading

Index = QModelIndex | QPersistentModelIndex
RowKey = tuple[str, int]
"""The fingerprint of a finding, and its number among equal ones."""

SENTENCE = tr("biased sentence, no word marked")
_CONTEXT = 160  # characters of a sentence kept on either side of the words: more is never seen


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """The words of a finding and the text before and after them in the sentence."""

    before: str
    words: str
    after: str


def sentence_context(
    finding: Finding, source: str, sentence: SentenceReading | None, form: Format = Format.PLAIN
) -> SentenceContext:
    """A finding in its sentence, or in the text around it if no sentence is known, on one line without mark-up.

    A sentence that is listed itself has no words in it.
    """
    start = max(sentence.start if sentence else 0, finding.start - _CONTEXT)
    end = min(sentence.end if sentence else len(source), finding.end + _CONTEXT)
    part = source[start:end]
    non_prose = () if form is Format.PLAIN or extracts_text(form) else parse(part, form).non_prose
    before, shown, after = (
        view_prose(part, first - start, last - start, non_prose=non_prose).text
        for first, last in ((start, finding.start), (finding.start, finding.end), (finding.end, end))
    )
    if isinstance(finding, BiasedSentence):
        return SentenceContext("", "", to_single_line(shown))
    return SentenceContext(
        before=to_single_line(f"{before}|")[:-1],
        words=to_single_line(finding.shown),
        after=to_single_line(f"|{after}")[1:],
    )


def describe_facts(finding: Finding, *, term_dependent: bool = False) -> str:
    """The second line of a row: kind, class by the guide or of the first cue, guide."""
    if isinstance(finding, BiasedSentence):
        return " · ".join([SENTENCE, *([tr("in a quotation")] if finding.quoted else [])])
    facts = [kind_style(finding.kind, dark=False).label, *_reasons(finding)]
    return " · ".join([tr("depends on the word itself"), *facts] if term_dependent else facts)


def describe_kind(finding: Finding) -> str:
    """The kind of a finding, and the guide's class if the reader tells it; of a style rule the name of its pack."""
    if isinstance(finding, BiasedSentence):
        return SENTENCE
    if finding.kind is Kind.STYLE and finding.style:
        return f"{kind_style(finding.kind, dark=False).label} · {to_single_line(finding.style.pack)}"
    kind, named = kind_style(finding.kind, dark=False).label, guide_classes().get(finding.guide_class)
    return f"{kind} · {named.title}" if named else kind


def accessible_text(finding: Finding, *, term_dependent: bool = False) -> str:
    """A finding as text for a screen reader: kind, words, confidence and reasons."""
    if isinstance(finding, BiasedSentence):
        return tr("{what}, bias {bias} percent: {words}").format(
            what=describe_facts(finding),
            bias=round(100 * finding.confidence),
            words=to_single_line(finding.shown),
        )
    template = tr("{kind}: {words}, confidence {confidence} percent")
    if finding.kind is Kind.STYLE:
        template = tr("{kind}: {words}")
    text = template.format(
        kind=kind_style(finding.kind, dark=False).label,
        words=to_single_line(finding.shown),
        confidence=round(100 * finding.confidence),
    )
    return ", ".join(
        [text, *([tr("depends on the word itself")] if term_dependent else []), *_reasons(finding)]
    )


def _reasons(finding: Finding) -> list[str]:
    cue = finding.why[0] if finding.why else None
    if finding.style and finding.kind is Kind.STYLE:
        parts = [finding.style.pack, finding.style.guide]
    elif named := guide_classes().get(finding.guide_class):
        parts = [named.title, named.guides[0]]
    else:
        parts = [class_label(cue.category), cue.source] if cue else [tr("from context")]
    if finding.quoted:
        parts.append(tr("in a quotation"))
    return [to_single_line(part) for part in parts if part]


def describe_fully(finding: Finding, context: SentenceContext, *, term_dependent: bool = False) -> str:
    """The facts of a row; the guide's explanation and the first cue, if the class is known; the sentence."""
    lines = [describe_facts(finding, term_dependent=term_dependent)]
    if finding.style:
        lines.append(f"{finding.style.message} {finding.style.reason}".rstrip())
    if named := guide_classes().get(finding.guide_class):
        lines.append(f"{named.explanation} {named.advice}")
        lines += [f"“{to_single_line(cue.cue)}”: {class_label(cue.category)}" for cue in finding.why[:1]]
    return "\n".join([*lines, f"{context.before}{context.words}{context.after}"])


class FindingsModel(QStringListModel):
    """Findings in the order of the text, term-dependent ones last if that is wanted.

    A new report changes only the rows that differ. The base class counts the rows: a view asks for their number once
    per row, and a call into Python is slow.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._findings: list[Finding] = []
        self._term_dependent: Collection[Finding] = frozenset()
        self._last_count = 0
        self._source = ""
        self._sentences: Sequence[SentenceReading] = ()
        self._sentence_starts: list[int] = []
        self._format = Format.PLAIN
        self._contexts: dict[Finding, SentenceContext] = {}
        self._answers: Mapping[str, Sequence[str]] = {}

    def show(
        self,
        findings: Sequence[Finding],
        source: str,
        sentences: Sequence[SentenceReading],
        *,
        form: Format = Format.PLAIN,
        term_dependent: Collection[Finding] = frozenset(),
        term_dependent_last: bool = False,
    ) -> None:
        """Replace the rows, keeping those at both ends whose fingerprints are the same.

        ``term_dependent``: these findings come after all others if ``term_dependent_last``.
        """
        last_starts = {finding.start for finding in term_dependent} if term_dependent_last else set()
        last = [finding for finding in findings if finding.start in last_starts] if last_starts else []
        above = [finding for finding in findings if finding.start not in last_starts] if last else findings
        old, new = self._findings, [*above, *last]
        self._term_dependent, self._last_count = term_dependent, len(last)
        same_above = _common(old, new)
        same_below = _common(old[same_above:][::-1], new[same_above:][::-1])
        self._source, self._sentences, self._format = source, sentences, form
        self._contexts = {}
        self._sentence_starts = [sentence.start for sentence in sentences]
        if len(old) - same_below > same_above:
            self._findings = new[:same_above] + (new[-same_below:] if same_below else [])
            self.removeRows(same_above, len(old) - same_below - same_above)
        self._findings = new
        if len(new) - same_below > same_above:
            self.insertRows(same_above, len(new) - same_below - same_above)
        if new:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def set_answers(self, answers: Mapping[str, Sequence[str]]) -> None:
        """What was answered to the findings of these fingerprints, in sentences."""
        self._answers = answers
        if self._findings:
            self.dataChanged.emit(self.index(0), self.index(len(self._findings) - 1))

    def answers(self, row: int) -> Sequence[str]:
        """What was answered to the finding in a row, in sentences."""
        return self._answers.get(self._findings[row].fingerprint, ())

    def flags(self, _index: Index) -> Qt.ItemFlag:
        """Rows can be selected, nothing else."""
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren

    def finding(self, row: int) -> Finding:
        """The finding in a row."""
        return self._findings[row]

    def term_dependent(self, row: int) -> bool:
        """Whether the finding in a row is term-dependent."""
        return self._findings[row] in self._term_dependent

    def key(self, row: int) -> RowKey | None:
        """A key of a row that survives an edit; None if there is no such row."""
        if not 0 <= row < len(self._findings):
            return None
        name = _identity(self._findings[row])
        return name, sum(_identity(other) == name for other in self._findings[: row + 1])

    def row_of_key(self, key: RowKey | None) -> int | None:
        """The row that has this key now; None if there is none."""
        if key is None:
            return None
        same = (row for row, finding in enumerate(self._findings) if _identity(finding) == key[0])
        return next(islice(same, key[1] - 1, None), None)

    def row_of(self, finding: Finding) -> int | None:
        """The row of this finding, or of the nearest one with its fingerprint; None if neither is listed."""
        border = len(self._findings) - self._last_count
        for first, last in ((0, border), (border, len(self._findings))):
            after = bisect_right(self._findings, finding.start, first, last, key=lambda other: other.start)
            if after > first and self._findings[after - 1] == finding:
                return after - 1
        same = [row for row, other in enumerate(self._findings) if _identity(other) == _identity(finding)]
        return min(same, key=lambda row: abs(self._findings[row].start - finding.start), default=None)

    def context(self, row: int) -> SentenceContext:
        """The words of a row in their sentence."""
        finding = self._findings[row]
        if finding not in self._contexts:
            at = bisect_right(self._sentence_starts, finding.start) - 1
            holds = at >= 0 and self._sentences[at].end >= finding.end
            sentence = self._sentences[at] if holds else None
            self._contexts[finding] = sentence_context(finding, self._source, sentence, self._format)
        return self._contexts[finding]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The words to display, and kind, words and confidence for a screen reader."""
        if not index.isValid() or index.row() >= len(self._findings):
            return None
        finding = self._findings[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return to_single_line(finding.shown)
            case Qt.ItemDataRole.AccessibleTextRole:
                text = accessible_text(finding, term_dependent=self.term_dependent(index.row()))
                return ", ".join([text, *self.answers(index.row())])
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return self._description(index.row())
            case Qt.ItemDataRole.ToolTipRole:
                return plain_text(self._description(index.row()))
        return None

    def _description(self, row: int) -> str:
        """What is known of a finding, and its words among their neighbours."""
        depends = self.term_dependent(row)
        facts = describe_fully(self._findings[row], self.context(row), term_dependent=depends)
        return "\n".join([*self.answers(row), facts])


def _identity(finding: Finding) -> str:
    return finding.fingerprint or f"{finding.kind.value}\x1f{finding.shown}"


def _common(left: Sequence[Finding], right: Sequence[Finding]) -> int:
    count = 0
    for one, other in zip(left, right, strict=False):
        if one is not other and _identity(one) != _identity(other):
            break
        count += 1
    return count


class FindingsDelegate(TwoLineDelegate):
    """Paints a row: glyph, the words bold in their sentence, confidence; below them answers, kind, class and guide.

    A sentence without marked words has a bar for a glyph, and its bias.
    """

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row with the font and palette of the list."""
        model = index.model()
        assert isinstance(model, FindingsModel)
        finding = model.finding(index.row())
        colours = option.palette
        kind = kind_style(finding.kind, dark=is_dark(colours))
        with self.row_painting(painter, option) as row:
            metrics = QFontMetricsF(option.font)
            side = metrics.ascent() * 0.85
            top = row.top() + (metrics.height() - side) / 2
            box = QRectF(row.left(), top, side, side)
            if isinstance(finding, BiasedSentence):
                bar = box.adjusted(side * 0.3, 0, -side * 0.3, 0)
                painter.fillRect(bar, colours.color(QPalette.ColorRole.PlaceholderText))
            else:
                painter.fillPath(glyph_path(finding.kind, box), kind.colour)

            small = scaled_font(option.font, 0.92)
            below = QFontMetricsF(small)
            left = row.left() + side + 8
            right = "" if finding.kind is Kind.STYLE else format_percent(finding.confidence)
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
            facts = describe_facts(finding, term_dependent=model.term_dependent(index.row()))
            facts = " · ".join([*model.answers(index.row()), facts])
            facts = below.elidedText(facts, Qt.TextElideMode.ElideRight, second.width())
            painter.drawText(second, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, facts)


def draw_context(painter: QPainter, font: QFont, at: QPointF, room: float, context: SentenceContext) -> None:
    """Draw the sentence on one line, the words bold and always visible, cut on both sides of them.

    It is one layout, so that right-to-left text keeps its order.
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
