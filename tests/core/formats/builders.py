"""Small docx and odt files for tests, written with nothing but the standard library."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PICTURE = bytes(range(256)) * 40

_NAMESPACES = (
    f'xmlns:w="{W}" xmlns:r="{RELATIONS}" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
_TYPES = (
    f'{_HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/>'
    '<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.styles+xml"/></Types>'
)
_STYLES = (
    f'{_HEAD}<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>'
    '</w:style><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
    "</w:styles>"
)


def zipped(members: Mapping[str, bytes | str], *, stored: tuple[str, ...] = ()) -> bytes:
    """A zip with these members in this order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, (2021, 3, 4, 5, 6, 8))
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            info.external_attr = 0o640 << 16
            archive.writestr(info, content)
    return buffer.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    """A part of relationships: (kind, target)."""
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{RELATIONS}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return (
        f'{_HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f"{rows}</Relationships>"
    )


def document(body: str, section: str = "") -> str:
    """The XML of a main part; ``section`` are the properties of its section."""
    properties = f"<w:sectPr>{section}</w:sectPr>" if section else "<w:sectPr/>"
    return f"{_HEAD}<w:document {_NAMESPACES}><w:body>{body}{properties}</w:body></w:document>"


def docx(
    body: str,
    *,
    settings: str = "",
    comments: str = "",
    extra: Mapping[str, bytes | str] | None = None,
    top: tuple[tuple[str, str], ...] = (),
    encoding: str = "utf-8",
) -> bytes:
    """A docx whose body holds this XML. ``extra`` are further members, ``top`` further relationships of the package."""
    targets = [("styles", "styles.xml"), ("image", "media/image1.png")]
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": relations(("officeDocument", "word/document.xml"), *top),
    }
    if settings:
        targets.append(("settings", "settings.xml"))
        members["word/settings.xml"] = f'{_HEAD}<w:settings xmlns:w="{W}">{settings}</w:settings>'
    if comments:
        targets.append(("comments", "comments.xml"))
        members["word/comments.xml"] = f'{_HEAD}<w:comments xmlns:w="{W}">{comments}</w:comments>'
    members["word/_rels/document.xml.rels"] = relations(*targets)
    members["word/document.xml"] = document(body).encode(encoding)
    members["word/media/image1.png"] = PICTURE
    members["word/styles.xml"] = _STYLES
    return zipped(members | dict(extra or {}), stored=("word/media/image1.png",))


def run(text: str, properties: str = "") -> str:
    """A run of text, as Word writes it."""
    space = ' xml:space="preserve"' if text != text.strip() else ""
    return f"<w:r>{f'<w:rPr>{properties}</w:rPr>' if properties else ''}<w:t{space}>{text}</w:t></w:r>"


