"""The leaning head that is fitted alone: put into the graph it changes nothing else, to the bit, and it is measured."""

from __future__ import annotations

import io
import json
import shutil
import uuid
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from onnx import numpy_helper
from onnxruntime import InferenceSession
from torch import nn

from core.bundles.manifest import LEANING_MACRO_F1
from core.bundles.reader import PlattScaling, load_reader_bundle
from core.documents import Format, parse
from core.engine.engine import Engine
from core.engine.political_leaning import mask_publisher
from core.runs.recipes import ReaderRequest
from tests.training.tiny_corpora import make_running
from training.corpora.allsides import Article
from training.loop.dry_run import estimate
from training.loop.training_loop import TrainingError
from training.modeling import leaning_head
from training.modeling.leaning_head import LeaningHead
from training.reader import leaning_classifier, recipe
from training.reader.leaning_recipe import (
    EQUAL_WEIGHT_LIMIT,
    ArticleStates,
    _describe,
    _edits,
    _scales,
    _scores,
    _states,
    article_windows,
)


@pytest.fixture(scope="module")
def start(corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a smoke run."""
    request = ReaderRequest(
        data=corpora, base=str(tiny_base), device="cpu", scale="smoke", learning_rate=1e-3
    )
    return recipe.run(request, make_running(tmp_path_factory.mktemp("runs"), request, io.StringIO()))


@pytest.fixture(scope="module")
def refitted(start: Path, corpora: Path, tiny_base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its leaning head fitted anew."""
    request = ReaderRequest(
        data=corpora,
        base=str(tiny_base),
        device="cpu",
        scale="smoke",
        init_from=start,
        ensemble_size=0,
        head="leaning",
    )
    return recipe.run(request, make_running(tmp_path_factory.mktemp("runs"), request, io.StringIO()))


def tensors(graph: Path) -> dict[str, bytes]:
    return {one.name: numpy_helper.to_array(one).tobytes() for one in onnx.load(graph).graph.initializer}


def test_nothing_but_the_leaning_head_changes(start: Path, refitted: Path) -> None:
    before, after = (tensors(load_reader_bundle(folder).graph) for folder in (start, refitted))
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
    old, new = load_reader_bundle(start), load_reader_bundle(refitted)
    assert old.thresholds == new.thresholds
    assert (old.calibration.bias, old.calibration.spans) == (new.calibration.bias, new.calibration.spans)
    assert old.run != new.run


def test_the_card_tells_before_and_after(start: Path, refitted: Path) -> None:
    metrics = json.loads((refitted.parent / "metrics.json").read_text(encoding="utf-8"))
    card = (refitted / "README.md").read_text(encoding="utf-8")
    for name in ("held_out_macro_f1", "before_held_out_macro_f1"):
        assert f"| {name.replace('_', ' ')} | {metrics[name]:.4f} |" in card
    title, _, rest = (start / "README.md").read_text(encoding="utf-8").partition("\n")
    assert rest.rstrip() in card
    bundle = load_reader_bundle(refitted)
    assert card.startswith(f"# {bundle.name} {bundle.version}\n")
    assert title.startswith(f"# {bundle.name} ")


def test_a_card_tells_of_the_last_fit_alone(refitted: Path, tmp_path: Path) -> None:
    made = tmp_path / "bundle"
    shutil.copytree(refitted, made)
    card = made / "README.md"
    card.write_text(card.read_text(encoding="utf-8") + "\n## What came later\n\nWords.\n", encoding="utf-8")
    run_id = str(uuid.uuid4())
    scales = {"leaning": PlattScaling(1.5), "political": PlattScaling(1.0)}
    metrics = {"held_out_articles": 6, "held_out_macro_f1": 0.25, "held_out_left_right_macro_f1": 0.5}
    start = load_reader_bundle(refitted)
    _describe(made, start, scales, metrics, run_id=run_id, sizes=(6, 1, 40, 40))
    told = card.read_text(encoding="utf-8")
    assert told.count("## The leaning head") == 1
    assert f"run `{run_id}`" in told
    assert "| held out macro f1 | 0.2500 |" in told
    assert "## What came later\n\nWords.\n" in told
    finished = load_reader_bundle(made)
    assert finished.run == run_id
    assert finished.score(LEANING_MACRO_F1) == 0.25
    others = {score for score in start.evaluation if not score.name.startswith("political leaning")}
    assert others <= set(finished.evaluation)
    assert len({score.name for score in finished.evaluation}) == len(finished.evaluation)


def test_the_graph_answers_as_the_head_that_was_put(start: Path, tmp_path: Path) -> None:
    graph = tmp_path / "reader.onnx"
    graph.write_bytes(load_reader_bundle(start).graph.read_bytes())
    width = leaning_head.read_leaning_head(graph).layer.in_features
    torch.manual_seed(3)
    head = LeaningHead(nn.Linear(width, width), nn.Linear(width, 4))
    leaning_head.write_head_into_graph(graph, head)
    ids = np.array([[2, 7, 8, 9, 3]], dtype=np.int64)
    answer, meaning = InferenceSession(str(graph), providers=["CPUExecutionProvider"]).run(
        ["leaning", "meaning"], {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    )
    with torch.inference_mode():
        wanted = head.output(torch.tanh(head.layer(torch.from_numpy(meaning)))).numpy()
    assert np.abs(answer - wanted).max() < 0.05


def test_what_editors_moved_is_learnt_from_pairs_that_are_near_none_of_dev(
    start: Path, tmp_path: Path
) -> None:
    """Each row is the neutral side's state less the biased one's, masked as the app masks a draft."""
    sides = [
        ("the shameful council met in the old hall on monday", "the council met in the old hall on monday"),
        ("of course the school opened near river nine", "the school opened near river nine"),
    ]
    (tmp_path / "wnc").mkdir()
    for part, rows in (("train", sides), ("dev", sides[1:])):
        lines = ["biased\tneutral", *("\t".join(pair) for pair in rows)]
        (tmp_path / "wnc" / f"pairs.{part}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    bundle = load_reader_bundle(start)
    events = make_running(tmp_path / "runs", ReaderRequest(data=tmp_path), io.StringIO()).events
    found = _edits(bundle, tmp_path, 5, events)
    before, after = _states(bundle, [mask_publisher(side) for side in sides[0]], events)
    assert found == pytest.approx((after - before)[None])
    assert np.abs(found).max() > 0


def test_a_dry_run_fits_nothing(start: Path, corpora: Path) -> None:
    request = ReaderRequest(
        data=corpora, device="cpu", scale="smoke", init_from=start, ensemble_size=0, head="leaning"
    )
    assert estimate(request, recipe.run)["estimated_s"] > 0


def test_a_graph_without_such_a_head_is_refused(start: Path, tmp_path: Path) -> None:
    graph = tmp_path / "reader.onnx"
    graph.write_bytes(load_reader_bundle(start).graph.read_bytes())
    with pytest.raises(ValueError, match="no leaning head of this shape"):
        leaning_head.write_head_into_graph(graph, LeaningHead(nn.Linear(5, 5), nn.Linear(5, 4)))


def test_an_article_is_read_from_its_first_paragraph_on() -> None:
    lead = ("The council met in the old hall on Monday.",)
    sentences = tuple(
        f"Sentence number {number} has some words in it that fill a window." for number in range(40)
    )
    article = Article("The House", 0, "politics", sentences, lead)
    whole = article_windows(article, 12)
    assert whole[0].startswith(lead[0])
    assert article_windows(article, 2) == [whole[0], whole[-1]]


def test_a_large_house_that_is_held_out_counts_as_one_of_its_cap() -> None:
    sizes = {"large": 4 * EQUAL_WEIGHT_LIMIT, "small": EQUAL_WEIGHT_LIMIT // 3}
    houses = tuple(name for name, size in sizes.items() for _ in range(size))
    labels = np.array([0] * sizes["large"] + [2] * sizes["small"])
    answers = np.zeros((len(labels), 4))
    answers[np.arange(len(labels)), labels] = 1.0
    answers[0 : 4 * EQUAL_WEIGHT_LIMIT : 2] = (0.0, 0.0, 1.0, 0.0)
    read = ArticleStates(
        states=np.zeros((0, 1)),
        owners=np.zeros(0, dtype=np.int64),
        labels=labels,
        publishers=houses,
        topics=("",) * len(labels),
        held=np.ones(len(labels), dtype=np.bool_),
        short=np.zeros((0, 1)),
        shown=np.zeros(0, dtype=np.int64),
    )
    left = 2 * (EQUAL_WEIGHT_LIMIT / 2) / (EQUAL_WEIGHT_LIMIT / 2 + EQUAL_WEIGHT_LIMIT)
    right = 2 * sizes["small"] / (sizes["small"] + sizes["small"] + EQUAL_WEIGHT_LIMIT / 2)
    assert _scores(answers, read)["held_out_macro_f1"] == pytest.approx((left + right) / 2)


def test_sentences_of_which_less_can_be_told_make_the_answers_less_sure() -> None:
    draw = np.random.default_rng(6)
    labels = np.arange(240) % 4
    states = draw.normal(0, 1, (240, 8))
    states[np.arange(240), labels] += 2.0
    names = [f"house {at % 12}" for at in range(240)]
    head = leaning_classifier.fit_leaning_head(states, labels.tolist(), names, [""] * 240)

    def read(short: np.ndarray) -> ArticleStates:
        return ArticleStates(
            states=states,
            owners=np.arange(240),
            labels=labels,
            publishers=tuple(names),
            topics=("",) * 240,
            held=np.ones(240, dtype=np.bool_),
            short=short,
            shown=np.arange(len(short)),
        )

    sure, unsure = (_scales(head, read(short)) for short in (states, draw.normal(0, 2, (240, 8))))
    assert unsure["leaning"].temperature > 1.5 * sure["leaning"].temperature
    assert unsure["political"].temperature > 1.5 * sure["political"].temperature


def test_the_head_is_said_with_a_start_alone(corpora: Path) -> None:
    with pytest.raises(TrainingError, match="--init-from BUNDLE --ensemble-size 0"):
        recipe.check(ReaderRequest(data=corpora, head="leaning"))
