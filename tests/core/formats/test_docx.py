"""Protects what a Word document holds beside plain runs: shown or not, locked or not, and there after any edit."""

from __future__ import annotations

import pytest

from core.formats.docx import open_docx
from core.formats.types import Container, ContainerError
from core.types import UnreadKind
from tests.core.formats.builders import W, docx, field, paragraph, run, text_box, zipped
from tests.core.formats.checks import part

MAIN = "word/document.xml"


def opened(body: str, **parts: str) -> Container:
    return open_docx(docx(body, **parts), name="draft.docx")  # type: ignore[arg-type]


def locked(container: Container) -> list[str]:
    return [container.text[lock.start : lock.end] for lock in container.locked if lock.start < lock.end]


def control(properties: str, content: str) -> str:
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>"


def test_tracked_insertions_are_shown_and_edited_and_deletions_are_kept() -> None:
    body = paragraph(
        run("Kept "),
        '<w:ins w:id="1" w:author="A">' + run("new ") + "</w:ins>",
        '<w:del w:id="2" w:author="A"><w:r><w:delText>old</w:delText></w:r></w:del>',
        '<w:moveFrom w:id="3">' + run("gone") + "</w:moveFrom>",
        run("end"),
    )
    container = opened(body)
    assert container.text == "Kept new end"
    xml = part(container.save("Kept newer end"), MAIN)
    assert '<w:ins w:id="1" w:author="A"><w:r><w:t xml:space="preserve">newer </w:t>' in xml
    assert "<w:delText>old</w:delText>" in xml
    assert [part.kind for part in container.unread] == [UnreadKind.DELETION] * 2


def test_a_paragraph_with_a_tracked_end_is_split_and_joined() -> None:
    """What is left has the end of the last: rejected, a paragraph that was there before is there still."""
    theirs = '<w:rPr><w:ins w:id="1" w:author="A"/></w:rPr>'
    body = f"<w:p><w:pPr>{theirs}</w:pPr>{run('new')}</w:p>{paragraph(run('old'))}"
    container = opened(body)
    assert container.text == "new\nold"
    assert not container.locked
    assert "<w:ins" not in part(container.save("newold"), MAIN)
    assert part(container.save("n\new\nold"), MAIN).count(theirs) == 2
    assert part(container.save("new\no\nld"), MAIN).count(theirs) == 1


def test_a_deleted_end_joins_a_paragraph_with_the_next_one() -> None:
    gone = '<w:p><w:pPr><w:rPr><w:del w:id="1" w:author="A"/></w:rPr></w:pPr>'
    container = opened(
        f"{gone}{run('One ')}</w:p>{paragraph(run('two'))}{gone}</w:p><w:p/>{paragraph(run('end'))}"
    )
    assert container.text == "One two\n\nend"
    assert opened_again(container.save("One, two\n\nend")) == "One, two\n\nend"
    with pytest.raises(ContainerError, match="tracked change"):
        container.save("One two\nend")


def opened_again(data: bytes) -> str:
    return open_docx(data, name="x").text


def test_the_result_of_a_field_is_locked_and_its_code_is_not_shown() -> None:
    container = opened(paragraph(run("On "), field("DATE", "3 May"), run(" it ends")))
    assert container.text == "On 3 May it ends"
    assert locked(container) == ["3 May"]


def test_fields_in_fields_and_over_paragraphs_are_locked_whole() -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'
    begin += '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    body = paragraph(run("a"), begin, run("one")) + paragraph(field("HYPERLINK x", "two"), end, run("b"))
    container = opened(body)
    assert container.text == "aone\ntwob"
    assert locked(container) == ["one\ntwo"]


def test_the_text_of_a_link_is_edited_in_both_its_forms() -> None:
    body = paragraph(
        field('HYPERLINK "x"', "first"), '<w:hyperlink w:anchor="a">' + run(" second") + "</w:hyperlink>"
    )
    container = opened(body)
    assert not container.locked
    saved = container.save("First seconds")
    assert "HYPERLINK" in part(saved, MAIN)


def test_a_text_box_is_shown_once_and_both_its_forms_are_edited() -> None:
    container = opened(paragraph(run("Beside "), text_box("the box")))
    assert container.text == "Beside \ufffc\nthe box"
    assert part(container.save("Beside \ufffc\nthe big box"), MAIN).count("the big box") == 2


def test_text_in_two_forms_in_each_other_is_locked_where_it_is_deep() -> None:
    inside = run("deep")
    for _ in range(200):
        inside = f"<mc:AlternateContent><mc:Choice>{inside}</mc:Choice><mc:Fallback/></mc:AlternateContent>"
    container = opened(paragraph(run("a"), inside, run("b")))
    assert container.text == "adeepb"
    assert locked(container) == ["deep"]
    assert open_docx(container.save("aadeepbb"), name="x").text == "aadeepbb"


