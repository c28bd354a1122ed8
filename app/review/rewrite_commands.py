"""Using a wording: what was shown is put in place of what was read, as one step, or nothing is changed."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent

from app.analysis.analysis_worker import AnalysisController
from app.analysis.suggestion_prefetch import SentenceLocation, SuggestionPrefetch
from app.analysis.suggestions import WILL_APPLY, DisplayedSuggestions, Key, describe_change, word_changes
from app.editor.editor import TextEditor
from app.editor.marks import shift_position
from app.editor.positions import OffsetMap
from app.review.card_controller import CardController
from app.review.ignore_commands import NO_FINDING, short
from app.review.review_controller import ReviewController
from app.review.suggestion_rows import READ_ONLY
from core.i18n import tr
from core.text.diff import TextEdit
from core.types import Finding

CHANGED = tr(
    "This sentence was changed since it was read. Nothing was replaced; new wordings are being looked for."
)
OFF = tr("Called off: no wording will be put in.")


@dataclass(frozen=True, slots=True)
class _Awaited:
    """A wording that was chosen before it was found: its number, what it depends on, where its words begin (UTF-16)."""

    number: int
    key: Key
    start: int


class RewriteCommands(QObject):
    """Applies wordings, from the keys and from the card. One that is still looked for is put in when it is found,
    unless the text is changed, Escape is pressed or the person goes to another finding meanwhile.

    ``applied``: the ``Finding``, and where it began in UTF-16 units of the text as it is then. ``used``: the
    ``Finding``, the ``SentenceLocation`` of its sentence, and the ``Suggestion``. ``status_message``: a passing message.
    """

    applied = Signal(object, int)
    used = Signal(object, object, object)
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
        self._awaited: _Awaited | None = None
        card.chosen.connect(self.apply)
        prefetch.updated.connect(lambda _: self._look())
        review.shown.connect(self._look)
        editor.finding_at_caret_changed.connect(self._caret_on)
        for end in (analysis.outdated, analysis.stopped, card.dismissed):
            end.connect(self.forget)

    def apply_here(self, number: int) -> None:
        """Use the wording of that number at the finding that a person is at."""
        finding = self._card.shown_finding or self._review.current_finding()
        if finding is None:
            self.status_message.emit(NO_FINDING)
        else:
            self.apply(finding, number)

    def apply(self, finding: Finding, number: int) -> None:
        """Use a wording of a finding, now or when it is found, or say why not; the sentence is read again at once."""
        self._await(None)
        wordings = self._prefetch.get(finding)
        place = self._prefetch.locate(finding)
        mark = self._editor.marks.find(finding)
        if self._editor.isReadOnly():
            self.status_message.emit(READ_ONLY)
        elif wordings.pending and (place is None or mark is None):
            self.status_message.emit(CHANGED)
        elif wordings.pending:
            self._await(_Awaited(number, place.key, mark.start))
            self._card.announce_pending(finding, number)
            if self._card.shown_finding != finding:
                self._card.show_now(finding)
            self.status_message.emit(WILL_APPLY.format(number=number))
        elif not 1 <= number <= len(wordings.items):
            none = tr("There is no wording {number}.").format(number=number)
            self.status_message.emit(none if wordings.items else wordings.note)
        elif place is not None:
            self._replace(finding, place, wordings, number)

    def forget(self) -> None:
        """Put in nothing that is still looked for, and say so; nothing happens where nothing is awaited."""
        if self._awaited is not None:
            self._await(None)
            self.status_message.emit(OFF)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Escape that nothing else in the window has taken calls off what is awaited."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        ):
            self.forget()
        return False

    def _replace(
        self, finding: Finding, place: SentenceLocation, wordings: DisplayedSuggestions, number: int
    ) -> None:
        chosen = wordings.items[number - 1]
        positions = OffsetMap(wordings.sentence)
        start = place.current_start
        edits = [
            TextEdit(start + positions.to_utf16(edit.start), start + positions.to_utf16(edit.end), edit.text)
            for edit in chosen.edits
        ]
        began = shift_position(start + positions.to_utf16(place.key.offset), edits)
        if not self._editor.replace(edits):
            return
        self._analysis.text_changed(immediately=True)
        done = "; ".join(
            describe_change(short(old), short(new))
            for old, new in word_changes(wordings.sentence, chosen.edits)
        )
        self.status_message.emit(tr("{change}. Undo takes it back.").format(change=done))
        self.applied.emit(finding, began)
        self.used.emit(finding, place, chosen)

    def _await(self, awaited: _Awaited | None) -> None:
        self._awaited = awaited
        window = self._editor.window()
        if awaited is None:
            self._card.announce_pending(None)
            window.removeEventFilter(self)
        else:
            window.installEventFilter(self)

    def _look(self) -> None:
        """Use what is awaited if it is found by now, and its sentence and the person are still there."""
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
            self.forget()
        elif self._prefetch.get(mark.finding).pending:
            self._card.announce_pending(mark.finding, awaited.number)
        else:
            self.apply(mark.finding, awaited.number)

    def _caret_on(self, finding: Finding | None) -> None:
        mark = self._editor.marks.find(finding) if finding else None
        if mark is not None and self._awaited is not None and mark.start != self._awaited.start:
            self.forget()
