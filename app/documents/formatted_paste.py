"""Pasting with formatting: what was copied from a page or a word processor becomes mark-up of the draft's format."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor, is_own_text, text_from_mime
from app.widgets.dialogs import WaitCancelledError
from core.documents.plain_text import clean_pasted_text
from core.documents.types import Format
from core.i18n import tr

FORMATS_WITH_MARKUP = (Format.MARKDOWN, Format.WIKITEXT)
TOO_LARGE = tr(
    "What you copied is too large, or nested too deeply, to be pasted with formatting. Copy less, or paste it as plain "
    "text."
)
_MAX_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class _Markup:
    """Mark-up to paste. ``is_inline``: it is a part of a paragraph."""

    text: str
    is_inline: bool


class FormattedPaste(QObject):
    """Pastes into one editor. ``message``: a text for the message bar."""

    message = Signal(str)

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor, self._documents = editor, documents

    @property
    def is_possible(self) -> bool:
        """Whether the draft can be edited and has mark-up that can be typed."""
        session = self._documents.session
        return session.editable and session.format in FORMATS_WITH_MARKUP

    def paste(self) -> None:
        """Paste the clipboard as mark-up; as plain text where it has no formatting or is of a draft."""
        data = QGuiApplication.clipboard().mimeData()
        if data is None or not self.is_possible:
            return
        if is_own_text(data) or not data.hasHtml():
            self._editor.paste()
            return
        try:
            found = self._markup(data)
        except WaitCancelledError:
            return
        if found is None:
            self.message.emit(TOO_LARGE)
        elif found.text:
            self._editor.insert_pasted(found.text if found.is_inline else self._set_apart(found.text))
        else:
            self._editor.insert_pasted(text_from_mime(data))

    def _markup(self, data: QMimeData) -> _Markup | None:
        """What is in the clipboard as mark-up; None where it is too large or nested too deeply."""
        if data.data("text/html").size() > _MAX_BYTES:
            return None
        html, format = data.html(), self._documents.session.format
        return self._documents.in_thread(lambda: _convert(html, format), tr("Pasting with formatting…"))

    def _set_apart(self, text: str) -> str:
        """Blocks with an empty line between them and what stands before and after them in the same line."""
        cursor = self._editor.textCursor()
        document = self._editor.document()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        first, last = document.findBlock(start), document.findBlock(end)
        before = self._editor.text_between(first.position(), start)
        after = self._editor.text_between(end, last.position() + last.length() - 1)
        gap = "\n\n"
        return (gap if before.strip() else "") + text + (gap if after.strip() else "")


def _convert(html: str, format: Format) -> _Markup | None:
    # Imported late: most people never paste with formatting.
    from core.conversion.read_html import TooComplexError, read_html
    from core.conversion.types import Content, Paragraph
    from core.conversion.write_markdown import write_markdown
    from core.conversion.write_wikitext import write_wikitext

    try:
        blocks = read_html(html)
        text = write_wikitext(blocks) if format is Format.WIKITEXT else write_markdown(Content(blocks))
    except (TooComplexError, RecursionError):
        return None
    is_inline = len(blocks) == 1 and isinstance(blocks[0], Paragraph)
    return _Markup(clean_pasted_text(text).rstrip("\n"), is_inline)
