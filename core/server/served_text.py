"""The text of a client as a document, in the format that its language id names, with the way back to its offsets."""

from __future__ import annotations

import codecs
import html
from collections.abc import Sequence
from dataclasses import dataclass

from core.documents.format_specs import format_of_suffix
from core.documents.incremental import IncrementalParser
from core.documents.types import Document, Format, Span
from core.formats.loader import open_document, read_opened
from core.formats.types import Container
from core.storage.files import FileError
from core.text.diff import TextEdit

LANGUAGE_IDS: dict[str, Format] = {
    **dict.fromkeys(("plaintext", "text", "txt", "gitcommit", "git-commit", "mail"), Format.PLAIN),
    **dict.fromkeys(
        ("markdown", "gfm", "mdx", "rmarkdown", "rmd", "quarto", "pandoc", "md"), Format.MARKDOWN
    ),
    **dict.fromkeys(("mediawiki", "wikitext", "wiki"), Format.WIKITEXT),
    **dict.fromkeys(("html", "xhtml", "mhtml"), Format.HTML),
}
"""The language ids of editors (VS Code, Neovim, Emacs, Helix) whose texts are read."""


def format_of_language(language_id: str, name: str) -> Format | None:
    """The format of a text with this language id, else by the suffix of its file's name; None for all others."""
    return LANGUAGE_IDS.get(language_id.lower()) or (None if language_id else format_of_suffix(name))


@dataclass(frozen=True, slots=True)
class ServedText:
    """A document, and the page that it was taken out of, if it was."""

    document: Document
    container: Container | None = None

    def span(self, start: int, end: int) -> Span:
        """Where ``document.source[start:end]`` stands in the text of the client."""
        return (start, end) if self.container is None else self.container.source_span(start, end)

    def edits(self, edits: Sequence[TextEdit]) -> tuple[TextEdit, ...] | None:
        """Edits of the document as edits of the client's text; None where markup stands inside one of them."""
        if self.container is None:
            return tuple(edits)
        source = self.container.source or ""
        found = []
        for edit in edits:
            start, end = self.container.source_span(edit.start, edit.end)
            if edit.start == edit.end or source[start:end] != self.document.source[edit.start : edit.end]:
                return None
            found.append(TextEdit(start, end, html.escape(edit.text, quote=False)))
        return tuple(found)


class TextReader:
    """Reads the versions of one text; parts that have not changed are not parsed again."""

    def __init__(self) -> None:
        self._parser = IncrementalParser()

    def read(self, text: str, format: Format) -> ServedText:
        """The document of a text. Raises FileError for a page that cannot be read."""
        if format is not Format.HTML:
            return ServedText(self._parser.parse(text, format))
        data = codecs.BOM_UTF8 + text.encode("utf-8", "surrogatepass")
        opened = open_document(data, name="page.html", format=Format.HTML)
        if opened.container is None or opened.container.source != text:
            raise FileError("This page has characters that cannot be read.")
        return ServedText(read_opened(opened), opened.container)
