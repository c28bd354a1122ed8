"""What the program's own reader marks lands on the tokens that it touches, and on no other."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.papers.wikibias.invented_corpus import make_corpus
from training.loop.events import Events
from training.metrics.tags import spans
from training.papers.wikibias.models.bundled_reader import reader, tag_tokens
from training.papers.wikibias.types import Budget, TrainingContext
from training.types import OUTSIDE, TaggedSentence


def _sentence(*tokens: str) -> TaggedSentence:
    return TaggedSentence(tokens, (OUTSIDE,) * len(tokens), biased=False, original=True)


@pytest.mark.parametrize(
    ("marked", "wanted"),
    [
        ([(2, 7)], ["O", "B-bias", "O", "O"]),
        ([(2, 9)], ["O", "B-bias", "I-bias", "O"]),
        ([(3, 5)], ["O", "B-bias", "O", "O"]),  # a part of a token marks it
        ([(1, 2)], ["O", "O", "O", "O"]),  # the space between two
        ([(2, 4), (5, 7)], ["O", "B-bias", "O", "O"]),  # two stretches in one token
        ([(0, 1), (13, 14)], ["B-bias", "O", "O", "B-bias"]),
    ],
)
def test_stretches_become_tags(marked: list[tuple[int, int]], wanted: list[str]) -> None:
    assert tag_tokens(_sentence("a", "cruel", "king", "."), marked) == wanted


@given(st.lists(st.text("abc-é", min_size=1, max_size=4), min_size=1, max_size=8), st.data())
def test_whole_tokens_come_back(tokens: list[str], data: st.DataObject) -> None:
    chosen = sorted(data.draw(st.sets(st.integers(0, len(tokens) - 1))))
    starts = [len(" ".join(tokens[:at])) + (at > 0) for at in range(len(tokens))]
    marked = [(starts[at], starts[at] + len(tokens[at])) for at in chosen]
    assert spans(tag_tokens(_sentence(*tokens), marked)) == [(at, at + 1) for at in chosen]


def test_the_programs_own_reader_answers_every_sentence(tmp_path: Path) -> None:
    given = make_corpus()
    work = TrainingContext("", 1, Budget(), tmp_path, torch.device("cpu"), Events("x"))
    predictions = reader(given, work)
    assert predictions.tags is not None
    assert predictions.biased is not None
    assert [len(tags) for tags in predictions.tags] == [len(one) for one in given.test]
    assert len(predictions.biased) == len(given.test)
