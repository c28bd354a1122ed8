"""Protects the bullets and numbers of lists in docx, odt and html: they are what their own programs show."""

from __future__ import annotations

import pytest

from core.formats.loader import open_document
from tests.core.formats.builders import W, docx, odt, odt_note, paragraph, relations, run

PARTS = relations(("styles", "styles.xml"), ("numbering", "numbering.xml"))
NUMBERING = f"""<w:numbering xmlns:w="{W}">
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1)"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl>
<w:lvl w:ilvl="2"><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="2"><w:styleLink w:val="Steps"/>
<w:lvl w:ilvl="0"><w:lvlText w:val="Step %1:"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="3"><w:numStyleLink w:val="Steps"/></w:abstractNum>
<w:abstractNum w:abstractNumId="4"><w:lvl w:ilvl="0"><w:numFmt w:val="none"/><w:lvlText w:val=""/></w:lvl>
</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>
</w:num><w:num w:numId="4"><w:abstractNumId w:val="3"/></w:num><w:num w:numId="5"><w:abstractNumId w:val="4"/></w:num>
</w:numbering>"""
STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:type="paragraph" w:styleId="Num"><w:name w:val="Own"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>
</w:style><w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Own 2"/><w:basedOn w:val="Num"/>
<w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="H"><w:name w:val="heading 2"/>
<w:pPr><w:numPr><w:numId w:val="5"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="LB"><w:name w:val="List Bullet 2"/></w:style>
<w:style w:type="paragraph" w:styleId="LN"><w:name w:val="List Number"/></w:style></w:styles>"""

NUMBERED = (
    '<text:list-style style:name="L1">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="i" style:num-prefix="(" style:num-suffix=")"'
    ' text:display-levels="2" text:start-value="2"/>'
    '<text:list-level-style-bullet text:level="3" text:bullet-char="-"><style:text-properties/>'
    "</text:list-level-style-bullet></text:list-style>"
    '<text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format=""/>'
    "</text:list-style>"
)


def labels(data: bytes, name: str) -> list[tuple[str, int, str]]:
    """The words, the level and the label of each list item and paragraph with a look of its own."""
    container = open_document(data, name=name).container
    assert container is not None
    assert container.save(container.text) == data
    return [
        (container.text[start:end], style.list_level, style.label)
        for start, end, style in container.appearance.paragraphs
    ]


def listed(list_id: int, level: int, text: str) -> str:
    number = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list_id}"/></w:numPr>'
    return f"<w:p><w:pPr>{number}</w:pPr>{run(text)}</w:p>"


def item(*content: str, value: str = "") -> str:
    said = f' text:start-value="{value}"' if value else ""
    return f"<text:list-item{said}>{''.join(content)}</text:list-item>"


def odt_list(*items: str, style: str = "L1", more: str = "") -> str:
    return f'<text:list text:style-name="{style}"{more}>{"".join(items)}</text:list>'


def test_a_docx_numbers_items_by_the_definition_of_their_list() -> None:
    body = "".join(
        [
            listed(1, 0, "a"),
            listed(1, 1, "b"),
            listed(1, 2, "c"),
            paragraph(run("by style"), style="Num"),
            paragraph(run("deeper"), style="Sub"),
            listed(2, 0, "goes on"),
            listed(3, 0, "begins anew"),
            listed(3, 0, "and goes on"),
            listed(4, 0, "linked"),
            listed(4, 0, ""),
            listed(4, 0, "last"),
            paragraph(run("Head"), style="H"),
            paragraph(run("named"), style="LB"),
            paragraph(run("numbered"), style="LN"),
        ]
    )
    extra: dict[str, bytes | str] = {
        "word/numbering.xml": NUMBERING,
        "word/styles.xml": STYLES,
        "word/_rels/document.xml.rels": PARTS,
    }
    assert labels(docx(body, extra=extra), "a.docx") == [
        ("a", 1, "III)"),
        ("b", 2, "III.a"),
        ("c", 3, "▪"),
        ("by style", 1, "IV)"),
        ("deeper", 2, "IV.a"),
        ("goes on", 1, "V)"),
        ("begins anew", 1, "I)"),
        ("and goes on", 1, "II)"),
        ("linked", 1, "Step 1:"),
        ("", 1, "Step 2:"),
        ("last", 1, "Step 3:"),
        ("Head", 0, ""),
        ("named", 2, "◦"),
        ("numbered", 1, "1."),
    ]


def test_an_odt_numbers_items_by_the_style_of_their_list() -> None:
    body = "".join(
        [
            odt_list(
                item(
                    "<text:p>a</text:p><text:p>more of it</text:p><text:list>",
                    item("<text:p>b</text:p>"),
                    item("<text:p>c</text:p><text:list>", item("<text:p>d</text:p>"), "</text:list>"),
                    "</text:list>",
                ),
                item("<text:p>e</text:p>"),
                "<text:list-header><text:p>no item</text:p></text:list-header>",
                item("<text:p/>"),
                more=' xml:id="one"',
            ),
            "<text:p>between</text:p>",
            odt_list(item("<text:p>goes on</text:p>"), more=' text:continue-numbering="true"'),
            odt_list(item("<text:p>begins anew</text:p>")),
            odt_list(item("<text:p>of the first</text:p>"), more=' text:continue-list="one"'),
            odt_list(item("<text:p>nine</text:p>", value="9"), item("<text:p>ten</text:p>")),
            odt_list(item("<text:p>none</text:p>"), style="L2"),
            odt_list(item("<text:p>unknown</text:p>"), style="L3"),
        ]
    )
    assert labels(odt(body, automatic=NUMBERED), "a.odt") == [
        ("a", 1, "1."),
        ("more of it", 1, ""),
        ("b", 2, "(1.ii)"),
        ("c", 2, "(1.iii)"),
        ("d", 3, "▪"),
        ("e", 1, "2."),
        ("no item", 1, ""),
        ("", 1, "3."),
        ("goes on", 1, "4."),
        ("begins anew", 1, "1."),
        ("of the first", 1, "5."),
        ("nine", 1, "9."),
        ("ten", 1, "10."),
        ("none", 1, ""),
        ("unknown", 1, "•"),
    ]


def test_a_list_in_a_note_of_an_odt_does_not_count_for_the_list_around_it() -> None:
    inner = "".join(["</text:p>", odt_list(item("<text:p>in the note</text:p>")), "<text:p>"])
    body = odt_list(item(f"<text:p>a{odt_note('1', f'b{inner}c')}</text:p>"), item("<text:p>d</text:p>"))
    assert [one for one in labels(odt(body, automatic=NUMBERED), "a.odt") if one[1]] == [
        ("a", 1, "1."),
        ("d", 1, "2."),
        ("in the note", 1, "1."),
    ]


def test_the_styles_of_lists_of_a_whole_odt_count_where_the_text_has_none_of_that_name() -> None:
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    names = " ".join(f'xmlns:{one}="{office}{one}:1.0"' for one in ("office", "text", "style"))
    common = NUMBERED.replace('"L1"', '"Numbering_20_1"')
    styles = (
        f"<office:document-styles {names}><office:styles>{common}</office:styles></office:document-styles>"
    )
    data = odt(odt_list(item("<text:p>a</text:p>"), style="Numbering_20_1"), extra={"styles.xml": styles})
    assert labels(data, "a.odt") == [("a", 1, "1.")]


def test_numbered_headings_of_an_odt() -> None:
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    names = " ".join(f'xmlns:{one}="{office}{one}:1.0"' for one in ("office", "text", "style"))
    outline = "".join(
        f'<text:outline-level-style text:level="{level}" style:num-format="{numbers}" text:display-levels="{level}"/>'
        for level, numbers in ((1, "1"), (2, "1"), (3, ""))
    )
    styles = (
        f"<office:document-styles {names}><office:styles><text:outline-style>{outline}</text:outline-style>"
        "</office:styles></office:document-styles>"
    )
    unnumbered = ' text:is-list-header="true"'
    heads = [("One", 1, ""), ("Sub", 2, ""), ("Deep", 3, ""), ("Not", 2, unnumbered), ("Next", 2, "")]
    body = "".join(
        f'<text:h text:outline-level="{level}"{said}>{text}</text:h>' for text, level, said in heads
    )
    assert labels(odt(body, extra={"styles.xml": styles}), "a.odt") == [
        ("One", 1, "1"),
        ("Sub", 2, "1.1"),
        ("Deep", 0, ""),
        ("Not", 0, ""),
        ("Next", 2, "1.2"),
    ]


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ('<ol type="a" start="3"><li>x<li>y</ol>', ["c.", "d."]),
        ('<ol type="I"><li>x<li value="7">y<li>z</ol>', ["I.", "VII.", "VIII."]),
        ('<ol start="none"><li>x<li value="">y</ol>', ["1.", "2."]),
        ('<ol start="-1"><li>x<li>y<li>z</ol>', ["-1.", "0.", "1."]),
        ("<ol><li>x<ul><li>y</ul><li>z</ol>", ["1.", "◦", "2."]),
        ("<ul><li><p>x</p><p>more</p></ul>", ["•", ""]),
        ("<ol><li>x<br>more<li>y</ol>", ["1.", "2."]),
    ],
)
def test_a_page_numbers_items_as_a_browser_does(page: str, shown: list[str]) -> None:
    assert [label for _, _, label in labels(page.encode(), "a.html")] == shown
