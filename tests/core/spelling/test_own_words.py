"""Own words are kept, windows share them, none is lost, and what is no word is refused."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.spelling.own_words import FILE, OwnWords
from core.storage.file_lock import FileLock
from core.storage.files import FileError


def test_words_are_kept_in_order_and_removed(tmp_path: Path) -> None:
    words = OwnWords(tmp_path)
    assert words.words() == []
    for word in ("Zürich", "anchor", "don’t", "anchor"):
        words.add(word)
    assert words.words() == ["anchor", "don’t", "Zürich"]
    words.remove("don’t")
    words.remove("not there")
    assert OwnWords(tmp_path).words() == ["anchor", "Zürich"]
    assert (tmp_path / FILE).read_text(encoding="utf-8") == "anchor\nZürich\n"


def test_the_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    OwnWords(tmp_path).add("word")
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_windows_see_each_other(tmp_path: Path) -> None:
    one, other = OwnWords(tmp_path), OwnWords(tmp_path)
    assert other.words() == []
    one.add("first")
    assert other.words() == ["first"]
    other.add("second")
    assert one.words() == ["first", "second"]


def test_words_of_two_windows_at_once_are_all_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.spelling.own_words._WAIT_S", 300.0)

    def add(start: int) -> None:
        words = OwnWords(tmp_path)
        for number in range(start, start + 10):
            words.add("w" + "abcdefghijklmnopqrst"[number])

    threads = [threading.Thread(target=add, args=(start,)) for start in (0, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(OwnWords(tmp_path).words()) == 20


@pytest.mark.parametrize("word", ["", "  ", "two words", "a\nb", "2nd", "x" * 61, "wo.rd"])
def test_what_is_no_word_is_refused(tmp_path: Path, word: str) -> None:
    words = OwnWords(tmp_path)
    with pytest.raises(ValueError, match="Write one word"):
        words.add(word)
    assert words.words() == []


def test_a_word_is_refused_rather_than_another_windows_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.spelling.own_words._WAIT_S", 0.0)
    lock = FileLock.acquire(tmp_path / "spelling.lock")
    assert lock is not None
    with pytest.raises(FileError, match="Another window"):
        OwnWords(tmp_path).add("word")
    lock.release()
    OwnWords(tmp_path).add("word")


def test_a_file_that_is_removed_has_no_words(tmp_path: Path) -> None:
    words = OwnWords(tmp_path)
    words.add("word")
    (tmp_path / FILE).unlink()
    assert words.words() == []


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    words = OwnWords(tmp_path)
    (tmp_path / FILE).mkdir()
    with pytest.raises(FileError, match="spelling"):
        words.add("word")


def test_what_other_programs_leave_in_the_file_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"\xef\xbb\xbfone\r\n\r\n two \r\none\n\xff\n")
    assert OwnWords(tmp_path).words()[:2] == ["one", "two"]