def test_a_text_box_whose_forms_differ_is_locked() -> None:
    container = opened(paragraph(run("Beside "), text_box("the box", "another")))
    assert locked(container) == ["\ufffc", "\nthe box"]


@pytest.mark.parametrize(
    "properties",
    [
        '<w:lock w:val="contentLocked"/>',
        '<w:lock w:val="sdtContentLocked"/>',
        "<w:date/>",
        "<w:dropDownList/>",
        "<w:showingPlcHdr/>",
        '<w:dataBinding w:xpath="/"/>',
    ],
)
def test_controls_that_are_filled_in_are_locked(properties: str) -> None:
    container = opened(paragraph(run("a "), control(properties, run("form")), run(" b")))
    assert locked(container) == ["form"]
    assert open_docx(container.save("aa form bb"), name="x").text == "aa form bb"


def test_a_control_of_plain_text_is_edited() -> None:
    container = opened(control('<w:lock w:val="sdtLocked"/>', paragraph(run("inside"))))
    assert open_docx(container.save("well inside"), name="x").text == "well inside"


def test_a_locked_paragraph_takes_no_text_at_its_borders() -> None:
    body = paragraph(run("a")) + control('<w:lock w:val="contentLocked"/>', paragraph()) + paragraph(run("b"))
    container = opened(body)
    assert [(lock.start, lock.end) for lock in container.locked] == [(1, 3)]
    with pytest.raises(ContainerError, match="form control"):
        container.save("a\nx\nb")


@pytest.mark.parametrize("enforced", ["1", "true", "on"])
def test_a_protected_document_is_locked_whole(enforced: str) -> None:
    settings = f'<w:documentProtection w:edit="readOnly" w:enforcement="{enforced}"/>'
    container = opened(paragraph(run("All of it")), settings=settings)
    assert locked(container) == ["All of it"]
    assert "protected" in container.notes[-1]
    with pytest.raises(ContainerError, match="protected against changes"):
        container.save("All of it.")


@pytest.mark.parametrize(
    ("attributes", "editable"),
    [
        ('w:formatting="1" w:enforcement="1"', True),
        ('w:formatting="1" w:edit="none" w:enforcement="1"', True),
        ('w:enforcement="1"', True),
        ('w:formatting="1" w:edit="readOnly" w:enforcement="1"', False),
        ('w:edit="comments" w:enforcement="1"', False),
        ('w:edit="trackedChanges" w:enforcement="1"', False),
        ('w:edit="forms" w:enforcement="1"', False),
        ('w:formatting="1" w:edit="forms" w:enforcement="0"', True),
    ],
)
def test_only_a_protection_of_the_text_locks_it(attributes: str, editable: bool) -> None:
    body = paragraph(run("Words to edit"))
    container = opened(body, settings=f"<w:documentProtection {attributes}/>")
    assert locked(container) == ([] if editable else ["Words to edit"])
    if editable:
        saved = open_docx(container.save("Words to change"), name="x")
        assert (saved.text, locked(saved)) == ("Words to change", [])


def test_protection_that_is_not_enforced_locks_nothing() -> None:
    settings = '<w:documentProtection w:edit="readOnly" w:enforcement="0"/><w:trackRevisions/>'
    container = opened(paragraph(run("All of it")), settings=settings)
    assert not container.locked
    assert "Track Changes is on" in container.notes[0]


def test_a_signed_document_is_locked_whole() -> None:
    data = docx(paragraph(run("Signed")), top=(("origin", "_xmlsignatures/origin.sigs"),))
    container = open_docx(data, name="x")
    assert locked(container) == ["Signed"]
    assert "signed" in container.notes[-1]


def test_a_comment_can_switch_the_checks_off_over_its_range() -> None:
    comments = (
        '<w:comment w:id="7"><w:p><w:r><w:t>Evenhand </w:t></w:r><w:r><w:t>off</w:t></w:r></w:p></w:comment>'
    )
    comments += '<w:comment w:id="8"><w:p><w:r><w:t>Nice</w:t></w:r></w:p></w:comment>'
    body = paragraph(run("Checked. "), '<w:commentRangeStart w:id="7"/>', run("Not this")) + paragraph(
        run("nor this"), '<w:commentRangeEnd w:id="7"/>', '<w:commentRangeStart w:id="8"/>',
        run(" but this."), '<w:commentRangeEnd w:id="8"/><w:r><w:commentReference w:id="8"/></w:r>',
    )  # fmt: skip
    container = opened(body, comments=comments)
    assert [container.text[one.start : one.end] for one in container.suppressed] == ["Not this\nnor this"]
    assert [part.kind for part in container.unread] == [UnreadKind.COMMENT]


