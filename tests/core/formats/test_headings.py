"""Protects what files say of their headings: rules of style packs may leave headings out."""

from __future__ import annotations

import pytest

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.formats.loader import open_document, read_opened
from core.formats.markup_ranges import markup_ranges
from core.formats.styles import Style, heading_level
from tests.core.formats.builders import W, docx, odt, paragraph, run

DOCX_STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:type="paragraph" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/>
<w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="House head"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="Kicker"><w:name w:val="Kicker"/>
<w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Lead"><w:name w:val="Lead"/><w:basedOn w:val="Own"/>
<w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
</w:styles>"""
DOCX = docx(
    "".join(
        [
            paragraph(run("The title."), style="Title"),
            paragraph(run("Ours.")),
            paragraph(run("By name."), style="berschrift1"),
            paragraph(run("By base."), style="Own"),
            paragraph(run("By level."), style="Kicker"),
            paragraph(run("A lead."), style="Lead"),
            paragraph(run("By its own level."), style="Normal").replace(
                "</w:pPr>", '<w:outlineLvl w:val="1"/></w:pPr>'
            ),
            paragraph(run("By id."), style="Heading2"),
        ]
    ),
    extra={"word/styles.xml": DOCX_STYLES},
)
ODT = odt(
    '<text:p text:style-name="P1">The title.</text:p><text:p>Ours.</text:p>'
    '<text:h text:style-name="P2" text:outline-level="1">A <text:span>heading</text:span>.</text:h>'
    '<text:p text:style-name="Heading_20_2">By name.</text:p><text:p text:style-name="Text_20_body">Ours too.</text:p>',
    automatic='<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>'
    '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Standard"/>',
)
PAGE = b"<title>Not shown</title><h1>The <em>title</em>.</h1><p>Ours.</p><section><h2>A heading.</h2>Us.</section>"


def headings(data: bytes, kind: Format) -> list[str]:
    container = FORMATS[kind].open_container(data, name="draft")
    return [
        line for start, end in container.appearance.headings for line in container.text[start:end].split("\n")
    ]


@pytest.mark.parametrize(
    ("data", "kind", "expected"),
    [
        (
            DOCX,
            Format.DOCX,
            ["The title.", "By name.", "By base.", "By level.", "By its own level.", "By id."],
        ),
        (ODT, Format.ODT, ["The title.", "A heading.", "By name."]),
        (PAGE, Format.HTML, ["The title.", "A heading."]),
    ],
)
def test_headings_and_titles_are_told(data: bytes, kind: Format, expected: list[str]) -> None:
    assert headings(data, kind) == expected
    document = read_opened(open_document(data, name=f"a.{kind.value}"))
    assert [document.source[start:end] for start, end in document.headings] == expected


def test_headings_move_with_their_words() -> None:
    page = FORMATS[Format.HTML].open_container(PAGE, name="page.html")
    text = "New.\n" + page.text.replace("A heading", "A longer heading")
    moved = markup_ranges(page, text).parse(text, Format.HTML)
    assert [text[start:end] for start, end in moved.headings] == ["The title.", "A longer heading."]


@pytest.mark.parametrize(
    "name", "Heading 1|heading 3|Heading1|Heading_20_10|Title|Subtitle|Heading".split("|")
)
def test_names_of_headings(name: str) -> None:
    assert heading_level(name, {})
    assert heading_level("x", {"x": Style(name=name)})


@pytest.mark.parametrize("name", ["Heading 1 Char", "Table Heading", "Title Page Text", "Normal", ""])
def test_names_that_are_not(name: str) -> None:
    assert not heading_level(name, {})


def test_styles_that_are_based_on_each_other_end() -> None:
    assert not heading_level("a", {"a": Style(base="b"), "b": Style(base="a")})


def test_a_level_of_thousands_of_digits_is_no_level() -> None:
    """Python refuses to convert so many digits; a damaged file must open all the same."""
    automatic = (
        f'<style:style style:name="P1" style:family="paragraph" style:default-outline-level="{"9" * 5000}"/>'
    )
    damaged = odt('<text:p text:style-name="P1">Ours.</text:p>', automatic=automatic)
    assert headings(damaged, Format.ODT) == []
