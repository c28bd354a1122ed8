"""Protects the file of a draft: only the edits reach it, nothing is overwritten unasked, and its line ends stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.documents.session import (
    LONG_LINE,
    ChangedOnDiskError,
    Session,
    can_encode,
    changed_outside,
    open_session,
    save_session,
    untitled_copy,
)
from core.documents.types import Format
from core.storage.files import FileError


def written(folder: Path, data: bytes, name: str = "draft.md") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"one\r\ntwo\nthree\rfour",
        "\ufeffwith a mark\r\n".encode(),
        "caf\u00e9 na\u00efve\n".encode("windows-1252"),
        "no\u00a0break \U0001f44d e\u0301 \u05e9\u05dc\u05d5\u05dd\r\n\r\n".encode(),
        "wide\r\n".encode("utf-16"),
    ],
)
def test_an_unedited_draft_is_saved_byte_for_byte(tmp_path: Path, data: bytes) -> None:
    path = written(tmp_path, data)
    session = open_session(path)
    assert session.editable
    assert "\r" not in session.text
    save_session(session, session.text, path)
    assert path.read_bytes() == data


def test_lines_that_were_not_edited_keep_their_own_ends(tmp_path: Path) -> None:
    path = written(tmp_path, b"one\r\ntwo\nthree\r\n")
    session = open_session(path)
    after = save_session(session, session.text.replace("three", "3"), path)
    assert path.read_bytes() == b"one\r\ntwo\n3\r\n"
    assert after.text == "one\ntwo\n3\n"
    save_session(after, after.text + "four\n", path)
    assert path.read_bytes() == b"one\r\ntwo\n3\r\nfour\r\n"


def test_a_file_changed_by_another_program_is_not_overwritten_unasked(tmp_path: Path) -> None:
    path = written(tmp_path, b"mine")
    session = open_session(path)
    path.write_bytes(b"someone else's words")
    with pytest.raises(ChangedOnDiskError):
        save_session(session, "mine, edited", path)
    assert path.read_bytes() == b"someone else's words"
    save_session(session, "mine, edited", path, overwrite=True)
    assert path.read_bytes() == b"mine, edited"


def swap(path: Path, data: bytes, how: str) -> None:
    """Change the content of a file, not its size nor its modification time."""
    before = path.stat()
    assert len(data) == before.st_size
    if how == "replaced":
        other = path.with_name("other")
        other.write_bytes(data)
        other.replace(path)
    else:
        path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("how", ["replaced", "written"])
@pytest.mark.parametrize("when", ["opened", "saved"])
@pytest.mark.parametrize("name", ["draft.md", "draft.wikitext", "draft.html"])
def test_another_content_of_the_same_size_and_time_is_not_overwritten_unasked(
    tmp_path: Path, how: str, when: str, name: str
) -> None:
    path = written(tmp_path, b"<p>my own words</p>\n", name)
    session = open_session(path)
    if when == "saved":
        session = save_session(session, session.text.replace("own", "new"), path)
    others = path.read_bytes().replace(b"my", b"no")
    swap(path, others, how)
    assert changed_outside(session)
    with pytest.raises(ChangedOnDiskError):
        save_session(session, session.text.replace("words", "lines"), path)
    assert path.read_bytes() == others


def test_a_vanished_file_is_written_again(tmp_path: Path) -> None:
    path = written(tmp_path, b"mine")
    session = open_session(path)
    path.unlink()
    save_session(session, "mine", path)
    assert path.read_bytes() == b"mine"


def test_a_new_name_tells_the_format(tmp_path: Path) -> None:
    session = save_session(Session(), "'''Bold''' text", tmp_path / "article.wikitext")
    assert (session.name, session.format) == ("article.wikitext", Format.WIKITEXT)
    again = save_session(session, "other", tmp_path / "article.wikitext")
    assert again.format is Format.WIKITEXT


def test_a_copy_has_no_place_on_disk(tmp_path: Path) -> None:
    session = untitled_copy(written(tmp_path, b"# One\r\n"))
    assert (session.name, session.path, session.text, session.format) == (
        "Untitled",
        None,
        "# One\n",
        Format.MARKDOWN,
    )


def test_bytes_that_are_no_text_open_read_only_and_say_so(tmp_path: Path) -> None:
    session = open_session(written(tmp_path, "ünï\n".encode() * 9 + b"\xff\xfe\x81"))
    assert not session.editable
    assert session.notes


def test_a_long_line_is_announced(tmp_path: Path) -> None:
    session = open_session(written(tmp_path, b"x" * LONG_LINE))
    assert f"{LONG_LINE:,} characters" in session.notes[0]
    assert not open_session(written(tmp_path, b"x" * 1000)).notes


@pytest.mark.parametrize("name", ["gone.md", "folder"])
def test_what_cannot_be_read_is_one_clear_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match="cannot be read"):
        open_session(tmp_path / name)


def test_what_an_encoding_holds() -> None:
    assert can_encode("café", "windows-1252")
    assert not can_encode("👍🏽", "windows-1252")
    assert can_encode("👍🏽", "utf-8")


PAGE = b"<!DOCTYPE html>\r\n<title>T</title><p>The <b>shameful</b> record.</p>\r\n<p>Second.</p>\r\n"


def test_a_page_is_saved_with_nothing_but_the_edit_and_opened_anew(tmp_path: Path) -> None:
    path = written(tmp_path, PAGE, "page.html")
    session = open_session(path)
    assert session.format is Format.HTML
    same = save_session(session, session.text, path)
    assert path.read_bytes() == PAGE
    after = save_session(same, session.text.replace("shameful", "long"), path)
    assert path.read_bytes() == PAGE.replace(b"shameful", b"long")
    assert after.container is not None
    assert after.container.text == after.text
    again = save_session(after, after.text.replace("Second", "Third"), path)
    assert path.read_bytes() == PAGE.replace(b"shameful", b"long").replace(b"Second", b"Third")
    assert again.uid == session.uid


def test_a_page_saved_as_text_is_its_text(tmp_path: Path) -> None:
    session = open_session(written(tmp_path, PAGE, "page.html"))
    after = save_session(session, session.text, tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == session.text
    assert (after.format, after.container) == (Format.MARKDOWN, None)
    copy = save_session(session, session.text, tmp_path / "copy.html")
    assert (tmp_path / "copy.html").read_bytes() == PAGE
    assert copy.container is not None


@pytest.mark.parametrize("name", ["new.docx", "new.odt", "new.html"])
def test_saving_alone_makes_no_other_kind_of_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"Save it as \.txt or \.md"):
        save_session(Session(), "Some words.", tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_file_that_was_only_touched_counts_as_unchanged(tmp_path: Path) -> None:
    path = written(tmp_path, b"mine")
    session = open_session(path)
    os.utime(path, ns=(1, 1))
    assert not changed_outside(session)
    save_session(session, "mine, edited", path)
    assert path.read_bytes() == b"mine, edited"


@pytest.mark.parametrize(
    ("what", "said"), [("draft.md", "This file is read-only"), ("", "The folder of this file")]
)
def test_what_cannot_be_written_is_said_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, said: str
) -> None:
    path = written(tmp_path, b"mine")
    locked = tmp_path / what if what else tmp_path
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != locked)
    notes = open_session(path).notes
    assert [said in note for note in notes] == [True]


def test_a_copy_of_a_page_is_text(tmp_path: Path) -> None:
    assert untitled_copy(written(tmp_path, PAGE, "page.html")).format is Format.PLAIN
