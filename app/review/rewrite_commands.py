"""Commands that apply suggestions: as one undoable edit, or not at all if the sentence has changed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.analysis.analysis_worker import AnalysisController
from app.analysis.suggestion_prefetch import SentenceLocation, SuggestionPrefetch
from app.analysis.suggestions import (
    WILL_APPLY,
    DisplayedSuggestions,
    SuggestionKey,
    describe_change,
    word_changes,
)
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.marks import shift_position
from app.editor.positions import OffsetMap
from app.review.card_controller import CardController
from app.review.ignore_commands import NO_FINDING, shorten
from app.review.review_controller import ReviewController
from app.review.suggestion_rows import READ_ONLY
from core.i18n import tr
from core.text.diff import TextEdit
from core.types import Finding

SENTENCE_CHANGED = tr(
    "This sentence has changed since the analysis. Nothing was replaced; Evenhand is looking for "
    "new suggestions."
)
_NO_WORDS = tr("No words are marked in this sentence, so there are no suggestions.")
CANCELLED = tr("Cancelled: no suggestion will be applied.")


@dataclass(frozen=True, slots=True)
class _PendingSuggestion:
    """A suggestion that was chosen before it is known; ``start``: the start of the finding in UTF-16 units."""

    number: int
    key: SuggestionKey
    start: int


class RewriteCommands(QObject):
    """Applies suggestions. One that is not known yet is applied once it is, unless the text is changed, Escape is
    pressed or the person goes to another finding meanwhile.

    ``finding_replaced``: the ``Finding``, and its start in UTF-16 units of the new text. ``suggestion_applied``: the
    ``Finding``, the ``SentenceLocation`` and the ``Suggestion``. ``whole_sentence_chosen``: a ``Finding``, and whether
    its whole sentence is now reworded. ``status_message``: a text for the status bar.
    """

    finding_replaced = Signal(object, int)
    whole_sentence_chosen = Signal(object, bool)
    suggestion_applied = Signal(object, object, object)
    status_message = Signal(str)

    def __init__(
        self,
        editor: TextEditor,
        analysis: AnalysisController,
        *,
        card: CardController,
        review: ReviewController,
        prefetch: SuggestionPrefetch,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._analysis = analysis
        self._card = card
        self._review = review
        self._prefetch = prefetch
        self._awaited: _PendingSuggestion | None = None
        card.chosen.connect(self.apply)
        card.whole_sentence_requested.connect(self._set_whole_sentence)
        prefetch.updated.connect(lambda _: self._apply_if_ready())
        review.shown.connect(self._apply_if_ready)
        editor.finding_at_caret_changed.connect(self._caret_moved)
        for end in (analysis.outdated, analysis.stopped, card.dismissed):
            end.connect(self.cancel)

    def apply_at_caret(self, number: int) -> None:
        """Apply the suggestion of that number to the current finding."""
        finding = self._card.shown_finding or self._review.current_finding()
        if finding is None:
            self.status_message.emit(NO_FINDING)
        else:
            self.apply(finding, number)

    def toggle_whole_sentence_at_caret(self) -> None:
        """Suggest the whole sentence of the current finding reworded, or its own words again."""
        finding = self._card.shown_finding or self._review.current_finding()
        if finding is None:
            self.status_message.emit(NO_FINDING)
            return
        if isinstance(finding, BiasedSentence):
            self.status_message.emit(_NO_WORDS)
            return
        self._set_whole_sentence(finding, not self._prefetch.is_whole_sentence(finding))
        if self._card.shown_finding is None:
            self._card.show_now(finding)

    def apply(self, finding: Finding, number: int) -> None:
        """Apply a suggestion now or once it is known, or show why not; the text is analysed again at once."""
        self._await(None)
        suggestions = self._prefetch.get(finding)
        place = self._prefetch.locate(finding)
        mark = self._editor.marks.find(finding)
        if self._editor.isReadOnly():
            self.status_message.emit(READ_ONLY)
        elif isinstance(finding, BiasedSentence):
            self.status_message.emit(_NO_WORDS)
        elif suggestions.pending:
            if place is None or mark is None:
                self.status_message.emit(SENTENCE_CHANGED)
                return
            self._await(_PendingSuggestion(number, place.key, mark.start))
            self._card.announce_pending(finding, number)
            if self._card.shown_finding != finding:
                self._card.show_now(finding)
            self.status_message.emit(WILL_APPLY.format(number=number))
        elif not 1 <= number <= len(suggestions.items):
            none = tr("There is no suggestion {number}.").format(number=number)
            self.status_message.emit(none if suggestions.items else suggestions.note)
        elif place is not None:
            self._replace(finding, place, suggestions, number)

    def cancel(self) -> None:
        """Cancel the awaited suggestion, with a message; does nothing if none is awaited."""
        if self._awaited is not None:
            self._await(None)
            self.status_message.emit(CANCELLED)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Escape cancels the awaited suggestion unless something else handles the key."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            self.cancel()
        return False

    def _set_whole_sentence(self, finding: Finding, whole: bool) -> None:
        self._prefetch.set_whole_sentence(finding, whole)
        self.whole_sentence_chosen.emit(finding, whole)

    def _replace(
        self, finding: Finding, place: SentenceLocation, suggestions: DisplayedSuggestions, number: int
    ) -> None:
        chosen = suggestions.items[number - 1]
        positions = OffsetMap(suggestions.sentence)
        start = place.current_start
        edits = [
            TextEdit(start + positions.to_utf16(edit.start), start + positions.to_utf16(edit.end), edit.text)
            for edit in chosen.edits
        ]
        began = shift_position(start + positions.to_utf16(place.key.offset), edits)
        if not self._editor.replace(edits):
            return
        self._analysis.text_changed(immediately=True)
        summary = "; ".join(
            describe_change(shorten(old), shorten(new))
            for old, new in word_changes(suggestions.sentence, chosen.edits)
        )
        self.status_message.emit(tr("{change}. Undo reverts it.").format(change=summary))
        self.finding_replaced.emit(finding, began)
        self.suggestion_applied.emit(finding, place, chosen)

    def _await(self, awaited: _PendingSuggestion | None) -> None:
        self._awaited = awaited
        window = self._editor.window()
        if awaited is None:
            self._card.announce_pending(None)
            window.removeEventFilter(self)
        else:
            window.installEventFilter(self)

    def _apply_if_ready(self) -> None:
        """Apply the awaited suggestion if it is known and the person is still at its sentence."""
        awaited = self._awaited
        if awaited is None:
            return
        mark = self._editor.marks.at(awaited.start)
        place = self._prefetch.locate(mark.finding) if mark else None
        if (
            mark is None
            or place is None
            or place.key != awaited.key
            or self._review.selected_finding not in (None, mark.finding)
        ):
            self.cancel()
        elif self._prefetch.get(mark.finding).pending:
            self._card.announce_pending(mark.finding, awaited.number)
        else:
            self.apply(mark.finding, awaited.number)

    def _caret_moved(self, finding: Finding | None) -> None:
        mark = self._editor.marks.find(finding) if finding else None
        if mark is not None and self._awaited is not None and mark.start != self._awaited.start:
            self.cancel()
