"""Token probabilities become spans of whole words: the one decoder of engine and training."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.spans import decode, raise_cue_odds
from core.text.tokens import WORD
from core.types import LABELS, Kind


def chances(*rows: dict[str, float]) -> np.ndarray:
    """Label probabilities by name; what is left goes to O."""
    table = np.zeros((len(rows), len(LABELS)), dtype=np.float32)
    for number, row in enumerate(rows):
        for label, value in row.items():
            table[number, LABELS.index(label)] = value
        table[number, 0] = 1 - sum(row.values())
    return table


def test_one_sub_token_makes_the_whole_word() -> None:
    text = "a shameful day"
    found = decode(
        chances({}, {}, {"B-framing": 0.9}, {}, {}),
        [(0, 0), (0, 1), (2, 6), (6, 10), (11, 14)],
        text,
        threshold=0.5,
    )
    assert [(text[span.start : span.end], span.kind) for span in found] == [("shameful", Kind.FRAMING)]


def test_neighbours_join_and_punctuation_parts() -> None:
    text = "cruel brutal, vile"
    rows = chances({"B-framing": 0.8}, {"I-framing": 0.7}, {}, {"B-framing": 0.6})
    found = decode(rows, [(0, 5), (6, 12), (12, 13), (14, 18)], text, threshold=0.5)
    assert [text[span.start : span.end] for span in found] == ["cruel brutal", "vile"]
    assert found[0].confidence == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("second", "wanted"), [("I-framing", ["self - styled"]), ("B-framing", ["self", "styled"])]
)
def test_a_hyphen_cut_off_joins_what_goes_on(second: str, wanted: list[str]) -> None:
    text = "a self - styled king"
    rows = chances({}, {"B-framing": 0.8}, {"I-framing": 0.8}, {second: 0.8}, {})
    found = decode(rows, [(0, 1), (2, 6), (7, 8), (9, 15), (16, 20)], text, threshold=0.5)
    assert [text[span.start : span.end] for span in found] == wanted


def test_another_kind_begins_another_span() -> None:
    rows = chances({"B-framing": 0.9}, {"B-epistemological": 0.9})
    found = decode(rows, [(0, 5), (6, 12)], "cruel claims", threshold=0.5)
    assert [span.kind for span in found] == [Kind.FRAMING, Kind.EPISTEMOLOGICAL]


def test_articles_at_the_ends_are_left_out() -> None:
    text = "the cruel a king the"
    rows = chances(*[{"B-framing": 0.9}] * 5)
    offsets = [(0, 3), (4, 9), (10, 11), (12, 16), (17, 20)]
    assert [text[span.start : span.end] for span in decode(rows, offsets, text, threshold=0.5)] == [
        "cruel a king"
    ]
    assert decode(rows[:1], offsets[:1], "the", threshold=0.5) == []


@pytest.mark.parametrize("word", ["shame\u00adful", "cafe\u0301s", "हिन्दी", "far-right", "don’t", "naïve"])
def test_a_word_is_whole(word: str) -> None:
    assert WORD.fullmatch(word)


@given(st.text(max_size=40), st.floats(0, 1))
def test_spans_are_sorted_disjoint_whole_words(text: str, threshold: float) -> None:
    offsets = [(at, at + 1) for at in range(len(text))]
    table = np.random.default_rng(len(text)).dirichlet(np.ones(len(LABELS)), len(text)).astype(np.float32)
    found = decode(table.reshape(len(text), len(LABELS)), offsets, text, threshold=threshold)
    edges = {match.start() for match in WORD.finditer(text)}, {match.end() for match in WORD.finditer(text)}
    assert all(span.start in edges[0] and span.end in edges[1] for span in found)
    assert all(one.end <= two.start for one, two in pairwise(found))


@pytest.mark.parametrize(
    ("margin", "wanted"),
    [(0.0, ["gay", "cruel"]), (0.2, ["cruel"]), (0.1, ["gay", "cruel"])],
)
def test_a_demographic_span_needs_more_where_its_reader_says_so(margin: float, wanted: list[str]) -> None:
    text = "gay engineer cruel"
    rows = chances({"B-demographic": 0.65}, {}, {"B-framing": 0.55})
    found = decode(rows, [(0, 3), (4, 12), (13, 18)], text, threshold=0.5, demographic_margin=margin)
    assert [text[span.start : span.end] for span in found] == wanted


def test_a_cue_word_needs_less_than_another() -> None:
    text = "rude claims"
    rows = chances({"B-framing": 0.4}, {"B-epistemological": 0.4})
    cues = np.array([False, True])
    found = decode(rows, [(0, 4), (5, 11)], text, threshold=0.5, cues=cues, cue_offset=1.0)
    assert [(text[span.start : span.end], span.kind) for span in found] == [("claims", Kind.EPISTEMOLOGICAL)]
    assert found[0].confidence == pytest.approx(1 / (1 + 0.6 / 0.4 / np.e), abs=1e-6)


@given(st.integers(0, 2**32 - 1), st.floats(-10, 10))
def test_raised_cues_are_probabilities_and_other_words_are_as_they_were(seed: int, offset: float) -> None:
    random = np.random.default_rng(seed)
    table = random.dirichlet(np.full(len(LABELS), 0.2), 12).astype(np.float32)
    table[0], table[1] = np.eye(len(LABELS))[:2]
    cues = random.random(12) < 0.5
    raised = raise_cue_odds(table, cues, offset)
    assert raised.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (raised >= 0).all()
    assert np.array_equal(raised[~cues], table[~cues])
    assert (raised[0], raised[1]) == (pytest.approx(table[0]), pytest.approx(table[1])), (
        "what is certain stays so"
    )
    kinds = table[cues, 1:].argmax(axis=1)
    known = table[cues, 0] < 1
    assert np.array_equal(raised[cues, 1:].argmax(axis=1)[known], kinds[known])
