"""Review all: from one finding or sentence to the next by keyboard, with a summary at the end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor

from app.analysis.suggestion_prefetch import SuggestionPrefetch
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.marks import Mark
from app.editor.undo_history import Step
from app.review.card_controller import CardController
from app.review.ignore_commands import IgnoreCommands
from app.review.review_bar import ReviewBar
from app.review.review_controller import ReviewController
from app.review.review_sentences import ReviewSentence, ReviewSentences
from app.review.rewrite_commands import RewriteCommands
from app.review.tag_commands import TagCommands
from core.i18n import ntr, tr
from core.types import Finding

_HOW = {"changed": tr("{count:,} changed"), "ignored": tr("{count:,} ignored")}
NOTHING = tr("There is nothing to review: the draft has no findings.")


@dataclass(frozen=True, slots=True)
class _Handled:
    """Findings that were handled at once, ``how`` being one of ``_HOW``: their places, and the step that undoes it."""

    how: str
    places: tuple[QTextCursor, ...]
    step: Step | None


class GuidedReview(QObject):
    """Leads through the findings of the draft, first to last. ``status_message``: a text for the status bar.

    Applying a suggestion or ignoring a finding moves on to the next one; Escape ends the review. After typing it
    continues from the caret. What is undone does not count as handled.

    With ``by_sentence`` it goes from sentence to sentence. Each is reworded as a whole, at all its findings, or its
    findings are gone through one by one, and it counts sentences. ``mode_switched``: the other way of going is wanted.
    """

    status_message = Signal(str)
    mode_switched = Signal()

    def __init__(
        self,
        editor: TextEditor,
        bar: ReviewBar,
        *,
        card: CardController,
        review: ReviewController,
        rewrite: RewriteCommands,
        ignore: IgnoreCommands,
        tags: TagCommands,
        prefetch: SuggestionPrefetch,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._bar = bar
        self._card = card
        self._review = review
        self._rewrite = rewrite
        self._ignore = ignore
        self._prefetch = prefetch
        self._handled: list[_Handled] = []
        self._by_sentence = False
        self._stops = ReviewSentences(editor.document())
        self._stop: ReviewSentence | None = None
        self._one_by_one = False
        self.active = False
        bar.pressed.connect(self._button_pressed)
        rewrite.finding_replaced.connect(
            lambda finding, place: self._finding_handled("changed", finding, [place])
        )
        ignore.ignored.connect(lambda finding, places: self._finding_handled("ignored", finding, places))
        rewrite.whole_sentence_chosen.connect(self._whole_sentence_chosen)
        tags.inserted.connect(self._tag_inserted)
        card.dismissed.connect(self.stop)
        prefetch.updated.connect(lambda _: self._show_place())
        review.shown.connect(self._analysis_shown)
        editor.installEventFilter(self)

    @property
    def by_sentence(self) -> bool:
        """Whether the review goes from sentence to sentence."""
        return self._by_sentence

    @by_sentence.setter
    def by_sentence(self, wanted: bool) -> None:
        if wanted == self._by_sentence:
            return
        self._leave_sentence()
        self._by_sentence = wanted
        self._find_stops()
        if self.active:
            here = self._current_mark() or self._editor.marks.after(self._editor.textCursor().position() - 1)
            if here is not None:
                self._visit(here)
        self._show_place()

    def start(self) -> None:
        """Start at the first finding of the draft, or at the first sentence that has one."""
        self._handled = []
        self._leave_sentence()
        if not len(self._editor.marks):
            self._close()
            self.status_message.emit(NOTHING)
            return
        self.active = True
        self._find_stops()
        self._show_place()  # The bar moves the text down, and the card stands beside its words.
        self._visit(self._editor.marks[0])

    def next(self) -> None:
        """Go to the next finding or sentence; after the last one the review ends."""
        here, marks = self._current_mark(), self._editor.marks
        caret = self._editor.textCursor().selectionStart()
        if here and self._at_sentence and self._stop is not None:
            self._go(marks.after(max(here.start, self._stop.end - 1)))
        else:
            self._go(marks.after(here.start) if here else marks.after(caret - 1))

    def previous(self) -> None:
        """Go to the previous finding or sentence; does nothing at the first one."""
        here = self._current_mark()
        position = here.start if here else self._editor.textCursor().selectionStart()
        if here and self._at_sentence and self._stop is not None:
            position = min(position, self._stop.start)
        if (mark := self._editor.marks.before(position)) is not None:
            self._visit(mark)

    def stop(self) -> None:
        """End the review with a summary; a pending suggestion is not applied."""
        self._rewrite.cancel()
        if self.active or not self._bar.isHidden():
            if self.active:
                self.status_message.emit(self._summary())
            self._close()

    def reset(self) -> None:
        """End the review without a summary: another draft is open."""
        self._handled = []
        self._close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape in the text ends the review."""
        escape = (
            watched is self._editor
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        )
        if escape and not self._bar.isHidden():
            self._card.hide()
            self.stop()
            return True
        return False

    def _button_pressed(self, name: str) -> None:
        match name:
            case "previous":
                self.previous()
            case "next":
                self.next()
            case "once" | "words" | "always":
                self._ignore.ignore_at_caret(name)
            case "by_sentence":
                self.mode_switched.emit()
            case "close":
                self._card.hide()
                self.stop()
                self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
            case number:
                self._rewrite.apply_at_caret(int(number))

    def _finding_handled(self, how: str, finding: Finding, places: Sequence[int]) -> None:
        """Go on after a finding was handled; ``places`` are the starts of all that disappeared, its own first.

        Without a review this is done where *Next finding* led to it and the caret still stands there.
        """
        marks = self._editor.marks
        following = marks.after(places[0] - 1)
        if following is not None and following.finding == finding:
            following = marks.after(places[0])
        if self.active:
            if how == "changed" and self._stop is not None and self._is_of_stop(finding, places[0]):
                following = marks.after(max(places[0], self._stop.end - 1))
            cursors = tuple(QTextCursor(self._editor.document()) for _ in places)
            for cursor, place in zip(cursors, places, strict=True):
                cursor.setPosition(place)
            self._handled.append(_Handled(how, cursors, self._editor.history.last))
            self._go(following)
        elif (
            following is not None
            and self._review.was_stepped_to(finding)
            and self._editor.textCursor().position() == places[0]
        ):
            self._review.step_to(following)

    def _tag_inserted(self, finding: Finding) -> None:
        """Go on after a tag was inserted; the finding stays and is not handled."""
        if self.active:
            self.next()
        elif self._review.was_stepped_to(finding):
            self._review.next()

    def _is_of_stop(self, finding: Finding, place: int) -> bool:
        """Whether a finding with a place in the text has the card of the sentence that the review is at."""
        first = next((one.fingerprint for one in self._card.sentence), "")
        return finding.fingerprint == first and self._stops.at(place) == self._stop

    @property
    def _at_sentence(self) -> bool:
        """Whether the stop is a whole sentence."""
        return self._by_sentence and not self._one_by_one

    def _whole_sentence_chosen(self, finding: Finding, whole: bool) -> None:
        """In a review by sentence, go through the findings of a sentence one by one, or reword it as a whole."""
        mark = self._editor.marks.find(finding)
        if self.active and self._by_sentence and mark is not None:
            self._stop = self._stops.at(mark.start)
            self._one_by_one = not whole
            self._visit(mark)

    def _find_stops(self) -> None:
        """Find the sentences that the review goes through."""
        result = self._review.result
        if not self._by_sentence or result is None:
            self._stops.clear()
            return
        places = [cursor.position() for one in self._handled for cursor in one.places]
        self._stops.place(result, self._editor.marks, places)

    def _analysis_shown(self) -> None:
        """Find the sentences again after an analysis; the sentence of the stop may have other findings now."""
        if self._by_sentence and not self._bar.isHidden():
            self._find_stops()
            here = self._current_mark()
            position = here.start if here else self._editor.textCursor().selectionStart()
            self._stop = self._stops.at(position)
            if self.active and here is not None and self._card.sentence:
                first = self._enter(here).finding
                self._editor.set_current(first)
                if self._card.shown_finding is not None:
                    self._card.show_now(first)
        self._show_place()

    def _enter(self, mark: Mark) -> Mark:
        """The mark to go to in order to visit ``mark``: that of the first finding of its sentence, whose card is that
        of the sentence, unless its findings are gone through one by one.
        """
        stop = self._stops.at(mark.start)
        if stop is None:  # The finding was not shown when the sentences were found.
            self._find_stops()
            stop = self._stops.at(mark.start)
        if stop is None or stop != self._stop:
            self._one_by_one = False
        self._stop = stop
        within = self._editor.marks.between(stop.start, stop.end) if stop else []
        if self._one_by_one or not within or isinstance(mark.finding, BiasedSentence):
            self._card.sentence = ()
            self._prefetch.set_whole_sentences([])
            return mark
        self._card.sentence = tuple(one.finding for one in within)
        following = self._editor.marks.after(max(mark.start, stop.end - 1)) if stop else None
        ahead = [following.finding] if following is not None else []
        self._prefetch.set_whole_sentences([within[0].finding, *ahead])
        return within[0]

    def _leave_sentence(self) -> None:
        if self._by_sentence:
            self._prefetch.set_whole_sentences([])
        self._card.sentence = ()
        self._stop, self._one_by_one = None, False

    def _current_mark(self) -> Mark | None:
        current = self._editor.current
        return self._editor.marks.find(current) if current else None

    def _go(self, mark: Mark | None) -> None:
        if mark is not None:
            self._visit(mark)
            return
        self.active = False
        self._leave_sentence()
        self._rewrite.cancel()
        self._card.hide()
        self._bar.show_end(self._summary())

    def _visit(self, mark: Mark) -> None:
        self._review.go_to_mark(self._enter(mark) if self._by_sentence else mark)
        self._show_place()

    def _close(self) -> None:
        self.active = False
        self._leave_sentence()
        self._stops.clear()
        self._bar.hide()

    def _show_place(self) -> None:
        if not self.active:
            if not self._bar.isHidden():
                self._bar.show_end(self._summary())
            return
        here = self._current_mark()
        suggestions = len(self._prefetch.get(here.finding).items) if here else 0
        self._bar.show_place(
            self._sentence_place(here) if self._by_sentence else self._finding_place(here),
            self._progress_text(),
            suggestions=suggestions if not self._editor.isReadOnly() else 0,
            by_sentence=self._by_sentence,
            whole_sentence=bool(self._card.sentence),
        )

    def _finding_place(self, here: Mark | None) -> str:
        """Which of all findings the current one is."""
        position = here.start if here else self._editor.textCursor().position()
        marks = self._editor.marks
        settled = [cursor.position() for handled in self._present() for cursor in handled.places]
        before = sum(mark.start < position for mark in marks) + sum(place < position for place in settled)
        total = len(marks) + len(settled)
        if here:
            return tr("{number:,} of {total:,}").format(number=min(before + 1, total), total=total)
        return ntr("{total:,} finding", "{total:,} findings", total).format(total=total)

    def _sentence_place(self, here: Mark | None) -> str:
        """Which of all sentences the current one is, and which of its findings if they are gone through one by one."""
        states = self._sentences()
        total = len(states)
        stop = self._stops.at(here.start) if here else None
        if here is None or stop is None:
            return ntr("{total:,} sentence", "{total:,} sentences", total).format(total=total)
        number = 1 + sum(start < stop.start for start, _ in states)
        place = tr("Sentence {number:,} of {total:,}").format(number=min(number, total), total=total)
        if not self._one_by_one:
            return place
        within = self._editor.marks.between(stop.start, stop.end)
        number = 1 + sum(mark.start < here.start for mark in within)
        text = tr("{sentence}, finding {number:,} of {total:,}")
        return text.format(sentence=place, number=number, total=max(number, len(within)))

    def _sentences(self) -> list[tuple[int, str]]:
        """The sentences that count: the start of each, and how it was handled; empty if it was not."""
        how_at = sorted((cursor.position(), one.how) for one in self._present() for cursor in one.places)
        found = []
        for stop in self._stops:
            first = bisect_left(how_at, (stop.start, ""))
            hows = {how for _, how in how_at[first : bisect_right(how_at, (stop.end, "~"))]}
            how = next((one for one in _HOW if one in hows), "")
            if how or self._editor.marks.between(stop.start, stop.end):
                found.append((stop.start, how))
        return found

    def _present(self) -> list[_Handled]:
        """What was handled and not undone since."""
        return [handled for handled in self._handled if handled.step is None or handled.step.done]

    def _counts(self) -> dict[str, int]:
        """The number of findings or sentences that are handled, by how."""
        if self._by_sentence:
            hows = [how for _, how in self._sentences()]
            return {how: hows.count(how) for how in _HOW}
        present = self._present()
        return {how: sum(len(one.places) for one in present if one.how == how) for how in _HOW}

    def _progress_text(self) -> str:
        return ", ".join(_HOW[how].format(count=count) for how, count in self._counts().items() if count)

    def _summary(self) -> str:
        if self._by_sentence:
            marks = self._editor.marks
            left = sum(bool(marks.between(stop.start, stop.end)) for stop in self._stops)
            text = tr("Review by sentence: {changed:,} changed, {ignored:,} ignored, {left:,} left.")
            return text.format(**self._counts(), left=left)
        text = tr("Review: {changed:,} changed, {ignored:,} ignored, {left:,} left.")
        return text.format(**self._counts(), left=len(self._editor.marks))
