"""Protects tracked changes in Word documents: accepted they give the edited text, rejected the text before it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.formats.docx import open_docx
from core.formats.loader import open_document
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.resolve import accept_all, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Stamp
from tests.core.formats.builders import RICH, docx, paragraph, run, text_box
from tests.core.formats.checks import edited, members, part

MAIN = "word/document.xml"
STAMP = Stamp("Ann Example", datetime(2024, 5, 6, 7, 8, 9))
_INSERTED_END = '<w:p><w:pPr><w:rPr><w:ins w:id="40" w:author="B"/><w:b/></w:rPr></w:pPr>'
_DELETED_END = '<w:p><w:pPr><w:rPr><w:del w:id="41" w:author="B"/></w:rPr></w:pPr>'
BOTH_KINDS = docx(
    f"{RICH}{_INSERTED_END}{run('A new')}</w:p>{_INSERTED_END}</w:p>{paragraph(run('paragraph.'))}"
    f"{_DELETED_END}{run('Joined ')}</w:p>{_INSERTED_END}{run('ones.')}</w:p>{paragraph(run('The end.'))}"
)


def opened(data: bytes) -> OfficeDocument:
    return open_docx(data, name="draft.docx")


def body(data: bytes) -> str:
    return part(data, MAIN).partition("<w:body>")[2].partition("<w:sectPr/>")[0]


def check_random_edits(seed: int) -> None:
    random = Random(seed)
    document = opened(BOTH_KINDS)
    before = opened(reject_all(document)).text
    for _ in range(2):
        text = edited(document, random)
        at = random.randint(0, len(document.text))
        notes = [Note(at, random.randint(at, len(document.text)), random.choice(("", "Why")))]
        saved = save_tracked(document, text, STAMP, random.choice(([], notes)))
        document = opened(saved)
        assert document.text == text
        assert opened(accept_all(document)).text == text
        assert opened(reject_all(document)).text == before
        for data in (accept_all(document), reject_all(document)):
            xml = part(data, MAIN)
            assert not any(mark in xml for mark in ("<w:ins ", "<w:del ", "delText"))


@settings(max_examples=200)
@given(seed=st.integers(0, 2**32))
@example(seed=613462702)  # A paragraph that ends within an insertion, and a word right after that end.
def test_accepting_gives_the_edited_text_and_rejecting_the_original(seed: int) -> None:
    check_random_edits(seed)


@pytest.mark.slow
@settings(max_examples=2_000)
@given(seed=st.integers(0, 2**32))
def test_accepting_gives_the_edited_text_and_rejecting_the_original_many_times(seed: int) -> None:
    check_random_edits(seed)


def saved(document: OfficeDocument, text: str, *notes: Note) -> bytes:
    return save_tracked(document, text, STAMP, notes)


def plain(data: bytes) -> str:
    """The body without who and when, and with all ids the same."""
    found = body(data).replace(' w:author="Ann Example" w:date="2024-05-06T07:08:09Z"', "")
    return re.sub(r' w:id="\d+"', "", found)


def texts(*parts: str, name: str = "t") -> str:
    return "".join(f'<w:{name} xml:space="preserve">{one}</w:{name}>' for one in parts)


def test_a_replaced_word_is_a_deletion_and_an_insertion_with_its_look() -> None:
    document = opened(docx(paragraph(run("The "), run("shameful", "<w:b/>"), run(" record"))))
    bold = "<w:r><w:rPr><w:b/></w:rPr>"
    assert plain(saved(document, "The poor record")) == (
        f"<w:p><w:r>{texts('The ')}</w:r><w:del>{bold}{texts('shameful', name='delText')}</w:r></w:del>"
        f"<w:ins>{bold}{texts('poor')}</w:r></w:ins><w:r>{texts(' record')}</w:r></w:p>"
    )


def test_author_and_time_stand_in_every_revision_as_the_standard_wants() -> None:
    document = opened(docx(paragraph(run("One two"))))
    xml = part(save_tracked(document, "One three", replace(STAMP, author='A "B" <C> & D')), MAIN)
    author = 'w:author="A &quot;B&quot; &lt;C&gt; &amp; D" w:date="2024-05-06T07:08:09Z">'
    assert xml.count(author) == 2


def test_part_of_a_word_is_replaced_as_a_whole_word() -> None:
    document = opened(docx(paragraph(run("It shows."))))
    xml = plain(saved(document, "It shone."))
    assert texts("shows", name="delText") in xml
    assert texts("shone") in xml


def test_a_whole_reword_is_one_deletion_and_one_insertion_that_keep_each_look() -> None:
    document = opened(
        docx(paragraph(run("She "), run("boldly", "<w:b/>"), run(" claims it is "), run("bad", "<w:i/>")))
    )
    text = "She firmly says it was worse"
    assert body(saved(document, text)).count("<w:del ") == 4
    xml = body(saved(document, text, Note(4, len(document.text), "")))
    assert (xml.count("<w:del "), xml.count("<w:ins ")) == (1, 1)
    new = xml.partition("<w:ins ")[2].partition("</w:ins>")[0]
    assert re.findall(r"<w:r>(?:<w:rPr>(.*?)</w:rPr>)?", new) == ["<w:b/>", "", "<w:i/>"]
    assert "".join(re.findall(r">([^<]*)</w:t>", new)) == "firmly says it was worse"


def test_a_reword_around_a_footnote_leaves_it_where_it_is() -> None:
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    document = opened(docx(paragraph(run("She claims"), note, run(" it is bad"))))
    xml = plain(saved(document, "She says it was bad", Note(0, len(document.text), "Why")))
    assert xml.count(note.replace(' w:id="2"', "")) == 1
    assert xml.count("<w:commentRangeStart/>") == 1


def test_only_the_main_part_changes() -> None:
    before = members(BOTH_KINDS)
    document = opened(BOTH_KINDS)
    after = members(saved(document, document.text.replace("shameful", "poor")))
    assert list(after) == list(before)
    assert {name for name in before if before[name] != after[name]} == {MAIN}


def test_the_first_comment_brings_its_part_with_type_and_relationship() -> None:
    before = members(BOTH_KINDS)
    document = opened(BOTH_KINDS)
    data = saved(
        document, document.text.replace("shameful", "poor"), Note(15, 23, "Loaded <word>\nMOS:LABEL")
    )
    after = members(data)
    relations, types = "word/_rels/document.xml.rels", "[Content_Types].xml"
    assert [name for name in after if name not in before] == ["word/comments.xml"]
    assert {name for name in before if before[name] != after[name]} == {MAIN, types, relations}
    assert '<Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats' in part(
        data, types
    )
    assert re.search(
        r'Id="rId3" Type="[^"]*/relationships/comments" Target="comments.xml"/>', part(data, relations)
    )
    comments = part(data, "word/comments.xml")
    assert comments.count("<w:p>") == 2
    assert 'w:initials="AE">' in comments
    (number,) = re.findall(r'<w:comment w:id="(\d+)"', comments)
    xml = part(data, MAIN)
    start, end = f'<w:commentRangeStart w:id="{number}"/>', f'<w:commentRangeEnd w:id="{number}"/>'
    assert xml.index(start) < xml.index(">shameful<") < xml.index(">poor<") < xml.index(end)
    assert f'{end}<w:r><w:commentReference w:id="{number}"/></w:r>' in xml
    assert len(set(re.findall(r'<w:(?:ins|del|comment\w*Start|bookmarkStart) w:id="(\d+)"', xml))) == 8


def test_a_comment_is_added_to_those_that_are_there() -> None:
    old = '<w:comment w:id="7" w:author="B"><w:p><w:r><w:t>Old</w:t></w:r></w:p></w:comment>'
    document = opened(docx(paragraph(run("One two")), comments=old))
    data = saved(document, "One three", Note(0, 7, "New"))
    comments = part(data, "word/comments.xml")
    assert old in comments
    assert comments.count("<w:comment ") == 2
    assert set(re.findall(r'<w:comment w:id="(\d+)"', comments)) == {"7", "10"}
    changed = {
        name for name, record in members(document.package.data).items() if members(data)[name] != record
    }
    assert changed == {MAIN, "word/comments.xml"}


def test_words_of_another_author_are_deleted_inside_the_insertion_and_new_ones_stand_beside_it() -> None:
    theirs = '<w:ins w:id="4" w:author="B">' + run("their new words") + "</w:ins>"
    document = opened(docx(paragraph(run("Old "), theirs)))
    data = saved(document, "Old their own words")
    xml = part(data, MAIN)
    deleted = (
        r'<w:ins w:id="4" w:author="B"><w:r>.*their .*<w:del [^>]*"Ann.*new</w:delText></w:r></w:del></w:ins>'
    )
    assert re.search(deleted, xml)
    added = r'<w:ins [^>]*"Ann Example"[^>]*><w:r>[^/]*own</w:t></w:r></w:ins><w:ins w:id="\d+" w:author="B">'
    assert re.search(added, xml)
    assert not re.search(r"<w:ins [^>]*>(?:(?!</w:ins>).)*<w:ins ", xml)
    again = opened(data)
    assert opened(accept_all(again)).text == "Old their own words"
    assert opened(reject_all(again)).text == "Old "


def test_a_new_paragraph_is_an_inserted_end_of_the_one_before() -> None:
    document = opened(docx(paragraph(run("One"), style="Heading1") + paragraph(run("Two"))))
    head = '<w:p><w:pPr><w:pStyle w:val="Heading1"/>'
    assert plain(saved(document, "One\nand a half\nTwo")).startswith(
        f"{head}<w:rPr><w:ins/></w:rPr></w:pPr><w:r><w:t>One</w:t></w:r></w:p>{head}</w:pPr><w:ins>"
    )


def test_joined_paragraphs_have_a_deleted_end_and_are_one_line() -> None:
    document = opened(docx(paragraph(run("One")) + paragraph(run("two")) + "<w:p/>"))
    data = saved(document, "One two\n")
    assert plain(data).startswith("<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r>")
    assert opened(data).text == "One two\n"
    gone = opened(saved(document, "One\ntwo"))
    assert gone.text == "One\ntwo"
    assert opened(reject_all(gone)).text == "One\ntwo\n"


def test_an_inserted_end_of_another_author_is_deleted_and_split_again() -> None:
    theirs = '<w:ins w:id="40" w:author="B"/>'
    document = opened(docx(f"{_INSERTED_END}{run('One')}</w:p>{paragraph(run('two'))}"))
    joined = body(saved(document, "Onetwo"))
    assert re.search(rf"<w:rPr>{theirs}<w:del [^>]*/><w:b/></w:rPr>", joined)
    split = body(saved(document, "O\nne\ntwo"))
    assert re.search(r'^<w:p><w:pPr><w:rPr><w:ins [^>]*"Ann Example"[^>]*/><w:b/></w:rPr>', split)
    assert split.count(theirs) == 1
    for text in ("Onetwo", "O\nne\ntwo"):
        again = opened(saved(document, text))
        assert opened(reject_all(again)).text == opened(reject_all(document)).text == "Onetwo"
        assert again.text == opened(accept_all(again)).text == text


def test_both_forms_of_a_text_box_are_tracked() -> None:
    document = opened(docx(paragraph(run("Beside "), text_box("the box"))))
    xml = body(saved(document, document.text.replace("the", "a")))
    assert xml.count(texts("the", name="delText")) == xml.count(texts("a")) == 2


def test_text_in_two_forms_inside_a_run_is_refused_in_a_sentence() -> None:
    inside = "<mc:AlternateContent><mc:Choice><w:t>deep</w:t></mc:Choice><mc:Fallback><w:t>deep</w:t></mc:Fallback>"
    document = opened(docx(paragraph(f"<w:r>{inside}</mc:AlternateContent></w:r>")))
    with pytest.raises(ContainerError, match=r"not saved: line 1 .* cannot be tracked\. Save without"):
        saved(document, "deeper")


def test_tabs_line_breaks_and_hyphens_are_deleted_and_put_in_as_elements() -> None:
    document = opened(docx(paragraph("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>")))
    xml = plain(saved(document, "a b\tc"))
    gone = f"<w:del><w:r><w:tab/></w:r><w:r>{texts('b', name='delText')}</w:r><w:r><w:br/></w:r></w:del>"
    assert f"{gone}<w:ins><w:r>{texts(' b')}<w:tab/></w:r></w:ins>" in xml


def test_another_format_is_refused_and_an_unchanged_text_gives_the_same_bytes() -> None:
    page = open_document(b"<p>One</p>", name="draft.html").container
    assert page is not None
    with pytest.raises(ContainerError, match=r"can only be .* \(\.docx, \.odt\)"):
        save_tracked(page, "Two", STAMP)
    document = opened(BOTH_KINDS)
    assert saved(document, document.text) is document.package.data


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_lists_exactly_that_revision_and_comment(tmp_path: Path) -> None:
    document = opened(docx(paragraph(run("The shameful record")) + paragraph(run("Next"))))
    path = tmp_path / "draft.docx"
    path.write_bytes(saved(document, "The poor record\nNext", Note(4, 12, "Loaded")))
    profile = f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}"
    call = ["soffice", profile, "--headless", "--convert-to", "fodt", "--outdir", str(tmp_path), str(path)]
    subprocess.run(call, check=True, capture_output=True)
    text = (tmp_path / "draft.fodt").read_text(encoding="utf-8")
    assert text.count("<text:changed-region") == 2
    assert (text.count("<text:deletion>"), text.count("<text:insertion>")) == (1, 1)
    assert text.count("<office:annotation ") == 1
    assert text.count("<dc:creator>Ann Example</dc:creator>\n") == 3
