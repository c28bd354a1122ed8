"""Protects people's files: nothing is lost on reading or on a save that fails, and every failure says what to do."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.storage import files
from core.storage.files import FileError, decode, read_text, restore_line_ends, write_text

ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and links")
LINES = st.lists(st.sampled_from(["a", "b", "", "unique " * 2, "c d"]), max_size=12)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        ("Grüße 😀\r\nx\ry\n".encode(), "Grüße 😀\r\nx\ry\n", "utf-8"),
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café", "utf-8-sig"),
        (b"\xff\xfe" + "né\r\n".encode("utf-16-le"), "né\r\n", "utf-16-le"),
        (b"\xfe\xff" + "né\n".encode("utf-16-be"), "né\n", "utf-16-be"),
    ],
)
def test_a_known_encoding_is_read_and_written_back_byte_for_byte(
    data: bytes, text: str, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(data)
    found = read_text(path)
    assert (found.text, found.encoding, found.editable, found.note) == (text, encoding, True, "")
    write_text(path, found.text, encoding=found.encoding)
    assert path.read_bytes() == data


def test_western_bytes_are_read_with_a_note_and_written_back(tmp_path: Path) -> None:
    path = tmp_path / "draft.txt"
    data = "“Café” – naïve résumé, 5 €.\r\n".encode("windows-1252")
    path.write_bytes(data)
    found = read_text(path)
    assert (found.text, found.encoding, found.editable) == (
        "“Café” – naïve résumé, 5 €.\r\n",
        "windows-1252",
        True,
    )
    assert "Windows-1252" in found.note
    assert "convert the file to UTF-8" in found.note
    write_text(path, found.text, encoding=found.encoding)
    assert path.read_bytes() == data


@pytest.mark.parametrize(
    "data",
    [
        "Grüße aus Köln, schöne Straße".encode() + b"\xff" + "Ümlaut".encode(),
        "Правительство объявило о новых мерах".encode("windows-1251"),
        "政府は新しい対策を発表した".encode("shift-jis"),
        b"\xff\xfeabc",
        b"\x81\x8d\x8f word and word again and again",
    ],
)
def test_what_cannot_be_decoded_opens_for_reading_only(data: bytes) -> None:
    found = decode(data)
    assert not found.editable
    assert "\ufffd" in found.text
    assert "reading only" in found.note


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"text\0text",
        b"PK\x03\x04\x14\x06\x08\x01",
        b"\xff\xfea\0\0\0",
        "né".encode("utf-16-le"),
    ],
)
def test_binary_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "photo.bin"
    path.write_bytes(data)
    with pytest.raises(
        FileError, match=r"photo\.bin looks like a binary file, not text\. Save it as plain text"
    ):
        read_text(path)
    with pytest.raises(FileError, match="standard input looks like a binary file"):
        decode(data)


def test_utf_32_is_named() -> None:
    with pytest.raises(FileError, match=r"UTF-32.*Save it as UTF-8"):
        decode("text".encode("utf-32"))


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    path = tmp_path / "big.txt"
    path.write_bytes(b"x" * 10)
    assert read_text(path).text == "x" * 10
    path.write_bytes(b"x" * 11)
    with pytest.raises(FileError, match=r"big\.txt is larger than 50 MB\. Split it"):
        read_text(path)


def test_a_path_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(
        FileError, match=r"gone\.txt cannot be read: the file or its folder does not exist\. Check the name"
    ):
        read_text(tmp_path / "gone.txt")
    with pytest.raises(FileError, match=r"it is a folder|no permission"):
        read_text(tmp_path)
    with pytest.raises(FileError, match="a character that is not allowed in file names"):
        read_text(tmp_path / "a\0b")


def test_a_new_file_is_made_with_the_usual_permissions(tmp_path: Path) -> None:
    path, usual = tmp_path / "new.txt", tmp_path / "usual.txt"
    usual.write_text("")
    write_text(path, "one\r\ntwo\n", encoding="utf-8")
    assert path.read_bytes() == b"one\r\ntwo\n"
    assert path.stat().st_mode == usual.stat().st_mode
    assert sorted(tmp_path.glob("*.txt")) == [path, usual]


@ON_POSIX
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_stay(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "draft.txt"
    path.write_text("old")
    path.chmod(mode)
    write_text(path, "new", encoding="utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text() == "new"


@ON_POSIX
def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "draft.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new", encoding="utf-8")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert [entry.name for entry in (tmp_path / "real").iterdir()] == ["draft.txt"]


@ON_POSIX
def test_a_link_to_itself_is_an_error_and_no_file(tmp_path: Path) -> None:
    link = tmp_path / "loop.txt"
    link.symlink_to(link)
    with pytest.raises(FileError, match="it is a link that leads back to itself"):
        write_text(link, "new", encoding="utf-8")
    assert link.is_symlink()


def _raising(code: int) -> Callable[..., int]:
    def fail(*_: object) -> int:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize("call", ["open", "write", "fsync"])
@pytest.mark.parametrize(
    ("code", "message"),
    [
        (errno.ENOSPC, "the disk is full. Free some space"),
        (errno.EROFS, "the disk is read-only. Save it on another disk"),
        (errno.EACCES, "you have no permission. Change the permissions"),
        (errno.EIO, "the disk reports an error"),
        (errno.EINVAL, os.strerror(errno.EINVAL)),
    ],
)
def test_a_save_that_fails_changes_nothing_and_says_why(
    call: str, code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(b"the old text")
    before = sorted(tmp_path.iterdir())
    with monkeypatch.context() as broken:
        broken.setattr(os, call, _raising(code))
        with pytest.raises(FileError) as caught:
            write_text(path, "the new text", encoding="utf-8")
    assert str(caught.value).startswith(f"draft.txt was not saved: {message}")
    assert str(caught.value).endswith("The file still has its previous content.")
    assert path.read_bytes() == b"the old text"
    assert sorted(tmp_path.iterdir()) == before


def test_a_rename_that_fails_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(b"old")
    with monkeypatch.context() as broken:
        broken.setattr(Path, "replace", _raising(errno.EBUSY))
        with pytest.raises(FileError, match="another program is using it"):
            write_text(path, "new", encoding="utf-8")
    assert [entry.read_bytes() for entry in tmp_path.iterdir() if entry.is_file()] == [b"old"]


def test_an_interruption_leaves_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(b"old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_text(path, "new", encoding="utf-8")
    assert [entry.read_bytes() for entry in tmp_path.iterdir() if entry.is_file()] == [b"old"]


def test_a_disk_that_takes_a_few_bytes_at_a_time_still_gets_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "draft.txt"
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    write_text(path, "a text longer than three bytes", encoding="utf-8")
    monkeypatch.undo()
    assert path.read_text() == "a text longer than three bytes"


def test_the_text_is_on_the_disk_before_the_file_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "draft.txt"
    path.write_text("old")
    fsync, flushed = os.fsync, []

    def watch(descriptor: int) -> None:
        flushed.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.read_text()))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watch)
    write_text(path, "new", encoding="utf-8")
    assert flushed[0] == (False, "old")
    assert flushed[1:] in ([(True, "new")], [])


def test_a_folder_that_is_gone_or_a_folder_itself_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="the file or its folder does not exist"):
        write_text(tmp_path / "gone" / "draft.txt", "x", encoding="utf-8")
    with pytest.raises(FileError, match="it is a folder"):
        write_text(tmp_path, "x", encoding="utf-8")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"part of its path is not a folder|does not exist"):
        write_text(tmp_path / "file" / "draft.txt", "x", encoding="utf-8")
    with pytest.raises(FileError, match="a character that is not allowed in file names"):
        write_text(tmp_path / "a\0b", "x", encoding="utf-8")


def test_a_write_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rename alone would not care: it needs the folder's permission only."""
    path = tmp_path / "draft.txt"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileError, match="you have no permission"):
        write_text(path, "new", encoding="utf-8")
    assert path.read_text() == "old"


