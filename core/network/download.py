"""A large file from the network, asked for by a person: HTTPS only, resumed, capped, and checked.

What has come of it is a part, with a note beside it of its address and its version there. A second call goes on where
the first ended if the server still has that version.
"""

from __future__ import annotations

import errno
import hashlib
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
from core.network.https import Call, Stopped, opener
from core.storage.files import cause_of, flush

HTTPS = frozenset({"https"})
MAX_REDIRECTS = 5
TIMEOUT_S = 30.0

_AGENT = "Evenhand (desktop editor; gets a file when its user asks)"
_CHUNK = 2**18
_FULL = (errno.ENOSPC, errno.EDQUOT)

Told = Callable[[int, int], object]
"""Is told the bytes that are here, and the bytes of the whole (0: not known)."""


class DownloadError(Exception):
    """The file cannot be had; the text says for a person why, and what to do."""


@dataclass(frozen=True, slots=True)
class Published:
    """A file as its home publishes it: SHA-256 in hexadecimal, and its size in bytes (0: not known)."""

    sha256: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file: its address, what it is called to a person, and where what has come of it lies.

    ``most`` caps its bytes where no size is known. ``schemes`` are what addresses may begin with; only tests name more.
    """

    url: str
    name: str
    part: Path
    most: int
    known: Published | None = None
    schemes: frozenset[str] = HTTPS

    @property
    def host(self) -> str:
        """Who is asked; empty where the address names nobody."""
        try:
            return urlsplit(self.url).hostname or ""
        except ValueError:
            return ""

    @property
    def note(self) -> Path:
        """Says of which version of the file the part is."""
        return self.part.with_name(f"{self.part.name}.json")

    @property
    def cap(self) -> int:
        """How many bytes may come at all."""
        return self.known.size if self.known is not None and self.known.size else self.most

    def forget(self) -> None:
        """Remove what came. Raises OSError."""
        self.part.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)


def download(wanted: Wanted, *, told: Told = lambda _done, _total: None, call: Call | None = None) -> None:
    """Fill the part and check it; its folder must be there.

    Raises DownloadError, in one sentence: for what the server answers, a full disk, a broken connection (what came is
    kept), too many bytes, a wrong checksum (what came is removed). Raises Stopped once ``call`` was ended; what came
    is kept.
    """
    call = call or Call()
    try:
        _fetch(wanted, told, call)
        _check(wanted)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if call.ended:
            raise Stopped from error
        raise DownloadError(_failed(error, wanted)) from error


def _fetch(wanted: Wanted, told: Told, call: Call) -> None:
    """Fill the part; on any failure what came is kept, with its note."""
    if _scheme(wanted.url) not in wanted.schemes or not wanted.host:
        said = tr("{url} is not fetched: only https addresses are.")
        raise DownloadError(said.format(url=wanted.url))
    size, version = _kept(wanted)
    if size and _is_whole(wanted, size):
        return
    headers = {"User-Agent": _AGENT, "Accept-Encoding": "identity"}
    if size:
        headers["Range"] = f"bytes={size}-"
        if version:
            headers["If-Range"] = version
    request = urllib.request.Request(wanted.url, headers=headers)
    try:
        with opener(call, _Redirects(wanted)).open(request, timeout=TIMEOUT_S) as answer:
            _receive(wanted, answer, size, told=told, call=call)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and size:
            whole = error.headers.get("Content-Range") == f"bytes */{size}"
            if whole and wanted.known is None:
                return
            wanted.forget()
            _fetch(wanted, told, call)
            return
        said = tr("{host} answered {code} {reason} for {name}. Look at {url} in a browser.")
        message = said.format(
            host=wanted.host, code=error.code, reason=error.reason, name=wanted.name, url=wanted.url
        )
        raise DownloadError(message) from error


def _receive(wanted: Wanted, answer: http.client.HTTPResponse, size: int, *, told: Told, call: Call) -> None:
    goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT
    if goes_on and not (answer.headers.get("Content-Range") or "").startswith(f"bytes {size}-"):
        raise DownloadError(
            _broken(wanted, tr("the server sent another part of the file than was asked for"))
        )
    done = size if goes_on else 0
    length = answer.headers.get("Content-Length") or ""
    total = done + int(length) if length.isdigit() else 0
    if total > wanted.cap:
        raise DownloadError(_too_large(wanted, total))
    if total - done > shutil.disk_usage(wanted.part.parent).free:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if not goes_on:
        wanted.part.unlink(missing_ok=True)
        note = json.dumps({"url": wanted.url, "version": _version(answer)})
        wanted.note.write_text(note, encoding="utf-8")
    told(done, total)
    with wanted.part.open("ab") as stream:
        while chunk := answer.read1(_CHUNK):
            if call.ended:
                break
            done += len(chunk)
            if done > wanted.cap:
                stream.close()
                wanted.forget()
                raise DownloadError(_too_large(wanted, done))
            stream.write(chunk)
            told(done, total)
        stream.flush()
        flush(stream.fileno())
    if call.ended:
        raise Stopped
    if done < total:
        said = tr("{done} of {total} bytes came").format(done=f"{done:,}", total=f"{total:,}")
        raise DownloadError(_broken(wanted, said))


def _check(wanted: Wanted) -> None:
    if wanted.known is None:
        return
    size = wanted.part.stat().st_size
    if size < wanted.known.size:
        said = tr("{done} of {total} bytes came")
        raise DownloadError(_broken(wanted, said.format(done=f"{size:,}", total=f"{wanted.known.size:,}")))
    if _sha256(wanted.part) != wanted.known.sha256.lower():
        wanted.forget()
        said = tr(
            "What came for {name} is not what its home published (its SHA-256 differs), and was removed. "
            "Try again; if it stays so, look at {url} in a browser."
        )
        raise DownloadError(said.format(name=wanted.name, url=wanted.url))


def _kept(wanted: Wanted) -> tuple[int, str]:
    """The bytes that an earlier call kept, and of which version; none where nothing could tell a mixture."""
    try:
        note = json.loads(wanted.note.read_text(encoding="utf-8"))
        version = str(note["version"]) if note["url"] == wanted.url else None
        size = wanted.part.stat().st_size
    except (OSError, ValueError, KeyError, TypeError):
        version, size = None, 0
    if version is None or (not version and wanted.known is None):
        wanted.forget()
        return 0, ""
    return size, version


def _is_whole(wanted: Wanted, size: int) -> bool:
    known = wanted.known
    return known is not None and known.size in (0, size) and _sha256(wanted.part) == known.sha256.lower()


def _version(answer: http.client.HTTPResponse) -> str:
    """What tells one version of a file from another in ``If-Range``: a strong entity tag, else its date."""
    tag = answer.headers.get("ETag") or ""
    return tag if tag.startswith('"') else answer.headers.get("Last-Modified") or ""


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme.lower()
    except ValueError:
        return ""


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = MAX_REDIRECTS

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if _scheme(newurl) not in self._wanted.schemes:
            said = tr("{host} sends {name} on to an address that is not https; it was not followed.")
            raise DownloadError(said.format(host=self._wanted.host, name=self._wanted.name))
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _failed(error: Exception, wanted: Wanted) -> str:
    if isinstance(error, urllib.error.URLError):
        said = tr("{host} cannot be reached ({reason}). Check the network, then get {name} again.")
        reason = getattr(error.reason, "strerror", None) or error.reason
        return said.format(host=wanted.host, reason=reason, name=wanted.name)
    if isinstance(error, http.client.InvalidURL) or not isinstance(
        error, OSError | http.client.HTTPException
    ):
        return tr("{url} is no address. Copy it from your browser.").format(url=wanted.url)
    if not isinstance(error, OSError) or isinstance(error, TimeoutError | ConnectionError):
        return _broken(wanted, str(error) or type(error).__name__)
    if error.errno in _FULL:
        said = tr(
            "The disk is full: {name} is not complete. What came is kept. Free some space and get it again."
        )
        return said.format(name=wanted.name)
    return tr("{name} could not be written: {cause}.").format(name=wanted.name, cause=cause_of(error))


def _broken(wanted: Wanted, why: str) -> str:
    said = tr(
        "The connection to {host} broke off ({why}). What came of {name} is kept: get it again to go on."
    )
    return said.format(host=wanted.host, why=why, name=wanted.name)


def _too_large(wanted: Wanted, size: int) -> str:
    said = tr(
        "{name} is larger at its home ({size} bytes) than it may be ({most}): it is not the published file. "
        "Look at {url} in a browser."
    )
    return said.format(name=wanted.name, size=f"{size:,}", most=f"{wanted.cap:,}", url=wanted.url)
