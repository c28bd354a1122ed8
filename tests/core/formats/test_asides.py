"""Protects the words beside the text: notes, headers and footers are shown, read and edited, each in its own part."""

from __future__ import annotations

import io
import zipfile
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import docx as docx_module
from core.formats.docx import open_docx
from core.formats.loader import open_document, read_opened
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.types import UnreadKind
from tests.core.formats.builders import (
    ASIDES,
    MARKED,
    MARKED_TEXT,
    ODT_RICH,
    ODT_RICH_TEXT,
    docx,
    docx_with_asides,
    field,
    margin,
    note,
    note_mark,
    odt,
    odt_note,
    odt_with_margins,
    paragraph,
    run,
)
from tests.core.formats.checks import edited, members, part

NOTES = "word/footnotes.xml"
WITH_ASIDES = docx_with_asides(MARKED, ASIDES)
ODT_MARGINS = (
    "<style:header><text:p>The Paper <text:span>daily</text:span></text:p></style:header>"
    "<style:footer><text:p>Page <text:page-number>1</text:page-number></text:p><text:p/></style:footer>"
)
ODT_WITH_ASIDES = odt_with_margins(
    f"{ODT_RICH}<text:p>Two{odt_note('2', 'One  <text:tab/>more', 'Second')} notes"
    f"{odt_note('i', 'At the end', kind='endnote')}</text:p><text:p>Last</text:p>",
    ODT_MARGINS,
)


def opened(data: bytes) -> OfficeDocument:
    return open_docx(data, name="draft.docx")


def labels(container: OfficeDocument) -> list[tuple[str, str]]:
    """The label and the text of each paragraph of a note, a header or a footer."""
    shown = container.appearance.paragraphs
    return [(look.label, container.text[start:end]) for start, end, look in shown if look.aside]


def texts(container: OfficeDocument) -> dict[str, list[str]]:
    """The lines of each part."""
    lines, starts, text = container.layout.lines, container.layout.starts, container.text
    return {
        one.name: [
            text[start : start + line.length]
            for line, start in zip(lines, starts, strict=True)
            if one.start <= line.start < one.end
        ]
        for one in container.parts
    }


def test_notes_headers_and_footers_come_after_the_text_in_the_order_of_their_marks() -> None:
    container = opened(WITH_ASIDES)
    assert container.text == MARKED_TEXT
    assert labels(container) == [
        ("Footnote 1", " A loaded note."),
        ("", "Its second\ufffc"),
        ("", "Boxed"),
        ("", ""),
        ("Footnote 2", " Another note"),
        ("Endnote i", " The new end"),
        ("Header", "The Paper, 3 May"),
        ("", "\tDraft"),
        ("Footer", "Page 12 of it"),
    ]
    assert {one.kind for one in container.unread} == {UnreadKind.DELETION}
    assert container.save(container.text) == WITH_ASIDES


def test_an_odt_shows_its_notes_after_the_text_and_then_its_headers_and_footers() -> None:
    container = open_odt(ODT_WITH_ASIDES, name="draft.odt")
    main = ODT_RICH_TEXT.removesuffix("\nBelow")
    assert container.text == (
        f"{main}\nTwo notes\nLast\nBelow\nOne \tmore\nSecond\nAt the end\nThe Paper daily\nPage 1\n"
    )
    assert labels(container) == [
        ("Footnote 1", "Below"),
        ("Footnote 2", "One \tmore"),
        ("", "Second"),
        ("Endnote i", "At the end"),
        ("Header", "The Paper daily"),
        ("Footer", "Page 1"),
        ("", ""),
    ]
    assert not container.unread


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("loaded", "fair", NOTES),
        ("Another note", "Another one", NOTES),
        (" end", " finish", "word/endnotes.xml"),
        ("Draft", "Final", "word/header1.xml"),
        ("Two", "Three", "word/document.xml"),
    ],
)
def test_an_edit_changes_its_own_run_and_no_other_part(old: str, new: str, name: str) -> None:
    container = opened(WITH_ASIDES)
    text = new.join(container.text.rsplit(old, 1))
    saved = container.save(text)
    assert opened(saved).text == text
    before, after = members(WITH_ASIDES), members(saved)
    assert [one for one in before if before[one] != after[one]] == [name]
    words = f"{old.strip()}</w:t>", f"{new.strip()}</w:t>"
    assert part(WITH_ASIDES, name).count(words[0]) == 1
    assert part(saved, name) == part(WITH_ASIDES, name).replace(*words)


