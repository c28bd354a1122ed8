"""Protects the one door to the network: only Wikimedia's hosts, only what was asked for, capped and cancellable."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.network import wikipedia
from core.network.https import FetchCancelled, NetworkCall
from core.network.wikipedia import Article, ArticleRef, WikipediaError, fetch_article, parse_article_ref
from tests.wikipedia_server import PAGE, Server, page


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = Server()
    yield server
    server.close()


def failure(call: Callable[[], object]) -> str:
    with pytest.raises(WikipediaError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("Bodmin", ArticleRef("en", "Bodmin")),
        ("  Toronto   Star ", ArticleRef("en", "Toronto Star")),
        ("de:Köln", ArticleRef("de", "Köln")),
        ("Mission: Impossible", ArticleRef("en", "Mission: Impossible")),
        ("https://en.wikipedia.org/wiki/Toronto_Star", ArticleRef("en", "Toronto Star")),
        ("http://fr.m.wikipedia.org/wiki/%C3%89cole#Histoire", ArticleRef("fr", "École")),
        ("https://simple.wikipedia.org/wiki/AC/DC", ArticleRef("simple", "AC/DC")),
        (
            "https://en.wikipedia.org/w/index.php?title=Bodmin&oldid=987654",
            ArticleRef("en", "Bodmin", 987654),
        ),
        ("https://en.wikipedia.org/w/index.php?oldid=987654", ArticleRef("en", "987654", 987654)),
    ],
)
def test_a_title_or_an_address_names_an_article(asked: str, place: ArticleRef) -> None:
    if not asked.endswith("?oldid=987654"):
        assert parse_article_ref(asked) == place
    else:
        assert parse_article_ref(asked).revision == place.revision


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "   ",
        "a|b",
        "{{x}}",
        "x" * 300,
        "https://example.org/wiki/Bodmin",
        "https://en.wikipedia.org.example.org/wiki/Bodmin",
        "https://evilwikipedia.org/wiki/Bodmin",
        "https://[::1/wiki/x",
        "https://user@127.0.0.1/wiki/x",
    ],
)
def test_what_names_no_article_is_refused_before_anything_is_sent(asked: str) -> None:
    assert failure(lambda: parse_article_ref(asked)).endswith(".")


@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_names_a_wikipedia_article_or_is_refused(asked: str) -> None:
    try:
        place = parse_article_ref(asked)
    except WikipediaError:
        return
    assert wikipedia._HOST.fullmatch(place.host)
    assert place.title.strip() == place.title != ""
    assert place.title.encode()


def test_the_wikitext_comes_as_it_lies_there_and_only_the_title_is_sent(server: Server) -> None:
    server.answers[page("Toronto_Star")] = (200, {}, json.dumps(PAGE).encode())
    on_progress: list[int] = []
    article = fetch_article(
        ArticleRef("en", "Toronto Star"), base=server.base, on_progress=on_progress.append
    )
    assert article == Article(
        ArticleRef("en", "Bodmin"), PAGE["source"], 123, "2026-01-02T03:04:05Z", PAGE["license"]["title"]
    )
    assert on_progress[-1] == len(json.dumps(PAGE).encode())
    ((path, headers),) = server.heard
    assert path == page("Toronto_Star")
    assert set(headers) <= {"Accept-Encoding", "Host", "User-Agent", "Accept", "Connection"}


def test_one_revision_can_be_asked_for(server: Server) -> None:
    answer = {"id": 55, "timestamp": "t", "page": {"title": "Bodmin"}, "source": "old"}
    server.answers["/w/rest.php/v1/revision/55"] = (200, {}, json.dumps(answer).encode())
    article = fetch_article(ArticleRef("en", "Bodmin", 55), base=server.base)
    assert (article.wikitext, article.revision) == ("old", 55)


def test_a_redirect_within_wikipedia_is_followed(server: Server) -> None:
    server.answers[page("Old")] = (307, {"Location": page("Bodmin")}, b"")
    server.answers[page()] = (200, {}, json.dumps(PAGE).encode())
    assert fetch_article(ArticleRef("en", "Old"), base=server.base).wikitext == PAGE["source"]


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/x", "http://en.wikipedia.org/x", "file:///etc/passwd"]
)
def test_a_redirect_to_anywhere_else_is_not_followed(server: Server, elsewhere: str) -> None:
    server.answers[page()] = (302, {"Location": elsewhere}, b"")
    assert failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=server.base))
    assert len(server.heard) == 1


def test_redirects_in_a_circle_end(server: Server) -> None:
    server.answers[page()] = (302, {"Location": page()}, b"")
    assert "circle" in failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=server.base))
    assert len(server.heard) <= wikipedia.MAX_REDIRECTS + 2


def test_a_large_answer_is_cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wikipedia, "MAX_BYTES", 1_000)
    server.answers[page()] = (200, {}, b" " * 100_000)
    assert "10 MB" in failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=server.base))


@pytest.mark.parametrize(
    ("code", "word"), [(404, "no article"), (429, "Try again"), (500, "500"), (403, "403")]
)
def test_a_refusal_says_what_to_do(server: Server, code: int, word: str) -> None:
    server.answers[page()] = (code, {}, b"{}")
    assert word in failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=server.base))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"source": 1}', b'{"latest": []}', b"[" * 100_000])
def test_an_answer_of_another_form_is_told(server: Server, body: bytes) -> None:
    server.answers[page()] = (200, {}, body)
    assert "could not be read" in failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=server.base))


def _with(**changes: object) -> dict[str, object]:
    return PAGE | changes


@pytest.mark.parametrize(
    "answer",
    [
        None,
        _with(source=None),
        _with(source=["a"]),
        _with(title=None),
        _with(title=""),
        _with(title="a\nb"),
        _with(title="\ud83d"),
        _with(latest={"id": None, "timestamp": "t"}),
        _with(latest={"id": math.inf, "timestamp": "t"}),
        _with(latest={"id": math.nan, "timestamp": "t"}),
        _with(latest={"id": True, "timestamp": "t"}),
        _with(latest={"id": -1, "timestamp": "t"}),
        _with(latest={"id": 10**30, "timestamp": "t"}),
        _with(latest={"id": "12", "timestamp": "t"}),
        _with(latest={"id": 12, "timestamp": None}),
        _with(latest=None),
    ],
    ids=str,
)
def test_a_field_that_is_null_or_of_another_kind_is_told(server: Server, answer: object) -> None:
    server.answers[page()] = (200, {}, json.dumps(answer).encode())
    assert "could not be read" in failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=server.base))


def test_half_characters_are_replaced(server: Server) -> None:
    answer = _with(source="a \ud83d b", latest={"id": 1, "timestamp": "t\udc00"}, license={"title": "\ud800"})
    server.answers[page()] = (200, {}, json.dumps(answer).encode())
    article = fetch_article(ArticleRef("en", "Bodmin"), base=server.base)
    assert (article.wikitext, article.timestamp, article.licence) == ("a \ufffd b", "t\ufffd", "\ufffd")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=3,
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "source": JSON,
            "title": JSON,
            "license": JSON | st.fixed_dictionaries({"title": JSON}),
            "page": JSON | st.fixed_dictionaries({"title": JSON}),
            "latest": JSON | st.fixed_dictionaries({"id": JSON, "timestamp": JSON}),
        },
    )
)
def test_any_answer_is_an_article_or_is_told(changes: dict[str, object]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wikipedia, "_read", lambda *_, **__: json.dumps(PAGE | changes).encode())
        try:
            article = fetch_article(ArticleRef("en", "Bodmin"))
        except WikipediaError:
            return
    said = (article.place.title, article.wikitext, article.timestamp, article.licence)
    assert all(type(text) is str and text.encode() is not None for text in said)
    assert type(article.revision) is int


def test_it_stops_when_it_is_told(server: Server) -> None:
    server.answers[page()] = (200, {}, json.dumps(PAGE).encode())
    call = NetworkCall()
    call.cancel()
    with pytest.raises(FetchCancelled):
        fetch_article(ArticleRef("en", "Bodmin"), base=server.base, call=call)
    assert server.heard == []


def test_a_server_that_says_nothing_is_hung_up_on(server: Server) -> None:
    server.wait_for = threading.Event()
    call, cancelled = NetworkCall(), threading.Event()

    def run() -> None:
        with pytest.raises(FetchCancelled):
            fetch_article(ArticleRef("en", "Bodmin"), base=server.base, call=call)
        cancelled.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not server.heard:
        pass
    call.cancel()
    assert cancelled.wait(wikipedia.TIMEOUT_S / 3)
    server.wait_for.set()
    thread.join()


def test_no_network_is_one_clear_sentence() -> None:
    gone = Server()
    gone.close()
    assert "network" in failure(lambda: fetch_article(ArticleRef("en", "Bodmin"), base=gone.base))
