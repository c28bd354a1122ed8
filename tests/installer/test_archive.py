"""Protects that a package built twice is one package: order, owner, time and modes never come from the machine."""

from __future__ import annotations

import io
import os
import tarfile
from pathlib import Path

import pytest

from installer.archive import Member, checksums, tree, with_folders, write_ar, write_tar

EPOCH = 1_700_000_000


def program(folder: Path, names: list[str]) -> Path:
    """A folder with these files, made in this order."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (folder / "run").chmod(0o750)
    (folder / "lib.so").symlink_to("inside/lib.so")
    return folder


def packed(members: list[Member]) -> bytes:
    out = io.BytesIO()
    write_tar(members, out, epoch=EPOCH)
    return out.getvalue()


def test_the_order_of_the_disk_and_its_times_do_not_show(tmp_path: Path) -> None:
    names = ["run", "b/two", "b/one", "a.txt", "inside/lib.so"]
    first = program(tmp_path / "first", names)
    second = program(tmp_path / "second", names[::-1])
    os.utime(second / "a.txt", (1, 1))
    (second / "b" / "one").chmod(0o600)
    archives = [packed(with_folders(tree(folder, "opt/x"))) for folder in (first, second)]
    assert archives[0] == archives[1]


def test_members_are_roots_and_folders_come_first(tmp_path: Path) -> None:
    folder = program(tmp_path / "p", ["run", "b/one"])
    with tarfile.open(fileobj=io.BytesIO(packed(with_folders(tree(folder, "opt/x"), "./")))) as archive:
        found = archive.getmembers()
    assert [one.name for one in found] == [
        "./opt",
        "./opt/x",
        "./opt/x/b",
        "./opt/x/b/one",
        "./opt/x/lib.so",
        "./opt/x/run",
    ]
    assert {(one.uid, one.gid, one.uname, one.mtime) for one in found} == {(0, 0, "root", EPOCH)}
    modes = {one.name.removeprefix("./opt/x/"): one.mode for one in found}
    assert (modes["b"], modes["b/one"], modes["run"]) == (0o755, 0o644, 0o755)
    assert found[4].linkname == "inside/lib.so"


@pytest.mark.parametrize("body", [b"even", b"odd"])
def test_an_ar_is_the_outer_form_of_a_deb(tmp_path: Path, body: bytes) -> None:
    file = tmp_path / "body"
    file.write_bytes(body)
    write_ar([("debian-binary", b"2.0\n"), ("data.tar.zst", file)], tmp_path / "x.deb", epoch=EPOCH)
    said = (tmp_path / "x.deb").read_bytes()
    assert said.startswith(b"!<arch>\ndebian-binary   1700000000  0     0     100644  4         `\n2.0\n")
    assert len(said) == 8 + 60 + 4 + 60 + len(body) + len(body) % 2


def test_checksums_are_what_sha256sum_reads(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / name).write_bytes(b"")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert checksums([tmp_path / "b", tmp_path / "a"]) == f"{empty}  a\n{empty}  b\n"
