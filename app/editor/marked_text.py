"""A plain-text editor that underlines findings and moves them with the text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QVariantAnimation, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLayout,
    QTextLine,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.editor.biased_sentences import BiasedSentence
from app.editor.block_styles import BlockStyles, format_range
from app.editor.folding import Folding
from app.editor.inline_folds import HiddenPart
from app.editor.marks import EditStep, Mark, Marks
from app.editor.misspellings import Misspellings
from app.editor.note_marks import (
    NoteMark,
    NoteMarks,
    character_before,
    draw_sign,
    room_format,
    sign_width,
)
from app.editor.positions import from_raw_text, is_word_character
from app.editor.revision_drawing import (
    COLOURED,
    author_colour,
    draw_comment,
    draw_revision_line,
    draw_revision_place,
    wedge_half_width,
)
from app.editor.revision_marks import CommentMark, CommentMarks, M, RangeMarks, RevisionMark, RevisionMarks
from app.editor.spaced_layout import SpacedLayout
from app.editor.underlines import (
    Pens,
    Weight,
    caret_x,
    draw_misspelling,
    draw_tint,
    draw_underline,
    line_segments,
    lines_between,
)
from app.widgets.kinds import kind_style
from app.widgets.theme import is_dark, is_high_contrast, markup_colour
from core.revisions.types import RevisionKind
from core.types import Finding, Kind

_FADE_MS = 160
_CURRENT, _FOUND = 0.17, 0.28
_HALF_BAR = 1.5


class MarkedText(QPlainTextEdit):
    """Text with marks. Marks are painted and not part of the document: undo, caret and scroll position are unaffected.

    ``edited``: the text was edited, not loaded. ``finding_at_caret_changed``: the finding at the caret, or None; a word
    that is being typed counts once the caret has left it. A sentence that is marked as a whole has no underline and
    counts only while it is the current finding. ``visible_range_changed``: first and last visible UTF-16
    unit.
    """

    edited = Signal()
    finding_at_caret_changed = Signal(object)
    visible_range_changed = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        document = QTextDocument(self)
        self._layout = SpacedLayout(document)
        document.setDocumentLayout(self._layout)
        self.setDocument(document)
        self.folding = Folding(self, self._layout)
        self._all = Marks()
        self._shown = Marks()
        self._is_shown: Callable[[Finding], bool] = lambda _: True
        self._fresh: frozenset[Finding] = frozenset()
        self._current: Finding | None = None
        self._finding_at_caret: Finding | None = None
        self._matches: Sequence[tuple[int, int]] = ()
        self._typing: tuple[int, int] | None = None
        self._visible_range = (-1, -1)
        self._tracked = Marks()
        self._misspelled = Misspellings()
        self._revisions = RevisionMarks()
        self._notes = NoteMarks()
        self._comments = CommentMarks()
        self._layout.more_formats = lambda block: [
            *self._revision_formats(block),
            *self._note_formats(block),
            *self.folding.formats(block),
        ]
        self._steps: Sequence[EditStep] = ()
        self._loading = False
        self._weight: Weight = "normal"
        self._fades = True
        self._fade = QVariantAnimation(self)
        self._fade.setStartValue(0.0)
        self._fade.setEndValue(1.0)
        self._fade.setDuration(_FADE_MS)
        self._fade.valueChanged.connect(self._update_fresh)
        document.contentsChange.connect(self._contents_changed)
        document.contentsChanged.connect(self.folding.layout_done)
        self.cursorPositionChanged.connect(self._caret_moved)
        self.updateRequest.connect(self._emit_visible_range)

    def text(self) -> str:
        """The whole text in code points, lines ended by ``\\n``, no-break spaces kept."""
        return from_raw_text(self.document().toRawText())

    def load(self, text: str) -> None:
        """Load another text, without undo history and marks."""
        self._loading = True
        self._layout.styles = BlockStyles()
        self.set_marks(Marks())
        self.set_misspelled(Misspellings())
        self.set_revisions(RevisionMarks())
        self.set_notes(NoteMarks())
        self.set_comments(CommentMarks())
        self.setPlainText(text)
        self.folding.clear()
        self.document().setModified(False)
        self._loading = False
        self.moveCursor(QTextCursor.MoveOperation.Start)

    @property
    def styles(self) -> BlockStyles:
        """How the blocks look."""
        return self._layout.styles

    def set_styles(self, styles: BlockStyles) -> None:
        """Show the blocks in these styles, until another text is loaded."""
        styles.set_theme(self.palette(), self.font())
        self._layout.set_styles(styles)

    @property
    def tracked_marks(self) -> Marks:
        """Marks that move with the text but are not shown."""
        return self._tracked

    def track_marks(self, marks: Marks) -> None:
        """Set the marks that move with the text without being shown."""
        self._tracked = marks

    @property
    def misspelled(self) -> Misspellings:
        """The misspelled words at their present positions."""
        return self._misspelled

    def set_misspelled(self, words: Misspellings) -> None:
        """Underline these words as misspelled, in place of others; one that is being typed once it is left."""
        seen = [one.between(*self._visible_range) for one in (self._misspelled, words)]
        self._misspelled = words
        if seen[0] != seen[1]:
            self.viewport().update()

    @property
    def revisions(self) -> RevisionMarks:
        """The tracked changes that are shown, at their present positions."""
        return self._revisions

    def set_revisions(self, marks: RevisionMarks) -> None:
        """Show these tracked changes in place of others."""
        if [*marks] != [*self._revisions]:
            self._revisions = marks
            self._layout.set_styles(self._layout.styles)
            self.viewport().update()

    @property
    def notes(self) -> NoteMarks:
        """The places that refer to notes, at their present positions."""
        return self._notes

    def set_notes(self, marks: NoteMarks) -> None:
        """Show the signs of these notes in place of others."""
        if [*marks] != [*self._notes]:
            self._notes = marks
            self._layout.set_styles(self._layout.styles)
            self.viewport().update()

    @property
    def comments(self) -> CommentMarks:
        """The comments of the file that are shown, at their present positions."""
        return self._comments

    def set_comments(self, marks: CommentMarks) -> None:
        """Show these comments in place of others."""
        self._comments = marks
        self.viewport().update()

    @property
    def marks(self) -> Marks:
        """The shown marks at their present positions."""
        return self._shown

    @property
    def all_marks(self) -> Marks:
        """The same, with those that the filter hides."""
        return self._all

    @property
    def current(self) -> Finding | None:
        """The highlighted finding."""
        return self._current

    def set_marks(self, marks: Marks) -> None:
        """Replace the marks; new ones fade in."""
        known = frozenset(finding.fingerprint for finding in self._shown.findings)
        was = self._shown.find(self._current) if self._current else None
        before = self._visible_marks()
        self._all = marks
        self._shown = marks.keep(self._is_shown)
        in_view = [mark.finding for mark in self._shown.between(*self._visible_range)]
        self._fresh = frozenset(new for new in in_view if new.fingerprint not in known)
        now = self._shown.at(was.start) if was else None
        self._current = now.finding if was and now and (now.start, now.end) == (was.start, was.end) else None
        self._fade.stop()
        if self._fresh and self._fades and self.isVisible():
            self._fade.start()
        if was is not None or self._visible_marks() != before:
            self.viewport().update()
        self._emit_finding_at_caret()

    def remove_finding(self, finding: Finding) -> None:
        """Remove the mark of a finding."""
        self._all, self._shown = (
            marks.keep(lambda other: other != finding) for marks in (self._all, self._shown)
        )
        if self._current == finding:
            self._current = None
        self.viewport().update()
        self._emit_finding_at_caret()

    def set_filter(self, is_shown: Callable[[Finding], bool]) -> None:
        """Show only the findings that pass the filter; the others move with the text."""
        self._is_shown = is_shown
        self._shown = self._all.keep(is_shown)
        if self._current and not is_shown(self._current):
            self._current = None
        self.viewport().update()
        self._emit_finding_at_caret()

    def set_current(self, finding: Finding | None) -> None:
        """Highlight one finding."""
        if finding != self._current:
            self._current = finding
            self.viewport().update()
            self._emit_finding_at_caret()

    def set_drawing(self, *, weight: Weight, fades: bool) -> None:
        """Set the weight of the underlines, and whether new ones fade in."""
        self._weight, self._fades = weight, fades
        self.viewport().update()

    def set_search_matches(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Highlight the matches of a search: sorted, disjoint ranges in UTF-16 units."""
        self._matches = ranges
        self.viewport().update()

    def rects_of(self, mark: Mark) -> list[QRectF]:
        """The rectangles of a mark in the viewport, one per line; empty if it is not visible."""
        found: list[QRectF] = []
        for block, top, start, end in self._lines_in(self.viewport().rect()):
            if mark.start < end and mark.end > start:
                found += self._boxes(block, top, max(mark.start, start), min(mark.end, end))
        return found

    def mark_at_point(self, point: QPointF) -> Mark | None:
        """The shown mark at a point of the viewport."""
        point = self.snap_to_line(point)
        position = self.cursorForPosition(point.toPoint()).position()
        near = self._shown.between(position - 1, position + 1)
        return next(
            (
                mark
                for mark in near
                if not isinstance(mark.finding, BiasedSentence)
                and any(box.contains(point) for box in self.rects_of(mark))
            ),
            None,
        )

    def revisions_at_point(self, point: QPointF) -> list[RevisionMark]:
        """The tracked changes at a point of the viewport: with words there, or with a mark where words are missing."""
        return self._at_point(self._revisions, point)

    def comments_at_point(self, point: QPointF) -> list[CommentMark]:
        """The comments at a point of the viewport: on words there, or with a bar there."""
        return self._at_point(self._comments, point)

    def _at_point(self, marks: RangeMarks[M], point: QPointF) -> list[M]:
        reach = 2 * wedge_half_width(QFontMetricsF(self.font()).ascent())
        return [
            mark
            for block, top, start, end in self._lines_in(QRect(0, int(point.y()), 1, 1))
            for mark in marks.between(start, end)
            if any(box.contains(point) for box in self._boxes_of(mark, block, top, (start, end), reach))
        ]

    def _boxes_of(
        self,
        mark: RevisionMark | CommentMark,
        block: QTextBlock,
        top: float,
        shown: tuple[int, int],
        reach: float,
    ) -> list[QRectF]:
        """The boxes of a mark on the ``shown`` lines of a block, ``reach`` to both sides of an empty one."""
        if mark.start == mark.end:
            line, x = self._line_at(block, mark.start)
            return [QRectF(x - reach, top + line.y(), 2 * reach, line.height())]
        return self._boxes(block, top, max(mark.start, shown[0]), min(mark.end, shown[1]))

    def notes_at_point(self, point: QPointF) -> list[NoteMark]:
        """The notes whose sign is at a point of the viewport."""
        found: list[NoteMark] = []
        for block, top, start, end in self._lines_in(QRect(0, int(point.y()), 1, 1)):
            for place, sign in self._notes.signs(start, end):
                line, right = self._line_before(block, place)
                width = sign_width(sign, self.font())
                box = QRectF(right - width, top + line.y(), width, line.height())
                if box.contains(point):
                    found += self._notes.between(place, place)
        return found

    def fold_mark_at(self, point: QPointF) -> QTextBlock | None:
        """The block whose fold begins or ends with a click at a point of the viewport."""
        lines = self._lines_in(QRect(0, int(point.y()), 1, 1))
        return next((block for block, top, _, _ in lines if self.folding.is_on_mark(block, top, point)), None)

    def hidden_part_at(self, point: QPointF) -> HiddenPart | None:
        """The part hidden inside a line whose label is at a point of the viewport."""
        point = self.snap_to_line(point)
        lines = self._lines_in(QRect(0, int(point.y()), 1, 1))
        parts = (self.folding.part_at(block, top, point) for block, top, _, _ in lines)
        return next((part for part in parts if part is not None), None)

    def snap_to_line(self, point: QPointF) -> QPointF:
        """The nearest point on a line of text, for points between two lines.

        Qt takes a click there for the end of the line above.
        """
        for block, top, start, _ in self._lines_in(QRect(0, int(point.y()), 1, 1)):
            line = block.layout().lineForTextPosition(start - block.position())
            if line.isValid():
                upper = top + line.y()
                return QPointF(point.x(), min(max(point.y(), upper + 1), upper + line.height() - 2))
        return point

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint highlights, the text and underlines, only for the lines in the exposed area."""
        self._paint_paragraphs(event.rect())
        self._paint_comments(event.rect())
        self._paint_grounds(event.rect())
        super().paintEvent(event)
        self._paint_folds(event.rect())
        self._paint_notes(event.rect())
        self._paint_revisions(event.rect())
        self._paint_misspelled(event.rect())
        self._paint_underlines(event.rect())

    def changeEvent(self, event: QEvent) -> None:
        """Make the styles of the blocks follow font and theme."""
        changed = event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange)
        if changed:
            self._layout.styles.set_theme(self.palette(), self.font())
        super().changeEvent(event)
        if changed:
            self._layout.set_styles(self._layout.styles)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Losing the focus ends typing in a word."""
        super().focusOutEvent(event)
        self._end_typing()

    def _paint_grounds(self, area: QRect) -> None:
        current = self._shown.find(self._current) if self._current else None
        if current is None and not self._matches:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for block, top, start, end in self._lines_in(area):
            if current and current.start < end and current.end > start:
                sentence = isinstance(current.finding, BiasedSentence)
                kind = kind_style(current.finding.kind, dark=is_dark(self.palette()))
                colour = self.palette().color(QPalette.ColorRole.Accent) if sentence else kind.colour
                self._wash(
                    painter, self._boxes(block, top, max(current.start, start), min(current.end, end)), colour
                )
            first = bisect_right(self._matches, start, key=lambda span: span[1])
            last = bisect_left(self._matches, end, key=lambda span: span[0])
            accent = self.palette().color(QPalette.ColorRole.Accent)
            for left, right in self._matches[first:last]:
                rects_of = self._boxes(block, top, max(left, start), min(right, end))
                self._wash(painter, rects_of, accent, _FOUND)
        painter.end()

    def _wash(
        self, painter: QPainter, rects_of: list[QRectF], colour: QColor, strength: float = _CURRENT
    ) -> None:
        for box in rects_of:
            outlined = is_high_contrast(self.palette())
            draw_tint(painter, box.adjusted(-2, -1, 2, 2), colour, strength, outlined=outlined)

    def _paint_paragraphs(self, area: QRect) -> None:
        """Draw what stands around the text of paragraphs: labels of lists, lines along quotations, frames of tables."""
        styles = self._layout.styles
        if type(styles) is BlockStyles:
            return
        painter = QPainter(self.viewport())
        painter.setFont(self.font())
        margin = self.document().documentMargin()
        left, width = self.contentOffset().x() + margin, self.viewport().width() - 2 * margin
        for block, top, _, _ in self._lines_in(area):
            styles.paint(painter, block, QRectF(left, top, width, self.blockBoundingRect(block).height()))
        painter.end()

    def _paint_folds(self, area: QRect) -> None:
        if not self.folding.has_marks:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        for block, top, _, _ in self._lines_in(area):
            self.folding.paint(painter, block, top)
        painter.end()

    def _paint_revisions(self, area: QRect) -> None:
        if not len(self._revisions):
            return
        painter = self._mark_painter(area)
        pens = self._pens()
        size = QFontMetricsF(self.font()).ascent()
        x = self.contentOffset().x()
        for block, top, start, end in self._lines_in(area):
            for mark in self._revisions.between(start, end):
                kind, colour = mark.revision.kind, author_colour(mark.author, pens)
                if mark.start == mark.end:
                    line, at = self._line_at(block, mark.start)
                    baseline, struck = top + line.y() + line.ascent(), kind is RevisionKind.DELETED
                    draw_revision_place(
                        painter, at, baseline=baseline, size=size, colour=colour, struck=struck
                    )
                    continue
                place = (max(mark.start, start) - block.position(), min(mark.end, end) - block.position())
                for line, left, right in line_segments(block, *place):
                    ends, baseline = (x + left, x + right), top + line.y() + line.ascent()
                    draw_revision_line(
                        painter, kind, ends, baseline=baseline, size=size, pens=pens, colour=colour
                    )
        painter.end()

    def _paint_comments(self, area: QRect) -> None:
        if not len(self._comments):
            return
        painter = self._mark_painter(area)
        pens = self._pens()
        for block, top, start, end in self._lines_in(area):
            # Answers are on the words of the comment that they answer.
            places = {(mark.start, mark.end): mark for mark in self._comments.between(start, end)}
            for mark in places.values():
                is_place = mark.start == mark.end
                for box in self._boxes_of(mark, block, top, (start, end), _HALF_BAR):
                    wide = box if is_place else box.adjusted(-1, 0, 1, 0)
                    draw_comment(painter, wide, pens, is_place=is_place)
        painter.end()

    def _line_at(self, block: QTextBlock, position: int) -> tuple[QTextLine, float]:
        """The line of a position in a block, and where the position is from left to right in the viewport."""
        line = block.layout().lineForTextPosition(position - block.position())
        return line, self.contentOffset().x() + caret_x(line, position - block.position())

    def _revision_formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        """The colours of inserted and moved words in a block."""
        if not len(self._revisions):
            return []
        begin, end = block.position(), block.position() + block.length() - 1
        pens = self._pens()
        found = []
        for mark in self._revisions.between(begin, end):
            first, last = max(mark.start, begin), min(mark.end, end)
            if first < last and mark.revision.kind in COLOURED:
                colour = QTextCharFormat()
                colour.setForeground(author_colour(mark.author, pens))
                found.append(format_range(first - begin, last - begin, colour))
        return found

    def _paint_notes(self, area: QRect) -> None:
        if not len(self._notes):
            return
        painter = self._mark_painter(area)
        cursor = self.textCursor()
        selected = self.palette().color(QPalette.ColorRole.HighlightedText)
        for block, top, start, end in self._lines_in(area):
            for place, sign in self._notes.signs(start, end):
                line, right = self._line_before(block, place)
                is_selected = cursor.selectionStart() < place <= cursor.selectionEnd()
                colour = selected if is_selected else QColor(markup_colour("link", self.palette()))
                draw_sign(painter, sign, right, top=top + line.y(), font=self.font(), colour=colour)
        painter.end()

    def _line_before(self, block: QTextBlock, position: int) -> tuple[QTextLine, float]:
        """As `_line_at`, but the line of the character before the position."""
        at = position - block.position()
        line = block.layout().lineForTextPosition(max(at - 1, 0))
        return line, self.contentOffset().x() + caret_x(line, at)

    def _note_formats(self, block: QTextBlock) -> list[QTextLayout.FormatRange]:
        """The room for the signs of notes in a block."""
        if not len(self._notes):
            return []
        begin = block.position()
        found = []
        for place, sign in self._notes.signs(begin + 1, begin + block.length() - 1):
            start, end = character_before(block.text(), place - begin)
            found.append(format_range(start, end, room_format(sign_width(sign, self.font()))))
        return found

    def _mark_painter(self, area: QRect) -> QPainter:
        """A painter for the marks of the text in an area of the viewport."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(area)
        return painter

    def _pens(self) -> Pens:
        return Pens(is_dark(self.palette()), is_high_contrast(self.palette()), self._weight)

    def _paint_misspelled(self, area: QRect) -> None:
        if not len(self._misspelled):
            return
        painter = self._mark_painter(area)
        pens = self._pens()
        size = QFontMetricsF(self.font()).ascent()
        x = self.contentOffset().x()
        for block, top, start, end in self._lines_in(area):
            for first, last in self._misspelled.between(start, end):
                if self._typing and first <= self._typing[1] and last >= self._typing[0]:
                    continue
                marks = self._shown.between(first, last)
                below = any(not isinstance(mark.finding, BiasedSentence) for mark in marks)
                place = (max(first, start) - block.position(), min(last, end) - block.position())
                for line, left, right in line_segments(block, *place):
                    ends, baseline = (x + left, x + right), top + line.y() + line.ascent()
                    draw_misspelling(painter, ends, baseline=baseline, size=size, pens=pens, below=below)
        painter.end()

    def _paint_underlines(self, area: QRect) -> None:
        if not len(self._shown):
            return
        painter = self._mark_painter(area)
        pens = self._pens()
        size = QFontMetricsF(self.font()).ascent()
        running = self._fade.state() == QVariantAnimation.State.Running
        shown = float(self._fade.currentValue()) if running else 1.0
        x = self.contentOffset().x()
        for block, top, start, end in self._lines_in(area):
            for mark in self._shown.between(start, end):
                if isinstance(mark.finding, BiasedSentence):
                    continue
                if self._typing and mark.start <= self._typing[1] and mark.end >= self._typing[0]:
                    continue
                painter.setOpacity(shown if running and mark.finding in self._fresh else 1.0)
                first, last = max(mark.start, start) - block.position(), min(mark.end, end) - block.position()
                for line, left, right in line_segments(block, first, last):
                    ends = (x + left, x + right)
                    baseline = top + line.y() + line.ascent()
                    draw_underline(painter, mark.finding.kind, ends, baseline=baseline, size=size, pens=pens)
        painter.end()

    def _visible_marks(self) -> list[tuple[int, int, Kind]]:
        """Position and kind of the visible marks."""
        return [
            (mark.start, mark.end, mark.finding.kind) for mark in self._shown.between(*self._visible_range)
        ]

    def _update_fresh(self) -> None:
        """Repaint only the marks that fade in."""
        for mark in self._shown.between(*self._visible_range):
            if mark.finding in self._fresh:
                for box in self.rects_of(mark):
                    self.viewport().update(box.adjusted(-4, -2, 4, 8).toAlignedRect())

    def _boxes(self, block: QTextBlock, top: float, start: int, end: int) -> list[QRectF]:
        x = self.contentOffset().x()
        return [
            QRectF(x + left, top + line.y(), right - left, line.height())
            for line, left, right in line_segments(block, start - block.position(), end - block.position())
        ]

    def _lines_in(self, area: QRect) -> Iterator[tuple[QTextBlock, float, int, int]]:
        """The blocks in ``area``: block, its top, and the range of its text on lines in the area."""
        block = self.firstVisibleBlock()
        top = (
            self.blockBoundingGeometry(block).translated(self.contentOffset()).top() if block.isValid() else 0
        )
        while block.isValid() and top <= area.bottom():
            if not block.isVisible():
                block = block.next()
                continue
            height = self.blockBoundingRect(block).height()
            if top + height >= area.top() and block.layout().lineCount():
                start, end = lines_between(block.layout(), area.top() - top, area.bottom() - top)
                yield block, top, block.position() + start, block.position() + end
            top += height
            block = block.next()

    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        document = self.document()
        end = position + added
        before = end > 0 and is_word_character(document.characterAt(end - 1))
        after = is_word_character(document.characterAt(position))
        steps = self._steps or (EditStep(position, removed, added, before, after),)
        for step in steps:
            # Before the layout asks for their colours and their room.
            self.folding.parts_moved(step.position, step.removed, step.added)
            self._revisions.edit(step)
            self._comments.edit(step)
            at_line_start = not step.position or document.characterAt(step.position - 1) == "\u2029"
            self._notes.edit(step, at_line_start=at_line_start)
        moves = [(step.position, step.removed, step.added) for step in self._steps]
        self._layout.begin_edit(position, removed, added, moves)
        for move in moves:
            self.folding.starts_moved(*move)
        if not moves:
            self.folding.text_edited(position, removed, added)
        for step in steps:
            for marks in (self._shown, self._all, self._misspelled):
                marks.edit(step)
            # Identified by position alone, so letters typed next to the words do not drop them.
            self._tracked.edit(replace(step, word_before=False, word_after=False))
        self._matches = ()
        if not self._loading:
            self._typing = None if self._steps else self._word_at(position + added)
            self.edited.emit()

    def _caret_moved(self) -> None:
        if self.folding.keep_caret_visible():
            return
        position = self.textCursor().position()
        if self._typing and not self._typing[0] <= position <= self._typing[1]:
            self._end_typing()
        self._emit_finding_at_caret()

    def _end_typing(self) -> None:
        if self._typing:
            near = (self._typing[0] - 1, self._typing[1] + 1)
            if self._shown.between(*near) or self._misspelled.between(*near):
                self.viewport().update()
            self._typing = None
            self._emit_finding_at_caret()

    def _emit_finding_at_caret(self) -> None:
        mark = None if self._typing else self._shown.at(self.textCursor().position())
        finding = mark.finding if mark else None
        if isinstance(finding, BiasedSentence) and finding != self._current:
            finding = None
        if finding != self._finding_at_caret:
            self._finding_at_caret = finding
            self.finding_at_caret_changed.emit(finding)

    def _word_at(self, position: int) -> tuple[int, int]:
        document, start, end = self.document(), position, position
        while start > 0 and is_word_character(document.characterAt(start - 1)):
            start -= 1
        while is_word_character(document.characterAt(end)):
            end += 1
        return start, end

    def _emit_visible_range(self) -> None:
        """Emit the visible range if it has changed."""
        lines = list(self._lines_in(self.viewport().rect()))
        if lines and self._layout.styles.update_to(lines[-1][0]):
            self.viewport().update()
            lines = list(self._lines_in(self.viewport().rect()))
        view = (lines[0][2], lines[-1][3]) if lines else (0, 0)
        if view != self._visible_range:
            self._visible_range = view
            self.visible_range_changed.emit(*view)
