"""Shows the card when the mouse or the caret rests on a finding, and hides it on typing, scrolling or Escape."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.analysis.explanations import explain, lexicon
from app.analysis.suggestion_prefetch import SuggestionPrefetch
from app.analysis.suggestions import DisplayedSuggestions, can_reword, pending_for
from app.annotations.shown_comments import describe_comment
from app.editor.editor import TextEditor
from app.review.tag_commands import TagCommands
from app.widgets.links import open_web_address
from core.types import Finding

if TYPE_CHECKING:
    from app.review.card import FindingCard

SHOW_DELAY_MS = 350
_HIDE_DELAY_MS = 250


class CardController(QObject):
    """Shows one card over ``within`` at findings of ``editor``.

    ``term_dependent``: the findings that depend on their term. ``chosen``: a ``Finding`` and the number of the
    suggestion to apply; ``whole_sentence_requested``: a ``Finding``, and whether to reword its whole sentence;
    ``ignored``: a ``Finding`` and the scope in which to ignore it; ``rule_off_requested``: a ``Finding`` whose rule is
    not wanted. ``dismissed``: the card was closed by the person. ``tags`` inserts the tags that fit a finding.
    ``sentence``: the findings of a sentence whose first one has the card of the sentence; empty if there is none.
    ``answers``: what was answered to findings, in sentences, by their fingerprints; without answers, the comments on
    the words are shown.
    """

    chosen = Signal(object, int)
    whole_sentence_requested = Signal(object, bool)
    ignored = Signal(object, str)
    rule_off_requested = Signal(object)
    dismissed = Signal()

    def __init__(
        self, editor: TextEditor, within: QWidget, prefetch: SuggestionPrefetch, tags: TagCommands
    ) -> None:
        super().__init__(editor)
        self._prefetch = prefetch
        self._tags = tags
        prefetch.updated.connect(lambda _: self._refresh_suggestions())
        self._editor = editor
        self._within = within
        self._card: FindingCard | None = None
        self._next_finding: Finding | None = None
        self.term_dependent: Collection[Finding] = frozenset()
        self.sentence: tuple[Finding, ...] = ()
        self.answers: Mapping[str, Sequence[str]] = {}
        self._dismissed_fingerprint = ""
        self._pending: tuple[Finding | None, int] = (None, 0)
        self._by_mouse = False
        self._show_timer = self._timer(SHOW_DELAY_MS, self._show_next)
        self._hide_timer = self._timer(_HIDE_DELAY_MS, self._hide_unless_used)
        self._place_timer = self._timer(0, self._scrolled)
        editor.finding_hovered.connect(self._mouse_moved)
        editor.finding_at_caret_changed.connect(self._caret_moved)
        editor.edited.connect(self.hide)
        editor.visible_range_changed.connect(self._scrolled)
        editor.installEventFilter(self)

    @property
    def shown_finding(self) -> Finding | None:
        """The finding on the visible card, or None."""
        return self._card.finding if self._card is not None and self._card.isVisible() else None

    @property
    def shows_sentence(self) -> bool:
        """Whether the visible card is that of a sentence."""
        return bool(self._sentence_of(self.shown_finding))

    def show_now(self, finding: Finding) -> None:
        """Show the card of a finding at once, if its words are visible."""
        self._show_timer.stop()
        self._hide_timer.stop()
        mark = self._editor.marks.find(finding)
        boxes = self._editor.rects_of(mark) if mark else []
        if mark is None or not boxes:
            self.hide()
            return
        box = boxes[0].toAlignedRect()
        left = box.left()
        for other in boxes[1:]:
            box = box.united(other.toAlignedRect())
        box.setLeft(left)
        anchor = QRect(self._editor.viewport().mapTo(self._within, box.topLeft()), box.size())
        explanation = explain(finding, lexicon())
        sentence = self._sentence_of(finding)
        links = dict(link for one in sentence for link in explain(one, lexicon()).links)
        suggestions = self._suggestions_for(finding)
        answers = [line for one in sentence or [finding] for line in self.answers.get(one.fingerprint, ())]
        if not answers and not sentence:
            comments = self._editor.comments.between(mark.start, mark.end)
            answers = [describe_comment(one.comment) for one in comments]
        self._get_card().show_for(
            finding,
            explanation.reasons,
            answers=answers,
            kind_text=explanation.kind,
            links=list(links.items()) if sentence else explanation.links,
            suggestions=suggestions,
            tags=self._tags.tags(finding),
            comment=self._tags.comment(finding),
            whole=self._prefetch.is_whole_sentence(finding),
            rewordable=self._is_rewordable(finding, suggestions),
            advice=explanation.advice,
            sentence=sentence,
            term_dependent=finding in self.term_dependent,
            editable=not self._editor.isReadOnly(),
            anchor=anchor,
            room=self._room(),
            within=self._within,
        )

    def announce_pending(self, finding: Finding | None, number: int = 0) -> None:
        """Say on the card of ``finding`` that its suggestion of that number will be applied once it is found."""
        if self._pending != (finding, number):
            self._pending = (finding, number)
            self._refresh_suggestions()

    def hide(self) -> None:
        """Hide the card."""
        self._show_timer.stop()
        self._hide_timer.stop()
        self._next_finding = None
        if self._card is not None and self._card.isVisible():
            had_focus = self._card.holds_focus()
            self._card.hide()
            if had_focus:
                self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape in the text hides the card and Tab moves into it; leaving the card with the mouse hides it."""
        if watched is self._editor and event.type() == QEvent.Type.WindowDeactivate:
            self.hide()
        if watched is self._editor and event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            self._place_timer.start()
        if watched is self._editor and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if self.shown_finding is not None and event.key() == Qt.Key.Key_Escape:
                self._dismiss()
                return True
            if self.shown_finding is not None and event.key() == Qt.Key.Key_Tab and not event.modifiers():
                self._get_card().setFocus(Qt.FocusReason.TabFocusReason)
                return True
        elif watched is self._card and event.type() == QEvent.Type.Leave and self._by_mouse:
            self._hide_timer.start()
        return False

    def _room(self) -> QRect:
        """Where the card may stand: as wide as ``within``, and as high as the text, so that it covers no bar."""
        top = self._editor.mapTo(self._within, QPoint(0, 0)).y()
        return QRect(0, top, self._within.width(), self._editor.height())

    def _get_card(self) -> FindingCard:
        if self._card is None:
            from app.review.card import FindingCard

            self._card = FindingCard(self._within)
            self._card.dismissed.connect(self._dismiss)
            self._card.link_clicked.connect(open_web_address)
            self._card.chosen.connect(self._suggestion_chosen)
            self._card.whole_sentence_requested.connect(self._whole_sentence_chosen)
            self._card.tag_chosen.connect(self._tag_chosen)
            self._card.ignored.connect(self._ignore_chosen)
            self._card.rule_off_requested.connect(self._rule_off_chosen)
            self._card.installEventFilter(self)
        return self._card

    def _suggestion_chosen(self, number: int) -> None:
        if self.shown_finding is not None:
            self.chosen.emit(self.shown_finding, number)

    def _whole_sentence_chosen(self, whole: bool) -> None:
        if self.shown_finding is not None:
            self.whole_sentence_requested.emit(self.shown_finding, whole)

    def _rule_off_chosen(self) -> None:
        if self.shown_finding is not None:
            self.rule_off_requested.emit(self.shown_finding)

    def _tag_chosen(self, name: str) -> None:
        finding = self.shown_finding
        if finding is not None:
            self.hide()
            self._tags.insert(finding, name)

    def _ignore_chosen(self, scope: str) -> None:
        if self.shown_finding is not None:
            self.ignored.emit(self.shown_finding, scope)

    def _sentence_of(self, finding: Finding | None) -> tuple[Finding, ...]:
        """The findings of the sentence that the card of ``finding`` is about; empty if it is about the finding.

        After another analysis the same finding may stand elsewhere.
        """
        first = next((one.fingerprint for one in self.sentence), "")
        return self.sentence if finding is not None and finding.fingerprint == first else ()

    def _is_rewordable(self, finding: Finding, suggestions: DisplayedSuggestions) -> bool | None:
        """Whether the whole sentence of a finding without a suggestion can be reworded; None if that is not known."""
        if suggestions.items or suggestions.pending or not can_reword(finding):
            return None
        return self._prefetch.is_rewordable(finding)

    def _suggestions_for(self, finding: Finding) -> DisplayedSuggestions:
        pending_finding, number = self._pending
        suggestions = self._prefetch.get(finding)
        return pending_for(number) if suggestions.pending and finding == pending_finding else suggestions

    def _refresh_suggestions(self) -> None:
        if self._card is not None and (finding := self.shown_finding) is not None:
            suggestions = self._suggestions_for(finding)
            self._card.set_suggestions(
                suggestions,
                whole=self._prefetch.is_whole_sentence(finding),
                rewordable=self._is_rewordable(finding, suggestions),
            )

    def _mouse_moved(self, finding: Finding | None) -> None:
        if finding is None:
            self._show_timer.stop()
            if self._by_mouse and self.shown_finding is not None:
                self._hide_timer.start()
            return
        self._hide_timer.stop()
        if finding != self.shown_finding:
            self._dismissed_fingerprint = ""
            self._by_mouse = True
            self._wait_for(finding)

    def _caret_moved(self, finding: Finding | None) -> None:
        if finding is None:
            self._dismissed_fingerprint = ""
            if not self._by_mouse:
                self.hide()
        elif self.shown_finding is not None and finding.fingerprint == self.shown_finding.fingerprint:
            self._by_mouse = False
        elif finding.fingerprint != self._dismissed_fingerprint and self._editor.hasFocus():
            self._by_mouse = False
            self._wait_for(finding)

    def _wait_for(self, finding: Finding) -> None:
        self._next_finding = finding
        self._show_timer.start()

    def _show_next(self) -> None:
        if self._next_finding is not None and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.show_now(self._next_finding)

    def _scrolled(self) -> None:
        if self.shown_finding is not None:
            self.show_now(self.shown_finding)

    def _hide_unless_used(self) -> None:
        if (
            self._card is not None
            and self._by_mouse
            and not self._card.underMouse()
            and not self._card.holds_focus()
        ):
            self.hide()

    def _dismiss(self) -> None:
        if self._card is not None and self._card.finding is not None:
            self._dismissed_fingerprint = self._card.finding.fingerprint
        self.hide()
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.dismissed.emit()

    def _timer(self, pause: int, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=pause)
        timer.timeout.connect(then)
        return timer
