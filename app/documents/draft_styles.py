"""Gives the editor the styles of the open draft: its markup highlighted, or what a word processor or browser shows.

The format, or the look of a file's paragraphs, also decides what can be folded.
"""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.documents.document_controller import DocumentController
from app.editor.block_styles import BlockStyles
from app.editor.editor import TextEditor
from app.editor.file_styles import FileStyles
from app.editor.markup_styles import MarkupStyles
from core.documents.format_specs import FORMATS
from core.highlighting.types import Fold


class DraftStyles(QObject):
    """Sets the styles of ``editor`` whenever another draft is open, or the present one is in another format."""

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents
        documents.opened.connect(self._set_styles)
        documents.format_chosen.connect(self._set_styles)
        documents.saved.connect(self._set_styles)
        editor.document().modificationChanged.connect(self._modification_changed)

    def _modification_changed(self, modified: bool) -> None:
        """Undoing brings words back, but not the look that went with them: take it from the file again."""
        container = self._documents.session.container
        if not modified and container is not None and container.text == self._editor.text():
            self._set_styles()

    def _set_styles(self) -> None:
        session = self._documents.session
        container = session.container
        highlighter = FORMATS[session.format].highlighter
        if container is not None:
            if container.text == self._editor.text():
                styles = FileStyles(self._editor.document(), container.appearance, container.text)
                self._editor.set_styles(styles)
        elif highlighter is not None:
            self._editor.set_styles(MarkupStyles(self._editor.document(), highlighter))
        else:
            self._editor.set_styles(BlockStyles())
        spec = FORMATS[session.format]
        finder = self._folds_by_look if session.can_track else spec.find_folds
        self._editor.folding.set_finder(finder, None if session.can_track else spec.find_inline_folds)

    def _folds_by_look(self, text: str) -> list[Fold]:
        return self._editor.styles.find_folds(text)
