"""Commands that write a tag after the words of a finding (Wikipedia's templates in wikitext, comments in Markdown), add
a comment on them beside the text (docx, odt, html), or write an attribution with a name to fill in.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QTextCursor

from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.editor.positions import OffsetMap
from app.review.suggestion_rows import COMMENT
from core.i18n import tr
from core.rewriting.inline_tags import (
    WHO,
    attribution,
    fitting_comment,
    fitting_tags,
    lacks_source,
    tag_place,
    tag_text,
)
from core.text.diff import TextEdit
from core.types import Finding

ATTRIBUTION = "attribution"
"""The name of the attribution among the tags."""


class TagCommands(QObject):
    """Writes the tags and comments that fit a finding.

    ``inserted``: the ``Finding``. ``status_message``: a text for the status bar.
    """

    inserted = Signal(object)
    status_message = Signal(str)

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents

    def tags(self, finding: Finding) -> dict[str, str]:
        """The names of the tags that may be written after a finding now, and how each is written without a date."""
        if self._editor.isReadOnly():
            return {}
        form = self._documents.session.format
        found = {name: tag_text(name, form) for name in fitting_tags(finding, form)}
        edit = self._attribution(finding)
        return found if edit is None else {ATTRIBUTION: edit.text.strip(), **found}

    def comment(self, finding: Finding) -> str:
        """The comment that may be added to a finding now; empty if none fits, or it has it already."""
        mark = self._editor.marks.find(finding)
        text = fitting_comment(finding, self._documents.session.format)
        if self._editor.isReadOnly() or mark is None or self._documents.session.container is None:
            return ""
        here = self._editor.comments.between(mark.start, mark.end)
        return "" if any(one.comment.text == text for one in here) else text

    def insert(self, finding: Finding, name: str) -> None:
        """Write the tag of that name after the finding, as one step. Does nothing if an edit has changed its words.

        Of an attribution the name is selected, to be typed over. `COMMENT` adds a comment to the words instead.
        """
        mark = self._editor.marks.find(finding)
        if name == COMMENT:
            self._add_comment(finding)
            return
        if mark is None or name not in self.tags(finding):
            return
        if name == ATTRIBUTION:
            self._fill_in(finding)
            return
        form, text = self._documents.session.format, self._editor.text()
        units = OffsetMap(text)
        place = units.to_utf16(tag_place(text, units.to_code_point(mark.end), form))
        written = tag_text(name, form, today=datetime.now().astimezone().date())
        if self._editor.replace([TextEdit(place, place, written)]):
            self.status_message.emit(tr("{tag} inserted. Undo reverts it.").format(tag=written))
            self.inserted.emit(finding)

    def _add_comment(self, finding: Finding) -> None:
        text, mark = self.comment(finding), self._editor.marks.find(finding)
        if not text or mark is None:
            return
        units = OffsetMap(self._editor.text())
        start, end = units.to_code_point(mark.start), units.to_code_point(mark.end)
        self._documents.comments.add(start, end, text, self._documents.stamp())
        said = tr("Comment added: “{text}” It is written with the file. Undo removes it.")
        self.status_message.emit(said.format(text=text))
        self.inserted.emit(finding)

    def _fill_in(self, finding: Finding) -> None:
        edit = self._attribution(finding)
        if edit is None or not self._editor.replace([edit]):
            return
        name = edit.start + edit.text.index(WHO)
        cursor = self._editor.textCursor()
        cursor.setPosition(name)
        cursor.setPosition(name + len(WHO), QTextCursor.MoveMode.KeepAnchor)
        self._editor.setTextCursor(cursor)
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.status_message.emit(tr("Type who says so. Undo reverts the attribution."))

    def _attribution(self, finding: Finding) -> TextEdit | None:
        """The attribution for a finding, in UTF-16 units; None if it needs none or an edit has changed its words."""
        form, mark = self._documents.session.format, self._editor.marks.find(finding)
        if mark is None or not lacks_source(finding, form):
            return None
        text = self._editor.text()
        units = OffsetMap(text)
        edit = attribution(text, units.to_code_point(mark.start), units.to_code_point(mark.end), form)
        return TextEdit(units.to_utf16(edit.start), units.to_utf16(edit.end), edit.text)
