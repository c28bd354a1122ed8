"""Protects the look of docx, odt and html: headings, lists, emphasis, links and tables are where the file has them."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from core.formats.loader import open_document
from core.text.appearance import Appearance, TextStyle, merge_runs
from tests.core.formats.builders import W, docx, odt, paragraph, relations, run

FO = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'
LISTED = '<w:p><w:pPr><w:numPr><w:ilvl w:val="{}"/><w:numId w:val="{}"/></w:numPr></w:pPr>{}</w:p>'
NUMBERING = f"""<w:numbering xmlns:w="{W}">
<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>
</w:numbering>"""
PARTS = relations(("styles", "styles.xml"), ("numbering", "numbering.xml"))
HTML = """<h2>A <em>head</em></h2><p>Some <b>bold <i>both</i></b> and <a href="x">a link</a>, <code>code</code>.</p>
<ol><li>One<li>Two<ul><li>Deep</ul></ol><blockquote><p>Said.</p></blockquote>
<table><tr><th>Year</th><td>2001</td></tr></table>"""
CELL = {"in_table": True, "starts_cell": True}


def shown(data: bytes, name: str) -> tuple[list[tuple[str, str]], list[tuple[str, dict[str, object]]]]:
    """The runs as (words, names of what holds), and the paragraphs as (words, what is not the default)."""
    container = open_document(data, name=name).container
    assert container is not None
    text, look = container.text, container.appearance
    return (
        [
            (text[start:end], " ".join(key for key, on in asdict(style).items() if on))
            for start, end, style in look.runs
        ],
        [
            (text[start:end], {key: value for key, value in asdict(style).items() if value})
            for start, end, style in look.paragraphs
        ],
    )


def test_a_docx() -> None:
    link = f'<w:hyperlink w:anchor="a">{run("a link")}</w:hyperlink>'
    cell = f"<w:tbl><w:tr><w:tc>{paragraph(run('Cell'))}</w:tc></w:tr></w:tbl>"
    body = "".join(
        [
            paragraph(run("Title"), style="Heading1"),
            paragraph(
                run("Some "),
                run("bold", "<w:b/>"),
                run(" "),
                link,
                run("."),
                run("u", '<w:u w:val="single"/>'),
            ),
            LISTED.format(0, 1, run("One")),
            LISTED.format(0, 1, run("Two")),
            LISTED.format(0, 2, run("Bullet")),
            LISTED.format(0, 0, run("None")),
            cell,
            paragraph(run("After")),
        ]
    )
    data = docx(body, extra={"word/numbering.xml": NUMBERING, "word/_rels/document.xml.rels": PARTS})
    runs, paragraphs = shown(data, "a.docx")
    assert runs == [("bold", "bold"), ("a link", "linked"), ("u", "underlined")]
    assert paragraphs == [
        ("Title", {"heading": 1}),
        ("One", {"list_level": 1, "label": "1."}),
        ("Two", {"list_level": 1, "label": "2."}),
        ("Bullet", {"list_level": 1, "label": "•"}),
        ("Cell", CELL | {"starts_row": True, "ends_table": True}),
    ]


def test_an_odt() -> None:
    styles = (
        '<style:style style:name="B" style:family="text">'
        f'<style:text-properties {FO} fo:font-weight="bold" fo:font-style="italic"/></style:style>'
    )
    body = (
        '<text:h text:outline-level="2">Head</text:h>'
        '<text:p>Some <text:span text:style-name="B">bold</text:span> <text:a>link</text:a>.</text:p>'
        "<text:list><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Deep</text:p>"
        "</text:list-item></text:list></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Cell</text:p></table:table-cell></table:table-row>"
        "</table:table>"
    )
    runs, paragraphs = shown(odt(body, automatic=styles), "a.odt")
    assert runs == [("bold", "bold italic"), ("link", "linked")]
    assert paragraphs == [
        ("Head", {"heading": 2}),
        ("One", {"list_level": 1, "label": "•"}),
        ("Deep", {"list_level": 2, "label": "◦"}),
        ("Cell", CELL | {"starts_row": True, "ends_table": True}),
    ]


def test_a_page() -> None:
    runs, paragraphs = shown(HTML.encode(), "a.html")
    assert runs == [
        ("head", "italic"),
        ("bold ", "bold"),
        ("both", "bold italic"),
        ("a link", "linked"),
        ("code", "code"),
        ("Year", "bold"),
    ]
    assert paragraphs == [
        ("A head", {"heading": 2}),
        ("One", {"list_level": 1, "label": "1."}),
        ("Two", {"list_level": 1, "label": "2."}),
        ("Deep", {"list_level": 2, "label": "◦"}),
        ("Said.", {"quoted": True}),
        ("Year", CELL | {"starts_row": True, "in_header": True}),
        ("2001", CELL | {"ends_table": True}),
    ]


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.html"])
def test_the_saved_bytes_are_those_that_were_opened(name: str) -> None:
    data = {
        "a.docx": docx(paragraph(run("A", "<w:b/>"))),
        "a.odt": odt("<text:p>A</text:p>"),
        "a.html": b"<b>A</b>",
    }
    container = open_document(data[name], name=name).container
    assert container is not None
    assert isinstance(container.appearance, Appearance)
    assert container.save(container.text) == data[name]


def test_overlapping_runs_are_cut() -> None:
    assert merge_runs([("bold", (0, 4)), ("italic", (2, 6)), ("bold", (5, 5))]) == (
        (0, 2, TextStyle(bold=True)),
        (2, 4, TextStyle(bold=True, italic=True)),
        (4, 6, TextStyle(italic=True)),
    )
