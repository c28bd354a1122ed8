"""Protects LanguageTool's interface, end to end, with a client of LanguageTool: offsets, rules, words, who may ask."""

from __future__ import annotations

import http.client
import json
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.bundles.manifest import BundleError
from core.documents import Format, parse
from core.engine.engine import Engine
from core.rewriting.rewriter import Rewriter
from core.rewriting.suggester import Suggester
from core.server.annotated_text import AnnotatedText
from core.server.http_server import MAX_BODY, MAX_WAITING, LanguageToolApp, make_http_server
from core.server.resident_engine import CheckOptions, ResidentEngine
from core.storage.store import Store

BIASED = "The chairman reveals a shameful record."
Json = dict[str, Any]

WARMING = 20
"""Requests after which all that is loaded once is loaded."""

GROWTH_MB = 60
"""What caches may take after that."""


class Served:
    """A running server, and requests to it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(
        self, path: str, fields: dict[str, str] | None = None, *, method: str = "", **headers: str
    ) -> tuple[int, str]:
        """Status and body of a request; with ``fields`` a POST of a form."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = None if fields is None else urlencode(fields)
        sent = {"Content-Type": "application/x-www-form-urlencoded"} if fields is not None else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method or ("GET" if fields is None else "POST"), path, body, sent)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def check(self, **fields: str) -> Json:
        """The answer of a check."""
        status, text = self.ask("/v2/check", {"language": "en-US"} | fields)
        assert status == 200, text
        found: Json = json.loads(text)
        return found


