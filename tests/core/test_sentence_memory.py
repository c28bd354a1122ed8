"""Protects readings from memory: what was known of a sentence gives the report that reading everything anew gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.cues import Lexicon
from core.documents import Format
from core.engine import Engine
from core.incremental import Parser
from core.reader import Reader, Reading

PIECES = (
    "The senator reveals a shameful record. ",
    "A ''shameful'' {{sic}} disastrous<ref>shameful</ref> law. ",
    'She said "a shameful chairman" and left. ',
    "He claims *nothing* about `code` shameful. ",
    "“A shameful law",
    "went on”, the chairman said. ",
    "<!-- evenhand off -->",
    "<!-- evenhand on -->",
    "\n\n",
    "👍🏽 ",
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10)


@pytest.fixture(scope="module")
def warm(tiny_bundle: Path) -> Engine:
    """An engine that has read other texts."""
    return Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())


@settings(max_examples=40)
@given(
    texts=st.lists(TEXTS, min_size=1, max_size=3),
    format=st.sampled_from([Format.PLAIN, Format.MARKDOWN, Format.WIKITEXT]),
    quotes=st.booleans(),
    threshold=st.sampled_from([None, 0.2]),
)
def test_a_report_does_not_depend_on_what_was_read_before(
    warm: Engine, texts: list[list[str]], format: Format, quotes: bool, threshold: float | None
) -> None:
    parser = Parser()
    for pieces in texts:
        document = parser.parse("".join(pieces), format)
        fresh = Engine(warm.reader, warm.lexicon)
        told = warm.analyse(document, include_quotes=quotes, threshold=threshold)
        assert told == fresh.analyse(document, include_quotes=quotes, threshold=threshold)
        for finding in told.findings:
            assert finding.text == document.source[finding.start : finding.end]


def test_a_sentence_that_was_read_is_not_read_again(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Complaints 15 and 16: whole texts read again at every key, and at every opening."""
    engine = Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())
    asked: list[str] = []
    real = engine.reader.read

    def read(texts: list[str], **options: object) -> list[Reading]:
        asked.extend(texts)
        return real(texts, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.reader, "read", read)
    parser = Parser()
    lines = [f"The law of {number} is new." for number in range(30)]
    engine.analyse(parser.parse("\n\n".join(lines), Format.PLAIN))
    asked.clear()
    lines[0] = f"A shameful change. {lines[0]}"
    engine.analyse(parser.parse("\n\n".join(lines), Format.PLAIN))
    sentences = [text for text in asked if text in lines or text == "A shameful change."]
    assert sentences == ["A shameful change."]
