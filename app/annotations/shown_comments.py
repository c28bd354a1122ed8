"""Shows in the text of the draft which words people commented on, and what they wrote: in the file, and here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Signal
from PySide6.QtWidgets import QMenu

from app.background.reading import BackgroundRead
from app.documents.document_controller import DocumentController
from app.documents.revision_strings import shown_author, shown_time
from app.documents.session import Session, read_comments_of
from app.editor.editor import TextEditor
from app.editor.marks import shift_position
from app.editor.positions import OffsetMap, edits_between
from app.editor.revision_marks import CommentMark, CommentMarks
from app.widgets.labels import to_single_line
from app.widgets.plain_text import show_tooltip
from core.i18n import tr
from core.types import UnreadKind

if TYPE_CHECKING:
    from core.answers.comments import Comment

_MOST_SHOWN = 1200


class ShownComments(QObject):
    """Marks the comments in ``editor``. They move with edits; those of a docx or odt are read anew with the file.

    ``status_message``: what the comment says that the caret has come to.
    """

    status_message = Signal(str)

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor, self._documents = editor, documents
        self._read = BackgroundRead(self)
        self._asked = self._listed = ""
        self._found: list[Comment] = []
        self._at_caret: list[Comment] = []
        documents.about_to_close.connect(self._forget)
        documents.opened.connect(self._refresh)
        documents.saved.connect(self._refresh)
        documents.comments.changed.connect(self._place)
        editor.document().modificationChanged.connect(self._modification_changed)
        editor.cursorPositionChanged.connect(self._caret_moved)

    def describe_at(self, point: QPointF) -> list[str]:
        """What the comments at a point of the viewport say."""
        return [describe_comment(mark.comment) for mark in self._editor.comments_at_point(point)]

    def add_to(self, menu: QMenu, position: int) -> None:
        """Add what shows the comments at ``position``, in UTF-16 units; nothing if none is there."""
        here = self._editor.comments.at(position)
        if here:
            menu.addAction(tr("Show comment")).triggered.connect(lambda: self._show_at(here))
            menu.addSeparator()

    def close(self) -> None:
        """Stop reading."""
        self._read.cancel()

    def _show_at(self, marks: list[CommentMark]) -> None:
        self._editor.go_to(marks[0].start, marks[0].end)
        place = self._editor.viewport().mapToGlobal(self._editor.cursorRect().bottomLeft())
        show_tooltip(place, "\n".join(describe_comment(mark.comment) for mark in marks), self._editor)

    def _refresh(self) -> None:
        """Read the comments of the file as it is now, if it has any."""
        session = self._documents.session
        unread = session.container.unread if session.can_track and session.container is not None else ()
        if not session.tracked and all(one.kind is not UnreadKind.COMMENT for one in unread):
            self._forget()
        elif session.sha256 != self._asked:
            self._asked = session.sha256
            self._read.start(partial(read_comments_of, session), partial(self._show, session))

    def _forget(self) -> None:
        self._read.cancel()
        self._asked = self._listed = ""
        self._found = []
        self._place()

    def _show(self, session: Session, found: list[Comment]) -> None:
        if session.sha256 == self._documents.session.sha256:
            self._listed, self._found = session.sha256, found
            self._place()

    def _modification_changed(self, modified: bool) -> None:
        """Undoing brings words back, but not their marks: place all of them again."""
        if not modified and (not self._found or self._listed == self._documents.session.sha256):
            self._place()

    def _place(self) -> None:
        """Mark the comments in the text, which may have been edited since it was read."""
        if not self._found and not len(self._documents.comments) and not len(self._editor.comments):
            return
        text = self._documents.session.text
        units = OffsetMap(text)
        edits = edits_between(text, self._editor.text()) if self._documents.modified else ()
        marks = []
        for comment in self._found:
            if comment.place is not None:
                start, end = (shift_position(units.to_utf16(at), edits) for at in comment.place)
                marks.append(CommentMark(start, max(start, end), comment))
        self._editor.set_comments(CommentMarks([*marks, *self._added()]))

    def _added(self) -> list[CommentMark]:
        """The comments that were added here and are not in the file as it was opened."""
        if not len(self._documents.comments):
            return []
        from core.answers.comments import Comment

        text = self._editor.text()
        units = OffsetMap(text)
        return [
            CommentMark(
                units.to_utf16(one.start),
                units.to_utf16(one.end),
                Comment(f"added {number}", one.text, one.author, one.time, None),
            )
            for number, one in enumerate(self._documents.comments.placed(text))
        ]

    def _caret_moved(self) -> None:
        if not len(self._editor.comments):
            return
        cursor = self._editor.textCursor()
        here = [mark.comment for mark in self._editor.comments.at(cursor.position())]
        new = [comment for comment in here if comment not in self._at_caret]
        self._at_caret = here
        if new and not cursor.hasSelection() and self._editor.hasFocus():
            self.status_message.emit(" · ".join(to_single_line(describe_comment(one)) for one in new))


def describe_comment(comment: Comment) -> str:
    """Who wrote a comment, when, and what it says; a very long one is cut."""
    name = shown_author(comment.author) or tr("an unknown author")
    written = tr("Resolved comment by {author}") if comment.is_resolved else tr("Comment by {author}")
    head = ", ".join(filter(None, (written.format(author=name), shown_time(comment.time))))
    words = comment.text if len(comment.text) <= _MOST_SHOWN else f"{comment.text[:_MOST_SHOWN]}…"
    return tr("{name}: {words}").format(name=head, words=words)
