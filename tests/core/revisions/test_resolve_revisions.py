"""Protects accepting and rejecting all tracked changes of files by others: text, rows, moves, looks, every story."""

from __future__ import annotations

import pytest

from core.formats.docx import open_docx
from core.formats.types import ContainerError
from core.revisions.resolve import accept_all, reject_all
from tests.core.formats.builders import W, docx, paragraph, relations, run
from tests.core.formats.checks import members, part

MAIN = "word/document.xml"
WHO = 'w:id="1" w:author="B"'


def both(body: str) -> tuple[str, str]:
    """The body with all changes accepted, and rejected."""
    document = open_docx(docx(body), name="draft.docx")
    accepted, rejected = (part(data, MAIN) for data in (accept_all(document), reject_all(document)))
    accepted, rejected = (
        xml.partition("<w:body>")[2].partition("<w:sectPr/>")[0] for xml in (accepted, rejected)
    )
    return accepted, rejected


def deleted(text: str) -> str:
    return f"<w:del {WHO}><w:r><w:delText>{text}</w:delText></w:r></w:del>"


def inserted(text: str) -> str:
    return f"<w:ins {WHO}>{run(text)}</w:ins>"


def test_inserted_and_deleted_text() -> None:
    body = paragraph(run("a"), inserted("b"), deleted("c"), run("d"))
    assert both(body) == (
        paragraph(run("a"), run("b"), run("d")),
        paragraph(run("a"), run("c"), run("d")),
    )


def test_text_inserted_by_one_and_deleted_by_another_is_gone_either_way() -> None:
    body = paragraph(run("a"), f"<w:ins {WHO}>{run('b')}{deleted('c')}</w:ins>")
    assert both(body) == (paragraph(run("a"), run("b")), paragraph(run("a")))


def test_moved_text_is_there_once() -> None:
    start, end = f'<w:moveFromRangeStart {WHO} w:name="m"/>', '<w:moveFromRangeEnd w:id="1"/>'
    origin = f"{start}<w:moveFrom {WHO}>{run('b')}</w:moveFrom>{end}"
    place = origin.replace("moveFrom", "moveTo")
    body = paragraph(run("a"), origin, run("c"), place)
    assert both(body) == (
        paragraph(run("a"), run("c"), run("b")),
        paragraph(run("a"), run("b"), run("c")),
    )


def test_the_code_of_a_deleted_field_comes_back_as_code() -> None:
    body = paragraph(f"<w:del {WHO}><w:r><w:delInstrText>PAGE</w:delInstrText></w:r></w:del>", run("a"))
    assert both(body) == (
        paragraph(run("a")),
        paragraph("<w:r><w:instrText>PAGE</w:instrText></w:r>", run("a")),
    )


def marked(mark: str, text: str, style: str = "A") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/><w:rPr><w:{mark} {WHO}/></w:rPr></w:pPr>'
    return f"<w:p>{properties}{run(text) if text else ''}</w:p>"


def unmarked(*texts: str, style: str = "A") -> str:
    content = "".join(run(text) for text in texts)
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/><w:rPr></w:rPr></w:pPr>{content}</w:p>'


def test_a_deleted_end_joins_a_paragraph_with_the_next_whose_properties_stay() -> None:
    accepted, rejected = both(marked("del", "one") + paragraph(run("two"), style="B"))
    assert accepted == paragraph(run("one"), run("two"), style="B")
    assert rejected == unmarked("one") + paragraph(run("two"), style="B")


def test_an_inserted_end_is_there_after_accepting_only() -> None:
    accepted, rejected = both(
        marked("ins", "one") + marked("ins", "two") + paragraph(run("three"), style="B")
    )
    assert accepted == unmarked("one") + unmarked("two") + paragraph(run("three"), style="B")
    assert rejected == paragraph(run("one"), run("two"), run("three"), style="B")


