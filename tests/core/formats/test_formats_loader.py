"""Protects opening: a file is what its name or its bytes say, and one that is not read says what to do."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Format, SuppressedRange
from core.documents.format_specs import detect_format, extracts_text
from core.formats.loader import open_document, read_opened
from core.storage.files import FileError
from core.types import ALL_KINDS, Kind

PAGE = (
    b"<!DOCTYPE html><p>The law <!-- evenhand off framing -->is new.</p><blockquote>He said no.</blockquote>"
)
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def packed(**files: str) -> bytes:
    """A zip file; a double underscore in a name is a slash, a single one a full stop."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def docx(words: str) -> bytes:
    """The least Word document there is."""
    return packed(
        **{
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
            "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="a" Type="{RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f"<w:document {W}><w:body><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:body>"
            "</w:document>",
        }
    )


def odt(words: str) -> bytes:
    """The least OpenDocument text there is."""
    out = io.BytesIO()
    kind = "application/vnd.oasis.opendocument.text"
    office = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    text = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{office}" xmlns:text="{text}"><office:body><office:text>'
            f"<text:p>{words}</text:p></office:text></office:body></office:document-content>",
        )
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>',
        )
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *(("a.html", Format.HTML), ("a.HTM", Format.HTML), ("a.xhtml", Format.HTML), ("a.docx", Format.DOCX)),
        *(
            ("a.odt", Format.ODT),
            ("a.md", Format.MARKDOWN),
            ("a.wiki", Format.WIKITEXT),
            ("a.txt", Format.PLAIN),
        ),
    ],
)
def test_the_name_says_the_format(name: str, form: Format) -> None:
    assert detect_format(name, "plain") is form


@pytest.mark.parametrize(
    ("data", "name", "form", "text"),
    [
        (PAGE, "page.html", Format.HTML, "The law is new.\nHe said no."),
        (PAGE, "page", Format.HTML, "The law is new.\nHe said no."),
        (
            b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- x --><HTML><p>A</p></HTML>",
            "standard input",
            Format.HTML,
            "A",
        ),
        (PAGE, "page.txt", Format.PLAIN, PAGE.decode()),
        (PAGE, "page.md", Format.MARKDOWN, PAGE.decode()),
        (b"A [[link]].\r\n", "draft", Format.WIKITEXT, "A [[link]].\r\n"),
        (b"A law.\r\n", "draft", Format.PLAIN, "A law.\r\n"),
        (docx("A law."), "a.docx", Format.DOCX, "A law."),
        (docx("A law."), "download", Format.DOCX, "A law."),
        (odt("A law."), "a.odt", Format.ODT, "A law."),
        (odt("A law."), "a.txt", Format.ODT, "A law."),
    ],
)
def test_name_then_bytes(data: bytes, name: str, form: Format, text: str) -> None:
    opened = open_document(data, name=name)
    assert (opened.format, opened.text) == (form, text)
    assert (opened.container is not None) == extracts_text(form)
    assert opened.editable
    assert read_opened(opened).source == text
    if opened.container is not None:
        assert opened.container.format is form
        assert opened.container.save(text) == data


def test_the_format_may_be_told() -> None:
    assert open_document(PAGE, name="page.html", format=Format.PLAIN).text == PAGE.decode()
    assert open_document(b"<p>x</p>", name="x.txt", format=Format.HTML).text == "x"
    with pytest.raises(FileError, match=r"not a \.docx file"):
        open_document(b"words", name="x.txt", format=Format.DOCX)


def test_what_the_mark_up_says_goes_into_the_document() -> None:
    opened = open_document(PAGE, name="page.html")
    assert opened.container is not None
    assert opened.container.suppressed == (SuppressedRange(7, len(opened.text), (Kind.FRAMING,)),)
    document = read_opened(opened)
    assert document.suppressed == opened.container.suppressed
    assert [document.source[start:end] for start, end in document.quotes] == ["He said no."]
    assert [sentence.quoted for sentence in document.sentences] == [False, True]
    code = read_opened(open_document(b"<pre>the law</pre>", name="x.html"))
    assert code.suppressed == (SuppressedRange(0, 7, ALL_KINDS),)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (COMPOUND, "old.doc", "Save it as .docx"),
        (COMPOUND, "locked.docx", "password"),
        (COMPOUND, "notes.txt", "Save it as .docx"),
        (b"{\\rtf1 words}", "a.rtf", "rich text format"),
        (b"{\\rtf1 words}", "a.docx", "rich text format"),
        (b"%PDF-1.7\n\x00", "a.pdf", "is a PDF"),
        (b"%PDF-1.7\n\x00", "a.docx", "is a PDF"),
        (packed(**{"Index/Document.iwa": "x"}), "a.pages", "Export it from Pages"),
        (packed(**{"xl/workbook.xml": "x", "[Content_Types].xml": "x"}), "a.xlsx", "archive"),
        (packed(**{"a.txt": "words"}), "a.zip", "archive"),
        (b"words", "a.docx", "not a .docx file"),
        (b"words", "a.odt", "not a .odt file"),
        (b"", "a.docx", "not a .docx file"),
        (docx("x"), "a.odt", "Rename it to end in .docx"),
        (odt("x"), "a.docx", "Rename it to end in .odt"),
        (docx("x"), "a.html", "Rename it to end in .docx"),
        (packed(**{"a.txt": "words"}), "a.html", "archive"),
        (b"PK\x03\x04", "a.docx", "a.docx"),
        (bytes(300), "a.html", "binary"),
        (bytes(300), "a.txt", "binary"),
    ],
)
def test_what_is_not_read_says_what_to_do(data: bytes, name: str, said: str) -> None:
    with pytest.raises(FileError) as error:
        open_document(data, name=name)
    assert said in str(error.value)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


@given(
    st.one_of(st.binary(max_size=120), st.sampled_from([PAGE, docx("A law."), odt("A law."), COMPOUND])),
    st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=3),
    st.sampled_from(["a.docx", "a.odt", "a.html", "a.md", "a.wiki", "a.txt", "a", ".docx", ""]),
)
@settings(max_examples=300)
def test_any_bytes_open_or_are_refused_in_a_sentence(
    data: bytes, changes: list[tuple[int, int]], name: str
) -> None:
    damaged = bytearray(data)
    for place, value in changes:
        if place < len(damaged):
            damaged[place] = value
    try:
        opened = open_document(bytes(damaged), name=name)
    except FileError as error:
        refusal = str(error)
        assert refusal.endswith(".")
        return
    read_opened(opened)
    if opened.container is not None:
        assert opened.container.save(opened.text) == bytes(damaged)
