"""Protects what an OpenDocument text holds beside plain runs: shown or not, locked or not, and there after any edit."""

from __future__ import annotations

import pytest

from core.formats.odt import open_odt
from core.formats.types import Container, ContainerError
from core.types import UnreadKind
from tests.core.formats.builders import odt, zipped
from tests.core.formats.checks import part


def opened(body: str) -> Container:
    return open_odt(odt(body), name="draft.odt")


def saved(container: Container, text: str) -> str:
    """The content after a save, which must give the same text again."""
    data = container.save(text)
    assert open_odt(data, name="x").text == text
    return part(data, "content.xml")


def locked(container: Container) -> list[str]:
    return [container.text[lock.start : lock.end] for lock in container.locked if lock.start < lock.end]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("  a\n\t b  c", "a b c"),
        ('a<text:s text:c="3"/>b', "a   b"),
        ("a<text:tab/> b<text:line-break/>c", "a\t b\nc"),
        ("<text:span>a </text:span> b", "a b"),
        ("<text:s/>a", " a"),
        ("a<![CDATA[ <b> ]]>&amp;", "a <b> &"),
    ],
)
def test_white_space_is_read_as_the_standard_says(content: str, text: str) -> None:
    assert opened(f"<text:p>{content}</text:p>").text == text


@pytest.mark.parametrize("text", ["a  b", " a", "a ", "a\tb", "   ", "\t ", "a \t b", " \n ", "a \n b"])
def test_white_space_that_is_typed_does_not_collapse(text: str) -> None:
    saved(opened("<text:p>x <text:span>y</text:span> z</text:p>"), text)


def test_hidden_white_space_stays_hidden_when_what_hid_it_goes() -> None:
    container = opened('<text:p>one <text:span text:style-name="T1"> two </text:span> three</text:p>')
    assert container.text == "one two three"
    for text in (
        "onetwo three",
        "two three",
        "three",
        " three",
        "one three",
        "one  two  three",
        "one \n two three",
    ):
        saved(container, text)


def test_endless_spaces_are_not_unrolled() -> None:
    body = '<text:p>a<text:s text:c="999999999"/>b</text:p><text:p><text:s text:c="9999"/></text:p>'
    container = opened(body)
    assert container.text == "a b\n" + " " * 9999
    assert locked(container) == [" "]
    saved(container, "aa bb\n" + " " * 30_000)


def test_tracked_changes_are_kept_and_not_shown() -> None:
    changes = (
        '<text:tracked-changes><text:changed-region xml:id="c"><text:deletion><text:p>old</text:p></text:deletion>'
        "</text:changed-region></text:tracked-changes>"
    )
    container = opened(changes + '<text:p>a<text:change text:change-id="c"/>b</text:p>')
    assert container.text == "ab"
    assert changes in saved(container, "axb")
    assert [part.kind for part in container.unread] == [UnreadKind.DELETION]


def test_a_note_is_shown_after_the_text_and_an_annotation_is_kept() -> None:
    note = "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>n</text:p>"
    note += "</text:note-body></text:note>"
    remark = "<office:annotation><dc:creator>A</dc:creator><text:p>Nice</text:p></office:annotation>"
    container = opened(f"<text:p>one{note}two{remark}three</text:p>")
    assert container.text == "onetwothree\nn"
    xml = saved(container, "\nn")
    assert note in xml
    assert remark in xml
    assert not container.suppressed


def test_an_annotation_can_switch_the_checks_off_over_its_range() -> None:
    remark = '<office:annotation office:name="n1"><dc:creator>A</dc:creator><text:p>evenhand off</text:p>'
    remark += "</office:annotation>"
    end = '<office:annotation-end office:name="n1"/>'
    body = f"<text:p>Yes. {remark}Not this</text:p><text:p>nor this{end}. Yes.</text:p>"
    container = opened(body)
    assert [container.text[one.start : one.end] for one in container.suppressed] == ["Not this\nnor this"]


@pytest.mark.parametrize(
    "name", ["date", "page-number", "author-name", "sequence", "bibliography-mark", "unheard-of"]
)
def test_fields_are_locked(name: str) -> None:
    container = opened(f"<text:p>a <text:{name}>computed</text:{name}> b</text:p>")
    assert locked(container) == ["computed"]
    saved(container, "aa computed!\nb")


def test_indexes_and_protected_sections_are_locked() -> None:
    body = (
        "<text:p>a</text:p><text:table-of-content><text:table-of-content-source><text:index-title-template>T"
        "</text:index-title-template></text:table-of-content-source><text:index-body><text:p>Chapter 1</text:p>"
        '</text:index-body></text:table-of-content><text:section text:protected="true"><text:p>b</text:p>'
        "</text:section>"
        "<text:section><text:section-source/><text:p>c</text:p></text:section><text:p>d</text:p>"
    )
    container = opened(body)
    assert container.text == "a\nChapter 1\nb\nc\nd"
    assert locked(container) == ["\nChapter 1\nb\nc\n"]
    saved(container, "aa\nChapter 1\nb\nc\ndd")


def test_frames_are_one_locked_character_and_their_text_comes_after_the_paragraph() -> None:
    box = "<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>"
    container = opened(f"<text:p>a {box} b</text:p><text:p>c</text:p>")
    assert container.text == "a \ufffc b\nboxed\nc"
    saved(container, "a! \ufffc !b\nwell\nboxed\ncc")


def test_list_items_are_split_and_joined() -> None:
    items = "".join(f"<text:list-item><text:p>{word}</text:p></text:list-item>" for word in ("one", "two"))
    container = opened(f"<text:list>{items}</text:list>")
    xml = saved(container, "one\nand\ntwo")
    assert xml.count("<text:list-item>") == 3
    assert saved(container, "onetwo").count("<text:list-item>") == 1


def test_a_copy_of_a_paragraph_has_no_identity_of_its_own() -> None:
    container = opened('<text:h xml:id="h1" text:outline-level="2">one two</text:h>')
    xml = saved(container, "one\ntwo")
    assert xml.count('xml:id="h1"') == 1
    assert xml.count('text:outline-level="2"') == 2


def test_an_encrypted_file_says_what_to_do() -> None:
    with pytest.raises(ContainerError, match=r"draft\.odt is protected by a password\. Remove the password"):
        open_odt(odt("<text:p>x</text:p>", encrypted=True), name="draft.odt")


def test_a_signed_file_is_locked_whole() -> None:
    data = odt("<text:p>Signed</text:p>", extra={"META-INF/documentsignatures.xml": "<a/>"})
    container = open_odt(data, name="x")
    assert locked(container) == ["Signed"]
    assert "signed" in container.notes[-1]


@pytest.mark.parametrize(
    "data",
    [
        zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>"}),
        zipped({"content.xml": "<a/>"}),
        zipped({"other.xml": "<a/>"}),
    ],
)
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(ContainerError, match=r"draft\.odt is not an OpenDocument text"):
        open_odt(data, name="draft.odt")


def test_a_file_without_a_paragraph_opens_locked_and_says_why() -> None:
    container = open_odt(odt(""), name="a.odt")
    assert container.text == ""
    assert [(lock.start, lock.end) for lock in container.locked] == [(0, 0)]
    assert any("no paragraph" in note for note in container.notes)
    with pytest.raises(ContainerError, match="no paragraph"):
        container.save("more")
