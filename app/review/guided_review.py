"""Review all: from finding to finding by key, each changed, passed over or left, and a line of what was done."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor

from app.analysis.suggestion_prefetch import Suggesting
from app.editor.editor import TextPane
from app.editor.marks import Mark
from app.review.card_controller import CardHost
from app.review.ignore_commands import Ignoring
from app.review.review_bar import ReviewBar
from app.review.review_controller import Review
from app.review.rewrite_commands import Rewording
from core.i18n import ntr, tr
from core.types import Finding

NOTHING = tr("There is nothing to review: no finding is marked.")


class Reviewing(QObject):
    """One walk through the draft at a time, from the first finding to the last. ``told``: a passing message.

    While it goes on, a wording that is used and a finding that is passed over lead to the next finding, and
    Escape ends it. Typing is no hindrance: the walk goes on from the caret.
    """

    told = Signal(str)

    def __init__(
        self,
        pane: TextPane,
        bar: ReviewBar,
        *,
        cards: CardHost,
        review: Review,
        rewording: Rewording,
        ignoring: Ignoring,
        suggesting: Suggesting,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._bar = bar
        self._cards = cards
        self._review = review
        self._rewording = rewording
        self._ignoring = ignoring
        self._suggesting = suggesting
        self._done: dict[str, list[QTextCursor]] = {}
        self.active = False
        bar.pressed.connect(self._pressed)
        rewording.applied.connect(lambda finding, place: self._settled("changed", finding, [place]))
        ignoring.passed.connect(lambda finding, places: self._settled("ignored", finding, places))
        cards.dismissed.connect(self.stop)
        suggesting.known.connect(lambda _: self._show_place())
        review.shown.connect(self._show_place)
        pane.installEventFilter(self)

    def start(self) -> None:
        """Go to the first finding of the draft."""
        self._done = {"changed": [], "ignored": []}
        if not len(self._pane.marks):
            self._close()
            self.told.emit(NOTHING)
            return
        self.active = True
        self._visit(self._pane.marks[0])

    def next(self) -> None:
        """Go on; after the last finding the review ends."""
        here, marks = self._here(), self._pane.marks
        caret = self._pane.textCursor().selectionStart()
        self._go(marks.after(here.start) if here else marks.after(caret - 1))

    def previous(self) -> None:
        """Go back; before the first finding there is nothing."""
        here = self._here()
        position = here.start if here else self._pane.textCursor().selectionStart()
        if (mark := self._pane.marks.before(position)) is not None:
            self._visit(mark)

    def stop(self) -> None:
        """End the review and say what was done; a wording that is still looked for is not put in."""
        self._rewording.forget()
        if self.active or not self._bar.isHidden():
            if self.active:
                self.told.emit(self._summary())
            self._close()

    def forget(self) -> None:
        """Another draft is there: no review any more."""
        self._done = {}
        self._close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape in the text ends the review."""
        escape = (
            watched is self._pane
            and event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
        )
        if escape and not self._bar.isHidden():
            self._cards.hide()
            self.stop()
            return True
        return False

    def _pressed(self, name: str) -> None:
        match name:
            case "previous":
                self.previous()
            case "next":
                self.next()
            case "once" | "words" | "always":
                self._ignoring.here(name)
            case "close":
                self._cards.hide()
                self.stop()
                self._pane.setFocus(Qt.FocusReason.OtherFocusReason)
            case number:
                self._rewording.apply_here(int(number))

    def _settled(self, how: str, finding: Finding, places: Sequence[int]) -> None:
        """Go on from a finding that is dealt with, the first of ``places``; at the others there were more of them."""
        if self.active:
            for place in places:
                cursor = QTextCursor(self._pane.document())
                cursor.setPosition(place)
                self._done[how].append(cursor)
            place = places[0]
            mark = self._pane.marks.after(place - 1)
            self._go(self._pane.marks.after(place) if mark and mark.finding == finding else mark)

    def _here(self) -> Mark | None:
        current = self._pane.current
        return self._pane.marks.find(current) if current else None

    def _go(self, mark: Mark | None) -> None:
        if mark is not None:
            self._visit(mark)
            return
        self.active = False
        self._rewording.forget()
        self._cards.hide()
        self._bar.show_end(self._summary())

    def _visit(self, mark: Mark) -> None:
        self._review.visit(mark)
        self._show_place()

    def _close(self) -> None:
        self.active = False
        self._bar.hide()

    def _show_place(self) -> None:
        if not self.active:
            return
        here = self._here()
        position = here.start if here else self._pane.textCursor().position()
        marks = self._pane.marks
        settled = [cursor.position() for cursors in self._done.values() for cursor in cursors]
        before = sum(mark.start < position for mark in marks) + sum(place < position for place in settled)
        total = len(marks) + len(settled)
        if here:
            place = tr("{number:,} of {total:,}").format(number=min(before + 1, total), total=total)
        else:
            place = ntr("{total:,} finding", "{total:,} findings", total).format(total=total)
        wordings = len(self._suggesting.of(here.finding).items) if here else 0
        self._bar.show_place(place, self._so_far(), wordings=wordings if not self._pane.isReadOnly() else 0)

    def _so_far(self) -> str:
        said = {"changed": tr("{count:,} changed"), "ignored": tr("{count:,} ignored")}
        return ", ".join(said[how].format(count=len(done)) for how, done in self._done.items() if done)

    def _summary(self) -> str:
        changed, ignored = (len(self._done[how]) for how in ("changed", "ignored"))
        said = tr("Review: {changed:,} changed, {ignored:,} ignored, {left:,} left.")
        return said.format(changed=changed, ignored=ignored, left=len(self._pane.marks))
