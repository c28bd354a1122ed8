"""Protects which findings are said to lean on the word itself: stereotyped ones, never those that are truly loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.documents import Format, parse
from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Cancelled, Reader
from core.stereotypes.term_dependence import find_term_dependent
from core.types import Finding, Kind

SENTENCE = "The Muslim senator said that."


@pytest.fixture(scope="module")
def reader(tiny_bundle: Path) -> Reader:
    return Reader.load(tiny_bundle, threads=1)


def _is_dependent(reader: Reader, sentence: str, words: str, **more: object) -> bool:
    start = sentence.index(words)
    end = start + len(words)
    finding = Finding(start, end, words, Kind.FRAMING, 0.9, False)
    (answer,) = find_term_dependent(reader, parse(sentence, Format.PLAIN), [finding], **more)  # type: ignore[arg-type]
    return answer


def test_a_finding_on_an_identity_term_alone_is_term_dependent(reader: Reader) -> None:
    assert _is_dependent(reader, SENTENCE, "Muslim")
    assert _is_dependent(reader, SENTENCE, "Muslim", lexicon=Lexicon.load())


def test_a_flag_that_stays_without_the_term_does_not(reader: Reader) -> None:
    assert not _is_dependent(reader, "The shameful Muslim senator.", "shameful Muslim")
    assert not _is_dependent(reader, SENTENCE, "Muslim senator", threshold=0.0)


def test_a_loaded_word_is_never_term_dependent(reader: Reader) -> None:
    for words in ("shameful", "chairman", "regime"):
        assert not _is_dependent(reader, f"The {words} law of the senator.", words, lexicon=Lexicon.load())


def test_words_without_anything_more_general_do_not(reader: Reader) -> None:
    for words in ("zorble", "said", "that"):
        assert not _is_dependent(reader, f"The {words} law.", words)


def test_findings_of_a_document_are_found_in_its_prose(engine: Engine) -> None:
    source = "The '''Muslim''' senator of the shameful [[people]].\n"
    document = parse(source, Format.WIKITEXT)
    findings = [
        Finding(source.index(words), source.index(words) + len(words), words, Kind.FRAMING, 0.9, False)
        for words in ("Muslim", "shameful")
    ]
    found = find_term_dependent(engine.reader, document, findings, lexicon=engine.lexicon)
    assert found == (True, False)
    assert find_term_dependent(engine.reader, document, []) == ()


def test_it_can_be_stopped(tiny_bundle: Path) -> None:
    with pytest.raises(Cancelled):
        _is_dependent(Reader.load(tiny_bundle, threads=1), SENTENCE, "Muslim", cancelled=lambda: True)
