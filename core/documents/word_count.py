"""How many words of a document are prose: markup, templates, code and front matter are none."""

from __future__ import annotations

from core.documents.prose_view import prose
from core.documents.types import Document


def count_words(document: Document) -> int:
    """The number of words in the sentences of a document, as they are read; words are parted by white space."""
    return sum(len(prose(document, sentence).text.split()) for sentence in document.sentences)
