"""A server on loopback that speaks as Wikipedia does, for the tests of the one door to the network."""

from __future__ import annotations

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = {
    "id": 7,
    "key": "Bodmin",
    "title": "Bodmin",
    "latest": {"id": 123, "timestamp": "2026-01-02T03:04:05Z"},
    "license": {"url": "", "title": "Creative Commons Attribution-Share Alike 4.0"},
    "source": "'''Bodmin''' is a town.\nIt is 𝔘nspoiled.",
}


class Server:
    """A server on loopback that answers each path as it is told, and remembers what it was sent."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.heard: list[tuple[str, dict[str, str]]] = []
        self.wait_for: threading.Event | None = None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.heard.append((self.path, dict(self.headers)))
                if outer.wait_for is not None:
                    outer.wait_for.wait(10)
                code, headers, body = outer.answers.get(self.path, (404, {}, b"{}"))
                with contextlib.suppress(ConnectionError):
                    self.send_response(code)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def page(title: str = "Bodmin") -> str:
    return f"/w/rest.php/v1/page/{title}"
