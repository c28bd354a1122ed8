"""Commands that write a tag after the words of a finding: Wikipedia's templates in wikitext, comments in Markdown."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QObject, Signal

from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.editor.positions import OffsetMap
from core.i18n import tr
from core.rewriting.inline_tags import fitting_tags, tag_place, tag_text
from core.text.diff import TextEdit
from core.types import Finding


class TagCommands(QObject):
    """Writes the tags that fit a finding.

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
        form = self._documents.session.format
        names = () if self._editor.isReadOnly() else fitting_tags(finding, form)
        return {name: tag_text(name, form) for name in names}

    def insert(self, finding: Finding, name: str) -> None:
        """Write the tag of that name after the finding, as one step. Does nothing if an edit has changed its words."""
        mark = self._editor.marks.find(finding)
        if mark is None or name not in self.tags(finding):
            return
        form, text = self._documents.session.format, self._editor.text()
        units = OffsetMap(text)
        place = units.to_utf16(tag_place(text, units.to_code_point(mark.end), form))
        written = tag_text(name, form, today=datetime.now().astimezone().date())
        if self._editor.replace([TextEdit(place, place, written)]):
            self.status_message.emit(tr("{tag} inserted. Undo reverts it.").format(tag=written))
            self.inserted.emit(finding)
