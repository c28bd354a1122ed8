"""Protects what nobody edited in a docx or odt: every other member byte for byte, every other run, each word."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.formats.types import Container, ContainerError
from tests.core.formats.builders import ODT_RICH, ODT_RICH_TEXT, RICH, RICH_TEXT, docx, odt
from tests.core.formats.checks import edited, members, part

Opener = Callable[[bytes], Container]
FILES = {Format.DOCX: (docx(RICH), "word/document.xml"), Format.ODT: (odt(ODT_RICH), "content.xml")}
BOTH = pytest.mark.parametrize("kind", list(FILES), ids=str)


def reopened(data: bytes, kind: Format) -> Container:
    return FORMATS[kind].open_container(data, name="draft")


@pytest.mark.parametrize(("kind", "text"), [(Format.DOCX, RICH_TEXT), (Format.ODT, ODT_RICH_TEXT)])
def test_the_text_is_what_a_word_processor_shows(kind: Format, text: str) -> None:
    assert reopened(FILES[kind][0], kind).text == text


@BOTH
def test_an_unchanged_text_gives_the_original_bytes(kind: Format) -> None:
    data = FILES[kind][0]
    container = reopened(data, kind)
    assert container.save(container.text) is data or container.save(container.text) == data


@BOTH
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32))
@example(seed=2426)  # a heading joined with a paragraph, then broken twice
@example(seed=5431)  # an edit that must be laid beside a lock, and one that ends before it
def test_whatever_is_typed_where_it_may_be_is_there_again(kind: Format, seed: int) -> None:
    random = Random(seed)
    data, name = FILES[kind]
    container = reopened(data, kind)
    for _ in range(2):
        text = edited(container, random)
        saved = container.save(text)
        again = reopened(saved, kind)
        assert again.text == text
        before, after = members(data), members(saved)
        assert list(before) == list(after)
        assert {key for key in before if before[key] != after[key]} <= {name}
        container = again


@BOTH
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_what_is_locked_is_still_there_after_any_edit(kind: Format, seed: int) -> None:
    container = reopened(FILES[kind][0], kind)
    saved = reopened(container.save(edited(container, Random(seed))), kind)
    kept = [container.text[lock.start : lock.end].strip("\n") for lock in container.locked]
    still = [saved.text[lock.start : lock.end].strip("\n") for lock in saved.locked]
    assert [text for text in kept if text] == [text for text in still if text]


@BOTH
def test_one_edit_changes_one_run(kind: Format) -> None:
    data, name = FILES[kind]
    container = reopened(data, kind)
    saved = container.save(container.text.replace("shameful", "poor"))
    before, after = part(data, name), part(saved, name)
    assert after == before.replace("shameful", "poor", 1)


@BOTH
def test_attributes_and_dates_of_the_edited_member_stay(kind: Format) -> None:
    data, name = FILES[kind]
    container = reopened(data, kind)
    saved = container.save(container.text.replace("shameful", "poor"))
    before, after = (zipfile.ZipFile(io.BytesIO(content)).getinfo(name) for content in (data, saved))
    for field in ("date_time", "external_attr", "compress_type", "create_system", "extra", "comment"):
        assert getattr(before, field) == getattr(after, field)


def test_the_kind_of_an_odt_stays_first_and_stored() -> None:
    container = reopened(FILES[Format.ODT][0], Format.ODT)
    saved = container.save(container.text + " More.")
    assert saved[30:38] == b"mimetype"
    assert saved[38:77] == b"application/vnd.oasis.opendocument.text"


@BOTH
def test_every_other_run_keeps_its_look(kind: Format) -> None:
    data, name = FILES[kind]
    container = reopened(data, kind)
    lines = container.text.split("\n")
    lines[1] = lines[1].replace("chairman", "chair")
    saved = container.save("\n".join(lines))

    def looks(content: bytes) -> list[tuple[str, ...]]:
        root = ElementTree.fromstring(part(content, name))
        return [(node.tag, *sorted(node.attrib.values())) for node in root.iter()]

    assert looks(saved) == looks(data)


@BOTH
@pytest.mark.parametrize("character", ["\x00", "\x0b", "\x1b", "\r", "\ud800", "\ufffe"])
def test_a_character_that_no_such_file_can_hold_is_refused(kind: Format, character: str) -> None:
    container = reopened(FILES[kind][0], kind)
    with pytest.raises(ContainerError, match=r"draft was not saved: character 4, U\+"):
        container.save(container.text[:3] + character + container.text[3:])


@BOTH
def test_an_edit_of_what_is_locked_is_refused_with_the_reason(kind: Format) -> None:
    container = reopened(FILES[kind][0], kind)
    with pytest.raises(ContainerError, match=r"was not saved: line \d+ .* computes"):
        container.save(container.text.replace("Page 12", "Page 13"))


@BOTH
def test_an_edit_beside_what_is_locked_is_not_taken_for_one_of_it(kind: Format) -> None:
    container = reopened(FILES[kind][0], kind)
    twice = container.text.replace("Page 12", "Page 1212")
    saved = reopened(container.save(twice), kind)
    assert saved.text == twice
    assert reopened(saved.save(container.text), kind).text == container.text


@BOTH
def test_text_that_is_all_replaced_is_still_saved(kind: Format) -> None:
    body = "<w:p><w:r><w:t>One</w:t></w:r></w:p>" if kind is Format.DOCX else "<text:p>One</text:p>"
    data = docx(body * 3) if kind is Format.DOCX else odt(body * 3)
    container = reopened(data, kind)
    for text in ("", "x", "a\nb\nc\nd\n\n", "\n\n", "\n\n\n\n\nOne", "One\nOne\nOne\nOne", "two\nOne"):
        assert reopened(container.save(text), kind).text == text


@BOTH
def test_empty_paragraphs_take_text(kind: Format) -> None:
    data = docx("<w:p/><w:p></w:p>") if kind is Format.DOCX else odt("<text:p/><text:p></text:p>")
    container = reopened(data, kind)
    assert container.text == "\n"
    for text in ("a\n", "\nb", "a\nb", "", "x", "1\n2\n3\n4"):
        assert reopened(container.save(text), kind).text == text


@BOTH
def test_words_replaced_everywhere_and_a_new_paragraph_are_saved_in_a_long_file_with_tables(
    kind: Format,
) -> None:
    words = " ".join(f"the word {number} of the text" for number in range(12))
    if kind is Format.DOCX:
        line = f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"
        data = docx(60 * (line + f"<w:tbl><w:tr><w:tc>{line}</w:tc></w:tr></w:tbl>"))
    else:
        line = f"<text:p>{words}</text:p>"
        cell = f"<table:table-row><table:table-cell>{line}</table:table-cell></table:table-row>"
        data = odt(60 * (line + f"<table:table>{cell}</table:table>"))
    container = reopened(data, kind)
    lines = container.text.replace("the", "that").split("\n")
    lines[61] = "First.\n" + lines[61]
    assert reopened(container.save("\n".join(lines)), kind).text == "\n".join(lines)


def test_a_new_paragraph_looks_like_the_one_before_it() -> None:
    container = reopened(FILES[Format.DOCX][0], Format.DOCX)
    saved = container.save(container.text.replace("The record\n", "The record\nA second head\n"))
    head = re.escape('<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>')
    assert re.search(
        head + r"<w:r><w:t[^>]*>A second head</w:t></w:r></w:p>", part(saved, "word/document.xml")
    )


@BOTH
def test_a_paragraph_that_is_deleted_leaves_the_look_of_the_next(kind: Format) -> None:
    data, name = FILES[kind]
    container = reopened(data, kind)
    saved = container.save(container.text.removeprefix("The record\n"))
    assert "Heading1" not in part(saved, name)
    assert "<text:h" not in part(saved, name)


def test_a_heading_joined_with_its_text_and_split_again_elsewhere_stays_a_heading() -> None:
    container = reopened(odt("<text:h>One two</text:h><text:p>three four</text:p>"), Format.ODT)
    saved = container.save("One two three\nfour")
    assert "<text:h>One two three</text:h><text:p>four</text:p>" in part(saved, "content.xml")