def paragraph(*content: str, style: str = "") -> str:
    """A paragraph of runs."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(content)}</w:p>"


BY_BEN = 'w:id="1" w:author="Ben" w:date="2024-05-06T07:08:00Z"'
BY_CLEO = 'w:id="2" w:author="Cleo" w:date="2024-05-07T09:10:00Z"'
TRACKED = paragraph(
    run("The "),
    f"<w:del {BY_BEN}><w:r><w:delText>poor</w:delText></w:r></w:del>",
    f"<w:ins {BY_BEN}>{run('shameful')}</w:ins>",
    run(" record."),
) + paragraph(run("It ends"), f"<w:ins {BY_CLEO}>{run(' here')}</w:ins>", run("."))
TRACKED_TEXT = "The shameful record.\nIt ends here."
"""What a docx with tracked changes of two people holds, and its text."""


def field(code: str, result: str) -> str:
    """A field as Word writes it: begin, code, separator, result, end."""
    return (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        f'<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def note_mark(number: int, kind: str = "footnote", attributes: str = "") -> str:
    """A run with the mark of a note."""
    return f'<w:r><w:{kind}Reference w:id="{number}"{attributes}/></w:r>'


def note(number: int, *content: str, kind: str = "footnote", attributes: str = "") -> str:
    """A note; its first paragraph holds its number and then the runs of ``content``."""
    own = f"<w:r><w:{kind}Ref/></w:r>"
    return f'<w:{kind} w:id="{number}"{attributes}>{paragraph(own, *content)}</w:{kind}>'


def comment(number: int, author: str, *lines: str) -> str:
    """A comment for the part of a docx that holds them."""
    body = "".join(paragraph(run(line)) for line in lines)
    return f'<w:comment w:id="{number}" w:author="{author}" w:date="2024-05-06T07:08:00Z">{body}</w:comment>'


def commented(number: int, *content: str) -> str:
    """Runs with a comment on them."""
    return (
        f'<w:commentRangeStart w:id="{number}"/>{"".join(content)}<w:commentRangeEnd w:id="{number}"/>'
        f'<w:r><w:commentReference w:id="{number}"/></w:r>'
    )


def docx_with_asides(
    body: str,
    parts: Mapping[str, str],
    *,
    section: str = "",
    settings: str = "",
    comments: str = "",
    top: tuple[tuple[str, str], ...] = (),
    encoding: str = "utf-8",
) -> bytes:
    """A docx with parts of notes, headers and footers: ``{"footnotes": XML, "header1": XML, …}``.

    Without a ``section`` each header and footer is for the default pages. Their relationships have the ids from 2 on.
    """
    targets = [("styles", "styles.xml"), *((name.rstrip("0123456789"), f"{name}.xml") for name in parts)]
    targets += [("settings", "settings.xml")] * bool(settings) + [("comments", "comments.xml")] * bool(
        comments
    )
    tags = {"header": "hdr", "footer": "ftr"}
    extra: dict[str, bytes | str] = {}
    named = ""
    for number, (kind, target) in enumerate(targets[1 : len(parts) + 1], 2):
        content = parts[target.removesuffix(".xml")]
        tag = tags.get(kind, kind)
        extra[f"word/{target}"] = f"{_HEAD}<w:{tag} {_NAMESPACES}>{content}</w:{tag}>".encode(encoding)
        named += margin(kind, number) if kind in tags else ""
    extra["word/_rels/document.xml.rels"] = relations(*targets)
    extra["word/document.xml"] = document(body, section or named)
    return docx(body, settings=settings, comments=comments, extra=extra, top=top)


def margin(kind: str, number: int, pages: str = "default") -> str:
    """The reference of a section to a header or a footer, by the number of the relationship."""
    return f'<w:{kind}Reference w:type="{pages}" r:id="rId{number}"/>'


def text_box(text: str, fallback: str | None = None) -> str:
    """A run with a text box in two forms."""
    box = f"<w:txbxContent>{paragraph(run(text))}</w:txbxContent>"
    old = f"<w:txbxContent>{paragraph(run(text if fallback is None else fallback))}</w:txbxContent>"
    return (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>'
        f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{old}</v:textbox></w:pict>"
        "</mc:Fallback></mc:AlternateContent></w:r>"
    )


RICH = "".join(
    [
        paragraph(run("The record"), style="Heading1"),
        paragraph(
            run("The "), run("shameful", "<w:b/>"), run(" record of the chairman"),
            '<w:bookmarkStart w:id="0" w:name="here"/>', run(" reveals"), '<w:bookmarkEnd w:id="0"/>',
            '<w:r><w:footnoteReference w:id="2"/></w:r>', run(" it all."),
        ),
        paragraph(),
        paragraph(
            run("Kept "), '<w:ins w:id="5" w:author="A">' + run("put in ") + "</w:ins>",
            '<w:del w:id="6" w:author="A"><w:r><w:delText>put out</w:delText></w:r></w:del>', run("and on."),
        ),
        paragraph(run("Page "), field("PAGE", "12"), run(" of it")),
        paragraph(run("A picture: "), "<w:r><w:drawing/></w:r>", run(" and a box "), text_box("Words in a box")),
        "<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>" + paragraph(run("One cell")) + "</w:tc><w:tc>"
        + paragraph(run("Another")) + paragraph(run("with two")) + "</w:tc></w:tr></w:tbl>",
        "<w:p/>",
        paragraph("<w:r><w:t>Tab</w:t><w:tab/><w:t>and</w:t><w:br/><w:t>line &amp; &lt;more&gt;</w:t></w:r>"),
        paragraph(
            '<w:hyperlink w:anchor="here">' + run("A link", "<w:u/>") + "</w:hyperlink>", run(" 🙂 ends it.")
        ),
    ]
)  # fmt: skip
"""A body with a bit of everything."""

RICH_TEXT = (
    "The record\nThe shameful record of the chairman reveals it all.\n\nKept put in and on.\nPage 12 of it\n"
    "A picture: \ufffc and a box \ufffc\nWords in a box\nOne cell\nAnother\nwith two\n\nTab\tand\nline & <more>\n"
    "A link 🙂 ends it."
)

ASIDES = {
    "footnotes": "".join(
        [
            '<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>',
            note(3, run(" Another note")),
            note(2, run(" A "), run("loaded", "<w:b/>"), run(" note.")).replace(
                "</w:footnote>", f"{paragraph(run('Its second'), text_box('Boxed'))}<w:p/></w:footnote>"
            ),
            note(7, run("Nobody refers to it")),
        ]
    ),
    "endnotes": note(
        2, run(" The "), '<w:ins w:id="8" w:author="A">' + run("new ") + "</w:ins>",
        '<w:del w:id="9" w:author="A"><w:r><w:delText>old</w:delText></w:r></w:del>', run("end"), kind="endnote",
    ),
    "header1": paragraph(run("The Paper, "), field("DATE", "3 May")) + paragraph("<w:r><w:tab/></w:r>", run("Draft")),
    "footer1": paragraph(run("Page "), field("PAGE", "12"), run(" of it")),
}  # fmt: skip
"""Notes, a header and a footer with a bit of everything."""

MARKED = RICH + paragraph(run("Two"), note_mark(3), run(" more"), note_mark(2, "endnote"))
"""A body with the marks of these notes."""

MARKED_TEXT = (
    f"{RICH_TEXT}\nTwo more\n A loaded note.\nIts second\ufffc\nBoxed\n\n Another note\n The new end\n"
    "The Paper, 3 May\n\tDraft\nPage 12 of it"
)

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
_ODT_NAMESPACES = (
    f'xmlns:office="{_OASIS}office:1.0" xmlns:text="{_OASIS}text:1.0" xmlns:table="{_OASIS}table:1.0" '
    f'xmlns:draw="{_OASIS}drawing:1.0" xmlns:style="{_OASIS}style:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'office:version="1.3"'
)
_MANIFEST = (
    f'{_HEAD}<manifest:manifest xmlns:manifest="{_OASIS}manifest:1.0" manifest:version="1.3">'
    '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">{0}</manifest:file-entry>'
    "</manifest:manifest>"
)


def odt(
    body: str, *, encrypted: bool = False, automatic: str = "", extra: Mapping[str, bytes | str] | None = None
) -> bytes:
    """An odt whose text holds this XML."""
    members: dict[str, bytes | str] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": (
            f"{_HEAD}<office:document-content {_ODT_NAMESPACES}><office:automatic-styles><style:style "
            f'style:name="T1" style:family="text"/>{automatic}</office:automatic-styles>'
            f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
        ),
        "styles.xml": f"{_HEAD}<office:document-styles {_ODT_NAMESPACES}/>",
        "Pictures/1.png": PICTURE,
        "META-INF/manifest.xml": _MANIFEST.format("<manifest:encryption-data/>" if encrypted else ""),
    }
    return zipped(members | dict(extra or {}), stored=("mimetype", "Pictures/1.png"))


def odt_note(citation: str, *paragraphs: str, kind: str = "footnote") -> str:
    """A note with its mark."""
    body = "".join(f"<text:p>{content}</text:p>" for content in paragraphs)
    return (
        f'<text:note text:note-class="{kind}"><text:note-citation>{citation}</text:note-citation>'
        f"<text:note-body>{body}</text:note-body></text:note>"
    )


def odt_with_margins(body: str, margins: str, **others: str) -> bytes:
    """An odt whose pages have these headers and footers."""
    styles = (
        f"{_HEAD}<office:document-styles {_ODT_NAMESPACES}><office:master-styles><style:master-page>"
        f"{margins}</style:master-page></office:master-styles></office:document-styles>"
    )
    return odt(body, extra={"styles.xml": styles}, **others)


ODT_RICH = "".join(
    [
        '<text:h text:style-name="H" text:outline-level="1">The record</text:h>',
        '<text:p text:style-name="P1">The <text:span text:style-name="T1">shameful</text:span> record of the chairman'
        '<text:bookmark text:name="here"/> reveals<text:note><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Below</text:p></text:note-body></text:note> it all.</text:p>",
        "<text:p/>",
        '<text:p>Page <text:page-number>12</text:page-number> of<text:s text:c="2"/>it<text:tab/>and<text:line-break/>'
        "line &amp; &lt;more&gt;</text:p>",
        "<text:list><text:list-item><text:p>First</text:p></text:list-item><text:list-item><text:p>Second</text:p>"
        "</text:list-item></text:list>",
        "<text:p>A picture <draw:frame><draw:text-box><text:p>Words in a box</text:p></draw:text-box></draw:frame>"
        ' <text:a>linked</text:a> <text:span text:style-name="T1"> spaced </text:span> out</text:p>',
        "<table:table><table:table-row><table:table-cell><text:p>One cell</text:p></table:table-cell><table:table-cell>"
        "<text:p>Another</text:p><text:p>with two</text:p></table:table-cell></table:table-row></table:table>",
        "<text:p>🙂 ends it.</text:p>",
    ]
)  # fmt: skip
"""A text with a bit of everything."""

ODT_RICH_TEXT = (
    "The record\nThe shameful record of the chairman reveals it all.\n\nPage 12 of  it\tand\nline & <more>\n"
    "First\nSecond\nA picture \ufffc linked spaced out\nWords in a box\nOne cell\nAnother\nwith two\n🙂 ends it.\nBelow"
)
