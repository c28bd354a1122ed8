"""When the card comes and goes: a resting mouse or caret brings it, typing, scrolling and Escape take it away."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.analysis.explanations import explain, lexicon
from app.analysis.suggestion_prefetch import Suggesting
from app.analysis.suggestions import Wordings, looking_for
from app.editor.editor import TextPane
from core.types import Finding

if TYPE_CHECKING:
    from app.review.card import FindingCard

REST_MS = 350
_GRACE_MS = 250


class CardHost(QObject):
    """Shows one card over ``within`` at findings of ``pane``, with the wordings that are known.

    ``on_word``: the findings that lean on their word. ``chosen``: a ``Finding`` and the number of the wording to use;
    ``ignored``: a ``Finding`` to pass over, and how. ``dismissed``: the person has closed the card.
    """

    chosen = Signal(object, int)
    ignored = Signal(object, str)
    dismissed = Signal()

    def __init__(self, pane: TextPane, within: QWidget, suggesting: Suggesting) -> None:
        super().__init__(pane)
        self._suggesting = suggesting
        suggesting.known.connect(self._wordings_known)
        self._pane = pane
        self._within = within
        self._card: FindingCard | None = None
        self._next: Finding | None = None
        self.on_word: Collection[Finding] = frozenset()
        self._dismissed = ""
        self._expected: tuple[Finding | None, int] = (None, 0)
        self._by_mouse = False
        self._rest = self._timer(REST_MS, self._show_next)
        self._grace = self._timer(_GRACE_MS, self._hide_unless_used)
        pane.pointed_at.connect(self._pointed)
        pane.caret_on.connect(self._caret)
        pane.edited.connect(self.hide)
        pane.view_moved.connect(self._scrolled)
        pane.installEventFilter(self)

    @property
    def shown(self) -> Finding | None:
        """The finding whose card is to be seen."""
        return self._card.finding if self._card is not None and self._card.isVisible() else None

    def show_now(self, finding: Finding) -> None:
        """Show the card of a finding at once, if its words are in sight."""
        self._rest.stop()
        self._grace.stop()
        mark = self._pane.marks.find(finding)
        boxes = self._pane.boxes(mark) if mark else []
        if not boxes:
            self.hide()
            return
        box = boxes[0].toAlignedRect()
        anchor = QRect(self._pane.viewport().mapTo(self._within, box.topLeft()), box.size())
        told = explain(finding, lexicon())
        self._made().show_for(
            finding,
            told.why,
            kind_text=told.kind,
            links=told.links,
            wordings=self._wordings(finding),
            on_word=finding in self.on_word,
            editable=not self._pane.isReadOnly(),
            anchor=anchor,
            within=self._within,
        )

    def expect(self, finding: Finding | None, number: int = 0) -> None:
        """Say on the card of ``finding`` that its wording of that number will be put in once it is found."""
        if self._expected != (finding, number):
            self._expected = (finding, number)
            self._show_wordings()

    def hide(self) -> None:
        """Take the card away."""
        self._rest.stop()
        self._grace.stop()
        self._next = None
        if self._card is not None and self._card.isVisible():
            used = self._card.holds_focus()
            self._card.hide()
            if used:
                self._pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the text, Escape hides a visible card and Tab goes into it; the mouse may rest on the card itself."""
        if watched is self._pane and event.type() == QEvent.Type.WindowDeactivate:
            self.hide()
        if watched is self._pane and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if self.shown is not None and event.key() == Qt.Key.Key_Escape:
                self._dismiss()
                return True
            if self.shown is not None and event.key() == Qt.Key.Key_Tab and not event.modifiers():
                self._made().setFocus(Qt.FocusReason.TabFocusReason)
                return True
        elif watched is self._card and event.type() == QEvent.Type.Leave and self._by_mouse:
            self._grace.start()
        return False

    def _made(self) -> FindingCard:
        if self._card is None:
            from app.review.card import FindingCard

            self._card = FindingCard(self._within)
            self._card.dismissed.connect(self._dismiss)
            self._card.link_clicked.connect(lambda address: QDesktopServices.openUrl(QUrl(address)))
            self._card.chosen.connect(self._chosen)
            self._card.ignored.connect(self._ignored)
            self._card.installEventFilter(self)
        return self._card

    def _chosen(self, number: int) -> None:
        if self.shown is not None:
            self.chosen.emit(self.shown, number)

    def _ignored(self, way: str) -> None:
        if self.shown is not None:
            self.ignored.emit(self.shown, way)

    def _wordings_known(self, finding: Finding) -> None:
        if finding == self.shown:
            self._show_wordings()

    def _wordings(self, finding: Finding) -> Wordings:
        expected, number = self._expected
        wordings = self._suggesting.of(finding)
        return looking_for(number) if wordings.pending and finding == expected else wordings

    def _show_wordings(self) -> None:
        if self._card is not None and self.shown is not None:
            self._card.set_wordings(self._wordings(self.shown))

    def _pointed(self, finding: Finding | None) -> None:
        if finding is None:
            self._rest.stop()
            if self._by_mouse and self.shown is not None:
                self._grace.start()
            return
        self._grace.stop()
        if finding != self.shown:
            self._dismissed = ""
            self._by_mouse = True
            self._wait_for(finding)

    def _caret(self, finding: Finding | None) -> None:
        if finding is None:
            self._dismissed = ""
            if not self._by_mouse:
                self.hide()
        elif self.shown is not None and finding.fingerprint == self.shown.fingerprint:
            self._by_mouse = False
        elif finding.fingerprint != self._dismissed and self._pane.hasFocus():
            self._by_mouse = False
            self._wait_for(finding)

    def _wait_for(self, finding: Finding) -> None:
        self._next = finding
        self._rest.start()

    def _show_next(self) -> None:
        if self._next is not None and QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            self.show_now(self._next)

    def _scrolled(self) -> None:
        if self.shown is not None:
            self.show_now(self.shown)

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
            self._dismissed = self._card.finding.fingerprint
        self.hide()
        self._pane.setFocus(Qt.FocusReason.OtherFocusReason)
        self.dismissed.emit()

    def _timer(self, pause: int, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(pause)
        timer.timeout.connect(then)
        return timer
