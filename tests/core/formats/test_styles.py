"""Protects quotations that a word processor sets apart by a style: they are the words of others."""

from __future__ import annotations

import pytest

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.formats.loader import open_document, read_opened
from core.formats.styles import Style, is_quoting
from tests.core.formats.builders import W, docx, odt, paragraph, run

DOCX_STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:type="paragraph" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Zitatblock"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="House own"/><w:basedOn w:val="Zitatblock"/></w:style>
<w:style w:type="character" w:styleId="a1"><w:name w:val="Quote Char"/></w:style>
</w:styles>"""
ODT_STYLES = (
    '<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:styles>'
    '<style:style style:name="Quotations" style:family="paragraph"/>'
    '<style:style style:name="House" style:family="paragraph" style:parent-style-name="Quotations"/>'
    "</office:styles></office:document-styles>"
)


def quotes(data: bytes, kind: Format) -> list[str]:
    container = FORMATS[kind].open_container(data, name="draft")
    return [container.text[start:end] for start, end in container.quotes]


def test_paragraphs_and_words_in_words_styles_for_quotations() -> None:
    body = "".join(
        [
            paragraph(run("Ours.")),
            paragraph(run("By name.")).replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="Zitatblock"/></w:pPr>'),
            paragraph(run("By base.")).replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr>'),
            paragraph(run("He spoke of "), run("a farce", '<w:rStyle w:val="a1"/>'), run(" again.")),
            paragraph(run("By id."), style="IntenseQuote"),
            paragraph(run("Before."), style="Zitatblock").replace(
                "</w:pPr>",
                '<w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="Normal"/></w:pPr></w:pPrChange></w:pPr>',
            ),
            paragraph(run("Ours too."), style="Heading1"),
        ]
    )
    data = docx(body, extra={"word/styles.xml": DOCX_STYLES})
    assert quotes(data, Format.DOCX) == ["By name.", "By base.", "a farce", "By id.", "Before."]
    document = read_opened(open_document(data, name="a.docx"))
    assert [sentence.quoted for sentence in document.sentences] == [
        False,
        True,
        True,
        False,
        True,
        True,
        False,
    ]


def test_paragraphs_and_words_in_writers_styles_for_quotations() -> None:
    body = (
        "<text:p>Ours.</text:p>"
        '<text:p text:style-name="Quotations">By name.</text:p>'
        '<text:p text:style-name="House">By base.</text:p>'
        '<text:p>He spoke of <text:span text:style-name="Citation">a <text:span text:style-name="T1">farce</text:span>'
        "</text:span> again.</text:p>"
        '<text:p text:style-name="P1">By an automatic style.</text:p>'
        '<text:p text:style-name="Block_20_Quotation">By a name with a space.</text:p>'
        '<text:h text:style-name="Heading_20_1">Ours too.</text:h>'
    )
    automatic = '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Quotations"/>'
    data = odt(body, automatic=automatic, extra={"styles.xml": ODT_STYLES})
    assert quotes(data, Format.ODT) == [
        "By name.",
        "By base.",
        "a farce",
        "By an automatic style.",
        "By a name with a space.",
    ]


@pytest.mark.parametrize(
    "name",
    "Quote|Intense Quote|IntenseQuote|Block Text|BlockText|Block Quote|blockquote|Quotations|Pull-quote|Zitat"
    "|Intensives Zitat|Citation intense|Quote Char|Long Quotation|Cita|Block_20_Text".split("|"),
)
def test_names_of_styles_for_quotations(name: str) -> None:
    assert is_quoting(name, {})
    assert is_quoting("x", {"x": Style("", "y"), "y": Style(name)})


@pytest.mark.parametrize(
    "name", "Normal|Body Text|Heading 1|Text_20_body|Caption|Excitation|Citadel|Quotient".split("|")
)
def test_names_of_other_styles(name: str) -> None:
    assert not is_quoting(name, {})


def test_styles_that_are_based_on_each_other_end() -> None:
    assert not is_quoting("x", {"x": Style("a", "y"), "y": Style("b", "x")})