def test_words_around_what_has_no_width_can_be_deleted() -> None:
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    mark = '<w:bookmarkStart w:id="0" w:name="x"/><w:bookmarkEnd w:id="0"/>'
    container = opened(paragraph(run("one"), note, run("two"), mark, run("three")))
    xml = part(container.save(""), MAIN)
    assert note in xml
    assert mark in xml
    assert container.text == "onetwothree"


def test_return_after_a_footnote_leaves_the_footnote_in_its_paragraph() -> None:
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    container = opened(paragraph(run("one"), note))
    assert "</w:r>" + note + "</w:p><w:p>" in part(container.save("one\ntwo"), MAIN)


def test_formulas_pictures_and_symbols_are_one_locked_character_each() -> None:
    formula = "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>"
    body = paragraph(run("a"), formula, "<w:r><w:object/><w:sym/><w:drawing/></w:r>", run("b"))
    container = opened(body)
    assert container.text == "a\ufffc\ufffc\ufffc\ufffcb"
    typed = "a1\ufffc2\ufffc3\ufffc4\ufffc5b"
    assert open_docx(container.save(typed), name="x").text == typed
    with pytest.raises(ContainerError, match="picture"):
        container.save("a\ufffc\ufffc\ufffcb")


def test_spaces_at_the_ends_of_a_run_are_kept_by_asking_for_it() -> None:
    container = opened(paragraph("<w:r><w:t>  word </w:t></w:r>", run("next")))
    assert container.text == "wordnext"
    xml = part(container.save("word next"), MAIN)
    assert '<w:t xml:space="preserve">word </w:t>' in xml


def test_tabs_and_line_breaks_can_be_typed_over() -> None:
    container = opened(paragraph("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>"))
    assert container.text == "a\tb\nc"
    saved = container.save("ab\tc\td")
    assert open_docx(saved, name="x").text == "ab\tc\td"
    assert part(saved, MAIN).count("<w:tab/>") == 2


def test_a_section_that_ends_in_a_paragraph_cannot_be_joined_away() -> None:
    section = "<w:p><w:pPr><w:sectPr/></w:pPr>" + run("last") + "</w:p>"
    container = opened(paragraph(run("first")) + section + paragraph(run("next")))
    assert locked(container) == ["\n", "\n"]
    with pytest.raises(ContainerError, match="section"):
        container.save("first\nlastnext")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_other_encodings_of_the_main_part_are_read_and_kept(encoding: str) -> None:
    data = docx(paragraph(run("naïve 🙂 text")), encoding=encoding)
    container = open_docx(data, name="x")
    saved = container.save("naïve 🙂🙂 text")
    assert open_docx(saved, name="x").text == "naïve 🙂🙂 text"


def test_cdata_references_and_comments_in_a_text_are_read() -> None:
    container = opened(paragraph("<w:r><w:t>a<![CDATA[<b>]]>&#233;&amp;</w:t></w:r>"))
    assert container.text == "a<b>é&"
    assert open_docx(container.save("a<b>éé&"), name="x").text == "a<b>éé&"


@pytest.mark.parametrize("root", ["w:r", "w:rPr", "w:p", "w:t", "w:tab"])
def test_a_part_that_begins_with_another_element_is_no_document(root: str) -> None:
    inside = "<w:rStyle/><w:i/><w:t>x</w:t>"
    main = f'<{root} xmlns:w="{W}">{inside}</{root}>'
    with pytest.raises(ContainerError, match="not a Word document"):
        open_docx(docx("", extra={MAIN: main}), name="draft.docx")


def test_the_main_part_is_found_by_its_relationship() -> None:
    data = docx(paragraph(run("x")))
    there = {"_rels/.rels": part(data, "_rels/.rels").replace("word/document.xml", "/odd/main%20part.xml")}
    container = open_docx(zipped(there | {"odd/main part.xml": part(data, MAIN)}), name="x")
    assert container.text == "x"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
        (b"plain text", "not a zip"),
        (zipped({"a.txt": "x"}), "not a Word document"),
        (docx("").replace(b"PK\x05\x06", b"PK\x05\x07"), "its end is missing"),
    ],
)
def test_what_is_no_word_document_is_refused_in_one_sentence(data: bytes, said: str) -> None:
    with pytest.raises(ContainerError, match=said) as refusal:
        open_docx(data, name="draft.docx")
    assert str(refusal.value).startswith("draft.docx ")
    assert "\n" not in str(refusal.value)
