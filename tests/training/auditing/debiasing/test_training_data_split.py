"""Who learns from which articles, what lambda does in a row, and which figures of the paper must agree."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.auditing.generation import tiny_generator
from tests.training.auditing.tiny_articles import PUBLISHERS, make_articles, make_glove
from training.auditing.debiasing import systems as calibration_systems
from training.auditing.debiasing.ideology_head import FittedHead
from training.auditing.debiasing.reinforced_calibration import ReinforcedCalibration
from training.auditing.debiasing.systems import MODES, SWEEP, SYSTEMS, DebiasingSystems, FitBudget
from training.auditing.debiasing.token_reweighting import TokenScorer
from training.auditing.debiasing.training_data import (
    ArticleCorpus,
    BiasWords,
    SideTexts,
    bias_words,
    load_articles,
    side_texts,
    split_by_publisher,
)
from training.auditing.generation.generator import Generator
from training.auditing.generation.prompts import IdeologyClassifier, load_attributes
from training.auditing.generator_bias.perplexity import perplexities
from training.auditing.generator_bias.runner import OVERALL
from training.auditing.ideology_classifiers.masked_articles import (
    LabelledArticle,
    PublisherMasks,
    TfidfClassifier,
)
from training.auditing.ideology_classifiers.registry import BUILT_IN, ClassifierKind
from training.loop.events import Events
from training.loop.training_loop import TrainingError
from training.papers.political_calibration.published import (
    CALIBRATION_TABLE_5,
    CALIBRATION_TABLE_6,
    CALIBRATION_TABLE_7,
)
from training.types import CorpusError


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> ArticleCorpus:
    """The articles of the tests."""
    return load_articles(make_articles(tmp_path_factory.mktemp("data")))


def test_debiasing_shares_no_publisher_and_no_beginning_with_the_classifier(material: ArticleCorpus) -> None:
    parts = [material.split_publishers(seed) for seed in range(4)]
    for part in parts:
        classifying, calibrating = (_publishers(rows) for rows in (part.classifier, (*part.train, *part.dev)))
        assert not classifying & calibrating
        assert not _publishers(part.train) & _publishers(part.dev)
        for rows in (part.classifier, part.train, part.dev):
            assert {row.liberal for row in rows} == {True, False}
        assert len(part.classifier) + len(part.train) + len(part.dev) == len(material.rows)
    assert len({frozenset(_publishers(part.classifier)) for part in parts}) > 1
    assert material.split_publishers(2) == parts[2]
    wire = replace(parts[0].classifier[0], publisher="elsewhere")
    again = replace(
        material, rows=(*material.rows, *(replace(wire, publisher=f"publisher{at}") for at in range(12)))
    )
    part = again.split_publishers(0)
    assert any(row.text == wire.text for row in part.classifier)
    assert not any(row.text == wire.text for row in (*part.train, *part.dev))


def test_with_shared_articles_debiasing_uses_those_of_the_unchanged_classifier(
    material: ArticleCorpus,
) -> None:
    together = replace(material, shared=True)
    for seed in range(4):
        apart, shared = material.split_publishers(seed), together.split_publishers(seed)
        assert shared.classifier == apart.classifier
        assert sorted(row.text for row in (*shared.train, *shared.dev)) == sorted(
            row.text for row in shared.classifier
        )
        assert not _publishers(shared.train) & _publishers(shared.dev)
        for rows in (shared.train, shared.dev):
            assert {row.liberal for row in rows} == {True, False}


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=60),
    st.sampled_from((0.15, 0.5)),
    st.integers(0, 9),
)
def test_no_publisher_is_in_both_parts_and_no_side_is_lost(
    drawn: list[tuple[bool, int]], share: float, seed: int
) -> None:
    rows = [
        LabelledArticle(f"text {at}", liberal, f"{liberal} {publisher}")
        for at, (liberal, publisher) in enumerate(drawn)
    ]
    first, second = split_by_publisher(rows, share, seed=seed)
    assert sorted(row.text for row in (*first, *second)) == sorted(row.text for row in rows)
    for liberal in (False, True):
        mine = [row for row in rows if row.liberal == liberal]
        one, other = ([row for row in part if row.liberal == liberal] for part in (first, second))
        if len(_publishers(mine)) > 1:
            assert not _publishers(one) & _publishers(other)
        if len(mine) > 1:
            assert one
            assert other


def test_side_texts_have_the_requested_number_and_length(material: ArticleCorpus) -> None:
    found = side_texts(material.rows, most=7, seed=1)
    assert len(found.liberal) == len(found.conservative) == 7
    assert found == side_texts(material.rows, most=7, seed=1)
    long = [LabelledArticle("word " * 300, liberal, "publisher") for liberal in (True, False)]
    assert all(len(text.split()) == 100 for text in side_texts(long, most=None, seed=1).liberal)


def test_each_part_needs_an_outlet(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="liberal"):
        load_articles(make_articles(tmp_path, sides=(2,), count=20))
    assert all(len(publishers) > 3 for publishers in PUBLISHERS.values())


def test_the_sweep_has_constant_lambda_in_both_modes() -> None:
    assert [system.strength for system in SWEEP.values()] == [None, *2 * (0.1, 0.3, 0.5, 0.7, 0.9)]
    assert all(system.has_fixed_lambda for system in SWEEP.values())
    assert all(system.strength is None and not system.has_fixed_lambda for system in SYSTEMS.values())


@pytest.fixture(scope="module")
def systems(material: ArticleCorpus, tmp_path_factory: pytest.TempPathFactory) -> DebiasingSystems:
    """The systems of the tiny generator."""
    folder = tmp_path_factory.mktemp("systems")
    return DebiasingSystems(
        material,
        str(tiny_generator.save(folder / "tiny")),
        glove=make_glove(folder / "glove.txt"),
        classifier_name="tfidf",
        fitting=FitBudget(100, 8),
        folder=folder,
        device=torch.device("cpu"),
        events=Events("test", stream=io.StringIO()),
    )


@pytest.mark.parametrize("mode", ["emb", "cls"])
def test_lambda_is_constant_in_the_sweep_and_controlled_elsewhere(
    systems: DebiasingSystems, mode: str
) -> None:
    for system, held in ((SWEEP[f"{mode}-0.7"], True), (SYSTEMS[mode], False)):
        sampler = systems.sampler(system, 1)
        assert isinstance(sampler, ReinforcedCalibration)
        sampler.sample(["the people of", "I think"], samples=2, length=10, seed=1)
        start = 0.7 if held else 0.6
        assert (sampler.policy_shift.strength == pytest.approx(start)) == held


def test_classifier_and_debiasing_use_only_their_own_parts(
    systems: DebiasingSystems, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, list[str]] = {"classifier": [], "calibration": []}

    def words(learnt: SideTexts, *, count: int) -> BiasWords:
        given["calibration"] += [*learnt.liberal, *learnt.conservative]
        return bias_words(learnt, count=count)

    def head(_: Generator, *both: SideTexts, **__: object) -> FittedHead:
        given["calibration"] += [text for one in both for text in (*one.liberal, *one.conservative)]
        return FittedHead(tiny_generator.head(), 1.0)

    def reading(_: Generator, *both: SideTexts, **__: object) -> TokenScorer:
        given["calibration"] += [text for one in both for text in (*one.liberal, *one.conservative)]
        return TokenScorer(torch.zeros(1), 0.0, 1.0)

    def reading_words(_: Generator, __: BiasWords, learnt: SideTexts, **___: object) -> TokenScorer:
        return reading(_, learnt)

    def fit_recording(
        train: Sequence[LabelledArticle], masks: PublisherMasks, seed: int
    ) -> IdeologyClassifier:
        given["classifier"] += [row.text for row in train]
        return TfidfClassifier.fit(train, masks=masks, seed=seed)

    monkeypatch.setattr(calibration_systems, "bias_words", words)
    monkeypatch.setattr(calibration_systems, "fit_head", head)
    monkeypatch.setattr(calibration_systems, "fit_token_classifier", reading)
    monkeypatch.setattr(calibration_systems, "fit_bias_word_scorer", reading_words)
    monkeypatch.setitem(BUILT_IN, "tfidf", ClassifierKind("recording", fit_recording))
    for seed in (5, 6):
        systems.classifier(seed)
        assert given["classifier"]
        for mode in MODES:
            systems.sampler(SYSTEMS[mode], seed)
            assert given["calibration"], mode
            assert not set(given["classifier"]) & set(given["calibration"])
            given["calibration"].clear()
        given["classifier"].clear()


def test_a_trained_classifier_is_not_reported_as_trained_again(
    systems: DebiasingSystems, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The messages of a table name the classifier whose scores it holds."""
    learnt = BUILT_IN["tfidf"]
    kinds = {"learnt": learnt, "trained": replace(learnt, title="the ideology classifier of run 1", run="1")}
    messages = {}
    for seed, name in ((7, "learnt"), (8, "trained")):
        said = io.StringIO()
        monkeypatch.setattr(systems, "events", Events("test", stream=said))
        monkeypatch.setattr(calibration_systems, "find_classifier", lambda _, name=name: kinds[name])
        systems.classifier(seed)
        messages[name] = [json.loads(line)["message"] for line in said.getvalue().splitlines()]
    assert [message.split(", from")[0] for message in messages["learnt"]] == ["the ideology classifier"]
    assert messages["trained"] == ["the ideology classifier of run 1"]


