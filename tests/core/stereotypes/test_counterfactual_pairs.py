"""Protects the templates and what is measured on them: two halves that share none; neutral and loaded sides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.engine.reader import Cancelled, Reader
from core.stereotypes.counterfactual_pairs import (
    FrameReading,
    flip_rate,
    iterate_pairs,
    mean_gap,
    read_frames,
    term_aucs,
    term_shifts,
)
from core.stereotypes.metrics import MetricError
from core.stereotypes.templates import (
    ADJECTIVES,
    ADVERBS,
    TEMPLATE_SETS,
    TERM_GROUPS,
    Frame,
    TemplateHalf,
    Variant,
    build_frames,
    build_term_frames,
    template_half,
)

FALSE_ARTICLE = re.compile(r"\ba [aeio]|\ban [^aeiouhLM]", re.IGNORECASE)
LOADED = re.compile("|".join([*ADJECTIVES, *ADVERBS]), re.IGNORECASE)


def test_the_halves_share_no_template_and_are_all() -> None:
    training = {
        frame.source
        for frame in (*build_frames(TemplateHalf.TRAINING), *build_term_frames(TemplateHalf.TRAINING))
    }
    evaluation = {
        frame.source
        for frame in (*build_frames(TemplateHalf.EVALUATION), *build_term_frames(TemplateHalf.EVALUATION))
    }
    assert not training & evaluation
    assert training | evaluation == {frame.source for frame in build_frames()}
    assert all(template_half(source) is TemplateHalf.TRAINING for source in training)
    for about, (templates, _) in TEMPLATE_SETS.items():
        assert {template_half(template) for template in templates} == set(TemplateHalf), about


def test_the_loaded_side_has_one_loaded_word_and_else_the_same() -> None:
    for neutral, loaded in zip(build_frames(), build_frames(with_loaded_word=True), strict=True):
        for one, other in zip(neutral.variants, loaded.variants, strict=True):
            assert not LOADED.search(one.text)
            assert len(LOADED.findall(other.text)) == 1, other.text
            assert not FALSE_ARTICLE.search(other.text), other.text
            assert one.group == other.group
            assert len(other.text.split()) == len(one.text.split()) + 1
        assert len({LOADED.search(variant.text)[0] for variant in loaded.variants}) == 1  # type: ignore[index]


def test_every_identity_term_fits_its_templates() -> None:
    found = build_term_frames()
    assert {frame.topic.removesuffix(", many") for frame in found} == set(TERM_GROUPS)
    for frame in found:
        groups = [variant.group for variant in frame.variants]
        assert len(groups) == len(set(groups))
        for variant in frame.variants:
            assert variant.group.lower() in variant.text.lower()
            assert not re.search(r"\ba [aeio]", variant.text), variant.text


def _read(about: str, *sides: tuple[str, float]) -> FrameReading:
    variants = tuple(Variant(group, f"About {group}.") for group, _ in sides)
    return FrameReading(
        Frame(about, "About {}.", variants), tuple(bias for _, bias in sides), tuple(() for _ in sides)
    )


def test_flips_and_shifts_by_hand() -> None:
    made = list(iterate_pairs([_read("faith", ("a", 0.6), ("b", 0.4), ("c", 0.4))], threshold=0.5))
    assert flip_rate(made) == pytest.approx(2 / 3)
    assert mean_gap(made) == pytest.approx(0.4 / 3)
    moved = term_shifts([_read("faith", ("a", 0.6), ("b", 0.3)), _read("faith", ("a", 0.4), ("b", 0.3))])
    assert moved == {("faith", "a"): pytest.approx(0.1), ("faith", "b"): pytest.approx(-0.1)}


def test_bpsn_and_bnsp_by_hand() -> None:
    """The neutral sentence about ``b`` is read above the loaded one about ``a``, and nothing else is amiss."""
    neutral = [_read("faith", ("a", 0.1), ("b", 0.7))]
    loaded = [_read("faith", ("a", 0.6), ("b", 0.9))]
    overall, found = term_aucs(neutral, loaded)
    figures = {one.group: (one.subgroup, one.bpsn, one.bnsp) for one in found}
    assert overall == 0.75
    assert figures == {"a": (1, 1, 0), "b": (1, 0, 1)}


def test_nothing_to_compare_gives_a_one_line_error() -> None:
    for measured in (flip_rate, mean_gap):
        with pytest.raises(MetricError, match="no pair"):
            measured([])
    assert list(iterate_pairs([_read("faith", ("a", 0.6))], threshold=0.5)) == []
    with pytest.raises(MetricError, match="no"):
        term_aucs([], [])
    with pytest.raises(MetricError, match="both classes"):
        term_aucs([_read("faith", ("a", 0.6), ("b", 0.3))], [])
    alone = _read("faith", ("a", 0.6))
    assert term_aucs([alone], [_read("faith", ("a", 0.7))])[1] == []


def test_a_reader_reads_the_templates_and_can_be_stopped(tiny_bundle: Path) -> None:
    reader = Reader.load(tiny_bundle, threads=1)
    some = build_frames(TemplateHalf.EVALUATION)[:3]
    found = read_frames(reader, some)
    assert [one.frame for one in found] == some
    assert all(len(one.bias) == len(one.frame.variants) for one in found)
    with pytest.raises(Cancelled):
        read_frames(Reader.load(tiny_bundle, threads=1), some, cancelled=lambda: True)
