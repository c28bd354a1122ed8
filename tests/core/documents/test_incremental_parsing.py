"""Protects speed from lying: parsing again after an edit gives the very document that parsing everything gives."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Format, parse
from core.documents.incremental import IncrementalParser
from core.documents.types import SuppressedRange
from core.types import KINDS
from resources import ROOT

PIECES = (
    '<div lang="de">',
    "''The Bad Night''",
    "*The Bad Night*",
    "::: {lang=de}",
    ":::",
    "lang: de",
    "$$",
    "$$\nx",
    "+++",
    "::: {.a}",
    "import a from 'b'",
    "export const a = 1",
    "{--a",
    "{>>a<<}",
    "<del>",
    "a</del>",
    "{{ a",
    "}}",
    "\\begin{a}",
    "a\u200bb &shy;c \ufb01",
    "The shameful record reveals it.",
    "He left. “We paid",
    "“and we paid again,” she said.",
    '"They',
    '"said so."',
    '> "Quoted',
    "'''Bold''' and ''italic'' words.",
    "## A heading",
    "= Title =",
    "== Life ==",
    "== References ==",
    "=== ''Notes'' ===",
    "* [http://a.b A brilliant book]",
    "[[Category:Poets of the night]]",
    "Q: Why?",
    "A: It was a shame.",
    "**Ann Lee:** Why?",
    "Bob Kim: It was.",
    "> [!NOTE]",
    "<q>",
    "</q>",
    "# Not a list",
    "#REDIRECT [[Elsewhere]]",
    "- an item",
    "  indented",
    "\tcode",
    "1. one",
    "* * *",
    "---",
    "title: x",
    "...",
    "```",
    "~~~ py",
    "`code`",
    "<!-- evenhand off -->",
    "<!-- evenhand on -->",
    "<!-- evenhand ignore-next -->",
    "<!-- evenhand maybe -->",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<div class='x'>",
    "</div>",
    "<td>",
    "!!! note",
    "    It was hers.",
    "<p>x <img alt='a crook'>",
    "description: >",
    "<svg>",
    "</svg>",
    "<blockquote>",
    "</blockquote>",
    "<ref>",
    "</ref>",
    "<nowiki>",
    "{{cite|",
    "}}",
    "{| table",
    "|-",
    "| cell",
    "|}",
    "[[Town|the",
    "town]]",
    "[[File:x.jpg|thumb|A caption.]]",
    "He ran.{{efn|A note of his.}}",
    "{{Infobox person | caption = A crook",
    "{{quote|Her words.}}",
    "<ref group=n>A note.</ref>",
    "<gallery>\nA.jpg|A crook",
    "</gallery>",
    "! one !! two",
    "[label][ref]",
    "[ref]: /url",
    "| a | b |\n|---|---|\n| c | d |",
    "a@b.example and https://example.org/x.",
    "👍🏽 café",
    "“…",
    "…",
    "\r\n",
)
BREAKS = ("\n\n", "\n\n", "\n\n", "\n", " ", "\n\n\n", "\n \n", "\n\n\n\n")
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(BREAKS)), max_size=14)
FORMATS = tuple(Format)


@st.composite
def edits(draw: st.DrawFn) -> list[str]:
    """A text, and what it becomes edit by edit."""
    parts = [part for pair in draw(TEXTS) for part in pair]
    texts = ["".join(parts)]
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(parts)))
        removed = draw(st.integers(0, 2))
        parts[at : at + removed] = draw(st.lists(st.sampled_from((*PIECES, *BREAKS, "x", '"')), max_size=2))
        texts.append("".join(parts))
    return texts


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=60)
@given(texts=edits())
def test_a_text_parsed_again_after_edits_is_the_same_document(format: Format, texts: list[str]) -> None:
    parser = IncrementalParser()
    for text in texts:
        assert parser.parse(text, format) == parse(text, format)


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=3000, deadline=None)
@given(texts=edits())
def test_a_text_parsed_again_is_the_same_document_at_length(format: Format, texts: list[str]) -> None:
    parser = IncrementalParser()
    for text in texts:
        assert parser.parse(text, format) == parse(text, format)


@pytest.mark.parametrize(
    ("name", "format"), [("sample.md", Format.MARKDOWN), ("sample.wikitext", Format.WIKITEXT)]
)
def test_every_prefix_of_a_sample_is_the_same_document(name: str, format: Format) -> None:
    text = (ROOT / "samples" / name).read_text(encoding="utf-8")
    parser = IncrementalParser()
    for end in range(0, len(text), 37):
        assert parser.parse(text[:end], format) == parse(text[:end], format)


def test_what_the_file_itself_says_of_the_text_is_kept() -> None:
    text = "One shameful line.\nAnother one.\nA third."
    suppressed, quotes = [SuppressedRange(0, 18, KINDS)], [(19, 31)]
    parser = IncrementalParser()
    assert parser.parse(text, Format.DOCX, suppressed=suppressed) == parse(
        text, Format.DOCX, suppressed=suppressed
    )
    assert parser.parse(text, Format.DOCX, quotes=quotes) == parse(text, Format.DOCX, quotes=quotes)


def test_what_has_not_changed_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    import core.documents.incremental as incremental

    laid_out: list[str] = []
    real = incremental.lay_out
    monkeypatch.setattr(
        incremental, "lay_out", lambda text, format: (laid_out.append(text), real(text, format))[1]
    )
    parser = IncrementalParser()
    paragraphs = [f"Paragraph number {number} is neutral." for number in range(40)]
    parser.parse("\n\n".join(paragraphs), Format.MARKDOWN)
    laid_out.clear()
    paragraphs[17] += " It is not."
    parser.parse("\n\n".join(paragraphs), Format.MARKDOWN)
    assert laid_out == [paragraphs[17] + "\n\n"]
