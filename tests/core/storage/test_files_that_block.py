"""Protects against paths that never answer: pipes, devices and sockets are refused at once, never read."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.storage.data_version import read_data_version
from core.storage.disk import NotAFileError, open_regular
from core.storage.files import FileError, read_bytes, sha256_of, write_bytes
from core.storage.journal import Journal, find_orphans
from core.storage.journal_format import DraftLocation

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices are no paths there")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    # The path of a socket is short by law.
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


def link_to_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("other"))
    path.symlink_to("other")


ODD = (make_pipe, make_socket, link_to_device, link_to_pipe)


@pytest.mark.parametrize("make", ODD)
def test_what_is_no_file_is_refused_in_one_sentence(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "draft.md"
    make(path)
    with pytest.raises(NotAFileError):
        open_regular(path)
    with pytest.raises(NotAFileError):
        sha256_of(path)
    for work in (read_bytes, lambda path: write_bytes(path, b"x")):
        with pytest.raises(FileError, match="a device, a pipe or a socket") as raised:
            work(path)
        assert "\n" not in str(raised.value)
        assert "draft.md" in str(raised.value)


def test_a_folder_is_refused_as_before(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="it is a folder"):
        read_bytes(tmp_path)


@pytest.mark.parametrize("make", ODD)
def test_a_journal_that_is_no_file_is_put_aside(tmp_path: Path, make: Callable[[Path], None]) -> None:
    (tmp_path / "other drafts").mkdir()
    journal = Journal(tmp_path / "other drafts", DraftLocation("u", "draft"), text="before")
    journal.edit(0, 0, "new ")
    journal.close(keep=True)
    make(journal.path.with_name("a.journal"))
    found = find_orphans(journal.path.parent)
    assert [orphan.text for orphan in found.orphans] == ["new before"]
    assert [path.name for path in found.unreadable] == ["a.damaged"]
    found.orphans[0].release()


@pytest.mark.parametrize("make", ODD)
def test_the_version_of_the_data_is_not_waited_for(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "format.json")
    assert read_data_version(tmp_path) == 1
