"""Shows the answers of a colleague to a reviewed copy: with their findings, or in a list where those are gone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.reading import BackgroundRead
from app.documents.document_controller import DocumentController
from app.documents.session import Session, read_answers_of
from app.review.review_controller import ReviewController

if TYPE_CHECKING:
    from core.revisions.types import AnsweredComment


class AnswersController(QObject):
    """``left``: the answered comments whose finding is gone, a list. ``status_message``: why answers cannot be read."""

    left = Signal(list)
    status_message = Signal(str)

    def __init__(self, documents: DocumentController, review: ReviewController) -> None:
        super().__init__(review)
        self._documents, self._review = documents, review
        self._read = BackgroundRead(self)
        self._answered: list[AnsweredComment] = []
        self._text = ""
        self._draft = ""
        self._left: list[AnsweredComment] = []
        documents.opened.connect(self._start)
        documents.saved.connect(self._start)
        review.shown.connect(self._match)

    def close(self) -> None:
        """Stop reading."""
        self._read.cancel()

    def _start(self) -> None:
        session = self._documents.session
        if session.uid != self._draft:
            self._answered = []
            self._match()
        if session.can_track:
            self._read.start(partial(read_answers_of, session), partial(self._show, session))
        else:
            self._read.cancel()

    def _show(self, session: Session, found: list[AnsweredComment] | str) -> None:
        if session.uid != self._documents.session.uid:
            return
        if isinstance(found, str):
            self.status_message.emit(found)
            return
        if session.uid == self._draft:
            # Words that were changed and saved here are not a colleague's answer.
            known = {one.fingerprint for one in self._answered}
            found = [one for one in found if one.by_colleague or one.fingerprint in known]
        self._draft, self._answered, self._text = session.uid, found, session.text
        self._match()

    def _match(self) -> None:
        from core.answers.answers import describe_answers, match_answers

        lines: dict[str, list[str]] = {}
        left: list[AnsweredComment] = []
        if self._answered and self._review.result is not None:
            is_as_in_file = self._review.source == self._text
            matched, left = match_answers(self._answered, self._review.findings, is_as_in_file=is_as_in_file)
            for comment, finding in matched.items():
                lines.setdefault(finding.fingerprint, []).extend(describe_answers(comment))
        self._review.set_answers(lines)
        if left != self._left:
            self._left = left
            self.left.emit(left)
