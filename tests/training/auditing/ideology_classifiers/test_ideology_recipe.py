"""The recipe of an ideology classifier: one training, tested on random folds and on folds of whole publishers.

Tables and audits can name the trained classifier.
"""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.runs.recipes import IdeologyClassifierRequest
from tests.training.tiny_corpora import make_running
from tests.training.tiny_encoders import make_encoder
from training.auditing.ideology_classifiers import recipe, registry
from training.auditing.ideology_classifiers.ensemble import EnsembleClassifier
from training.auditing.ideology_classifiers.masked_articles import PublisherMasks
from training.auditing.ideology_classifiers.splits import (
    FOLDS,
    SegmentedArticle,
    segment_articles,
    split_articles,
)
from training.cli import main
from training.corpora import allsides
from training.corpora.allsides import Article
from training.loop.training_loop import TrainingError
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError

CPU = torch.device("cpu")
PUBLISHERS = ("Alpha", "Bravo", "Castle", "Delta", "Eagle", "Forest")
WORDS = ("the", "council", "met", "and", "voted", "on", "a", "new", "school", "budget", "after", "debate")


def written(folder: Path, *, count: int = 180) -> Path:
    """Articles of six publishers a side."""
    draw = random.Random(2)
    (folder / "article_bias").mkdir(parents=True)
    rows = []
    for number in range(count):
        side = number % 3
        lines = [" ".join(draw.choice(WORDS) for _ in range(12)).capitalize() + " ." for _ in range(12)]
        source = f"{PUBLISHERS[number // 3 % 6]}{('left', 'middle', 'right')[side]} News"
        content = "A title\n" + "\n".join(lines)
        rows.append(
            json.dumps({"source": source, "bias": side, "topic": "x", "title": "", "content": content})
        )
    (folder / "article_bias" / "articles.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("articles"))


@pytest.fixture(scope="module")
def finished(
    data: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[IdeologyClassifierRequest, Path, list[dict]]:
    """One smoke run of two sides: its request, the folder of its classifier and its events."""
    said = io.StringIO()
    request = IdeologyClassifierRequest(
        data=data, base=str(tiny_base), device="cpu", scale="smoke", learning_rate=1e-3
    )
    place = recipe.run(request, make_running(tmp_path_factory.mktemp("runs"), request, said))
    return request, place, [json.loads(line) for line in said.getvalue().splitlines()]


def test_both_evaluations_are_reported(finished: tuple[IdeologyClassifierRequest, Path, list[dict]]) -> None:
    _, place, events = finished
    metrics = events[-1]["metrics"]
    assert events[-1]["event"] == "end"
    assert {"random_macro_f1", "grouped_macro_f1", "random_and_repeated_macro_f1"} <= set(metrics)
    card = (place / "README.md").read_text(encoding="utf-8")
    assert f"{metrics['random_macro_f1']:.4f}" in card
    for name in ("grouped", "grouped_encoder", "grouped_words"):
        assert f"{metrics[f'{name}_macro_f1']:.4f}" in card
    assert place.parent.name in card


def test_no_local_path_is_saved(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]],
) -> None:
    request, place, _ = finished
    for name in ("README.md", "judge.json", "config.json"):
        assert str(Path(request.base).parent) not in (place / name).read_text(encoding="utf-8")


def test_the_classifier_implements_the_protocol_of_audits(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]],
) -> None:
    _, place, _ = finished
    found = EnsembleClassifier.load(place, device=CPU)
    scores = found.p_liberal(["The council met and voted.", "", "–"])
    assert scores.shape == (3,)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores[1] == scores[2] == 0.5
    assert found.p_liberal([]).shape == (0,)


def test_no_outlet_name_changes_a_prediction(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]],
) -> None:
    _, place, _ = finished
    found = EnsembleClassifier.load(place, device=CPU)
    names = ("Alphaleft News", "CNN", "Fox News", "the New York Times")
    scores = found.p_liberal([f"The council, {name} said, met and voted." for name in names])
    assert len(set(scores.tolist())) == 1


def test_a_text_gets_the_same_score_alone_and_in_a_batch(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]],
) -> None:
    _, place, _ = finished
    found = EnsembleClassifier.load(place, device=CPU)
    several = ["The council met.", "A new school budget after debate and the council voted on a new school."]
    assert np.allclose(found.p_liberal(several), [found.p_liberal([text])[0] for text in several], atol=0.02)


@pytest.mark.parametrize("architecture", ["roberta", "xlnet", "mpnet"])
def test_a_classifier_on_another_architecture_is_loaded(
    architecture: str, data: Path, tiny_base: Path, tmp_path: Path
) -> None:
    """XLNet is the paper's; MPNet and RoBERTa are the base-size ones."""
    base = make_encoder(tmp_path / "base", architecture, like=tiny_base)
    request = IdeologyClassifierRequest(
        data=data, base=str(base), device="cpu", scale="smoke", learning_rate=1e-3
    )
    place = recipe.run(request, make_running(tmp_path / "runs", request, io.StringIO()))
    found = EnsembleClassifier.load(place, device=CPU)
    several = ["The council met.", "A new school budget after debate and the council voted on a new school."]
    scores = found.p_liberal(several)
    assert np.allclose(scores, [found.p_liberal([text])[0] for text in several], atol=0.02)
    assert ((scores > 0) & (scores < 1)).all()


def test_three_sides_are_predicted_and_give_p_liberal(data: Path, tiny_base: Path, tmp_path: Path) -> None:
    request = IdeologyClassifierRequest(
        data=data, sides="three", base=str(tiny_base), device="cpu", scale="smoke", learning_rate=1e-3
    )
    found = EnsembleClassifier.load(
        recipe.run(request, make_running(tmp_path, request, io.StringIO())), device=CPU
    )
    chances = found.probabilities(["The council met."])
    assert chances.shape == (1, 3)
    assert chances.sum() == pytest.approx(1.0)
    left, _, right = chances[0]
    assert found.p_liberal(["The council met."])[0] == pytest.approx(left / (left + right))


