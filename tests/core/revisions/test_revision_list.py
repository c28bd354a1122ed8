"""Protects the list of the revisions of a file: what was done to which words, by whom, when and where."""

from __future__ import annotations

from datetime import datetime

import pytest

from core.formats.docx import open_docx
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.resolve import accept, accept_all, has_revisions, read_revisions, reject, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Revision, RevisionKind, Stamp, Story
from tests.core.formats.builders import ODT_RICH, W, docx, odt, paragraph, relations, run
from tests.core.formats.checks import part

TIME = "2024-05-06T07:08:09"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"


def who(author: str = "B", time: str = f"{TIME}Z") -> str:
    return f'w:id="1" w:author="{author}" w:date="{time}"'


def inserted(content: str, author: str = "B") -> str:
    return f"<w:ins {who(author)}>{content}</w:ins>"


def deleted(text: str, author: str = "B") -> str:
    return f'<w:del {who(author)}><w:r><w:delText xml:space="preserve">{text}</w:delText></w:r></w:del>'


def docx_of(body: str, **more: object) -> OfficeDocument:
    return open_docx(docx(body, **more), name="draft.docx")  # type: ignore[arg-type]


def listed(document: OfficeDocument) -> list[tuple[str, str, str]]:
    """Kind, words and author of each revision."""
    return [(one.kind.value, one.text, one.author) for one in read_revisions(document)]


def placed(document: OfficeDocument) -> list[tuple[int, int] | None]:
    return [one.place for one in read_revisions(document)]


def change(author: str = "B") -> str:
    return (
        f"<office:change-info><dc:creator>{author}</dc:creator><dc:date>{TIME}.000000000</dc:date>"
        "</office:change-info>"
    )


def region(number: str, *kinds: str, author: str = "B") -> str:
    """A region of an odt; each kind is ``insertion`` or ``deletion`` with the deleted paragraphs after a colon."""
    inside = ""
    for kind in kinds:
        tag, _, content = kind.partition(":")
        inside += f"<text:{tag}>{change(author)}{content}</text:{tag}>"
    return f'<text:changed-region xml:id="{number}" text:id="{number}">{inside}</text:changed-region>'


def put_in(number: str, text: str) -> str:
    start, end = (f'<text:change-{way} text:change-id="{number}"/>' for way in ("start", "end"))
    return start + text + end


def mark(number: str) -> str:
    return f'<text:change text:change-id="{number}"/>'


def odt_of(body: str, *regions: str) -> OfficeDocument:
    changes = f"<text:tracked-changes>{''.join(regions)}</text:tracked-changes>" if regions else ""
    return open_odt(odt(changes + body), name="draft.odt")


def test_a_revision_of_a_docx_says_what_who_when_and_where() -> None:
    document = docx_of(
        paragraph(run("One ")) + paragraph(run("two "), inserted(run("new ")), deleted("old "), run("x"))
    )
    assert document.text == "One \ntwo new x"
    first, second = read_revisions(document)
    assert (first.kind, first.text, first.author) == (RevisionKind.INSERTED, "new ", "B")
    assert first.time == datetime(2024, 5, 6, 7, 8, 9)
    assert (first.story, document.text[slice(*first.place or (0, 0))]) == (Story.BODY, "new ")
    assert (second.kind, second.text, second.place) == (RevisionKind.DELETED, "old ", (13, 13))


def test_adjacent_changes_are_one_revision_only_of_one_person_at_one_time_and_of_one_kind() -> None:
    later = f"<w:ins {who(time='2024-05-06T08:00:00Z')}>{run('d')}</w:ins>"
    body = paragraph(
        inserted(run("a")),
        inserted(run("b", "<w:b/>")),
        inserted(run("c"), "C"),
        later,
        run("-"),
        inserted(run("e")),
    )
    assert listed(docx_of(body)) == [
        ("inserted", "ab", "B"),
        ("inserted", "c", "C"),
        ("inserted", "d", "B"),
        ("inserted", "e", "B"),
    ]


def test_a_deletion_inside_an_insertion_is_a_revision_of_its_own() -> None:
    document = docx_of(
        paragraph(run("a "), inserted(run("big ") + deleted("bad ", "C") + run("dog")), run(" z"))
    )
    assert listed(document) == [("inserted", "big bad dog", "B"), ("deleted", "bad ", "C")]
    outer, inner = read_revisions(document)
    text = open_docx(reject(document, [inner]), name="x")
    assert text.text == "a big bad dog z"
    assert listed(text) == [("inserted", "big bad dog", "B")]
    kept = open_docx(accept(document, [outer]), name="x")
    assert listed(kept) == [("deleted", "bad ", "C")]
    assert open_docx(reject(document, [outer]), name="x").text == "a  z"


