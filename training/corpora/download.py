"""Corpus files from their official homes: HTTPS only, resumed, capped, and checked before they take their place.

What has come of a file lies beside it as ``.NAME.part``, with a note of its address and its version at the home. A
second call goes on there if the home still has that version. Nothing that is here already is ever replaced.
"""

from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from core.journal_lock import Lock
from training.corpora.archives import unpack
from training.corpora.base import CorpusError, Download, Published, checksum

HTTPS = frozenset({"https"})
MAX_REDIRECTS = 5
TIMEOUT_S = 30.0

_AGENT = "Evenhand (gets a corpus when its user asks)"
_CHUNK = 2**18
_FULL = (errno.ENOSPC, errno.EDQUOT)

Told = Callable[[str, int, int], None]
"""Is told a file's place, the bytes that are here, and the bytes of the whole (0: not known)."""


def untold(_place: str, _done: int, _total: int) -> None:
    """Nobody is told."""


@dataclass(frozen=True, slots=True)
class _Goal:
    """One file to be fetched: where from, where to, what it must be, how much may come, and by which schemes."""

    url: str
    place: str
    part: Path
    known: Published | None
    most: int
    schemes: frozenset[str]

    @property
    def note(self) -> Path:
        """Says of which version of the file the part is."""
        return self.part.with_name(f"{self.part.name}.json")


def get(
    download: Download,
    data: Path,
    *,
    known: Mapping[str, Published],
    told: Told = untold,
    schemes: frozenset[str] = HTTPS,
) -> list[Path]:
    """Fetch what is not under ``data`` yet; returns the files that came, none if all were here.

    Raises CorpusError, in one sentence: for what the home answers, a full disk, a broken connection (what came is
    kept), too many bytes, a wrong checksum (what came is removed), and for a file that is here but not as published.
    """
    places = [place for _, place in download.members] or [download.place]
    here = [_is_here(data, place, known) for place in places]
    if all(here):
        return []
    target = data / download.place
    goal = _Goal(
        url=download.url,
        place=download.place,
        part=target.with_name(f".{target.name}.part"),
        known=known.get(download.place),
        most=download.most,
        schemes=schemes,
    )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = Lock.take(target.with_name(f".{target.name}.lock"))
        if lock is None:
            raise CorpusError(f"{download.place} is being downloaded already. Wait until that has ended.")
        try:
            _fetch(goal, told)
            _check(goal)
            if download.members:
                wanted = {member: data / place for member, place in download.members}
                unpack(goal.part, wanted, known={data / p: k for p, k in known.items()}, most=download.most)
                goal.part.unlink()
            else:
                goal.part.replace(target)
            goal.note.unlink(missing_ok=True)
        finally:
            lock.release()
    except OSError as error:
        raise CorpusError(_failed(error, goal)) from error
    return [data / place for place in places]


def _is_here(data: Path, place: str, known: Mapping[str, Published]) -> bool:
    """Whether a file is here as published, or the same packed with xz. Raises CorpusError where it was altered."""
    for name in (place, f"{place}.xz"):
        path, right = data / name, known.get(name)
        if path.is_file():
            if right is not None and (path.stat().st_size != right.size or checksum(path) != right.sha256):
                raise CorpusError(f"{path} is here, but not as published. Move it away, then get it again.")
            return True
    return False


def _fetch(goal: _Goal, told: Told) -> None:
    """Fill the part; on any failure what came is kept, with its note."""
    if _scheme(goal.url) not in goal.schemes:
        raise CorpusError(f"{goal.url} is not fetched: only https addresses are.")
    size, version = _kept(goal)
    if goal.known is not None and size == goal.known.size:
        return
    headers = {"User-Agent": _AGENT, "Accept-Encoding": "identity"}
    if size:
        headers["Range"] = f"bytes={size}-"
        if version:
            headers["If-Range"] = version
    try:
        with _open(goal, headers) as answer:
            _receive(goal, answer, size, told)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and size:
            _forget(goal)
            _fetch(goal, told)
            return
        raise CorpusError(
            f"{urlsplit(goal.url).hostname} answered {error.code} {error.reason} for {goal.place}. "
            f"Look at {goal.url} in a browser, or put the file there yourself."
        ) from error
    except http.client.HTTPException as error:
        raise CorpusError(_broken(goal, str(error) or type(error).__name__)) from error


