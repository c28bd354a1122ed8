"""A home of files on this machine: a small HTTP server that knows ranges, versions, redirects, and how to break off."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Somebody who hung up is no error here."""


@dataclass
class Home:
    """What is served, and what was asked. ``cut`` is how many bytes of a body come before the line breaks.

    Where it ``stalls`` nothing more comes then, and the line is held until it is ``over``.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    version: str = '"one"'
    ranges: bool = True
    cut: int | None = None
    port: int = 0
    scheme: str = "http"
    stalls: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def url(self, name: str) -> str:
        """The address of a file."""
        return f"{self.scheme}://127.0.0.1:{self.port}/{name}"


def trusted_context(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """What a home needs to be reached by https; its own certificate is trusted until the test ends."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    certificate, key = folder / "home.pem", folder / "home.key"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=home -addext subjectAltName=IP:127.0.0.1"
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *words.split(), *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    return context


@contextmanager
def serving(home: Home, *, context: ssl.SSLContext | None = None) -> Iterator[Home]:
    """Serve until the block ends, by https if there is a ``context``."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            home.asked.append((self.path, wanted))
            if self.path in home.redirects:
                self.send_response(302)
                self.send_header("Location", home.redirects[self.path])
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body = home.files.get(self.path.lstrip("/"))
            if body is None:
                self.send_error(404)
                return
            start = 0
            if wanted and home.ranges and self.headers.get("If-Range", home.version) == home.version:
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
                if start >= len(body):
                    self.send_response(416)
                    self.send_header("Content-Range", f"bytes */{len(body)}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            else:
                self.send_response(200)
            if home.version:
                self.send_header("ETag", home.version)
            self.send_header("Content-Length", str(len(body) - start))
            self.end_headers()
            rest = body[start:]
            self.wfile.write(rest if home.cut is None else rest[: home.cut])
            if home.stalls.is_set():
                home.over.wait(60)

        def log_message(self, *arguments: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    if context is not None:
        home.scheme = "https"
        server.socket = context.wrap_socket(server.socket, server_side=True)
    home.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield home
    finally:
        home.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
