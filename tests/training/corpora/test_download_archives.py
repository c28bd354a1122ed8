"""Members of an archive: only those asked for, only plain files, never outside, all or none."""

from __future__ import annotations

import hashlib
import io
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from core.network.download import PublishedFile
from training.corpora.download import unpack
from training.types import CorpusError

MOST = 10_000
WANTED = ("release/a.tsv", "release/b.tsv")
CONTENT = {"release/a.tsv": b"aaaa" * 500, "release/b.tsv": b"bb"}


def zipped(path: Path, content: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        for name, body in content.items():
            book.writestr(name, body)
    return path


def tarred(path: Path, content: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as book:
        for name, body in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            book.addfile(info, io.BytesIO(body))
    return path


def places(tmp_path: Path) -> dict[str, Path]:
    return {name: tmp_path / "data" / Path(name).name for name in WANTED}


def take(archive: Path, tmp_path: Path, **more: object) -> list[Path]:
    settings: dict[str, object] = {"known": {}, "max_bytes": MOST, **more}
    return unpack(archive, places(tmp_path), **settings)  # type: ignore[arg-type]


def untouched(tmp_path: Path) -> bool:
    folder = tmp_path / "data"
    return not folder.exists() or not list(folder.iterdir())


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_the_members_come_to_their_places(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    archive = pack(tmp_path / "archive", {"../evil": b"x", "/etc/evil": b"x", **CONTENT, "other": b"x"})
    assert take(archive, tmp_path) == list(places(tmp_path).values())
    assert {path.name: path.read_bytes() for path in (tmp_path / "data").iterdir()} == {
        "a.tsv": CONTENT["release/a.tsv"],
        "b.tsv": b"bb",
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive", "data"]


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_member_that_is_missing_is_named_and_no_other_is_put(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    archive = pack(tmp_path / "archive", {"release/a.tsv": b"a"})
    with pytest.raises(CorpusError, match=r"contains no release/b\.tsv: it is not the published archive"):
        take(archive, tmp_path)
    assert untouched(tmp_path)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_member_that_is_too_large(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    archive = pack(tmp_path / "archive", {**CONTENT, "release/b.tsv": b"0" * (MOST + 1)})
    with pytest.raises(CorpusError, match=r"release/b\.tsv in the archive is larger than 10,000 bytes"):
        take(archive, tmp_path)
    assert untouched(tmp_path)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_that_was_cut_off(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    archive = pack(tmp_path / "archive", CONTENT)
    whole = archive.read_bytes()
    archive.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorpusError, match=r"truncated or damaged|that is whole"):
        take(archive, tmp_path)
    assert untouched(tmp_path)


def test_what_is_no_archive(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(b"<html>Please log in</html>")
    with pytest.raises(CorpusError, match="neither a zip nor a tar"):
        take(archive, tmp_path)


def test_a_member_with_damaged_bytes(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with zipfile.ZipFile(archive, "w") as book:
        for name, body in CONTENT.items():
            book.writestr(name, body)
    whole = archive.read_bytes()
    archive.write_bytes(whole.replace(b"aaaaaaaa", b"aaaabaaa", 1))
    with pytest.raises(CorpusError, match="truncated or damaged"):
        take(archive, tmp_path)
    assert untouched(tmp_path)


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with zipfile.ZipFile(archive, "w") as book:
        link = zipfile.ZipInfo("release/a.tsv")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        book.writestr(link, "/etc/passwd")
    with pytest.raises(CorpusError, match="is not a plain file"):
        take(archive, tmp_path)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
def test_what_is_no_plain_file_in_a_tar_is_refused(tmp_path: Path, kind: bytes) -> None:
    archive = tmp_path / "archive"
    with tarfile.open(archive, "w") as book:
        info = tarfile.TarInfo("release/a.tsv")
        info.type, info.linkname = kind, "/etc/passwd"
        book.addfile(info)
    with pytest.raises(CorpusError, match="is not a plain file"):
        take(archive, tmp_path)
    assert untouched(tmp_path)


def test_a_member_with_another_checksum(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "archive", CONTENT)
    place = places(tmp_path)["release/a.tsv"]
    right = {place: PublishedFile(hashlib.sha256(b"other").hexdigest(), 5)}
    with pytest.raises(CorpusError, match="is not as published"):
        take(archive, tmp_path, known=right)
    assert untouched(tmp_path)


def test_a_place_that_is_taken_stays_as_it_is(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "archive", CONTENT)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.tsv").write_bytes(b"mine")
    assert take(archive, tmp_path) == [tmp_path / "data" / "b.tsv"]
    assert (tmp_path / "data" / "a.tsv").read_bytes() == b"mine"
