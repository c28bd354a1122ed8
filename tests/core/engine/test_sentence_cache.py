"""Protects readings from memory: what was known of a sentence gives the report that reading everything anew gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import Format, parse
from core.documents.incremental import IncrementalParser
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader, Reading

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
    parser = IncrementalParser()
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
    parser = IncrementalParser()
    lines = [f"The law of {number} is new." for number in range(30)]
    engine.analyse(parser.parse("\n\n".join(lines), Format.PLAIN))
    asked.clear()
    lines[0] = f"A shameful change. {lines[0]}"
    engine.analyse(parser.parse("\n\n".join(lines), Format.PLAIN))
    sentences = [text for text in asked if text in lines or text == "A shameful change."]
    assert sentences == ["A shameful change."]


def test_a_document_longer_than_the_memory_is_not_read_again_after_an_edit(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Drafts of more than 20,000 sentences were read whole at every key."""
    monkeypatch.setattr("core.engine.engine.MAX_SENTENCES", 5)
    monkeypatch.setattr("core.engine.reader.MAX_CACHED", 5)
    engine = Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())
    lines = [f"The law of {number} is new." for number in range(30)]
    engine.analyse(parse("\n\n".join(lines), Format.PLAIN))
    asked: list[str] = []
    real = engine.reader.read
    monkeypatch.setattr(
        engine.reader, "read", lambda texts, **how: (asked.extend(texts), real(texts, **how))[1]
    )
    for number in (7, 29, 0):
        lines[number] = f"A shameful {lines[number]}"
        engine.analyse(parse("\n\n".join(lines), Format.PLAIN))
    assert [text for text in asked if text in lines] == [lines[number] for number in (7, 29, 0)]


def test_what_no_document_holds_any_more_is_forgotten(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.engine.engine.MAX_SENTENCES", 5)
    engine = Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())
    for number in range(20):
        engine.analyse(parse(" ".join(f"Law {number} of {line} is new." for line in range(10)), Format.PLAIN))
        assert len(engine._memory) <= 5 + 10 + 10


@pytest.mark.parametrize("size", [1, 4, 7])
def test_a_document_read_in_batches_reads_the_same_and_reports_progress(
    warm: Engine, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    document = parse(" ".join(f"The shameful law of {number} is new." for number in range(18)), Format.PLAIN)
    whole = Engine(warm.reader, warm.lexicon).analyse(document)
    monkeypatch.setattr("core.engine.engine.SENTENCES_PER_BATCH", size)
    monkeypatch.setattr("core.engine.reader.MAX_CACHED", 0)
    warm.reader._cache.clear()
    told: list[float] = []
    sliced = Engine(warm.reader, warm.lexicon)
    assert sliced.analyse(document, on_progress=told.append) == whole
    assert told == sorted(told)
    assert len(told) >= 18 // size
    assert told[-1] == pytest.approx(1.0)