@pytest.mark.parametrize("data", [WITH_ASIDES, ODT_WITH_ASIDES], ids=["docx", "odt"])
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_random_edits_are_there_again_and_none_crosses_parts(data: bytes, seed: int) -> None:
    random = Random(seed)
    opener = open_docx if data is WITH_ASIDES else open_odt
    container = opener(data, name="draft")
    for _ in range(2):
        text = edited(container, random)
        saved = container.save(text)
        again = opener(saved, name="draft")
        assert again.text == text
        before, after = members(container.package.data), members(saved)
        old, new = texts(container), texts(again)
        changed = {name for name in before if before[name] != after[name]}
        assert changed <= set(old)
        assert all(old[name] != new[name] for name in changed)
        container = again


def test_a_paragraph_of_a_note_is_joined_with_none_of_the_text() -> None:
    container = opened(docx_with_asides(paragraph(run("a"), note_mark(1)), {"footnotes": note(1, run("b"))}))
    assert container.text == "a\nb"
    with pytest.raises(ContainerError, match=r"line 1 .* A note, a header or a footer begins here"):
        container.save("ab")
    assert texts(opened(container.save("a\nnew\nb"))) == {"word/document.xml": ["a", "new"], NOTES: ["b"]}
    assert texts(opened(container.save("\n")))[NOTES] == [""]


def test_a_new_paragraph_of_a_note_comes_after_its_number() -> None:
    container = opened(docx_with_asides(paragraph(run("a"), note_mark(1)), {"footnotes": note(1, run("b"))}))
    xml = part(container.save("a\nb\nc"), NOTES)
    assert xml.index("footnoteRef") < xml.index(">b<") < xml.index("</w:p>") < xml.index(">c<")
    saved = container.save("a\nx b")
    assert part(saved, NOTES).index("footnoteRef") < part(saved, NOTES).index("x ")


def test_only_notes_with_a_mark_in_the_text_are_shown() -> None:
    gone = f'<w:del w:id="1" w:author="A">{note_mark(3)}</w:del>'
    body = paragraph(
        run("a"), note_mark(2), gone, note_mark(5), note_mark(4, attributes=' w:customMarkFollows="1"')
    )
    notes = note(2, run("one")) + note(3, run("deleted")) + note(4, run("* typed"))
    container = opened(docx_with_asides(body, {"footnotes": notes}))
    assert labels(container) == [("Footnote 1", "one"), ("Footnote", "* typed")]
    assert [one.kind for one in container.unread] == [UnreadKind.DELETION, UnreadKind.FOOTNOTE]


def test_a_separator_is_no_note_though_a_mark_names_it() -> None:
    separator = '<w:footnote w:type="separator" w:id="1"><w:p><w:r><w:t>x</w:t></w:r></w:p></w:footnote>'
    container = opened(docx_with_asides(paragraph(run("a"), note_mark(1)), {"footnotes": separator}))
    assert container.text == "a"


@pytest.mark.parametrize(
    ("section", "settings_xml", "shown"),
    [
        (margin("header", 2), "", ["all"]),
        (margin("header", 3) + margin("header", 2), "", ["first", "all"]),
        (margin("header", 2) + margin("header", 2), "", ["all"]),
        (margin("header", 2) + margin("header", 3, "first"), "", ["all"]),
        (margin("header", 2) + margin("header", 3, "first") + "<w:titlePg/>", "", ["all", "first"]),
        (margin("header", 2) + margin("header", 3, "first") + '<w:titlePg w:val="0"/>', "", ["all"]),
        (margin("header", 3, "even"), "", []),
        (margin("header", 3, "even"), "<w:evenAndOddHeaders/>", ["first"]),
    ],
)
def test_only_headers_that_are_on_a_page_are_shown(section: str, settings_xml: str, shown: list[str]) -> None:
    headers = {"header1": paragraph(run("all")), "header2": paragraph(run("first"))}
    data = docx_with_asides(paragraph(run("a")), headers, section=section, settings=settings_xml)
    assert [text for _, text in labels(opened(data))] == shown


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (paragraph(), []),
        (paragraph(field("PAGE", "12")), []),
        (paragraph("<w:r><w:drawing/></w:r>"), []),
        (paragraph(field("DATE", "3 May")), ["3 May"]),
        (paragraph(run("")), [""]),
    ],
)
def test_a_footer_of_pictures_and_numbers_alone_is_not_shown(content: str, shown: list[str]) -> None:
    container = opened(docx_with_asides(paragraph(run("a")), {"footer1": content}))
    assert [text for _, text in labels(container)] == shown
    assert not container.unread


def test_a_header_that_was_emptied_can_be_filled_again() -> None:
    for data, opener in (
        (docx_with_asides(paragraph(run("a")), {"header1": paragraph(run("Draft"))}), open_docx),
        (
            odt_with_margins("<text:p>a</text:p>", "<style:header><text:p>Draft</text:p></style:header>"),
            open_odt,
        ),
    ):
        emptied = opener(data, name="x").save("a\n")
        assert opener(emptied, name="x").text == "a\n"
        assert opener(opener(emptied, name="x").save("a\nFinal"), name="x").text == "a\nFinal"