def test_joining_with_an_empty_paragraph_keeps_the_look_of_the_words() -> None:
    assert both(marked("del", "one") + "<w:p/>")[0] == unmarked("one")
    assert both(marked("del", "") + paragraph(run("two"), style="B"))[0] == paragraph(run("two"), style="B")


def test_an_end_before_a_table_or_of_a_section_stays() -> None:
    table = "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"
    assert both(marked("del", "one") + table)[0] == unmarked("one") + table
    section = marked("del", "one").replace("</w:pPr>", "<w:sectPr/></w:pPr>")
    document = open_docx(docx(section + paragraph(run("two"))), name="draft.docx")
    assert open_docx(accept_all(document), name="draft.docx").text == "one\ntwo"


def test_rows_of_tables_come_and_go() -> None:
    def row(mark: str, text: str) -> str:
        properties = f"<w:trPr>{f'<w:{mark} {WHO}/>' if mark else ''}</w:trPr>"
        return f"<w:tr>{properties}<w:tc>{paragraph(run(text))}</w:tc></w:tr>"

    body = f"<w:tbl>{row('', 'a')}{row('ins', 'b')}{row('del', 'c')}</w:tbl>"
    assert both(body) == (
        f"<w:tbl>{row('', 'a')}{row('', 'b')}</w:tbl>",
        f"<w:tbl>{row('', 'a')}{row('', 'c')}</w:tbl>",
    )


def test_looks_are_as_they_were_after_rejecting() -> None:
    change = f"<w:rPrChange {WHO}><w:rPr><w:i/></w:rPr></w:rPrChange>"
    assert both(paragraph(run("a", f"<w:b/>{change}"))) == (
        paragraph(run("a", "<w:b/>")),
        paragraph(run("a", "<w:i/>")),
    )
    old = f'<w:pPrChange {WHO}><w:pPr><w:pStyle w:val="Old"/></w:pPr></w:pPrChange>'
    body = (
        f'<w:p><w:pPr><w:pStyle w:val="New"/><w:rPr><w:ins {WHO}/><w:b/></w:rPr>{old}</w:pPr>{run("a")}</w:p>'
    )
    tail = f"<w:rPr><w:b/></w:rPr></w:pPr>{run('a')}</w:p>"
    accepted, rejected = both(body)
    assert accepted == f'<w:p><w:pPr><w:pStyle w:val="New"/>{tail}'
    assert rejected == f'<w:p><w:pPr><w:pStyle w:val="Old"/>{tail}'


def test_the_footers_and_notes_are_resolved_too_and_nothing_else_changes() -> None:
    def story(tag: str) -> str:
        return f'<w:{tag} xmlns:w="{W}">{paragraph(inserted("new"), deleted("old"))}</w:{tag}>'

    names = {"word/footer1.xml": "ftr", "word/footer2.xml": "ftr", "word/footnotes.xml": "footnotes"}
    targets = [("footer", "footer1.xml"), ("footer", "footer2.xml"), ("footnotes", "footnotes.xml")]
    extra = {name: story(tag) for name, tag in names.items()}
    data = docx(paragraph(run("a")), extra=extra | {"word/_rels/document.xml.rels": relations(*targets)})
    document = open_docx(data, name="draft.docx")
    for resolved, text in ((accept_all(document), "new"), (reject_all(document), "old")):
        before, after = members(data), members(resolved)
        assert {name for name in before if before[name] != after[name]} == set(names)
        assert all(paragraph(run(text)) in part(resolved, name) for name in names)


def test_a_file_without_changes_is_the_same_to_the_byte() -> None:
    data = docx(paragraph(run("a")))
    document = open_docx(data, name="draft.docx")
    assert accept_all(document) == reject_all(document) == data


def test_a_protected_file_is_refused_with_the_reason() -> None:
    protection = '<w:documentProtection w:edit="trackedChanges" w:enforcement="1"/>'
    document = open_docx(docx(paragraph(inserted("a")), settings=protection), name="draft.docx")
    with pytest.raises(ContainerError, match="protected against changes"):
        accept_all(document)
