"""Protects comments on findings: on their words, in a file whose text and other parts stay as they were."""

from __future__ import annotations

import re
from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answers.comments import read_comments
from core.formats.docx import open_docx
from core.formats.loader import open_document
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.annotate import add_comments, annotate
from core.revisions.types import Note, Stamp
from core.storage.draft_comments import DraftComment
from tests.core.formats.builders import ODT_RICH, RICH, docx, field, odt, paragraph, run
from tests.core.formats.checks import members, part

MAIN = "word/document.xml"
STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))


def opened(body: str) -> OfficeDocument:
    return open_docx(docx(body), name="draft.docx")


def commented(data: bytes) -> list[str]:
    """The words in the range of each comment, in the order of the ranges."""
    xml = part(data, MAIN)
    ranges = re.findall(r'<w:commentRangeStart w:id="(\d+)"/>(.*?)<w:commentRangeEnd w:id="\1"/>', xml)
    return ["".join(re.findall(r"<w:t[^>]*>([^<]*)</w:t>", content)) for _, content in ranges]


def test_each_comment_is_on_its_words_and_names_the_author() -> None:
    document = opened(paragraph(run("The shameful "), run("record", "<w:b/>"), run(" is bad")))
    notes = [Note(4, 12, "Loaded"), Note(13, 22, "Two\nlines")]
    data = annotate(document, notes, STAMP)
    assert commented(data) == ["shameful", "record is"]
    comments = part(data, "word/comments.xml")
    assert comments.count('w:author="Ann Example"') == 2
    assert re.findall(r">([^<]+)</w:t>", comments) == ["Loaded", "Two", "lines"]
    assert re.search(r"<w:r><w:rPr><w:b/></w:rPr><w:t[^>]*>record</w:t></w:r><w:r><w:t", part(data, MAIN))


def test_comments_that_touch_do_not_overlap() -> None:
    data = annotate(opened(paragraph(run("one two"))), [Note(0, 3, "a"), Note(3, 7, "b")], STAMP)
    assert commented(data) == ["one", " two"]


@pytest.mark.parametrize("name", ["draft.docx", "draft.odt"])
def test_added_comments_may_overlap_and_have_their_own_author_and_time(name: str) -> None:
    container = open_document(
        docx(paragraph(run("one two three")))
        if name == "draft.docx"
        else odt("<text:p>one two three</text:p>"),
        name=name,
    ).container
    assert container is not None
    times = [datetime(2026, 1, 2, 3, 4, 5), datetime(2026, 6, 7, 8, 9, 10), datetime(2026, 6, 7, 8, 9, 11)]
    added = [
        DraftComment(4, 13, "Second", "Ben", times[1]),
        DraftComment(0, 7, "First", "Ann", times[0]),
        DraftComment(4, 7, "Third", "Cleo", times[2]),
    ]
    again = open_document(add_comments(container, added), name=name).container
    assert isinstance(again, OfficeDocument)
    assert again.text == "one two three"
    found = {one.text: (one.place, one.author, one.time) for one in read_comments(again)}
    assert found == {
        "First": ((0, 7), "Ann", times[0]),
        "Second": ((4, 13), "Ben", times[1]),
        "Third": ((4, 7), "Cleo", times[2]),
    }


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_added_comments_anywhere_leave_the_text_and_are_all_there(seed: int) -> None:
    random = Random(seed)
    for data, name in ((docx(RICH), "draft.docx"), (odt(ODT_RICH), "draft.odt")):
        container = open_document(data, name=name).container
        assert container is not None
        added = []
        for number in range(4):
            start = random.randrange(len(container.text))
            end = random.randint(start + 1, len(container.text))
            added.append(DraftComment(start, end, f"Why {number}", "Ann", datetime(2026, 1, 2)))
        again = open_document(add_comments(container, added), name=name).container
        assert isinstance(again, OfficeDocument)
        assert again.text == container.text
        assert {one.text for one in added} <= {one.text for one in read_comments(again)}


def test_a_comment_on_part_of_a_field_is_on_the_paragraph() -> None:
    data = annotate(
        opened(paragraph(run("On "), field("DATE", "3 May"), run(" it ends"))), [Note(5, 8, "a")], STAMP
    )
    assert commented(data) == ["On 3 May it ends"]


def test_a_comment_on_an_empty_paragraph_stands_in_it() -> None:
    document = opened(paragraph(run("One")) + '<w:p w:rsidR="7"/>' + "<w:p/>" + paragraph(run("Two")))
    xml = part(annotate(document, [Note(4, 5, "Why")], STAMP), "word/document.xml")
    start, end = (f'<w:commentRange{what} w:id="1"/>' for what in ("Start", "End"))
    mark = '<w:r><w:commentReference w:id="1"/></w:r>'
    assert f'<w:p w:rsidR="7">{start}{end}{mark}</w:p><w:p/>' in xml


def test_without_notes_the_bytes_are_the_same() -> None:
    document = opened(RICH)
    assert annotate(document, [], STAMP) is document.package.data


def test_another_format_and_a_protected_file_are_refused_in_a_sentence() -> None:
    page = open_document(b"<p>One</p>", name="draft.html").container
    assert page is not None
    with pytest.raises(ContainerError, match=r"can only be .* \(\.docx, \.odt\)"):
        annotate(page, [Note(0, 1, "a")], STAMP)
    protection = '<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'
    document = open_docx(docx(paragraph(run("One")), settings=protection), name="draft.docx")
    with pytest.raises(ContainerError, match="protected against changes"):
        annotate(document, [Note(0, 1, "a")], STAMP)


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_comments_anywhere_leave_the_text_and_every_other_part(seed: int) -> None:
    random = Random(seed)
    document = opened(RICH)
    places = sorted(random.sample(range(len(document.text) + 1), 8))
    notes = [Note(start, end, "Why") for start, end in zip(places[::2], places[1::2], strict=True)]
    data = annotate(document, notes, STAMP)
    assert open_docx(data, name="draft.docx").text == document.text
    assert part(data, "word/comments.xml").count("<w:comment ") == 4
    xml = part(data, MAIN)
    for tag in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        assert len(set(re.findall(rf'<w:{tag} w:id="(\d+)"/>', xml))) == 4
    before, after = members(document.package.data), members(data)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {MAIN, "[Content_Types].xml", "word/_rels/document.xml.rels"}


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_comments_anywhere_in_an_odt_leave_the_text_and_every_other_part(seed: int) -> None:
    random = Random(seed)
    document = open_odt(odt(ODT_RICH), name="draft.odt")
    places = sorted(random.sample(range(len(document.text) + 1), 8))
    notes = [Note(start, end, "Why") for start, end in zip(places[::2], places[1::2], strict=True)]
    data = annotate(document, notes, STAMP)
    assert open_odt(data, name="draft.odt").text == document.text
    names = re.findall(r'<office:annotation(?:-end)? office:name="(\w+)"', part(data, "content.xml"))
    assert sorted(names) == sorted(2 * list(dict.fromkeys(names)))
    assert len(names) == 8
    before, after = members(document.package.data), members(data)
    assert {name for name in before if before[name] != after[name]} == {"content.xml"}