def test_ends_of_paragraphs_and_rows_belong_to_the_words_around_them() -> None:
    mark_of = f"<w:pPr><w:rPr><w:ins {who()}/></w:rPr></w:pPr>"
    body = f"<w:p>{mark_of}{run('a')}{inserted(run('b'))}</w:p>" + paragraph(inserted(run("c")), run("d"))
    row = f"<w:tr><w:trPr><w:del {who()}/></w:trPr><w:tc>{paragraph(deleted('e'))}</w:tc></w:tr>"
    document = docx_of(f"{body}<w:tbl><w:tblPr/>{row}</w:tbl>{paragraph(run('z'))}")
    assert listed(document) == [("inserted", "b\nc", "B"), ("deleted", "e\n", "B")]
    assert open_docx(reject(document, read_revisions(document)[:1]), name="x").text == "ad\n\nz"
    assert "<w:tr>" not in part(accept(document, read_revisions(document)[1:]), "word/document.xml")


def test_both_places_of_a_move_are_one_revision() -> None:
    start, end = f'<w:moveFromRangeStart {who()} w:name="m"/>', '<w:moveFromRangeEnd w:id="1"/>'
    origin = f"{start}<w:moveFrom {who()}>{run('b')}</w:moveFrom>{end}"
    document = docx_of(paragraph(run("a"), origin, run("c"), origin.replace("moveFrom", "moveTo")))
    assert listed(document) == [("moved", "b", "B")]
    assert placed(document) == [(2, 3)]
    [move] = read_revisions(document)
    assert accept(document, [move]) == accept_all(document)
    assert reject(document, [move]) == reject_all(document)


def test_a_changed_look_is_listed_with_its_words() -> None:
    look = f"<w:b/><w:rPrChange {who()}><w:rPr/></w:rPrChange>"
    style = f"<w:pPr><w:pPrChange {who('C')}><w:pPr/></w:pPrChange></w:pPr>"
    document = docx_of(f"<w:p>{style}{run('a ')}{run('bold', look)}</w:p>")
    assert listed(document) == [("formatted", "a bold\n", "C"), ("formatted", "bold", "B")]


def test_a_text_box_in_two_forms_is_listed_once_and_resolved_in_both() -> None:
    box = f"<w:txbxContent>{paragraph(run('a '), inserted(run('new')))}</w:txbxContent>"
    forms = (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>'
        f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict>"
        "</mc:Fallback></mc:AlternateContent></w:r>"
    )
    document = docx_of(paragraph(forms))
    assert listed(document) == [("inserted", "new", "B")]
    assert accept(document, read_revisions(document)) == accept_all(document)


def test_revisions_of_footers_and_notes_have_their_story_and_no_place() -> None:
    names = {"word/footer1.xml": "ftr", "word/footnotes.xml": "footnotes"}
    extra = {
        name: f'<w:{tag} xmlns:w="{W}">{paragraph(deleted("old"))}</w:{tag}>' for name, tag in names.items()
    }
    targets = relations(("footer", "footer1.xml"), ("footnotes", "footnotes.xml"))
    document = docx_of(paragraph(run("a")), extra={**extra, "word/_rels/document.xml.rels": targets})
    assert has_revisions(document)
    found = read_revisions(document)
    assert [(one.story, one.text, one.place) for one in found] == [
        (Story.FOOTER, "old", None),
        (Story.FOOTNOTES, "old", None),
    ]
    after = accept(document, found[:1])
    assert "old" not in part(after, "word/footer1.xml")
    assert "old" in part(after, "word/footnotes.xml")


def test_a_time_that_is_none_is_no_time_and_a_missing_author_is_empty() -> None:
    [revision] = read_revisions(docx_of(paragraph(f'<w:ins w:id="1" w:date="yesterday">{run("a")}</w:ins>')))
    assert (revision.author, revision.time) == ("", None)


def test_a_file_without_revisions_has_none() -> None:
    for document in (docx_of(paragraph(run("a"))), odt_of(ODT_RICH)):
        assert not has_revisions(document)
        assert read_revisions(document) == []


def test_a_protected_file_is_listed_and_not_changed() -> None:
    protection = '<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
    document = docx_of(paragraph(inserted(run("a"))), settings=protection)
    found = read_revisions(document)
    assert len(found) == 1
    with pytest.raises(ContainerError, match="protected against changes"):
        accept(document, found)


