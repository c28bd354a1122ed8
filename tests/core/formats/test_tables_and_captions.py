"""Protects the look of tables, captions and line breaks: which paragraphs begin a cell, name a figure, or go on."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.formats.loader import open_document
from core.formats.styles import Style, is_caption
from core.text.appearance import ParagraphStyle
from tests.core.formats.builders import W, docx, odt, odt_note, paragraph, run, text_box

Shown = list[tuple[str, str]]
_FLAGS = {
    "starts_row": "row",
    "starts_cell": "cell",
    "in_header": "header",
    "ends_table": "end",
    "caption": "caption",
    "aside": "aside",
}
STYLES = f"""<w:styles xmlns:w="{W}">
<w:style w:type="paragraph" w:styleId="Beschriftung"><w:name w:val="caption"/></w:style>
<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="House"/><w:basedOn w:val="Beschriftung"/></w:style>
<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid Table 4"/><w:rPr><w:i/></w:rPr>
<w:tblStylePr w:type="lastRow"><w:rPr><w:b w:val="0"/></w:rPr></w:tblStylePr>
<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>
<w:style w:type="table" w:styleId="MyGrid"><w:basedOn w:val="Grid"/></w:style></w:styles>"""


def shown(data: bytes, name: str) -> Shown:
    """The paragraphs with a look of their own, and what holds of them; all of them lie in the text."""
    container = open_document(data, name=name).container
    assert container is not None
    assert container.save(container.text) == data
    return [
        (
            container.text[start:end],
            " ".join(short for name, short in _FLAGS.items() if getattr(style, name)),
        )
        for start, end, style in container.appearance.paragraphs
    ]


def table(*rows: str, properties: str = "") -> str:
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr>{''.join(rows)}</w:tbl>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr>"


def p(text: str, style: str = "") -> str:
    return paragraph(run(text), style=style)


def odt_table(*rows: str) -> str:
    return f"<table:table>{''.join(rows)}</table:table>"


def odt_row(*cells: str) -> str:
    made = "".join(f"<table:table-cell>{cell}</table:table-cell>" for cell in cells)
    return f"<table:table-row>{made}</table:table-row>"


def test_rows_and_cells_of_a_docx() -> None:
    body = "".join(
        [
            table(row(p("Year"), p("City"), properties="<w:tblHeader/>"), row(p("a") + p("b"), "<w:p/>")),
            p("between"),
            table(row(p("x"), properties='<w:tblHeader w:val="0"/>')),
        ]
    )
    assert shown(docx(body), "a.docx") == [
        ("Year", "row cell header"),
        ("City", "cell header"),
        ("a", "row cell"),
        ("b", ""),
        ("", "cell end"),
        ("x", "row cell end"),
    ]


@pytest.mark.parametrize(
    ("properties", "is_header"),
    [
        ('<w:tblStyle w:val="MyGrid"/><w:tblLook w:firstRow="1"/>', True),
        ('<w:tblStyle w:val="Grid"/><w:tblLook w:val="04A0"/>', True),
        ('<w:tblStyle w:val="Grid"/><w:tblLook w:val="0480"/>', False),
        ('<w:tblStyle w:val="Other"/><w:tblLook w:firstRow="1"/>', False),
        ('<w:tblLook w:firstRow="1"/>', False),
    ],
)
def test_the_first_row_of_a_docx_is_a_header_where_the_style_of_the_table_has_it_bold(
    properties: str, is_header: bool
) -> None:
    rows = (row(p("a"), p("b")), row(p("c")))
    first = table(*rows, properties='<w:tblStyle w:val="Grid"/>')
    data = docx(
        first + p("-") + table(*rows, properties=properties) + p("plain"),
        extra={"word/styles.xml": STYLES},
    )
    header = " header" * is_header
    plain = [("a", "row cell"), ("b", "cell"), ("c", "row cell end")]
    assert shown(data, "a.docx") == [*plain, ("a", f"row cell{header}"), ("b", f"cell{header}"), plain[2]]


def test_a_table_in_a_cell_of_a_docx_and_text_boxes() -> None:
    inner = table(row(p("in"), p("side")))
    body = table(row(p("a") + inner + p("after"), paragraph(run("b"), text_box("box"))))
    assert shown(docx(body), "a.docx") == [
        ("a", "row cell"),
        ("in", "row cell"),
        ("side", "cell"),
        ("after", "cell"),
        ("b\ufffc", "cell"),
        ("box", "end"),
    ]
    boxed = text_box("x").replace(p("x"), table(row(p("x"))) + p("y"))
    assert shown(docx(paragraph(run("a"), boxed)), "a.docx") == [("x", "row cell end")]


def test_rows_and_cells_of_an_odt() -> None:
    head = f"<table:table-header-rows>{odt_row('<text:p>Year</text:p>')}</table:table-header-rows>"
    note = odt_note("1", "n")
    body = odt_table(
        head,
        odt_row(
            f"<text:p>a{note}</text:p><text:p>b</text:p>",
            f"{odt_table(odt_row('<text:p>in</text:p>'))}<text:p/>",
        ),
    )
    assert shown(odt(f"{body}<text:p>plain</text:p>"), "a.odt") == [
        ("Year", "row cell header"),
        ("a", "row cell"),
        ("b", ""),
        ("in", "row cell"),
        ("", "cell end"),
        ("n", "aside"),
    ]


def test_rows_and_cells_of_a_page() -> None:
    page = (
        "<table><caption>Rain</caption><tr><th>Year<th>mm<tr><th>2001<td><p>5</p><p>6</p><td><td>7</table>"
        "<table><tr><td></table><table role=presentation><tr><td>layout<table><tr><td>x</table></table>"
        "<figure><img><figcaption>A <b>dog</b></figcaption></figure><td>stray"
    )
    assert shown(page.encode(), "a.html") == [
        ("Rain", "caption"),
        ("Year", "row cell header"),
        ("mm", "cell header"),
        ("2001", "row cell header"),
        ("5", "cell"),
        ("6", ""),
        ("7", "cell end"),
        ("x", "row cell end"),
        ("A dog", "caption"),
    ]


def test_captions_of_word_processors() -> None:
    data = docx(
        p("By name", "Beschriftung") + p("By base", "Own") + p("No"), extra={"word/styles.xml": STYLES}
    )
    assert shown(data, "a.docx") == [("By name", "caption"), ("By base", "caption")]
    styles = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Table"/>'
        + "".join(
            f'<style:style style:name="{name}" style:family="paragraph" style:parent-style-name="Caption"/>'
            for name in ("Table", "Figure")
        )
    )
    body = "".join(
        f'<text:p text:style-name="{name}">{name}</text:p>'
        for name in ("P1", "Figure", "Illustration", "Caption", "Table_20_Contents")
    )
    assert shown(odt(body, automatic=styles), "a.odt") == [
        (name, "caption") for name in ("P1", "Figure", "Illustration", "Caption")
    ]


@pytest.mark.parametrize(
    "name", "Caption|caption|Image Caption|TableCaption|Illustration|Figure_20_Caption".split("|")
)
def test_names_of_styles_for_captions(name: str) -> None:
    assert is_caption(name, {})
    assert is_caption("x", {"x": Style(name)})


@pytest.mark.parametrize(
    "name", "Table|Captioned Figure|Recaption|Heading 1|Illustrations|Normal|".split("|")
)
def test_names_of_styles_for_other_text(name: str) -> None:
    assert not is_caption(name, {})


def test_a_paragraph_has_all_its_lines() -> None:
    broken = "<w:r><w:t>one</w:t><w:br/><w:t>two</w:t></w:r>"
    data = docx(paragraph(broken) + p("plain") + paragraph(broken, style="Heading1"))
    assert shown(data, "a.docx") == [("one\ntwo", ""), ("one\ntwo", "")]
    body = "<text:p>one<text:line-break/>two</text:p><text:p>plain</text:p>"
    assert shown(odt(body), "a.odt") == [("one\ntwo", "")]
    page = b"<p>one<br>two<p>plain<p>x<br></p><h1>one<br>two</h1><pre>a\n\nb</pre>"
    container = open_document(page, name="a.html").container
    assert container is not None
    looks = [
        (container.text[start:end], style.heading) for start, end, style in container.appearance.paragraphs
    ]
    assert looks == [("one\ntwo", 0), ("one\ntwo", 1), ("a\n\nb", 0)]


BROKEN_TABLES = [
    "<table:table-row><text:p>a</text:p></table:table-row><table:table-cell/>",
    "<text:p>a<table:table-row/><table:table-cell/><table:table/></text:p>",
    "<table:table-cell><text:p>a</text:p></table:table-cell><text:list-item><text:p>b</text:p></text:list-item>",
]


@pytest.mark.parametrize("body", BROKEN_TABLES)
def test_rows_and_cells_without_a_table_open_nevertheless(body: str) -> None:
    assert open_document(odt(body), name="a.odt").container is not None


Cell = list[str]
CELL = ParagraphStyle(in_table=True)
WORDS = st.text("ab 🙂é", min_size=1, max_size=6).map(lambda text: " ".join(f"x{text}y".split()))
CELLS = st.lists(WORDS, min_size=1, max_size=3)
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=3), min_size=1, max_size=3)
BLOCKS = st.lists(st.one_of(WORDS, TABLES), min_size=1, max_size=6)


def expected(blocks: list[str | list[list[Cell]]]) -> list[tuple[str, ParagraphStyle]]:
    found: list[tuple[str, ParagraphStyle]] = []
    for block in blocks:
        if isinstance(block, str):
            found.append((block, ParagraphStyle()))
            continue
        for cells in block:
            for number, cell in enumerate(cells):
                for place, words in enumerate(cell):
                    begins = not place
                    found.append((words, replace(CELL, starts_row=begins and not number, starts_cell=begins)))
        found[-1] = (found[-1][0], replace(found[-1][1], ends_table=True))
    return found


def written(kind: Format, blocks: list[str | list[list[Cell]]]) -> bytes:
    if kind is Format.DOCX:
        return docx(
            "".join(
                p(block)
                if isinstance(block, str)
                else table(*(row(*("".join(map(p, cell)) for cell in cells)) for cells in block))
                for block in blocks
            )
        )
    if kind is Format.ODT:

        def one(words: str) -> str:
            return f"<text:p>{words}</text:p>"

        return odt(
            "".join(
                one(block)
                if isinstance(block, str)
                else odt_table(*(odt_row(*("".join(map(one, cell)) for cell in cells)) for cells in block))
                for block in blocks
            )
        )
    return "".join(
        f"<p>{block}"
        if isinstance(block, str)
        else "<table>"
        + "".join("<tr>" + "".join("<td><p>" + "<p>".join(cell) for cell in cells) for cells in block)
        + "</table>"
        for block in blocks
    ).encode()


@pytest.mark.parametrize("kind", [Format.DOCX, Format.ODT, Format.HTML], ids=str)
@given(blocks=BLOCKS)
def test_what_is_said_of_paragraphs_is_at_their_offsets(
    kind: Format, blocks: list[str | list[list[Cell]]]
) -> None:
    container = FORMATS[kind].open_container(written(kind, blocks), name="draft")
    wanted = expected(blocks)
    assert container.text.split("\n") == [words for words, _ in wanted]
    starts = [0]
    for words, _ in wanted:
        starts.append(starts[-1] + len(words) + 1)
    assert list(container.appearance.paragraphs) == [
        (start, start + len(words), style)
        for start, (words, style) in zip(starts, wanted, strict=False)
        if style != ParagraphStyle()
    ]