@contextmanager
def serving(app: LanguageToolApp) -> Iterator[Served]:
    """A server in a thread of this process, ended at the end."""
    server = make_http_server(app, 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield Served(int(server.effective_port))
    finally:
        with suppress(OSError):  # The loop was awake already, and has closed the trigger.
            server.trigger.pull_trigger(server.close)
        server.task_dispatcher.shutdown()
        thread.join()


@pytest.fixture
def resident(engine: Engine, rewriter: Rewriter, monkeypatch: pytest.MonkeyPatch) -> ResidentEngine:
    """The engine of the servers, with the tiny models."""
    monkeypatch.setattr("core.server.resident_engine.load_engine", lambda _on_message: engine)
    monkeypatch.setattr("core.server.resident_engine.load_suggester", lambda *_: Suggester(engine, rewriter))
    return ResidentEngine(pytest.fail)


@pytest.fixture
def served(resident: ResidentEngine) -> Iterator[Served]:
    """A server without a token."""
    with serving(LanguageToolApp(resident, "1")) as here:
        yield here


def utf16(text: str, match: Json) -> str:
    """The words of a match, by the standard library."""
    data = text.encode("utf-16-le", "surrogatepass")
    return data[2 * match["offset"] : 2 * (match["offset"] + match["length"])].decode("utf-16-le")


def test_a_client_of_languagetool_gets_the_right_words(served: Served) -> None:
    language_tool_python = pytest.importorskip("language_tool_python")
    text = f"שלום {BIASED}\r\n\r\nA disastrous law."  # The client itself miscounts behind an emoji.
    with language_tool_python.LanguageTool("en-US", remote_server=f"http://127.0.0.1:{served.port}") as tool:
        matches = tool.check(text)
        assert [one.matched_text for one in matches] == ["chairman", "reveals", "shameful", "disastrous"]
        assert {one.category for one in matches} == {
            "EVENHAND_DEMOGRAPHIC",
            "EVENHAND_EPISTEMOLOGICAL",
            "EVENHAND_FRAMING",
        }
        tool.disabled_categories = {"EVENHAND_FRAMING"}
        tool.disabled_rules = {matches[0].rule_id}
        assert [one.matched_text for one in tool.check(text)] == ["reveals"]


def test_offsets_are_in_utf_16_and_replacements_fit(served: Served) -> None:
    text = f"😀 {BIASED}"
    matches = served.check(text=text)["matches"]
    assert utf16(text, matches[0]) == "chairman"
    assert any(one["replacements"] for one in matches)
    for one in matches:
        context = one["context"]
        assert utf16(context["text"], context) == utf16(text, one)
        assert one["sentence"] == BIASED or BIASED in one["sentence"]


def test_markup_is_not_read_and_counts_in_offsets(served: Served) -> None:
    parts = [
        {"text": "The "},
        {"markup": "<b title='😀 shameful'>"},
        {"text": "law"},
        {"markup": "</b><p>", "interpretAs": "\n\n"},
        {"text": "A shameful "},
        {"markup": "<i>"},
        {"text": "record."},
    ]
    full = "".join(part.get("text", part.get("markup", "")) for part in parts)
    (match,) = served.check(data=json.dumps({"annotation": parts}))["matches"]
    assert utf16(full, match).strip() == "shameful"
    assert match["offset"] > full.index("</b>")


def test_only_enabled_rules(served: Served) -> None:
    found = served.check(text=BIASED, enabledCategories="EVENHAND_FRAMING", enabledOnly="true")
    assert [utf16(BIASED, one) for one in found["matches"]] == ["shameful"]


@pytest.mark.parametrize(
    "fields",
    [
        {"text": BIASED},
        {"language": "en-US"},
        {"language": "xx", "text": BIASED},
        {"language": "en-US", "text": BIASED, "data": "{}"},
        {"language": "en-US", "data": "{"},
        {"language": "en-US", "data": '{"annotation": [{"text": 1}]}'},
        {"language": "en-US", "data": '{"annotation": [{}]}'},
        {"language": "en-US", "data": "[" * 100_000},
    ],
)
def test_a_wrong_request_is_refused_with_a_reason(served: Served, fields: dict[str, str]) -> None:
    status, text = served.ask("/v2/check", fields)
    assert status == 400
    assert text.startswith("Error: ")


def test_allowed_words_are_those_of_the_window(served: Served) -> None:
    assert served.ask("/v2/words") == (200, '{"words": []}')
    assert served.ask("/v2/words/add", {"word": "shameful"}) == (200, '{"added": true}')
    assert served.ask("/v2/words/add", {"word": "Shameful"}) == (200, '{"added": false}')
    store = Store.open()
    assert store.allowed() == ["shameful"]
    store.allow("chairman")
    store.close()
    matches = served.check(text=BIASED)["matches"]
    assert [utf16(BIASED, one) for one in matches] == ["reveals"]
    assert json.loads(served.ask("/v2/words?offset=1&limit=5")[1]) == {"words": ["shameful"]}
    assert served.ask("/v2/words/delete", {"word": "shameful"}) == (200, '{"deleted": true}')
    assert served.ask("/v2/words/delete", {"word": "none"}) == (200, '{"deleted": false}')
    assert len(served.check(text=BIASED)["matches"]) == 2


def test_other_addresses_and_methods(served: Served) -> None:
    assert served.ask("/healthz") == (200, '{"status": "ok"}')
    assert {one["longCode"] for one in json.loads(served.ask("/v2/languages")[1])} >= {"en-US", "en-GB"}
    assert served.ask("/v2/none")[0] == 404
    assert served.ask("/v2/words/add")[0] == 405
    assert served.ask("/v2/words?limit=x")[0] == 400


def test_pages_of_the_web_are_refused(served: Served, resident: ResidentEngine) -> None:
    fields = {"language": "en", "text": BIASED}
    assert served.ask("/v2/check", fields, Host="evil.example")[0] == 403
    assert served.ask("/v2/check", fields, Host=f"evil.example:{served.port}")[0] == 403
    assert served.ask("/v2/check", fields, Origin="https://evil.example")[0] == 403
    assert served.ask("/v2/check", fields, Origin="null")[0] == 403
    assert served.ask("/v2/words", method="OPTIONS", Origin="https://evil.example")[0] == 403
    assert served.ask("/v2/check", fields, Host=f"localhost:{served.port}")[0] == 200
    extension = "chrome-extension://abc"
    with serving(LanguageToolApp(resident, "1", origins=[extension])) as here:
        assert here.ask("/v2/check", fields, Origin=extension)[0] == 200
        assert here.ask("/v2/check", fields, Origin="chrome-extension://other")[0] == 403
        assert here.ask("/v2/check", method="OPTIONS", Origin=extension)[0] == 200


def test_a_token_is_needed_where_there_is_one(resident: ResidentEngine) -> None:
    fields = {"language": "en", "text": BIASED}
    with serving(LanguageToolApp(resident, "1", token="sécret")) as here:
        assert here.ask("/healthz")[0] == 200
        assert here.ask("/v2/check", fields)[0] == 401
        assert here.ask("/v2/check", fields | {"apiKey": "wrong"})[0] == 401
        assert here.ask("/v2/check", fields | {"apiKey": "sécret"})[0] == 200
    with serving(LanguageToolApp(resident, "1", token="secret")) as here:
        assert here.ask("/v2/check", fields, Authorization="Bearer secret")[0] == 200


def test_a_body_above_the_limit_is_refused(served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.putrequest("POST", "/v2/check")
    connection.putheader("Content-Length", str(MAX_BODY + 1))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_more_checks_than_it_can_do_are_refused_and_the_others_answered(
    served: Served, resident: ResidentEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting, go_on = threading.Semaphore(0), threading.Event()
    check = resident.check

    def slow(*arguments: Any, **options: Any) -> Any:
        waiting.release()
        assert go_on.wait(60)
        return check(*arguments, **options)

    monkeypatch.setattr(resident, "check", slow)
    fields = {"language": "en", "text": BIASED}
    with ThreadPoolExecutor(MAX_WAITING) as pool:
        answers = [pool.submit(served.ask, "/v2/check", fields) for _ in range(MAX_WAITING)]
        for _ in answers:
            assert waiting.acquire(timeout=60)
        status, text = served.ask("/v2/check", fields)
        go_on.set()
        assert (status, text) == (429, "Error: Too many texts are being checked. Try again.")
        assert {answer.result()[0] for answer in answers} == {200}
    assert served.ask("/v2/check", fields)[0] == 200


@contextmanager
def serving_command(command: list[str]) -> Iterator[tuple[Served, int]]:
    """``evenhand serve`` in a process of its own, and the id of that; ended at the end."""
    process = subprocess.Popen([*command, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        assert said.startswith("Evenhand answers at http://127.0.0.1:")
        yield Served(int(said.split(":")[2].partition("/")[0])), process.pid
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def resident_megabytes(process: int) -> float:
    """The memory of a process; 0 where the system does not say."""
    status = Path(f"/proc/{process}/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.is_file() else []
    return next((int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmRSS:")), 0.0)


@pytest.mark.parametrize("number", [60, pytest.param(1_000, marks=pytest.mark.slow)])
def test_none_of_many_requests_is_lost_and_the_memory_is_bounded(command: list[str], number: int) -> None:
    def ask(asked: int) -> float:
        text = "\n\n".join(f"Law {asked}.{line} is new. {BIASED} The people said so." for line in range(8))
        matches = here.check(text=text)["matches"]
        assert [utf16(text, one) for one in matches] == 8 * ["chairman", "reveals", "shameful"]
        assert f"Law {asked}.0 " in matches[0]["context"]["text"]
        return resident_megabytes(process)

    with serving_command(command) as (here, process), ThreadPoolExecutor(8) as pool:
        first = max(pool.map(ask, range(WARMING)))
        rest = max(pool.map(ask, range(WARMING, number)))
    assert rest - first < GROWTH_MB


def test_fifty_thousand_words(served: Served) -> None:
    lines = [f"Law {number} 😀 is new and the people said so in a record." for number in range(4_200)]
    lines[4_000] = "The 😀 chairman said."
    text = "\r\n\r\n".join(lines)
    (match,) = served.check(text=text)["matches"]
    assert utf16(text, match) == "chairman"


@given(
    st.lists(
        st.one_of(
            st.fixed_dictionaries({"text": st.text(max_size=9)}),
            st.fixed_dictionaries(
                {"markup": st.text(max_size=9)}, optional={"interpretAs": st.text(max_size=4)}
            ),
        ),
        max_size=8,
    )
)
def test_each_character_that_is_read_has_its_place(parts: list[dict[str, str]]) -> None:
    text = AnnotatedText.parse(json.dumps({"annotation": parts}))
    assert text.full == "".join(part.get("text", part.get("markup", "")) for part in parts)
    at = full = 0
    for part in parts:
        for number, _ in enumerate(part.get("text", "")):
            assert text.span(at, at + 1) == (full + number, full + number + 1)
            at += 1
        full += len(part.get("text", part.get("markup", "")))
        at += 0 if "text" in part else len(part.get("interpretAs", ""))


@given(body=st.binary(max_size=60), path=st.sampled_from(["/v2/check", "/v2/words/add", "/v2/words/delete"]))
def test_any_body_is_answered(resident_app: LanguageToolApp, body: bytes, path: str) -> None:
    statuses: list[str] = []
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_PORT": "1",
        "HTTP_HOST": "localhost:1",
        "wsgi.input": _Body(body),
    }
    answer = resident_app(environ, lambda status, _headers: statuses.append(status))
    assert b"".join(answer)
    assert statuses[0][:3] in ("200", "400")


class _Body:
    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int) -> bytes:
        """The body, up to ``size`` bytes."""
        return self._data[:size]


@pytest.fixture(scope="module")
def resident_app() -> LanguageToolApp:
    """An application whose engine is not asked: no body here is a whole request."""
    return LanguageToolApp(ResidentEngine(pytest.fail), "1")


def test_a_client_of_languagetool_is_served_by_the_command(command: list[str]) -> None:
    language_tool_python = pytest.importorskip("language_tool_python")
    with serving_command(command) as (here, _):
        address = f"http://127.0.0.1:{here.port}"
        with language_tool_python.LanguageTool("en-US", remote_server=address) as tool:
            assert [one.matched_text for one in tool.check(BIASED)] == ["chairman", "reveals", "shameful"]


def test_the_command_serves_on_the_loopback_address(command: list[str]) -> None:
    with serving_command(command) as (here, _):
        assert len(here.check(text=BIASED)["matches"]) == 3
        taken = subprocess.run(
            [*command, "serve", "--port", str(here.port)], capture_output=True, text=True, check=False
        )
        assert taken.returncode == 2
        assert "Choose another one with --port" in taken.stderr


def test_models_are_opened_once_and_before_the_first_request(
    monkeypatch: pytest.MonkeyPatch, engine: Engine, rewriter: Rewriter
) -> None:
    opened: list[str] = []

    def load(name: str, model: object) -> object:
        opened.append(name)
        return model

    suggester = Suggester(engine, rewriter)
    monkeypatch.setattr("core.server.resident_engine.load_engine", lambda _: load("engine", engine))
    monkeypatch.setattr("core.server.resident_engine.load_suggester", lambda *_: load("suggester", suggester))
    resident = ResidentEngine(opened.append)
    resident.open_models()
    assert opened == ["engine", "suggester"]
    document = parse("The shameful record.", Format.PLAIN)
    (finding,) = resident.check(document, CheckOptions())
    resident.suggest(document, finding)
    assert opened == ["engine", "suggester"]


def test_a_model_that_cannot_be_opened_is_named_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> Engine:
        raise BundleError("The model is damaged.")

    monkeypatch.setattr("core.server.resident_engine.load_engine", refuse)
    resident = ResidentEngine(lambda _: None)
    resident.open_models()
    with pytest.raises(BundleError, match="damaged"):
        resident.check(parse("A record.", Format.PLAIN), CheckOptions())
