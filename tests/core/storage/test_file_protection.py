"""Protects what protected a file before it was saved: owner, group, permissions, access list, attributes, its names."""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.storage.disk import PartialWriteError, replace_file, replacing
from core.storage.files import FileError, write_bytes, write_text
from tests.core.storage.fake_protection import ME, FakeProtection, faking

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions, owners and links")
OLD, NEW = b"Before the save.\n" * 9, b"After it.\n"
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["user.source", "user.note", "system.posix_acl_access", "security.label"]),
    st.binary(max_size=4),
)


@settings(max_examples=150, deadline=None)
@given(
    owner=st.sampled_from([ME, (1000, 44), (0, 0), (1234, 1000)]),
    mode=st.sampled_from([0o600, 0o640, 0o644, 0o664, 0o604, 0o755]),
    attributes=ATTRIBUTES,
    inherited=ATTRIBUTES,
    refused=st.sets(st.sampled_from(["owner", "user.note", "system.posix_acl_access", "security.label"])),
    names=st.integers(1, 3),
    new=st.sampled_from([NEW, b"", OLD * 3]),
)
def test_what_protected_a_file_protects_it_after_a_save(
    owner: tuple[int, int],
    mode: int,
    attributes: dict[str, bytes],
    inherited: dict[str, bytes],
    refused: set[str],
    names: int,
    new: bytes,
) -> None:
    """Whatever the system permits, and also under all of its names."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"name-{number}.txt") for number in range(names)]
        paths[0].write_bytes(OLD)
        paths[0].chmod(mode)
        for other in paths[1:]:
            os.link(paths[0], other)
        protection = FakeProtection(inherited=inherited, refused=frozenset(refused))
        protection.give(paths[0], owner, attributes)
        with faking(protection, paths[0]):
            write_bytes(paths[-1], new)
        for path in paths:
            assert path.read_bytes() == new
            assert protection.of(path) == (owner, attributes)
            assert stat.S_IMODE(path.stat().st_mode) == mode
        assert sorted(Path(folder).iterdir()) == paths
        assert protection.exposed == []


@pytest.mark.skipif(sys.platform != "linux", reason="Linux names access lists this way")
def test_a_real_access_list_and_real_attributes_stay(tmp_path: Path) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(OLD)
    everyone = 0xFFFFFFFF
    entries = ((1, 6, everyone), (2, 6, 12345), (4, 0, everyone), (16, 6, everyone), (32, 0, everyone))
    access_list = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
    for name, value in (("user.source", b"agency"), ("system.posix_acl_access", access_list)):
        # A file system that cannot keep it has none to lose.
        with suppress(OSError):
            os.setxattr(path, name, value)
    before = {name: os.getxattr(path, name) for name in os.listxattr(path)}, path.stat().st_mode
    write_bytes(path, NEW)
    assert path.read_bytes() == NEW
    assert ({name: os.getxattr(path, name) for name in os.listxattr(path)}, path.stat().st_mode) == before


def test_permissions_that_are_asked_for_replace_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(OLD)
    path.chmod(0o644)
    protection = FakeProtection()
    protection.give(path, (0, 44), {"system.posix_acl_access": b"everybody"})
    with faking(protection, path):
        replace_file(path, NEW, mode=0o600)
    assert protection.of(path) == ((0, 44), {})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_block_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(OLD)

    def fail() -> None:
        with replacing(path) as descriptor:
            os.write(descriptor, NEW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert [one.read_bytes() for one in tmp_path.iterdir()] == [OLD]


def _linked(folder: Path) -> tuple[Path, Path]:
    folder.mkdir()
    path, other = folder / "draft.txt", folder / "other name.txt"
    path.write_bytes(OLD)
    os.link(path, other)
    return path, other


def _recovery_copies(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if "~recovery-" in path.name]


@contextmanager
def _stopping(number: int, stop: BaseException, *, lasting: bool) -> Iterator[list[str]]:
    """Stop the ``number``-th call that changes the disk, or that and all after it; the calls, as they are made."""
    calls: list[str] = []

    def stopped(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **more: Any) -> Any:
            calls.append(name)
            if len(calls) == number or (lasting and len(calls) > number):
                raise stop
            return real(*arguments, **more)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("open", "write", "fsync", "ftruncate"):
            patch.setattr(os, name, stopped(name, getattr(os, name)))
        yield calls


@pytest.mark.parametrize("lasting", [False, True], ids=["one call fails", "and all after it"])
@pytest.mark.parametrize(
    "stop", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()], ids=["full", "interrupted"]
)
def test_a_file_with_two_names_is_whole_or_its_copy_is_named(
    tmp_path: Path, lasting: bool, stop: BaseException
) -> None:
    torn = 0
    for number in range(1, 40):
        folder = tmp_path / str(number)
        path, other = _linked(folder)
        with _stopping(number, stop, lasting=lasting) as calls:
            try:
                write_bytes(path, NEW)
                message = "saved"
            except FileError as error:
                message = str(error)
            except KeyboardInterrupt:
                message = "interrupted"
        copies = _recovery_copies(folder)
        assert path.samefile(other)
        if path.read_bytes() in (OLD, NEW) and not copies:
            assert message == "interrupted" or path.read_bytes() == (NEW if message == "saved" else OLD)
        else:
            torn += 1
            assert [copy.read_bytes() for copy in copies] == [OLD]
            assert message == "interrupted" or f"“{copies[0].name}” in the same folder" in message
        assert not list(folder.glob(".*")) or lasting
        if len(calls) < number:
            assert number > 8
            assert bool(torn) is lasting
            return
    raise AssertionError("a save in place has fewer calls than that")


def test_the_old_text_is_on_the_disk_while_a_file_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = _linked(tmp_path / "folder")
    opened, seen = os.open, []

    def watch(name: Any, flags: int, *more: int) -> int:
        if Path(name) == path:
            seen.extend(copy.read_bytes() for copy in _recovery_copies(path.parent))
        return opened(name, flags, *more)

    monkeypatch.setattr(os, "open", watch)
    write_text(path, "A new text.", encoding="utf-8")
    assert seen == [OLD]
    assert _recovery_copies(path.parent) == []


def test_a_link_that_takes_the_place_of_the_file_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = _linked(tmp_path / "folder")
    foreign = tmp_path / "foreign.txt"
    foreign.write_bytes(b"not mine")
    opened = os.open

    def swap(name: Any, flags: int, *more: int) -> int:
        if Path(name) == path and flags & os.O_WRONLY:
            path.unlink(missing_ok=True)
            path.symlink_to(foreign)
        return opened(name, flags, *more)

    monkeypatch.setattr(os, "open", swap)
    with pytest.raises(PartialWriteError):
        replace_file(path, NEW)
    assert foreign.read_bytes() == b"not mine"
    assert [copy.read_bytes() for copy in _recovery_copies(path.parent)] == [OLD]
