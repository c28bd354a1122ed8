"""Downloads of large files at a person's request: HTTPS only, resumable, limited in size, and verified.

The bytes received are in a part file; a small file next to it holds the address and the server's version of the file. A
second call continues where the first stopped, if the server still has that version.
"""

from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from core.i18n import tr
from core.network.https import FetchCancelled, NetworkCall, build_opener
from core.storage.disk import flush
from core.storage.files import describe_os_error, sha256_of

HTTPS = frozenset({"https"})
MAX_REDIRECTS = 5
TIMEOUT_S = 30.0

_AGENT = "Evenhand (desktop editor; gets a file when its user asks)"
_CHUNK = 2**18
_FULL = (errno.ENOSPC, errno.EDQUOT)

OnProgress = Callable[[int, int], object]
"""Called with the bytes received so far, and the size of the file (0: unknown)."""


class DownloadError(Exception):
    """The download failed; the text tells a person why, and what to do."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file as published: its SHA-256 in hexadecimal, and its size in bytes (0: unknown)."""

    sha256: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file to download: its address, its name in messages, and the path of its part file.

    ``max_bytes`` limits its size if no size is published. ``schemes`` are the allowed ones; only tests allow more.
    """

    url: str
    name: str
    part: Path
    max_bytes: int
    published: PublishedFile | None = None
    schemes: frozenset[str] = HTTPS

    @property
    def host(self) -> str:
        """The host of the address; empty if it has none."""
        try:
            return urlsplit(self.url).hostname or ""
        except ValueError:
            return ""

    @property
    def version_file(self) -> Path:
        """The file that holds the address and version of the part file."""
        return self.part.with_name(f"{self.part.name}.json")

    @property
    def cap(self) -> int:
        """The most bytes that are accepted."""
        return self.published.size if self.published is not None and self.published.size else self.max_bytes

    def discard(self) -> None:
        """Delete the part file. Raises OSError."""
        self.part.unlink(missing_ok=True)
        self.version_file.unlink(missing_ok=True)


def download(
    file: RemoteFile, *, on_progress: OnProgress = lambda _done, _total: None, call: NetworkCall | None = None
) -> None:
    """Download the part file and verify it; its folder must exist.

    Raises DownloadError with one sentence: for an error from the server, a full disk, a broken connection (the part
    file is kept), too many bytes, a wrong checksum (it is deleted). Raises FetchCancelled once ``call`` was
    cancelled; the part file is kept then.
    """
    call = call or NetworkCall()
    try:
        _fetch(file, on_progress, call)
        _check(file)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if call.cancelled:
            raise FetchCancelled from error
        raise DownloadError(_failed(error, file)) from error


def _fetch(file: RemoteFile, on_progress: OnProgress, call: NetworkCall) -> None:
    """Download the part file; on any failure it is kept."""
    if _scheme(file.url) not in file.schemes or not file.host:
        said = tr("{url} was not downloaded: only https addresses are allowed.")
        raise DownloadError(said.format(url=file.url))
    size, version = _kept(file)
    if size and _is_whole(file, size):
        return
    headers = {"User-Agent": _AGENT, "Accept-Encoding": "identity"}
    if size:
        headers["Range"] = f"bytes={size}-"
        if version:
            headers["If-Range"] = version
    request = urllib.request.Request(file.url, headers=headers)
    try:
        with build_opener(call, _Redirects(file)).open(request, timeout=TIMEOUT_S) as answer:
            _receive(file, answer, size, on_progress=on_progress, call=call)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and size:
            whole = error.headers.get("Content-Range") == f"bytes */{size}"
            if whole and file.published is None:
                return
            file.discard()
            _fetch(file, on_progress, call)
            return
        said = tr("{host} answered {code} {reason} for {name}. Open {url} in a browser.")
        message = said.format(
            host=file.host, code=error.code, reason=error.reason, name=file.name, url=file.url
        )
        raise DownloadError(message) from error


def _receive(
    file: RemoteFile,
    answer: http.client.HTTPResponse,
    size: int,
    *,
    on_progress: OnProgress,
    call: NetworkCall,
) -> None:
    goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT
    if goes_on and not (answer.headers.get("Content-Range") or "").startswith(f"bytes {size}-"):
        raise DownloadError(_broken(file, tr("the server sent a different part of the file than requested")))
    done = size if goes_on else 0
    length = answer.headers.get("Content-Length") or ""
    total = done + int(length) if length.isdigit() else 0
    if total > file.cap:
        raise DownloadError(_too_large(file, total))
    if total - done > shutil.disk_usage(file.part.parent).free:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if not goes_on:
        file.part.unlink(missing_ok=True)
        note = json.dumps({"url": file.url, "version": _version(answer)})
        file.version_file.write_text(note, encoding="utf-8")
    on_progress(done, total)
    with file.part.open("ab") as stream:
        while chunk := answer.read1(_CHUNK):
            if call.cancelled:
                break
            done += len(chunk)
            if done > file.cap:
                stream.close()
                file.discard()
                raise DownloadError(_too_large(file, done))
            stream.write(chunk)
            on_progress(done, total)
        stream.flush()
        flush(stream.fileno())
    if call.cancelled:
        raise FetchCancelled
    if done < total:
        said = tr("{done} of {total} bytes were received").format(done=f"{done:,}", total=f"{total:,}")
        raise DownloadError(_broken(file, said))


def _check(file: RemoteFile) -> None:
    if file.published is None:
        return
    size = file.part.stat().st_size
    if size < file.published.size:
        said = tr("{done} of {total} bytes were received")
        raise DownloadError(_broken(file, said.format(done=f"{size:,}", total=f"{file.published.size:,}")))
    if sha256_of(file.part) != file.published.sha256.lower():
        file.discard()
        said = tr(
            "The download of {name} is not the published file (its SHA-256 differs) and was removed. Try again; "
            "if this happens again, open {url} in a browser."
        )
        raise DownloadError(said.format(name=file.name, url=file.url))


def _kept(file: RemoteFile) -> tuple[int, str]:
    """The size and version of an earlier part file; (0, "") if a mixture of versions could not be detected."""
    try:
        note = json.loads(file.version_file.read_text(encoding="utf-8"))
        version = str(note["version"]) if note["url"] == file.url else None
        size = file.part.stat().st_size
    except (OSError, ValueError, KeyError, TypeError):
        version, size = None, 0
    if version is None or (not version and file.published is None):
        file.discard()
        return 0, ""
    return size, version


def _is_whole(file: RemoteFile, size: int) -> bool:
    published = file.published
    return (
        published is not None
        and published.size in (0, size)
        and sha256_of(file.part) == published.sha256.lower()
    )


def _version(answer: http.client.HTTPResponse) -> str:
    """The version of a file for ``If-Range``: a strong entity tag, else its date."""
    tag = answer.headers.get("ETag") or ""
    return tag if tag.startswith('"') else answer.headers.get("Last-Modified") or ""


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme.lower()
    except ValueError:
        return ""


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = MAX_REDIRECTS

    def __init__(self, file: RemoteFile) -> None:
        self._wanted = file

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if _scheme(newurl) not in self._wanted.schemes:
            said = tr("{host} redirects {name} to an address that is not https, so nothing was downloaded.")
            raise DownloadError(said.format(host=self._wanted.host, name=self._wanted.name))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _failed(error: Exception, file: RemoteFile) -> str:
    if isinstance(error, urllib.error.URLError):
        said = tr("{host} cannot be reached ({reason}). Check the network, then download {name} again.")
        reason = getattr(error.reason, "strerror", None) or error.reason
        return said.format(host=file.host, reason=reason, name=file.name)
    if isinstance(error, http.client.InvalidURL) or not isinstance(
        error, OSError | http.client.HTTPException
    ):
        return tr("{url} is not an address. Copy it from your browser.").format(url=file.url)
    if not isinstance(error, OSError) or isinstance(error, TimeoutError | ConnectionError):
        return _broken(file, str(error) or type(error).__name__)
    if error.errno in _FULL:
        said = tr(
            "The disk is full: {name} is not complete. The part that was received is kept. Free some space and "
            "download {name} again to continue."
        )
        return said.format(name=file.name)
    return tr("{name} could not be written: {cause}.").format(name=file.name, cause=describe_os_error(error))


def _broken(file: RemoteFile, why: str) -> str:
    said = tr(
        "The connection to {host} was interrupted ({why}). The part of {name} that was received is kept: "
        "download it again to continue."
    )
    return said.format(host=file.host, why=why, name=file.name)


def _too_large(file: RemoteFile, size: int) -> str:
    said = tr(
        "{name} is larger ({size} bytes) than allowed ({most}), so it is not the published file. Open {url} in "
        "a browser."
    )
    return said.format(name=file.name, size=f"{size:,}", most=f"{file.cap:,}", url=file.url)
