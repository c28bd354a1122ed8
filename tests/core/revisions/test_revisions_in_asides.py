"""Protects revisions and comments in notes, headers and footers: each stands in its own part, and none is lost."""

from __future__ import annotations

import re
from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.answers.answers import read_answers, sign
from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.annotate import annotate
from core.revisions.resolve import accept_all, read_revisions, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Stamp, Story
from core.types import Finding, Kind
from tests.core.formats.builders import (
    ASIDES,
    MARKED,
    docx_with_asides,
    note,
    note_mark,
    odt,
    odt_note,
    odt_with_margins,
    paragraph,
    run,
)
from tests.core.formats.checks import edited, members, part

STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
MAIN, NOTES, HEADER = "word/document.xml", "word/footnotes.xml", "word/header1.xml"
SMALL = docx_with_asides(
    paragraph(run("First")) + paragraph(run("The law"), note_mark(1), run(" is new.")),
    {"footnotes": note(1, run(" A loaded note.")), "header1": paragraph(run("Draft paper"))},
)
_REGION = (
    '<text:tracked-changes><text:changed-region xml:id="ct1" text:id="ct1"><text:insertion><office:change-info>'
    "<dc:creator>B</dc:creator><dc:date>2023-01-02T03:04:05</dc:date></office:change-info></text:insertion>"
    "</text:changed-region></text:tracked-changes>"
)


def opened(data: bytes) -> OfficeDocument:
    return open_docx(data, name="draft.docx")


def changed(before: bytes, after: bytes) -> list[str]:
    old, new = members(before), members(after)
    return [name for name in new if old.get(name) != new[name]]


def test_an_edit_in_a_note_is_a_revision_of_the_part_with_the_notes() -> None:
    document = opened(SMALL)
    text = document.text.replace("loaded", "fair")
    saved = save_tracked(document, text, STAMP)
    assert changed(SMALL, saved) == [NOTES]
    xml = part(saved, NOTES)
    assert re.search(r'<w:del [^>]*w:author="Ann Example"[^>]*><w:r><w:delText[^>]*>loaded</w:delText>', xml)
    assert re.search(r'<w:ins [^>]*w:author="Ann Example"[^>]*><w:r><w:t[^>]*>fair</w:t>', xml)
    assert opened(saved).text == text
    assert opened(accept_all(opened(saved))).text == text
    assert opened(reject_all(opened(saved))).text == document.text


def test_ids_of_revisions_are_those_of_no_other_part() -> None:
    document = opened(docx_with_asides(MARKED, ASIDES))
    text = document.text.replace("shameful", "poor").replace("loaded", "fair").replace("Draft", "Final")
    saved = save_tracked(document, text, STAMP)
    assert sorted(changed(document.package.data, saved)) == [MAIN, NOTES, HEADER]
    xml = "".join(part(saved, name) for name in (MAIN, NOTES, HEADER))
    ids = re.findall(r'<w:(?:ins|del) w:id="(\d+)"', xml)
    assert len(ids) == len(set(ids))


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_random_tracked_edits_of_text_and_notes_are_accepted_and_rejected(seed: int) -> None:
    random = Random(seed)
    document = opened(docx_with_asides(MARKED, ASIDES))
    before = opened(reject_all(document)).text
    for _ in range(2):
        text = edited(document, random)
        at = random.randint(0, len(document.text))
        notes = [Note(at, random.randint(at, len(document.text)), "Why")]
        document = opened(save_tracked(document, text, STAMP, random.choice(([], notes))))
        assert document.text == text
        assert opened(accept_all(document)).text == text
        assert opened(reject_all(document)).text == before


def test_revisions_in_shown_parts_have_a_place_in_the_text() -> None:
    document = opened(docx_with_asides(MARKED, ASIDES))
    found = [one for one in read_revisions(document) if one.story is Story.ENDNOTES]
    assert [(one.text, document.text[slice(*one.place or (0, 0))]) for one in found] == [
        ("new ", "new "),
        ("old", ""),
    ]
    assert found[1].place == (document.text.index("end", document.text.index("The new")),) * 2


