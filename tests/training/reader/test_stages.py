"""What the stages of the reader learn from which corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from transformers import AutoTokenizer

from core.types import Kind
from training.reader.dataset_mix import DatasetMix
from training.reader.stages import CONTINUED_SAMPLING, READER_SAMPLING, ExampleEncoder, reader_streams
from training.types import Example, GoldSpan

BIASED = Example("a cruel king", "wnc", spans=(GoldSpan(2, 7, Kind.FRAMING),), bias=1.0, group="1")
NEUTRAL = Example("a king", "wnc", spans=(), bias=0.0, group="1")


@pytest.mark.parametrize(
    ("shares", "spans"),
    [(READER_SAMPLING, {"a cruel king", "a king"}), (CONTINUED_SAMPLING, {"a cruel king"})],
)
def test_going_on_the_neutral_side_of_a_pair_says_nothing_of_its_words(
    shares: dict[str, float], spans: set[str], tiny_base: Path
) -> None:
    parts: dict[str, list[Example]] = {name: [] for name in DatasetMix.__slots__}
    mixture = DatasetMix(**{**parts, "wnc": [BIASED, NEUTRAL], "related": {}, "dropped": 0})  # type: ignore[arg-type]
    streams = reader_streams(
        mixture, ExampleEncoder(AutoTokenizer.from_pretrained(str(tiny_base))), [], shares
    )
    asked = [(task, row.example.text) for stream in streams for task in stream.tasks for row in stream.rows]
    assert {text for task, text in asked if task == "spans"} == spans
    assert sorted(text for task, text in asked if task == "bias") == ["a cruel king", "a king"]
