"""What a screen reader is told: the finding that the caret has come to, how many a draft has, and every message."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.editor.editor import TextPane
from app.review.findings_list import spoken
from app.review.review_controller import Review
from core.i18n import ntr, tr
from core.types import Finding


def announce(widget: QWidget, words: str) -> None:
    """Have a screen reader say ``words`` when it has said what it is saying."""
    event = QAccessibleAnnouncementEvent(widget, words)
    event.setPoliteness(QAccessible.AnnouncementPoliteness.Polite)
    QAccessible.updateAccessibility(event)


class Announcing(QObject):
    """Speaks for ``pane``: of findings while ``wanted()`` is true and the keyboard is in the text."""

    def __init__(self, pane: TextPane, review: Review, wanted: Callable[[], bool]) -> None:
        super().__init__(pane)
        self._pane = pane
        self._review = review
        self._wanted = wanted
        self._counted = False
        pane.caret_on.connect(self._caret_on)
        review.shown.connect(self._shown)

    def open_draft(self) -> None:
        """Another draft is there: its findings are to be counted aloud."""
        self._counted = False

    def say(self, words: str) -> None:
        """Speak a message that is only shown, wherever the keyboard is."""
        announce(self._pane, words)

    def _caret_on(self, finding: Finding | None) -> None:
        if finding is not None and self._pane.hasFocus() and self._wanted():
            announce(self._pane, spoken(finding))

    def _shown(self) -> None:
        if not self._counted and self._wanted():
            count = len(self._review.findings)
            some = ntr("{count:,} finding in this draft", "{count:,} findings in this draft", count)
            announce(self._pane, some.format(count=count) if count else tr("No findings in this draft"))
        self._counted = True