def test_no_text_is_scored_by_a_model_trained_on_its_vanilla_counterpart() -> None:
    draw = random.Random(2)
    vanilla = [" ".join(draw.choice(tiny_generator.WORDS) for _ in range(12)) for _ in range(60)]
    before, same = perplexities(vanilla, vanilla, seed=1)
    assert same == before
    changed = [text.replace("the", "zebra").replace("law", "gnu") for text in vanilla]
    assert perplexities(vanilla, changed, seed=1)[0] == before
    assert perplexities(vanilla, changed, seed=1)[1] > before
    fluent = [vanilla[at % 5] for at in range(60)]
    assert perplexities(vanilla, fluent, seed=1)[1] < before
    for own in (vanilla[:4], [""] * 60):
        with pytest.raises(TrainingError, match="Generate"):
            perplexities(vanilla[: len(own)], own, seed=1)


def test_overall_is_the_mean_of_the_printed_options_but_for_what_the_docstring_names() -> None:
    odd = {("topic", "indirect", "emb"), ("topic", "direct", "vanilla"), ("topic", "direct", "emb")}
    for attribute in load_attributes():
        names = {option.name for option in attribute.options}
        for kind, systems in CALIBRATION_TABLE_5[attribute.name].items():
            for system, figures in systems.items():
                assert figures.keys() == names | {OVERALL}
                apart = abs(fmean(figures[name] for name in names) - figures[OVERALL])
                assert (apart > 0.011) == ((attribute.name, kind, system) in odd)
    for at, kind in enumerate(("indirect", "direct")):
        whole = fmean(CALIBRATION_TABLE_5[name][kind]["vanilla"][OVERALL] for name in CALIBRATION_TABLE_5)
        assert whole == pytest.approx(CALIBRATION_TABLE_6["vanilla"][at], abs=0.01)
    assert {len(row) for figures in CALIBRATION_TABLE_7.values() for row in figures.values()} == {6}


def _publishers(rows: Iterable[LabelledArticle]) -> set[str]:
    return {row.publisher for row in rows}
