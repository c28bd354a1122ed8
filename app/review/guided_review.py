"""Review all: from one finding to the next by keyboard, with a summary at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor

from app.analysis.suggestion_prefetch import SuggestionPrefetch
from app.editor.editor import TextEditor
from app.editor.marks import Mark
from app.editor.undo_history import Step
from app.review.card_controller import CardController
from app.review.ignore_commands import IgnoreCommands
from app.review.review_bar import ReviewBar
from app.review.review_controller import ReviewController
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
    """

    status_message = Signal(str)

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
        self.active = False
        bar.pressed.connect(self._button_pressed)
        rewrite.finding_replaced.connect(
            lambda finding, place: self._finding_handled("changed", finding, [place])
        )
        ignore.ignored.connect(lambda finding, places: self._finding_handled("ignored", finding, places))
        tags.inserted.connect(self._tag_inserted)
        card.dismissed.connect(self.stop)
        prefetch.updated.connect(lambda _: self._show_place())
        review.shown.connect(self._show_place)
        editor.installEventFilter(self)

    def start(self) -> None:
        """Start at the first finding of the draft."""
        self._handled = []
        if not len(self._editor.marks):
            self._close()
            self.status_message.emit(NOTHING)
            return
        self.active = True
        self._visit(self._editor.marks[0])

    def next(self) -> None:
        """Go to the next finding; after the last one the review ends."""
        here, marks = self._current_mark(), self._editor.marks
        caret = self._editor.textCursor().selectionStart()
        self._go(marks.after(here.start) if here else marks.after(caret - 1))

    def previous(self) -> None:
        """Go to the previous finding; does nothing at the first one."""
        here = self._current_mark()
        position = here.start if here else self._editor.textCursor().selectionStart()
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
                self._ignore.here(name)
            case "close":
                self._card.hide()
                self.stop()
                self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
            case number:
                self._rewrite.apply_here(int(number))

    def _finding_handled(self, how: str, finding: Finding, places: Sequence[int]) -> None:
        """Go on after a finding was handled; ``places`` are the starts of all that disappeared, its own first.

        Without a review this is done where *Next finding* led to it and the caret still stands there.
        """
        marks = self._editor.marks
        following = marks.after(places[0] - 1)
        if following is not None and following.finding == finding:
            following = marks.after(places[0])
        if self.active:
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

    def _current_mark(self) -> Mark | None:
        current = self._editor.current
        return self._editor.marks.find(current) if current else None

    def _go(self, mark: Mark | None) -> None:
        if mark is not None:
            self._visit(mark)
            return
        self.active = False
        self._rewrite.cancel()
        self._card.hide()
        self._bar.show_end(self._summary())

    def _visit(self, mark: Mark) -> None:
        self._review.go_to_mark(mark)
        self._show_place()

    def _close(self) -> None:
        self.active = False
        self._bar.hide()

    def _show_place(self) -> None:
        if not self.active:
            if not self._bar.isHidden():
                self._bar.show_end(self._summary())
            return
        here = self._current_mark()
        position = here.start if here else self._editor.textCursor().position()
        marks = self._editor.marks
        settled = [cursor.position() for handled in self._present() for cursor in handled.places]
        before = sum(mark.start < position for mark in marks) + sum(place < position for place in settled)
        total = len(marks) + len(settled)
        if here:
            place = tr("{number:,} of {total:,}").format(number=min(before + 1, total), total=total)
        else:
            place = ntr("{total:,} finding", "{total:,} findings", total).format(total=total)
        wordings = len(self._prefetch.get(here.finding).items) if here else 0
        self._bar.show_place(
            place, self._progress_text(), wordings=wordings if not self._editor.isReadOnly() else 0
        )

    def _present(self) -> list[_Handled]:
        """What was handled and not undone since."""
        return [handled for handled in self._handled if handled.step is None or handled.step.done]

    def _counts(self) -> dict[str, int]:
        """The number of findings that are handled, by how."""
        present = self._present()
        return {how: sum(len(one.places) for one in present if one.how == how) for how in _HOW}

    def _progress_text(self) -> str:
        return ", ".join(_HOW[how].format(count=count) for how, count in self._counts().items() if count)

    def _summary(self) -> str:
        text = tr("Review: {changed:,} changed, {ignored:,} ignored, {left:,} left.")
        return text.format(**self._counts(), left=len(self._editor.marks))
