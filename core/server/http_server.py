"""``evenhand serve``: LanguageTool's HTTP interface for the programs of this computer."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import parse_qsl

import waitress
from waitress.server import BaseWSGIServer, MultiSocketServer

from core.bundles.manifest import BundleError
from core.engine.cue_classes import LexiconError
from core.engine.onnx_session import ReaderError
from core.failures import describe_failure, is_failure
from core.reports.json_report import as_json
from core.rewriting.rewriter import RewriterError
from core.server.annotated_text import RequestError
from core.server.languagetool import answer_check, answer_languages
from core.server.resident_engine import ResidentEngine
from core.storage.types import StoreError

HOST = "127.0.0.1"
MAX_BODY = 8_000_000
"""Bytes of the largest request: 50,000 words in any script, percent-encoded."""

MAX_WAITING = 16
"""Checks that are under way or wait; more are refused."""

_MAX_FIELDS = 100
_THREADS = MAX_WAITING + 4

StartResponse = Callable[[str, list[tuple[str, str]]], object]


class LanguageToolApp:
    """The WSGI application. ``origins`` are the web origins (browser extensions) that may ask; pages may not.

    With a ``token``, every request but ``/healthz`` needs it: as a bearer token, or as LanguageTool's ``apiKey``.
    """

    def __init__(
        self, resident: ResidentEngine, version: str, *, token: str = "", origins: Iterable[str] = ()
    ) -> None:
        self._resident = resident
        self._version = version
        self._token = token
        self._origins = frozenset(one.rstrip("/").lower() for one in origins)
        self._places = BoundedSemaphore(MAX_WAITING)

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> list[bytes]:
        """Answer one request."""
        origin = str(environ.get("HTTP_ORIGIN", "")).lower()
        status, kind, headers = "200 OK", "application/json; charset=utf-8", []
        try:
            self._refuse_foreign(environ, origin)
            if origin:
                headers += [("Access-Control-Allow-Origin", origin), ("Vary", "Origin")]
            if environ["REQUEST_METHOD"] == "OPTIONS":
                headers += [
                    ("Access-Control-Allow-Methods", "GET, POST"),
                    ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
                ]
                body = ""
            else:
                body = as_json(self._answer(environ))
        except RequestError as error:
            status, kind, body = error.status, "text/plain; charset=utf-8", f"Error: {error}"
            if status.startswith("429"):
                headers.append(("Retry-After", "1"))
        data = body.encode("utf-8", "backslashreplace")
        headers += [
            ("Content-Type", kind),
            ("Content-Length", str(len(data))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        start_response(status, headers)
        return [data]

    def _refuse_foreign(self, environ: Mapping[str, Any], origin: str) -> None:
        """Refuse what a page of the web sends: under another host's name, or from an origin that was not named."""
        port = environ["SERVER_PORT"]
        own = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        host = str(environ.get("HTTP_HOST", "")).lower()
        if host not in own:
            raise RequestError("This server answers only at its own address.", "403 Forbidden")
        if origin and origin not in self._origins:
            raise RequestError(
                "Web pages and extensions get no answer, unless evenhand serve was started with --allow-origin "
                "and their origin.",
                "403 Forbidden",
            )

    def _answer(self, environ: Mapping[str, Any]) -> object:
        path, method = str(environ.get("PATH_INFO", "")).rstrip("/"), environ["REQUEST_METHOD"]
        if path == "/healthz":
            return {"status": "ok"}
        routes: dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, str]], object]]] = {
            "/v2/check": (("GET", "POST"), self._check),
            "/v2/languages": (("GET",), lambda _: answer_languages()),
            "/v2/words": (("GET",), self._list_words),
            "/v2/words/add": (("POST",), self._add_word),
            "/v2/words/delete": (("POST",), self._delete_word),
        }
        if path not in routes:
            raise RequestError("There is nothing at this address.", "404 Not Found")
        methods, answer = routes[path]
        if method not in methods:
            raise RequestError(f"Use {' or '.join(methods)} here.", "405 Method Not Allowed")
        fields = _fields(environ)
        self._require_token(environ, fields)
        try:
            return answer(fields)
        except RequestError:
            raise
        except (BundleError, LexiconError, ReaderError, RewriterError, StoreError) as error:
            raise RequestError(str(error), "500 Internal Server Error") from error
        except BaseException as error:
            if not is_failure(error):
                raise
            said = f"Evenhand has failed ({describe_failure(error)}). Report it with this line."
            raise RequestError(said, "500 Internal Server Error") from error

    def _require_token(self, environ: Mapping[str, Any], fields: Mapping[str, str]) -> None:
        if not self._token:
            return
        scheme, _, given = str(environ.get("HTTP_AUTHORIZATION", "")).partition(" ")
        given = given if scheme.lower() == "bearer" else fields.get("apiKey", "")
        if not hmac.compare_digest(
            given.strip().encode("utf-8", "replace"), self._token.encode("utf-8", "replace")
        ):
            raise RequestError("Give the token as a bearer token or as apiKey.", "401 Unauthorized")

    def _check(self, fields: Mapping[str, str]) -> object:
        if not self._places.acquire(blocking=False):
            raise RequestError("Too many texts are being checked. Try again.", "429 Too Many Requests")
        try:
            return answer_check(self._resident, fields, self._version)
        finally:
            self._places.release()

    def _list_words(self, fields: Mapping[str, str]) -> object:
        first, most = _number(fields, "offset", 0), _number(fields, "limit", 10)
        return {"words": self._resident.words.phrases()[first : first + most]}

    def _add_word(self, fields: Mapping[str, str]) -> object:
        is_new = _word(fields).casefold() not in self._known_words()
        self._resident.words.allow(_word(fields))
        return {"added": is_new}

    def _delete_word(self, fields: Mapping[str, str]) -> object:
        is_known = _word(fields).casefold() in self._known_words()
        if is_known:
            self._resident.words.disallow(_word(fields))
        return {"deleted": is_known}

    def _known_words(self) -> set[str]:
        return {one.casefold() for one in self._resident.words.phrases()}


def make_http_server(app: LanguageToolApp, port: int) -> BaseWSGIServer | MultiSocketServer:
    """A server for ``app`` on the loopback address; port 0 takes a free one. Raises OSError."""
    return waitress.create_server(
        app,
        host=HOST,
        port=port,
        threads=_THREADS,
        max_request_body_size=MAX_BODY,
        ident=None,
        clear_untrusted_proxy_headers=True,
    )


def _fields(environ: Mapping[str, Any]) -> dict[str, str]:
    """The fields of the query and of the body, a form. Raises RequestError."""
    pairs: list[tuple[str, str]] = []
    parts = [str(environ.get("QUERY_STRING", "")).encode("latin-1", "replace")]
    if environ["REQUEST_METHOD"] == "POST":
        parts.append(environ["wsgi.input"].read(MAX_BODY + 1))
    try:
        for part in parts:
            pairs += parse_qsl(
                part.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS
            )
    except ValueError as error:
        raise RequestError(
            "Send the fields as a form (application/x-www-form-urlencoded) in UTF-8."
        ) from error
    return dict(pairs)


def _word(fields: Mapping[str, str]) -> str:
    word = " ".join(fields.get("word", "").split())
    if not word:
        raise RequestError("Give a word.")
    return word


def _number(fields: Mapping[str, str], name: str, default: int) -> int:
    value = fields.get(name, str(default))
    if not value.isascii() or not value.isdigit() or len(value) > 9:
        raise RequestError(f"{name} must be a whole number.")
    return int(value)
