"""Getting a corpus from a home on this machine: whole, resumed or not at all; nothing that is here is ever replaced."""

from __future__ import annotations

import errno
import hashlib
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.network.download import PublishedFile
from core.storage.file_lock import FileLock
from tests.homepages import Home, serving
from training.corpora import ALL, OPTIONAL
from training.corpora.download import HTTPS, download_corpus_file
from training.types import CorpusError, Download, published_files

BODY = bytes(range(256)) * 4000
HTTP = frozenset({"http"})
PLACE = "babe/labels.csv"


def known(body: bytes = BODY, place: str = PLACE) -> dict[str, PublishedFile]:
    return {place: PublishedFile(hashlib.sha256(body).hexdigest(), len(body))}


@pytest.fixture
def home() -> Iterator[Home]:
    with serving(Home(files={"labels.csv": BODY})) as served:
        yield served


def fetch(
    home: Home, data: Path, *, right: dict[str, PublishedFile] | None = None, **more: object
) -> list[Path]:
    download = Download(home.url("labels.csv"), PLACE)
    return download_corpus_file(
        download, data, known=known() if right is None else right, schemes=HTTP, **more
    )  # type: ignore[arg-type]


def left_behind(data: Path) -> list[str]:
    return sorted(path.name for path in (data / "babe").iterdir() if path.name != "labels.csv")


def broken(home: Home, data: Path, *, after: int = 300_000, **more: object) -> None:
    """Get a part of it."""
    home.cut = after
    with pytest.raises(CorpusError, match="was interrupted"):
        fetch(home, data, **more)  # type: ignore[arg-type]
    home.cut = None
    home.asked.clear()


