"""Which corpora each stage of the reader samples, for which of its outputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from core.types import Kind
from training.reader import stages
from training.reader.dataset_mix import DatasetMix, load_dataset_mix
from training.reader.stages import ExampleEncoder, broad_streams, reader_streams
from training.types import Example, GoldSpan


@pytest.fixture(scope="module")
def encoder(tiny_base: Path) -> ExampleEncoder:
    return ExampleEncoder(AutoTokenizer.from_pretrained(str(tiny_base)))


@pytest.fixture(scope="module")
def mixture(corpora: Path) -> DatasetMix:
    return load_dataset_mix(corpora, limit=12, on_message=lambda _: None)


def empty(**parts: Any) -> DatasetMix:
    made: dict[str, Any] = {name: [] for name in DatasetMix.__slots__}
    return DatasetMix(**{**made, "auxiliary": {}, "dropped": 0, **parts})


def test_the_broad_stage_reads_neither_babe_nor_the_annotated_sentences(
    mixture: DatasetMix, encoder: ExampleEncoder
) -> None:
    streams = broad_streams(mixture, encoder)
    names = {stream.name for stream in streams}
    assert names == {*stages.BROAD_SAMPLING, *stages.AUXILIARY_SAMPLING}
    read = {row.example.corpus for stream in streams for row in stream.rows}
    assert not read & {"babe", "editors", "written"}


def test_the_readers_stage_reads_what_says_most(mixture: DatasetMix, encoder: ExampleEncoder) -> None:
    whole = replace(mixture, annotated_corpora=mixture.annotated[:3])
    streams = reader_streams(whole, encoder, injected=None, limit=8, seed=1)
    assert {stream.name for stream in streams} == set(stages.READER_SAMPLING) - {"injected"}
    of = {stream.name: stream for stream in streams}
    for name in ("wikibias", "annotated", "annotated_corpora", "babe", "wnc"):
        assert of[name].tasks == ("spans", "classes", "bias")
    for name, kind in (("epistemological", Kind.EPISTEMOLOGICAL), ("demographic", Kind.DEMOGRAPHIC)):
        assert all(kind in {span.kind for span in row.example.spans or ()} for row in of[name].rows)
    assert {row.example.spans for row in of["cw_hard"].rows} == {None, ()}, "biased ones are not marked"
    assert any(row.classes for row in of["annotated"].rows)
    assert max(len(of[name].rows) for name in ("variants", "swapped", "templates")) <= 8


def test_a_stream_whose_corpus_is_not_there_is_left_out(encoder: ExampleEncoder) -> None:
    row = Example("a cruel king", "wnc", spans=(GoldSpan(2, 7, Kind.FRAMING),), bias=1.0, group="1")
    mix = empty(wnc=[row])
    assert [stream.name for stream in broad_streams(mix, encoder)] == ["wnc"]
    names = {stream.name for stream in reader_streams(mix, encoder, injected=None, limit=None, seed=1)}
    assert names == {"wnc", "templates", "neutral_mentions"}


def test_variants_are_made_of_sentences_as_people_write_them(encoder: ExampleEncoder) -> None:
    spaced = Example(
        "They favour it .", "wikibias", spans=(GoldSpan(5, 11, Kind.FRAMING),), bias=1.0, group="1"
    )
    prose = Example(
        "They favour it.", "wikibias", spans=(GoldSpan(5, 11, Kind.FRAMING),), bias=1.0, group="1"
    )
    streams = reader_streams(empty(wikibias=[spaced, prose]), encoder, injected=None, limit=None, seed=1)
    (variants,) = (stream for stream in streams if stream.name == "variants")
    assert [row.example.text for row in variants.rows] == ["They favour it.", "They favor it."]


def test_a_list_of_examples_is_tokenised_once(encoder: ExampleEncoder) -> None:
    rows = [Example("a king", "x")]
    assert encoder(rows) is encoder(rows)
    assert encoder(list(rows)) is not encoder(rows)
