"""Protects what the reader says of a word alone: bias and kinds, for any words, cancelled when asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.reader import Cancelled, Reader
from core.stereotypes.metrics import MetricError
from core.stereotypes.word_scores import pinned_bias, score_words
from core.types import KINDS, Kind


@pytest.fixture(scope="module")
def reader(tiny_bundle: Path) -> Reader:
    return Reader.load(tiny_bundle, threads=1)


def test_a_loaded_word_is_sensitive_and_of_its_kind(reader: Reader) -> None:
    shameful, chairman, law = score_words(reader, ["shameful", "chairman", "law"])
    assert shameful.sensitive
    assert shameful.kinds[Kind.FRAMING] > 0.9 > shameful.kinds[Kind.DEMOGRAPHIC]
    assert max(chairman.kinds, key=chairman.kinds.__getitem__) is Kind.DEMOGRAPHIC
    assert not law.sensitive
    assert max(law.kinds.values()) < 0.1


def test_scores_are_those_of_reading_the_word_as_a_text(reader: Reader) -> None:
    words = ["law", "shameful policy", "people", "law"]
    scores = score_words(reader, words)
    assert [score.word for score in scores] == words
    assert [score.bias for score in scores] == [reading.bias for reading in reader.read(words)]
    assert all(0 <= chance <= 1 for score in scores for chance in score.kinds.values())


def test_a_term_of_several_words_has_the_kinds_of_its_surest_word(reader: Reader) -> None:
    one, both = score_words(reader, ["shameful", "the shameful law of the people"])
    assert both.kinds[Kind.FRAMING] == pytest.approx(one.kinds[Kind.FRAMING])


def test_words_without_a_letter_are_nothing_and_an_empty_list_is_empty(reader: Reader) -> None:
    for score in score_words(reader, ["", "42", "…"]):
        assert score.bias == 0
        assert score.kinds == dict.fromkeys(KINDS, 0.0)
    assert score_words(reader, []) == []
    with pytest.raises(MetricError, match="at least one word"):
        pinned_bias([])


def test_pinned_bias_is_over_the_scores(reader: Reader) -> None:
    found = pinned_bias(score_words(reader, ["shameful", "law"]))
    assert 0 < found.asym <= found.sym <= 0.5
    assert pinned_bias(score_words(reader, ["law"])).mean == 0


def test_scoring_words_reports_progress_and_can_be_cancelled(tiny_bundle: Path) -> None:
    reader = Reader.load(tiny_bundle, threads=1)
    words = [f"law{number}" for number in range(50)]
    heard: list[float] = []
    with pytest.raises(Cancelled):
        score_words(reader, words, cancelled=lambda: len(heard) >= 2, on_progress=heard.append)
    assert len(heard) == 2
    heard.clear()
    assert len(score_words(reader, words, on_progress=heard.append)) == 50
    assert heard == sorted(heard)
    assert heard[-1] == 1