def test_a_comment_on_a_note_stands_at_the_end_of_the_paragraph_with_its_mark() -> None:
    """Word ignores comments in notes and headers."""
    document = opened(SMALL)
    at, header = document.text.index("loaded"), document.text.index("Draft")
    finding = Finding(at, at + 6, "loaded", Kind.FRAMING, 0.9, False, fingerprint="0a1b")
    notes = [Note(at, at + 6, sign("“loaded”: why", finding)), Note(header, header + 5, "Old")]
    saved = annotate(document, notes, STAMP)
    assert sorted(changed(SMALL, saved)) == sorted(
        ["[Content_Types].xml", "word/_rels/document.xml.rels", MAIN, "word/comments.xml"]
    )
    paragraphs = re.findall(r"<w:p>.*?</w:p>", part(saved, MAIN))
    assert ["commentReference" in one for one in paragraphs] == [True, True]
    assert paragraphs[1].startswith(
        '<w:p><w:r><w:t>The law</w:t></w:r><w:r><w:footnoteReference w:id="1"/></w:r>'
    )
    assert "Evenhand 0a1b" in part(saved, "word/comments.xml")
    assert read_answers(opened(saved)) == []


def test_a_tracked_edit_of_a_note_has_its_comment_in_the_text() -> None:
    document = opened(SMALL)
    at = document.text.index("loaded")
    saved = save_tracked(
        document, document.text.replace("loaded", "fair"), STAMP, [Note(at, at + 6, "Fairer")]
    )
    assert "comment" not in part(saved, NOTES)
    assert part(saved, MAIN).count("commentReference") == 1
    assert opened(saved).text == document.text.replace("loaded", "fair")


def odt_text(data: bytes) -> str:
    return open_odt(data, name="draft.odt").text


def test_an_edit_in_a_note_of_an_odt_is_a_change_of_its_text() -> None:
    data = odt(f"<text:p>The law{odt_note('1', 'A loaded note.')} is new.</text:p>")
    document = open_odt(data, name="draft.odt")
    text = "The law is old.\nA fair note.\nMore"
    at = document.text.index("loaded")
    saved = save_tracked(document, text, STAMP, [Note(at, at + 6, "Fairer")])
    assert changed(data, saved) == ["content.xml"]
    again = open_odt(saved, name="draft.odt")
    assert again.text == text
    assert odt_text(accept_all(again)) == text
    assert odt_text(reject_all(again)) == document.text
    note_body = part(saved, "content.xml").partition("<text:note-body>")[2].partition("</text:note-body>")[0]
    assert "annotation" not in note_body
    assert note_body.count("<text:change ") == 1


def test_an_edit_in_a_note_that_a_colleague_inserted_stays_inside_the_note() -> None:
    start, end = ('<text:change-start text:change-id="ct1"/>', '<text:change-end text:change-id="ct1"/>')
    data = odt(f"{_REGION}<text:p>The {start}new law{odt_note('1', 'A loaded note.')} is{end} here.</text:p>")
    document = open_odt(data, name="draft.odt")
    text = document.text.replace("loaded", "very loaded")
    saved = save_tracked(document, text, STAMP)
    xml = part(saved, "content.xml")
    assert xml.count(start) == xml.count(end) == 1
    again = open_odt(saved, name="draft.odt")
    assert odt_text(accept_all(again)) == text
    assert odt_text(reject_all(again)) == "The  here."


def test_a_revision_around_a_note_has_the_place_of_its_words_in_the_text() -> None:
    start, end = ('<text:change-start text:change-id="ct1"/>', '<text:change-end text:change-id="ct1"/>')
    data = odt(
        f"{_REGION}<text:p>The {start}new law{odt_note('1', 'A note.')} is{end} here.</text:p><text:p>b</text:p>"
    )
    document = open_odt(data, name="draft.odt")
    (found,) = read_revisions(document)
    assert found.place is not None
    assert document.text[slice(*found.place)] == "new law is"


def test_a_tracked_edit_of_a_header_of_an_odt_is_refused_in_one_sentence() -> None:
    margins = "<style:header><text:p>Draft</text:p></style:header>"
    document = open_odt(odt_with_margins("<text:p>a</text:p>", margins), name="draft.odt")
    with pytest.raises(ContainerError, match="line 2 was changed in a header or a footer"):
        save_tracked(document, "a\nFinal", STAMP)
    assert odt_text(save_tracked(document, "b\nDraft", STAMP)) == "b\nDraft"
    assert odt_text(document.save("a\nFinal")) == "a\nFinal"


def test_a_comment_on_a_header_of_an_odt_stands_in_the_first_paragraph() -> None:
    margins = "<style:header><text:p>Draft</text:p></style:header>"
    document = open_odt(odt_with_margins("<text:p/><text:p>a</text:p>", margins), name="draft.odt")
    saved = annotate(document, [Note(3, 8, "Old")], STAMP)
    assert "annotation" not in part(saved, "styles.xml")
    assert re.search(r"<text:p>a<office:annotation .*</text:p>", part(saved, "content.xml"))
