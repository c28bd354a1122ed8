"""What all network calls share: they can be cancelled at any time, even while they wait for the server."""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
import urllib.request
from functools import partial
from typing import Any


class FetchCancelled(Exception):  # noqa: N818
    """The call was cancelled."""


class NetworkCall:
    """One network call, which another thread can cancel: then its connection is closed, even while it waits."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.cancelled = False

    def cancel(self) -> None:
        """Cancel the call and close its connection."""
        with self._lock:
            self.cancelled = True
            self._close_connection()

    def hold(self, connected: socket.socket) -> None:
        """Set the connection that `cancel` closes."""
        with self._lock:
            self._socket = connected
            if self.cancelled:
                self._close_connection()

    def _close_connection(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


def build_opener(
    call: NetworkCall, redirects: urllib.request.HTTPRedirectHandler
) -> urllib.request.OpenerDirector:
    """An opener of addresses that passes each new connection to ``call``."""
    return urllib.request.build_opener(redirects, _Http(call), _Https(call))


class _Http(urllib.request.HTTPHandler):
    """Passes each connection to the call."""

    def __init__(self, call: NetworkCall) -> None:
        super().__init__()
        self._call = call

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_connection, http.client.HTTPConnection, self._call), req)


class _Https(urllib.request.HTTPSHandler):
    """The same for encrypted connections."""

    def __init__(self, call: NetworkCall) -> None:
        super().__init__()
        self._call = call

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_connection, http.client.HTTPSConnection, self._call), req)


def _connection(
    kind: type[http.client.HTTPConnection], call: NetworkCall, host: str, **settings: Any
) -> http.client.HTTPConnection:
    made = kind(host, **settings)
    connect = made.connect

    def connected() -> None:
        if call.cancelled:
            raise FetchCancelled
        connect()
        call.hold(made.sock)

    made.connect = connected  # type: ignore[method-assign]
    return made
