"""Protects what fetches large files: https and its certificates, going on by checksum alone, and hanging up at once.

What a corpus needs of it besides (versions, caps, full disks) is held by ``tests/training/corpora/test_download.py``.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.network.download import DownloadError, PublishedFile, RemoteFile, download
from core.network.https import FetchCancelled, NetworkCall
from tests.homepages import Home, serving, trusted_context

BODY = bytes(range(256)) * 4000
SHA256 = hashlib.sha256(BODY).hexdigest()
HTTP = frozenset({"http"})


@pytest.fixture
def home() -> Iterator[Home]:
    with serving(Home(files={"models.zip": BODY})) as served:
        yield served


def wanted(home: Home, folder: Path, *, sha256: str = SHA256, name: str = "models.zip") -> RemoteFile:
    known = PublishedFile(sha256) if sha256 else None
    return RemoteFile(home.url(name), name, folder / "part", max_bytes=10**7, published=known, schemes=HTTP)


def broken(home: Home, one: RemoteFile, *, after: int = 300_000) -> None:
    home.cut = after
    with pytest.raises(DownloadError, match=r"The part of models\.zip that was received is kept"):
        download(one)
    home.cut = None
    home.asked.clear()


def test_a_file_comes_by_https_from_a_home_that_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = trusted_context(tmp_path, monkeypatch)
    with serving(Home(files={"models.zip": BODY}), context=context) as home:
        one = RemoteFile(home.url("models.zip"), "models.zip", tmp_path / "part", max_bytes=10**7)
        home.cut = 1000
        with pytest.raises(DownloadError, match="was interrupted"):
            download(one)
        home.cut = None
        download(one)
        assert (tmp_path / "part").read_bytes() == BODY
        assert home.asked[-1] == ("/models.zip", "bytes=1000-")


def test_a_certificate_that_nobody_knows_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = trusted_context(tmp_path, monkeypatch)
    monkeypatch.delenv("SSL_CERT_FILE")
    with serving(Home(files={"models.zip": BODY}), context=context) as home:
        one = RemoteFile(home.url("models.zip"), "models.zip", tmp_path / "part", max_bytes=10**7)
        with pytest.raises(DownloadError, match="cannot be reached"):
            download(one)
        assert home.asked == []


def test_https_is_not_left_by_a_redirect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = trusted_context(tmp_path, monkeypatch)
    with serving(Home(files={"models.zip": BODY})) as plain, serving(Home(), context=context) as home:
        home.redirects["/models.zip"] = plain.url("models.zip")
        one = RemoteFile(home.url("models.zip"), "models.zip", tmp_path / "part", max_bytes=10**7)
        with pytest.raises(DownloadError, match=r"redirects models\.zip to an address that is not https"):
            download(one)
        assert plain.asked == []


def test_what_is_whole_by_its_checksum_is_not_asked_for_again(home: Home, tmp_path: Path) -> None:
    one = wanted(home, tmp_path)
    download(one)
    download(one)
    assert len(home.asked) == 1


def test_without_a_checksum_the_server_says_that_nothing_is_lacking(home: Home, tmp_path: Path) -> None:
    one = wanted(home, tmp_path, sha256="")
    download(one)
    download(one)
    assert home.asked == [("/models.zip", None), ("/models.zip", f"bytes={len(BODY)}-")]
    assert one.part.read_bytes() == BODY


def test_it_goes_on_by_its_checksum_alone(home: Home, tmp_path: Path) -> None:
    home.version = ""
    one = wanted(home, tmp_path)
    broken(home, one)
    download(one)
    assert home.asked == [("/models.zip", "bytes=300000-")]
    assert one.part.read_bytes() == BODY


def test_a_mixture_is_found_by_the_checksum_and_removed(home: Home, tmp_path: Path) -> None:
    home.version = ""
    one = wanted(home, tmp_path)
    broken(home, one)
    home.files["models.zip"] = BODY[::-1]
    with pytest.raises(DownloadError, match="SHA-256 differs"):
        download(one)
    assert not one.part.exists()
    assert not one.version_file.exists()


def test_hanging_up_ends_it_at_once_and_keeps_what_came(home: Home, tmp_path: Path) -> None:
    """The server says nothing more and holds the line: only hanging up ends that."""
    one, call, came = wanted(home, tmp_path), NetworkCall(), threading.Event()
    home.cut = 300_000
    home.stalls.set()
    cancelled: list[BaseException] = []

    def fetch() -> None:
        try:
            download(one, on_progress=lambda done, _total: came.set() if done == 300_000 else None, call=call)
        except FetchCancelled as error:
            cancelled.append(error)

    thread = threading.Thread(target=fetch)
    thread.start()
    assert came.wait(30)
    call.cancel()
    thread.join(30)
    assert len(cancelled) == 1
    assert one.part.stat().st_size == 300_000
    home.cut = None
    home.stalls.clear()
    download(one)
    assert one.part.read_bytes() == BODY


def test_a_call_that_was_ended_before_asks_nobody(home: Home, tmp_path: Path) -> None:
    call = NetworkCall()
    call.cancel()
    with pytest.raises(FetchCancelled):
        download(wanted(home, tmp_path), call=call)
    assert home.asked == []


@pytest.mark.parametrize(
    "url", ["", "models.zip", "http://127.0.0.1/models.zip", "https://", "https://[::", "file:///etc/passwd"]
)
def test_what_is_no_https_address_is_one_sentence(url: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"only https addresses|is not an address"):
        download(RemoteFile(url, "models.zip", tmp_path / "part", max_bytes=10**7))


def test_an_address_with_a_space_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match="is not an address"):
        download(RemoteFile("https://127.0.0.1:1/a b.zip", "a b.zip", tmp_path / "part", max_bytes=10**7))
