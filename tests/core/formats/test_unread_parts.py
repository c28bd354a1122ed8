"""Protects from silence: what a file has and its text does not is said, with its number."""

from __future__ import annotations

import pytest
from builders import docx, odt, paragraph, run

from core.documents.format_specs import extracts_text
from core.documents.unread import describe_unread, explain_unread
from core.formats.loader import open_document, read_opened
from core.types import Unread, UnreadKind

_CHUNK = '<w:altChunk r:id="rId9"/>'
_PICTURE = (
    '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
    '<wp:docPr id="1" name="Picture 1" descr="{}"/></wp:inline></w:drawing></w:r>'
)
_CHART = '<w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"/></w:drawing></w:r>'
_FRAME = (
    "<text:p>Text<draw:frame><draw:image/><svg:desc "
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">'
    "{}</svg:desc></draw:frame></text:p>"
)


def said(data: bytes | str, name: str) -> str:
    opened = open_document(data.encode() if isinstance(data, str) else data, name=name)
    return describe_unread(read_opened(opened).unread, shown=not extracts_text(opened.format))


@pytest.mark.parametrize(
    ("body", "things"),
    [
        (paragraph(run("Words.")), ""),
        (paragraph(run("Words.")) + _CHUNK + _CHUNK, "2 imported documents"),
        (paragraph(_PICTURE.format("The disgraced mayor, drunk as ever")), "1 alternative text"),
        (paragraph(_PICTURE.format("IMG_2010.jpg")), ""),
        (paragraph(run("Sales"), _CHART), "1 embedded part"),
    ],
)
def test_parts_of_a_docx_outside_its_text(body: str, things: str) -> None:
    expected = f"Kept in the file but not shown or read here: {things}." if things else ""
    assert said(docx(body), "a.docx") == expected


def test_parts_of_an_odt_outside_its_text() -> None:
    told = said(odt(_FRAME.format("the disgraced mayor") + _FRAME.format("Logo")), "a.odt")
    assert told == "Kept in the file but not shown or read here: 1 alternative text."


@pytest.mark.parametrize(
    ("page", "things"),
    [
        ('<p><img alt="A crook and his awful friends"> Text.</p>', "1 alternative text"),
        ("<p><img alt='' src='the/long/way.png'><img alt=Logo> Text.</p>", ""),
        ('<p hidden><img alt="a crook and his awful friends"></p><p>Text.', ""),
        ("<title>The disgraced mayor lies again</title><p>Text.", "1 metadata field"),
        (
            "<head><meta name=Description content='the disgraced mayor'></head><p>Text.",
            "1 metadata field",
        ),
        ("<p>Text.<textarea>so many awful lies</textarea>", "1 embedded part"),
        (
            "<svg><style>a b c</style><text>so many awful</text><text>and many more</text></svg>",
            "1 embedded part",
        ),
        ("<script>let us be awful</script><style>p { so many }</style><p>Text.", ""),
        ("<svg hidden><text>so many awful lies</text></svg><p>Text.", ""),
    ],
)
def test_parts_of_a_page_outside_its_text(page: str, things: str) -> None:
    expected = f"Kept in the file but not shown or read here: {things}." if things else ""
    assert said(page, "a.html") == expected


@pytest.mark.parametrize("kind", UnreadKind)
def test_every_kind_has_a_name_and_a_reason(kind: UnreadKind) -> None:
    one, many = describe_unread([Unread(kind)]), describe_unread([Unread(kind)] * 1200)
    assert one.startswith("Not read: 1 ")
    assert many.startswith("Not read: 1,200 ")
    assert explain_unread(kind).endswith(".")


def test_the_kinds_are_summed_up_in_one_sentence() -> None:
    parts = [Unread(UnreadKind.NOTE), Unread(UnreadKind.UNCLOSED), Unread(UnreadKind.NOTE)]
    assert describe_unread(parts) == "Not read: 1 unclosed table or template, 2 notes."
    assert describe_unread([]) == ""
