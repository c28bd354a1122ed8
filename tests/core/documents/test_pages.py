"""Protects real pages: every page that is at hand is read, and saving it unchanged gives its bytes again."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents import Format, prose
from core.formats.loader import open_document, read_opened

ROOT = Path(__file__).resolve().parents[3]
PAGES = [
    *sorted((ROOT.parent / "shared" / "data" / "wikitext").glob("*.wikitext")),
    *sorted(ROOT.glob("resources/**/*.wikitext")),
]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_read_and_comes_back(path: Path) -> None:
    data = path.read_bytes()
    opened = open_document(data, name=path.name)
    assert opened.format is Format.WIKITEXT
    assert opened.editable
    assert opened.text.encode(opened.encoding) == data
    document = read_opened(opened)
    assert len(document.sentences) > 3
    assert document.notes == ()
    for sentence in document.sentences:
        assert prose(document, sentence).text
    assert document.paragraphs[0][0] == document.sentences[0].start
    assert document.paragraphs[-1][1] == document.sentences[-1].end
