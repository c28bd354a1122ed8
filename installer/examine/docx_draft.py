"""A docx draft as a word processor writes it, and its comparison after it was edited and saved."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass

MAIN = "word/document.xml"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
_MARKUP = re.compile(r"<[^>]*>")

_PARAGRAPHS = (
    (("b", "Harbour plan goes to the council"),),
    (("", "The council met on Tuesday and heard the engineers for two hours."),),
    (("", "The "), ("i", "legendary"), ("", " architect of the plan answered questions from residents.")),
    (
        ("", "The minutes call the lease a "),
        ("b", "shameful"),
        ("", " deal and list the rent of each stall."),
    ),
    (("", "The vote is due in March. The rent is 210,000 crowns a year."),),
)
"""Runs of (formatting, words) of each paragraph."""


def draft() -> bytes:
    """A docx with a heading, words in bold and italics, styles, a picture and properties."""
    body = "".join(f"<w:p>{''.join(_run(*run) for run in runs)}</w:p>" for runs in _PARAGRAPHS)
    parts: dict[str, bytes | str] = {
        "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="png" ContentType="image/png"/>'
        f'<Override PartName="/{MAIN}" ContentType="{_WORD}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{_WORD}.styles+xml"/></Types>',
        "_rels/.rels": _relations(("officeDocument", MAIN)),
        MAIN: f'{_HEAD}<w:document xmlns:w="{_W}"><w:body>{body}<w:sectPr/></w:body></w:document>',
        "word/_rels/document.xml.rels": _relations(("styles", "styles.xml"), ("image", "media/image1.png")),
        "word/styles.xml": f'{_HEAD}<w:styles xmlns:w="{_W}"><w:style w:type="paragraph" w:default="1" '
        'w:styleId="Normal"><w:name w:val="Normal"/></w:style></w:styles>',
        "word/media/image1.png": bytes(range(256)) * 8,
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 5, 6, 7, 8, 10)), content)
    return made.getvalue()


def _run(formatting: str, words: str) -> str:
    properties = f"<w:rPr><w:{formatting}/></w:rPr>" if formatting else ""
    return f'<w:r>{properties}<w:t xml:space="preserve">{words}</w:t></w:r>'


def _relations(*targets: tuple[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{rows}</Relationships>'


@dataclass(frozen=True, slots=True)
class DocxChange:
    """What differs between two states of a docx.

    ``parts``: the names of the parts that differ in content, order or archive metadata. ``markup``: whether the markup
    of the main part differs, ignoring words. ``before`` and ``after``: its words.
    """

    parts: tuple[str, ...]
    markup: bool
    before: str
    after: str


def compare_docx(before: bytes, after: bytes) -> DocxChange:
    """Compare two states of a docx part by part. Raises BadZipFile and KeyError."""
    old, new = _parts(before), _parts(after)
    names = dict.fromkeys((*old, *new))
    parts = tuple(name for name in names if old.get(name) != new.get(name))
    if not parts and list(old) != list(new):
        parts = tuple(names)
    xml = [state[MAIN][1].decode("utf-8") for state in (old, new)]
    markup = _MARKUP.findall(xml[0]) != _MARKUP.findall(xml[1])
    return DocxChange(parts, markup, *(_MARKUP.sub("", one) for one in xml))


def _parts(data: bytes) -> dict[str, tuple[object, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            info.filename: ((info.date_time, info.compress_type, info.external_attr), archive.read(info))
            for info in archive.infolist()
        }
