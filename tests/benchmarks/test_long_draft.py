"""Protects the long draft of the benchmarks: as a Word file it has the same words, and every look."""

from __future__ import annotations

import re

from core.formats.loader import open_document
from tests.benchmarks.long_draft import formatted_docx, long_draft


def words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text)


def test_the_word_file_has_the_words_of_the_draft_and_every_look() -> None:
    draft = long_draft(3_000)
    opened = open_document(formatted_docx(draft), name="long.docx")
    container = opened.container
    assert container is not None
    assert words(container.text) == words(re.sub(r"\]\([^)]*\)", "]", draft))
    looks = [style for _, _, style in container.appearance.runs]
    for name in ("bold", "italic", "linked"):
        assert sum(getattr(look, name) for look in looks) > 10, name
    paragraphs = [style for _, _, style in container.appearance.paragraphs]
    assert any(style.heading for style in paragraphs)
    assert any(style.starts_cell for style in paragraphs)
    assert any(style.label for style in paragraphs)
