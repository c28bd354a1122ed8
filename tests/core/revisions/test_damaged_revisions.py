"""Protects against damaged files with revisions and comments: refused in a sentence, or whatever is written opens."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.annotate import annotate
from core.revisions.resolve import accept, accept_all, read_revisions, reject, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Revision, Stamp
from tests.core.formats.builders import ODT_RICH, RICH, docx, odt, paragraph, run, zipped
from tests.core.formats.checks import edited

STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
_COMMENT = '<w:comment w:id="7" w:author="B"><w:p><w:r><w:t>Old</w:t></w:r></w:p></w:comment>'
_TAG = re.compile(rb"<[^>]+>")
_ODT_WRAPPERS = tuple(
    b"text:" + name for name in (b"p", b"span", b"a", b"list", b"list-item", b"deletion", b"insertion")
)
_WRAPPERS = (b"w:ins", b"w:del", b"w:moveFrom", b"w:moveTo", b"w:rPr", b"w:pPr", b"w:r", b"w:p")


def tracked_parts() -> dict[str, bytes]:
    """The members of a file with revisions of every kind that is written here, and comments."""
    document = open_docx(docx(RICH, comments=_COMMENT, settings="<w:trackRevisions/>"), name="draft.docx")
    text = (
        document.text.replace("shameful", "poor\nword").replace("One cell", "A cell").replace("\n\nK", "\nK")
    )
    data = save_tracked(document, text, STAMP, [Note(0, 20, "Why")])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


PARTS = tracked_parts()
NAMES = [
    *["word/document.xml"] * 5,
    *("word/comments.xml", "word/_rels/document.xml.rels", "[Content_Types].xml", "word/settings.xml"),
]


def tracked_odt() -> dict[str, bytes]:
    """The members of an odt with changes and a comment."""
    document = open_odt(odt(ODT_RICH), name="draft.odt")
    text = (
        document.text.replace("shameful", "poor\nword").replace("First\nS", "S").replace("One cell", "A cell")
    )
    data = save_tracked(document, text, STAMP, [Note(0, 20, "Why")])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


ODT_PARTS = tracked_odt()


def damaged(content: bytes, random: Random, wrappers: Sequence[bytes] = _WRAPPERS) -> bytes:
    """A part with one tag gone, doubled, replaced or renamed, one byte changed, or one element wrapped or emptied."""
    tags = list(_TAG.finditer(content))
    tag, other = random.choice(tags), random.choice(tags)
    start, end = tag.span()
    name = re.match(rb"</?([\w:]+)", tag[0])
    close = content.find(b"</" + name[1] + b">", end) if name else -1
    match random.randint(0, 6):
        case 0:
            return content[:start] + content[end:]
        case 1:
            return content[:start] + other[0] + content[start:]
        case 2:
            return content[:start] + other[0] + content[end:]
        case 3 if name and (new := re.match(rb"</?([\w:]+)", other[0])):
            return re.sub(rb"(</?)" + name[1] + rb"(?=[\s/>])", rb"\1" + new[1], content)
        case 4 if close > 0 and name and not tag[0].endswith(b"/>"):
            wrapper = random.choice(wrappers)
            close += len(name[1]) + 3
            inside = content[start:close]
            return content[:start] + b'<%b w:id="99">%b</%b>' % (wrapper, inside, wrapper) + content[close:]
        case 5 if close > 0 and not tag[0].endswith(b"/>"):
            return content[:end] + content[close:]
    place = random.randrange(len(content))
    return content[:place] + bytes([random.randrange(256)]) + content[place + 1 :]


def check_damaged(seed: int) -> None:
    random = Random(seed)
    name = random.choice(NAMES)
    content = PARTS[name]
    for _ in range(random.randint(1, 3)):
        content = damaged(content, random) if _TAG.search(content) else content
    data = zipped(PARTS | {name: content})
    try:
        document = open_docx(data, name="draft.docx")
    except ContainerError:
        return
    check_writing(document, random)


def check_writing(document: OfficeDocument, random: Random) -> None:
    notes = [Note(place, place + 1, "Why") for place in range(0, len(document.text), 40)]
    for write in (
        lambda: accept_all(document),
        lambda: reject_all(document),
        lambda: accept(document, some_revisions(document, random)),
        lambda: reject(document, some_revisions(document, random)),
        lambda: save_tracked(document, edited(document, random), STAMP, notes[:1]),
        lambda: annotate(document, notes, STAMP),
    ):
        try:
            data = write()
        except ContainerError:
            continue
        document.opener(data, name="draft")


def some_revisions(document: OfficeDocument, random: Random) -> list[Revision]:
    found = read_revisions(document)
    return random.sample(found, min(len(found), random.randint(1, 2)))


def check_damaged_odt(seed: int) -> None:
    random = Random(seed)
    content = ODT_PARTS["content.xml"]
    for _ in range(random.randint(1, 3)):
        content = damaged(content, random, _ODT_WRAPPERS) if _TAG.search(content) else content
    try:
        document = open_odt(zipped(ODT_PARTS | {"content.xml": content}), name="draft.odt")
    except ContainerError:
        return
    check_writing(document, random)


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
@example(seed=42172)  # Regions of changes that overlap.
def test_a_damaged_odt_is_refused_or_written_soundly(seed: int) -> None:
    check_damaged_odt(seed)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(seed=st.integers(0, 2**32))
def test_ten_thousand_damaged_odts_are_refused_or_written_soundly(seed: int) -> None:
    check_damaged_odt(seed)


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32))
@example(seed=54)
def test_a_damaged_file_is_refused_or_written_soundly(seed: int) -> None:
    check_damaged(seed)


@pytest.mark.slow
@settings(max_examples=10_000)
@given(seed=st.integers(0, 2**32))
def test_ten_thousand_damaged_files_are_refused_or_written_soundly(seed: int) -> None:
    check_damaged(seed)


@pytest.mark.parametrize(
    "body",
    [
        "<w:p><w:pPr/><w:pPr/><w:r><w:t>one</w:t></w:r></w:p>",
        "<w:p><w:r/><w:pPr><w:rPr><w:del/></w:rPr></w:pPr></w:p><w:p/>",
        paragraph("<w:ins>" * 20 + run("deep") + "</w:ins>" * 20),
    ],
)
def test_odd_paragraphs_are_refused_or_written_soundly(body: str) -> None:
    for seed in range(20):
        check_writing(open_docx(docx(body), name="draft.docx"), Random(seed))