@ON_POSIX
def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FileError, match="a device, a pipe or a socket"):
        write_text(pipe, "x", encoding="utf-8")
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        (
            "ok Ω",
            "windows-1252",
            r"“Ω” \(character 4\) cannot be written in windows-1252\. Replace it, or save .* UTF-8",
        ),
        (
            "x\ud800",
            "utf-8",
            r"half of a surrogate pair \(character 2\) cannot be written in UTF-8\. Remove it",
        ),
    ],
)
def test_a_character_that_the_encoding_lacks_is_named(
    text: str, encoding: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(b"old")
    with pytest.raises(FileError, match=message):
        write_text(path, text, encoding=encoding)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("original", "edited", "expected"),
    [
        ("a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n"),
        ("a\rb", "a\nb\nc", "a\rb\rc"),
        ("a", "a\nb", "a\nb"),
        ("", "", ""),
        ("a\r\nb\nc\r\nd\r\n", "a\nb\nnew\nc\nd\n", "a\r\nb\nnew\r\nc\r\nd\r\n"),
        ("a\r\nb\nc\r\nd\r\n", "b\nc\nd\n", "b\nc\r\nd\r\n"),
        ("x\nx\r\nx\r\nx\r\n", "x\nx\nx\nx\nx\n", "x\nx\r\nx\r\nx\r\nx\r\n"),
        ("one\ntwo\r\nthree\r\nfour\r\n", "one!\ntwo\nthree\nfour\n", "one!\ntwo\r\nthree\r\nfour\r\n"),
        ("a\r\nb\nc\rd\r\n", "a\nb!\nc!\nd\n", "a\r\nb!\nc!\rd\r\n"),
        ("a\r\nb c\nd\r\n", "a\nb\nc\nd\n", "a\r\nb\r\nc\nd\r\n"),
        ("a\r\nb\nc\rd\r\n", "a\nbc\nd\n", "a\r\nbc\rd\r\n"),
        ("a\nb\r\nc\r\n", "", ""),
        ("a\r\nb\r\n", "a\r\nb\nc\n", "a\r\nb\r\nc\r\n"),
    ],
)
def test_lines_keep_their_line_ends_and_new_ones_get_the_commonest(
    original: str, edited: str, expected: str
) -> None:
    assert restore_line_ends(original, edited) == expected


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "", "c c"]), ENDS), max_size=15),
    st.sampled_from(["", "last"]),
)
def test_what_was_not_edited_comes_back_as_it_was(lines: list[tuple[str, str]], last: str) -> None:
    original = "".join(line + end for line, end in lines) + last
    assert restore_line_ends(original, original.replace("\r\n", "\n").replace("\r", "\n")) == original


@given(LINES, LINES, st.lists(ENDS, min_size=12, max_size=12))
def test_only_line_ends_are_changed(before: list[str], after: list[str], ends: list[str]) -> None:
    original = "".join(line + end for line, end in zip(before, ends, strict=False))
    edited = "\n".join(after)
    result = restore_line_ends(original, edited)
    assert result.replace("\r\n", "\n").replace("\r", "\n") == edited


def test_a_large_text_of_mixed_line_ends_takes_no_quadratic_time() -> None:
    """A quarter of a million lines, all alike and then all different: quadratic work would never end."""
    for line in ("same", "line {}"):
        rows = [line.format(number) for number in range(250_000)]
        ends = ["\r\n" if number % 3 else "\n" for number in range(len(rows))]
        original = "".join(row + end for row, end in zip(rows, ends, strict=True))
        edited = "\n".join(["new", *rows[:100_000], "new too", *rows[100_003:], ""])
        result = restore_line_ends(original, edited)
        assert result.startswith("new\r\n" + rows[0])
        assert result.endswith(rows[-2] + ends[-2] + rows[-1] + ends[-1])