def test_headers_of_an_odt_that_are_switched_off_or_empty_are_not_shown() -> None:
    margins = (
        '<style:header/><style:header-left style:display="false"><text:p>left</text:p></style:header-left>'
        "<style:header-first><text:p/></style:header-first><style:footer><text:p>shown</text:p></style:footer>"
    )
    container = open_odt(odt_with_margins("<text:p>a</text:p>", margins), name="draft.odt")
    assert labels(container) == [("Footer", "shown")]


def test_a_note_in_a_list_is_no_item_and_its_own_lists_are_lists() -> None:
    inner = "</text:p><text:list><text:list-item><text:p>item</text:p></text:list-item></text:list><text:p>"
    body = f"<text:list><text:list-item><text:p>a{odt_note('1', f'b{inner}c')}d</text:p></text:list-item></text:list>"
    container = open_odt(odt(body), name="draft.odt")
    assert container.text == "ad\nb\nitem\nc"
    levels = [look.list_level for *_, look in container.appearance.paragraphs]
    assert levels == [1, 0, 1, 0]
    saved = open_odt(container.save("axd\nbx\nitem\nnew\nc"), name="draft.odt")
    assert saved.text == "axd\nbx\nitem\nnew\nc"


def test_the_name_of_a_note_has_its_mark_if_that_is_short() -> None:
    body = "".join(odt_note(mark, "n") for mark in ("*", "", "a long\n mark of words"))
    assert [label for label, _ in labels(open_odt(odt(f"<text:p>a{body}</text:p>"), name="draft.odt"))] == [
        "Footnote *",
        "Footnote",
        "Footnote a long mark",
    ]


def test_a_note_in_deleted_words_of_an_odt_is_not_shown() -> None:
    changes = (
        '<text:tracked-changes><text:changed-region xml:id="c"><text:deletion><text:p>old'
        f"{odt_note('1', 'gone')}</text:p></text:deletion></text:changed-region></text:tracked-changes>"
    )
    container = open_odt(
        odt(f'{changes}<text:p>a<text:change text:change-id="c"/></text:p>'), name="draft.odt"
    )
    assert container.text == "a"


@pytest.mark.parametrize("damage", ["<w:p>", "<!DOCTYPE x>", "\ufffe"])
def test_a_file_with_damaged_notes_opens_and_keeps_them(damage: str) -> None:
    body = paragraph(run("a"), note_mark(1), note_mark(2))
    data = docx_with_asides(body, {"footnotes": note(1, run("b")) + damage, "header1": damage + damage})
    container = opened(data)
    assert container.text == "a"
    assert sorted(one.kind for one in container.unread) == [UnreadKind.FOOTNOTE] * 2 + [UnreadKind.MARGIN]
    saved = container.save("ab")
    before, after = members(data), members(saved)
    assert [name for name in before if before[name] != after[name]] == ["word/document.xml"]


def test_a_part_of_another_kind_is_not_taken_for_the_notes() -> None:
    data = docx_with_asides(paragraph(run("a"), note_mark(1)), {"footnotes": note(1, run("b"))})
    wrong = part(data, NOTES).replace("w:footnotes", "w:document")
    data = docx(
        paragraph(run("a"), note_mark(1)),
        extra={NOTES: wrong, "word/_rels/document.xml.rels": part(data, "word/_rels/document.xml.rels")},
    )
    assert opened(data).text == "a"
    assert [one.kind for one in opened(data).unread] == [UnreadKind.FOOTNOTE]


def test_notes_that_are_far_too_large_are_left_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docx_module, "_MOST_BYTES", len(part(WITH_ASIDES, NOTES)) - 1)
    container = opened(WITH_ASIDES)
    assert "loaded" not in container.text
    assert "The new end" in container.text
    assert [one.kind for one in container.unread].count(UnreadKind.FOOTNOTE) == 2


def test_notes_in_utf_16_stay_in_it() -> None:
    parts = {"footnotes": note(1, run("bé"))}
    data = docx_with_asides(paragraph(run("a"), note_mark(1)), parts, encoding="utf-16")
    saved = opened(data).save("a\nçé🙂")
    with zipfile.ZipFile(io.BytesIO(saved)) as archive:
        assert ">çé🙂<" in archive.read(NOTES).decode("utf-16")
    assert opened(saved).text == "a\nçé🙂"


def test_signed_and_protected_files_are_locked_with_their_notes() -> None:
    parts = {"footnotes": note(1, run("b"))}
    body = paragraph(run("a"), note_mark(1))
    protection = '<w:documentProtection w:edit="readOnly" w:enforcement="1"/>'
    for data in (
        docx_with_asides(body, parts, settings=protection),
        docx_with_asides(body, parts, top=(("origin", "origin.sigs"),)),
    ):
        container = opened(data)
        assert container.text == "a\nb"
        assert not container.editable
        with pytest.raises(ContainerError, match="was not saved"):
            container.save("a\nc")


