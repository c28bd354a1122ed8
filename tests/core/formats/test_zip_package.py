"""Protects who opens a file from a stranger: a zip or its XML made to do harm is refused in one sentence."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats import xml_scan
from core.formats.docx import open_docx
from core.formats.types import ContainerError
from core.formats.zip_package import MAX_MEMBERS, open_package
from tests.core.formats.builders import document, docx, paragraph, run, zipped
from tests.core.formats.checks import members

PLAIN = {"a.xml": b"<a/>", "b.bin": bytes(range(256)) * 20}
MAIN = "word/document.xml"


def unpack(data: bytes) -> None:
    package = open_package(data, name="draft.docx")
    for name in package.members:
        package.read(name)


def refused(data: bytes, said: str) -> None:
    with pytest.raises(ContainerError, match=said) as refusal:
        unpack(data)
    assert str(refusal.value).startswith("draft.docx ")
    assert str(refusal.value).count(". ") == 1


def field(data: bytes, mark: bytes, offset: int, value: int, *, size: str = "<I") -> bytes:
    """A zip with one number of its last record of a kind changed."""
    changed = bytearray(data)
    struct.pack_into(size, changed, data.rindex(mark) + offset, value)
    return bytes(changed)


def test_a_member_is_replaced_and_nothing_else() -> None:
    data = zipped(PLAIN, stored=("b.bin",))
    package = open_package(data, name="x")
    assert {name: package.read(name) for name in package.members} == PLAIN
    replaced = package.replaced({"a.xml": b"<longer/>"})
    assert members(replaced)["b.bin"] == members(data)["b.bin"]
    assert open_package(replaced, name="x").read("a.xml") == b"<longer/>"
    assert package.replaced({}) == data


@pytest.mark.parametrize("comment", [b"", b"a comment", b"PK\x05\x06 in a comment" * 9])
@pytest.mark.parametrize(
    "behind",
    [b"\0", b"\r\n", b"\n-- \nsent by a list\n", bytes(512), b"PK\x05\x06" + b"P" * 30, b"x" * 60_000],
)
def test_bytes_behind_the_end_are_ignored_and_kept(comment: bytes, behind: bytes) -> None:
    """Mail programs, uploads and tapes add some; word processors open such files."""
    buffer = io.BytesIO(zipped(PLAIN))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.comment = comment
    data = buffer.getvalue() + behind
    package = open_package(data, name="x")
    assert {name: package.read(name) for name in package.members} == PLAIN
    saved = package.replaced({"a.xml": b"<longer/>"})
    assert saved.endswith(comment + behind)
    assert open_package(saved, name="x").read("a.xml") == b"<longer/>"
    assert package.replaced({}) == data


@given(st.data())
def test_a_package_opens_with_any_bytes_behind_it_and_with_no_byte_less(data: st.DataObject) -> None:
    whole = zipped(PLAIN)
    behind = data.draw(
        st.binary(max_size=50) | st.lists(st.sampled_from([b"PK\5\6", b"PK\1\2", b"\0"])).map(b"".join)
    )
    package = open_package(whole + behind, name="draft.docx")
    assert {name: package.read(name) for name in package.members} == PLAIN
    refused(whole[: -data.draw(st.integers(1, 40))], "its end is missing|does not match")


def test_sizes_that_come_after_a_member_are_read_and_written_over() -> None:
    buffer = io.BytesIO()

    class Pipe(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, content: bytes) -> int:  # type: ignore[override]
            return buffer.write(content)

    with zipfile.ZipFile(Pipe(), "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        for name, content in PLAIN.items():
            archive.writestr(name, content)
    data = buffer.getvalue()
    assert b"PK\x07\x08" in data
    replaced = open_package(data, name="x").replaced({"a.xml": b"<b/>"})
    assert members(replaced)["b.bin"] == members(data)["b.bin"]
    assert members(replaced)["a.xml"].count(b"PK\x07\x08") == 0


def test_a_comment_at_the_end_and_long_size_fields_are_kept() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.comment = b"made by hand"
        with archive.open("a.xml", "w", force_zip64=True) as member:
            member.write(b"<a/>")
    replaced = open_package(buffer.getvalue(), name="x").replaced({"a.xml": b"<bc/>"})
    with zipfile.ZipFile(io.BytesIO(replaced)) as archive:
        assert archive.comment == b"made by hand"
        assert archive.read("a.xml") == b"<bc/>"


def test_a_bomb_is_refused_before_it_is_unpacked() -> None:
    data = zipped({MAIN: b"\0" * 50_000_000})
    tracemalloc.start()
    try:
        refused(data, "too large when unpacked")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_bomb_that_lies_about_its_size_is_refused_in_bounded_memory() -> None:
    data = zipped({MAIN: b"\0" * 50_000_000})
    lying = field(field(data, b"PK\x01\x02", 24, 1000), b"PK\x03\x04", 22, 1000)
    tracemalloc.start()
    try:
        refused(lying, "cannot be unpacked")
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_sizes_that_no_packing_gives_are_refused() -> None:
    refused(field(zipped(PLAIN), b"PK\x01\x02", 24, 2**31), "sizes that it gives cannot be right")


def test_too_many_members_are_refused() -> None:
    refused(zipped({f"{number}": b"" for number in range(MAX_MEMBERS + 1)}), "too large")


def test_an_encrypted_member_is_refused() -> None:
    refused(field(zipped(PLAIN), b"PK\x01\x02", 8, 1, size="<H"), "protected by a password")


@pytest.mark.parametrize("method", [1, 6, 9, 12, 14, 93, 99])
def test_other_packing_is_refused(method: int) -> None:
    data = field(zipped({"a": b"x"}), b"PK\x01\x02", 10, method, size="<H")
    refused(field(data, b"PK\x03\x04", 8, method, size="<H"), "packed in a way")


@pytest.mark.parametrize("name", ["/etc/passwd", "../a", "a/../../b", "C:/a", "a\\..\\..\\b"])
def test_names_that_lead_out_are_refused(name: str) -> None:
    refused(zipped({name: b"x"}), "leads out of the package")


def test_a_name_that_stands_twice_is_refused() -> None:
    refused(zipped({"a": b"1", "b": b"2"}).replace(b"b", b"a"), "it contains the part [ab] twice")


def test_members_that_overlap_are_refused() -> None:
    data = zipped({"aa": b"1" * 40, "bb": b"2" * 40}, stored=("aa", "bb"))
    inner = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, 0, 0, 0, 0, zlib.crc32(b"x"), 1, 1, 2, 0) + b"bbx"
    body = data.index(b"1" * 40)
    overlapping = data[:body] + inner + data[body + len(inner) :]
    overlapping = field(field(overlapping, b"PK\x01\x02", 42, body), b"PK\x01\x02", 20, 1)
    refused(field(overlapping, b"PK\x01\x02", 24, 1), "overlap")


def test_a_header_that_differs_from_the_table_of_contents_is_refused() -> None:
    data = zipped(PLAIN)
    refused(data.replace(b"a.xml", b"c.xml", 1), "directory does not match")


def test_content_that_does_not_fit_its_checksum_is_refused() -> None:
    refused(zipped({"a": b"right"}, stored=("a",)).replace(b"right", b"wrong"), "cannot be unpacked")


@pytest.mark.parametrize("length", [0, 1, 4, 21, 22, 100, -1, -22, -60])
def test_a_file_that_was_cut_off_is_refused(length: int) -> None:
    refused(zipped(PLAIN)[:length], "is damaged")


XML = {
    "billion laughs": (
        '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
        "declares a document type",
    ),
    "external entity": (
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
        "declares a document type",
    ),
    "external type": ('<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>', "declares a document type"),
    "deep": ("<a>" * 200_000, "nested too deeply"),
    "other encoding": ('<?xml version="1.0" encoding="ISO-8859-1"?><a/>', "encoded neither"),
    "unclosed": ("<a><b></a>", "not well-formed XML"),
    "no bytes": ("", "not well-formed XML"),
    "unknown entity": ("<a>&nbsp;</a>", "not well-formed XML"),
    "null": ("<a>\0</a>", "not well-formed XML"),
    "unbound prefix": ("<a:b/>", "not well-formed XML"),
}


@pytest.mark.parametrize("which", list(XML))
def test_xml_that_is_made_to_harm_is_refused(which: str) -> None:
    content, said = XML[which]
    data = open_package(docx(paragraph(run("x"))), name="x").replaced({MAIN: content.encode()})
    with pytest.raises(ContainerError, match=said):
        open_docx(data, name="draft.docx")


def test_endless_elements_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_scan, "MAX_ELEMENTS", 100)
    with pytest.raises(ContainerError, match="too many elements"):
        open_docx(docx("<w:p/>" * 25), name="draft.docx")


def test_bytes_that_are_no_utf8_are_refused() -> None:
    content = document(paragraph(run("caf\xe9"))).encode("windows-1252")
    data = open_package(docx(""), name="x").replaced({MAIN: content})
    with pytest.raises(ContainerError, match="not well-formed XML"):
        open_docx(data, name="draft.docx")
