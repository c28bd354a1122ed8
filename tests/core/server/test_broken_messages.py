"""Protects the language server from broken messages: it answers the next whole one, and ends when it is asked to."""

from __future__ import annotations

import io
import json
import queue
import random
import subprocess
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from lsprotocol import types

from core.server.messages import MessageInput

PATIENCE_S = 120
SEED = 35
BATCH = 20
PAD = b"\r\n" * 400
"""Ends what a header with too great a length has begun: lengths here are too great by less."""

TEXT = "The chairman reveals a shameful 😀 record."
URIS = ["untitled:1", "untitled:2", "file:///a%00b.md", "file:///a/b.html", "", ":", "file://[", "\ud800"]
LANGUAGES = ["markdown", "html", "wikitext", "plaintext", "python", ""]
METHODS = [
    name
    for name in types.METHOD_TO_TYPES
    if name not in (types.EXIT, types.SHUTDOWN, types.INITIALIZE) and not name.startswith("client/")
] + ["no/such", "$/no", "", "workspace/executeCommand\x00"]


class Session:
    """A language server, what it has answered, and what it has said to standard error."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            [*command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.errors = b""
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._threads = [threading.Thread(target=self._listen), threading.Thread(target=self._collect)]
        for thread in self._threads:
            thread.start()

    def send(self, *data: bytes) -> None:
        """Send these bytes."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"".join(data))
        self._process.stdin.flush()

    def ask(self, number: str, method: str, params: object) -> dict[str, Any]:
        """The answer to a request."""
        self.send(framed({"jsonrpc": "2.0", "id": number, "method": method, "params": params}))
        while True:
            answer = self._answers.get(timeout=PATIENCE_S)
            if answer.get("id") == number and "method" not in answer:
                return answer

    def end(self) -> int:
        """The exit status after the end of what is sent."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            return self._process.wait(PATIENCE_S)
        finally:
            self._process.kill()
            for thread in self._threads:
                thread.join()

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            while header := stream.readline():
                length = int(header.removeprefix(b"Content-Length: "))
                while stream.readline().strip():
                    pass
                self._answers.put(json.loads(stream.read(length)))

    def _collect(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            self.errors = stream.read()


def framed(message: object) -> bytes:
    """A message as it is sent."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Breaker:
    """Makes broken messages, the same ones for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._makers: list[Callable[[], bytes]] = [
            self._broken_header,
            self._broken_body,
            self._wrong_types,
            self._wrong_types,
            self._places_outside,
            self._disorder,
            self._answer_to_nothing,
        ]

    def messages(self, number: int) -> Iterator[bytes]:
        """So many messages."""
        for _ in range(number):
            yield self._random.choice(self._makers)()

    def _broken_header(self) -> bytes:
        body = json.dumps(self._hover()).encode()
        length = len(body)
        header = self._random.choice(
            [
                b"",
                b"\r\n\r\n",
                b"Content-Length: -5\r\n\r\n",
                b"Content-Length: many\r\n\r\n",
                b"Content-Length: %d\r\n\r\n" % 10**30,
                b"Content-Length: %s\r\n\r\n" % (b"9" * 5_000),
                b"Content-Length: 0\r\n\r\n",
                b"Content-Length: %d\r\n\r\n" % (length + self._random.randint(1, 300)),
                b"Content-Length: %d\r\n\r\n" % self._random.randint(1, length),
                b"Content-Length: %d\n\n" % length,
                b"content-length:%d\r\n\r\n" % length,
                b"Content-Length: %d\r\nContent-Length: 3\r\n\r\n" % length,
                b"Content-Type: \xff\xfe\r\nContent-Length: %d\r\n\r\n" % length,
                b"X" * 100_000 + b"\r\n",
            ]
        )
        return header + body

    def _broken_body(self) -> bytes:
        whole = json.dumps(self._hover()).encode()
        body = self._random.choice(
            [
                whole[: self._random.randint(0, len(whole))],
                bytes(self._random.randbytes(40)),
                b"[" * 50_000,
                b'{"jsonrpc": "2.0", "id": ' + b"9" * 5_000 + b"}",
                b"[" + whole + b"]",
                b"null",
                b"3",
                b'""',
                b"{}",
                b"[]",
                whole.replace(b"2.0", b"1.0"),
                whole.replace(b'"jsonrpc"', b'"json"'),
                whole.decode().encode("utf-16"),
                b'{"jsonrpc": "2.0", "method": "x", "params": {"jsonrpc": "2.0", "id": {}}}',
            ]
        )
        return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    def _wrong_types(self) -> bytes:
        message: dict[str, Any] = {
            "jsonrpc": "2.0",
            "method": self._random.choice(METHODS),
            "params": self._value(),
        }
        if self._random.random() < 0.5:
            message["id"] = self._random.choice(
                [self._random.randint(1, 99), "x", None, [], {}, 1.5, True, -1]
            )
        if self._random.random() < 0.1:
            message["method"] = self._value()
        if self._random.random() < 0.1:
            del message[self._random.choice([*message])]
        return framed(message)

    def _places_outside(self) -> bytes:
        far = [-(2**31), -1, 0, 1, 40, 2**31 - 1, 2**31, 2**70]
        where = [{"line": self._random.choice(far), "character": self._random.choice(far)} for _ in range(2)]
        place = {"uri": self._random.choice(URIS)}
        span = {"start": where[0], "end": where[1]}
        method, params = self._random.choice(
            [
                ("textDocument/hover", {"textDocument": place, "position": where[0]}),
                (
                    "textDocument/codeAction",
                    {"textDocument": place, "range": span, "context": {"diagnostics": []}},
                ),
                (
                    "textDocument/didChange",
                    {
                        "textDocument": place | {"version": 2},
                        "contentChanges": [{"range": span, "text": "\ud83d"}],
                    },
                ),
                (
                    "workspace/executeCommand",
                    {
                        "command": "evenhand.ignoreOnce",
                        "arguments": [place["uri"], 1, self._random.choice(far)],
                    },
                ),
            ]
        )
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        return framed(message | ({} if method.endswith("didChange") else {"id": self._random.randint(1, 99)}))

    def _disorder(self) -> bytes:
        """Changes of closed texts, versions backwards, texts that are opened twice or closed twice."""
        uri, version = self._random.choice(URIS), self._random.choice([-3, 0, 1, 2, 9, 2**31 - 1])
        item = {"uri": uri, "languageId": self._random.choice(LANGUAGES), "version": version, "text": TEXT}
        method, params = self._random.choice(
            [
                ("didOpen", {"textDocument": item}),
                ("didChange", {"textDocument": item, "contentChanges": [{"text": TEXT}]}),
                ("didChange", {"textDocument": item, "contentChanges": []}),
                ("didClose", {"textDocument": item}),
                ("didSave", {"textDocument": item}),
            ]
        )
        return framed({"jsonrpc": "2.0", "method": f"textDocument/{method}", "params": params})

    def _answer_to_nothing(self) -> bytes:
        content = self._random.choice([{"result": self._value()}, {"error": self._value()}, {}])
        numbers: list[Any] = [1, "x", None, [], 2**70]
        return framed({"jsonrpc": "2.0", "id": self._random.choice(numbers)} | content)

    def _hover(self) -> dict[str, Any]:
        place = {"textDocument": {"uri": self._random.choice(URIS)}, "position": {"line": 0, "character": 5}}
        return {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": place}

    def _value(self, depth: int = 0) -> Any:
        keys = [
            "textDocument",
            "uri",
            "version",
            "contentChanges",
            "range",
            "text",
            "position",
            "settings",
            "id",
        ]
        plain = [None, True, -1, 2**70, 0.5, "", "\ud800", "untitled:1", "x" * 2_000]
        kind = self._random.random()
        if depth > 3 or kind < 0.4:
            return self._random.choice(plain)
        if kind < 0.6:
            return [self._value(depth + 1) for _ in range(self._random.randint(0, 3))]
        return {self._random.choice(keys): self._value(depth + 1) for _ in range(self._random.randint(0, 4))}


@pytest.mark.parametrize("number", [200, pytest.param(5_000, marks=pytest.mark.slow)])
def test_broken_messages_neither_end_nor_hold_it(command: list[str], number: int) -> None:
    session = Session(command)
    try:
        session.ask("begin", "initialize", {"capabilities": {}})
        broken = Breaker(SEED).messages(number)
        for batch in range(number // BATCH):
            session.send(*(next(broken) for _ in range(BATCH)), PAD)
            uri = f"untitled:whole {batch}"
            item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": TEXT}
            opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
            session.send(framed(opened))
            where = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
            assert "result" in session.ask(f"whole {batch}", "textDocument/hover", where)
        assert session.ask("end", "shutdown", None)["result"] is None
        session.send(framed({"jsonrpc": "2.0", "method": "exit"}))
    finally:
        status = session.end()
    assert status == 0
    assert b"Traceback" not in session.errors, session.errors.decode()


def test_a_request_with_wrong_parameters_is_answered(command: list[str]) -> None:
    session = Session(command)
    try:
        session.ask("begin", "initialize", {"capabilities": {}})
        answer = session.ask("wrong", "textDocument/hover", {"position": "here"})
        assert answer["error"]["code"] == types.ErrorCodes.InvalidParams
    finally:
        session.end()


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (b"Content-Length: 5\r\n", b"Content-Length: 5\r\n"),
        (b'{"a": 1}Content-Length: 5\r\n', b"Content-Length: 5\r\n"),
        (b"x" * 65_530 + b"Content-Length: 5\r\n", b"Content-Length: 5\r\n"),
        (b"content-length:5\n", b"Content-Length: 5\r\n"),
        (b"Content-Type: x\r\n", b"Content-Type: x\r\n"),
        (b"Content-Length: 5 bytes\r\n", b"passed-over:\r\n"),
        (b"Content-Length: 999999999\r\n", b"passed-over:\r\n"),
        (b"Content-Len", b"Content-Len"),
        (b"", b""),
    ],
)
def test_the_length_of_a_message_is_found_at_the_end_of_a_line(sent: bytes, read: bytes) -> None:
    assert MessageInput(io.BytesIO(sent)).readline() == read