def test_the_words_of_notes_are_read_as_sentences_of_their_own() -> None:
    document = read_opened(open_document(WITH_ASIDES, name="draft.docx"))
    sentences = [document.source[one.start : one.end].strip() for one in document.sentences]
    assert "A loaded note." in sentences
    assert "Another note" in sentences


def references(container: OfficeDocument) -> list[tuple[str, str, str]]:
    """The words before each reference to a note with its sign, the name of the note, and the note."""
    text = container.text
    return [
        (f"{text[max(0, one.place - 4) : one.place]}[{one.sign}]", one.label, text[one.start : one.end])
        for one in container.appearance.note_references
    ]


def test_references_are_where_the_text_refers_to_a_note() -> None:
    assert references(opened(WITH_ASIDES)) == [
        ("eals[1]", "Footnote 1", " A loaded note.\nIts second\ufffc\nBoxed\n"),
        ("\nTwo[2]", "Footnote 2", " Another note"),
        ("more[i]", "Endnote i", " The new end"),
    ]
    assert references(open_odt(ODT_WITH_ASIDES, name="draft.odt")) == [
        ("eals[1]", "Footnote 1", "Below"),
        ("\nTwo[2]", "Footnote 2", "One \tmore\nSecond"),
        ("otes[i]", "Endnote i", "At the end"),
    ]


def _numbered(kind: str, **values: str) -> str:
    inside = "".join(f'<w:{name} w:val="{value}"/>' for name, value in values.items())
    return f"<w:{kind}Pr>{inside}</w:{kind}Pr>"


def test_the_numbers_of_notes_of_a_docx_are_those_of_its_settings_and_sections() -> None:
    """ECMA-376 part 1, section 17.11: endnotes have Roman numbers by default, and a section has its own."""
    settings_xml = _numbered("footnote", numFmt="chicago") + _numbered("endnote", numStart="4")
    old = (
        f"<w:sectPrChange><w:sectPr>{_numbered('footnote', numFmt='lowerRoman')}</w:sectPr></w:sectPrChange>"
    )
    first = f"<w:pPr><w:sectPr>{_numbered('footnote', numStart='2')}{old}</w:sectPr></w:pPr>"
    last = _numbered("footnote", numFmt="upperLetter", numRestart="eachSect")
    body = paragraph(note_mark(1), note_mark(2), note_mark(1, "endnote")) + f"<w:p>{first}</w:p>"
    body += paragraph(note_mark(3), note_mark(4), note_mark(2, "endnote"))
    notes = {
        "footnotes": "".join(note(number, run("n")) for number in (1, 2, 3, 4)),
        "endnotes": note(1, run("n"), kind="endnote") + note(2, run("n"), kind="endnote"),
    }
    container = opened(docx_with_asides(body, notes, section=last, settings=settings_xml))
    assert [one.sign for one in container.appearance.note_references] == ["†", "‡", "iv", "A", "B", "v"]
    assert ("Footnote ‡", "n") in labels(container)


def test_a_sign_that_was_typed_is_a_part_of_the_text() -> None:
    body = paragraph(
        run("a"), note_mark(1, attributes=' w:customMarkFollows="1"'), run("* b"), note_mark(2)
    ) + paragraph(note_mark(3), run("c"))
    notes = {"footnotes": "".join(note(number, run(f"n{number}")) for number in (1, 2, 3))}
    container = opened(docx_with_asides(body, notes))
    assert container.text == "a* b\nc\nn1\nn2\nn3"
    assert references(container) == [
        ("a[]", "Footnote", "n1"),
        ("a* b[1]", "Footnote 1", "n2"),
        ("* b\n[2]", "Footnote 2", "n3"),
    ]


def test_the_reference_to_a_note_in_deleted_words_is_none() -> None:
    gone = f'<w:del w:id="1" w:author="A">{note_mark(3)}</w:del>'
    container = opened(docx_with_asides(paragraph(run("a"), gone), {"footnotes": note(3, run("b"))}))
    assert references(container) == []


def test_a_reference_is_after_the_words_that_are_typed_at_it() -> None:
    container = opened(
        docx_with_asides(paragraph(run("a"), note_mark(1), run(" b")), {"footnotes": note(1, run("n"))})
    )
    assert references(opened(container.save("ax b\nn"))) == [("ax[1]", "Footnote 1", "n")]
    assert references(opened(container.save("ab\nn"))) == [("a[1]", "Footnote 1", "n")]
    assert references(opened(container.save("x\nn"))) == [("x[1]", "Footnote 1", "n")]
