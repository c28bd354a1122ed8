"""Protects what everything downstream relies on: any text is a document, and no character ever moves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Document, Format, Sentence, parse, prose
from core.documents.format_specs import detect_format

LAID_OUT = [form for form in Format if form not in (Format.DOCX, Format.ODT)]
"""Formats by how they are laid out: docx and odt are as html."""

FRAGMENTS = (
    *(
        "[[",
        "]]",
        "[[a|",
        "[[File:x.png|thumb|",
        "[[Category:C]]",
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{{t|a=",
        "{{efn|",
        "{{nowrap|",
        "{{quote|",
        "{{infobox|caption=",
        "|+",
        "\n| ",
        " || ",
        "\n! ",
        " !! ",
        "<gallery>\nA.jpg|",
        "</gallery>",
        "<ref group=n>",
        "|alt=",
        "{|",
        "\n{|\n",
        "|-",
    ),
    *(
        "\n|}",
        "|",
        "<ref>",
        "</ref>",
        "<ref name=x/>",
        "<nowiki>",
        "</nowiki>",
        "<!--",
        "-->",
        "<br>",
        "<b>",
        "</b>",
    ),
    *(
        "<blockquote>",
        "</blockquote>",
        "<q>",
        "</q>",
        "<table>",
        "</table>",
        "<div ",
        "''",
        "'''",
        "'''''",
        "\n== ",
        "{--",
        "--}",
        "{~~",
        "~>",
        "~~}",
        "{>>",
        "<<}",
        "$",
        "$$",
        "\n$$\n",
        "{{<",
        "{.a #b}",
        "\n:::",
        "\nimport a from 'b'\n",
        "+++\n",
        "<del>",
        "</del>",
        "<sup>1</sup>",
        ".[1] ",
        " ==\n",
    ),
    *(
        "\n* ",
        "\n# ",
        "\n: ",
        "----",
        "__TOC__",
        "~~~~",
        "&nbsp;",
        "&#x41;",
        "&amp",
        "[http://a.b c]",
        "[//x",
        "mailto:a@b.cd",
    ),
    *(
        "http://a.b/c(d)",
        "www.x.org,",
        "a.b@c.de",
        "`",
        "``",
        "```\n",
        "\n```\n",
        "~~",
        "*",
        "**",
        "_",
        "__",
        "\\",
        "\\*",
        "\\\n",
    ),
    *(
        "[a](b)",
        "[a](<b> 'c')",
        "![i](u)",
        "[",
        "]",
        "](",
        "[r]: /u\n",
        "[r]",
        "[^1]",
        "[^1]: ",
        "\n> ",
        "> ",
        "\n- ",
        "- [x] ",
    ),
    *(
        "\n1. ",
        "\n    ",
        "\t",
        "\n---\n",
        "---\nk: v\n---\n",
        "\n===\n",
        "# ",
        "\n## ",
        " ##\n",
        "\n| a | b |\n|---|---|\n",
        "\n| \\| | `x\\|y` |",
        "---\ntitle: ",
        "\ndescription: >\n  ",
        "\nsummary: 'it''s ",
        "<img src=a alt='",
        "</select>",
        "<select>",
        "\n<div>\n",
        "\n<p hidden>",
        "<Note kind='x'>",
        "<x@y.zz>",
    ),
    *(
        '"',
        "'",
        "“",
        "”",
        "„",
        "‘",
        "’",
        "«",
        "»",
        "‹",
        "›",
        "「",
        "」",
        "6' 2\"",
        "don't",
        "'90s",
        "“a ‘b’ c”",
        " . ",
        ' . " ',
    ),
    *(
        ". ",
        "! ",
        "?! ",
        "... ",
        "…",
        "。",
        "Dr. ",
        "U.S. ",
        "e.g. ",
        "J. K. ",
        "No. 5 ",
        "3.14",
        "The ",
        "word ",
        "said ",
        "A",
        "b",
    ),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "\x00",
        "\x01",
        "\x02",
        "\x0b",
        "\x1c",
        "\x85",
        "\xa0",
        "\u2028",
        "\ufeff",
        "\ud800",
        "\udc00",
    ),
    *("😀", "👩‍👩‍👧", "e\u0301", "שלום ", "\u202eabc", "中文", "ﷺ", "ẞ", "İ"),
)
TEXTS = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=24).map("".join),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=12).map("".join),
    st.text(st.characters(), max_size=40),
)


def check_shape(document: Document) -> None:
    """Non-prose spans, sentences and quotations are sorted, disjoint, not empty, in the source; sentences not blank."""
    spans = (
        [(m.start, m.end) for m in document.non_prose],
        [(s.start, s.end) for s in document.sentences],
        document.quotes,
    )
    for kind in spans:
        last = 0
        for start, end in kind:
            assert last <= start < end <= len(document.source)
            last = end
    for sentence in document.sentences:
        text = document.source[sentence.start : sentence.end]
        assert text == text.strip() != ""


def check_prose(document: Document, sentence: Sentence) -> None:
    """Every character is the source's own, in order, the one space of a gap, or one that stands for others; nothing
    unmasked is left out.
    """
    read = prose(document, sentence)
    source = document.source
    masked = {i for m in document.non_prose for i in range(m.start, m.end)}
    gaps = {m.start for m in document.non_prose if m.gap}
    assert len(read.text) == len(read.offsets)
    replaced = {m.start: m for m in document.non_prose if m.read_as}
    once = [offset for offset in read.offsets if offset not in replaced]
    assert once == sorted(set(once))
    assert list(read.offsets) == sorted(read.offsets)
    assert read.text == read.text.strip()
    assert any(map(str.isalnum, read.text))
    for character, offset in zip(read.text, read.offsets, strict=True):
        assert sentence.start <= offset < sentence.end
        if offset in replaced:
            assert character in replaced[offset].read_as
        else:
            assert (character == " " and offset in gaps) if offset in masked else character == source[offset]
    shown = [offset for offset in read.offsets if offset not in masked]
    assert shown == [offset for offset in range(sentence.start, sentence.end) if offset not in masked]


@pytest.mark.parametrize("kind", LAID_OUT)
def test_any_text_keeps_every_character_in_place(kind: Format) -> None:
    @settings(max_examples=600, deadline=None)
    @given(TEXTS)
    def check(source: str) -> None:
        document = parse(source, kind)
        assert document.source == source
        assert document.format is kind
        assert isinstance(detect_format("draft.txt", source), Format)
        check_shape(document)
        for sentence in document.sentences:
            check_prose(document, sentence)

    check()


@pytest.mark.parametrize("kind", LAID_OUT)
def test_every_word_outside_markup_is_in_a_sentence(kind: Format) -> None:
    @settings(max_examples=300, deadline=None)
    @given(TEXTS)
    def check(source: str) -> None:
        document = parse(source, kind)
        covered = {i for m in document.non_prose for i in range(m.start, m.end)}
        covered |= {i for s in document.sentences for i in range(s.start, s.end)}
        lost = [source[i] for i in range(len(source)) if source[i].isalnum() and i not in covered]
        assert not lost

    check()


@pytest.mark.parametrize("kind", LAID_OUT)
@pytest.mark.parametrize(
    "fragment", ["[[a|", "{{a|", "<ref>", "<div ", "![", "\n> ", "  - ", "“", '" ', "> ", "'''", "[http://a "]
)
def test_deep_and_unclosed_mark_up_is_read(kind: Format, fragment: str) -> None:
    document = parse(fragment * 3000 + "\n\nThe end is prose.", kind)
    check_shape(document)
    last = document.sentences[-1]
    assert prose(document, last).text == "The end is prose."


@pytest.mark.parametrize("kind", LAID_OUT)
def test_a_long_line_without_a_stop_is_one_sentence(kind: Format) -> None:
    source = "word " * 20_000
    assert [(s.start, s.end) for s in parse(source, kind).sentences] == [(0, len(source) - 1)]