def _receive(goal: _Goal, answer: http.client.HTTPResponse, size: int, told: Told) -> None:
    goes_on = answer.status == http.HTTPStatus.PARTIAL_CONTENT
    if goes_on and not (answer.headers.get("Content-Range") or "").startswith(f"bytes {size}-"):
        raise CorpusError(_broken(goal, "the server sent another part of the file than was asked for"))
    done = size if goes_on else 0
    length = answer.headers.get("Content-Length") or ""
    total = done + int(length) if length.isdigit() else 0
    most = goal.known.size if goal.known is not None else goal.most
    if total > most:
        raise CorpusError(_too_large(goal, total, most))
    if total - done > shutil.disk_usage(goal.part.parent).free:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if not goes_on:
        goal.part.unlink(missing_ok=True)
        goal.note.write_text(json.dumps({"url": goal.url, "version": _version(answer)}), encoding="utf-8")
    told(goal.place, done, total)
    with goal.part.open("ab") as stream:
        while chunk := answer.read1(_CHUNK):
            done += len(chunk)
            if done > most:
                stream.close()
                _forget(goal)
                raise CorpusError(_too_large(goal, done, most))
            stream.write(chunk)
            told(goal.place, done, total)
        stream.flush()
        os.fsync(stream.fileno())
    if done < total:
        raise CorpusError(_broken(goal, f"{done:,} of {total:,} bytes came"))


def _check(goal: _Goal) -> None:
    if goal.known is None:
        return
    size = goal.part.stat().st_size
    if size < goal.known.size:
        raise CorpusError(_broken(goal, f"{size:,} of {goal.known.size:,} bytes came"))
    if checksum(goal.part) != goal.known.sha256:
        _forget(goal)
        raise CorpusError(
            f"What came for {goal.place} is not what its home published (its SHA-256 differs), and was removed. "
            f"Try again; if it stays so, look at {goal.url} in a browser."
        )


def _kept(goal: _Goal) -> tuple[int, str]:
    """The bytes that an earlier call kept, and of which version; none where nothing could tell a mixture."""
    try:
        note = json.loads(goal.note.read_text(encoding="utf-8"))
        version = str(note["version"]) if note["url"] == goal.url else None
        size = goal.part.stat().st_size
    except (OSError, ValueError, KeyError, TypeError):
        version, size = None, 0
    if version is None or (not version and goal.known is None):
        _forget(goal)
        return 0, ""
    return size, version


def _forget(goal: _Goal) -> None:
    goal.part.unlink(missing_ok=True)
    goal.note.unlink(missing_ok=True)


def _version(answer: http.client.HTTPResponse) -> str:
    """What tells one version of a file from another in ``If-Range``: a strong entity tag, else its date."""
    tag = answer.headers.get("ETag") or ""
    return tag if tag.startswith('"') else answer.headers.get("Last-Modified") or ""


def _scheme(url: str) -> str:
    return urlsplit(url).scheme.lower()


class _Redirects(urllib.request.HTTPRedirectHandler):
    max_redirections = MAX_REDIRECTS

    def __init__(self, goal: _Goal) -> None:
        self._goal = goal

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if _scheme(newurl) not in self._goal.schemes:
            raise CorpusError(
                f"{urlsplit(self._goal.url).hostname} sends {self._goal.place} on to an address that is not https; "
                "it was not followed."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _open(goal: _Goal, headers: Mapping[str, str]) -> http.client.HTTPResponse:
    opener = urllib.request.build_opener(_Redirects(goal))
    answer = opener.open(urllib.request.Request(goal.url, headers=dict(headers)), timeout=TIMEOUT_S)
    assert isinstance(answer, http.client.HTTPResponse)
    return answer


def _failed(error: OSError, goal: _Goal) -> str:
    if error.errno in _FULL:
        return f"The disk is full: {goal.place} is not complete. What came is kept. Free some space and get it again."
    if isinstance(error, urllib.error.URLError):
        host = urlsplit(goal.url).hostname
        return f"{host} cannot be reached ({error.reason}). Check the network, then get {goal.place} again."
    if isinstance(error, TimeoutError | ConnectionError):
        return _broken(goal, str(error) or "no answer")
    return f"{goal.place} could not be written ({error}). Check the folder that --data names."


def _broken(goal: _Goal, why: str) -> str:
    host = urlsplit(goal.url).hostname
    return f"The connection to {host} broke off ({why}). What came of {goal.place} is kept: get it again to go on."


def _too_large(goal: _Goal, size: int, most: int) -> str:
    return (
        f"{goal.place} is larger at its home ({size:,} bytes) than it may be ({most:,}): it is not the published "
        f"file. Look at {goal.url} in a browser."
    )