def test_a_resumed_run_keeps_what_is_trained(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]],
) -> None:
    request, place, _ = finished
    before = load_file(place / "model.safetensors")
    said = io.StringIO()
    recipe.run(request, make_running(place.parents[1], request, said, run=place.parent.name))
    assert "already trained" in said.getvalue()
    after = load_file(place / "model.safetensors")
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_a_run_can_be_named_to_the_tables(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]],
) -> None:
    _, place, _events = finished
    kind = registry.find_classifier(str(place.parent))
    assert kind.run == place.parent.name
    record = json.loads((place / "judge.json").read_text(encoding="utf-8"))
    assert kind.grouped == record["metrics"]["grouped_macro_f1"]
    assert kind.fit((), PublisherMasks(()), 1).p_liberal(["The council met."]).shape == (1,)
    assert registry.classifier_id(str(place)) == kind.run
    assert registry.classifier_id("tfidf") == "tfidf"


def test_a_classifier_of_another_version_is_refused(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]], tmp_path: Path
) -> None:
    _, place, _ = finished
    record = json.loads((place / "judge.json").read_text(encoding="utf-8"))
    (tmp_path / "judge.json").write_text(json.dumps(record | {"format": 1}), encoding="utf-8")
    with pytest.raises(TrainingError, match="holds an ideology classifier of another version"):
        registry.find_classifier(str(tmp_path))


def test_dev_articles_are_neither_training_nor_test_articles(data: Path) -> None:
    found = allsides.load(data, NearDuplicateIndex(()))
    parts = split_articles(segment_articles(found, PublisherMasks(()), "three", segments=1), fold=0, seed=1)
    each = (parts.train, parts.dev, parts.random, parts.repeated, parts.grouped)
    assert all(each[:2])
    read = [one.segments for part in each[:3] for one in part]
    assert len(read) == len(set(read))


def test_an_unknown_classifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        TrainingError, match=r"is not an ideology classifier. Name one of words, tfidf, or a run"
    ):
        registry.find_classifier("nobody")
    (tmp_path / "judge.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TrainingError, match="contains no readable ideology classifier"):
        EnsembleClassifier.load(tmp_path, device=CPU)


def test_a_damaged_classifier_is_refused(
    finished: tuple[IdeologyClassifierRequest, Path, list[dict]], tmp_path: Path
) -> None:
    _, place, _ = finished
    for path in place.iterdir():
        (tmp_path / path.name).write_bytes(
            path.read_bytes()[: 2000 if path.suffix == ".safetensors" else None]
        )
    with pytest.raises(TrainingError, match="contains no readable ideology classifier"):
        EnsembleClassifier.load(tmp_path, device=CPU)


def test_publishers_are_held_out_whole_and_repeats_are_separate() -> None:
    draw = random.Random(1)
    labelled = [
        SegmentedArticle(
            (" ".join(str(draw.randrange(1000)) for _ in range(30)),), at % 2, f"publisher {at % 20}"
        )
        for at in range(400)
    ]
    wire = [replace(labelled[0], publisher=f"publisher {at % 20}", label=at % 2) for at in range(60)]
    parts = split_articles([*labelled, *wire], fold=0, seed=1)
    known = {one.publisher for one in (*parts.train, *parts.random, *parts.repeated)}
    assert not known & {one.publisher for one in parts.grouped}
    assert parts.repeated
    assert {one.segments for one in parts.repeated} == {labelled[0].segments}
    assert labelled[0].segments not in {one.segments for one in parts.random}
    fold_publishers = [
        {one.publisher for one in split_articles(labelled, fold=at, seed=1).grouped} for at in range(FOLDS)
    ]
    assert set().union(*fold_publishers) == {one.publisher for one in labelled}
    assert sum(map(len, fold_publishers)) == 20


def test_a_side_without_articles_or_publishers_is_refused() -> None:
    one_sided = [Article("A", 0, "x", ("The council met and voted.",) * 4)] * 9
    with pytest.raises(CorpusError, match="There is no conservative article"):
        segment_articles(one_sided, PublisherMasks(()), "two", segments=1)
    both = [Article("A", side, "x", ("The council met and voted.",) * 4) for side in (0, 2) for _ in range(9)]
    with pytest.raises(CorpusError, match="come from 1 outlets"):
        split_articles(segment_articles(both, PublisherMasks(()), "two", segments=1), fold=0, seed=1)


def test_later_segments_are_trained_on_unless_they_are_short() -> None:
    long = Article("A", 0, "x", tuple(f"Word{at} council met and voted on it." for at in range(40)))
    (one, _) = segment_articles([long, replace(long, leaning=2)], PublisherMasks(()), "two", segments=3)
    assert len(one.segments) == 3
    assert all(len(part.split()) <= 100 for part in one.segments)
    assert one.label == 1


def test_an_article_is_read_from_its_first_paragraph() -> None:
    led = Article("A", 0, "x", ("The council met and voted.",), ("A town is split over its budget.",))
    (one, _) = segment_articles([led, replace(led, leaning=2)], PublisherMasks(()), "two", segments=1)
    assert one.segments == ("a town is split over its budget . the council met and voted .",)


def test_the_command_trains_one(data: Path, tiny_base: Path, tmp_path: Path) -> None:
    words = f"train run judge --sides three --scale smoke --base {tiny_base} --data {data} --device cpu"
    assert main.main([*words.split()[1:], "--out", str(tmp_path), "--dry-run"]) == 0
