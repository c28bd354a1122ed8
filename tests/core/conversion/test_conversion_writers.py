"""Protects the files that are written: a reader finds in them what was there, and word processors what they need."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from random import Random

import docx
import pytest
from odf.opendocument import load

from core.conversion.convert import can_convert, read_content, write_content
from core.conversion.losses import describe_losses
from core.conversion.read_markdown import read_markdown
from core.conversion.types import Content, Loss
from core.documents.types import Format
from core.formats.docx import open_docx
from core.formats.loader import open_document
from core.formats.odt import open_odt
from core.formats.office_document import OfficeDocument
from core.formats.types import ContainerError
from core.revisions.annotate import annotate
from core.revisions.resolve import accept_all, reject_all
from core.revisions.tracking import save_tracked
from core.revisions.types import Note, Stamp
from tests.core.formats.builders import ODT_RICH, RICH, odt
from tests.core.formats.builders import docx as docx_file
from tests.core.formats.checks import edited, main_text

SOURCE = """# The *record*

Text[^1] with `code`, [a *link*](http://a.org/b?c=d) and **bold *and more*** ~~gone~~.\\
A line.

3. one
   - two
     1. three
4. four

> Quoted *words*.
>
> - in a list

| head | second |
| --- | --- |
| **1** | 2 |

```
code  with
  spaces
```

* * *

The end[^2].

[^1]: A [note](http://n.org).

    Its second paragraph.

[^2]: Another.
"""
OFFICE = (Format.DOCX, Format.ODT)


@pytest.mark.parametrize("target", [*OFFICE, Format.MARKDOWN])
def test_what_is_written_is_read_again(target: Format) -> None:
    content = read_markdown(SOURCE)
    opened = open_document(
        write_content(content, target, name="x"), name=f"x.{target.value[:4]}", format=target
    )
    again = read_content(opened.text, target, opened.container)  # type: ignore[arg-type]
    assert again.blocks == content.blocks
    assert not +again.losses


def test_markdown_is_written_as_people_write_it() -> None:
    assert write_content(read_markdown(SOURCE), Format.MARKDOWN, name="x").decode() == SOURCE.replace(
        "***and more***", "*and more***"
    )


def test_plain_text_has_the_words_the_addresses_and_the_footnotes() -> None:
    assert write_content(read_markdown(SOURCE), Format.PLAIN, name="x").decode() == (
        "The record\n\nText[1] with code, a link (http://a.org/b?c=d) and bold and more gone.\nA line.\n\n"
        "3. one\n   - two\n     1. three\n4. four\n\nQuoted words.\n\n- in a list\n\nhead\tsecond\n1\t2\n\n"
        "code  with\n  spaces\n\nThe end[2].\n\n[1] A note (http://n.org).\n\nIts second paragraph.\n\n[2] Another.\n"
    )


def test_the_libraries_read_their_files_again() -> None:
    content = read_markdown(SOURCE)
    document = docx.Document(io.BytesIO(write_content(content, Format.DOCX, name="x")))
    assert [one.style.name for one in document.paragraphs if one.style][:3] == [
        "Heading 1", "Normal", "List Paragraph",
    ]  # fmt: skip
    assert len(document.tables) == 1
    assert document.core_properties.author == ""
    assert load(io.BytesIO(write_content(content, Format.ODT, name="x"))).getMediaType().endswith("text")


def test_footnotes_are_those_of_the_word_processor() -> None:
    data = write_content(read_markdown(SOURCE), Format.DOCX, name="x")
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        notes = package.read("word/footnotes.xml").decode()
        assert notes.count("<w:footnoteRef/>") == 2
        assert "footnotes+xml" in package.read("[Content_Types].xml").decode()
        assert "http://n.org" in package.read("word/_rels/footnotes.xml.rels").decode()
    assert open_docx(data, name="x").text.split("\n")[-3:] == [
        " A note.",
        "Its second paragraph.",
        " Another.",
    ]


def test_a_word_document_defines_every_style_that_it_names() -> None:
    parts = main_parts(write_content(read_markdown(SOURCE), Format.DOCX, name="x"))
    named = {
        name for part in parts.values() for name in re.findall(r'<w:[prt](?:bl)?Style w:val="([^"]+)"', part)
    }
    defined = set(re.findall(r'<w:style [^>]*w:styleId="([^"]+)"', parts["word/styles.xml"]))
    assert {"FootnoteText", "FootnoteReference", "Code"} <= named <= defined
    assert not any("stylesWithEffects" in name for name in parts)


def main_parts(data: bytes) -> dict[str, str]:
    """The text of each part of a file by its name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


@pytest.mark.slow
@pytest.mark.parametrize("target", OFFICE)
def test_files_and_their_tracked_changes_are_valid_by_the_schemas(target: Format, tmp_path: Path) -> None:
    """ECMA-376 with Microsoft's extensions and OpenDocument 1.3, as openxml-audit checks them."""
    pytest.importorskip("openxml_audit")
    from openxml_audit import FileFormat, OpenXmlValidator
    from openxml_audit.odf import OdfValidator

    validator = (
        OpenXmlValidator(file_format=FileFormat.OFFICE_2019, max_errors=0)
        if target is Format.DOCX
        else OdfValidator(file_format=FileFormat.ODF_1_3)
    )

    def errors(data: bytes) -> list[str]:
        path = tmp_path / f"x.{target.value}"
        path.write_bytes(data)
        return [one.description for one in validator.validate(path).errors if one.severity.value == "error"]

    def opened(data: bytes) -> OfficeDocument:
        container = open_document(data, name=f"x.{target.value}", format=target).container
        assert isinstance(container, OfficeDocument)
        return container

    written = write_content(read_markdown(SOURCE), target, name="x")
    stamp = Stamp("Ann", datetime(2024, 5, 6))
    assert errors(written) == []
    for seed in range(20):
        random = Random(seed)
        document = opened(written)
        places = sorted(random.sample(range(len(document.text)), 6))
        notes = [Note(start, end, "Why") for start, end in zip(places[::2], places[1::2], strict=True)]
        tracked = save_tracked(document, edited(document, random), stamp, notes)
        for data in (tracked, annotate(document, notes, stamp)):
            assert errors(data) == []
            assert errors(accept_all(opened(data))) == []
            assert errors(reject_all(opened(data))) == []


@pytest.mark.parametrize("target", OFFICE)
def test_every_paragraph_can_be_edited(target: Format) -> None:
    opened = open_document(write_content(read_markdown(SOURCE), target, name="x"), name=f"x.{target.value}")
    assert opened.editable
    assert opened.container is not None
    changed = opened.text.replace("record", "file").replace("three", "3").replace("second", "other")
    assert open_document(opened.container.save(changed), name=f"x.{target.value}").text == changed


@pytest.mark.parametrize("target", OFFICE)
def test_a_character_that_no_file_can_hold_is_refused(target: Format) -> None:
    with pytest.raises(ContainerError, match=r"U\+0002"):
        write_content(read_markdown("a[^1]\n\n[^1]: \x02"), target, name="x.docx")


def test_word_documents_of_other_programs_are_carried_and_counted() -> None:
    content = read_content("", Format.DOCX, open_docx(docx_file(RICH), name="x"))
    said = write_content(content, Format.MARKDOWN, name="x").decode()
    assert said == (
        "# The record\n\nThe **shameful** record of the chairman reveals it all.\n\nKept put in and on.\n\n"
        "Page 12 of it\n\nA picture: and a box\n\nWords in a box\n\n| One cell | Another with two |\n| --- | --- |\n\n"
        "Tab and\\\nline & \\<more>\n\nA link 🙂 ends it.\n"
    )
    assert +content.losses == {Loss.OBJECT: 1, Loss.CHANGE: 2}


def test_open_documents_of_other_programs_keep_their_words() -> None:
    document = open_odt(odt(ODT_RICH), name="x")
    content = read_content("", Format.ODT, document)
    said = write_content(content, Format.PLAIN, name="x").decode()
    shown = main_text(document).replace("\ufffc", " ").split()
    assert [word for word in said.partition("\n\n[1]")[0].replace("[1]", "").split() if word != "-"] == shown


def test_which_formats_become_which() -> None:
    assert can_convert(Format.WIKITEXT, Format.DOCX)
    assert can_convert(Format.DOCX, Format.PLAIN)
    assert not can_convert(Format.DOCX, Format.DOCX)
    assert not can_convert(Format.MARKDOWN, Format.PLAIN)
    assert not can_convert(Format.HTML, Format.DOCX)


@pytest.mark.parametrize(
    ("losses", "target", "said"),
    [
        ({}, Format.DOCX, ""),
        (
            {Loss.IMAGE: 1},
            Format.ODT,
            "1 image cannot be converted to an OpenDocument text and will be left out.",
        ),
        (
            {Loss.IMAGE: 1, Loss.TEMPLATE: 3, Loss.CATEGORY: 1_000},
            Format.DOCX,
            "3 templates, 1 image and 1,000 categories cannot be converted to a Word document and will be left out.",
        ),
    ],
)
def test_losses_are_one_sentence(losses: dict[Loss, int], target: Format, said: str) -> None:
    assert describe_losses(Content((), Counter(losses)), target) == said


def test_plain_text_says_that_it_has_no_formatting() -> None:
    assert describe_losses(read_markdown("a b"), Format.PLAIN) == ""
    assert "only the words of" in describe_losses(read_markdown("a *b*"), Format.PLAIN)