def test_a_whole_file_comes_and_nothing_is_left_beside_it(home: Home, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    assert fetch(home, tmp_path, on_progress=lambda *row: told.append(row)) == [tmp_path / PLACE]
    assert (tmp_path / PLACE).read_bytes() == BODY
    assert left_behind(tmp_path) == []
    assert told[0] == (PLACE, 0, len(BODY))
    assert told[-1] == (PLACE, len(BODY), len(BODY))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_what_is_here_as_published_is_not_asked_for_again(home: Home, tmp_path: Path) -> None:
    fetch(home, tmp_path)
    assert fetch(home, tmp_path) == []
    assert len(home.asked) == 1


def test_what_is_here_but_altered_is_never_replaced(home: Home, tmp_path: Path) -> None:
    (tmp_path / "babe").mkdir()
    (tmp_path / PLACE).write_bytes(b"my own notes")
    with pytest.raises(CorpusError, match="is here, but not as published"):
        fetch(home, tmp_path)
    assert (tmp_path / PLACE).read_bytes() == b"my own notes"
    assert home.asked == []


def test_it_goes_on_where_it_broke_off(home: Home, tmp_path: Path) -> None:
    broken(home, tmp_path)
    told: list[tuple[str, int, int]] = []
    fetch(home, tmp_path, on_progress=lambda *row: told.append(row))
    assert (tmp_path / PLACE).read_bytes() == BODY
    assert home.asked == [("/labels.csv", "bytes=300000-")]
    assert told[0] == (PLACE, 300_000, len(BODY))


def test_without_a_checksum_it_goes_on_too(home: Home, tmp_path: Path) -> None:
    broken(home, tmp_path, right={})
    fetch(home, tmp_path, right={})
    assert home.asked == [("/labels.csv", "bytes=300000-")]
    assert (tmp_path / PLACE).read_bytes() == BODY


def test_another_version_at_the_home_is_fetched_from_its_start(home: Home, tmp_path: Path) -> None:
    broken(home, tmp_path, right={})
    home.files["labels.csv"], home.version = BODY[::-1], '"two"'
    fetch(home, tmp_path, right={})
    assert (tmp_path / PLACE).read_bytes() == BODY[::-1]


def test_a_home_that_knows_no_ranges(home: Home, tmp_path: Path) -> None:
    broken(home, tmp_path)
    home.ranges = False
    fetch(home, tmp_path)
    assert (tmp_path / PLACE).read_bytes() == BODY


def test_where_nothing_tells_a_mixture_it_starts_again(home: Home, tmp_path: Path) -> None:
    home.version = ""
    broken(home, tmp_path, right={})
    fetch(home, tmp_path, right={})
    assert home.asked == [("/labels.csv", None)]
    assert (tmp_path / PLACE).read_bytes() == BODY


def test_a_part_that_is_longer_than_the_file_is_thrown_away(home: Home, tmp_path: Path) -> None:
    broken(home, tmp_path)
    with (tmp_path / "babe" / ".labels.csv.part").open("ab") as part:
        part.write(b"x" * len(BODY))
    fetch(home, tmp_path)
    assert (tmp_path / PLACE).read_bytes() == BODY


def test_a_part_whose_note_is_gone_or_damaged_is_not_trusted(home: Home, tmp_path: Path) -> None:
    broken(home, tmp_path)
    (tmp_path / "babe" / ".labels.csv.part.json").write_text("{", encoding="utf-8")
    fetch(home, tmp_path)
    assert home.asked == [("/labels.csv", None)]


def test_a_wrong_checksum_removes_what_came(home: Home, tmp_path: Path) -> None:
    home.files["labels.csv"] = b"?" + BODY[1:]
    with pytest.raises(CorpusError, match="is not the published file"):
        fetch(home, tmp_path)
    assert left_behind(tmp_path) == []
    assert not (tmp_path / PLACE).exists()


def test_a_home_that_sends_less_than_was_published(home: Home, tmp_path: Path) -> None:
    home.files["labels.csv"] = BODY[:1000]
    with pytest.raises(CorpusError, match="1,000 of 1,024,000 bytes were received"):
        fetch(home, tmp_path)
    assert not (tmp_path / PLACE).exists()


@pytest.mark.parametrize("right", [known(BODY[:-1]), {}])
def test_more_than_may_come_is_refused(home: Home, tmp_path: Path, right: dict[str, PublishedFile]) -> None:
    download = Download(home.url("labels.csv"), PLACE, max_bytes=1000)
    with pytest.raises(CorpusError, match=r"is larger \(1,024,000 bytes\) than allowed"):
        download_corpus_file(download, tmp_path, known=right, schemes=HTTP)
    assert left_behind(tmp_path) == []


def test_only_https_unless_a_test_says_so(home: Home, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="only https addresses"):
        download_corpus_file(Download(home.url("labels.csv"), PLACE), tmp_path, known=known())
    with pytest.raises(CorpusError, match="only https addresses"):
        download_corpus_file(Download("file:///etc/passwd", PLACE), tmp_path, known={})
    assert home.asked == []


def test_redirects_are_followed_to_the_same_scheme_alone(home: Home, tmp_path: Path) -> None:
    home.redirects["/old.csv"] = home.url("labels.csv")
    download_corpus_file(Download(home.url("old.csv"), PLACE), tmp_path, known=known(), schemes=HTTP)
    assert (tmp_path / PLACE).read_bytes() == BODY
    home.redirects["/bad.csv"] = "ftp://127.0.0.1/labels.csv"
    with pytest.raises(CorpusError, match=r"redirects babe/bad\.csv to an address that is not https"):
        download_corpus_file(Download(home.url("bad.csv"), "babe/bad.csv"), tmp_path, known={}, schemes=HTTP)


def test_a_circle_of_redirects_ends(home: Home, tmp_path: Path) -> None:
    home.redirects["/labels.csv"] = home.url("labels.csv")
    with pytest.raises(CorpusError, match="answered 302"):
        fetch(home, tmp_path)
    assert len(home.asked) < 10


def test_a_file_that_is_gone_from_its_home(home: Home, tmp_path: Path) -> None:
    home.files.clear()
    with pytest.raises(CorpusError, match=r"127\.0\.0\.1 answered 404 Not Found for babe/labels\.csv"):
        fetch(home, tmp_path)


def test_a_home_that_does_not_answer(tmp_path: Path) -> None:
    with serving(Home()) as gone:
        url = gone.url("labels.csv")
    with pytest.raises(CorpusError, match=r"127\.0\.0\.1 cannot be reached"):
        download_corpus_file(Download(url, PLACE), tmp_path, known=known(), schemes=HTTP)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_one_clear_line(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "babe").mkdir()
    real = Path.open

    def open_full(path: Path, *arguments: object, **more: object) -> object:
        place = Path("/dev/full") if path.name.endswith(".part") else path
        return real(place, *arguments, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", open_full)
    with pytest.raises(CorpusError, match=r"The disk is full: babe/labels\.csv is not complete"):
        fetch(home, tmp_path)


def test_too_little_room_is_said_before_anything_is_fetched(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    real = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: real._replace(free=1000))
    with pytest.raises(CorpusError, match="Free some space"):
        fetch(home, tmp_path)
    assert left_behind(tmp_path) == []


def test_what_came_before_it_was_stopped_is_kept(home: Home, tmp_path: Path) -> None:
    def stop(_place: str, done: int, _total: int) -> None:
        if done > 200_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(home, tmp_path, on_progress=stop)
    kept = (tmp_path / "babe" / ".labels.csv.part").stat().st_size
    assert kept > 200_000
    fetch(home, tmp_path)
    assert home.asked[-1] == ("/labels.csv", f"bytes={kept}-")


@pytest.mark.skipif(sys.platform == "win32", reason="locks of one process do not exclude each other there")
def test_two_at_once_do_not_mix(home: Home, tmp_path: Path) -> None:
    lock = FileLock.acquire(tmp_path / "babe" / ".labels.csv.lock")
    assert lock is not None
    with pytest.raises(CorpusError, match="is already being downloaded"):
        fetch(home, tmp_path)
    lock.release()
    fetch(home, tmp_path)


def test_a_folder_that_cannot_be_written(home: Home, tmp_path: Path) -> None:
    (tmp_path / "babe").write_text("a file where a folder should be", encoding="utf-8")
    with pytest.raises(CorpusError, match="could not be written"):
        fetch(home, tmp_path)


def test_an_archive_is_taken_apart_and_not_kept(home: Home, tmp_path: Path) -> None:
    made = tmp_path / "made.zip"
    with zipfile.ZipFile(made, "w") as book:
        book.writestr("release/one.tsv", "one")
        book.writestr("release/two.tsv", "two")
        book.writestr("release/third.bin", "not asked for")
    home.files["all.zip"] = made.read_bytes()
    download = Download(
        home.url("all.zip"),
        "wnc/all.zip",
        members=(("release/one.tsv", "wnc/one.tsv"), ("release/two.tsv", "wnc/two.tsv")),
    )
    data = tmp_path / "data"
    assert download_corpus_file(download, data, known={}, schemes=HTTP) == [
        data / "wnc" / "one.tsv",
        data / "wnc" / "two.tsv",
    ]
    assert sorted(path.name for path in (data / "wnc").iterdir()) == ["one.tsv", "two.tsv"]
    assert download_corpus_file(download, data, known={}, schemes=HTTP) == []


def test_what_is_here_packed_is_not_fetched_plain(home: Home, tmp_path: Path) -> None:
    (tmp_path / "babe").mkdir()
    (tmp_path / f"{PLACE}.xz").write_bytes(b"packed")
    assert fetch(home, tmp_path) == []
    assert home.asked == []


def test_every_home_is_an_https_address_and_every_place_is_one_that_is_read() -> None:
    right = published_files()
    for facts in (*ALL, *OPTIONAL):
        for download in facts.downloads:
            places = [place for _, place in download.members] or [download.place]
            assert download.url.split(":")[0] in HTTPS
            assert all(place in facts.files or f"{place}.xz" in facts.files for place in places)
            assert download.members or download.place in right
        assert facts.downloads or facts.manual_steps


def test_the_disk_quota_counts_as_a_full_disk(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def over_quota(*_: object) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    monkeypatch.setattr("os.fsync", over_quota)
    with pytest.raises(CorpusError, match="The disk is full"):
        fetch(home, tmp_path)
