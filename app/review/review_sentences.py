"""The stops of a review by sentence: the sentences with findings, or with some that were handled; edits move them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtGui import QTextCursor, QTextDocument

from app.analysis.analysis_worker import AnalysisResult
from app.editor.marks import Mark, Marks
from core.types import SentenceReading


@dataclass(frozen=True, slots=True)
class ReviewSentence:
    """A sentence; both cursors move with edits of the text."""

    first: QTextCursor
    last: QTextCursor

    @property
    def start(self) -> int:
        """Where it starts now, in UTF-16 units."""
        return self.first.position()

    @property
    def end(self) -> int:
        """Where it ends now, in UTF-16 units."""
        return self.last.position()


class ReviewSentences:
    """The stops in ``document``, in order."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._stops: list[ReviewSentence] = []

    def __iter__(self) -> Iterator[ReviewSentence]:
        return iter(self._stops)

    def clear(self) -> None:
        """Forget all stops."""
        self._stops = []

    def place(self, result: AnalysisResult, marks: Marks, handled: Iterable[int]) -> None:
        """Take the sentences of ``result`` that have ``marks``, and those with a place in ``handled``.

        The places count in the present text; they are looked up in the analysed one, so that they may only be given
        where both are the same.
        """
        report, positions = result.report, result.positions
        if report is None or positions is None:
            self.clear()
            return
        sentences = report.sentences

        def sentence_of(mark: Mark) -> int:
            index = _index_at(sentences, mark.finding.start)
            return index if index >= 0 else -1 - mark.start

        spans: dict[int, tuple[int, int]] = {}
        for index, group in groupby(marks, sentence_of):
            some = list(group)
            start, end = some[0].start, some[-1].end
            if index >= 0:
                sentence, last = sentences[index], some[-1].finding
                start -= positions.to_utf16(some[0].finding.start) - positions.to_utf16(sentence.start)
                end += max(0, positions.to_utf16(sentence.end) - positions.to_utf16(last.end))
            spans[start] = (start, end)
        for place in handled:
            index = _index_at(sentences, positions.to_code_point(place))
            if index >= 0:
                start, end = (positions.to_utf16(at) for at in (sentences[index].start, sentences[index].end))
                spans.setdefault(start, (start, end))
        self._stops = [self._make(*span) for span in sorted(spans.values())]

    def at(self, position: int) -> ReviewSentence | None:
        """The stop that holds a position, its edges included; between two that touch, the second one."""
        index = bisect_right(self._stops, position, key=lambda stop: stop.start) - 1
        return self._stops[index] if index >= 0 and position <= self._stops[index].end else None

    def _make(self, start: int, end: int) -> ReviewSentence:
        length = self._document.characterCount() - 1
        first, last = QTextCursor(self._document), QTextCursor(self._document)
        first.setPosition(max(0, min(start, length)))
        last.setPosition(max(0, min(end, length)))
        first.setKeepPositionOnInsert(True)
        return ReviewSentence(first, last)


def _index_at(sentences: Sequence[SentenceReading], point: int) -> int:
    """The index of the sentence that holds a code point, its end included; -1 if none does."""
    index = bisect_right(sentences, point, key=lambda sentence: sentence.start) - 1
    return index if index >= 0 and point <= sentences[index].end else -1
