"""Fetches one Wikipedia article at a person's request: HTTPS to Wikimedia hosts only, limited in size, cancellable.

Only the title (or the revision number) and the program's name are sent.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from core.i18n import tr
from core.network.https import FetchCancelled, NetworkCall, build_opener

MAX_BYTES = 10_000_000
MAX_REDIRECTS = 3
TIMEOUT_S = 15.0
LANGUAGE = "en"

_AGENT = "Evenhand (desktop editor; reads one article when its user asks)"
_CHUNK = 65_536
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,12}){0,2}|simple")
_HOST = re.compile(rf"(?P<language>{_LANGUAGE.pattern})(?:\.m)?\.wikipedia\.org")
_PREFIXED = re.compile(r"(?P<language>[a-z]{2,3}|simple):(?P<title>\S.*)")
_NO_TITLE = re.compile(r"[\[\]{}|<>#\x00-\x1f\x7f\ud800-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
_LONGEST_TITLE = 255
_MOST_REVISIONS = 10**15


class WikipediaError(Exception):
    """The article cannot be fetched; the text tells a person why, and what to do."""


@dataclass(frozen=True, slots=True)
class ArticleRef:
    """An article: the language of its Wikipedia, and its title or the number of one revision (then not 0)."""

    language: str
    title: str
    revision: int = 0

    @property
    def host(self) -> str:
        """The host of that Wikipedia."""
        return f"{self.language}.wikipedia.org"


@dataclass(frozen=True, slots=True)
class Article:
    """The wikitext of an article. ``timestamp`` is the time of its revision as the server writes it."""

    place: ArticleRef
    wikitext: str
    revision: int
    timestamp: str
    licence: str


def parse_article_ref(asked: str, *, language: str = LANGUAGE) -> ArticleRef:
    """The article for a title, ``de:Title``, or an address that a person entered. Raises WikipediaError."""
    asked = asked.strip()
    if re.match(r"https?://", asked, re.IGNORECASE):
        return _of_address(asked)
    prefixed = _PREFIXED.fullmatch(asked)
    if prefixed:
        language, asked = prefixed["language"], prefixed["title"]
    return ArticleRef(language, _title(asked))


def fetch_article(
    place: ArticleRef,
    *,
    call: NetworkCall | None = None,
    on_progress: Callable[[int], None] | None = None,
    base: str = "",
) -> Article:
    """Fetch an article. ``on_progress`` is called with the bytes read so far, about every 64 KB.

    At most 10 MB and three redirects, each to a Wikimedia host by HTTPS. ``base`` stands for ``https://HOST`` in tests.
    Raises WikipediaError, and FetchCancelled once ``call`` was cancelled.
    """
    call = call or NetworkCall()
    page = (
        f"revision/{place.revision}"
        if place.revision
        else f"page/{quote(place.title.replace(' ', '_'), safe='')}"
    )
    root = base or f"https://{place.host}"
    answer = _json(_read(f"{root}/w/rest.php/v1/{page}", call, on_progress, anchor=root))
    latest, named = _part(answer, "latest") or answer, _part(answer, "page") or answer
    title, wikitext, timestamp = named.get("title"), answer.get("source"), latest.get("timestamp")
    revision, licence = latest.get("id"), _part(answer, "license").get("title")
    if (
        not (isinstance(title, str) and isinstance(wikitext, str) and isinstance(timestamp, str))
        or not (type(revision) is int and 0 < revision < _MOST_REVISIONS)
        or not title.strip()
        or _NO_TITLE.search(title)
    ):
        raise WikipediaError(
            tr("Wikipedia’s answer could not be read. Copy the text from your browser instead.")
        )
    return Article(
        place=ArticleRef(place.language, title, place.revision),
        wikitext=_LONE.sub("\ufffd", wikitext),
        revision=revision,
        timestamp=_LONE.sub("\ufffd", timestamp),
        licence=_LONE.sub("\ufffd", licence) if isinstance(licence, str) else "",
    )


def _of_address(asked: str) -> ArticleRef:
    try:
        address = urlsplit(asked)
        host = _HOST.fullmatch((address.hostname or "").lower())
        query = parse_qs(address.query)
    except ValueError:
        host, query = None, {}
    if host is None:
        raise WikipediaError(
            tr(
                "This is not the address of a Wikipedia article. Give one like https://en.wikipedia.org/wiki/Title."
            )
        )
    revision = query.get("oldid", ["0"])[0]
    title = query.get("title", [""])[0] or unquote(address.path).removeprefix("/wiki/").lstrip("/")
    number = int(revision) if revision.isascii() and revision.isdigit() and len(revision) < 16 else 0
    if number and not title.strip("/ "):
        title = str(number)
    return ArticleRef(host["language"], _title(title), number)


def _title(text: str) -> str:
    title = " ".join(text.replace("_", " ").split())
    if not title or _NO_TITLE.search(title) or len(title.encode("utf-8", "replace")) > _LONGEST_TITLE:
        raise WikipediaError(
            tr(
                "That is not the title of an article. Give a title, or the address of the article in Wikipedia."
            )
        )
    return title


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to Wikimedia hosts only."""

    max_redirections = MAX_REDIRECTS

    def __init__(self, anchor: str) -> None:
        self._anchor = urlsplit(anchor)

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        there = urlsplit(newurl)
        same = (there.scheme, there.netloc) == (self._anchor.scheme, self._anchor.netloc)
        wiki = there.scheme == "https" and there.port in (None, 443) and _HOST.fullmatch(there.hostname or "")
        if not same and not wiki:
            raise WikipediaError(
                tr(
                    "Wikipedia redirected the request to another site, so nothing was fetched. Check the title."
                )
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _read(
    address: str,
    call: NetworkCall,
    on_progress: Callable[[int], None] | None,
    *,
    anchor: str,
) -> bytes:
    request = urllib.request.Request(address, headers={"User-Agent": _AGENT, "Accept": "application/json"})
    parts: list[bytes] = []
    size = 0
    try:
        with build_opener(call, _Redirects(anchor)).open(request, timeout=TIMEOUT_S) as answer:
            while True:
                if call.cancelled:
                    raise FetchCancelled
                part = answer.read1(_CHUNK)
                if not part and not call.cancelled:
                    return b"".join(parts)
                size += len(part)
                if size > MAX_BYTES:
                    raise WikipediaError(tr("The article is larger than 10 MB and was not opened."))
                parts.append(part)
                if on_progress is not None:
                    on_progress(size)
    except urllib.error.HTTPError as error:
        with error:
            raise WikipediaError(_refused(error.code)) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        if call.cancelled:
            raise FetchCancelled from error
        raise WikipediaError(_unreached(error)) from error


def _refused(code: int) -> str:
    if code == 404:
        return tr("There is no article with that title. Check the spelling, or give the article's address.")
    if code == 429:
        return tr("Wikipedia received too many requests from here. Try again in a few minutes.")
    if 300 <= code < 400:
        return tr("Wikipedia redirected the request in a circle. Give the article's address instead.")
    return tr("Wikipedia answered with error {code}. Try again later.").format(code=code)


def _unreached(error: Exception) -> str:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, ssl.SSLError):
        return tr(
            "The connection to Wikipedia is not secure (its certificate was not accepted), so nothing was "
            "fetched. Ask your network administrator."
        )
    if isinstance(reason, TimeoutError):
        return tr("Wikipedia did not answer in time. Try again later.")
    return tr("Wikipedia cannot be reached. Check the network connection, then try again.")


def _part(answer: dict[str, Any], name: str) -> dict[str, Any]:
    part = answer.get(name)
    return part if isinstance(part, dict) else {}


def _json(data: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(data)
    except (ValueError, RecursionError):
        answer = None
    return answer if isinstance(answer, dict) else {}
