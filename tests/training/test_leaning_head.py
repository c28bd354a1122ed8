"""The leaning head that is fitted alone: put into the graph it changes nothing else, to the bit, and it is measured."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper
from onnxruntime import InferenceSession
from torch import nn

from core.bundle import load_bundle
from core.documents import Format, parse
from core.engine import Engine
from tests.training.tiny_corpora import make_running
from training import leaning_graph, leaning_linear
from training.corpora.articles import Article
from training.leaning import Head
from training.loop import TrainingError
from training.recipes import reader
from training.recipes.reader_leaning import windows
from training.trial import estimate


@pytest.fixture(scope="module")
def start(corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a smoke run."""
    request = reader.Request(data=corpora, base=str(tiny_base), device="cpu", scale="smoke", rate=1e-3)
    return reader.run(request, make_running(tmp_path_factory.mktemp("runs"), request, io.StringIO()))


@pytest.fixture(scope="module")
def refitted(start: Path, corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its leaning head fitted anew."""
    request = reader.Request(
        data=corpora,
        base=str(tiny_base),
        device="cpu",
        scale="smoke",
        start=start,
        trainings=0,
        head="leaning",
    )
    return reader.run(request, make_running(tmp_path_factory.mktemp("runs"), request, io.StringIO()))


def tensors(graph: Path) -> dict[str, bytes]:
    return {one.name: numpy_helper.to_array(one).tobytes() for one in onnx.load(graph).graph.initializer}


def test_nothing_but_the_leaning_head_changes(start: Path, refitted: Path) -> None:
    before, after = (tensors(load_bundle(folder).graph) for folder in (start, refitted))
    changed = {name for name, held in after.items() if before[name] != held}
    assert changed
    assert all(name.startswith("model.leaning") for name in changed)
    old, new = (
        Engine.load(folder).analyse(parse("The vile council met.", Format.PLAIN))
        for folder in (start, refitted)
    )
    assert old.findings == new.findings
    assert [one.bias for one in old.sentences] == [one.bias for one in new.sentences]


def test_scales_of_leaning_alone_are_fitted_anew(start: Path, refitted: Path) -> None:
    old, new = load_bundle(start), load_bundle(refitted)
    assert old.thresholds == new.thresholds
    assert (old.calibration.bias, old.calibration.spans) == (new.calibration.bias, new.calibration.spans)
    assert old.run != new.run


def test_the_card_tells_before_and_after(start: Path, refitted: Path) -> None:
    metrics = json.loads((refitted.parent / "metrics.json").read_text(encoding="utf-8"))
    card = (refitted / "README.md").read_text(encoding="utf-8")
    for name in ("held_out_macro_f1", "before_held_out_macro_f1"):
        assert f"| {name.replace('_', ' ')} | {metrics[name]:.4f} |" in card
    assert f"inverse penalty ({metrics['strength']:g})" in card
    assert (start / "README.md").read_text(encoding="utf-8").rstrip() in card


def test_the_graph_answers_as_the_head_that_was_put(start: Path, tmp_path: Path) -> None:
    graph = tmp_path / "reader.onnx"
    graph.write_bytes(load_bundle(start).graph.read_bytes())
    width = leaning_graph.held(graph).layer.in_features
    torch.manual_seed(3)
    head = Head(nn.Linear(width, width), nn.Linear(width, 4), 0.0)
    leaning_graph.put(graph, head)
    ids = np.array([[2, 7, 8, 9, 3]], dtype=np.int64)
    answer, meaning = InferenceSession(str(graph), providers=["CPUExecutionProvider"]).run(
        ["leaning", "meaning"], {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    )
    with torch.inference_mode():
        wanted = head.output(torch.tanh(head.layer(torch.from_numpy(meaning)))).numpy()
    assert np.abs(answer - wanted).max() < 0.05


def test_a_dry_run_fits_nothing(start: Path, corpora: Path) -> None:
    request = reader.Request(
        data=corpora, device="cpu", scale="smoke", start=start, trainings=0, head="leaning"
    )
    assert estimate(request, reader.run)["estimated_s"] > 0


def test_a_graph_without_such_a_head_is_refused(start: Path, tmp_path: Path) -> None:
    graph = tmp_path / "reader.onnx"
    graph.write_bytes(load_bundle(start).graph.read_bytes())
    with pytest.raises(ValueError, match="no leaning head of this shape"):
        leaning_graph.put(graph, Head(nn.Linear(5, 5), nn.Linear(5, 4), 0.0))


def test_what_tells_the_sides_apart_is_found_and_houses_weigh_alike() -> None:
    draw = np.random.default_rng(1)
    labels = draw.integers(0, 4, 400)
    states = draw.normal(0, 1, (400, 12))
    states[np.arange(400), labels] += 4.0
    head = leaning_linear.fit(states, labels.tolist(), [f"house {at % 20}" for at in range(400)])
    with torch.inference_mode():
        found = head.output(torch.tanh(head.layer(torch.from_numpy(states).float()))).argmax(1).numpy()
    assert (found == labels).mean() > 0.9
    gold = np.array([0] * 100 + [1] * 4)
    found_weights = leaning_linear.weights(gold, ["large"] * 99 + ["small"] + ["other"] * 4)
    assert found_weights[:100].sum() == pytest.approx(found_weights[100:].sum())
    assert found_weights[99] > found_weights[0]


def test_the_penalty_is_chosen_by_houses_that_a_fold_did_not_learn_from() -> None:
    draw = np.random.default_rng(4)
    of = np.arange(900) % 30
    labels = (of % 3).tolist()
    states = draw.normal(0, 1, (900, 40)) + draw.normal(0, 2, (30, 40))[of]
    states[np.arange(900), labels] += 1.5
    known = leaning_linear.chosen(states, labels, [f"article {at}" for at in range(900)], seed=1)
    unknown = leaning_linear.chosen(states, labels, [f"house {at}" for at in of], seed=1)
    assert unknown < known, "what tells a house that was learnt tells nothing of another house"


def test_few_houses_choose_nothing() -> None:
    states = np.random.default_rng(2).normal(0, 1, (90, 6))
    houses = [f"house {at % 12}" for at in range(90)]
    assert leaning_linear.chosen(states, [at % 3 for at in range(90)], houses, seed=1) == leaning_linear.USUAL


def test_an_article_is_read_from_its_first_paragraph_on() -> None:
    lead = ("The council met in the old hall on Monday.",)
    sentences = tuple(
        f"Sentence number {number} has some words in it that fill a window." for number in range(40)
    )
    article = Article("The House", 0, "politics", sentences, lead)
    whole = windows(article, 12)
    assert whole[0].startswith(lead[0])
    assert windows(article, 2) == [whole[0], whole[-1]]


def test_a_class_that_nobody_showed_is_never_the_answer() -> None:
    draw = random.Random(1)
    states = np.array([[draw.gauss(0, 1) for _ in range(6)] for _ in range(60)])
    head = leaning_linear.fit(states, [at % 2 for at in range(60)], [str(at) for at in range(60)])
    with torch.inference_mode():
        found = head.output(torch.tanh(head.layer(torch.from_numpy(states).float()))).argmax(1)
    assert set(found.tolist()) <= {0, 1}


def test_the_head_is_said_with_a_start_alone(corpora: Path) -> None:
    with pytest.raises(TrainingError, match="--start BUNDLE --trainings 0"):
        reader.Request(data=corpora, head="leaning")