def test_revisions_of_an_odt_say_what_who_when_and_where() -> None:
    body = f"<text:p>One</text:p><text:p>two {put_in('ct1', 'new ')}{mark('ct2')}x</text:p>"
    document = odt_of(
        body, region("ct1", "insertion"), region("ct2", "deletion:<text:p>old </text:p>", author="C")
    )
    assert document.text == "One\ntwo new x"
    first, second = read_revisions(document)
    assert (first.kind, first.text, first.author) == (RevisionKind.INSERTED, "new ", "B")
    assert (first.time, first.place) == (datetime(2024, 5, 6, 7, 8, 9), (8, 12))
    assert (second.kind, second.text, second.author) == (RevisionKind.DELETED, "old ", "C")
    assert second.place == (12, 12)
    assert open_odt(reject(document, [second]), name="x").text == "One\ntwo new old x"
    assert open_odt(reject(document, [first]), name="x").text == "One\ntwo x"


def test_adjacent_changes_of_an_odt_are_one_revision_of_one_person() -> None:
    body = f"<text:p>a {put_in('ct1', 'b ')}{put_in('ct2', 'c ')}{put_in('ct3', 'd')}</text:p>"
    regions = region("ct1", "insertion"), region("ct2", "insertion"), region("ct3", "insertion", author="C")
    assert listed(odt_of(body, *regions)) == [("inserted", "b c ", "B"), ("inserted", "d", "C")]


def test_an_insertion_of_an_odt_that_another_person_deleted_is_an_insertion_again_when_that_is_rejected() -> (
    None
):
    document = odt_of(
        f"<text:p>a{mark('ct1')} z</text:p>", region("ct1", "deletion:<text:p> b</text:p>", "insertion")
    )
    assert listed(document) == [("deleted", " b", "B")]
    again = open_odt(reject(document, read_revisions(document)), name="x")
    assert again.text == "a b z"
    assert listed(again) == [("inserted", " b", "B")]
    assert open_odt(reject(again, read_revisions(again)), name="x").text == "a z"
    assert open_odt(reject_all(document), name="x").text == "a z"


def test_what_was_deleted_in_deleted_words_comes_to_light_with_them() -> None:
    outer = f"deletion:<text:p> b{mark('ct2')} d</text:p>"
    document = odt_of(
        f"<text:p>a{mark('ct1')} z</text:p>",
        region("ct1", outer),
        region("ct2", "deletion:<text:p> c</text:p>"),
    )
    assert listed(document) == [("deleted", " b d", "B")]
    again = open_odt(reject(document, read_revisions(document)), name="x")
    assert (again.text, listed(again)) == ("a b d z", [("deleted", " c", "B")])
    assert open_odt(reject_all(document), name="x").text == "a b c d z"
    assert "changed-region" not in part(accept(document, read_revisions(document)), "content.xml")


def test_revisions_of_headers_and_footers_of_an_odt_are_listed() -> None:
    names = (
        "".join(f' xmlns:{name}="{_OASIS}{name}:1.0"' for name in ("office", "text", "style"))
        + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    )
    stories = "".join(
        f"<style:{tag}><text:tracked-changes>{region(number, 'insertion')}</text:tracked-changes>"
        f"<text:p>a {put_in(number, 'b')}</text:p></style:{tag}>"
        for tag, number in (("header", "ct1"), ("footer", "ct2"))
    )
    styles = (
        f"<office:document-styles{names}><office:master-styles><style:master-page>{stories}"
        "</style:master-page></office:master-styles></office:document-styles>"
    )
    document = open_odt(odt("<text:p>a</text:p>", extra={"styles.xml": styles}), name="draft.odt")
    assert [(one.story, one.text) for one in read_revisions(document)] == [
        (Story.HEADER, "b"),
        (Story.FOOTER, "b"),
    ]


def test_a_reword_that_is_saved_here_is_one_deletion_and_one_insertion() -> None:
    stamp = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
    for document in (
        docx_of(paragraph(run("The shameful record."))),
        odt_of("<text:p>The shameful record.</text:p>"),
    ):
        note = [Note(4, 19, "")]
        data = save_tracked(document, "The poor files.", stamp, note)
        found: list[Revision] = read_revisions(document.opener(data, name="x"))
        assert sorted((one.kind.value, one.text, one.author) for one in found) == [
            ("deleted", "shameful record", "Ann Example"),
            ("inserted", "poor files", "Ann Example"),
        ]
        assert {one.time for one in found} == {stamp.time}


def test_a_revision_in_a_file_without_a_paragraph_is_listed_at_the_start() -> None:
    document = docx_of(inserted(run("new")))
    assert document.text == ""
    assert listed(document) == [("inserted", "new", "B")]
    assert placed(document) == [(0, 0)]
