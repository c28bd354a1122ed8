"""Protects which comments of a file are shown in its text: those of people, each with its words, and no others."""

from __future__ import annotations

from core.answers.answers import read_people_comments
from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from tests.core.formats.builders import comment, commented, docx, odt, paragraph, run

W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"
LOEXT = "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"


def shown(document: OfficeDocument) -> list[tuple[str, str, str]]:
    """The author, the text and the words of each comment."""
    return [
        (one.author, one.text, document.text[slice(*one.place)])
        for one in read_people_comments(document)
        if one.place is not None
    ]


def test_comments_of_a_docx_are_those_that_people_wrote() -> None:
    body = paragraph(
        run("The "),
        commented(1, run("poor "), commented(2, run("record"))),
        run(" is "),
        commented(3, run("bad")),
        commented(4),
        commented(5, run(" here.")),
    )
    comments = (
        comment(1, "Ben", "Who says so?", "And when?")
        + comment(2, "Cleo", "“record”", "Evenhand 0a1b2c3d")
        + comment(3, "Ben", " Evenhand  OFF ")
        + comment(4, "Cleo", "A word is missing.")
        + comment(5, "Ben", "")
        + comment(9, "Ben", "On nothing that is in the text.")
    )
    assert shown(open_docx(docx(body, comments=comments), name="draft.docx")) == [
        ("Ben", "Who says so?\nAnd when?", "poor record"),
        ("Cleo", "A word is missing.", ""),
    ]


def test_a_comment_of_a_docx_that_has_only_a_mark_is_where_its_mark_is() -> None:
    mark = '<w:r><w:commentReference w:id="1"/></w:r>'
    body = paragraph(run("One.")) + paragraph(run("The poor record"), mark, run(" ends."))
    document = open_docx(docx(body, comments=comment(1, "Ben", "Who says so?")), name="draft.docx")
    (found,) = read_people_comments(document)
    assert found.place == (20, 20)
    assert document.text[:20].endswith("The poor record")


def test_a_comment_of_a_docx_that_begins_in_deleted_words_is_on_the_words_that_follow() -> None:
    """LibreOffice writes the start of a range into the deletion of its first word."""
    start = '<w:commentRangeStart w:id="1"/>'
    deleted = f'<w:del w:id="9" w:author="Ben">{start}<w:r><w:delText>bad</w:delText></w:r></w:del>'
    end = '<w:commentRangeEnd w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>'
    body = paragraph(run("The "), deleted, run("poor"), end, run(" record."))
    assert shown(open_docx(docx(body, comments=comment(1, "Ben", "Why?")), name="draft.docx")) == [
        ("Ben", "Why?", "poor")
    ]


def test_an_answer_without_a_place_is_on_the_words_of_its_comment() -> None:
    asked = "<text:p>Who says so?</text:p></office:annotation>"
    body = (
        '<text:p>The <office:annotation office:name="a"><dc:creator>Ben</dc:creator>'
        f'{asked}poor record<office:annotation-end office:name="a"/>'
        f'<office:annotation office:name="b" xmlns:loext="{LOEXT}" loext:parent-name="a" loext:resolved="true">'
        "<dc:creator>Cleo</dc:creator><text:p>I do.</text:p></office:annotation> ends.</text:p>"
        '<text:p><office:annotation office:name="c"><text:p>evenhand off</text:p></office:annotation>Off'
        '<office:annotation-end office:name="c"/></text:p>'
    )
    document = open_odt(odt(body), name="draft.odt")
    found = shown(document)
    assert found[0] == ("Ben", "Who says so?", "poor record")
    assert [(author, text) for author, text, _ in found[1:]] == [("Cleo", "I do.")]
    assert [one.is_resolved for one in read_people_comments(document)] == [False, True]
    one = comment(1, "Ben", "Who says so?").replace("<w:p>", f'<w:p xmlns:w14="{W14}" w14:paraId="0A">')
    other = comment(2, "Cleo", "I do.").replace("<w:p>", f'<w:p xmlns:w14="{W14}" w14:paraId="0B">')
    relation = "http://schemas.microsoft.com/office/2011/relationships/commentsExtended"
    data = docx(paragraph(commented(1, run("Poor"))), comments=one + other)
    plain = open_docx(data, name="draft.docx")
    relations = plain.package.read("word/_rels/document.xml.rels").decode()
    extra = {
        "word/commentsExtended.xml": f'<w15:commentsEx xmlns:w15="{W15}">'
        '<w15:commentEx w15:paraId="0B" w15:paraIdParent="0A"/></w15:commentsEx>',
        "word/_rels/document.xml.rels": relations.replace(
            "</Relationships>",
            f'<Relationship Id="rId9" Type="{relation}" Target="commentsExtended.xml"/></Relationships>',
        ),
    }
    threaded = open_docx(
        docx(paragraph(commented(1, run("Poor"))), comments=one + other, extra=extra), name="x"
    )
    assert shown(plain) == [("Ben", "Who says so?", "Poor")]
    assert shown(threaded) == [("Ben", "Who says so?", "Poor"), ("Cleo", "I do.", "Poor")]
