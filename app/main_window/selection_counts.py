"""Words and sentences of the selection, for the status bar; counted a moment after the selection has changed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import attrgetter

from PySide6.QtCore import QObject, QTimer, Signal

from app.analysis.analysis_worker import AnalysisResult
from app.editor.editor import TextEditor
from core.documents.prose_view import view_prose
from core.documents.types import Document

_PAUSE_MS = 60
_START, _END = attrgetter("start"), attrgetter("end")


@dataclass(frozen=True, slots=True)
class SelectedCounts:
    """The words in a selection, and the sentences that it touches; None before they are known."""

    words: int
    sentences: int | None = None


def count_selected(document: Document, start: int, end: int) -> SelectedCounts:
    """The words and sentences of ``document.source[start:end]``; markup is not counted."""
    words = len(view_prose(document.source, start, end, non_prose=document.non_prose).text.split())
    first = bisect_right(document.sentences, start, key=_END)
    return SelectedCounts(words, bisect_left(document.sentences, end, key=_START) - first)


class SelectionCounts(QObject):
    """Counts the selection of ``editor``. ``changed``: ``selected`` is another."""

    changed = Signal()

    def __init__(self, editor: TextEditor) -> None:
        super().__init__(editor)
        self.selected: SelectedCounts | None = None
        self._editor = editor
        self._result: AnalysisResult | None = None
        self._revision = -1
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._count)
        editor.selectionChanged.connect(self._selection_changed)

    def set_result(self, result: AnalysisResult | None) -> None:
        """Set the analysis of the present text, which tells what is prose; None if there is none."""
        self._result, self._revision = result, self._editor.document().revision()
        if self._editor.textCursor().hasSelection():
            self._timer.start()

    def _selection_changed(self) -> None:
        if not self._editor.textCursor().hasSelection():
            self._timer.stop()
            self._show(None)
        elif not self._timer.isActive():
            # Not started again: the counts follow while the mouse is dragged.
            self._timer.start()

    def _count(self) -> None:
        cursor, result = self._editor.textCursor(), self._result
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        if start == end:
            self._show(None)
        elif (
            result is not None
            and result.document is not None
            and result.positions is not None
            and self._revision == self._editor.document().revision()
        ):
            points = result.positions
            self._show(
                count_selected(result.document, points.to_code_point(start), points.to_code_point(end))
            )
        else:
            self._show(SelectedCounts(len(self._editor.text_between(start, end).split())))

    def _show(self, selected: SelectedCounts | None) -> None:
        if selected != self.selected:
            self.selected = selected
            self.changed.emit()
